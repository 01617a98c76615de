package main

import (
	"fmt"
	"io"
	"strings"

	"demarc/store/posture"
)

// mostShown bounds how many problems a terminal shows; --json gives all.
const mostShown = 20

// writeReceipt says in plain words what an import did.
func writeReceipt(out io.Writer, r *posture.Receipt, dryRun bool) error {
	verb := "stored"
	if dryRun {
		verb = "to store"
	}
	w := receiptWriter{}
	fmt.Fprintf(&w, "%s: %d read = %d %s + %d refused\n", r.File, r.Records.Read, r.Records.Stored, verb, r.Records.Refused)
	w.file(r)
	w.moved(r)
	w.problems(r.Problems)
	_, err := io.WriteString(out, w.String())
	return err
}

type receiptWriter struct{ strings.Builder }

func (w *receiptWriter) line(what, format string, args ...any) {
	fmt.Fprintf(w, "  %-10s %s\n", what, fmt.Sprintf(format, args...))
}

func (w *receiptWriter) file(r *posture.Receipt) {
	if r.AlreadyOn != nil {
		w.line("known", "these bytes were imported on %s as run %d; nothing changed", r.AlreadyOn.UTC().Format("2 Jan 2006 15:04 UTC"), r.Run)
	} else if r.Run != 0 {
		w.line("run", "%d", r.Run)
	}
	if r.Format != "" {
		w.line("format", "%s, %s", r.Format, r.Completeness)
	}
	if r.Records.Stored > 0 {
		w.line("outcomes", "%s", outcomeWords(&r.Outcomes))
		w.line("mapped", "%d, unmapped %d", r.Mapped, r.Unmapped)
		w.line("runtime", "%s", runtimeWords(r))
		w.line("identity", "%s", identityWords(r.Identity))
	}
	if r.Redacted > 0 {
		w.line("redacted", "%d", r.Redacted)
	}
	if r.SHA256 != "" {
		w.line("received", "sha256:%s", r.SHA256)
	}
	if r.StoredSHA256 != "" {
		w.line("kept as", "sha256:%s", r.StoredSHA256)
	}
}

func (w *receiptWriter) moved(r *posture.Receipt) {
	for _, m := range r.Moved {
		w.line("moved", "%s at %s: %s → %s, because %s", m.Statement, m.On, words(m.From), words(m.To), m.Because)
	}
	for _, group := range []struct {
		what string
		list []string
	}{{"not moved", r.Unmoved}, {"proved", r.Proved}, {"not proved", r.NotProved}} {
		for _, text := range group.list {
			w.line(group.what, "%s", text)
		}
	}
	for _, id := range r.Discrepancies {
		w.line("opened", "discrepancy D-%d", id)
	}
}

// problems shows what was said of many records once.
func (w *receiptWriter) problems(list []posture.Problem) {
	type said struct{ severity, what string }
	count := map[said]int{}
	var first []posture.Problem
	for _, p := range list {
		key := said{p.Severity, p.What}
		if count[key]++; count[key] == 1 {
			first = append(first, p)
		}
	}
	for i, p := range first {
		if i == mostShown {
			w.line("", "and %d more; --json gives all", len(first)-i)
			break
		}
		where := ""
		if p.Line > 0 {
			where = fmt.Sprintf("line %d: ", p.Line)
		}
		if n := count[said{p.Severity, p.What}]; n > 1 {
			where = fmt.Sprintf("line %d and %d more: ", p.Line, n-1)
		}
		w.line(p.Severity, "%s%s", where, p.What)
	}
}

func words(label string) string { return strings.ReplaceAll(label, "_", " ") }

func outcomeWords(o *posture.OutcomeCounts) string {
	var parts []string
	for _, c := range []struct {
		n    int
		word string
	}{
		{o.Pass, "pass"},
		{o.Fail, "fail"},
		{o.Error, "error"},
		{o.Skipped, "skipped"},
		{o.Inconclusive, "inconclusive"},
		{o.Incomplete, "incomplete"},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	return strings.Join(parts, ", ")
}

func runtimeWords(r *posture.Receipt) string {
	switch {
	case r.Runtime == "":
		return "none named: unattributed, reaches no cell"
	case !r.Attributed:
		return r.Runtime + ", unattributed: reaches no cell"
	default:
		return r.Runtime
	}
}

func identityWords(id map[string]string) string {
	var parts []string
	for _, f := range posture.Facets() {
		if v := id[f.String()]; v != "" {
			parts = append(parts, f.String()+" "+v)
		}
	}
	if len(parts) == 0 {
		return "not stated"
	}
	return strings.Join(parts, ", ")
}
