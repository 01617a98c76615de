package posture

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"demarc/store/posture/library"
)

// sentence says the verdict in words (LOOK.md §6).
func (x *explainer) sentence() string {
	s := x.stateSentence(x.v.State)
	switch {
	case x.v.Label == LabelAcceptedRisk:
		s = "Carried" + until(x.acceptanceEnd()) + " by acceptance " + x.v.Acceptance + "; underlying: " + x.v.State.Words() + ". " + s
	case x.v.Met && x.v.State == LabelStale:
		s = x.stateSentence(x.v.Rung.Label()) + " " + s
	}
	if x.v.PathsTested > 0 && x.v.PathsTested < x.v.PathsKnown {
		s += fmt.Sprintf(" %d of %s tested.", x.v.PathsTested, counted(x.v.PathsKnown, "known path", "known paths"))
	}
	if !x.v.Met {
		s += " Required: " + x.f.Required.Words() + "."
	}
	return s
}

func (x *explainer) stateSentence(state Label) string {
	open := len(x.v.Hard)
	switch state {
	case LabelContradicted:
		return x.contradictedSentence()
	case LabelNotProvided:
		return counted(open, "record says", "records say") + " that this is not offered, and nothing ever supported it; our design must provide it."
	case LabelSuspect:
		return counted(len(x.v.Soft), "record speaks", "records speak") + " against this statement, seen on another configuration or not yet settled; nobody has ruled whether it applies here."
	case LabelNotApplicable:
		return "Ruled out for this configuration" + until(x.rulingEnd()) + "."
	case LabelStale:
		return "Was " + x.v.Best.Words() + "; that support " + x.v.Lapsed.Words() + "."
	case LabelNotStated:
		if x.v.PathsTested > 0 {
			return "Some known paths are tested, and not all of them; nothing else is said."
		}
		if n := len(x.e.For); n > 0 {
			return "Nobody has said anything that counts: " + counted(n, "record is kept and lifts", "records are kept and lift") + " nothing."
		}
		return "Nobody has said."
	case LabelClaimed:
		return "The vendor says so; nothing is published, read from the target or exercised by us."
	case LabelTested:
		cases, last := x.heldCases()
		return fmt.Sprintf("Held in %s on this identity on %s.", counted(len(cases), "case", "cases"), dayWords(last))
	default:
		return "Designed so, as " + state.Words() + "; not exercised by us."
	}
}

func (x *explainer) contradictedSentence() string {
	open := len(x.v.Hard)
	s := counted(open, "record shows", "records show") + " the opposite of this statement on this target"
	if !slices.ContainsFunc(x.e.Against, func(p Piece) bool { return p.Open && !p.Soft && p.Match == Matches }) {
		s = counted(open, "record shows", "records show") + " the opposite of this statement, on an identity that does not rule this target out"
	}
	if soft := len(x.v.Soft); soft > 0 {
		s += ", and " + counted(soft, "more casts", "more cast") + " suspicion"
	}
	uncovered := 0
	for i := range x.e.Against {
		if p := &x.e.Against[i]; p.Open && p.AcceptedBy == "" {
			uncovered++
		}
	}
	if all := open + len(x.v.Soft); len(x.f.Acceptances) > 0 && uncovered > 0 && uncovered < all {
		s += "; " + counted(uncovered, "of them is", "of them are") + " covered by nobody’s acceptance"
	}
	return s + "."
}

// until writes " until 2 Dec 2026", or nothing for an instant that never comes.
func until(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " until " + dayWords(t)
}

func (x *explainer) acceptanceEnd() time.Time {
	for i := range x.f.Acceptances {
		if a := &x.f.Acceptances[i]; a.ID == x.v.Acceptance && x.acceptanceValid(a) {
			return a.ExpiresAt
		}
	}
	return time.Time{}
}

// rulingEnd is the latest end of the rulings in force; zero when one has none.
func (x *explainer) rulingEnd() time.Time {
	var end time.Time
	for i := range x.f.Rulings {
		n := &x.f.Rulings[i]
		if !x.rulingValid(n) {
			continue
		}
		if n.ExpiresAt.IsZero() {
			return time.Time{}
		}
		if n.ExpiresAt.After(end) {
			end = n.ExpiresAt
		}
	}
	return end
}

// heldCases lists the cases whose pairs hold now, and when the latest half of
// them was observed.
func (x *explainer) heldCases() (cases []string, last time.Time) {
	for i := range x.e.For {
		p := &x.e.For[i]
		if p.Kind != KindTest || !p.Counts {
			continue
		}
		cases = append(cases, p.Case)
		if p.ObservedAt.After(last) {
			last = p.ObservedAt
		}
	}
	return sortedUnique(cases), last
}

