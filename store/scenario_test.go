package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
	"demarc/store/storetest"
)

// scene is the world of model.md §2.11: runtime R1 and receiver S, with the
// people who work on them.
type scene struct {
	*storetest.DB
	unit, receiver int64
	tester         posture.Access
	closer         posture.Access
	risk           posture.Access
}

var (
	identityR1 = posture.Identity{
		posture.Vendor: "V", posture.Product: "P", posture.Variant: "microVM", posture.Version: "1", posture.Image: "sha256:d1",
		posture.Policy: "sha256:0001", posture.Config: "sha256:000c", posture.Region: "eu",
	}
	identityS = posture.Identity{
		posture.Vendor: "Us", posture.Product: "Search", posture.Variant: "default", posture.Version: "s4", posture.Policy: "sp2",
		posture.Config: "sc1", posture.Region: "eu",
	}
)

func with(id posture.Identity, facet posture.Facet, value string) posture.Identity {
	id[facet] = value
	return id
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{
		DB:     storetest.New(t),
		tester: named(posture.Editor, "T. Arroyo"),
		closer: named(posture.Editor, "P. Haas"),
		risk:   named(posture.RiskOwner, "Ines Marchetti"),
	}
	s.unit = s.runtime(t, "case-assistant", "normal", "", false)
	s.receiver = s.component(t, "document-search", "R. Banerjee", "confidential", true)
	s.require(t, s.unit, "FS-1", "tested")
	s.require(t, s.receiver, "AD-1", "tested")
	s.target(t, s.unit, identityR1)
	s.target(t, s.receiver, identityS)
	s.Clock.Add(time.Hour)
	return s
}

// named gives a person of a role who reaches all portfolios.
func named(role posture.Role, name string) posture.Access {
	a := storetest.As(role)
	a.Actor, a.Name = "test:"+name, name
	return a
}

// query runs SQL as the superuser and gives one number.
func (s *scene) query(t *testing.T, sql string, args ...any) (n int64) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.SuperDSN)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}

func (s *scene) runtime(t *testing.T, slug, criticality, class string, many bool) int64 {
	t.Helper()
	return s.query(t, `
		with s as (insert into subject (kind, portfolio_id, recorded_at) values ('unit', 1, $2) returning id),
		r as (insert into runtime (subject_id, portfolio_id, slug, recorded_at) select id, 1, $1, $2 from s returning id, subject_id),
		v as (insert into runtime_version (runtime_id, version, recorded_from, recorded_by, name, purpose, intents, stage, owner,
			risk_owner, data_class, criticality, multi_tenant, profile, retired, retired_because)
			select id, 1, $2, 'test', $1, '', '{}', 'production', 'Agent Apps', 'Ines Marchetti', $3, $4, $5, '', false, '' from r)
		select subject_id from r`, slug, s.Clock.Now(), class, criticality, many)
}

