// Package junit reads JUnit XML reports as any test runner writes them. There
// is no official form; formats.md §3.1 lists what is met. The reader streams:
// it holds one test case at a time and at most 64 KiB of each text in it.
//
// A report says what Demarc needs beyond the outcome in properties whose names
// begin with "demarc." (see Properties). Nothing is read out of the names of
// tests: above all, whether access was expected to be refused.
package junit

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/transform"

	"demarc/importers"
	"demarc/store/posture"
)

// Format is the JUnit XML format.
type Format struct{}

var _ importers.Format = Format{}

// Name is "junit".
func (Format) Name() string { return "junit" }

// Detect says whether the first element is testsuites or testsuite.
func (Format) Detect(head []byte, _ string) bool {
	name := importers.XMLRoot(head).Name
	return name == "testsuites" || name == "testsuite"
}

// Read streams the test cases of a report; a failure or error of a suite
// itself is a record named by the suite. See importers.Format.
func (Format) Read(ctx context.Context, r io.Reader, emit func(*posture.Result) error, note func(posture.Problem)) (importers.Meta, error) {
	text, err := open(r)
	if err != nil {
		return importers.Meta{}, err
	}
	return newReader(ctx, newFilter(text), emit, note).read()
}

// open gives the report as UTF-8, whatever encoding its mark or declaration
// names.
func open(r io.Reader) (*bufio.Reader, error) {
	text, transcoded, err := importers.Text(r)
	if err != nil {
		return nil, fmt.Errorf("read the report: %w", err)
	}
	if transcoded {
		return text, nil
	}
	head, err := text.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the report: %w", err)
	}
	label := declared(head)
	switch label {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		return text, nil
	case "utf-16", "utf-16le", "utf-16be", "ucs-2", "unicode":
		return text, nil // the declaration is wrong: it could be read as bytes
	}
	enc, name := charset.Lookup(label)
	if enc == nil || name == "replacement" {
		return nil, importers.Refuse(1, "declares the encoding %q, which is not known here; save the file as UTF-8", label)
	}
	return bufio.NewReaderSize(transform.NewReader(text, enc.NewDecoder()), importers.HeadSize), nil
}

var encodingName = regexp.MustCompile(`encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']`)

// declared gives the encoding of the XML declaration in lower case, empty
// where there is none.
func declared(head []byte) string {
	head = bytes.TrimLeft(head, " \t\r\n")
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	end := bytes.Index(head, []byte("?>"))
	if end < 0 {
		return ""
	}
	found := encodingName.FindSubmatch(head[:end])
	if found == nil {
		return ""
	}
	return strings.ToLower(string(found[1]))
}
