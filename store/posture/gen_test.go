package posture_test

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"demarc/store/posture"
)

// base is the identity that most generated things have; small variations of it
// make them match, drift or stay unidentified.
var base = posture.Identity{"V", "P", "m", "1", "1", "1", "1", "eu", "1", "1", "prod"}

// now is the instant that most generated worlds are judged at.
var now = day(200)

var statements = []string{"FS-1", "FS-1", "FS-1", "AD-1", "TL-1", "ME-2", "LF-4", "AC-1", "ORG-3"}

func oneOf[T any](t *rapid.T, label string, from ...T) T {
	return rapid.SampledFrom(from).Draw(t, label)
}

// often is true in about n of 10 draws.
func often(t *rapid.T, n int, label string) bool {
	return rapid.IntRange(0, 9).Draw(t, label) < n
}

func drawIdentity(t *rapid.T) posture.Identity {
	id := base
	if often(t, 6, "same identity") {
		return id
	}
	for range rapid.IntRange(1, 2).Draw(t, "facets that differ") {
		f := rapid.SampledFrom(posture.Facets()).Draw(t, "facet")
		id[f] = oneOf(t, "value", "", "2")
	}
	return id
}

// drawInstant gives instants around now, many of them at the edges of windows.
func drawInstant(t *rapid.T, label string) time.Time {
	days := oneOf(t, label+" days ago", 0, 0, 1, 2, 3, 7, 10, 30, 90, 180, 365)
	if often(t, 4, label+" free") {
		days = rapid.IntRange(-40, 400).Draw(t, label+" day")
	}
	return now.Add(-time.Duration(days)*posture.Day + oneOf(t, label+" edge", 0, 0, 0, posture.Tick, -posture.Tick, time.Hour))
}

func maybeInstant(t *rapid.T, n int, label string) time.Time {
	if !often(t, n, label+" set") {
		return time.Time{}
	}
	return drawInstant(t, label)
}

func drawEvidence(t *rapid.T, id, statement string) posture.Evidence {
	e := posture.Evidence{
		ID: id, Statement: statement, Identity: drawIdentity(t),
		Kind:       oneOf(t, "kind", posture.KindTest, posture.KindTest, posture.KindTest, posture.KindStatement, posture.KindDocumentation, posture.KindAttestation, posture.KindConfiguration, posture.KindIncident),
		ObservedAt: drawInstant(t, "observed"), WithdrawnAt: maybeInstant(t, 1, "withdrawn"), ValidUntil: maybeInstant(t, 1, "valid until"),
	}
	e.RecordedAt = e.ObservedAt
	if often(t, 3, "recorded apart") {
		e.RecordedAt = drawInstant(t, "recorded")
	}
	if often(t, 1, "about another statement") {
		e.Statement = rapid.SampledFrom(statements).Draw(t, "other statement")
	}
	switch e.Kind {
	case posture.KindTest:
		e.Run, e.Case = oneOf(t, "run", "r1", "r1", "r2", ""), oneOf(t, "case", "a", "a", "b", "")
		e.Expected = oneOf(t, "expected", posture.Permit, posture.Deny)
		e.Outcome = oneOf(t, "outcome", posture.Pass, posture.Pass, posture.Pass, posture.Fail, posture.Fail, posture.OutcomeError, posture.Skipped, posture.Inconclusive, posture.Incomplete)
		e.ControlOK = often(t, 8, "control")
	case posture.KindIncident:
		e.Advisory = oneOf(t, "advisory", posture.Affected, posture.UnderInvestigation, posture.Fixed, posture.NotAffected)
	default:
		e.Polarity = oneOf(t, "polarity", posture.Supports, posture.Supports, posture.Contradicts, posture.PolarityNone)
		e.ByHand, e.PreGA = often(t, 2, "by hand"), often(t, 2, "pre ga")
		if (e.Kind == posture.KindDocumentation || e.Kind == posture.KindAttestation) && often(t, 2, "any region") {
			e.Identity[posture.Region] = posture.RegionAny
		}
	}
	return e
}

