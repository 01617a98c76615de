package junit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"

	"demarc/importers"
	"demarc/importers/results/junit"
	"demarc/store/posture"
)

var update = flag.Bool("update", false, "write the golden files")

// reading is all that a format gives of a file.
type reading struct {
	Meta     importers.Meta
	Records  []*posture.Result
	Problems []posture.Problem
	Refused  string `json:",omitempty"`
}

func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.MarshalIndent(shown(readAll(t, bytes.NewReader(text))), "", " ")
			if err != nil {
				t.Fatal(err)
			}
			golden := strings.TrimSuffix(file, ".xml") + ".golden.json"
			if *update {
				if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for name, r := range map[string]io.Reader{
				"byte by byte": iotest.OneByteReader(bytes.NewReader(text)),
				"data, err":    iotest.DataErrReader(bytes.NewReader(text)),
			} {
				again, err := json.MarshalIndent(shown(readAll(t, r)), "", " ")
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(got), string(again)); diff != "" {
					t.Errorf("%s differs:\n%s", name, diff)
				}
			}
		})
	}
}

// shown gives a reading with words instead of numbers and without empty
// fields, as the golden files hold it.
func shown(r reading) map[string]any {
	var records []map[string]any
	for _, x := range r.Records {
		body, err := json.Marshal(x)
		if err != nil {
			panic(err)
		}
		m := map[string]any{}
		if err := json.Unmarshal(body, &m); err != nil {
			panic(err)
		}
		for k, v := range m {
			if v == "" || v == false || v == 0.0 || v == "0001-01-01T00:00:00Z" {
				delete(m, k)
			}
		}
		delete(m, "Identity")
		m["Outcome"] = x.Outcome.String()
		if x.Expected != posture.ExpectedUnknown {
			m["Expected"] = x.Expected.String()
		}
		if id := x.Identity.Map(); len(id) > 0 {
			m["Identity"] = id
		}
		if x.Duration > 0 {
			m["Duration"] = x.Duration.String()
		}
		records = append(records, m)
	}
	return map[string]any{"meta": r.Meta, "problems": r.Problems, "records": records, "refused": r.Refused}
}

