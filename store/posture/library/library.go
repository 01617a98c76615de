// Package library is the shipped knowledge that Demarc judges by: boundary
// statements, dimensions, requirement profiles, test scenarios, procurement
// questions, release statuses and the default policy, as embedded JSON files
// (model.md §1.3, §2.1, §4, §5).
//
// Ids stand prefixed in the files ("st:FS-1", "scn:XS-01", "q:27") and bare in
// Go. Names of rungs, sides and kinds are the stored names of package posture,
// which imports this one and parses them.
package library

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Version is the edition of the library; verdicts and reports carry it.
const Version = "2026.11"

//go:embed *.json
var files embed.FS

// Statement is a boundary written as one checkable sentence (model.md §2.1).
type Statement struct {
	ID        string `json:"id"`
	Dimension string `json:"dimension"`
	// Subject says who: "a session", "support".
	Subject string `json:"subject"`
	// Text begins with "must not".
	Text string `json:"text"`
	// Duty marks the three that are duties rather than prohibitions: their
	// permit side is the main case.
	Duty bool `json:"duty"`
	// Judged is the kind of subject it hangs on: "unit", "receiver" or "either"
	// (DESIGN.md §13). JudgedOn says it in words.
	Judged   string `json:"judged"`
	JudgedOn string `json:"judged_on"`
}

// Sentence gives the statement whole: "A session must not …".
func (s *Statement) Sentence() string {
	return strings.ToUpper(s.Subject[:1]) + s.Subject[1:] + " " + s.Text
}

// JudgedAt says whether the statement may be judged on a subject of this kind,
// "unit" or "receiver".
func (s *Statement) JudgedAt(kind string) bool { return s.Judged == "either" || s.Judged == kind }

// Dimension is one of the seven boundary dimensions and four facets
// (model.md §1.3).
type Dimension struct {
	Code string `json:"code"`
	Name string `json:"name"`
	// Short fits a matrix head.
	Short string `json:"short"`
	// Column is "execution" or "receivers"; the two never merge.
	Column   string `json:"column"`
	JudgedOn string `json:"judged_on"`
	// About lists what the name does not say; often empty.
	About string `json:"about"`
}

// Profile is a ready set of requirements (DESIGN.md §13).
type Profile struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// About says for whom it is and why these statements.
	About string `json:"about"`
	// Reason is what each requirement made from it gives as its reason.
	Reason string `json:"reason"`
	// Rung is the required rung.
	Rung       string   `json:"rung"`
	Statements []string `json:"statements"`
}

// Covers says whether the profile requires a statement of the dimension.
func (p *Profile) Covers(dimension string) bool {
	return slices.ContainsFunc(p.Statements, func(id string) bool { return strings.HasPrefix(id, dimension+"-") })
}

// Scenario is a boundary test to run (model.md §4).
type Scenario struct {
	ID     string `json:"id"`
	Family string `json:"family"`
	Intent string `json:"intent"`
	// Permit and Deny share a surface and differ in entitlement only; Deny is
	// empty where a scenario has the permit side alone.
	Permit string `json:"permit"`
	Deny   string `json:"deny"`
	// Expected is the result of the main case. Main is "deny", "permit" or
	// "both".
	Expected string `json:"expected"`
	Main     string `json:"main"`
	// Statements are those that its results are evidence for.
	Statements []string `json:"evidence_for"`
	// NotShown is what its results are especially likely to be over-read as.
	NotShown string `json:"not_shown"`
	// FirstReview marks the minimum set of twelve.
	FirstReview bool `json:"first_review"`
}

// Question is a question to a vendor (model.md §5.2, §5.3).
type Question struct {
	ID string `json:"id"`
	// Section is "dimension" or "topic"; Topic its heading. Dimension is the
	// code the topic belongs to, empty where it belongs to none.
	Section   string `json:"section"`
	Topic     string `json:"topic"`
	Dimension string `json:"dimension"`
	Text      string `json:"text"`
	// Adequate is what an adequate answer contains, Warning a bad sign.
	Adequate string `json:"adequate"`
	Warning  string `json:"warning"`
}

