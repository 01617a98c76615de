package view

import (
	"strconv"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// problemSaid is a problem with how many records it was said of.
type problemSaid struct {
	posture.Problem
	more int
}

// problemsOnce says once what was said of many records, in the order of the
// file.
func problemsOnce(list []posture.Problem) []problemSaid {
	at := map[string]int{}
	var out []problemSaid
	for _, p := range list {
		key := p.Severity + " " + p.What
		if i, ok := at[key]; ok {
			out[i].more++
			continue
		}
		at[key] = len(out)
		out = append(out, problemSaid{Problem: p})
	}
	return out
}

// where says on which lines a problem stands.
func (s *problemSaid) where() string {
	text := "whole file"
	if s.Line > 0 {
		text = strconv.Itoa(s.Line)
	}
	if s.more > 0 {
		text += " and " + ui.Count(s.more) + " more"
	}
	return text
}

// outcomePairs are the counts of the outcomes as the file says them.
func outcomePairs(o *posture.OutcomeCounts) []outcomeCount {
	return []outcomeCount{
		{posture.Pass, o.Pass},
		{posture.Fail, o.Fail},
		{posture.OutcomeError, o.Error},
		{posture.Skipped, o.Skipped},
		{posture.Inconclusive, o.Inconclusive},
		{posture.Incomplete, o.Incomplete},
	}
}

type outcomeCount struct {
	outcome posture.Outcome
	n       int
}

// executed counts the outcomes that are evidence; the others are none.
func executed(o *posture.OutcomeCounts) int { return o.Pass + o.Fail }

// notCovered says what a file leaves open beside what it did not prove.
func notCovered(r *posture.Receipt) []string {
	var list []string
	if r.Unmapped > 0 {
		list = append(list, ui.Plural(r.Unmapped, "result maps", "results map")+" to no statement: kept, listed, never counted")
	}
	if n := r.Records.Stored - executed(&r.Outcomes); n > 0 {
		list = append(list, ui.Plural(n, "record is", "records are")+" neither pass nor fail: no evidence either way")
	}
	if r.Records.Refused > 0 {
		list = append(list, ui.Plural(r.Records.Refused, "record was", "records were")+" refused and "+isAre(r.Records.Refused)+" not stored")
	}
	if r.Truncated {
		list = append(list, "The file is cut off: what came after was not read")
	}
	return list
}

// plainly gives a noun without its number.
func plainly(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// movedAt names the statement that moved and where.
func movedAt(m posture.Movement) string {
	if m.Kind == posture.Receiver.String() {
		return "at " + m.On
	}
	return "on " + m.On
}

// movedHref is the address that explains a statement that moved.
func movedHref(m posture.Movement) string {
	kind, err := posture.ParseSubjectKind(m.Kind)
	if err != nil {
		return "/runtimes"
	}
	return StatementPath(posture.SubjectRef{Kind: kind, Slug: m.On}, m.Statement)
}
