package web

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"demarc/importers/intake"
	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view"
)

// importAsk is the form of an import as it was sent.
type importAsk struct {
	form *form
	importFiles
	person int64
	// digest is the SHA-256 of the results file at hand.
	digest string
	zone   *time.Location
	// observedAt is for results without a time in the file.
	observedAt time.Time
}

// readImport reads the fields; the files are chosen afterwards.
func (s *Server) readImport(c echo.Context) *importAsk {
	// Received bytes may hold secrets: all of them stay in memory, none waits on
	// disk. What is wrong with the request readForm finds again.
	_ = c.Request().ParseMultipartForm(maxUpload)
	f := readForm(c)
	ask := &importAsk{form: f, person: access(c).Person}
	f.Text("runtime", maxName)
	f.Text("tester", maxName)
	f.Text("run", maxName)
	ask.zone = readZone(f)
	if typed := f.Text("observed_at", maxName); typed != "" {
		at, err := intake.ParseInstant(typed, ask.zone)
		if err != nil {
			f.Fail("observed_at", "Give a day and a time, such as 2026-11-23T09:15.")
		}
		if at.After(s.now()) {
			f.Fail("observed_at", "This lies ahead. Give the time at which the tests ran.")
		}
		ask.observedAt = at
	}
	ask.results, ask.mapping, ask.identity = readUpload(f, "file"), readUpload(f, "map"), readUpload(f, "identity")
	return ask
}

// readZone reads a time zone by its name or its offset; UTC when empty.
func readZone(f *form) *time.Location {
	name := f.Text("zone", maxName)
	if at, err := time.Parse("-07:00", name); err == nil {
		_, offset := at.Zone()
		return time.FixedZone(name, offset)
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		f.Fail("zone", "This is no time zone. Write UTC, Europe/Berlin or +02:00.")
		return time.UTC
	}
	return zone
}

// chosenFiles completes the files by those that wait from the step before.
func (s *Server) chosenFiles(ask *importAsk) error {
	f := ask.form
	before, found := s.held.get(ask.person, f.Typed("held"))
	if ask.results == nil && !found {
		text := "Choose a results file."
		if f.Typed("held") != "" {
			text = "The file is no longer held here: it waits for " + view.HeldFor + " and on one server only. Choose it again."
		}
		return posture.InvalidField("file", text)
	}
	if ask.results == nil {
		ask.results = before.results
	}
	if ask.mapping == nil {
		ask.mapping = before.mapping
	}
	if ask.identity == nil {
		ask.identity = before.identity
	}
	if f.Bool("drop_map") {
		ask.mapping = nil
	}
	if f.Bool("drop_identity") {
		ask.identity = nil
	}
	if int64(len(ask.results.Body)) > intake.DefaultMaxBytes {
		return posture.InvalidField("file", "The file is larger than 10 MiB. Split it by suite, or import it with “demarc import” on the server.")
	}
	sum := sha256.Sum256(ask.results.Body)
	ask.digest = hex.EncodeToString(sum[:])
	return nil
}

// confirmed says that what was previewed is to be done: that file and no other.
func (ask *importAsk) confirmed() bool {
	return ask.form.Typed(view.ConfirmField) == view.ConfirmIt && ask.form.Typed("held") == ask.digest
}

// another says that a confirmation came with another file than was previewed.
func (ask *importAsk) another() bool {
	return ask.form.Typed(view.ConfirmField) == view.ConfirmIt && ask.form.Typed("held") != ask.digest
}

// importOptions says what the form and its files say of the results.
func (s *Server) importOptions(c echo.Context, ask *importAsk) (o intake.Options, err error) {
	lib, err := library.Load()
	if err != nil {
		return o, err
	}
	f := ask.form
	o = intake.Options{
		Runtime: f.Typed("runtime"), Tester: strings.TrimSpace(f.Typed("tester")), Run: strings.TrimSpace(f.Typed("run")),
		ObservedAt: ask.observedAt, Zone: ask.zone, Now: s.now(), Receivers: map[string]posture.Identity{},
		Known: func(id string) bool { _, ok := lib.Statement(id); return ok },
	}
	if u := ask.mapping; u != nil {
		if o.Mapping, err = intake.ParseMapping(u.Name, strings.NewReader(string(u.Body)), o.Known); err != nil {
			return o, atField("map", err)
		}
	}
	var beside intake.Sidecar
	if u := ask.identity; u != nil {
		if beside, err = intake.ParseSidecar(u.Name, strings.NewReader(string(u.Body)), o.Zone); err != nil {
			return o, atField("identity", err)
		}
	}
	if o.Runtime == "" {
		o.Runtime = beside.Runtime
	}
	if err := s.typedIdentities(c, f, &o); err != nil {
		return o, err
	}
	beside.Fill(&o)
	return o, nil
}

