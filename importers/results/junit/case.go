package junit

import (
	"fmt"
	"strconv"
	"strings"

	"demarc/store/posture"
)

// attributes are those that the reader uses, of any element.
type attributes struct {
	name, id, class, file, line  string
	seconds, timestamp           string
	status, message, kind, value string
	hasValue                     bool
	tests, failures              string
	errors, skipped              string
}

// container is an element that holds cases: testsuites or testsuite.
type container struct {
	name string
	// path joins the names of the suites down to this one.
	path string
	set  settings
	// line is where it starts; found counts the records below it.
	line   int
	stated attributes
	found  tally
	// cases says that a case was seen: properties after it come too late.
	cases bool
	// own are the outcomes of the suite itself.
	own []part
}

// tally counts records as a report's own totals do.
type tally struct{ tests, failed, errors, skipped int }

func (t *tally) add(o tally) {
	t.tests += o.tests
	t.failed += o.failed
	t.errors += o.errors
	t.skipped += o.skipped
}

func (t *tally) count(o posture.Outcome) {
	t.tests++
	switch o {
	case posture.Fail:
		t.failed++
	case posture.OutcomeError:
		t.errors++
	case posture.Skipped:
		t.skipped++
	default:
	}
}

// differs gives the first total that the report states otherwise than found;
// empty where none does.
func (t tally) differs(a *attributes) string {
	for _, total := range []struct {
		what, stated string
		found        int
	}{
		{"tests", a.tests, t.tests},
		{"failures", a.failures, t.failed},
		{"errors", a.errors, t.errors},
		{"skipped", a.skipped, t.skipped},
	} {
		if n, err := strconv.Atoi(strings.TrimSpace(total.stated)); err == nil && n != total.found {
			return fmt.Sprintf("%s=%d, found %d", total.what, n, total.found)
		}
	}
	return ""
}

// testcase is the case being read.
type testcase struct {
	attributes
	at    position
	set   settings
	parts []part
}

// part is one child of a case that says something: an outcome or output.
type part struct {
	element string
	outcome posture.Outcome
	message string
	kind    string
	text    []byte
	// cut counts the bytes of text not held.
	cut int64
}

// outcomeOf gives the outcome an element stands for; known is false for an
// element that is none of a case's parts.
func outcomeOf(element string) (o posture.Outcome, known bool) {
	switch element {
	case "failure":
		return posture.Fail, true
	case "error":
		return posture.OutcomeError, true
	case "skipped", "ignored", "disabled":
		return posture.Skipped, true
	case "flakyFailure", "flakyError", "rerunFailure", "rerunError", "system-out", "system-err":
		return posture.OutcomeUnknown, true
	default:
		return posture.OutcomeUnknown, false
	}
}

// worst gives the part that decides: fail, error, skipped, in that order; nil
// when none does.
func worst(parts []part) *part {
	var decides *part
	for i := range parts {
		p := &parts[i]
		if p.outcome != posture.OutcomeUnknown && (decides == nil || p.outcome < decides.outcome) {
			decides = p
		}
	}
	return decides
}

// result makes the record of a case. why is not empty where it is refused.
func (c *testcase) result(suite string, seq int) (r *posture.Result, why *fault) {
	r = &posture.Result{
		Seq: seq, Line: c.at.line, Suite: suite, Class: c.class, Name: c.title(seq),
		Outcome: posture.Pass,
	}
	decides := worst(c.parts)
	if decides != nil {
		r.Outcome, r.Message = decides.outcome, decides.words()
	} else {
		r.Outcome = statusOf(c.status)
		r.Flaky, r.Message = flaky(c.parts)
	}
	r.Duration, _ = seconds(c.seconds)
	r.Text, r.Cut = keep(c.parts)
	c.set.apply(r)
	if len(c.set.faults) > 0 {
		return r, joined(c.set.faults)
	}
	return r, c.restate(r)
}

// restate applies demarc.outcome: the report's author may say that a case
// proves nothing, not that a failure is a pass.
func (c *testcase) restate(r *posture.Result) *fault {
	said := c.set.outcome
	if said == posture.OutcomeUnknown {
		return nil
	}
	if said == posture.Pass && r.Outcome != posture.Pass {
		return &fault{line: r.Line, text: fmt.Sprintf(
			"%soutcome says pass and the report says %s; correct one of them", prefix, r.Outcome)}
	}
	r.Outcome = said
	return nil
}

