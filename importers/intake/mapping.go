package intake

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"

	"demarc/store/posture"
)

// Mapping says which boundary statement a result is about, by rules over the
// names of suites and cases. The first rule that matches wins; what the file
// itself says in properties wins over any rule.
type Mapping struct {
	// Name and SHA256 are those of the mapping file.
	Name   string
	SHA256 string
	rules  []rule
}

// mapper applies a mapping to one file. It remembers which rules match the
// suite at hand: a report lists the cases of a suite together.
type mapper struct {
	*Mapping
	suite string
	fits  []bool
}

type rule struct {
	// number counts from 1; line is where the rule stands.
	number, line int
	suite, name  pattern

	statement, receiver                  string
	scenario, kase, path, direction, run string
	expected                             posture.Expected
	control                              string
}

// ruleKeys are the keys of a rule, in the order in which help lists them.
var ruleKeys = []string{
	"suite", "name", "statement", "scenario", "case", "path", "direction", "expected", "receiver", "control", "run",
}

// ParseMapping reads a mapping file, YAML or JSON:
//
//	version: 1
//	rules:
//	  - suite: "*isolation*"              # a glob over the suite's path
//	    name: '/^reads (\w+) of another/' # a glob, or a regular expression in slashes
//	    statement: FS-1
//	    expected: deny                    # permit or deny; never inferred
//	    case: "{1}"                       # may use {name}, {suite} and {1}, {2} …
//	    control: both                     # both or none
//
// scenario, path, direction and run take the same marks as case; receiver
// names a component by slug. known says whether a statement exists, nil
// accepts any. A fault is an Invalid error with file, line and rule.
func ParseMapping(name string, r io.Reader, known func(string) bool) (*Mapping, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	d := document{name: name}
	root, err := d.parse(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	keys, err := d.object(root, "the mapping file", []string{"version", "rules"})
	if err != nil {
		return nil, err
	}
	if version, err := d.text(keys["version"]); err != nil || version != "1" {
		return nil, d.fault(max(1, keys["version"].line), "version must be 1")
	}
	rules, ok := keys["rules"]
	if !ok || rules.value.kind != list || len(rules.value.list) == 0 {
		return nil, d.fault(max(1, rules.line), "rules must be a list of at least one rule")
	}
	sum := sha256.Sum256(raw)
	m := &Mapping{Name: name, SHA256: hex.EncodeToString(sum[:])}
	for i, n := range rules.value.list {
		rule, err := d.rule(n, i+1, known)
		if err != nil {
			return nil, err
		}
		m.rules = append(m.rules, rule)
	}
	return m, nil
}

func (d document) rule(n *node, number int, known func(string) bool) (rule, error) {
	r := rule{number: number, line: n.line}
	what := fmt.Sprintf("rule %d", number)
	keys, err := d.object(n, what, ruleKeys)
	if err != nil {
		return r, err
	}
	fail := func(key, format string, args ...any) (rule, error) {
		line := r.line
		if p, ok := keys[key]; ok {
			line = p.line
		}
		return r, d.fault(line, "%s: %s", what, fmt.Sprintf(format, args...))
	}
	var suite, name, expected string
	for key, to := range map[string]*string{
		"suite": &suite, "name": &name, "statement": &r.statement, "scenario": &r.scenario, "case": &r.kase, "path": &r.path,
		"direction": &r.direction, "expected": &expected, "receiver": &r.receiver, "control": &r.control, "run": &r.run,
	} {
		if *to, err = d.text(keys[key]); err != nil {
			return r, err
		}
	}
	if suite == "" && name == "" {
		return fail("", "needs suite or name, else it would match every result")
	}
	if r.suite, err = compilePattern(suite); err != nil {
		return fail("suite", "suite %v", err)
	}
	if r.name, err = compilePattern(name); err != nil {
		return fail("name", "name %v", err)
	}
	r.statement, r.scenario = strings.TrimPrefix(r.statement, "st:"), strings.TrimPrefix(r.scenario, "scn:")
	switch {
	case r.statement == "":
		return fail("statement", "names no statement")
	case known != nil && !known(r.statement):
		return fail("statement", "the statement %q is not in the library", r.statement)
	}
	if r.expected, err = posture.ParseExpected(expected); err != nil {
		return fail("expected", "expected %q is neither permit nor deny", expected)
	}
	if r.control != "" && r.control != "both" && r.control != "none" {
		return fail("control", "control %q is neither both nor none", r.control)
	}
	for key, text := range map[string]string{"case": r.kase, "scenario": r.scenario, "path": r.path, "direction": r.direction, "run": r.run} {
		if err := r.name.checkMarks(text); err != nil {
			return fail(key, "%s %v", key, err)
		}
	}
	return r, nil
}

// apply maps a result by the first rule that matches.
func (m *mapper) apply(r *posture.Result) {
	if m.fits == nil || r.Suite != m.suite {
		m.suite, m.fits = r.Suite, m.fits[:0]
		for i := range m.rules {
			m.fits = append(m.fits, m.rules[i].suite.match(r.Suite) != nil)
		}
	}
	for i := range m.rules {
		if !m.fits[i] {
			continue
		}
		if groups := m.rules[i].name.match(r.Name); groups != nil {
			m.rules[i].apply(r, groups)
			return
		}
	}
}

// apply fills what the file left open. A rule about another statement than the
// file names says nothing of the case.
func (r *rule) apply(to *posture.Result, groups []string) {
	if to.Statement != "" && to.Statement != r.statement {
		return
	}
	if to.Statement == "" {
		to.Statement, to.MappedBy = r.statement, "rule "+strconv.Itoa(r.number)
	}
	for _, f := range []struct {
		to   *string
		text string
	}{{&to.Scenario, r.scenario}, {&to.Case, r.kase}, {&to.Path, r.path}, {&to.Direction, r.direction}, {&to.Run, r.run}} {
		if *f.to == "" && f.text != "" {
			*f.to = fill(f.text, to, groups)
		}
	}
	if to.Receiver == "" && r.receiver != "" {
		// The file spoke of the unit alone: nothing it says is the receiver's.
		to.Receiver, to.Identity = r.receiver, posture.Identity{}
	}
	if to.Expected == posture.ExpectedUnknown {
		to.Expected = r.expected
	}
	if !to.ControlStated && r.control == "both" {
		to.ControlOK = true
	}
}
