package posture_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
)

// fullWorld uses every key of the form, in days.
const fullWorld = `{"name":"all keys","statement":"FS-1","subject":"receiver","criticality":"high",
"target":{"vendor":"V","product":"P","variant":"m","version":"1","image":"1","policy":"1","config":"1","region":"eu","tools":"t","model":"o","environment":"prod"},
"day":120,"known_day":121,"required":"configured","paths":["a","b"],
"evidence":[{"id":"e","kind":"test","statement":"FS-1","identity":{"vendor":"V"},"observed_day":1,"recorded_day":2,"withdrawn_day":3,"valid_until_day":4,
"polarity":"none","by":"hand","pre_ga":true,"run":"r","case":"c","expected":"deny","outcome":"pass","control_ok":true,"advisory":"fixed"}],
"closures":[{"id":"k","closes":"e","kind":"test_invalid","identity":{},"at_day":5,"revoked_day":6,"evidence":["x"]}],
"acceptances":[{"id":"a","statement":"FS-1","covers":["e"],"shortfall":true,"identity":{},"at_day":7,"expires_day":8,"revoked_day":9}],
"not_applicable":[{"statement":"FS-1","identity":{},"at_day":10,"expires_day":11}],
"want":{"label":["anything",{"at":-1.5e+3}]}}`

func TestReadWorldsReadsEveryKey(t *testing.T) {
	t.Parallel()
	want := posture.World{Name: "all keys", At: day(120), Known: day(121), Facts: posture.Facts{
		Statement: "FS-1", Subject: posture.Receiver, Criticality: posture.CriticalityHigh, Required: posture.Configured,
		Target: posture.Identity{"V", "P", "m", "1", "1", "1", "1", "eu", "t", "o", "prod"},
		Paths:  []string{"a", "b"},
		Evidence: []posture.Evidence{{
			ID: "e", Kind: posture.KindTest, Statement: "FS-1", Identity: posture.Identity{"V"},
			ObservedAt: day(1), RecordedAt: day(2), WithdrawnAt: day(3), ValidUntil: day(4),
			Polarity: posture.PolarityNone, ByHand: true, PreGA: true, Run: "r", Case: "c",
			Expected: posture.Deny, Outcome: posture.Pass, ControlOK: true, Advisory: posture.Fixed,
		}},
		Closures:    []posture.Closure{{ID: "k", Closes: "e", Kind: posture.TestInvalid, At: day(5), RevokedAt: day(6), Evidence: []string{"x"}}},
		Acceptances: []posture.Acceptance{{ID: "a", Statement: "FS-1", Covers: []string{"e"}, Shortfall: true, At: day(7), ExpiresAt: day(8), RevokedAt: day(9)}},
		Rulings:     []posture.Ruling{{Statement: "FS-1", At: day(10), ExpiresAt: day(11)}},
	}}
	worlds, array, err := posture.ReadWorlds(strings.NewReader(fullWorld))
	if err != nil || array {
		t.Fatalf("array %t, %v; want a single world", array, err)
	}
	if diff := cmp.Diff([]posture.World{want}, worlds); diff != "" {
		t.Errorf("world (-want +got):\n%s", diff)
	}
}

// TestReadWorldsFormsAgree writes the same world in days and in instants.
func TestReadWorldsFormsAgree(t *testing.T) {
	t.Parallel()
	instants := fullWorld
	for _, key := range []string{"observed", "recorded", "withdrawn", "valid_until", "expires", "revoked", "known", "at", "day"} {
		for n := range 122 {
			to := map[string]string{"day": "as_of", "at": "at"}[key]
			from := key + "_day"
			if to == "" {
				to = key + "_at"
			}
			if key == "day" {
				from = "day"
			}
			old := fmt.Sprintf("%q:%d", from, n)
			for _, after := range []string{",", "}"} {
				instants = strings.ReplaceAll(instants, old+after, fmt.Sprintf("%q:%q", to, day(n).Format(time.RFC3339))+after)
			}
		}
	}
	a, _, errA := posture.ReadWorlds(strings.NewReader(fullWorld))
	b, _, errB := posture.ReadWorlds(strings.NewReader(instants))
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("days and instants differ (-days +instants):\n%s", diff)
	}
}