func (s *scene) component(t *testing.T, slug, owner, class string, shared bool) int64 {
	t.Helper()
	c, err := s.Store.CreateComponent(t.Context(), storetest.As(posture.Editor), posture.Component{
		Slug: slug, Kind: "retrieval", Name: slug, Owner: owner, RiskOwner: "Ines Marchetti", DataClass: class, Shared: shared,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c.Subject
}

func (s *scene) require(t *testing.T, subject int64, statement, rung string, paths ...string) {
	t.Helper()
	if paths == nil {
		paths = []string{}
	}
	s.query(t, `
		with ended as (update requirement_version set recorded_to = $3 where subject_id = $1 and statement = $2 and recorded_to = 'infinity' returning version)
		insert into requirement_version (subject_id, statement, version, recorded_from, recorded_by, wanted, reason, mechanism,
			configuration, rung, owner, paths)
		values ($1, $2, coalesce((select max(version) from ended), 0) + 1, $3, 'test', 'intended', '', '', '', $4::evidence_rung, '', $5) returning 1`,
		subject, statement, s.Clock.Now(), rung, paths)
}

func (s *scene) target(t *testing.T, subject int64, id posture.Identity) []posture.Movement {
	t.Helper()
	_, moves, err := s.Store.RecordTarget(t.Context(), s.tester, subject, posture.Target{Identity: id})
	if err != nil {
		t.Fatal(err)
	}
	return moves
}

// record records evidence by the tester.
func (s *scene) record(t *testing.T, r posture.Record) posture.Record {
	t.Helper()
	saved, _, err := s.Store.RecordEvidence(t.Context(), s.tester, r, nil)
	if err != nil {
		t.Fatalf("record %s %s: %v", r.Kind, r.Statement, err)
	}
	return saved
}

// about gives a record of a kind that stands for or against a statement, seen
// now on the identity.
func (s *scene) about(subject int64, statement string, kind posture.Kind, side posture.Polarity, id posture.Identity) posture.Record {
	return posture.Record{
		Subject: posture.SubjectRef{ID: subject}, Words: "what was seen",
		Evidence: posture.Evidence{Statement: statement, Kind: kind, Polarity: side, Identity: id, ObservedAt: s.Clock.Now()},
	}
}

// test gives a test with a working control, seen now.
func (s *scene) test(subject int64, statement, run, name string, expected posture.Expected, outcome posture.Outcome, id posture.Identity) posture.Record {
	r := s.about(subject, statement, posture.KindTest, posture.PolarityNone, id)
	r.Run, r.Case, r.Expected, r.Outcome, r.ControlOK, r.Tester = run, name, expected, outcome, true, s.tester.Name
	return r
}

// labels gives the labels of FS-1 on the unit and AD-1 at the receiver.
func (s *scene) labels(t *testing.T) [2]string {
	t.Helper()
	return [2]string{s.label(t, s.unit, "FS-1"), s.label(t, s.receiver, "AD-1")}
}

func (s *scene) label(t *testing.T, subject int64, statement string) string {
	t.Helper()
	var label string
	conn, err := pgx.Connect(t.Context(), s.SuperDSN)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	err = conn.QueryRow(t.Context(), `select coalesce((select label::text from verdict
		where subject_id = $1 and statement = $2 and recorded_to = 'infinity'), 'not_stated')`, subject, statement).Scan(&label)
	if err != nil {
		t.Fatal(err)
	}
	return label
}

// later moves the clock.
func (s *scene) later() { s.Clock.Add(24 * time.Hour) }

func (s *scene) openIDs(t *testing.T) []int64 {
	t.Helper()
	open := true
	list, _, err := s.Store.Discrepancies(t.Context(), s.risk, posture.AsOf{}, posture.DiscrepancyFilter{Open: &open})
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for _, d := range list {
		ids = append(ids, d.ID)
	}
	slices.Sort(ids)
	return ids
}

// faults gives the fields that an Invalid error complains about.
func faults(err error) []string {
	var out []string
	if e := (*posture.Error)(nil); errors.As(err, &e) {
		for _, f := range e.Fields {
			out = append(out, f.Field)
		}
	}
	return out
}

// TestWorkedScenario walks model.md §2.11 step by step.
func TestWorkedScenario(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	step := func(n int, fs, ad string) {
		t.Helper()
		if diff := cmp.Diff([2]string{fs, ad}, s.labels(t)); diff != "" {
			t.Fatalf("step %d (-want +got):\n%s", n, diff)
		}
		s.later()
	}
	page := s.about(s.unit, "FS-1", posture.KindDocumentation, posture.Supports, with(identityR1, posture.Region, posture.RegionAny))
	page.URL = "https://vendor.example/isolation"
	s.record(t, page)
	step(1, "documented", "not_stated")

	s.record(t, s.about(s.unit, "FS-1", posture.KindConfiguration, posture.Supports, identityR1))
	step(2, "configured", "not_stated")

	s.record(t, s.test(s.unit, "FS-1", "run 1", "XS-01", posture.Permit, posture.Pass, identityR1))
	s.record(t, s.test(s.unit, "FS-1", "run 1", "XS-01", posture.Deny, posture.Pass, identityR1))
	step(3, "tested", "not_stated")

	connector := s.record(t, s.about(s.receiver, "AD-1", posture.KindConfiguration, posture.Contradicts, identityS))
	step(4, "tested", "contradicted")

	s.record(t, s.test(s.receiver, "AD-1", "run 2", "SD-01", posture.Permit, posture.Pass, identityS))
	search := s.record(t, s.test(s.receiver, "AD-1", "run 2", "SD-01", posture.Deny, posture.Fail, identityS))
	step(5, "tested", "contradicted")
	d, err := s.Store.Discrepancy(t.Context(), s.risk, posture.AsOf{}, s.openIDs(t)[1])
	if err != nil {
		t.Fatal(err)
	}
	if d.Owner != "R. Banerjee" || d.Severity != posture.VeryHigh || d.Case != "SD-01" || !d.Open {
		t.Errorf("discrepancy of the search: %+v", d)
	}

	accepted, moves, err := s.Store.Accept(t.Context(), s.risk, s.acceptance(connector.ID, search.ID))
	if err != nil {
		t.Fatal(err)
	}
	if len(moves) != 1 || moves[0].From != "contradicted" || moves[0].To != "accepted_risk" || moves[0].Because != "carried by "+accepted.ID {
		t.Errorf("the acceptance moved %+v", moves)
	}
	step(6, "tested", "accepted_risk")

	export := s.test(s.receiver, "AD-1", "run 3", "SD-05", posture.Deny, posture.Fail, identityS)
	leak, moves, err := s.Store.RecordEvidence(t.Context(), s.tester, export, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(moves) != 1 || moves[0].Because != leak.ID+" is new and "+accepted.ID+" does not cover it" {
		t.Errorf("the second path moved %+v", moves)
	}
	step(7, "tested", "contradicted")

	s.require(t, s.receiver, "AD-1", "tested", "SD-01", "SD-05")
	fixed := with(with(identityS, posture.Version, "s5"), posture.Policy, "sp3")
	s.target(t, s.receiver, fixed)
	proof := map[string]string{}
	for _, name := range []string{"SD-01", "SD-05"} {
		for _, direction := range []string{"Acme → Birch", "Birch → Acme"} {
			for _, expected := range []posture.Expected{posture.Permit, posture.Deny} {
				r := s.test(s.receiver, "AD-1", "run 4", name, expected, posture.Pass, fixed)
				r.Direction = direction
				proof[name+expected.String()] = s.record(t, r).ID
			}
		}
	}
	for id, by := range map[string]string{connector.ID: "SD-01", search.ID: "SD-01", leak.ID: "SD-05"} {
		_, _, err := s.Store.CloseEvidence(t.Context(), s.closer, fix(id, proof[by+"deny"]))
		if err != nil {
			t.Fatalf("close %s: %v", id, err)
		}
	}
	step(8, "tested", "tested")
	if open := s.openIDs(t); len(open) != 0 {
		t.Errorf("discrepancies still open: %v", open)
	}

	s.target(t, s.receiver, with(fixed, posture.Version, "s6"))
	step(9, "tested", "stale")

	s.target(t, s.unit, with(identityR1, posture.Variant, "Instances"))
	step(10, "not_stated", "stale")
}

func (s *scene) acceptance(covers ...string) posture.AcceptanceRecord {
	return posture.AcceptanceRecord{
		Acceptance: posture.Acceptance{
			Statement: "AD-1", Covers: covers, ExpiresAt: s.Clock.Now().Add(30 * posture.Day),
		},
		Subject: posture.SubjectRef{ID: s.receiver}, Condition: "no restricted documents indexed", Severity: posture.VeryHigh,
		ReviewAt: s.Clock.Now().Add(14 * posture.Day),
	}
}

func fix(closes string, tests ...string) posture.ClosureRecord {
	return posture.ClosureRecord{
		Closure: posture.Closure{Closes: closes, Kind: posture.FixedVerified, Evidence: tests},
		Fix:     "s5: tenant taken from the verified user token",
	}
}

// execSQL runs SQL as the superuser and gives its error.
func execSQL(t *testing.T, s *scene, sql string) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.SuperDSN)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), sql)
	return err
}
