package junit

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"

	"demarc/importers"
	"demarc/store/posture"
)

// closeProperty applies a property to the case or container that holds it.
func (r *reader) closeProperty() {
	p := r.property
	r.property = nil
	value := p.value
	if !p.hasValue {
		value = p.text.String()
	}
	value = strings.TrimSpace(value)
	set := &r.containers[len(r.containers)-1].set
	if n := len(r.cases); n > 0 {
		set = &r.cases[n-1].set
	} else if r.containers[len(r.containers)-1].cases && strings.HasPrefix(p.name, prefix) {
		r.late.add(p.line, p.name)
	}
	switch {
	case p.name == "expected" && (value == "permit" || value == "deny"):
		set.plain, _ = posture.ParseExpected(value)
	case !strings.HasPrefix(p.name, prefix):
	case value == "":
		r.tell(problem(importers.Warning, p.line, 0, "%s is empty and was passed over", p.name))
	case !set.set(p.name, value, p.line):
		r.unknownProperty(p)
	}
}

// unknownProperty warns of each name once.
func (r *reader) unknownProperty(p *property) {
	const most = 50
	if r.unknown[p.name] || len(r.unknown) >= most {
		return
	}
	r.unknown[p.name] = true
	r.tell(problem(importers.Warning, p.line, 0, "%s is no property known here and was passed over; known are %s",
		quoted(p.name), strings.Join(Properties(), ", ")))
}

func (r *reader) closeCase() error {
	c := r.cases[len(r.cases)-1]
	r.cases = r.cases[:len(r.cases)-1]
	parent := r.containers[len(r.containers)-1]
	r.seq++
	record, why := c.result(parent.path, r.seq)
	record.Cut += r.in.where().cut - c.at.cut
	parent.found.count(record.Outcome)
	return r.give(record, why)
}

// closeContainer gives the record of a suite that failed itself.
func (r *reader) closeContainer() error {
	c := r.containers[len(r.containers)-1]
	r.containers = r.containers[:len(r.containers)-1]
	if total := c.found.differs(&c.stated); total != "" {
		r.totals.add(c.line, total)
	}
	if n := len(r.containers); n > 0 {
		r.containers[n-1].found.add(c.found)
	}
	if len(c.own) == 0 {
		return nil
	}
	r.seq++
	own := testcase{
		attributes: attributes{name: c.name, id: c.stated.id, class: c.stated.class},
		at:         position{line: c.line}, set: c.set, parts: c.own,
	}
	record, why := own.result(c.path, r.seq)
	return r.give(record, why)
}

func (r *reader) give(record *posture.Result, why *fault) error {
	if why != nil {
		r.tell(problem(importers.Refused, why.line, record.Seq, "%s", why.text))
		return nil
	}
	return r.emit(record)
}

// stopped says what the end of the readable part means. Cases complete by then
// are kept; the one at hand is not: a report that breaks off inside it does
// not say how it ended.
func (r *reader) stopped(cause error) (line int, err error) {
	var syntax *xml.SyntaxError
	if !errors.As(cause, &syntax) {
		if refusal, ok := errors.AsType[*importers.Refusal](cause); ok {
			return 0, refusal
		}
		return 0, fmt.Errorf("read the report: %w", cause)
	}
	line = r.in.last()
	if r.roots == 0 {
		return line, nil
	}
	what := "the report breaks off here"
	if syntax.Msg != "unexpected EOF" {
		what = "the report is not well-formed XML here (" + syntax.Msg + ")"
	}
	if n := len(r.cases); n > 0 {
		c := r.cases[n-1]
		what += fmt.Sprintf(", inside the case %s of line %d, which is not counted", quoted(c.title(r.seq+1)), c.at.line)
		if decides := worst(c.parts); decides != nil && decides.outcome != posture.Skipped {
			what += " although it had reported a " + decides.element
		}
	}
	r.tell(problem(importers.Warning, line, 0, "truncated at line %d: %s; what stands before it was read", line, what))
	r.cases = nil
	for len(r.containers) > 0 {
		r.containers[len(r.containers)-1].stated = attributes{}
		if err := r.closeContainer(); err != nil {
			return 0, err
		}
	}
	return line, nil
}

// summary tells what was passed over or changed, each once with its first
// place.
func (r *reader) summary() {
	in := r.in
	told := []struct {
		n, line  int
		severity string
		one, all string
	}{
		{in.replaced, in.replacedLine, importers.Note, "1 character that XML forbids was replaced", "%d characters that XML forbids were replaced, the first here"},
		{in.broken, in.brokenLine, importers.Note, "1 byte that is not text in the file's encoding was replaced", "%d bytes that are not text in the file's encoding were replaced, the first here"},
		{in.cut, in.cutLine, importers.Note, "1 text was cut after 64 KiB", "%d texts were cut after 64 KiB each, the first here"},
		{r.badTimes.count, r.badTimes.line, importers.Note, "the time " + quoted(r.badTimes.value) + " is no duration and was passed over", "%d times are no durations and were passed over, the first, " + safe(r.badTimes.value) + ", here"},
		{r.badStamps.count, r.badStamps.line, importers.Note, "the timestamp " + quoted(r.badStamps.value) + " cannot be read and was passed over", "%d timestamps cannot be read and were passed over, the first, " + safe(r.badStamps.value) + ", here"},
		{r.totals.count, r.totals.line, importers.Note, "a total stated here is not what stands below (" + r.totals.value + "); the cases count", "totals stated by %d suites are not what stands below, the first here (" + r.totals.value + "); the cases count"},
		{r.late.count, r.late.line, importers.Warning, r.late.value + " stands after the first case of its suite; it holds for the cases below it alone", "%d properties stand after the first case of their suite, the first here; they hold for the cases below them alone"},
		{r.strange.count, r.strange.line, importers.Warning, "what follows the report here was passed over", "%d elements that follow the report were passed over, the first here"},
	}
	for _, t := range told {
		switch {
		case t.n == 1:
			r.tell(problem(t.severity, t.line, 0, "%s", t.one))
		case t.n > 1:
			r.tell(problem(t.severity, t.line, 0, t.all, t.n))
		}
	}
}

// safe quotes a value for use in a format.
func safe(s string) string { return strings.ReplaceAll(quoted(s), "%", "%%") }
