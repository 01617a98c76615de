package web

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
)

func TestFormReadsTypedValues(t *testing.T) {
	t.Parallel()
	f := &form{values: url.Values{
		"name": {"  Ines\r\nMarchetti  "}, "day": {"2026-10-31"}, "at": {"2026-10-31T14:02"}, "n": {" 12 "},
		"lines": {"a\r\n\r\n  b \n"}, "on": {"yes"}, "kind": {"risk_owner"}, "many": {"a", "b"}, "ids": {"3", "1,2", "3"}, "id": {"9"},
	}}
	got := []any{
		f.Required("name", 20), f.Date("day"), f.RequiredDate("day"), f.Instant("at"), f.Int("n", 1, 12), f.Lines("lines", 2),
		f.Bool("on"), f.Bool("off"), f.Choice("kind", "viewer", "risk_owner"), f.Choices("many", "a", "b", "c"), f.IDs("ids"), f.ID("id"),
		f.Date("none"), f.ID("none"), f.Text("none", 1),
	}
	day := time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC)
	want := []any{
		"Ines\nMarchetti", day, day, day.Add(14*time.Hour + 2*time.Minute), 12,
		[]string{"a", "b"},
		true, false, "risk_owner",
		[]string{"a", "b"},
		[]int64{1, 2, 3},
		int64(9),
		time.Time{},
		int64(0), "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	if err := f.Err(); err != nil {
		t.Errorf("error %v", err)
	}
}

func TestFormSaysWhatIsWrongAndKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 21)
	f := &form{values: url.Values{
		"long": {long}, "control": {"a\x00b"}, "bytes": {"\xff"}, "day": {"31.10.2026"}, "at": {"noon"}, "n": {"13"},
		"kind": {"root"}, "many": {"a", "z"}, "ids": {"-1"}, "id": {"x"}, "lines": {"a\nb\nc"},
	}}
	f.Text("long", 20)
	f.Text("control", 20)
	f.Text("bytes", 20)
	f.Required("empty", 20)
	f.Secret("secret")
	f.Date("day")
	f.RequiredDate("none")
	f.Instant("at")
	f.Int("n", 1, 12)
	f.Choice("kind", "viewer", "risk_owner")
	f.Choices("many", "a")
	f.IDs("ids")
	f.ID("id")
	f.Lines("lines", 2)
	f.File("file")
	err := f.Err()
	if posture.KindOf(err) != posture.Invalid {
		t.Fatalf("error %v", err)
	}
	said := map[string]string{}
	for _, e := range f.fields {
		said[e.Field] = e.Text
	}
	want := map[string]string{
		"long":    "This has 21 characters. At most 20 fit.",
		"control": "This holds characters that cannot be shown. Type it again without them.",
		"bytes":   "This holds characters that cannot be shown. Type it again without them.",
		"empty":   "This cannot be left empty.",
		"secret":  "This cannot be left empty.",
		"day":     "Give a day as year, month and day, such as 2026-10-31.",
		"none":    "Give a day.",
		"at":      "Give a day and a time in UTC, such as 2026-10-31T14:02.",
		"n":       "Give a whole number from 1 to 12.",
		"kind":    "Choose one of: viewer, risk owner.",
		"many":    "Choose any of: a.",
		"ids":     "Choose from the list.",
		"id":      "This is not the number of a record.",
		"lines":   "These are 3 lines. At most 2 fit.",
		"file":    "Choose a file that is not empty.",
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
	if f.Typed("long") != long || len(f.TypedAll("many")) != 2 {
		t.Error("what was typed is lost")
	}
}

func TestAnAddressOfOursOrNone(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"/runtimes?x=1#y": "/runtimes?x=1#y", "/": "/",
		"": "-", "runtimes": "-", "//evil.example": "-", `/\evil.example`: "-", "https://evil.example": "-", "/a\nb": "-", "/%zz": "-",
	} {
		if got := here(address, "-"); got != want {
			t.Errorf("%q leads to %q, want %q", address, got, want)
		}
	}
}

func TestTheDayOfAnAddress(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 23, 30, 0, 0, time.FixedZone("", 3600))
	end := time.Date(2026, 10, 31, 23, 59, 59, 999999000, time.UTC)
	for _, c := range []struct {
		day, known string
		want       posture.AsOf
	}{
		{"", "", posture.AsOf{}},
		{"2026-11-30", "", posture.AsOf{}},
		{"2026-10-31", "", posture.AsOf{At: end, Past: true}},
		{"2026-10-31", "2026-11-30", posture.AsOf{At: end, Known: now, Past: true}},
		{"2026-10-31", "2026-11-01", posture.AsOf{At: end, Known: end.Add(24 * time.Hour), Past: true}},
		{"", "2026-10-31", posture.AsOf{At: now, Known: end, Past: true}},
	} {
		got, err := parseAsOf(c.day, c.known, now)
		if err != nil || !cmp.Equal(got, c.want) {
			t.Errorf("as_of=%s known=%s: %+v, %v; want %+v", c.day, c.known, got, err, c.want)
		}
	}
	for _, day := range []string{"2026-12-01", "yesterday", "2026-02-30", "20261031"} {
		if _, err := parseAsOf(day, "", now); posture.KindOf(err) != posture.Invalid {
			t.Errorf("as_of=%s: error %v", day, err)
		}
		if _, err := parseAsOf("2026-10-31", day, now); posture.KindOf(err) != posture.Invalid {
			t.Errorf("known=%s: error %v", day, err)
		}
	}
}
