package posture_test

import (
	"testing"

	"demarc/store/posture"
)

// plant is a world that a judge with the named defect would answer with
// another label (model.md §2.9, "Planted defects caught").
type plant struct {
	defect string
	change func(f *posture.Facts)
	want   posture.Label
	// wrong is what the defective judge would say.
	wrong posture.Label
}

func plants() []plant {
	first := func(f *posture.Facts) *posture.Evidence { return &f.Evidence[0] }
	fail := func(f *posture.Facts) *posture.Evidence {
		f.Evidence = append(f.Evidence, failure(f, f.Target, day(190), day(190)))
		return &f.Evidence[len(f.Evidence)-1]
	}
	accept := posture.Acceptance{ID: "A", Statement: "FS-1", Covers: []string{"other"}, Shortfall: true, Identity: base}
	return []plant{
		{"later pass closes", func(f *posture.Facts) { fail(f).ObservedAt = day(150) }, posture.LabelContradicted, posture.LabelTested},
		{"run id ignored", func(f *posture.Facts) { first(f).Run = "another" }, posture.LabelNotStated, posture.LabelTested},
		{"control ignored", func(f *posture.Facts) { first(f).ControlOK = false }, posture.LabelNotStated, posture.LabelTested},
		{"test identity ignored", func(f *posture.Facts) { first(f).Identity[posture.Image] = "2" }, posture.LabelStale, posture.LabelTested},
		{"scope ignored for support", func(f *posture.Facts) { first(f).Identity[posture.Variant] = "n" }, posture.LabelNotStated, posture.LabelTested},
		{"scope ignored for negatives", func(f *posture.Facts) { fail(f).Identity[posture.Product] = "Q" }, posture.LabelTested, posture.LabelContradicted},
		{"freshness ignored", func(f *posture.Facts) { first(f).ObservedAt = now.Add(-180*posture.Day - posture.Tick) }, posture.LabelStale, posture.LabelTested},
		{"as-of ignored", func(f *posture.Facts) { first(f).RecordedAt = now.Add(posture.Tick) }, posture.LabelNotStated, posture.LabelTested},
		{"acceptance covers anything", func(f *posture.Facts) {
			fail(f)
			f.Acceptances = []posture.Acceptance{accept}
		}, posture.LabelContradicted, posture.LabelAcceptedRisk},
		{"acceptance outranks met", func(f *posture.Facts) { f.Acceptances = []posture.Acceptance{accept} }, posture.LabelTested, posture.LabelAcceptedRisk},
		{"negatives expire", func(f *posture.Facts) { fail(f).ObservedAt = now.Add(-2000 * posture.Day) }, posture.LabelContradicted, posture.LabelTested},
		{"unknown identity treated as match", func(f *posture.Facts) { f.Target[posture.Config] = "" }, posture.LabelStale, posture.LabelTested},
		{"inconclusive treated as fail", func(f *posture.Facts) { fail(f).Outcome = posture.Inconclusive }, posture.LabelTested, posture.LabelContradicted},
		{"ruling survives drift", func(f *posture.Facts) {
			id := base
			id[posture.Policy] = "2"
			f.Evidence = nil
			f.Rulings = []posture.Ruling{{Statement: "FS-1", Identity: id}}
		}, posture.LabelNotStated, posture.LabelNotApplicable},
		{"deny alone suffices", func(f *posture.Facts) { f.Evidence = f.Evidence[1:] }, posture.LabelNotStated, posture.LabelTested},
	}
}

func TestPlantedDefects(t *testing.T) {
	t.Parallel()
	for _, p := range plants() {
		t.Run(p.defect, func(t *testing.T) {
			t.Parallel()
			f := &posture.Facts{Statement: "FS-1", Target: base, Required: posture.Tested, Evidence: pairOf("p", "FS-1", "r", "a", day(180))}
			if v := posture.Judge(f, now, now); v.Label != posture.LabelTested {
				t.Fatalf("the world before is %s", v.Label)
			}
			p.change(f)
			switch v := posture.Judge(f, now, now); v.Label {
			case p.want:
			case p.wrong:
				t.Errorf("%s: the answer is %s, as the defect has it", p.defect, v.Label)
			default:
				t.Errorf("got %s, want %s", v.Label, p.want)
			}
		})
	}
}
