package posture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Tally counts results of one file that are alike, on the subject they were
// recorded on.
type Tally struct {
	Subject   SubjectRef
	Statement string
	Expected  Expected
	Outcome   Outcome
	Control   bool
	Count     int
	// Taken is the identity that the results carry; Target the one in force.
	Taken  Identity
	Target Identity
	// Directions are those that the results name, such as "Acme → Birch".
	Directions []string
}

func (t *Tally) evidence() Evidence {
	return Evidence{Kind: KindTest, Statement: t.Statement, Expected: t.Expected, Outcome: t.Outcome, ControlOK: t.Control}
}

// matches says whether the results were taken on the target in force, on all
// that a test needs.
func (t *Tally) matches() bool {
	return Compare(&t.Taken, &t.Target, scopeFacets|Required(KindTest, t.Statement, t.Subject.Kind)) == Matches
}

func (t *Tally) elsewhere() bool { return Compare(&t.Taken, &t.Target, scopeFacets) == Drifted }

func (t *Tally) name() string {
	if t.Subject.Kind == Receiver {
		return t.Statement + " at " + t.Subject.Slug
	}
	return t.Statement
}

// Stated gives what a run states of its target: what was read at its start and,
// where that is silent, at its end.
func Stated(start, end Identity) Identity {
	for f, v := range end {
		if start[f] == "" {
			start[f] = v
		}
	}
	return start
}

// Proved says what the results of a file show, one sentence each: refusals and
// permitted requests that behaved as required on the exact target, and those
// that did not wherever they were taken.
func Proved(tallies []Tally) []string {
	var all sentences
	for i := range tallies {
		t := &tallies[i]
		if t.elsewhere() {
			continue
		}
		e := t.evidence()
		place := " (" + t.name() + ")"
		switch exact := t.matches(); {
		case e.Negative() && exact:
			all.add(t.Count, "refusal that should have happened did not", "refusals that should have happened did not", ", on the exact "+targetWords(t)+place)
		case e.Negative():
			all.add(t.Count, "refusal that should have happened did not", "refusals that should have happened did not", ", "+otherWords(t)+place)
		case e.OverBlock():
			all.add(t.Count, "permitted request was refused", "permitted requests were refused", place)
		case e.passes(Deny) && exact:
			all.add(t.Count, "refusal behaved as required", "refusals behaved as required", ", on the exact "+targetWords(t)+place)
		case e.passes(Permit) && exact:
			all.add(t.Count, "permitted request behaved as required", "permitted requests behaved as required", place)
		}
	}
	return all.list()
}

// sentences sums counts of like sentences and keeps their order of arrival.
type sentences struct {
	order []string
	count map[string]int
	words map[string][3]string
}

func (s *sentences) add(n int, one, many, rest string) {
	key := one + rest
	if s.count == nil {
		s.count, s.words = map[string]int{}, map[string][3]string{}
	}
	if _, ok := s.count[key]; !ok {
		s.order = append(s.order, key)
		s.words[key] = [3]string{one, many, rest}
	}
	s.count[key] += n
}

func (s *sentences) list() []string {
	var out []string
	for _, key := range s.order {
		n, w := s.count[key], s.words[key]
		if n == 1 {
			out = append(out, "1 "+w[0]+w[2])
		} else {
			out = append(out, fmt.Sprintf("%d %s%s", n, w[1], w[2]))
		}
	}
	return out
}