func readAll(t *testing.T, r io.Reader) reading {
	t.Helper()
	var got reading
	meta, err := junit.Format{}.Read(t.Context(), r, func(x *posture.Result) error {
		got.Records = append(got.Records, x)
		return nil
	}, func(p posture.Problem) { got.Problems = append(got.Problems, p) })
	got.Meta = meta
	var refusal *importers.Refusal
	switch {
	case errors.As(err, &refusal):
		got.Refused = refusal.Error()
	case err != nil:
		t.Fatal(err)
	}
	return got
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", "is not an XML report"},
		{"plain", "not xml\n", "is not an XML report"},
		{"no case", "<testsuites/>", "holds no test case; nothing was recognised to import"},
		{"empty suites", "<testsuites>\n<testsuite tests='3'/>\n</testsuites>", "holds no test case; nothing was recognised to import"},
		{"broken before a case", "<testsuites>\n<testsuite>\n<testcase", "line 3: is not well-formed XML from here on, and no complete test case stands before it"},
		{"nunit", "<?xml version='1.0'?>\n<test-run id='1'/>", "line 2: is not a JUnit report: its root element is <test-run>"},
		{"doctype", "<?xml version='1.0'?>\n\n<!DOCTYPE testsuites [<!ENTITY a 'b'>]>\n<testsuites><testcase name='a'/></testsuites>", "line 3: declares a document type (DOCTYPE or ENTITY), which is never read; remove the declaration"},
		{"entity", "<testsuites>\n<testcase name='a'/>\n<testcase name='&xxe;'/></testsuites>", "line 3: refers to the entity &xxe;, and entities are never read; write the text itself"},
		{"encoding", "<?xml version='1.0' encoding='x-klingon'?><testsuites><testcase name='a'/></testsuites>", `line 1: declares the encoding "x-klingon", which is not known here; save the file as UTF-8`},
		{"encoding that hides text", "<?xml version='1.0' encoding='iso-2022-kr'?><testsuites><testcase name='a'/></testsuites>", `line 1: declares the encoding "iso-2022-kr", which is not known here; save the file as UTF-8`},
		{"deep", strings.Repeat("<testsuite>", 600), "line 1: nests elements more than 512 deep"},
		{"wide", "<testsuite name='a'" + strings.Repeat(" a='"+strings.Repeat("b", 60000)+"'", 20) + "/>", "line 1: holds a tag of more than 1 MiB; shorten its attributes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := readAll(t, strings.NewReader(c.in)); got.Refused != c.want {
				t.Errorf("got  %q\nwant %q", got.Refused, c.want)
			}
		})
	}
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	report := func(encoding string) string {
		return "<?xml version='1.0' encoding='" + encoding + "'?>\n<testsuites>\n<testcase name='Straße'/></testsuites>"
	}
	latin, err := charmap.ISO8859_1.NewEncoder().String(report("ISO-8859-1"))
	if err != nil {
		t.Fatal(err)
	}
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(report("utf-16"))
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]string{
		"latin 1": latin, "UTF-16": wide, "UTF-8": report("UTF-8"), "mark": "\ufeff" + report("utf-8"),
		"declared UTF-16 and is none": report("utf-16"), "XML 1.1": strings.Replace(report("UTF-8"), "1.0", "1.1", 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := readAll(t, strings.NewReader(in))
			if len(got.Records) != 1 || got.Records[0].Name != "Straße" || got.Records[0].Line != 3 {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// A text of any size costs no more than 64 KiB, what was cut is counted, and
// the lines after it are right.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	const size, lines = 8 << 20, 1000
	text := strings.Repeat(strings.Repeat("x", size/lines-1)+"\n", lines)
	in := "<testsuites>\n<testcase name='a'><system-out>" + text + "</system-out></testcase>\n" +
		"<testcase name='b'><system-out><![CDATA[" + text + "]]></system-out><failure message='" + strings.Repeat("&amp;", 1<<20) + "'/></testcase>\n" +
		"<!-- " + text + " --><testcase name='c'/></testsuites>"
	got := readAll(t, strings.NewReader(in))
	if len(got.Records) != 3 {
		t.Fatalf("read %d records: %s %+v", len(got.Records), got.Refused, got.Problems)
	}
	for i, wantLine := range []int{2, lines + 3, 3*lines + 4} {
		if r := got.Records[i]; r.Line != wantLine || len(r.Text) > 64<<10 || len(r.Message) > 64<<10 {
			t.Errorf("%s: line %d, want %d; text %d, message %d", r.Name, r.Line, wantLine, len(r.Text), len(r.Message))
		}
	}
	a, b := got.Records[0], got.Records[1]
	if want := int64(len(text) - len(strings.TrimPrefix(a.Text, "system-out:\n"))); a.Cut < want || a.Cut > want+64 {
		t.Errorf("cut %d, want about %d", a.Cut, want)
	}
	if strings.Trim(b.Message, "&") != "" || b.Cut < size {
		t.Errorf("message ends %q, cut %d", b.Message[len(b.Message)-9:], b.Cut)
	}
}

// Whatever stands between the cases, each is found on its line.
func TestLines(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"\n", " ", "<!-- a\n\nb -->", "<?pi a\nb?>", "<testsuite\nname='s'>\n</testsuite>", "&#27;\n", "<system-out>a\nb</system-out>",
		"<![CDATA[\n<testcase>\n]]>", "\x01\n", "é\n", "<properties>\n<property name='a' value='&#10;\n'/></properties>",
		"<!-- " + strings.Repeat("y\n", 40000) + " -->", "<system-err>" + strings.Repeat("line\n", 20000) + "</system-err>",
	}
	rapid.Check(t, func(r *rapid.T) {
		var text strings.Builder
		text.WriteString("<testsuites>")
		var want []int
		for range rapid.IntRange(1, 6).Draw(r, "cases") {
			for _, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 4).Draw(r, "between") {
				text.WriteString(p)
			}
			want = append(want, 1+strings.Count(text.String(), "\n"))
			text.WriteString("<testcase\n name='c'\n/>")
		}
		text.WriteString("</testsuites>")
		in := text.String()
		var got []int
		_, err := junit.Format{}.Read(t.Context(), strings.NewReader(in), func(x *posture.Result) error {
			got = append(got, x.Line)
			return nil
		}, func(posture.Problem) {})
		if err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			r.Fatalf("lines (-want +got):\n%s\nin %q", diff, in)
		}
	})
}

