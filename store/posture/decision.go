package posture

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// JudgedOn says whether a statement is judged on subjects of a kind
// (DESIGN.md §13): PE, FS, ME, NW, CD and LF on units; AD and CP on receivers;
// TL, MS, AC and statements of one's own on either.
func JudgedOn(statement string, kind SubjectKind) bool {
	dimension, _, _ := strings.Cut(statement, "-")
	switch dimension {
	case "PE", "FS", "ME", "NW", "CD", "LF":
		return kind == Unit
	case "AD", "CP":
		return kind == Receiver
	default:
		return true
	}
}

// vague are the words that name no boundary when they stand alone.
var vague = []string{"sandboxed", "sandbox", "isolated", "isolation", "secure", "secured", "security", "safe", "protected"}

// Vague says whether a text is nothing but a word like "sandboxed": it says
// neither kept from whom nor by what (DESIGN.md §13).
func Vague(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && r != '\'' && r != '’'
	})
	said := 0
	for _, w := range words {
		switch {
		case slices.Contains(vague, w):
			said++
		case slices.Contains([]string{"is", "it", "it's", "fully", "completely", "very", "and", "the", "a"}, w):
		default:
			return false
		}
	}
	return said > 0
}

// VagueQuestion answers a vague text.
const VagueQuestion = "Kept from whom, by what? Name who must not reach what, and what stops them."

// Hands are who stands behind a record: the actors that recorded it, with the
// people whose tokens they are, and the tester by name.
type Hands struct {
	Actors []string
	Names  []string
}

// Same says whether one person stands behind both. Names are compared without
// regard to case and spacing; an empty one names nobody.
func (h Hands) Same(o Hands) bool {
	for _, a := range h.Actors {
		if a != "" && slices.Contains(o.Actors, a) {
			return true
		}
	}
	for _, n := range h.Names {
		if SameName(n, o.Names...) {
			return true
		}
	}
	return false
}

// SameName says whether a name is among others, case and spacing aside.
func SameName(name string, others ...string) bool {
	name = plainName(name)
	return name != "" && slices.ContainsFunc(others, func(o string) bool { return plainName(o) == name })
}

func plainName(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}

// Risk looks a severity up in SP 800-30 Table I-2 (model.md §2.12).
func Risk(likelihood, impact Severity) Severity { return riskTable[likelihood][impact] }

var riskTable = [5][5]Severity{
	VeryLow:  {VeryLow, VeryLow, VeryLow, Low, Low},
	Low:      {VeryLow, Low, Low, Low, Moderate},
	Moderate: {VeryLow, Low, Moderate, Moderate, High},
	High:     {VeryLow, Low, Moderate, High, VeryHigh},
	VeryHigh: {VeryLow, Low, Moderate, High, VeryHigh},
}

// Stakes are what a failure at a subject may cost.
type Stakes struct {
	Criticality Criticality
	DataClass   string
	// ManyTenants: the runtime serves several tenants or the component is
	// shared.
	ManyTenants bool
}

// FirstSeverity scores a new discrepancy. Likelihood is high for what was
// seen, moderate for an advisory under investigation. Impact is low for public
// and synthetic data, high for confidential and restricted data or a critical
// subject, else moderate; one level more where several tenants meet; for a
// refusal of permitted access, which discloses nothing, one level less.
func FirstSeverity(e *Evidence, s Stakes) Severity {
	likelihood := High
	if e.Kind == KindIncident && e.Advisory == UnderInvestigation {
		likelihood = Moderate
	}
	impact := Moderate
	switch s.DataClass {
	case "public", "synthetic":
		impact = Low
	case "confidential", "restricted":
		impact = High
	}
	if s.Criticality == CriticalityHigh {
		impact = High
	}
	if s.ManyTenants {
		impact = min(impact+1, VeryHigh)
	}
	if e.OverBlock() {
		impact--
	}
	return Risk(likelihood, impact)
}

// LastAcceptable is the last instant until which a risk of this severity may
// be accepted at now (model.md §2.8).
func (s Severity) LastAcceptable(now time.Time) time.Time { return now.Add(s.AcceptanceCap()) }

