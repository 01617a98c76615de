package library

import "strings"

// Statements lists the 35 statements by dimension.
func (l *Library) Statements() []Statement { return l.statements }

// Statement gives a statement by its bare id; false for one's own or unknown
// ids.
func (l *Library) Statement(id string) (Statement, bool) {
	return find(l.statements, func(s *Statement) bool { return s.ID == id })
}

// ByDimension lists the statements of a dimension.
func (l *Library) ByDimension(code string) []Statement {
	var out []Statement
	for _, s := range l.statements {
		if s.Dimension == code {
			out = append(out, s)
		}
	}
	return out
}

// Dimensions lists the eleven dimensions, the execution column first, in the
// order of the posture matrix.
func (l *Library) Dimensions() []Dimension { return l.dimensions }

// Dimension gives a dimension by its code.
func (l *Library) Dimension(code string) (Dimension, bool) {
	return find(l.dimensions, func(d *Dimension) bool { return d.Code == code })
}

// Profiles lists the requirement profiles, the smallest first.
func (l *Library) Profiles() []Profile { return l.profiles }

// Profile gives a profile by its id, such as "first_review".
func (l *Library) Profile(id string) (Profile, bool) {
	return find(l.profiles, func(p *Profile) bool { return p.ID == id })
}

// Scenarios lists the 78 scenarios by family.
func (l *Library) Scenarios() []Scenario { return l.scenarios }

// Scenario gives a scenario by its bare id, such as "XS-01".
func (l *Library) Scenario(id string) (Scenario, bool) {
	return find(l.scenarios, func(s *Scenario) bool { return s.ID == id })
}

// ForStatement lists the scenarios whose results are evidence for a statement.
func (l *Library) ForStatement(id string) []Scenario { return l.byStatement[id] }

// FirstFor gives the scenario of a statement to run first: one of the minimum
// set where there is one; false where the library has none.
func (l *Library) FirstFor(statement string) (Scenario, bool) {
	list := l.byStatement[statement]
	if s, ok := find(list, func(s *Scenario) bool { return s.FirstReview }); ok {
		return s, true
	}
	if len(list) == 0 {
		return Scenario{}, false
	}
	return list[0], true
}

// ScenarioOf gives the scenario that a case id names: "SD-01", "scn:SD-01" and
// "sd-01/header" are cases of SD-01.
func (l *Library) ScenarioOf(caseID string) (Scenario, bool) {
	name := strings.TrimPrefix(strings.ToUpper(caseID), "SCN:")
	return find(l.scenarios, func(s *Scenario) bool {
		rest, found := strings.CutPrefix(name, s.ID)
		return found && (rest == "" || !isWord(rest[0]))
	})
}

func isWord(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// Questions lists the 77 questions in order.
func (l *Library) Questions() []Question { return l.questions }

// Question gives a question by its number, such as "27".
func (l *Library) Question(id string) (Question, bool) {
	return find(l.questions, func(q *Question) bool { return q.ID == id })
}

// Statuses lists the 13 normalised release statuses, unknown last.
func (l *Library) Statuses() []Status { return l.statuses }

// Status gives a release status by its normalised name.
func (l *Library) Status(id string) (Status, bool) {
	return find(l.statuses, func(s *Status) bool { return s.ID == id })
}

// Policy gives the default policy.
func (l *Library) Policy() *Policy { return &l.policy }

func find[T any](list []T, is func(*T) bool) (T, bool) {
	for i := range list {
		if is(&list[i]) {
			return list[i], true
		}
	}
	var none T
	return none, false
}
