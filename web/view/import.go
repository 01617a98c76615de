package view

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// HeldFor is how long a previewed file waits for its confirmation, in words.
const HeldFor = "15 minutes"

// MostReceivers bounds how many receivers of one file are asked about.
const MostReceivers = 20

// Import is the form of an import and, once the file was read, its preview.
type Import struct {
	Draft
	// Runtime is the slug that is chosen, empty for none.
	Runtime  string
	runtimes []posture.SubjectRef
	// Subjects are what the results were taken on: the runtime's unit first,
	// then the receivers that the file names.
	Subjects []ImportSubject
	// Preview is nil until a file was read.
	Preview *ImportPreview
}

// ImportSubject is one subject that results were taken on.
type ImportSubject struct {
	Ref posture.SubjectRef
	// Target is the identity in force.
	Target posture.Identity
	// Taken is what the results say they were taken on; Several are the facets
	// of which they give more than one value.
	Taken   posture.Identity
	Several posture.FacetSet
	Fields  ImportFields
}

// ImportPreview is what a file would do.
type ImportPreview struct {
	Receipt posture.Receipt
	// Size is in bytes.
	Size     int
	Mapping  string
	Identity string
	// Another says that the file is another than the one previewed before.
	Another bool
	rows    []importRow
}

type importRow struct {
	posture.Result
	effect string
}

// ImportFields names the fields that ask what a subject was: the unit where
// Slug is empty.
type ImportFields struct{ Slug string }

// Same names the boxes of the facets that were as in force.
func (f ImportFields) Same() string {
	if f.Slug == "" {
		return "same"
	}
	return "same." + f.Slug
}

// Facet names the field of what a facet was.
func (f ImportFields) Facet(facet posture.Facet) string {
	if f.Slug == "" {
		return "id." + facet.String()
	}
	return "id." + f.Slug + "." + facet.String()
}

// AskedSubjects lists the subjects whose fields were sent: the unit, which is
// the empty slug, then receivers.
func AskedSubjects(values url.Values) []string {
	slugs := []string{""}
	for _, name := range sortedKeys(values) {
		parts := strings.Split(name, ".")
		about := (parts[0] == "id" && len(parts) == 3) || (parts[0] == "same" && len(parts) == 2)
		if about && !slices.Contains(slugs, parts[1]) && len(slugs) <= MostReceivers {
			slugs = append(slugs, parts[1])
		}
	}
	return slugs
}

// NewImport begins the form with what is known.
func NewImport(typed url.Values) Import {
	labels := map[string]string{
		"file": "Results file", "map": "Mapping file", "identity": "Identity file", "runtime": "Runtime", "observed_at": "Observed at",
		"zone": "Time zone", "tester": "Tester", "run": "Name of the run",
	}
	return Import{Draft: Draft{Typed: typed, labels: labels}, Runtime: typed.Get("runtime")}
}

// With gives the form with what is wrong with it.
func (m Import) With(errs ui.Errors) Import {
	m.Errors = errs
	for i := range m.Errors.Fields {
		m.Errors.Fields[i].Text = pageWords(m.Errors.Fields[i].Text)
	}
	return m
}

// Add gives a subject that the results were taken on; the form asks what it
// was.
func (m *Import) Add(s ImportSubject) {
	for _, f := range posture.Facets() {
		label := ui.FacetWords(f)
		if s.Ref.Kind == posture.Receiver {
			label += " of " + s.Ref.Slug
		}
		m.labels[s.Fields.Facet(f)] = label
	}
	m.Subjects = append(m.Subjects, s)
}

// unit gives the runtime's unit, nil where no runtime is known.
func (m *Import) unit() *ImportSubject {
	if len(m.Subjects) > 0 && m.Subjects[0].Ref.Kind == posture.Unit {
		return &m.Subjects[0]
	}
	return nil
}

// Choose gives the runtimes to choose from.
func (m *Import) Choose(subjects []posture.SubjectRef) {
	for _, s := range subjects {
		if s.Kind == posture.Unit {
			m.runtimes = append(m.runtimes, s)
		}
	}
}

func (m *Import) runtimeField() ui.Field {
	f := m.field("runtime", "A file may name it itself. A run without one is kept and reaches no cell.")
	f.Value = m.Runtime
	f.Options = []ui.Option{{Text: "as the file says"}}
	for _, r := range m.runtimes {
		f.Options = append(f.Options, ui.Option{Value: r.Slug, Text: r.Name + " (" + r.Slug + ")"})
	}
	return f
}

func (m *Import) zoneField() ui.Field {
	f := m.sized("zone", "Of times that carry none, and of the field before.", 60)
	if f.Value == "" {
		f.Value = "UTC"
	}
	for _, z := range []string{"UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Kolkata", "Asia/Tokyo"} {
		f.Options = append(f.Options, ui.Option{Value: z})
	}
	return f
}

func (m *Import) observedField() ui.Field {
	return m.field("observed_at", "For results without a time in the file: never taken as now. In the time zone below.")
}

func (m *Import) file(name, hint, accept string) ui.Field {
	f := m.field(name, hint)
	f.Accept = accept
	return f
}

// same says whether a box was ticked.
func (m *Import) same(s *ImportSubject, f posture.Facet) bool {
	return slices.Contains(m.Typed[s.Fields.Same()], f.String())
}

// Foresee says what the results were taken on and what each of the first
// will do.
func (m *Import) Foresee(in posture.Import, rows []posture.Result) {
	for i := range m.Subjects {
		s := &m.Subjects[i]
		if s.Ref.Kind == posture.Unit {
			for name, v := range m.Preview.Receipt.Identity {
				if f, err := posture.ParseFacet(name); err == nil {
					s.Taken[f] = v
				}
			}
			continue
		}
		first := true
		for k := range rows {
			if rows[k].Receiver != s.Ref.Slug {
				continue
			}
			s.meet(in.IdentityOf(&rows[k]), first)
			first = false
		}
	}
	for i := range rows {
		m.Preview.rows = append(m.Preview.rows, importRow{rows[i], m.effectOf(&in, &rows[i])})
	}
}

