package view

import (
	"net/url"
	"time"

	"demarc/store/posture"
)

// History is one page of a subject's history, newest first.
type History struct {
	Events []posture.HistoryEvent
	// Older is the keyset of the next page, empty at the end.
	Older string
}

// NewHistory makes a page of at most size events.
func NewHistory(events []posture.HistoryEvent, size int) History {
	h := History{Events: events}
	if len(events) == size {
		h.Older = events[size-1].At.UTC().Format(time.RFC3339Nano)
	}
	return h
}

func (h History) olderHref(p Page) string {
	if h.Older == "" {
		return ""
	}
	q := p.query()
	q.Set("before", h.Older)
	return address(p.Path, q)
}

// Records is one page of evidence on a tab.
type Records struct {
	Rows []posture.Record
	Next int64
}

// firstPage gives the address of a list's first page, empty when it is shown.
func firstPage(p Page, after string) string {
	if after == "" {
		return ""
	}
	return p.With("after", "")
}

// nextPage gives the address of a list's next page, empty at the end.
func nextPage(p Page, next string) string {
	if next == "" {
		return ""
	}
	return p.With("after", next)
}

var historyKinds = map[string]string{
	"runtime": "description", "component": "description", "target": "target", "requirement": "requirement", "evidence": "evidence",
	"closure": "closure", "acceptance": "acceptance", "ruling": "ruling", "link": "link", "withdrawal": "withdrawal",
	"revocation": "revocation", "verdict": "verdict",
}

func historyKind(kind string) string {
	if words, known := historyKinds[kind]; known {
		return words
	}
	return kind
}

// queryOf makes an address with a query.
func queryOf(path string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return address(path, q)
}