func TestStopsWithItsCaller(t *testing.T) {
	t.Parallel()
	stop := errors.New("enough")
	n := 0
	_, err := junit.Format{}.Read(t.Context(), strings.NewReader("<testsuite><testcase/><testcase/></testsuite>"), func(*posture.Result) error {
		n++
		return stop
	}, func(posture.Problem) {})
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("%d records, %v", n, err)
	}
	broken := io.MultiReader(strings.NewReader("<testsuite><testcase/>"), iotest.ErrReader(stop))
	if _, err := (junit.Format{}).Read(t.Context(), broken, func(*posture.Result) error { return nil }, func(posture.Problem) {}); !errors.Is(err, stop) {
		t.Errorf("got %v, want the reader's error", err)
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, s := range []string{"", "<testsuite><testcase/>", "<testsuites><testcase name='&#0;'>]]>", "\xff\xfe<\x00", "<testsuites><![CDATA[", "<testsuite a='&"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		seen := map[int]bool{}
		once := func(seq int) {
			if seen[seq] || seq < 1 {
				t.Fatalf("record %d twice or out of range", seq)
			}
			seen[seq] = true
		}
		lines := 1 + bytes.Count(in, []byte{'\n'})
		_, err := junit.Format{}.Read(t.Context(), bytes.NewReader(in), func(r *posture.Result) error {
			once(r.Seq)
			if r.Outcome == posture.OutcomeUnknown || r.Line < 1 || r.Line > lines && in[0] < 0x80 && bytes.IndexByte(in, 0) < 0 {
				t.Fatalf("record %+v of %d lines", r, lines)
			}
			if strings.ContainsRune(r.Name+r.Text+r.Message, 0) {
				t.Fatalf("NUL in %+v", r)
			}
			return nil
		}, func(p posture.Problem) {
			if p.Severity == importers.Refused {
				once(p.Record)
			}
		})
		if err == nil && len(seen) == 0 {
			t.Fatal("nothing read and no refusal")
		}
		for seq := range len(seen) {
			if !seen[seq+1] {
				t.Fatalf("record %d of %d is missing", seq+1, len(seen))
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var in bytes.Buffer
	in.WriteString("<testsuites><testsuite name='com.acme.Isolation' timestamp='2026-11-23T09:15:00Z'>\n")
	for i := range 50000 {
		fmt.Fprintf(&in, "<testcase classname='com.acme.Isolation' name='reads file %d of another session' time='0.012'>", i)
		if i%25 == 0 {
			in.WriteString("<failure message='expected 403'><![CDATA[at line 7\nat line 9]]></failure>")
		}
		in.WriteString("</testcase>\n")
	}
	in.WriteString("</testsuite></testsuites>")
	b.SetBytes(int64(in.Len()))
	b.ReportAllocs()
	for b.Loop() {
		_, err := junit.Format{}.Read(b.Context(), bytes.NewReader(in.Bytes()), func(*posture.Result) error { return nil }, func(posture.Problem) {})
		if err != nil {
			b.Fatal(err)
		}
	}
}
