package view

import (
	"strconv"
	"time"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// Tokens are the tokens of programs, with the form of a new one.
type Tokens struct {
	Rows []posture.Token
	// Makers are names of people by their actor, such as "person:12".
	Makers map[string]string
	// Name, Role and Days are what was typed.
	Name   string
	Role   string
	Days   string
	Errors ui.Errors
}

// MostTokenDays bounds a token's life.
const MostTokenDays = 366

// TokenRoles are the roles that a token may have, the least first: an
// administrator is always a person.
func TokenRoles() []string {
	var names []string
	for _, r := range posture.Roles() {
		if r != posture.Admin {
			names = append(names, r.String())
		}
	}
	return names
}

func (m *Tokens) roleField() ui.Field {
	f := ui.Field{
		Name: "role", Label: "Role", Value: m.Role, Error: m.Errors.Of("role"),
		Hint: "The least that does the work: a viewer reads, an editor imports and records.",
	}
	for _, r := range posture.Roles() {
		if r != posture.Admin {
			f.Options = append(f.Options, ui.Option{Value: r.String(), Text: r.Words()})
		}
	}
	return f
}

func (m *Tokens) daysField() ui.Field {
	value := m.Days
	if value == "" {
		value = "90"
	}
	return ui.Field{
		Name: "days", Label: "Days until it expires", Type: "number", Value: value, Required: true, Error: m.Errors.Of("days"),
		Hint: "1 to " + strconv.Itoa(MostTokenDays) + ".",
	}
}

// inForce says whether a token opens anything at an instant.
func inForce(t *posture.Token, now time.Time) bool {
	return t.RevokedAt.IsZero() && t.ExpiresAt.After(now)
}

func tokenPath(t *posture.Token) string { return "/admin/tokens/" + strconv.FormatInt(t.ID, 10) }

func tokenDialog(t *posture.Token) string { return "revoke-" + strconv.FormatInt(t.ID, 10) }
