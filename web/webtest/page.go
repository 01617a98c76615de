package webtest

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// Page is one answer.
type Page struct {
	// Path is what was asked for; Code and Header what came back.
	Path   string
	Code   int
	Header http.Header
	Body   string
	// Doc is the document of an HTML page, nil for anything else.
	Doc *goquery.Document

	client *Client
	t      testing.TB
}

func newPage(c *Client, r *http.Request, resp *http.Response, body []byte) *Page {
	c.t.Helper()
	p := &Page{Path: r.URL.RequestURI(), Code: resp.StatusCode, Header: resp.Header, Body: string(body), client: c, t: c.t}
	isPage := strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") && resp.Header.Get("Content-Encoding") == ""
	if !isPage || len(body) == 0 {
		return p
	}
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(body))
	if err != nil {
		c.t.Fatalf("%s: %v", p.Path, err)
	}
	p.Doc = doc
	for _, fault := range Faults(doc) {
		c.t.Errorf("%s: %s", p.Path, fault)
	}
	return p
}

// Status fails the test unless the answer has the status. It gives the page
// back, for chaining.
func (p *Page) Status(want int) *Page {
	p.t.Helper()
	if p.Code != want {
		p.t.Fatalf("%s: status %d, want %d\n%s", p.Path, p.Code, want, excerpt(p.Body))
	}
	return p
}

// Follow reads the address that a redirect leads to, once.
func (p *Page) Follow() *Page {
	p.t.Helper()
	location := p.Header.Get("Location")
	if p.Code != http.StatusSeeOther || location == "" {
		p.t.Fatalf("%s: status %d leads nowhere\n%s", p.Path, p.Code, excerpt(p.Body))
	}
	return p.client.Get(location)
}

// Has fails the test unless the selector matches something.
func (p *Page) Has(selector string) *Page {
	p.t.Helper()
	if p.find(selector).Length() == 0 {
		p.t.Errorf("%s: nothing matches %q\n%s", p.Path, selector, excerpt(p.Body))
	}
	return p
}

// HasNot fails the test if the selector matches anything.
func (p *Page) HasNot(selector string) *Page {
	p.t.Helper()
	if found := p.find(selector); found.Length() > 0 {
		p.t.Errorf("%s: %q matches %q", p.Path, selector, words(found.First().Text()))
	}
	return p
}

// Text gives the text of the first match, spaces collapsed.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	found := p.find(selector)
	if found.Length() == 0 {
		p.t.Errorf("%s: nothing matches %q\n%s", p.Path, selector, excerpt(p.Body))
		return ""
	}
	return words(found.First().Text())
}

// Texts gives the text of every match, spaces collapsed.
func (p *Page) Texts(selector string) []string {
	p.t.Helper()
	return p.find(selector).Map(func(_ int, s *goquery.Selection) string { return words(s.Text()) })
}

// Says fails the test unless the text of the first match holds the words.
func (p *Page) Says(selector, text string) *Page {
	p.t.Helper()
	if got := p.Text(selector); !strings.Contains(got, text) {
		p.t.Errorf("%s: %q says %q, want %q", p.Path, selector, got, text)
	}
	return p
}

// Attr gives an attribute of the first match.
func (p *Page) Attr(selector, name string) string {
	p.t.Helper()
	value, found := p.find(selector).First().Attr(name)
	if !found {
		p.t.Errorf("%s: %q has no %s\n%s", p.Path, selector, name, excerpt(p.Body))
	}
	return value
}

// Submit sends the form that the selector finds, in the main part of the page
// before the bar, as it stands but for the changes; a changed field with no
// value is left out.
func (p *Page) Submit(form string, changes url.Values) *Page {
	p.t.Helper()
	found := p.find("main").Find(form).First()
	if found.Length() == 0 {
		found = p.find(form).First()
	}
	if found.Length() == 0 {
		p.t.Fatalf("%s: no form %q\n%s", p.Path, form, excerpt(p.Body))
	}
	values := Filled(found)
	for name, v := range changes {
		delete(values, name)
		if len(v) > 0 {
			values[name] = v
		}
	}
	action := found.AttrOr("action", p.Path)
	if strings.EqualFold(found.AttrOr("method", "get"), "post") {
		return p.client.postFrom(p.Path, action, values)
	}
	return p.client.Get(action + "?" + values.Encode())
}

func (p *Page) find(selector string) *goquery.Selection {
	p.t.Helper()
	if p.Doc == nil {
		p.t.Fatalf("%s: no HTML page but %q\n%s", p.Path, p.Header.Get("Content-Type"), excerpt(p.Body))
	}
	return p.Doc.Find(selector)
}

// Filled gives the values that a browser would send with a form as it stands,
// buttons left out.
func Filled(form *goquery.Selection) url.Values {
	values := url.Values{}
	form.Find("input[name], textarea[name], select[name]").Each(func(_ int, s *goquery.Selection) {
		name := s.AttrOr("name", "")
		switch kind := strings.ToLower(s.AttrOr("type", "text")); {
		case goquery.NodeName(s) == "select":
			chosen := s.Find("option[selected]")
			if chosen.Length() == 0 {
				chosen = s.Find("option").First()
			}
			values.Add(name, chosen.AttrOr("value", words(chosen.Text())))
		case goquery.NodeName(s) == "textarea":
			values.Add(name, s.Text())
		case kind == "file" || kind == "submit" || kind == "button":
		case kind == "checkbox" || kind == "radio":
			if _, on := s.Attr("checked"); on {
				values.Add(name, s.AttrOr("value", "on"))
			}
		default:
			values.Add(name, s.AttrOr("value", ""))
		}
	})
	return values
}

func words(s string) string { return strings.Join(strings.Fields(s), " ") }

// excerpt gives the main part of a page, for the messages of failed tests.
func excerpt(body string) string {
	if _, main, found := strings.Cut(body, "<main"); found {
		body = main
	}
	if len(body) > 3000 {
		return body[:3000] + "…"
	}
	return body
}
