package store_test

import (
	"slices"
	"strconv"
	"testing"

	"demarc/store/posture"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func TestADiscrepancyIsSightedAgain(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	failing := func(id posture.Identity, name, direction string) posture.Record {
		r := s.test(s.receiver, "AD-1", "run", name, posture.Deny, posture.Fail, id)
		r.Direction, r.ObservedBehaviour = direction, "returned BIRCH-MARK-01"
		return s.record(t, r)
	}
	first := failing(identityS, "SD-01", "Acme → Birch")
	s.later()
	// A deploy makes no new item: the target belongs to the sighting.
	second := with(identityS, posture.Version, "s5")
	s.target(t, s.receiver, second)
	again := failing(second, "SD-01", "Acme → Birch")
	if ids := s.openIDs(t); !slices.Equal(ids, []int64{1}) {
		t.Fatalf("open %v", ids)
	}
	failing(second, "SD-01", "Birch → Acme")
	failing(second, "SD-05", "Acme → Birch")
	failing(with(second, posture.Variant, "next"), "SD-01", "Acme → Birch")
	if n := s.query(t, `select count(*) from discrepancy`); n != 4 {
		t.Errorf("%d discrepancies", n)
	}
	d, err := s.Store.Discrepancy(t.Context(), s.risk, posture.AsOf{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Sightings) != 2 || d.Sightings[0].Evidence != again.ID || d.Sightings[1].Evidence != first.ID {
		t.Errorf("sightings %+v", d.Sightings)
	}
	if d.Sightings[1].Identity != identityS || d.Sightings[0].Words != "returned BIRCH-MARK-01" || d.Seen != "returned BIRCH-MARK-01" {
		t.Errorf("seen %+v", d)
	}
	if !d.OpenedAt.Equal(first.RecordedAt) || !d.DueAt.Equal(first.RecordedAt.Add(7*posture.Day)) || d.State != "open" || d.Label != posture.LabelContradicted {
		t.Errorf("opened %s, due %s, %s, %s", d.OpenedAt, d.DueAt, d.State, d.Label)
	}
	if n := s.query(t, `select target_id from sighting where evidence_id = $1`, first.Row); n != s.query(t, `select min(id) from target where subject_id = $1`, s.receiver) {
		t.Errorf("first seen on target %d", n)
	}
	// Evidence of another variant stands nowhere against this target.
	if open := s.openIDs(t); !slices.Equal(open, []int64{1, 2, 3}) {
		t.Errorf("open %v", open)
	}
}

func TestDiscrepanciesAsOf(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	failed := s.record(t, s.test(s.receiver, "AD-1", "r", "a", posture.Deny, posture.Fail, identityS))
	opened := s.Clock.Now()
	s.later()
	if _, _, err := s.Store.Accept(t.Context(), s.risk, s.acceptance(failed.ID)); err != nil {
		t.Fatal(err)
	}
	accepted := s.Clock.Now()
	s.later()
	if _, _, err := s.Store.CloseEvidence(t.Context(), s.closer, invalid(failed.ID)); err != nil {
		t.Fatal(err)
	}
	closed := s.Clock.Now()
	s.later()
	for name, c := range map[string]struct {
		o     posture.AsOf
		state string
		open  bool
		label posture.Label
	}{
		"opened":      {posture.AsOf{At: opened, Past: true}, "open", true, posture.LabelContradicted},
		"accepted":    {posture.AsOf{At: accepted, Past: true}, "deviation_approved", true, posture.LabelAcceptedRisk},
		"closed":      {posture.AsOf{At: closed, Past: true}, "closed", false, posture.LabelNotStated},
		"now":         {posture.AsOf{}, "closed", false, posture.LabelNotStated},
		"known later": {posture.AsOf{At: opened, Known: closed, Past: true}, "closed", false, posture.LabelNotStated},
	} {
		d, err := s.Store.Discrepancy(t.Context(), s.risk, c.o, 1)
		if err != nil || d.State != c.state || d.Open != c.open || d.Label != c.label {
			t.Errorf("%s: %s, open %t, %s, %v", name, d.State, d.Open, d.Label, err)
		}
		for _, open := range []bool{true, false} {
			list, _, err := s.Store.Discrepancies(t.Context(), s.risk, c.o, posture.DiscrepancyFilter{Open: &open})
			if err != nil || (len(list) == 1) != (open == c.open) {
				t.Errorf("%s: lists %d with open %t, %v", name, len(list), open, err)
			}
		}
	}
	if _, err := s.Store.Discrepancy(t.Context(), s.risk, posture.AsOf{At: opened.AddDate(0, 0, -1), Past: true}, 1); posture.KindOf(err) != posture.NotFound {
		t.Errorf("before it was opened: %v", err)
	}
}

func TestDiscrepancyFilters(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, name := range []string{"a", "b", "c"} {
		s.record(t, s.test(s.receiver, "AD-1", "r", name, posture.Deny, posture.Fail, identityS))
	}
	s.record(t, s.test(s.unit, "FS-1", "r", "a", posture.Deny, posture.Fail, identityR1))
	open, shut := true, false
	for name, c := range map[string]struct {
		f    posture.DiscrepancyFilter
		want []int64
	}{
		"all":           {posture.DiscrepancyFilter{}, []int64{4, 3, 2, 1}},
		"missing":       {posture.DiscrepancyFilter{Kind: posture.EvidenceMissing}, nil},
		"closed":        {posture.DiscrepancyFilter{Open: &shut}, nil},
		"of a subject":  {posture.DiscrepancyFilter{Subject: s.unit}, []int64{4}},
		"of a runtime":  {posture.DiscrepancyFilter{Runtime: "case-assistant"}, []int64{4}},
		"of an owner":   {posture.DiscrepancyFilter{Owner: "r. banerjee"}, []int64{3, 2, 1}},
		"of a risk one": {posture.DiscrepancyFilter{Owner: "Ines Marchetti", Open: &open}, []int64{4, 3, 2, 1}},
		"of the next":   {posture.DiscrepancyFilter{Before: 3, Limit: 1}, []int64{2}},
	} {
		list, _, err := s.Store.Discrepancies(t.Context(), s.risk, posture.AsOf{}, c.f)
		var got []int64
		for _, d := range list {
			got = append(got, d.ID)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v, %v", name, got, c.want, err)
		}
	}
	// Two clocks: openness is judged, page by page.
	apart := posture.AsOf{At: s.Clock.Now(), Known: s.Clock.Now().Add(-1)}
	apart.Known = s.Clock.Now().Add(posture.Day)
	list, next, err := s.Store.Discrepancies(t.Context(), s.risk, apart, posture.DiscrepancyFilter{Open: &open, Limit: 2})
	if err != nil || len(list) != 2 || next != 3 {
		t.Errorf("two clocks: %d, next %d, %v", len(list), next, err)
	}
	list, next, err = s.Store.Discrepancies(t.Context(), s.risk, apart, posture.DiscrepancyFilter{Open: &shut, Limit: 2})
	if err != nil || len(list) != 0 || next != 0 {
		t.Errorf("two clocks, closed: %d, next %d, %v", len(list), next, err)
	}
}

func TestARefusedPermitStaysOpenUntilItIsPermitted(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	refused := s.record(t, s.test(s.receiver, "AD-1", "r1", "SD-01", posture.Permit, posture.Fail, identityS))
	if open := s.openIDs(t); !slices.Equal(open, []int64{1}) {
		t.Fatalf("open %v", open)
	}
	s.later()
	s.record(t, s.test(s.receiver, "AD-1", "r2", "SD-02", posture.Permit, posture.Pass, identityS))
	if open := s.openIDs(t); !slices.Equal(open, []int64{1}) {
		t.Errorf("another case was permitted: open %v", open)
	}
	permitted := s.record(t, s.test(s.receiver, "AD-1", "r3", "SD-01", posture.Permit, posture.Pass, identityS))
	if open := s.openIDs(t); len(open) != 0 {
		t.Errorf("permitted since: open %v", open)
	}
	s.later()
	if _, err := s.Store.Withdraw(t.Context(), s.tester, permitted.Row, "it ran against a copy"); err != nil {
		t.Fatal(err)
	}
	if open := s.openIDs(t); !slices.Equal(open, []int64{1}) {
		t.Errorf("the permit was withdrawn: open %v", open)
	}
	_, err := s.Store.Withdraw(t.Context(), s.tester, refused.Row, "it ran against a copy")
	says(t, "a refused permit by its recorder", err, "somebody else withdraws it")
	s.later()
	if _, err := s.Store.Withdraw(t.Context(), s.closer, refused.Row, "it ran against a copy"); err != nil {
		t.Fatal(err)
	}
	if open := s.openIDs(t); len(open) != 0 {
		t.Errorf("withdrawn: open %v", open)
	}
	s.later()
	s.record(t, s.test(s.receiver, "AD-1", "r4", "SD-01", posture.Permit, posture.Fail, identityS))
	s.record(t, s.test(s.receiver, "AD-1", "r4", "SD-01", posture.Deny, posture.Fail, identityS))
	if open := s.openIDs(t); !slices.Equal(open, []int64{1, 2}) {
		t.Errorf("refused again, and a deny failed: open %v", open)
	}
	list, _, err := s.Store.Discrepancies(t.Context(), s.risk, posture.AsOf{}, posture.DiscrepancyFilter{})
	if err != nil || list[1].Expected != "permit: allowed for the one entitled to it" || list[0].Expected != "deny: refused by the boundary" {
		t.Errorf("%+v %v", list, err)
	}
}