// CheckAcceptance says what is wrong with an acceptance by itself: its
// condition, its days and the cap of its severity. All faults at once.
func CheckAcceptance(c *AcceptanceRecord, now time.Time) Fields {
	var faults Fields
	checkText(&faults, "condition", c.Condition, "Write the condition under which the risk is carried.", 2000)
	last := c.Severity.LastAcceptable(now)
	switch {
	case c.ExpiresAt.IsZero():
		faults.Add("expires_at", "Choose the day on which it lapses. The last possible day is "+dayWords(last)+".")
	case !c.ExpiresAt.After(now):
		faults.Add("expires_at", "The day on which it lapses must lie ahead.")
	case c.ExpiresAt.After(last):
		faults.Add("expires_at", fmt.Sprintf("%d days is more than a %s severity allows. The last possible day is %s.",
			daysUp(c.ExpiresAt.Sub(now)), c.Severity.Words(), dayWords(last)))
	}
	switch {
	case c.ReviewAt.IsZero():
		faults.Add("review_at", "Choose the day on which it is reviewed, no later than it lapses.")
	case !c.ReviewAt.After(now):
		faults.Add("review_at", "The review must lie ahead.")
	case !c.ExpiresAt.IsZero() && c.ReviewAt.After(c.ExpiresAt):
		faults.Add("review_at", "The review must not come after the day on which it lapses.")
	}
	return faults
}

// CheckCovers says whether an acceptance names what it must: every open
// negative, or the shortfall when none is open (model.md §2.8).
func CheckCovers(covers []string, shortfall bool, v *Verdict) Fields {
	var faults Fields
	open := v.OpenNegatives()
	if len(open) == 0 {
		switch {
		case v.Met:
			faults.Add("covers", "The requirement is met and nothing is open against it: there is nothing to accept.")
		case len(covers) > 0:
			faults.Add("covers", strings.Join(covers, ", ")+" "+isAre(len(covers))+" not open. Nothing is open here: accept the shortfall instead.")
		case !shortfall:
			faults.Add("shortfall", "Nothing is open against it. Say that the shortfall is what is accepted.")
		}
		return faults
	}
	if left := without(open, covers); len(left) > 0 {
		faults.Add("covers", strings.Join(left, ", ")+" "+isAre(len(left))+" open and not named. An acceptance that leaves one out carries nothing.")
	}
	if extra := without(covers, open); len(extra) > 0 {
		faults.Add("covers", strings.Join(extra, ", ")+" "+isAre(len(extra))+" not open here. Name only what is open.")
	}
	if shortfall {
		faults.Add("shortfall", "Negatives are open: name them. A shortfall can be accepted when none is.")
	}
	return faults
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// UnknownFacets lists the facets of want that an identity does not know.
func UnknownFacets(id *Identity, want FacetSet) []Facet {
	_, unknown := Differing(id, id, want)
	return unknown
}

// RuleFacets are what a ruling and a not-applicable closure are bound to
// (model.md §2.7, §2.8).
func RuleFacets() FacetSet { return ruleFacets }

// CarryFacets are what an acceptance is bound to (model.md §2.8).
func CarryFacets() FacetSet { return carryFacets }

// FacetWords lists facets as a sentence does.
func FacetWords(list []Facet) string {
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = f.String()
	}
	return listWords(names, "and")
}

func listWords(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}

func checkText(faults *Fields, field, text, ask string, most int) {
	switch n := len([]rune(text)); {
	case strings.TrimSpace(text) == "":
		faults.Add(field, ask)
	case n > most:
		faults.Add(field, fmt.Sprintf("Write at most %d characters; these are %d.", most, n))
	case Vague(text):
		faults.Add(field, VagueQuestion)
	}
}

func dayWords(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

// daysUp counts days, a begun one as whole.
func daysUp(d time.Duration) int { return int((d + Day - 1) / Day) }

// Holds says what keeps a statement's verdict where it is, as a clause.
func Holds(statement string, v *Verdict) string {
	label := strings.ReplaceAll(v.Label.String(), "_", " ")
	switch open := v.OpenNegatives(); {
	case len(open) > 0 && v.Acceptance != "":
		return statement + " stays " + label + ", carried by " + v.Acceptance
	case len(open) > 0:
		return statement + " stays " + label + ": " + listWords(open, "and") + " " + isAre(len(open)) + " open against it"
	case v.Lapsed != 0:
		return statement + " stays " + label + ": support " + v.Lapsed.Words()
	default:
		return statement + " stays " + label
	}
}
