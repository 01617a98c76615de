package posture

import (
	"fmt"
	"slices"
	"strings"

	"demarc/store/posture/library"
)

// candidate is a step with the facts as they would be when it is done.
type candidate struct {
	text  string
	needs []string
	facts *Facts
}

// next gives the cheapest step that makes the label better. Steps are tried in
// order of cost, and each is judged with its records added one tick from now.
func (x *explainer) next() Step {
	k, t := x.k.Add(Tick), x.t.Add(Tick)
	for _, step := range x.candidates() {
		v := Judge(step.facts, k, t)
		if better(v.Label, x.v.Label) {
			return Step{Text: step.text, To: v.Label, Needs: step.needs}
		}
	}
	return Step{Text: x.standing(), To: x.v.Label}
}

// better says whether a is a better label than b in the order of the roll-up;
// not applicable stands outside it and betters only what is against.
func better(a, b Label) bool {
	if a == LabelNotApplicable {
		return b.Reading() == Against
	}
	return a > b && b != LabelNotApplicable
}

// standing says how long a verdict stands that no step makes better.
func (x *explainer) standing() string {
	if x.v.State == LabelNotApplicable {
		return "Nothing while the ruling stands" + until(x.rulingEnd()) + "."
	}
	if !x.v.Met {
		return "No single step moves this verdict: see what is missing."
	}
	text := "Nothing is asked now."
	if changes := ChangesAt(x.f, x.k, x.t); !changes.IsZero() {
		text = "Nothing is asked before " + dayWords(changes) + ", when time alone changes this verdict."
	}
	return text + " Any change of the target’s identity may end it at once."
}

func (x *explainer) candidates() []candidate {
	var open []*Piece
	for i := range x.e.Against {
		if p := &x.e.Against[i]; p.Open {
			open = append(open, p)
		}
	}
	switch {
	case x.v.State == LabelNotApplicable:
		return nil
	case len(open) == 0:
		return x.climbing()
	case len(x.v.Hard) == 0:
		return []candidate{x.ruling(open), x.fixing(open)}
	default:
		return []candidate{x.fixing(open), x.ruling(open)}
	}
}

// ruling closes the open negatives as not applicable.
func (x *explainer) ruling(open []*Piece) candidate {
	f, recorded := x.withTarget(ruleFacets)
	for _, p := range open {
		f.Closures = append(f.Closures, Closure{ID: "next", Closes: p.ID, Kind: ClosureNotApplicable, Identity: f.Target, At: x.k})
	}
	ids := pieceIDs(open)
	return candidate{
		text:  "Rule on " + ids + ": if it cannot apply to this target, close it as not applicable, with a justification; if it can, fix it and test again.",
		needs: append(recorded, counted(len(open), "ruling", "rulings")+" with a justification code and text"),
		facts: f,
	}
}

// fixing fixes what the open negatives show, tests their cases again and
// closes them.
func (x *explainer) fixing(open []*Piece) candidate {
	f, recorded := x.withTarget(scopeFacets | Required(KindTest, x.f.Statement, x.f.Subject))
	var cases []string
	for _, p := range open {
		if p.Kind == KindTest {
			cases = append(cases, p.Case)
		}
	}
	cases = sortedUnique(append(cases, x.openPaths()...))
	if len(cases) == 0 {
		cases = []string{x.bestCase()}
	}
	for _, c := range cases {
		x.addPair(f, c)
	}
	for _, p := range open {
		c := Closure{ID: "next", Closes: p.ID, Kind: FixedVerified, Identity: f.Target, At: x.k}
		for i := len(x.f.Evidence); i < len(f.Evidence); i++ {
			c.Evidence = append(c.Evidence, f.Evidence[i].ID)
		}
		f.Closures = append(f.Closures, c)
	}
	text, first := "Fix it, then run ", "a release or setting in which "+pieceIDs(open)+" can no longer happen"
	if x.v.State == LabelNotProvided {
		text, first = "Provide this boundary in our own design, then run ", "a mechanism of our own that enforces it"
	}
	needs := append([]string{first}, recorded...)
	needs = append(append(needs, x.pairNeeds(cases)...), counted(len(open), "closure", "closures")+" by somebody other than the tester")
	return candidate{
		text:  text + caseList(cases) + " on the target as it is then: permit and deny in one run.",
		needs: needs, facts: f,
	}
}

// climbing lists the steps that add support, cheapest first.
func (x *explainer) climbing() []candidate {
	var steps []candidate
	if step, ok := x.identifying(); ok {
		steps = append(steps, step)
	}
	if x.v.Rung < Documented {
		f, recorded := x.withTarget(scopeFacets)
		x.add(f, Evidence{ID: "next", Kind: KindDocumentation, Identity: anywhere(f.Target), Polarity: Supports})
		steps = append(steps, candidate{
			text:  "Capture the published page or contract clause that states it" + x.inRegion() + ".",
			needs: append(recorded, "the page’s address, its date and its bytes"), facts: f,
		})
	}
	if x.v.Rung < Configured {
		f, recorded := x.withTarget(scopeFacets | Required(KindConfiguration, x.f.Statement, x.f.Subject))
		x.add(f, Evidence{ID: "next", Kind: KindConfiguration, Identity: f.Target, Polarity: Supports})
		steps = append(steps, candidate{
			text:  "Read the configuration from this target, by tool or by hand.",
			needs: append(recorded, "the export that was seen, kept with its digest"), facts: f,
		})
	}
	if x.v.Rung < Tested {
		steps = append(steps, x.testing())
	}
	return steps
}

