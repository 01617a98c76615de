package junit

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"demarc/importers"
	"demarc/store/posture"
)

const (
	// maxDepth bounds how deep elements nest.
	maxDepth = 512
	// maxParts bounds the children of one case that are looked at.
	maxParts = 1000
	// maxKept bounds the texts of one case held at a time, in bytes.
	maxKept = 4 * maxText
)

// reader walks one report. It keeps the containers and the cases that are
// open, and nothing else.
type reader struct {
	ctx  context.Context
	in   *filter
	dec  *xml.Decoder
	emit func(*posture.Result) error
	tell func(posture.Problem)

	// open holds what each open element is, from the root on.
	open       []role
	containers []*container
	cases      []*testcase
	// partDepth is the depth of the part whose text is collected, 0 for none;
	// its text goes to the last part of what owns it.
	partDepth int
	property  *property
	roots     int
	seq       int

	badTimes, badStamps, late, strange unread
	unknown                            map[string]bool
	totals                             unread
}

// role is what an open element is to the reader.
type role uint8

const (
	other role = iota
	suite
	kase
	piece
	properties
	propertyRole
	foreign
)

type property struct {
	name, value string
	hasValue    bool
	line        int
	text        strings.Builder
}

func newReader(ctx context.Context, in *filter, emit func(*posture.Result) error, tell func(posture.Problem)) *reader {
	return &reader{ctx: ctx, in: in, dec: xml.NewDecoder(in), emit: emit, tell: tell, unknown: map[string]bool{}}
}

// read walks the report to its end or to where it stops being readable.
func (r *reader) read() (importers.Meta, error) {
	meta := importers.Meta{Completeness: importers.Complete}
	for {
		at := r.in.where()
		token, err := r.dec.Token()
		if err != nil {
			if errors.Is(err, io.EOF) {
				break
			}
			meta.TruncatedAt, err = r.stopped(err)
			if err != nil {
				return importers.Meta{}, err
			}
			meta.Completeness = importers.Truncated
			break
		}
		if err := r.take(token, at); err != nil {
			return importers.Meta{}, err
		}
	}
	switch {
	case r.seq > 0:
	case r.roots == 0:
		return importers.Meta{}, importers.Refuse(meta.TruncatedAt, "is not an XML report")
	case meta.TruncatedAt > 0:
		return importers.Meta{}, importers.Refuse(meta.TruncatedAt, "is not well-formed XML from here on, and no complete test case stands before it")
	default:
		return importers.Meta{}, importers.Refuse(0, "holds no test case; nothing was recognised to import")
	}
	r.summary()
	return meta, nil
}

func (r *reader) take(token xml.Token, at position) error {
	switch t := token.(type) {
	case xml.StartElement:
		if err := r.ctx.Err(); err != nil {
			return fmt.Errorf("read the report: %w", err)
		}
		if len(r.open) >= maxDepth {
			return importers.Refuse(at.line, "nests elements more than %d deep", maxDepth)
		}
		what, err := r.start(t.Name.Local, attributesOf(t.Attr), at)
		r.open = append(r.open, what)
		return err
	case xml.EndElement:
		what := r.open[len(r.open)-1]
		err := r.end(what)
		r.open = r.open[:len(r.open)-1]
		return err
	case xml.CharData:
		r.text(t)
	}
	return nil
}

// start says what an element is, and opens it.
func (r *reader) start(name string, a *attributes, at position) (role, error) {
	if len(r.open) == 0 {
		r.roots++
		if name != "testsuites" && name != "testsuite" {
			if r.roots == 1 {
				return other, importers.Refuse(at.line, "is not a JUnit report: its root element is <%s>", shortened(name))
			}
			r.strange.add(at.line, "<"+name+">")
			return foreign, nil
		}
		if r.roots > 1 {
			r.tell(problem(importers.Warning, at.line, 0, "a second report begins here; its cases were read too"))
		}
	}
	if r.within(foreign) || r.partDepth > 0 {
		return other, nil
	}
	switch name {
	case "testsuites", "testsuite":
		r.openContainer(name, a, at)
		return suite, nil
	case "testcase":
		r.openCase(a, at)
		return kase, nil
	case "properties":
		return properties, nil
	case "property":
		if len(r.open) > 0 && r.open[len(r.open)-1] == properties {
			r.property = &property{name: a.name, value: a.value, hasValue: a.hasValue, line: at.line}
			return propertyRole, nil
		}
	default:
		return r.startPart(name, a), nil
	}
	return other, nil
}