// atField says at a field what is wrong with what was given there.
func atField(field string, err error) error {
	if posture.KindOf(err) != posture.Invalid {
		return err
	}
	return &posture.Error{Kind: posture.Invalid, Fields: []posture.FieldError{{Field: field, Text: err.Error()}}, Err: err}
}

// typedIdentities reads, facet by facet, what the unit and the receivers were:
// as the target in force, or as typed.
func (s *Server) typedIdentities(c echo.Context, f *form, o *intake.Options) error {
	for _, slug := range view.AskedSubjects(f.values) {
		asked := view.ImportFields{Slug: slug}
		var id, target posture.Identity
		if len(f.TypedAll(asked.Same())) > 0 {
			ref, err := s.importSubject(c, slug, o.Runtime)
			if posture.KindOf(err) == posture.NotFound {
				return posture.InvalidField("runtime", "Choose the runtime first: nothing else says what the target in force is.")
			}
			if err != nil {
				return err
			}
			target = ref.Target
		}
		for _, facet := range posture.Facets() {
			typed := f.Text(asked.Facet(facet), maxText)
			same := f.chosen(asked.Same(), facet.String())
			switch {
			case same && typed != "" && typed != target[facet]:
				f.Fail(asked.Facet(facet), "Say either that it was the same, or what it was.")
			case same:
				id[facet] = target[facet]
			default:
				id[facet] = typed
			}
		}
		if err := posture.CheckRegion(posture.KindTest, &id); err != nil {
			f.Fail(asked.Facet(posture.Region), "Name the region it ran in; “any” is for documents.")
		}
		if slug == "" {
			o.Identity = id
		} else {
			o.Receivers[slug] = id
		}
	}
	return f.Err()
}

// chosen says whether a box of several was ticked.
func (f *form) chosen(name, value string) bool {
	return slices.Contains(f.values[name], value)
}

// importSubject loads what results were taken on as it is now: a receiver by
// its slug, the runtime where slug is empty.
func (s *Server) importSubject(c echo.Context, slug, runtime string) (view.ImportSubject, error) {
	ctx, a := c.Request().Context(), access(c)
	if slug == "" {
		r, err := s.store.Runtime(ctx, a, runtime, posture.AsOf{})
		return view.ImportSubject{
			Ref: posture.SubjectRef{ID: r.Subject, Kind: posture.Unit, Slug: r.Slug, Name: r.Name}, Target: r.Target.Identity,
		}, err
	}
	r, err := s.store.Component(ctx, a, slug, posture.AsOf{})
	return view.ImportSubject{
		Ref: posture.SubjectRef{ID: r.Subject, Kind: posture.Receiver, Slug: r.Slug, Name: r.Name}, Target: r.Target.Identity,
	}, err
}

// importTargets fills in what can be chosen and, once the file was read, what
// it was taken on beside what is in force, and what each of its first records
// will do.
func (s *Server) importTargets(c echo.Context, m *view.Import, seen *firstResults) error {
	subjects, err := s.store.Subjects(c.Request().Context(), access(c))
	if err != nil {
		return err
	}
	m.Choose(subjects)
	slugs := []string{""}
	if seen != nil {
		slugs = append(slugs, seen.receivers...)
	}
	for _, slug := range slugs {
		if slug == "" && m.Runtime == "" {
			continue
		}
		subject, err := s.importSubject(c, slug, m.Runtime)
		if posture.KindOf(err) == posture.NotFound {
			continue
		}
		if err != nil {
			return err
		}
		subject.Fields.Slug = slug
		m.Add(subject)
	}
	if seen != nil {
		m.Foresee(seen.in, seen.rows)
	}
	return nil
}
