package importers_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/unicode"

	"demarc/importers"
	"demarc/importers/results/junit"
)

func TestDetect(t *testing.T) {
	t.Parallel()
	formats := []importers.Format{junit.Format{}}
	for _, c := range []struct{ name, head, want string }{
		{"testsuites", "<testsuites/>", ""},
		{"declaration and comments", "\ufeff<?xml version=\"1.0\"?>\n<!-- <html> -->\n<?x y?><testsuite name='a'>", ""},
		{"prefix", `<j:testsuites xmlns:j="x">`, ""},
		{"cut in the root", "<testsuite", ""},
		{"not by name alone", "hello", "this looks like plain text, which is not a results format read here; accepted: junit"},
		{"empty", "", "the file is empty; nothing was imported"},
		{"blank", " \n\t", "the file is empty; nothing was imported"},
		{"longer name", "<testsuitesx>", "line 1: this looks like XML with the root element <testsuitesx>, which is not a results format read here; accepted: junit"},
		{"html", "<!-- x -->\n<html><testsuites>", "line 2: this looks like an HTML page, which is not a results format read here; accepted: junit"},
		{"nunit", "<?xml version='1.0'?>\n<test-run id='2'>", "line 2: this looks like an NUnit 3 report (<test-run>), which is not a results format read here; accepted: junit"},
		{"jenkins", "<result>", "line 1: this looks like a Jenkins result file (<result>), not the report the tests wrote, which is not a results format read here; accepted: junit"},
		{"doctype", "<?xml version='1.0'?>\n<!DOCTYPE r [\n<!ENTITY a \"]>\">\n]><r>", "line 2: this looks like XML with the root element <r> with a document type declaration (DOCTYPE), which is never read; accepted: junit"},
		{"entity fragment", "<!ENTITY a 'b'>", "line 1: this looks like a fragment of XML without a root element with a document type declaration (DOCTYPE), which is never read; accepted: junit"},
		{"comment without end", "<!-- <testsuites>", "this looks like a fragment of XML without a root element, which is not a results format read here; accepted: junit"},
		{"go test", `{"Time":"2026-11-23T09:15:00Z","Action":"run","Package":"p"}`, "this looks like go test -json output, which is not a results format read here; accepted: junit"},
		{"sarif", `{"version":"2.1.0","$schema":"https://x/sarif.json","runs":[]}`, "this looks like SARIF, which is not a results format read here; accepted: junit"},
		{"json", `[1]`, "this looks like JSON, which is not a results format read here; accepted: junit"},
		{"tap", "TAP version 14\n1..2\n", "this looks like TAP output, which is not a results format read here; accepted: junit"},
		{"csv", "a;b;c\n", "this looks like a CSV table, which is not a results format read here; accepted: junit"},
		{"yaml", "---\na: 1\n", "this looks like YAML, which is not a results format read here; accepted: junit"},
		{"zip", "PK\x03\x04", "this looks like a ZIP archive or an XLSX workbook, which is not a results format read here; accepted: junit"},
		{"binary", "a\x00b", "this looks like a binary file, which is not a results format read here; accepted: junit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f, err := importers.Detect(formats, []byte(c.head), "junit.xml")
			if c.want == "" {
				if err != nil || f.Name() != "junit" {
					t.Fatalf("got %v, %v; want junit", f, err)
				}
				return
			}
			var refusal *importers.Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("got %v, want a refusal", err)
			}
			if diff := cmp.Diff(c.want, refusal.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	const text = "<a>höchste Zeit ☕</a>\n"
	encoded := func(e unicode.Endianness, mark unicode.BOMPolicy) string {
		s, err := unicode.UTF16(e, mark).NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, c := range []struct {
		name, in   string
		transcoded bool
	}{
		{"UTF-8", text, false},
		{"UTF-8 with mark", "\ufeff" + text, false},
		{"UTF-16LE with mark", encoded(unicode.LittleEndian, unicode.UseBOM), true},
		{"UTF-16BE with mark", encoded(unicode.BigEndian, unicode.UseBOM), true},
		{"UTF-16LE", encoded(unicode.LittleEndian, unicode.IgnoreBOM), true},
		{"UTF-16BE", encoded(unicode.BigEndian, unicode.IgnoreBOM), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, transcoded, err := importers.Text(strings.NewReader(c.in))
			if err != nil {
				t.Fatal(err)
			}
			again, _, err := importers.Text(r)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(again)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != text || transcoded != c.transcoded {
				t.Errorf("got %q, transcoded %v", got, transcoded)
			}
		})
	}
}