func TestReadWorldsDefaults(t *testing.T) {
	t.Parallel()
	const text = `[{"statement":"FS-1","target":{},"as_of":"2026-11-30t19:20:00.000001+01:00","required":"tested",
		"evidence":[{"id":"e","kind":"statement","statement":"FS-1","identity":{"region":""},"observed_at":"2026-11-30T00:00:00z"}]}]`
	worlds, array, err := posture.ReadWorlds(strings.NewReader("\ufeff" + text + "\n"))
	if err != nil || !array {
		t.Fatalf("array %t, %v; want an array", array, err)
	}
	w := worlds[0]
	if want := time.Date(2026, 11, 30, 18, 20, 0, 1000, time.UTC); !w.At.Equal(want) || !w.Known.Equal(want) {
		t.Errorf("at %v, known %v; want both %v", w.At, w.Known, want)
	}
	e := w.Facts.Evidence[0]
	if !e.RecordedAt.Equal(e.ObservedAt) || w.Facts.Subject != posture.Unit || w.Facts.Criticality != posture.CriticalityNormal {
		t.Errorf("defaults: %+v", w)
	}
	none, array, err := posture.ReadWorlds(strings.NewReader(" [ ] "))
	if err != nil || !array || len(none) != 0 {
		t.Errorf("empty array: %d worlds, array %t, %v", len(none), array, err)
	}
}

func TestReadWorldsWholeNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"120": 120, "120.0": 120, "1.2e2": 120, "12000e-2": 120, "-3": -3, "-0": 0} {
		worlds, _, err := posture.ReadWorlds(strings.NewReader(worldWith("day", text)))
		if err != nil || !worlds[0].At.Equal(day(want)) {
			t.Errorf("day %s: %v, want day %d", text, err, want)
		}
	}
}

// worldWith is a small world in which one key has another value; an empty
// value leaves the key out.
func worldWith(key, value string) string {
	members := []struct{ key, value string }{
		{"name", `"w"`},
		{"statement", `"FS-1"`},
		{"target", `{"vendor":"V"}`},
		{"day", "120"},
		{"required", `"tested"`},
		{"evidence", `[{"id":"e","kind":"test","statement":"FS-1","identity":{},"observed_day":100}]`},
	}
	var out []string
	seen := false
	for _, m := range members {
		if m.key == key {
			m.value, seen = value, true
		}
		if m.value != "" {
			out = append(out, fmt.Sprintf("%q:%s", m.key, m.value))
		}
	}
	if !seen {
		out = append(out, fmt.Sprintf("%q:%s", key, value))
	}
	return "{" + strings.Join(out, ",") + "}"
}

func evidenceWith(members string) string {
	return worldWith("evidence", `[{"id":"ok","kind":"test","statement":"FS-1","identity":{},"observed_day":1},{"id":"e","kind":"test","statement":"FS-1","identity":{}`+members+"}]")
}

// refused is a text that cannot be read, the place of its fault and what the
// error says.
type refused struct{ text, path, says string }

func refuses(t *testing.T, cases map[string]refused) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := posture.ReadWorlds(strings.NewReader(c.text))
			var fault *posture.WorldError
			if !errors.As(err, &fault) {
				t.Fatalf("got %v, want a WorldError", err)
			}
			if fault.Path != c.path || !strings.Contains(fault.Text, c.says) {
				t.Errorf("got %q at %q\nwant %q at %q", fault.Text, fault.Path, c.says, c.path)
			}
			_, _, err = posture.ReadWorlds(strings.NewReader("[" + worldWith("day", "1") + ",\n" + c.text + "]"))
			if !errors.As(err, &fault) {
				t.Fatalf("inside an array: got %v, want a WorldError", err)
			}
		})
	}
}