// within says whether an open element has the role; only a root is foreign.
func (r *reader) within(what role) bool { return len(r.open) > 0 && r.open[0] == what }

// owner gives the parts that an element at this place adds to: the open
// case's, or the innermost container's own.
func (r *reader) owner() *[]part {
	if n := len(r.cases); n > 0 {
		return &r.cases[n-1].parts
	}
	return &r.containers[len(r.containers)-1].own
}

func (r *reader) startPart(name string, a *attributes) role {
	outcome, known := outcomeOf(name)
	inCase := len(r.cases) > 0
	if !known || (!inCase && name != "failure" && name != "error") {
		return other
	}
	parts := r.owner()
	if len(*parts) >= maxParts {
		if decides := worst(*parts); outcome == posture.OutcomeUnknown || (decides != nil && decides.outcome <= outcome) {
			return other
		}
		*parts = (*parts)[:maxParts-1]
	}
	*parts = append(*parts, part{element: name, outcome: outcome, message: a.message, kind: a.kind})
	r.partDepth = len(r.open) + 1
	return piece
}

func (r *reader) openContainer(element string, a *attributes, at position) {
	c := &container{line: at.line, name: a.name, stated: *a}
	if c.name == "" {
		c.name = a.id
	}
	if n := len(r.containers); n > 0 {
		parent := r.containers[n-1]
		c.set, c.path = parent.set, parent.path
	}
	if element == "testsuite" && c.name != "" {
		if c.path != "" {
			c.path += " > "
		}
		c.path += c.name
	}
	if !c.set.stamp(a.timestamp) {
		r.badStamps.add(at.line, a.timestamp)
	}
	r.containers = append(r.containers, c)
}

func (r *reader) openCase(a *attributes, at position) {
	c := &testcase{attributes: *a, at: at}
	parent := r.containers[len(r.containers)-1]
	parent.cases = true
	c.set = parent.set
	if !c.set.stamp(a.timestamp) {
		r.badStamps.add(at.line, a.timestamp)
	}
	if _, ok := seconds(a.seconds); !ok {
		r.badTimes.add(at.line, a.seconds)
	}
	r.cases = append(r.cases, c)
}

// text collects what the open part or property holds.
func (r *reader) text(t xml.CharData) {
	switch {
	case r.property != nil:
		r.property.text.Write(t)
	case r.partDepth > 0:
		parts := *r.owner()
		held := 0
		for i := range parts {
			held += len(parts[i].text)
		}
		last := &parts[len(parts)-1]
		if room := max(0, maxKept-held); len(t) > room {
			last.cut += int64(len(t) - room)
			t = t[:room]
		}
		last.text = append(last.text, t...)
	}
}

func (r *reader) end(what role) error {
	switch what {
	case piece:
		r.partDepth = 0
	case propertyRole:
		r.closeProperty()
	case kase:
		return r.closeCase()
	case suite:
		return r.closeContainer()
	case other, properties, foreign:
	}
	return nil
}

func attributesOf(list []xml.Attr) *attributes {
	a := &attributes{}
	for i := range list {
		v := list[i].Value
		switch list[i].Name.Local {
		case "name":
			a.name = v
		case "id":
			a.id = v
		case "classname":
			a.class = v
		case "class":
			if a.class == "" {
				a.class = v
			}
		case "file":
			a.file = v
		case "line":
			a.line = v
		case "time":
			a.seconds = v
		case "timestamp":
			a.timestamp = v
		case "status", "result":
			if a.status == "" || list[i].Name.Local == "result" {
				a.status = v
			}
		case "message":
			a.message = v
		case "type":
			a.kind = v
		case "value":
			a.value, a.hasValue = v, true
		case "tests":
			a.tests = v
		case "failures":
			a.failures = v
		case "errors":
			a.errors = v
		case "skipped":
			a.skipped = v
		}
	}
	return a
}