// NotProved says for which statements the results show nothing and why, and
// which direction of a case nobody tried.
func NotProved(tallies []Tally) []string {
	sorted := slices.Clone(tallies)
	slices.SortStableFunc(sorted, func(a, b Tally) int {
		return cmp.Or(strings.Compare(a.Statement, b.Statement), cmp.Compare(a.Subject.ID, b.Subject.ID))
	})
	var out, idle []string
	words := map[string]bool{}
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && sorted[n].Statement == sorted[0].Statement && sorted[n].Subject.ID == sorted[0].Subject.ID {
			n++
		}
		group := sorted[:n]
		sorted = sorted[n:]
		switch why, none := nothingFor(group); {
		case none != nil:
			idle = append(idle, group[0].name())
			for _, w := range none {
				words[w] = true
			}
		case why != "":
			out = append(out, "Nothing for "+group[0].name()+": "+why)
		}
	}
	if len(idle) > 0 {
		out = append(out, "Nothing for "+listWords(idle, "or")+": "+listWords(sortedWords(words), "and")+" "+isAre(len(words))+" no evidence either way")
	}
	return append(out, untried(tallies)...)
}

// nothingFor says why a statement's results show nothing for it, or, where all
// of them are no evidence, how they ended. Both are empty where a passing half
// on the target or a failure is among them.
func nothingFor(group []Tally) (why string, none []string) {
	failed := func(t Tally) bool {
		e := t.evidence()
		return !t.elsewhere() && (e.Negative() || e.OverBlock())
	}
	if slices.ContainsFunc(group, failed) {
		return "", nil
	}
	var reasons []string
	idle := true
	for i := range group {
		t := &group[i]
		if t.Outcome != Pass && t.Outcome != Fail {
			none = append(none, t.Outcome.String())
			continue
		}
		idle = false
		switch {
		case t.elsewhere():
			reasons = append(reasons, "taken on another "+FacetWords(movedScope(t)))
		case !t.Control:
			reasons = append(reasons, "the control was not proven")
		case t.matches():
			return loneHalf(group), nil
		default:
			reasons = append(reasons, otherWords(t))
		}
	}
	if idle {
		return "", none
	}
	slices.Sort(reasons)
	return strings.Join(slices.Compact(reasons), "; "), nil
}

func movedScope(t *Tally) []Facet {
	moved, _ := Differing(&t.Taken, &t.Target, scopeFacets)
	return moved
}

// loneHalf says that one side of the pair is missing; empty where both are there
// or the permit side is the whole proof.
func loneHalf(group []Tally) string {
	var sides [3]bool
	for i := range group {
		if t := &group[i]; t.Outcome == Pass && t.Control && t.matches() {
			sides[t.Expected] = true
		}
	}
	switch {
	case group[0].Statement == duty || (sides[Permit] && sides[Deny]):
		return ""
	case sides[Permit]:
		return "a passing permit is half of a pair, and no passing deny stands beside it"
	default:
		return "a passing deny is half of a pair, and no passing permit stands beside it"
	}
}

// untried lists directions whose reverse is not in the file.
func untried(tallies []Tally) []string {
	var out []string
	var seen []string
	for i := range tallies {
		for _, d := range tallies[i].Directions {
			if d != "" && !slices.Contains(seen, d) {
				seen = append(seen, d)
			}
		}
	}
	for _, d := range seen {
		for _, arrow := range []string{" → ", "→", " -> ", "->"} {
			from, to, found := strings.Cut(d, arrow)
			if !found {
				continue
			}
			if back := to + arrow + from; from != to && !slices.Contains(seen, back) {
				out = append(out, back+" was not in the file")
			}
			break
		}
	}
	slices.Sort(out)
	return out
}

// otherWords says what keeps results from matching the target in force.
func otherWords(t *Tally) string {
	moved, unknown := Differing(&t.Taken, &t.Target, scopeFacets|Required(KindTest, t.Statement, t.Subject.Kind))
	var parts []string
	for _, f := range moved {
		parts = append(parts, f.String()+" "+ShortDigest(t.Taken[f])+" is not running")
	}
	var unsaid, unknownHere []Facet
	for _, f := range unknown {
		if t.Taken[f] == "" {
			unsaid = append(unsaid, f)
		} else {
			unknownHere = append(unknownHere, f)
		}
	}
	if len(unsaid) > 0 {
		parts = append(parts, "the file does not say its "+FacetWords(unsaid))
	}
	if len(unknownHere) > 0 {
		parts = append(parts, "the "+FacetWords(unknownHere)+" that "+isAre(len(unknownHere))+" running cannot be compared")
	}
	return strings.Join(parts, ", ")
}

