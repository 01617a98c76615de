//go:build samples

package junit_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"demarc/importers"
	"demarc/importers/results/junit"
)

var (
	statedCases = regexp.MustCompile(`([\d,]+) cases`)
	comment     = regexp.MustCompile(`(?s)<!--.*?-->`)
)

// TestSamples reads real reports from the folder DEMARC_SAMPLES, whose
// INDEX.tsv says of some how many cases they hold.
func TestSamples(t *testing.T) {
	t.Parallel()
	root := os.Getenv("DEMARC_SAMPLES")
	index, err := os.ReadFile(filepath.Join(root, "INDEX.tsv"))
	if err != nil {
		t.Fatalf("DEMARC_SAMPLES: %v", err)
	}
	tsv := csv.NewReader(bytes.NewReader(index))
	tsv.Comma, tsv.LazyQuotes, tsv.FieldsPerRecord = '\t', true, -1
	rows, err := tsv.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, row := range rows {
		if row[1] != "junit" && row[1] != "testkube" {
			continue
		}
		n++
		t.Run(row[0], func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join(root, row[0]))
			if err != nil {
				t.Fatal(err)
			}
			got := readAll(t, bytes.NewReader(text))
			want := 0
			if m := statedCases.FindStringSubmatch(row[len(row)-1]); m != nil {
				want, _ = strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
			}
			if want == 0 {
				want = bytes.Count(comment.ReplaceAll(text, nil), []byte("<testcase"))
			}
			junk := strings.Contains(row[len(row)-1], "NOT well-formed") || !(junit.Format{}).Detect(text[:min(len(text), importers.HeadSize)], row[0])
			switch {
			case junk && got.Refused == "":
				t.Errorf("was read: %d records", len(got.Records))
			case junk:
			case want == 0 && got.Refused == "":
				t.Error("holds no case and was not refused")
			case len(got.Records) < want, len(got.Records) > want+1: // a suite may fail itself
				t.Errorf("%d records of %d cases (%s)", len(got.Records), want, got.Refused)
			}
			lines := 1 + bytes.Count(text, []byte{'\n'})
			at := strings.Split(string(text), "\n")
			for _, r := range got.Records {
				if r.Line < 1 || r.Line > lines || !strings.Contains(at[r.Line-1], "<test") {
					t.Fatalf("%s is said to stand on line %d", r.Name, r.Line)
				}
			}
		})
	}
	if n < 40 {
		t.Errorf("only %d samples", n)
	}
}
