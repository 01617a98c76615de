package store

import (
	"context"
	"slices"

	"demarc/store/posture"
	"demarc/store/posture/library"
)

// unitRequirements are what a new runtime inherits from its profile: the
// statements judged on the unit, with the profile's rung, the runtime's owner
// and what the runtime says of their dimension.
func unitRequirements(lib *shelf, r *posture.Runtime) ([]posture.Requirement, error) {
	return inherited(lib, r, r.Owner, func(s library.Statement) posture.Requirement {
		wanted, reason := wantedBy(r.Intents[s.Dimension])
		return posture.Requirement{Subject: r.Subject, Wanted: wanted, Reason: reason}
	}, posture.Unit)
}

// receiverRequirements are what a receiver inherits from the profile of a
// runtime that links it.
func receiverRequirements(lib *shelf, r *posture.Runtime, c *posture.Component) ([]posture.Requirement, error) {
	return inherited(lib, r, c.Owner, func(s library.Statement) posture.Requirement {
		wanted, reason := wantedBy(r.Intents[s.Dimension])
		if wanted == posture.NotIntended {
			// Another runtime may rely on the receiver: only its owner rules it out.
			wanted, reason = posture.Undecided, ""
		}
		return posture.Requirement{Subject: c.Subject, Wanted: wanted, Reason: reason}
	}, posture.Receiver)
}

func inherited(lib *shelf, r *posture.Runtime, owner string, begin func(library.Statement) posture.Requirement, kind posture.SubjectKind) ([]posture.Requirement, error) {
	profile, ok := lib.Profile(r.Profile)
	if !ok {
		return []posture.Requirement{}, nil
	}
	rung, err := posture.ParseRung(profile.Rung)
	if err != nil {
		return nil, err
	}
	var list []posture.Requirement
	for _, id := range profile.Statements {
		statement, ok := lib.Statement(id)
		if !ok || inheritedBy(statement) != kind {
			continue
		}
		made := begin(statement)
		made.Statement, made.Rung, made.Owner = id, rung, owner
		if made.Reason == "" {
			made.Reason = profile.Reason
		}
		list = append(list, made)
	}
	return list, nil
}

// inheritedBy says which subject a profile's statement becomes a requirement
// of: application data and capacity are asked of each receiver, everything
// else of the unit (DESIGN.md §13).
func inheritedBy(s library.Statement) posture.SubjectKind {
	if s.JudgedAt(posture.Unit.String()) {
		return posture.Unit
	}
	return posture.Receiver
}

// wantedBy turns what a runtime says of a dimension into what it asks of the
// dimension's statements.
func wantedBy(intent posture.Intent) (posture.Wanted, string) {
	switch intent.Purpose {
	case posture.PurposeIntended:
		return posture.Intended, ""
	case posture.PurposeNotIntended:
		return posture.NotIntended, intent.Text
	default:
		return posture.Undecided, ""
	}
}

// followRuntime brings the unit's requirements after a changed description:
// those that said what the runtime said of their dimension say what it says
// now, and what another profile asks and nobody has asked yet is added.
func (t *tx) followRuntime(ctx context.Context, lib *shelf, before, after *posture.Runtime) error {
	now, err := t.requirements(ctx, []int64{after.Subject})
	if err != nil {
		return err
	}
	var next []posture.Requirement
	for _, r := range now {
		statement, ok := lib.Statement(r.Statement)
		if !ok {
			continue
		}
		was, _ := wantedBy(before.Intents[statement.Dimension])
		wanted, reason := wantedBy(after.Intents[statement.Dimension])
		if r.Wanted != was || was == wanted {
			continue
		}
		r.Wanted = wanted
		if reason != "" {
			r.Reason = reason
		}
		next = append(next, r)
	}
	if before.Profile != after.Profile {
		asked, err := unitRequirements(lib, after)
		if err != nil {
			return err
		}
		next = append(next, missing(asked, now)...)
	}
	slices.SortFunc(next, func(a, b posture.Requirement) int { return lib.compare(a.Statement, b.Statement) })
	return t.saveRequirements(ctx, next)
}

// missing leaves out what is asked already.
func missing(list []posture.Requirement, now map[verdictKey]posture.Requirement) []posture.Requirement {
	return slices.DeleteFunc(list, func(r posture.Requirement) bool {
		_, asked := now[verdictKey{r.Subject, r.Statement}]
		return asked
	})
}

func profileIDs(lib *shelf) []string {
	var ids []string
	for _, p := range lib.Profiles() {
		ids = append(ids, p.ID)
	}
	return ids
}