// pairOf makes the two halves of a pair that holds on base.
func pairOf(id, statement, run, caseID string, at time.Time) []posture.Evidence {
	var halves []posture.Evidence
	for _, side := range []posture.Expected{posture.Permit, posture.Deny} {
		halves = append(halves, posture.Evidence{
			ID: id + side.String(), Kind: posture.KindTest, Statement: statement, Identity: base, ObservedAt: at, RecordedAt: at,
			Run: run, Case: caseID, Expected: side, Outcome: posture.Pass, ControlOK: true,
		})
	}
	return halves
}

// nightly gives a statement with one pair that holds a night, from day 0.
func nightly(nights int) *posture.Facts {
	f := &posture.Facts{Statement: "FS-1", Target: base, Required: posture.Tested}
	for n := range nights {
		run := day(n).Format(time.DateOnly)
		f.Evidence = append(f.Evidence, pairOf(run, "FS-1", run, "a", day(n))...)
	}
	return f
}

func drawFacts(t *rapid.T) *posture.Facts {
	f := &posture.Facts{
		Statement:   rapid.SampledFrom(statements).Draw(t, "statement"),
		Subject:     oneOf(t, "subject", posture.Unit, posture.Unit, posture.Receiver),
		Criticality: oneOf(t, "criticality", posture.CriticalityNormal, posture.CriticalityNormal, posture.CriticalityHigh),
		Target:      drawIdentity(t),
		Required:    oneOf(t, "required", posture.Tested, posture.Tested, posture.Configured, posture.Documented, posture.NotStated),
		Paths:       oneOf(t, "paths", nil, nil, nil, []string{"a"}, []string{"a", "b"}, []string{"a", "a"}),
	}
	for i := range rapid.IntRange(0, 7).Draw(t, "records") {
		f.Evidence = append(f.Evidence, drawEvidence(t, fmt.Sprintf("e%d", i), f.Statement))
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "pairs") {
		f.Evidence = append(f.Evidence, pairOf(fmt.Sprintf("p%d", i), f.Statement, fmt.Sprintf("r%d", i), oneOf(t, "pair case", "a", "b"), drawInstant(t, "pair"))...)
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "closures") {
		f.Closures = append(f.Closures, posture.Closure{
			ID: fmt.Sprintf("k%d", i), Closes: drawID(t, f), Identity: drawIdentity(t), Evidence: []string{drawID(t, f), drawID(t, f)},
			Kind: oneOf(t, "closure", posture.FixedVerified, posture.ClosureNotApplicable, posture.TestInvalid),
			At:   maybeInstant(t, 8, "closed"), RevokedAt: maybeInstant(t, 2, "closure revoked"),
		})
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "acceptances") {
		a := posture.Acceptance{
			ID: fmt.Sprintf("a%d", i), Statement: f.Statement, Shortfall: often(t, 5, "shortfall"), Identity: drawIdentity(t),
			At: maybeInstant(t, 8, "accepted"), ExpiresAt: maybeInstant(t, 5, "expires"), RevokedAt: maybeInstant(t, 2, "revoked"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "covers") {
			a.Covers = append(a.Covers, drawID(t, f))
		}
		f.Acceptances = append(f.Acceptances, a)
	}
	for range rapid.IntRange(0, 1).Draw(t, "rulings") {
		f.Rulings = append(f.Rulings, posture.Ruling{
			Statement: f.Statement, Identity: drawIdentity(t), At: maybeInstant(t, 8, "ruled"), ExpiresAt: maybeInstant(t, 5, "ruling ends"),
		})
	}
	return f
}

func drawID(t *rapid.T, f *posture.Facts) string {
	if len(f.Evidence) == 0 {
		return "none"
	}
	return f.Evidence[rapid.IntRange(0, len(f.Evidence)-1).Draw(t, "of record")].ID
}

// drawClocks gives what was known and the instant judged.
func drawClocks(t *rapid.T) (known, at time.Time) {
	at = now
	if often(t, 3, "judged apart") {
		at = drawInstant(t, "judged")
	}
	known = at
	if often(t, 3, "known apart") {
		known = drawInstant(t, "known")
	}
	return known, at
}
