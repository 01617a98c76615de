package posture

import (
	"fmt"
	"time"
)

// The keys of each object of model/world.schema.json, required ones first.
var (
	worldKeys = keys{required: 4, names: []string{
		"statement", "target", "required", "evidence",
		"name", "subject", "criticality", "day", "as_of", "known_day", "known_at", "paths",
		"closures", "acceptances", "not_applicable", "want",
	}}
	evidenceKeys = keys{required: 4, names: []string{
		"id", "kind", "statement", "identity",
		"observed_day", "recorded_day", "withdrawn_day", "valid_until_day",
		"observed_at", "recorded_at", "withdrawn_at", "valid_until_at",
		"polarity", "by", "pre_ga", "run", "case", "expected", "outcome", "control_ok", "advisory",
	}}
	closureKeys = keys{required: 4, names: []string{
		"id", "closes", "kind", "identity", "at_day", "at", "revoked_day", "revoked_at", "evidence",
	}}
	acceptanceKeys = keys{required: 5, names: []string{
		"id", "statement", "covers", "shortfall", "identity",
		"at_day", "at", "expires_day", "expires_at", "revoked_day", "revoked_at",
	}}
	rulingKeys = keys{required: 2, names: []string{
		"statement", "identity", "at_day", "at", "expires_day", "expires_at",
	}}
	byNames = []string{"tool", "hand"}
)

func (w *worldReader) world() (*World, error) {
	var world World
	w.name, w.days, w.instants = "", "", ""
	err := w.object(worldKeys, func(key string) error { return w.worldMember(&world, key) })
	switch {
	case err != nil:
		return nil, err
	case world.At.IsZero():
		return nil, syntaxError(`the key "day" or "as_of" is missing: say at which instant to judge`)
	case world.Known.IsZero():
		world.Known = world.At
	}
	return &world, nil
}

func (w *worldReader) worldMember(world *World, key string) error {
	f := &world.Facts
	switch key {
	case "name":
		err := w.text(&world.Name)
		w.name = world.Name
		return err
	case "statement":
		return w.text(&f.Statement)
	case "subject":
		return oneOf(w, subjectKindNames[:], &f.Subject)
	case "criticality":
		return oneOf(w, criticalityNames[:], &f.Criticality)
	case "target":
		return w.concrete(&f.Target)
	case "required":
		return oneOf(w, rungNames[:], &f.Required)
	case "paths":
		return w.texts(&f.Paths)
	case "evidence":
		return w.array(func() error {
			var e Evidence
			err := w.evidence(&e)
			f.Evidence = append(f.Evidence, e)
			return err
		})
	case "closures":
		return w.array(func() error {
			var c Closure
			err := w.object(closureKeys, func(key string) error { return w.closureMember(&c, key) })
			f.Closures = append(f.Closures, c)
			return err
		})
	case "acceptances":
		return w.array(func() error {
			var a Acceptance
			err := w.object(acceptanceKeys, func(key string) error { return w.acceptanceMember(&a, key) })
			f.Acceptances = append(f.Acceptances, a)
			return err
		})
	case "not_applicable":
		return w.array(func() error {
			var n Ruling
			err := w.object(rulingKeys, func(key string) error { return w.rulingMember(&n, key) })
			f.Rulings = append(f.Rulings, n)
			return err
		})
	case "want":
		return w.in.skip(0)
	}
	return w.worldTime(world, key)
}

func (w *worldReader) worldTime(world *World, key string) error {
	switch key {
	case "day":
		return w.day(key, &world.At)
	case "known_day":
		return w.day(key, &world.Known)
	case "known_at":
		return w.instant(key, &world.Known)
	default: // as_of
		return w.instant(key, &world.At)
	}
}

