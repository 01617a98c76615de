package view

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view/ui"
)

// Vendor is one system of the catalogue with its claims.
type Vendor struct {
	System posture.CatalogueSystem
	// MayUse says whether the reader may describe a runtime on it.
	MayUse bool

	topics []claimTopic
	pairs  []claimPair
	// execution and receivers are the library's statements in the two columns,
	// each with the claims that bear on it.
	execution []borneOn
	receivers []borneOn
	questions map[int]string
	oldest    time.Time
	// undated counts the claims whose copy and page carry no date.
	undated int
}

// claimTopic is a topic with its claims by dimension.
type claimTopic struct {
	code   string
	title  string
	note   string
	groups []claimGroup
	total  int
}

type claimGroup struct {
	title  string
	claims []posture.CatalogueClaim
}

// claimPair is two claims that say otherwise of one another.
type claimPair struct{ a, b posture.CatalogueClaim }

// borneOn is a statement with the claims that bear on it.
type borneOn struct {
	statement library.Statement
	supports  []string
	contrary  []string
}

// claimTopics are the topics in the order of the page, with what each is about.
var claimTopics = [...]claimTopic{
	{code: "isolation", title: "Isolation", note: "what keeps one session from another, and by what"},
	{code: "shared", title: "Shared", note: "what stays shared between sessions, tenants or customers"},
	{code: "lifecycle", title: "Lifecycle", note: "what happens at pause, stop, resume and deletion"},
	{code: "retention", title: "Retention", note: "what is kept, where and for how long"},
	{code: "shared_responsibility", title: "Shared responsibility", note: "what the customer has to do"},
	{code: "release_status", title: "Release status", note: "the source’s own label in quotes beside the normalised word"},
}

// claimDimensions are the dimensions in the catalogue's words, in the order of
// the posture matrix.
var claimDimensions = [...]string{"process", "filesystem", "memory", "network", "credentials", "application_data", "tools", "none"}

// NewVendor arranges a system's claims by topic and dimension, pairs those that
// contradict one another and counts them by the statement they bear on.
func NewVendor(system posture.CatalogueSystem, lib *library.Library) Vendor {
	m := Vendor{System: system, questions: map[int]string{}}
	byID := make(map[string]posture.CatalogueClaim, len(system.Claims))
	for _, c := range system.Claims {
		byID[c.ID] = c
		if m.oldest.IsZero() || c.SeenOn.Before(m.oldest) {
			m.oldest = c.SeenOn
		}
		if c.SeenBasis == "collected_on" {
			m.undated++
		}
		if q, ok := lib.Question(strconv.Itoa(c.Question)); ok {
			m.questions[c.Question] = q.Text
		}
	}
	for _, t := range claimTopics {
		t.groups, t.total = claimGroups(system.Claims, t.code)
		if t.total > 0 {
			m.topics = append(m.topics, t)
		}
	}
	for _, c := range system.Claims {
		for _, other := range c.Contradicts {
			if o, ok := byID[other]; ok && c.ID < other {
				m.pairs = append(m.pairs, claimPair{c, o})
			}
		}
	}
	for _, st := range lib.Statements() {
		b := borne(st, system.Claims)
		if d, ok := lib.Dimension(st.Dimension); ok && d.Column == "receivers" {
			m.receivers = append(m.receivers, b)
		} else {
			m.execution = append(m.execution, b)
		}
	}
	return m
}

func claimGroups(claims []posture.CatalogueClaim, topic string) (groups []claimGroup, total int) {
	for _, dimension := range claimDimensions {
		g := claimGroup{title: claimDimensionWords(dimension)}
		for _, c := range claims {
			if c.Topic == topic && c.Dimension == dimension {
				g.claims = append(g.claims, c)
			}
		}
		if len(g.claims) > 0 {
			groups = append(groups, g)
			total += len(g.claims)
		}
	}
	return groups, total
}

func claimDimensionWords(dimension string) string {
	if dimension == "none" {
		return "About no single boundary"
	}
	return ui.Sentence(wordsOf(dimension))
}

