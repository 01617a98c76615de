package web

import (
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"demarc/store/posture"
)

// form reads the fields of a request as typed values. What is wrong is
// collected and given by Err; what was typed stays in Typed, to be shown again.
type form struct {
	values url.Values
	files  map[string][]*multipart.FileHeader
	fields posture.Fields
	err    error
}

// memoryForUploads is how much of an upload is kept in memory; the rest waits
// on disk.
const memoryForUploads = 2 << 20

// readForm reads the body of a POST. An error of reading is given by Err.
func readForm(c echo.Context) *form {
	r := c.Request()
	err := r.ParseMultipartForm(memoryForUploads)
	if errors.Is(err, http.ErrNotMultipart) {
		err = r.ParseForm()
	}
	f := &form{values: r.PostForm, err: err}
	if r.MultipartForm != nil {
		f.files = r.MultipartForm.File
	}
	return f
}

// readQuery reads the query of a GET, for filters.
func readQuery(c echo.Context) *form { return &form{values: c.QueryParams()} }

// Err gives what is wrong: with the request as a whole, or an Invalid error
// with the fields.
func (f *form) Err() error {
	var tooLarge *http.MaxBytesError
	switch {
	case f.err == nil:
		return f.fields.Err()
	case errors.As(f.err, &tooLarge):
		return f.err
	default:
		return &posture.Error{Kind: posture.Invalid, Text: "The form arrived damaged. Open the page again and send it once more.", Err: f.err}
	}
}

// Fail records that a field is wrong; a field's first sentence stands.
func (f *form) Fail(name, text string) {
	if !slices.ContainsFunc(f.fields, func(e posture.FieldError) bool { return e.Field == name }) {
		f.fields.Add(name, text)
	}
}

// Typed gives a field as it was typed.
func (f *form) Typed(name string) string { return f.values.Get(name) }

// TypedAll gives every value of a field as it was typed.
func (f *form) TypedAll(name string) []string { return f.values[name] }

// Text reads a field of at most limit characters, without the spaces around
// it. Line breaks are kept as "\n"; other control characters are refused.
func (f *form) Text(name string, limit int) string {
	s := strings.TrimSpace(strings.ReplaceAll(f.values.Get(name), "\r\n", "\n"))
	switch n := utf8.RuneCountInString(s); {
	case !utf8.ValidString(s) || strings.ContainsFunc(s, isControl):
		f.Fail(name, "This holds characters that cannot be shown. Type it again without them.")
	case n > limit:
		f.Fail(name, fmt.Sprintf("This has %d characters. At most %d fit.", n, limit))
	}
	return s
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// Required reads a Text field that must not be empty.
func (f *form) Required(name string, limit int) string {
	s := f.Text(name, limit)
	if s == "" {
		f.Fail(name, "This cannot be left empty.")
	}
	return s
}

// Secret reads a password as it is, spaces included.
func (f *form) Secret(name string) string {
	s := f.values.Get(name)
	if s == "" {
		f.Fail(name, "This cannot be left empty.")
	}
	return s
}

// Choice reads one of the allowed values.
func (f *form) Choice(name string, allowed ...string) string {
	s := f.values.Get(name)
	if !slices.Contains(allowed, s) {
		f.Fail(name, "Choose one of: "+choiceWords(allowed)+".")
	}
	return s
}

func choiceWords(allowed []string) string {
	words := make([]string, 0, len(allowed))
	for _, a := range allowed {
		if a != "" {
			words = append(words, strings.ReplaceAll(a, "_", " "))
		}
	}
	return strings.Join(words, ", ")
}

// Choices reads any number of the allowed values.
func (f *form) Choices(name string, allowed ...string) []string {
	var out []string
	for _, s := range f.values[name] {
		if !slices.Contains(allowed, s) {
			f.Fail(name, "Choose any of: "+choiceWords(allowed)+".")
			continue
		}
		out = append(out, s)
	}
	return out
}

// Date reads a day as its midnight in UTC; zero when empty.
func (f *form) Date(name string) time.Time {
	s := strings.TrimSpace(f.values.Get(name))
	if s == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		f.Fail(name, "Give a day as year, month and day, such as 2026-10-31.")
	}
	return t
}

// RequiredDate reads a Date that must not be empty.
func (f *form) RequiredDate(name string) time.Time {
	t := f.Date(name)
	if t.IsZero() {
		f.Fail(name, "Give a day.")
	}
	return t
}

// Instant reads a date and time of an input of type datetime-local, taken as
// UTC; zero when empty.
func (f *form) Instant(name string) time.Time {
	s := strings.TrimSpace(f.values.Get(name))
	if s == "" {
		return time.Time{}
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	f.Fail(name, "Give a day and a time in UTC, such as 2026-10-31T14:02.")
	return time.Time{}
}

// Lines reads a field with one entry a line, empty lines left out; at most
// limit entries of at most 500 characters.
func (f *form) Lines(name string, limit int) []string {
	var out []string
	for line := range strings.Lines(f.Text(name, limit*501)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if utf8.RuneCountInString(line) > 500 {
			f.Fail(name, fmt.Sprintf("Line %d has more than 500 characters.", len(out)+1))
		}
		out = append(out, line)
	}
	if len(out) > limit {
		f.Fail(name, fmt.Sprintf("These are %d lines. At most %d fit.", len(out), limit))
	}
	return out
}

// Int reads a whole number from low to high.
func (f *form) Int(name string, low, high int) int {
	n, err := strconv.Atoi(strings.TrimSpace(f.values.Get(name)))
	if err != nil || n < low || n > high {
		f.Fail(name, fmt.Sprintf("Give a whole number from %d to %d.", low, high))
	}
	return n
}

// ID reads the id of a record from the query or a hidden field; 0 when empty.
func (f *form) ID(name string) int64 {
	s := f.values.Get(name)
	if s == "" {
		return 0
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		f.Fail(name, "This is not the number of a record.")
	}
	return n
}

// IDs reads any number of ids, each field value holding one or several parted
// by commas.
func (f *form) IDs(name string) []int64 {
	var out []int64
	for _, s := range f.values[name] {
		for part := range strings.SplitSeq(s, ",") {
			if part == "" {
				continue
			}
			n, err := strconv.ParseInt(part, 10, 64)
			if err != nil || n <= 0 {
				f.Fail(name, "Choose from the list.")
				continue
			}
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Bool reads a check box.
func (f *form) Bool(name string) bool { return f.values.Get(name) == "yes" }

// File gives the uploaded file of a field; nil with a field error when none
// was chosen. The caller opens and closes it.
func (f *form) File(name string) *multipart.FileHeader {
	if files := f.files[name]; len(files) > 0 && files[0].Size > 0 {
		return files[0]
	}
	f.Fail(name, "Choose a file that is not empty.")
	return nil
}

// Files gives all uploaded files of a field.
func (f *form) Files(name string) []*multipart.FileHeader { return f.files[name] }
