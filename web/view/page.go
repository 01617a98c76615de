// Package view holds the pages: templ components with their view models, one
// page a file. It is pure: handlers fill the models, nothing here reads a
// store or a clock.
package view

import (
	"net/url"
	"time"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// Crumb is one step of the way back up; the last has no Href.
type Crumb = ui.Link

// NavCounts are the counts that stand in the bar.
type NavCounts struct {
	// Discrepancies are the open ones in the reader's portfolios.
	Discrepancies int
}

// Footer says what the page was judged with.
type Footer struct {
	JudgedAt time.Time
	// Library and Policy are versions, such as "2026.11" and "7".
	Library string
	Policy  string
}

// Page is what every page of the product carries around its own content.
type Page struct {
	// Title names the page in the browser; Section is the Text of the entry of
	// the bar that is marked, empty for none.
	Title   string
	Section string
	Crumbs  []Crumb
	Person  posture.Person
	Nav     NavCounts
	AsOf    posture.AsOf
	Now     time.Time
	// Path and Query are the address read, Query without its question mark.
	Path  string
	Query string
	// Theme is "light", "dark" or "" for the system's.
	Theme string
	// Flash is what the last change did, shown once.
	Flash  string
	Footer Footer
	// Timeless says that the page shows today whatever day is asked for.
	Timeless bool
}

// Place is one entry of the bar.
type Place struct {
	Text string
	Path string
}

// Places are the entries of the bar that the person may open.
func (p Page) Places() []Place {
	places := []Place{
		{"Overview", "/"},
		{"Runtimes", "/runtimes"},
		{"Dependencies", "/dependencies"},
		{"Evidence", "/evidence"},
		{"Discrepancies", "/discrepancies"},
		{"Vendors", "/vendors"},
	}
	switch p.Person.Role {
	case posture.Admin:
		places = append(places, Place{"Admin", "/admin/people"})
	case posture.Auditor:
		places = append(places, Place{"Admin", "/admin/audit"})
	case posture.Viewer, posture.Editor, posture.Procurement, posture.RiskOwner:
	}
	return places
}

// Link gives an address of the product that keeps the day read at. The address
// may carry a query and a fragment of its own.
func (p Page) Link(address string) string {
	if !p.AsOf.Past {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	q := u.Query()
	for _, pair := range p.asOfPairs() {
		q.Set(pair.name, pair.value)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// With gives this page's address with one parameter of the query set, or
// dropped where value is empty. The keyset of a list is dropped with every
// change.
func (p Page) With(name, value string) string {
	q := p.query()
	q.Del("after")
	q.Del("before")
	if value == "" {
		q.Del(name)
	} else {
		q.Set(name, value)
	}
	return address(p.Path, q)
}

// Today gives this page's address read at today.
func (p Page) Today() string {
	q := p.query()
	q.Del("as_of")
	q.Del("known")
	return address(p.Path, q)
}

// here gives this page's address as it was read.
func (p Page) here() string { return address(p.Path, p.query()) }

func (p Page) query() url.Values {
	q, err := url.ParseQuery(p.Query)
	if err != nil {
		return url.Values{}
	}
	return q
}

type pair struct{ name, value string }

// kept lists the parameters that the as-of form carries along; the
// keyset of a list is another day's.
func (p Page) kept() []pair {
	q := p.query()
	var out []pair
	for _, name := range sortedKeys(q) {
		switch name {
		case "as_of", "known", "after", "before":
			continue
		}
		for _, v := range q[name] {
			out = append(out, pair{name, v})
		}
	}
	return out
}

// asOfPairs are the parameters that keep the day read at.
func (p Page) asOfPairs() []pair {
	if !p.AsOf.Past {
		return nil
	}
	out := []pair{{"as_of", dayParam(p.AsOf.At)}}
	if !p.AsOf.Known.IsZero() {
		out = append(out, pair{"known", dayParam(p.AsOf.Known)})
	}
	return out
}

func dayParam(t time.Time) string { return t.UTC().Format(time.DateOnly) }

func address(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

func (p Page) asOfWords() string {
	if p.AsOf.Past {
		return ui.Day(p.AsOf.At)
	}
	return "Today"
}

// asksForDay says whether the address names a day, readable or not.
func (p Page) asksForDay() bool {
	q := p.query()
	return q.Has("as_of") || q.Has("known")
}
