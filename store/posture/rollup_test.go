package posture_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"demarc/store/posture"
)

func required(labels ...posture.Label) []posture.Judged {
	var out []posture.Judged
	for _, l := range labels {
		out = append(out, posture.Judged{Label: l, Required: true, Tested: l == posture.LabelTested})
	}
	return out
}

// TestRollUpGolden holds the sentences of model.md §2.8, "Cell roll-up".
func TestRollUpGolden(t *testing.T) {
	t.Parallel()
	const (
		undecided   = posture.PurposeUndecided
		intended    = posture.PurposeIntended
		notIntended = posture.PurposeNotIntended
	)
	optional := []posture.Judged{{Label: posture.LabelContradicted}, {Label: posture.LabelTested, Tested: true}}
	for name, c := range map[string]struct {
		purpose   posture.Purpose
		inProfile bool
		judged    []posture.Judged
		want      posture.Cell
	}{
		"the worst label wins": {
			intended, true, required(posture.LabelTested, posture.LabelConfigured, posture.LabelTested),
			posture.Cell{Label: posture.LabelConfigured, Tested: 2, Of: 3},
		},
		"contradicted is worse than not provided": {
			intended, true, required(posture.LabelNotProvided, posture.LabelContradicted),
			posture.Cell{Label: posture.LabelContradicted, Of: 2},
		},
		"an accepted risk is worse than nothing stated": {
			intended, true, required(posture.LabelNotStated, posture.LabelAcceptedRisk),
			posture.Cell{Label: posture.LabelAcceptedRisk, Of: 2},
		},
		"stale is better than not stated and worse than claimed": {
			intended, true, required(posture.LabelClaimed, posture.LabelStale),
			posture.Cell{Label: posture.LabelStale, Of: 2},
		},
		"ruled-out statements are left out": {
			intended, true, required(posture.LabelNotApplicable, posture.LabelTested),
			posture.Cell{Label: posture.LabelTested, Tested: 1, Of: 1},
		},
		"all ruled out": {
			intended, true, required(posture.LabelNotApplicable, posture.LabelNotApplicable),
			posture.Cell{Label: posture.LabelNotApplicable},
		},
		"statements nobody requires do not enter": {
			intended, true, append(required(posture.LabelDocumented), optional...),
			posture.Cell{Label: posture.LabelDocumented, Of: 1},
		},
		"required in spite of the profile": {
			notIntended, false, required(posture.LabelSuspect),
			posture.Cell{Label: posture.LabelSuspect, Of: 1},
		},
		"nothing required, intended":               {intended, true, optional, posture.Cell{Label: posture.LabelNotStated}},
		"nothing required, undecided":              {undecided, true, nil, posture.Cell{Label: posture.LabelNotStated}},
		"intended where the profile says nothing":  {intended, false, nil, posture.Cell{Label: posture.LabelNotStated}},
		"undecided where the profile leaves it":    {undecided, false, nil, posture.Cell{Label: posture.LabelNotStated, Outside: true}},
		"not intended and nothing required":        {notIntended, true, nil, posture.Cell{Label: posture.LabelNotStated, Outside: true}},
		"not intended with only optional evidence": {notIntended, false, optional, posture.Cell{Label: posture.LabelNotStated, Outside: true}},
	} {
		c.want.Dimension = "FS"
		if diff := cmp.Diff(c.want, posture.RollUp("FS", c.purpose, c.inProfile, c.judged)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestP15 adds a statement to a cell that already holds one: the cell never
// gets better, and its count of tested never outgrows the count of statements.
func TestP15(t *testing.T) {
	t.Parallel()
	drawJudged := func(t *rapid.T) posture.Judged {
		l := rapid.SampledFrom(posture.Labels()).Draw(t, "label")
		return posture.Judged{Label: l, Required: often(t, 8, "required"), Tested: l == posture.LabelTested}
	}
	rapid.Check(t, func(t *rapid.T) {
		purpose := oneOf(t, "purpose", posture.PurposeUndecided, posture.PurposeIntended, posture.PurposeNotIntended)
		inProfile := rapid.Bool().Draw(t, "in profile")
		judged := rapid.SliceOfN(rapid.Custom(drawJudged), 0, 5).Draw(t, "judged")
		before := posture.RollUp("FS", purpose, inProfile, judged)
		at := rapid.IntRange(0, len(judged)).Draw(t, "place")
		more := append(append(append([]posture.Judged{}, judged[:at]...), drawJudged(t)), judged[at:]...)
		after := posture.RollUp("FS", purpose, inProfile, more)
		if before.Of > 0 && after.Label > before.Label {
			t.Fatalf("a cell of %d statements rose from %s to %s", before.Of, before.Label, after.Label)
		}
		if after.Tested > after.Of || after.Of < before.Of || after.Tested < before.Tested {
			t.Fatalf("%d of %d tested became %d of %d", before.Tested, before.Of, after.Tested, after.Of)
		}
	})
}