// TestReadWorldsRefusesMeaning holds keys, values and times.
func TestReadWorldsRefusesMeaning(t *testing.T) {
	t.Parallel()
	refuses(t, map[string]refused{
		"unknown key":             {worldWith("vendor", `"V"`), "", `unknown key "vendor"; allowed: statement,`},
		"key by other case":       {worldWith("Subject", `"unit"`), "", `unknown key "Subject"`},
		"unknown evidence key":    {evidenceWith(`,"observed_day":1,"colour":1`), "evidence[1]", `unknown key "colour"`},
		"unknown kind":            {worldWith("evidence", `[{"id":"e","kind":"statemet"}]`), "evidence[0].kind", `unknown value "statemet"; allowed: statement, documentation`},
		"empty outcome":           {evidenceWith(`,"observed_day":1,"outcome":""`), "evidence[1].outcome", `unknown value ""; allowed: pass, fail`},
		"unknown facet":           {worldWith("target", `{"os":"x"}`), "target", `unknown key "os"; allowed: vendor, product`},
		"facet no string":         {worldWith("target", `{"image":1}`), "target.image", "expected a string, found the number 1"},
		"unknown rung":            {worldWith("required", `"Tested"`), "required", `unknown value "Tested"; allowed: not_stated, claimed`},
		"duplicate key":           {worldWith("statement", `"FS-1","statement":"FS-2"`), "statement", "stands twice"},
		"duplicate by escape":     {worldWith("statement", `"FS-1","st\u0061tement":"FS-2"`), "statement", "stands twice"},
		"no statement":            {worldWith("statement", ""), "", `the key "statement" is missing`},
		"no target":               {worldWith("target", ""), "", `the key "target" is missing`},
		"no required":             {worldWith("required", ""), "", `the key "required" is missing`},
		"no evidence":             {worldWith("evidence", ""), "", `the key "evidence" is missing`},
		"no day":                  {worldWith("day", ""), "", `"day" or "as_of" is missing`},
		"no evidence id":          {worldWith("evidence", `[{"kind":"test","statement":"FS-1","identity":{},"observed_day":1}]`), "evidence[0]", `the key "id" is missing`},
		"no observed":             {evidenceWith(""), "evidence[1]", `"observed_day" or "observed_at" is missing`},
		"closure without kind":    {worldWith("closures", `[{"id":"k","closes":"e","identity":{}}]`), "closures[0]", `the key "kind" is missing`},
		"ruling without identity": {worldWith("not_applicable", `[{"statement":"FS-1"}]`), "not_applicable[0]", `the key "identity" is missing`},
		"acceptance without list": {worldWith("acceptances", `[{"id":"a","statement":"s","shortfall":true,"identity":{}}]`), "acceptances[0]", `the key "covers" is missing`},
		"day and as_of":           {worldWith("as_of", `"2026-11-30T00:00:00Z"`), "as_of", `"as_of" is an instant, but "day" is a day`},
		"mixed in evidence":       {evidenceWith(`,"observed_at":"2026-11-30T00:00:00Z"`), "evidence[1].observed_at", `but "day" is a day`},
		"at among days":           {worldWith("closures", `[{"id":"k","closes":"e","kind":"test_invalid","identity":{},"at":"2026-11-30T00:00:00Z"}]`), "closures[0].at", "one world uses one form"},
		"day among instants":      {strings.Replace(worldWith("known_day", "121"), `"day":120`, `"as_of":"2026-11-30T00:00:00Z"`, 1), "evidence[0].observed_day", `"observed_day" is a day, but "as_of" is an instant`},
		"any on a test":           {worldWith("evidence", `[{"id":"e","kind":"test","statement":"s","identity":{"region":"any"},"observed_day":1}]`), "evidence[0].identity.region", `region "any" on a test`},
		"any on a configuration":  {worldWith("evidence", `[{"id":"e","identity":{"region":"any"},"statement":"s","observed_day":1,"kind":"configuration"}]`), "evidence[0].identity.region", `region "any" on a configuration`},
		"any on the target":       {worldWith("target", `{"region":"any"}`), "target", `region "any" is allowed on documentation and attestation only`},
		"day as text":             {worldWith("day", `"120"`), "day", `expected a whole number of days, found the string "120"`},
		"half a day":              {worldWith("day", "120.5"), "day", "120.5 is no whole number"},
		"endless day":             {worldWith("day", "1e999999999"), "day", "is no whole number"},
		"far day":                 {worldWith("day", "1000000001"), "day", "out of range"},
		"zero instant":            {worldWith("day", "-719162"), "day", "cannot be told from an absent one"},
		"leading zero":            {worldWith("day", "0120"), "day", `"0120" is no number`},
		"no instant":              {strings.Replace(worldWith("day", ""), `"name"`, `"as_of":"30 Nov 2026","name"`, 1), "as_of", "no RFC 3339 instant"},
	})
}

