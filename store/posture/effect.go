package posture

import "strings"

// Effect says in one clause what a result will do to the verdict of its
// statement, for the preview of an import. target is what the subject is now,
// nil where the result reaches none; taken is what the result was taken on.
func Effect(r *Result, subject SubjectKind, target, taken *Identity) string {
	switch {
	case r.Statement == "":
		return "kept, listed, never counted"
	case r.Outcome != Pass && r.Outcome != Fail:
		return noEvidence(r)
	case target == nil || taken == nil:
		return "kept: unattributed, reaches no cell"
	case !JudgedOn(r.Statement, subject) && subject == Unit:
		return "kept: " + r.Statement + " is judged at a receiver and none is named"
	case !JudgedOn(r.Statement, subject):
		return "kept: " + r.Statement + " is judged on the isolation unit, not at a receiver"
	case r.Expected == ExpectedUnknown:
		return "no effect: expected is not stated"
	case r.Outcome == Fail && r.Expected == Deny:
		return contradicting(r, subject, target, taken)
	case r.Outcome == Fail:
		return overBlocking(r, subject, target, taken)
	default:
		return supporting(r, subject, target, taken)
	}
}

// noEvidence says why an outcome is none (model.md §2.6).
func noEvidence(r *Result) string {
	switch r.Outcome {
	case Skipped:
		return "no evidence: not executed"
	case Incomplete:
		return "no evidence: started and never ended"
	case OutcomeError:
		return "no evidence either way: the test itself broke"
	default:
		for _, why := range []string{r.ObservedBehaviour, r.Message} {
			if why = firstLine(why); why != "" {
				return "no evidence either way: " + why
			}
		}
		return "no evidence either way: inconclusive"
	}
}

func firstLine(s string) string {
	const most = 80
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	s = strings.TrimSpace(s)
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// contradicting: a refusal that did not happen counts on any identity of the
// same vendor, product and variant; drift makes it a suspicion (model.md §2.7).
func contradicting(r *Result, subject SubjectKind, target, taken *Identity) string {
	if moved, _ := Differing(taken, target, scopeFacets); len(moved) > 0 {
		return notRunning(moved)
	}
	at := ""
	if subject == Receiver {
		at = " at the receiver"
	}
	moved, unknown := Differing(taken, target, scopeFacets|softens(KindTest, r.Statement, subject))
	switch {
	case len(moved) > 0:
		return "counts: suspect, " + FacetWords(moved) + " in the file " + isAre(len(moved)) + " not the running " + ones(moved)
	case len(unknown) > 0:
		return "counts: contradicts" + at + ", though " + FacetWords(unknown) + " " + isAre(len(unknown)) + " not known on both sides"
	default:
		return "counts: contradicts, exact identity" + at
	}
}

// overBlocking: a permitted access that was refused undoes the pairs of its
// case taken before it, on matching identity (model.md §2.6).
func overBlocking(r *Result, subject SubjectKind, target, taken *Identity) string {
	if why := mismatch(r, subject, target, taken); why != "" {
		return why
	}
	return "counts: over-block, permitted access was refused"
}

func supporting(r *Result, subject SubjectKind, target, taken *Identity) string {
	switch why := mismatch(r, subject, target, taken); {
	case why != "":
		return why
	case !r.ControlOK:
		return "no effect: its control is not proven before and after"
	case r.Statement == duty && r.Expected == Permit:
		return "counts: supports by itself"
	case r.Statement == duty:
		return "no effect: only the permitted side bears on this statement"
	case r.Case == "" || r.Run == "":
		return "no effect: without a case it is half of no pair"
	default:
		return "counts: half of a pair"
	}
}

// mismatch says why a result does not lift or undo anything on this identity;
// empty where it does.
func mismatch(r *Result, subject SubjectKind, target, taken *Identity) string {
	moved, unknown := Differing(taken, target, scopeFacets|Required(KindTest, r.Statement, subject))
	switch {
	case len(moved) > 0:
		return notRunning(moved)
	case len(unknown) > 0:
		return "no effect: " + FacetWords(unknown) + " " + isAre(len(unknown)) + " not known on both sides"
	default:
		return ""
	}
}

func notRunning(moved []Facet) string {
	return "no effect: " + FacetWords(moved) + " in the file " + isAre(len(moved)) + " not the running " + ones(moved)
}

func ones(moved []Facet) string {
	if len(moved) == 1 {
		return "one"
	}
	return "ones"
}
