package posture

import (
	"slices"
	"strings"
)

// CheckClosure says why a closure of the negative e could never take effect,
// or what it leaves unsaid (model.md §2.7). tests are the records that the
// closure names, by id; target is the identity in force. All faults at once. A
// statement or document that was itself wrong is withdrawn; one that is right
// and overcome by our own design is closed like any other negative.
func CheckClosure(c *ClosureRecord, e *Evidence, tests map[string]*Evidence, target *Identity, subject SubjectKind) Fields {
	var faults Fields
	switch {
	case !e.Negative():
		faults.Add("closes", e.ID+" shows nothing against the statement: there is nothing to close.")
	case !e.WithdrawnAt.IsZero():
		faults.Add("closes", e.ID+" is withdrawn or superseded: it no longer counts.")
	}
	if len(faults) > 0 {
		return faults
	}
	switch c.Kind {
	case FixedVerified:
		checkFix(&faults, c, e, tests, target, subject)
	case ClosureNotApplicable:
		if !slices.Contains(Justifications(), c.Justification) {
			faults.Add("justification", "Choose a justification: "+strings.Join(Justifications(), ", ")+".")
		}
		checkText(&faults, "text", c.Text, "Write why it does not apply to this configuration.", 4000)
		if unknown := UnknownFacets(target, ruleFacets); len(unknown) > 0 {
			faults.Add("closes", "The target's "+FacetWords(unknown)+" "+isAre(len(unknown))+" not known, and an unknown facet is no match: record it first.")
		}
	case TestInvalid:
		if e.Kind != KindTest {
			faults.Add("kind", e.ID+" is no test. A test found invalid closes tests only.")
		}
		checkText(&faults, "text", c.Text, "Write what was wrong: the expectation or the fixture.", 4000)
	}
	return faults
}

func checkFix(faults *Fields, c *ClosureRecord, e *Evidence, tests map[string]*Evidence, target *Identity, subject SubjectKind) {
	checkText(faults, "fix", c.Fix, "Name the fix: the release, the change or the setting.", 2000)
	if len(c.Evidence) == 0 {
		faults.Add("evidence", "Choose the passing deny, observed after "+e.ID+", that shows the fix.")
		return
	}
	var why []string
	for _, id := range c.Evidence {
		p := tests[id]
		if p == nil {
			why = append(why, "There is no record "+id+" of this statement and subject.")
			continue
		}
		reason := NotReverifying(p, e, &c.Closure, subject)
		if moved, _ := Differing(&p.Identity, target, scopeFacets); reason == "" && len(moved) > 0 {
			reason = "it was taken on another " + FacetWords(moved) + " than the target's"
		}
		if reason != "" {
			why = append(why, id+" does not show the fix: "+reason+".")
		}
	}
	if len(why) > 0 {
		faults.Add("evidence", strings.Join(why, " "))
	}
}

// NotReverifying says why the record p does not verify the fix of e under
// closure c; empty when it does. It is the sentence to Reverifies' answer, for
// a record that is not withdrawn.
func NotReverifying(p, e *Evidence, c *Closure, subject SubjectKind) string {
	switch {
	case p.Kind != KindTest || p.Expected != Deny:
		return "it is no test of a refusal"
	case p.Outcome != Pass:
		return "it did not pass"
	case !p.ControlOK:
		return "its control was not proven"
	case !p.WithdrawnAt.IsZero():
		return "it is withdrawn"
	case p.Statement != e.Statement:
		return "it is about " + p.Statement + ", not " + e.Statement
	case !p.ObservedAt.After(e.ObservedAt):
		return "it was not observed after " + e.ID
	case e.Kind == KindTest && e.Case == "":
		return e.ID + " names no case, so no test is known to repeat it"
	case e.Kind == KindTest && p.Case != e.Case:
		return "it is of case " + orNone(p.Case) + ", not " + e.Case
	}
	if moved, _ := Differing(&p.Identity, &e.Identity, scopeFacets); len(moved) > 0 {
		return "it was taken on another " + FacetWords(moved)
	}
	want := scopeFacets | Required(KindTest, p.Statement, subject)
	moved, unknown := Differing(&p.Identity, &c.Identity, want)
	switch {
	case len(moved) > 0:
		return "its " + FacetWords(moved) + " " + isAre(len(moved)) + " not what the closure is about"
	case len(unknown) > 0:
		return "its or the closure's " + FacetWords(unknown) + " " + isAre(len(unknown)) + " not known"
	}
	return ""
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// NotWithdrawn says why a record cannot be withdrawn; empty when it can. A
// failing deny is closed, not withdrawn: withdrawing it would be a way around
// the second pair of eyes.
func NotWithdrawn(e *Evidence) string {
	if e.Kind == KindTest && e.Negative() {
		return e.ID + " is a failing test. It is closed, not withdrawn: if its expectation or fixture was wrong, close it as a test found invalid."
	}
	return ""
}

// NeedsSecondPerson says whether withdrawing the record takes somebody else
// than who recorded it: all that stands against a statement but a statement,
// document or report that was itself wrong (model.md §2.7).
func NeedsSecondPerson(e *Evidence) bool {
	return e.OverBlock() || (e.Negative() && (e.Kind == KindConfiguration || e.Kind == KindIncident))
}