func (w *worldReader) evidence(e *Evidence) error {
	if err := w.object(evidenceKeys, func(key string) error { return w.evidenceMember(e, key) }); err != nil {
		return err
	}
	if e.ObservedAt.IsZero() {
		return syntaxError(`the key "observed_day" or "observed_at" is missing: say when this was true`)
	}
	if e.RecordedAt.IsZero() {
		e.RecordedAt = e.ObservedAt
	}
	if e.Kind != KindDocumentation && e.Kind != KindAttestation && e.Identity[Region] == RegionAny {
		w.path = append(w.path, step{key: "identity"}, step{key: "region"})
		return syntaxError(fmt.Sprintf("region %q on a %s: it is allowed on documentation and attestation only, name the region",
			RegionAny, e.Kind))
	}
	return nil
}

func (w *worldReader) evidenceMember(e *Evidence, key string) error {
	switch key {
	case "id":
		return w.text(&e.ID)
	case "kind":
		return oneOf(w, kindNames[:], &e.Kind)
	case "statement":
		return w.text(&e.Statement)
	case "identity":
		return w.identity(&e.Identity)
	case "polarity":
		return oneOf(w, polarityNames[:], &e.Polarity)
	case "by":
		var by uint8
		err := oneOf(w, byNames, &by)
		e.ByHand = by == 1
		return err
	case "pre_ga":
		return w.boolean(&e.PreGA)
	case "run":
		return w.text(&e.Run)
	case "case":
		return w.text(&e.Case)
	case "expected":
		return oneOf(w, expectedNames[:], &e.Expected)
	case "outcome":
		return oneOf(w, outcomeNames[:], &e.Outcome)
	case "control_ok":
		return w.boolean(&e.ControlOK)
	case "advisory":
		return oneOf(w, advisoryNames[:], &e.Advisory)
	}
	return w.times(key, [...]timed{
		{"observed_day", "observed_at", &e.ObservedAt},
		{"recorded_day", "recorded_at", &e.RecordedAt},
		{"withdrawn_day", "withdrawn_at", &e.WithdrawnAt},
		{"valid_until_day", "valid_until_at", &e.ValidUntil},
	})
}

// timed is an instant of a record with the names of its two forms.
type timed struct {
	day, instant string
	to           *time.Time
}

func (w *worldReader) times(key string, all [4]timed) error {
	for _, t := range all {
		switch key {
		case t.day:
			return w.day(key, t.to)
		case t.instant:
			return w.instant(key, t.to)
		}
	}
	return syntaxError(fmt.Sprintf("the key %q has no reader", key))
}

func (w *worldReader) closureMember(c *Closure, key string) error {
	switch key {
	case "id":
		return w.text(&c.ID)
	case "closes":
		return w.text(&c.Closes)
	case "kind":
		return oneOf(w, closureKindNames[:], &c.Kind)
	case "identity":
		return w.concrete(&c.Identity)
	case "evidence":
		return w.texts(&c.Evidence)
	}
	return w.times(key, [4]timed{{"at_day", "at", &c.At}, {"revoked_day", "revoked_at", &c.RevokedAt}})
}

func (w *worldReader) acceptanceMember(a *Acceptance, key string) error {
	switch key {
	case "id":
		return w.text(&a.ID)
	case "statement":
		return w.text(&a.Statement)
	case "covers":
		return w.texts(&a.Covers)
	case "shortfall":
		return w.boolean(&a.Shortfall)
	case "identity":
		return w.concrete(&a.Identity)
	}
	return w.times(key, [4]timed{
		{"at_day", "at", &a.At}, {"expires_day", "expires_at", &a.ExpiresAt}, {"revoked_day", "revoked_at", &a.RevokedAt},
	})
}

func (w *worldReader) rulingMember(n *Ruling, key string) error {
	switch key {
	case "statement":
		return w.text(&n.Statement)
	case "identity":
		return w.concrete(&n.Identity)
	}
	return w.times(key, [4]timed{{"at_day", "at", &n.At}, {"expires_day", "expires_at", &n.ExpiresAt}})
}