// meet keeps the facets on which the results agree.
func (s *ImportSubject) meet(taken posture.Identity, first bool) {
	if first {
		s.Taken = taken
		return
	}
	for f, v := range taken {
		if s.Taken[f] != v {
			s.Taken[f] = ""
			s.Several |= posture.Of(posture.Facet(f))
		}
	}
}

func (m *Import) effectOf(in *posture.Import, r *posture.Result) string {
	kind := posture.Unit
	if r.Receiver != "" {
		kind = posture.Receiver
	}
	taken := in.IdentityOf(r)
	var target *posture.Identity
	for i := range m.Subjects {
		s := &m.Subjects[i]
		if in.Attributed() && s.Ref.Kind == kind && (kind == posture.Unit || s.Ref.Slug == r.Receiver) {
			target = &s.Target
		}
	}
	result := *r
	if result.Run == "" {
		// The one run of a file needs no name there; its results pair all the same.
		result.Run = in.File
	}
	return posture.Effect(&result, kind, target, &taken)
}

// asked are the facets that pages ask for, and further ones that are known.
func (s *ImportSubject) asked() []posture.Facet {
	var list []posture.Facet
	for _, f := range posture.Facets() {
		optional := f == posture.Tools || f == posture.Model || f == posture.Environment || (f == posture.Image && s.Ref.Kind == posture.Receiver)
		if !optional || s.Target[f] != "" || s.Taken[f] != "" {
			list = append(list, f)
		}
	}
	return list
}

// result says how a facet of the results compares with the target in force.
func (s *ImportSubject) result(f posture.Facet) (words string, loud bool) {
	switch {
	case s.Several.Has(f):
		return "several values", true
	case s.Taken[f] == "":
		return "not stated", true
	case s.Target[f] == "":
		return "not recorded", true
	case posture.Compare(&s.Taken, &s.Target, posture.Of(f)) == posture.Drifted:
		return "drifted", true
	case posture.Compare(&s.Taken, &s.Target, posture.Of(f)) == posture.Unidentified:
		return "cannot be compared", true
	default:
		return "match", false
	}
}

// matching counts the facets that match, of those asked.
func (s *ImportSubject) matching() string {
	asked, n := s.asked(), 0
	for _, f := range asked {
		if words, _ := s.result(f); words == "match" {
			n++
		}
	}
	return strconv.Itoa(n) + " of " + ui.Plural(len(asked), "facet matches", "facets match")
}

// means says what the comparison does to the results.
func (s *ImportSubject) means() string {
	need := posture.Required(posture.KindTest, "", s.Ref.Kind) | posture.Of(posture.Vendor, posture.Product, posture.Variant)
	moved, unknown := posture.Differing(&s.Taken, &s.Target, need)
	switch {
	case len(moved) > 0:
		return ui.Sentence(posture.FacetWords(moved)) + " " + isAre(len(moved)) + " not what runs: passes in this file lift nothing " + judgedWords(s.Ref) +
			". What should have been refused and was not still counts, or casts suspicion."
	case len(unknown) > 0:
		return ui.Sentence(posture.FacetWords(unknown)) + " " + isAre(len(unknown)) + " not known on both sides: passes in this file lift nothing " +
			judgedWords(s.Ref) + ". What should have been refused and was not still counts."
	default:
		return "Everything that evidence needs matches " + judgedWords(s.Ref) + ": these results count in full."
	}
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// problemsOf keeps the problems of a severity.
func problemsOf(r *posture.Receipt, severities ...string) []posture.Problem {
	var list []posture.Problem
	for _, p := range r.Problems {
		if slices.Contains(severities, p.Severity) {
			list = append(list, p)
		}
	}
	return list
}

// flagged are the words by which the importer names what a command line says;
// pages have fields for it.
var flagged = strings.NewReplacer(
	"say when it was observed with --observed-at", "say when it was observed, under “Observed at”",
	"say another with --zone", "choose another time zone",
	"; --zone says another", "; the time zone can be changed",
	"; say --runtime", "; choose the runtime",
)

var receiverFlag = regexp.MustCompile(`add --receiver (\S+?):version=… and its other facets`)

// pageWords says on a page what a problem asks for.
func pageWords(what string) string {
	return receiverFlag.ReplaceAllString(flagged.Replace(what), "say what $1 was under “What it was taken on”")
}

// sizeWords writes a number of bytes.
func sizeWords(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n) + " bytes"
	case n < 1_000_000:
		return strconv.Itoa((n+500)/1000) + " kB"
	default:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
	}
}

// ImportedWords says what an import did, for the page that follows.
func ImportedWords(r *posture.Receipt) string {
	return readWordsOf(r, "stored") + " " + MovedWords(r.Moved)
}

// readWordsOf is the account of a file: read = stored + refused.
func readWordsOf(r *posture.Receipt, stored string) string {
	return ui.Plural(r.Records.Read, "record", "records") + " read = " + ui.Count(r.Records.Stored) + " " + stored + " + " +
		ui.Count(r.Records.Refused) + " refused."
}

// keptWith lists what was typed, with the previewed file instead of the one
// before, for the hidden fields of the confirmation.
func (m *Import) keptWith(held string) []pair {
	list := slices.DeleteFunc(m.kept(), func(p pair) bool { return p.name == "held" || p.name == "runtime" })
	return append(list, pair{"held", held}, pair{"runtime", m.Runtime})
}