func (x *explainer) testing() candidate {
	f, recorded := x.withTarget(scopeFacets | Required(KindTest, x.f.Statement, x.f.Subject))
	cases := x.openPaths()
	if len(x.f.Paths) == 0 {
		cases = []string{x.bestCase()}
	}
	for _, c := range cases {
		x.addPair(f, c)
	}
	text := "Run " + caseList(cases) + " on this very target: permit and deny in one run."
	if x.f.Statement == duty {
		text = "Run " + caseList(cases) + " on this very target: the legitimate user stops, resumes and finds the work intact."
	}
	return candidate{text: text, needs: append(recorded, x.pairNeeds(cases)...), facts: f}
}

// identifying records a facet of the target that the newest support waits for.
func (x *explainer) identifying() (candidate, bool) {
	for i := range x.e.For {
		p := &x.e.For[i]
		if !p.Fresh || p.Match != Unidentified {
			continue
		}
		e := x.record(p)
		f := x.copy()
		var lacking []Facet
		for _, facet := range p.Unknown {
			if f.Target[facet] == "" && e.Identity[facet] != "" {
				f.Target[facet] = e.Identity[facet]
				lacking = append(lacking, facet)
			}
		}
		if lacking == nil {
			continue
		}
		what := FacetWords(lacking)
		return candidate{
			text:  fmt.Sprintf("Record the target’s %s: if it is what %s was taken on, that support holds.", what, p.ID),
			needs: []string{fmt.Sprintf("a known %s on the target, read from the running system, equal to that of %s", what, p.ID)}, facts: f,
		}, true
	}
	return candidate{}, false
}

// record finds the evidence of a piece.
func (x *explainer) record(p *Piece) *Evidence {
	for _, i := range x.named(p.ID) {
		if e := &x.f.Evidence[i]; e.ObservedAt.Equal(p.ObservedAt) && e.Kind == p.Kind && e.Expected == p.Expected {
			return e
		}
	}
	return &Evidence{}
}

// copy gives facts that records can be added to without touching the real ones.
func (x *explainer) copy() *Facts {
	f := *x.f
	f.Evidence, f.Closures = slices.Clip(f.Evidence), slices.Clip(f.Closures)
	return &f
}

// withTarget copies the facts with the facets of want recorded on the target,
// and names the ones that were not.
func (x *explainer) withTarget(want FacetSet) (f *Facts, recorded []string) {
	f = x.copy()
	var unknown []Facet
	for _, facet := range want.List() {
		if f.Target[facet] == "" {
			f.Target[facet] = "recorded"
			unknown = append(unknown, facet)
		}
	}
	if unknown != nil {
		recorded = []string{"the target’s " + FacetWords(unknown) + ", read from the running system"}
	}
	return f, recorded
}

// add adds a record made at the next tick.
func (x *explainer) add(f *Facts, e Evidence) {
	e.Statement = f.Statement
	e.ObservedAt = x.t.Add(Tick)
	if x.k.Before(x.t) {
		e.ObservedAt = x.k.Add(Tick)
	}
	e.RecordedAt = e.ObservedAt
	f.Evidence = append(f.Evidence, e)
}

func (x *explainer) addPair(f *Facts, caseID string) {
	if caseID == "" {
		caseID = "next"
	}
	for _, side := range [...]Expected{Permit, Deny} {
		x.add(f, Evidence{
			ID: "next " + side.String() + " " + caseID, Kind: KindTest, Identity: f.Target,
			Run: "next", Case: caseID, Expected: side, Outcome: Pass, ControlOK: true,
		})
	}
}

func (x *explainer) pairNeeds(cases []string) []string {
	if x.f.Statement == duty {
		return []string{counted(len(cases), "permit", "permits") + " with a working control"}
	}
	needs := []string{
		counted(2*len(cases), "test", "tests") + ", both halves of a pair in one run",
		"a working control: the owner reads the fixture just before and just after",
	}
	for _, c := range cases {
		if s, ok := library.Must().ScenarioOf(c); ok && s.Deny != "" {
			needs = append(needs, c+", permit: "+s.Permit+"; deny: "+s.Deny)
		}
	}
	return needs
}

func caseList(cases []string) string {
	if len(cases) == 1 && cases[0] == "" {
		return "one case of this statement"
	}
	named := slices.DeleteFunc(slices.Clone(cases), func(c string) bool { return c == "" })
	return listWords(named, "and")
}

func (x *explainer) inRegion() string {
	if r := x.f.Target[Region]; r != "" {
		return ", for region " + r
	}
	return ""
}

func anywhere(id Identity) Identity {
	id[Region] = RegionAny
	return id
}

func pieceIDs(pieces []*Piece) string {
	ids := make([]string, len(pieces))
	for i, p := range pieces {
		ids[i] = p.ID
	}
	ids = sortedUnique(ids)
	if len(ids) > 4 {
		return strings.Join(ids[:3], ", ") + fmt.Sprintf(" and %d more", len(ids)-3)
	}
	return listWords(ids, "and")
}
