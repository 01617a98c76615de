package view

import (
	"slices"
	"strconv"
	"strings"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// PersonModel is the form of an account; a zero ID makes a new one.
type PersonModel struct {
	posture.Person
	// All are the portfolios to choose from.
	All    []posture.Portfolio
	Errors ui.Errors
}

func (m PersonModel) action() string {
	if m.ID == 0 {
		return "/admin/people"
	}
	return personPath(m.ID)
}

func personPath(id int64) string { return "/admin/people/" + strconv.FormatInt(id, 10) }

func roleOptions() []ui.Option {
	var out []ui.Option
	for _, r := range posture.Roles() {
		out = append(out, ui.Option{Value: r.String(), Text: ui.Sentence(r.Words()) + ": " + roleMeans[r]})
	}
	return out
}

// roleMeans says what each role may do, as posture.Access allows it.
var roleMeans = map[posture.Role]string{
	posture.Viewer:      "reads",
	posture.Editor:      "describes runtimes and records evidence",
	posture.Procurement: "records what vendors say and document",
	posture.RiskOwner:   "rules on discrepancies and accepts risk",
	posture.Admin:       "edits everything but risk, manages people",
	posture.Auditor:     "reads everything and the audit log",
}

func portfolioOptions(all []posture.Portfolio) []ui.Option {
	var out []ui.Option
	for _, p := range all {
		out = append(out, ui.Option{Value: strconv.FormatInt(p.ID, 10), Text: p.Name})
	}
	return out
}

func ids(list []int64) []string {
	var out []string
	for _, id := range list {
		out = append(out, strconv.FormatInt(id, 10))
	}
	return out
}

func reachOf(p posture.Person) string {
	if p.AllPortfolios {
		return "all"
	}
	return "some"
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// reachWords names the portfolios in a person's reach.
func reachWords(p posture.Person, all []posture.Portfolio) string {
	if p.AllPortfolios {
		return "all portfolios"
	}
	var names []string
	for _, f := range all {
		if slices.Contains(p.Portfolios, f.ID) {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// personMerge puts three versions of an account side by side, field by field.
func personMerge(began, now posture.Person, mine PersonModel) []ui.MergeRow {
	state := func(p posture.Person) string {
		if p.Active {
			return "active"
		}
		return "not active"
	}
	row := func(field, label string, value, words func(posture.Person) string) ui.MergeRow {
		return ui.MergeRow{
			Field: field, Label: label,
			Began: words(began), Theirs: words(now), Mine: words(mine.Person),
			TheirsValue: value(now), MineValue: value(mine.Person),
		}
	}
	role := func(p posture.Person) string { return p.Role.String() }
	name := func(p posture.Person) string { return p.Name }
	email := func(p posture.Person) string { return p.Email }
	reach := func(p posture.Person) string { return reachWords(p, mine.All) }
	return []ui.MergeRow{
		row("name", "Name", name, name),
		row("email", "E-mail", email, email),
		row("role", "Role", role, func(p posture.Person) string { return p.Role.Words() }),
		row("portfolios", "Portfolios", reachValue, reach),
		row("active", "Account", func(p posture.Person) string { return yesNo(p.Active) }, state),
	}
}

// reachValue is a person's reach as one field carries it: "all" or ids parted
// by commas.
func reachValue(p posture.Person) string {
	if p.AllPortfolios {
		return "all"
	}
	return strings.Join(ids(p.Portfolios), ",")
}