// TestReadWorldsRefusesText holds types and the grammar.
func TestReadWorldsRefusesText(t *testing.T) {
	t.Parallel()
	refuses(t, map[string]refused{
		"null list":          {worldWith("closures", "null"), "closures", "expected an array, found null"},
		"null text":          {worldWith("name", "null"), "name", "expected a string, found null"},
		"text for true":      {evidenceWith(`,"observed_day":1,"control_ok":"yes"`), "evidence[1].control_ok", `expected true or false, found the string "yes"`},
		"not UTF-8":          {worldWith("name", "\"\xff\""), "name", "not UTF-8"},
		"lone surrogate":     {worldWith("name", `"\ud800"`), "name", "surrogate"},
		"lone low surrogate": {worldWith("name", `"\udc00\ud800"`), "name", "surrogate"},
		"bad escape":         {worldWith("name", `"\x41"`), "name", `unknown escape \x`},
		"bad hex":            {worldWith("name", `"\u00g1"`), "name", "four hexadecimal digits"},
		"control character":  {worldWith("name", "\"a\tb\""), "name", "control character 0x09"},
		"trailing text":      {worldWith("day", "1") + " x", "", `text follows the end of the JSON value`},
		"second world":       {worldWith("day", "1") + "\n" + worldWith("day", "1"), "", `text follows`},
		"cut off":            {strings.TrimSuffix(fullWorld, "}"), "", "ends too early"},
		"trailing comma":     {strings.TrimSuffix(worldWith("day", "1"), "}") + ",}", "", `expected a key in quotes`},
		"missing comma":      {strings.Replace(worldWith("day", "1"), ",", " ", 1), "", `expected ","`},
		"missing colon":      {strings.Replace(worldWith("day", "1"), ":", " ", 1), "", `expected ":" after the key "name"`},
		"empty":              {" \n", "", "the text is empty"},
		"a number":           {"3", "", "expected a world (an object) or an array of worlds, found the number 3"},
		"bad literal":        {evidenceWith(`,"control_ok":trap`), "evidence[1].control_ok", `"tra" is no JSON value`},
		"deep want":          {worldWith("want", strings.Repeat("[", 2000)+strings.Repeat("]", 2000)), "want", "nested deeper than 1000 levels"},
	})
}

func TestReadWorldsNamesThePlace(t *testing.T) {
	t.Parallel()
	text := "[" + worldWith("day", "1") + ",\n\n" + strings.Replace(worldWith("evidence", `[{"id":"e","kind":"tset"}]`), `"w"`, `"second"`, 1) + "]"
	_, _, err := posture.ReadWorlds(strings.NewReader(text))
	const want = `line 3: worlds[1].evidence[0].kind ("second"): unknown value "tset"; allowed: statement, documentation, attestation, configuration, test, incident`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestReadWorldsPassesOnReadErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	_, _, err := posture.ReadWorlds(io.MultiReader(strings.NewReader(`[{"name":`), iotest.ErrReader(broken)))
	var fault *posture.WorldError
	if !errors.Is(err, broken) || errors.As(err, &fault) {
		t.Errorf("got %v, want the reader's own error", err)
	}
}

func TestEachWorldStopsAtVisit(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	visits := 0
	array, err := posture.EachWorld(strings.NewReader("["+worldWith("day", "1")+","+worldWith("day", "2")+"]"), func(*posture.World) error {
		visits++
		return enough
	})
	if !array || !errors.Is(err, enough) || visits != 1 {
		t.Errorf("array %t, %d visits, %v; want one visit and its error", array, visits, err)
	}
}
