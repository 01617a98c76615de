package importers

import (
	"bytes"
	"strings"
)

const emptyFile = "the file is empty"

// known are root elements of test reports and documents that people hand in
// beside the formats read here.
var known = map[string]string{
	"test-run":           "an NUnit 3 report (<test-run>)",
	"test-results":       "an NUnit 2 report (<test-results>)",
	"assemblies":         "an xUnit.net report (<assemblies>)",
	"testrun":            "a Visual Studio test report (<TestRun>)",
	"testng-results":     "a TestNG report (<testng-results>)",
	"result":             "a Jenkins result file (<result>), not the report the tests wrote",
	"robot":              "a Robot Framework output (<robot>)",
	"site":               "a CTest report (<Site>)",
	"coverage":           "a coverage report (<coverage>)",
	"checkstyle":         "a Checkstyle report (<checkstyle>)",
	"assessment-results": "OSCAL assessment results",
	"html":               "an HTML page",
	"svg":                "an SVG drawing",
}

// magics are the first bytes of files that are no text.
var magics = []struct{ prefix, what string }{
	{"PK\x03\x04", "a ZIP archive or an XLSX workbook"},
	{"\x1f\x8b", "a gzip archive"},
	{"BZh", "a bzip2 archive"},
	{"\xfd7zXZ", "an xz archive"},
	{"\x28\xb5\x2f\xfd", "a zstd archive"},
	{"%PDF-", "a PDF document"},
	{"\x89PNG", "a picture"},
	{"\xff\xd8\xff", "a picture"},
	{"\x7fELF", "a program"},
	{"SQLite format 3", "an SQLite database"},
}

// looksLike says in words what a file of no known format seems to be.
func looksLike(head []byte, root string) string {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.prefix)) {
			return m.what
		}
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(head, utf8BOM))
	switch {
	case len(text) == 0:
		return emptyFile
	case bytes.IndexByte(text, 0) >= 0:
		return "a binary file"
	case text[0] == '<':
		return xmlLike(root)
	case text[0] == '{' || text[0] == '[':
		return jsonLike(text)
	default:
		return plainLike(string(text[:min(len(text), 4096)]))
	}
}

func xmlLike(root string) string {
	if what, ok := known[strings.ToLower(root)]; ok {
		return what
	}
	if root == "" {
		return "a fragment of XML without a root element"
	}
	return "XML with the root element <" + root + ">"
}

func jsonLike(text []byte) string {
	has := func(key string) bool { return bytes.Contains(text, []byte(`"`+key+`"`)) }
	switch {
	case has("Action") && (has("Package") || has("ImportPath")):
		return "go test -json output"
	case has("runs") && (has("$schema") || has("version")) && bytes.Contains(text, []byte("sarif")):
		return "SARIF"
	case has("results") && has("tool") && has("summary"):
		return "a CTRF report"
	default:
		return "JSON"
	}
}

func plainLike(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	first = strings.TrimSpace(first)
	switch {
	case strings.HasPrefix(first, "TAP version"), strings.HasPrefix(first, "1.."),
		strings.HasPrefix(first, "ok 1"), strings.HasPrefix(first, "not ok 1"):
		return "TAP output"
	case strings.Count(first, ",") >= 2, strings.Count(first, ";") >= 2, strings.Count(first, "\t") >= 2:
		return "a CSV table"
	case strings.HasPrefix(first, "---"):
		return "YAML"
	default:
		return "plain text"
	}
}
