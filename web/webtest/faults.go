package webtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"demarc/static"
)

// Faults lists where a page breaks what all pages promise: no style attribute,
// no inline script, one heading of the first level, ids that are unique and
// exist where something refers to them, glyphs that are in the sprite, and
// nothing loaded from elsewhere.
func Faults(doc *goquery.Document) []string {
	var out []string
	fault := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if n := doc.Find("h1").Length(); n != 1 {
		fault("%d headings of the first level, want 1", n)
	}
	if strings.TrimSpace(doc.Find("title").Text()) == "" {
		fault("no title")
	}
	if n := doc.Find("[style], style").Length(); n > 0 {
		fault("%d style attributes or elements", n)
	}
	if n := doc.Find("script:not([src])").Length(); n > 0 {
		fault("%d inline scripts", n)
	}
	ids := map[string]int{}
	doc.Find("[id]").Each(func(_ int, s *goquery.Selection) { ids[s.AttrOr("id", "")]++ })
	for id, n := range ids {
		if n > 1 {
			fault("id %q stands %d times", id, n)
		}
	}
	doc.Find("*").Each(func(_ int, s *goquery.Selection) { out = append(out, elementFaults(s, ids)...) })
	return out
}

// references are the attributes that name ids of the same page.
var references = [...]string{"for", "aria-labelledby", "aria-describedby", "popovertarget", "aria-controls", "data-copy"}

func elementFaults(s *goquery.Selection, ids map[string]int) []string {
	var out []string
	name := goquery.NodeName(s)
	for _, a := range s.Nodes[0].Attr {
		switch {
		case strings.HasPrefix(a.Key, "on"):
			out = append(out, fmt.Sprintf("<%s> has an inline %s", name, a.Key))
		case slices.Contains(references[:], a.Key):
			for id := range strings.FieldsSeq(a.Val) {
				if ids[id] == 0 {
					out = append(out, fmt.Sprintf("<%s %s=%q> names no element", name, a.Key, id))
				}
			}
		case name == "use" && a.Key == "href":
			out = append(out, glyphFaults(a.Val)...)
		case (a.Key == "src" || (name == "link" && a.Key == "href")) && !strings.HasPrefix(a.Val, static.Prefix):
			out = append(out, fmt.Sprintf("<%s> loads %q", name, a.Val))
		case name == "a" && a.Key == "href" && strings.HasPrefix(a.Val, "#"):
			if ids[strings.TrimPrefix(a.Val, "#")] == 0 {
				out = append(out, fmt.Sprintf("link to %q leads nowhere", a.Val))
			}
		}
	}
	return out
}

func glyphFaults(href string) []string {
	file, name, found := strings.Cut(href, "#")
	if !found || (file != "" && file != static.URL("symbols.svg")) {
		return []string{fmt.Sprintf("glyph at %q", href)}
	}
	if file != "" && !slices.Contains(static.Glyphs(), name) {
		return []string{fmt.Sprintf("no glyph %q in the sprite", name)}
	}
	return nil
}