// Status is a normalised release status (model.md §5.4).
type Status struct {
	ID    string `json:"id"`
	Words string `json:"words"`
	// Test is how to tell it by the vendor's terms; Named how vendors call it.
	Test  string `json:"test"`
	Named string `json:"named"`
	// Branch is "rising" with a Rank from 1 (announced to beta) to 4 (GA),
	// "ending" or "unknown"; Rank is 0 outside the rising branch.
	Branch string `json:"branch"`
	Rank   int    `json:"rank"`
	PreGA  bool   `json:"pre_ga"`
	// CheckDays is the interval of re-verification; 0 means due now.
	// ContractCheckDays holds for contract-backed facts, CheckDaysNearEnd within
	// NearEndDays of the end date; 0 where CheckDays holds.
	CheckDays         int `json:"check_days"`
	ContractCheckDays int `json:"contract_check_days"`
	CheckDaysNearEnd  int `json:"check_days_near_end"`
	NearEndDays       int `json:"near_end_days"`
}

// Policy is the default policy: windows, caps and due days in days, by stored
// name; facets by kind of evidence, with more for a dimension or a statement.
type Policy struct {
	Version           int                 `json:"version"`
	About             string              `json:"about"`
	WindowsDays       map[string]int      `json:"windows_days"`
	AcceptanceCapDays map[string]int      `json:"acceptance_cap_days"`
	DueDays           map[string]int      `json:"due_days"`
	Facets            map[string][]string `json:"facets"`
	MoreFacets        map[string][]string `json:"more_facets"`
	RequiredRung      map[string]string   `json:"required_rung"`
}

// Library is the whole, read once and never changed. What its methods give
// must not be changed either.
type Library struct {
	statements []Statement
	dimensions []Dimension
	profiles   []Profile
	scenarios  []Scenario
	questions  []Question
	statuses   []Status
	policy     Policy
	// byStatement lists the scenarios of a statement.
	byStatement map[string][]Scenario
}

var load = sync.OnceValues(read)

// Load gives the embedded library. It fails only when the files were built
// wrong, which a test would have seen.
func Load() (*Library, error) { return load() }

// Must is Load for callers that cannot answer an error: it panics where Load
// fails.
func Must() *Library {
	l, err := load()
	if err != nil {
		panic(err)
	}
	return l
}

func read() (*Library, error) {
	l := &Library{byStatement: map[string][]Scenario{}}
	var s struct{ Statements []Statement }
	var d struct{ Dimensions []Dimension }
	var p struct{ Profiles []Profile }
	var c struct{ Scenarios []Scenario }
	var q struct{ Questions []Question }
	var u struct{ Statuses []Status }
	for name, to := range map[string]any{
		"statements": &s, "dimensions": &d, "profiles": &p, "scenarios": &c, "questions": &q, "statuses": &u, "policy": &l.policy,
	} {
		text, err := files.ReadFile(name + ".json")
		if err != nil {
			return nil, fmt.Errorf("library: %w", err)
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(to); err != nil {
			return nil, fmt.Errorf("library: %s.json: %w", name, err)
		}
	}
	l.statements, l.dimensions, l.profiles = s.Statements, d.Dimensions, p.Profiles
	l.scenarios, l.questions, l.statuses = c.Scenarios, q.Questions, u.Statuses
	if err := l.strip(); err != nil {
		return nil, fmt.Errorf("library: %w", err)
	}
	for _, c := range l.scenarios {
		for _, id := range c.Statements {
			l.byStatement[id] = append(l.byStatement[id], c)
		}
	}
	return l, nil
}

// strip takes the prefixes off all ids.
func (l *Library) strip() error {
	var bad []string
	bare := func(prefix string, ids ...*string) {
		for _, id := range ids {
			rest, found := strings.CutPrefix(*id, prefix)
			if !found {
				bad = append(bad, fmt.Sprintf("%q lacks %q", *id, prefix))
			}
			*id = rest
		}
	}
	list := func(ids []string) {
		for i := range ids {
			bare("st:", &ids[i])
		}
	}
	for i := range l.statements {
		bare("st:", &l.statements[i].ID)
	}
	for i := range l.profiles {
		list(l.profiles[i].Statements)
	}
	for i := range l.scenarios {
		bare("scn:", &l.scenarios[i].ID)
		list(l.scenarios[i].Statements)
	}
	for i := range l.questions {
		bare("q:", &l.questions[i].ID)
	}
	if bad != nil {
		return fmt.Errorf("ids: %s", strings.Join(bad, ", "))
	}
	return nil
}