func targetWords(t *Tally) string {
	words := "version "
	if t.Subject.Kind == Receiver {
		words = "release "
	}
	return words + t.Target[Version] + ", policy " + ShortDigest(t.Target[Policy])
}

// ShortDigest gives the first eight digits of each digest of a value, the
// algorithm named; a value that is no digest comes back whole.
func ShortDigest(value string) string {
	parts := strings.Fields(value)
	for i, p := range parts {
		if algorithm, hex, found := strings.Cut(p, ":"); found && len(hex) > 8 {
			parts[i] = algorithm + ":" + hex[:8] + "…"
		}
	}
	return strings.Join(parts, " ")
}

func sortedWords(set map[string]bool) []string {
	var all []string
	for w := range set {
		all = append(all, w)
	}
	slices.Sort(all)
	return all
}

// WhyUnmoved says why records just added moved the verdict v on the facts'
// statement no further: a clause to follow "not moved: ". where says what holds
// them, such as "the file" or "the record". Of the facts only the target, the
// subject, the criticality and the windows are read.
func WhyUnmoved(f *Facts, v *Verdict, added []Evidence, where string, at time.Time) string {
	var why []string
	for i := range added {
		if clause := unmoved(f, &added[i], v, where, at); !slices.Contains(why, clause) {
			why = append(why, clause)
		}
	}
	slices.Sort(why)
	return strings.Join(why[:min(len(why), 3)], "; ")
}

func unmoved(f *Facts, e *Evidence, v *Verdict, where string, at time.Time) string {
	state := strings.ReplaceAll(v.State.String(), "_", " ")
	if moved, _ := Differing(&e.Identity, &f.Target, scopeFacets); len(moved) > 0 {
		return FacetWords(moved) + " in " + where + " " + isAre(len(moved)) + " not the running one, and evidence never travels"
	}
	switch {
	case e.Kind == KindTest && e.Outcome != Pass && e.Outcome != Fail:
		return e.Outcome.String() + " is no evidence either way"
	case e.Kind == KindTest && e.Outcome == Pass && !e.ControlOK:
		return "the control in " + where + " was not proven"
	case slices.Contains(v.Hard, e.ID) || slices.Contains(v.Soft, e.ID):
		return "it was " + state + " before"
	case e.Negative():
		return e.ID + " does not count: it is withdrawn or closed"
	case e.OverBlock() && v.State == LabelStale:
		return "it was stale before"
	case e.OverBlock():
		return "a refused permit undoes only pairs of its own case on the running configuration"
	case e.Side() == PolarityNone:
		return "it stands on neither side"
	}
	want := scopeFacets | Required(e.Kind, e.Statement, f.Subject)
	moved, unknown := Differing(&e.Identity, &f.Target, want)
	if e.Identity[Region] == RegionAny {
		moved = slices.DeleteFunc(moved, func(m Facet) bool { return m == Region })
	}
	w := f.Windows
	if w == nil {
		w = &defaultWindows
	}
	switch {
	case len(moved) > 0:
		return FacetWords(moved) + " in " + where + " " + isAre(len(moved)) + " not the running one"
	case len(unknown) > 0:
		return FacetWords(unknown) + " " + isAre(len(unknown)) + " not known on both sides"
	case at.After(w.FreshUntil(e, f.Criticality)):
		return "what was seen on " + dayWords(e.ObservedAt) + " is past its window"
	case len(v.Hard)+len(v.Soft) > 0:
		return listWords(v.OpenNegatives(), "and") + " " + isAre(len(v.OpenNegatives())) + " open against it"
	case e.Kind == KindTest && v.Rung < Tested:
		return "a passing " + e.Expected.String() + " is half of a pair"
	default:
		return "it was " + state + " before"
	}
}