// notShown says what must not be read into the verdict (model.md §2.3, column
// "Cannot support").
func (x *explainer) notShown() []string {
	var lines []string
	switch x.v.Rung {
	case Tested:
		cases, _ := x.heldCases()
		lines = append(lines, "other cases and surfaces than "+listWords(quotedCases(cases), "and"),
			"other versions, images, policies, configurations and regions",
			"side channels, unless a case measures them",
			"any day after the tests were run")
		lines = append(lines, x.overRead(cases)...)
	case Configured:
		lines = append(lines, "that the mechanism behind the setting works: nothing was exercised")
	case Attested:
		lines = append(lines, "our own configuration, and the controls left to the customer", "anything carved out of the report, and today: nothing was exercised by us")
	case Documented:
		lines = append(lines, "that it is switched on or works: nothing was exercised", "other variants and regions")
	case Claimed:
		lines = append(lines, "design, operation and our own configuration: nothing is published and nothing was exercised")
	case NotStated:
		lines = append(lines, "anything exercised: no pair of tests holds on every known path of this target")
	}
	if x.f.Subject == Receiver {
		lines = append(lines, "other receivers: each is judged on its own", "the isolation of the session that calls: judged on its unit")
	} else {
		lines = append(lines, "what receivers hand out when asked: judged at each receiver")
	}
	if x.v.Label == LabelAcceptedRisk {
		lines = append(lines, "that anything was put right: an acceptance changes no fact")
	}
	return append(lines, x.noEvidence()...)
}

// overRead says what the scenarios of the held cases are most likely to be
// over-read as; where a case names no scenario, what any of the statement's is.
func (x *explainer) overRead(cases []string) []string {
	lib := library.Must()
	var lines []string
	for _, c := range cases {
		if s, ok := lib.ScenarioOf(c); ok {
			lines = append(lines, "by "+c+": "+s.NotShown)
		}
	}
	if lines != nil {
		return lines
	}
	var all []string
	for _, s := range lib.ForStatement(x.f.Statement) {
		all = append(all, s.NotShown)
	}
	if all == nil {
		return nil
	}
	return []string{"by tests of this statement: " + strings.Join(sortedUnique(all), "; ")}
}

func quotedCases(cases []string) []string {
	if len(cases) > 3 {
		return []string{counted(len(cases), "case", "cases") + " named above"}
	}
	cases = slices.Clone(cases)
	for i, c := range cases {
		if c == "" {
			cases[i] = "the one without a name"
		}
	}
	return cases
}

// noEvidence counts the results that are no evidence either way
// (model.md §2.6), word by word.
func (x *explainer) noEvidence() []string {
	var counts [len(outcomeNames)]int
	total := 0
	for i := range x.f.Evidence {
		e := &x.f.Evidence[i]
		if e.Kind == KindTest && e.Outcome >= OutcomeError && x.counts(e) && x.sameScope(e) {
			counts[e.Outcome]++
			total++
		}
	}
	if total == 0 {
		return nil
	}
	var words []string
	for _, o := range [...]Outcome{OutcomeError, Skipped, Inconclusive, Incomplete} {
		if counts[o] > 0 {
			words = append(words, fmt.Sprintf("%d %s", counts[o], o))
		}
	}
	return []string{"anything by its results without an outcome (" + strings.Join(words, ", ") + "): they are no evidence either way"}
}

// stateRows says how the evidence state was found.
func (x *explainer) stateRows() []Check {
	docs := x.docsOnly()
	hard, soft := len(x.v.Hard), len(x.v.Soft)
	ruled := "no ruling in force says that it does not apply"
	if x.ruledOut() {
		ruled = "a ruling in force says that it does not apply"
	}
	above := fmt.Sprintf("best rung ever supported: %s; rung now: %s", x.v.Best.Words(), x.v.Rung.Words())
	if x.v.State == LabelStale {
		above += ": support " + x.v.Lapsed.Words()
	}
	rows := []Check{
		{hard > 0 && docs && x.v.Best == NotStated, "open negatives on this target, all of them documents or statements, and nothing ever supported it: " + yesNo(hard > 0 && docs && x.v.Best == NotStated)},
		{hard > 0, fmt.Sprintf("open negatives on this target: %d", hard)},
		{soft > 0, fmt.Sprintf("open negatives from another configuration or not yet settled: %d", soft)},
		{x.ruledOut(), ruled},
		{x.v.Best > x.v.Rung, above},
		{true, "highest rung with fresh, matching support: " + x.v.Rung.Words()},
	}
	return upToFirst(rows, x.v.State)
}

// labelRows says how the label was found from the state.
func (x *explainer) labelRows() []Check {
	met := fmt.Sprintf("met: required %s, rung now %s", x.f.Required.Words(), x.v.Rung.Words())
	if !x.v.Met {
		met = "not " + met
	}
	carried := "acceptance in force that covers every open record: "
	if len(x.v.Hard)+len(x.v.Soft) == 0 {
		carried = "acceptance in force that covers the shortfall: "
	}
	if x.v.Acceptance != "" {
		carried += x.v.Acceptance
	} else {
		carried += "none"
	}
	return upToFirst([]Check{
		{x.v.Met && x.v.State == LabelStale, "met by what is left, after stronger support has lapsed: " + yesNo(x.v.Met && x.v.State == LabelStale)},
		{x.v.Met, met},
		{x.v.Label == LabelAcceptedRisk, carried},
		{true, "not met and not carried: the state stands"},
	}, x.v.Label)
}

// upToFirst keeps the rows up to the first that holds and names what follows.
func upToFirst(rows []Check, then Label) []Check {
	i := slices.IndexFunc(rows, func(c Check) bool { return c.Holds })
	rows = rows[:i+1]
	rows[i].Text += ", so " + then.Words()
	return rows
}

// docsOnly says whether all open negatives on this target are documents or
// statements.
func (x *explainer) docsOnly() bool {
	for i := range x.e.Against {
		if p := &x.e.Against[i]; p.Open && !p.Soft && p.Kind != KindDocumentation && p.Kind != KindStatement {
			return false
		}
	}
	return true
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