func borne(st library.Statement, claims []posture.CatalogueClaim) borneOn {
	b := borneOn{statement: st}
	for _, c := range claims {
		for _, on := range c.BearsOn {
			switch {
			case on.Statement != st.ID || !c.Stated:
			case on.Polarity == posture.Contradicts:
				b.contrary = append(b.contrary, c.ID)
			default:
				b.supports = append(b.supports, c.ID)
			}
		}
	}
	return b
}

func anyBorne(rows []borneOn) bool {
	return slices.ContainsFunc(rows, func(b borneOn) bool { return len(b.supports)+len(b.contrary) > 0 })
}

// deployable says whether a runtime can be described on the system: a shared
// service or a text of guidance is none.
func (m *Vendor) deployable() bool {
	return m.System.Kind != "component" && m.System.Kind != "guidance"
}

// claimAnchor is the id of a claim's row on its system's page.
func claimAnchor(id string) string {
	_, slug, _ := strings.Cut(id, ".")
	return "claim-" + slug
}

// newRuntimePath is the form of a runtime on the system.
func newRuntimePath(id string) string { return "/runtimes/new?system=" + url.QueryEscape(id) }

func (m *Vendor) sub() string {
	s := &m.System
	parts := []string{s.Vendor, s.Product, variantWords(s.Variant), s.Kind, wordsOf(s.Category)}
	if s.Product == s.Name {
		parts = slices.Delete(parts, 1, 2)
	}
	if len(s.Aliases) > 0 {
		parts = append(parts, "also called "+strings.Join(s.Aliases, ", "))
	}
	return strings.Join(parts, " · ")
}

// counts says how many claims there are and from when to when they were seen.
func (m *Vendor) counts(at time.Time) string {
	s := &m.System
	text := ui.Plural(s.Stated+s.Unstated, "claim", "claims") + " = " + ui.Count(s.Stated) + " stated + " + ui.Count(s.Unstated) + " not stated"
	if m.oldest.IsZero() {
		return text + "."
	}
	text += ", seen from " + ui.Day(m.oldest) + " (" + ui.Age(m.oldest, at) + ") to " + ui.Day(s.SeenOn) + " (" + ui.Age(s.SeenOn, at) + ")"
	if m.undated > 0 {
		text += "; " + ui.Count(m.undated) + " of them carry no date of their own and stand with the day the catalogue was collected"
	}
	return text + "."
}

// host is the machine that a source's address names.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// seenBasis says what the date of a claim rests on.
func seenBasis(c *posture.CatalogueClaim) string {
	switch c.SeenBasis {
	case "copy_date":
		if c.PageDate == "" {
			return "day of the copy read; the page carries no date"
		}
		return "day of the copy read; page dated " + c.PageDate
	case "page_date":
		return "page dated " + c.PageDate + "; the copy carries no date"
	default:
		return "day the catalogue was collected; neither page nor copy carries a date"
	}
}

var readAs = map[string]string{
	"full_page":  "page read in full",
	"excerpt":    "beginning of the page read only",
	"git_mirror": "read in the project’s repository",
	"quoted":     "seen only as quoted by somebody else",
}

// readWords says how a claim was read; an excerpt's silence is not the page's.
func readWords(c *posture.CatalogueClaim) string {
	words := readAs[c.ReadAs]
	if words == "" {
		words = "read as " + wordsOf(c.ReadAs)
	}
	if c.ReadAs == "excerpt" && !c.Stated {
		words = "excerpt: not stated means not in the part read"
	}
	return words + ", confidence " + c.Confidence
}

var speakers = map[string]string{
	"vendor":      "the vendor’s own word",
	"third_party": "a third party’s word",
	"standard":    "a standard’s word",
}

func speaker(kind string) string {
	if words, ok := speakers[kind]; ok {
		return words
	}
	return wordsOf(kind)
}

// evidenceWords says as what a claim would be recorded.
func evidenceWords(c *posture.CatalogueClaim) string {
	switch {
	case !c.Stated:
		return "a question to the vendor, no evidence"
	case c.EvidenceKind == "none":
		return "bears on no statement"
	default:
		return "would be recorded as a " + kindNoun(c.EvidenceKind)
	}
}

func kindNoun(kind string) string {
	if kind == "documentation" {
		return "documentation record"
	}
	return kind
}