// joined makes one reason of all faults, at the line of the first.
func joined(faults []fault) *fault {
	texts := make([]string, len(faults))
	for i, f := range faults {
		texts[i] = f.text
	}
	return &fault{line: faults[0].line, text: strings.Join(texts, "; ")}
}

// title names a case that has no name by what else it carries.
func (c *testcase) title(seq int) string {
	switch {
	case strings.TrimSpace(c.name) != "":
		return c.name
	case c.id != "":
		return c.id
	case c.file != "" && c.line != "":
		return c.file + ":" + c.line
	case c.file != "":
		return c.file
	default:
		return "case " + strconv.Itoa(seq)
	}
}

// statusOf reads the status or result attribute of a case without children:
// a runner that lists what it did not run says so there.
func statusOf(status string) posture.Outcome {
	switch strings.ToLower(strings.TrimSpace(status)) {
	case "notrun", "not run", "not_run", "skipped", "skip", "suppressed", "disabled", "ignored", "pending", "todo":
		return posture.Skipped
	case "failed", "fail", "failure":
		return posture.Fail
	case "error", "errored", "broken":
		return posture.OutcomeError
	case "inconclusive":
		return posture.Inconclusive
	case "incomplete", "aborted", "cancelled", "canceled", "timeout", "timedout":
		return posture.Incomplete
	default:
		return posture.Pass
	}
}

// flaky says whether an attempt failed before the one that counts. An attempt
// that broke without a finding is no such attempt.
func flaky(parts []part) (failed bool, message string) {
	for i := range parts {
		switch parts[i].element {
		case "flakyFailure", "rerunFailure":
			return true, "an earlier attempt failed: " + parts[i].words()
		case "flakyError", "rerunError":
			message = "an earlier attempt broke: " + parts[i].words()
		}
	}
	return false, message
}

// words are the message, or the first line of the text, or the type.
func (p *part) words() string {
	message := p.message
	if strings.TrimSpace(message) == "" {
		message, _, _ = strings.Cut(strings.TrimSpace(string(p.text)), "\n")
		message = strings.TrimSpace(message)
	}
	switch {
	case message == "":
		return p.kind
	case p.outcome == posture.Skipped && p.kind != "":
		return p.kind + ": " + message
	default:
		return message
	}
}

// keep joins the texts of a case, its outcomes before its output, and counts
// the bytes beyond 64 KiB.
func keep(parts []part) (text string, cut int64) {
	var b strings.Builder
	for _, output := range []bool{false, true} {
		for i := range parts {
			p := &parts[i]
			part := strings.TrimRight(strings.TrimLeft(string(p.text), "\r\n"), " \t\r\n")
			if strings.HasPrefix(p.element, "system-") != output || strings.TrimSpace(part) == "" {
				continue
			}
			if b.Len() > 0 {
				b.WriteString("\n")
			}
			if output || p.outcome == posture.OutcomeUnknown {
				part = p.element + ":\n" + part
			}
			room := max(0, maxText-b.Len())
			part, rest := cutText(part, room)
			b.WriteString(part)
			cut += rest + p.cut
		}
	}
	return b.String(), cut
}

func cutText(s string, room int) (kept string, cut int64) {
	if len(s) <= room {
		return s, 0
	}
	kept = strings.ToValidUTF8(s[:room], "")
	return kept, int64(len(s) - len(kept))
}

// quoted shows a value in a problem, shortened.
func quoted(s string) string { return strconv.Quote(shortened(s)) }

func shortened(s string) string {
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

// problem makes a problem of the file or, with a record, of that record.
func problem(severity string, line, record int, format string, args ...any) posture.Problem {
	return posture.Problem{Line: line, Record: record, What: fmt.Sprintf(format, args...), Severity: severity}
}

// unread counts what was passed over and keeps the first.
type unread struct {
	count, line int
	value       string
}

func (u *unread) add(line int, value string) {
	if u.count == 0 {
		u.line, u.value = line, value
	}
	u.count++
}
