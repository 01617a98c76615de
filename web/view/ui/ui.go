// Package ui holds the pieces that every page is made of, in the language of
// the product's look: verdict marks, dates, digests, tables, tabs, filters,
// banners and form fields. They are pure: typed values in, HTML out, no style
// attribute and no script.
package ui

import "strings"

func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

// Sentence upper-cases the first letter: "risk owner" to "Risk owner".
func Sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// Action is a link drawn as a button. At most one action of a view is Go, the
// filled one.
type Action struct {
	Text string
	Href string
	Go   bool
	// Icon is a symbol without its "i-", such as "upload"; empty for none.
	Icon string
}

func (a Action) class() string {
	if a.Go {
		return "btn go"
	}
	return "btn"
}

// Link is text that leads somewhere; an empty Href is plain text.
type Link struct {
	Text string
	Href string
}

// Count writes a number with its thousands parted: "1,204".
func Count(n int) string { return grouped(n) }

// Bounded writes a count that was not counted past limit: "10,000+".
func Bounded(n, limit int) string {
	if n >= limit {
		return grouped(limit) + "+"
	}
	return grouped(n)
}

// Plural writes a number with its noun: "1 field", "2 fields".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}
