package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// Requirement gives what is asked of a subject on one statement now; its
// version is 0 where nothing was ever asked.
func (s *Store) Requirement(ctx context.Context, a posture.Access, subject int64, statement string) (r posture.Requirement, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		if _, err := t.subject(ctx, subject); err != nil {
			return err
		}
		r, err = t.oneRequirement(ctx, sqlRequirement, subject, statement)
		if errors.Is(err, pgx.ErrNoRows) {
			r = posture.Requirement{Subject: subject, Statement: statement, Rung: posture.Tested}
			return nil
		}
		return err
	})
	return r, err
}

// RequirementVersion gives one version, for the merge page.
func (s *Store) RequirementVersion(ctx context.Context, a posture.Access, subject int64, statement string, version int) (r posture.Requirement, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		r, err = t.oneRequirement(ctx, sqlRequirementVersion, subject, statement, version)
		return err
	})
	return r, err
}

func (t *tx) oneRequirement(ctx context.Context, text string, args ...any) (posture.Requirement, error) {
	rows, err := t.Query(ctx, text, args...)
	if err != nil {
		return posture.Requirement{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanRequirement)
}

// Require saves new versions of requirements, all or none, and gives what
// moved. Each r.Version is the version the editor started from, 0 for none
// yet; one that is not in force any more is Conflicting.
func (s *Store) Require(ctx context.Context, a posture.Access, list []posture.Requirement) (moves []posture.Movement, err error) {
	err = s.require(ctx, a, list, func(m []posture.Movement) error {
		moves = m
		return nil
	})
	return moves, err
}

// PreviewRequire does what Require does and keeps nothing.
func (s *Store) PreviewRequire(ctx context.Context, a posture.Access, list []posture.Requirement) (p posture.Preview, err error) {
	err = s.require(ctx, a, list, func(m []posture.Movement) error {
		p.Moves = m
		if len(m) == 0 {
			p.Notes = append(p.Notes, "No label moves.")
		}
		return errRollBack
	})
	return p, err
}

func (s *Store) require(ctx context.Context, a posture.Access, list []posture.Requirement, done func([]posture.Movement) error) error {
	if err := a.Need(posture.EditInventory); err != nil {
		return err
	}
	lib, err := loadShelf()
	if err != nil {
		return err
	}
	list = slices.Clone(list)
	return s.write(ctx, a, func(ctx context.Context, t *tx) error {
		subjects := subjectsOf(list)
		kinds, err := t.subjectKinds(ctx, subjects)
		if err != nil {
			return err
		}
		if err := checkRequirements(list, kinds, lib); err != nil {
			return err
		}
		if err := t.lockSubjects(ctx, subjects); err != nil {
			return err
		}
		if err := t.saveRequirements(ctx, list); err != nil {
			return err
		}
		moves, err := t.rejudge(ctx, subjects, "requirement changed")
		if err != nil {
			return err
		}
		return done(moves)
	})
}

func subjectsOf(list []posture.Requirement) []int64 {
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].Subject
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func (t *tx) subjectKinds(ctx context.Context, subjects []int64) (map[int64]posture.SubjectKind, error) {
	rows, err := t.Query(ctx, sqlSubjectKinds, subjects)
	if err != nil {
		return nil, err
	}
	kinds := make(map[int64]posture.SubjectKind, len(subjects))
	var id int64
	var word string
	_, err = pgx.ForEachRow(rows, []any{&id, &word}, func() error {
		kind, err := posture.ParseSubjectKind(word)
		kinds[id] = kind
		return err
	})
	if err == nil && len(kinds) < len(subjects) {
		return nil, posture.NotFoundError("runtime or component")
	}
	return kinds, err
}

// checkRequirements cleans what was written and gives all that is wrong with
// it. With more than one requirement, fields are named after their statement.
func checkRequirements(list []posture.Requirement, kinds map[int64]posture.SubjectKind, lib *shelf) error {
	var faults posture.Fields
	if len(list) == 0 {
		faults.Add("statement", "Choose at least one statement.")
	}
	type key struct {
		subject   int64
		statement string
	}
	seen := map[key]bool{}
	for i := range list {
		r := &list[i]
		var own posture.Fields
		checkRequirement(&own, r, kinds[r.Subject], lib)
		if k := (key{r.Subject, r.Statement}); seen[k] {
			own.Add("statement", r.Statement+" is named twice. Leave one out.")
		} else {
			seen[k] = true
		}
		for _, f := range own {
			if len(list) > 1 {
				f.Field = r.Statement + "." + f.Field
			}
			faults = append(faults, f)
		}
	}
	return faults.Err()
}

func checkRequirement(faults *posture.Fields, r *posture.Requirement, kind posture.SubjectKind, lib *shelf) {
	statement, ok := lib.Statement(r.Statement)
	switch {
	case !ok:
		faults.Add("statement", "There is no statement "+r.Statement+". Choose one of the library's, such as FS-1.")
	case !statement.JudgedAt(kind.String()):
		faults.Add("statement", fmt.Sprintf("%s is not judged on a %s. Choose the %s it is about.", r.Statement, kind, otherKind(kind)))
	}
	cleanText(faults, "reason", &r.Reason, longNote)
	if r.Wanted == posture.NotIntended && r.Reason == "" {
		faults.Add("reason", "Say why this boundary is not intended.")
	}
	cleanText(faults, "mechanism", &r.Mechanism, longNote)
	checkWords(faults, "mechanism", r.Mechanism)
	cleanText(faults, "configuration", &r.Configuration, longNote)
	cleanText(faults, "owner", &r.Owner, longName)
	if r.Rung == posture.NotStated || r.Rung > posture.Tested {
		faults.Add("rung", "Choose the evidence that is asked for: claimed, documented, attested, configured or tested.")
	}
	paths := make([]string, 0, len(r.Paths))
	for _, p := range r.Paths {
		cleanText(faults, "paths", &p, longName)
		if p != "" && !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	r.Paths = paths
}

func otherKind(kind posture.SubjectKind) string {
	if kind == posture.Unit {
		return posture.Receiver.String()
	}
	return posture.Unit.String()
}

// saveRequirements writes the next version of each requirement. The caller
// holds the lock of their subjects and has checked them.
func (t *tx) saveRequirements(ctx context.Context, list []posture.Requirement) error {
	edits := make([]edit, len(list))
	for i := range list {
		r := &list[i]
		paths := r.Paths
		if paths == nil {
			paths = []string{}
		}
		edits[i] = edit{
			What: "The requirement on " + r.Statement, From: r.Version,
			Row: map[string]any{
				"subject_id": r.Subject, "statement": r.Statement, "wanted": r.Wanted.String(), "reason": r.Reason,
				"mechanism": r.Mechanism, "configuration": r.Configuration, "rung": r.Rung.String(), "owner": r.Owner,
				"paths": paths,
			},
		}
	}
	return t.save(ctx, noun{sqlRequirementCurrent, sqlCloseRequirements, sqlInsertRequirements}, edits)
}

// requirements gives what is asked of the subjects now, by statement.
func (t *tx) requirements(ctx context.Context, subjects []int64) (map[verdictKey]posture.Requirement, error) {
	return t.requirementsAt(ctx, t.nowMoment(), subjects)
}

// scanRequirement reads requirementColumns.
func scanRequirement(row pgx.CollectableRow) (posture.Requirement, error) {
	var r posture.Requirement
	var wanted, rung string
	if err := row.Scan(&r.Subject, &r.Statement, &r.Version, &r.From, &r.By, &wanted, &r.Reason, &r.Mechanism,
		&r.Configuration, &rung, &r.Owner, &r.Paths); err != nil {
		return r, err
	}
	return r, parseRequirementWords(&r, wanted, rung)
}

func parseRequirementWords(r *posture.Requirement, wanted, rung string) error {
	var err error
	r.From = r.From.UTC()
	if r.Wanted, err = posture.ParseWanted(wanted); err != nil {
		return err
	}
	r.Rung, err = posture.ParseRung(rung)
	return err
}

const (
	// requirementColumns are read from requirement_version q.
	requirementColumns = `q.subject_id, q.statement, q.version, q.recorded_from, actor_name(q.recorded_by), q.wanted, q.reason,
		q.mechanism, q.configuration, q.rung::text, q.owner, q.paths`

	sqlRequirement = `
		select ` + requirementColumns + `
		from requirement_version q
		where q.subject_id = $1 and q.statement = $2 and q.recorded_to = 'infinity'`

	sqlRequirementVersion = `
		select ` + requirementColumns + `
		from requirement_version q
		where q.subject_id = $1 and q.statement = $2 and q.version = $3`

	sqlSubjectKinds = `select id, kind from subject where id = any ($1)`

	sqlRequirementCurrent = `
		select i.n, v.version, v.recorded_from
		from jsonb_to_recordset($1::jsonb) i (n integer, subject_id bigint, statement text)
		join requirement_version v on v.subject_id = i.subject_id and v.statement = i.statement and v.recorded_to = 'infinity'`

	sqlCloseRequirements = `
		update requirement_version v set recorded_to = $2
		from jsonb_to_recordset($1::jsonb) i (subject_id bigint, statement text, version integer)
		where v.subject_id = i.subject_id and v.statement = i.statement and v.version = i.version and v.recorded_to = 'infinity'`

	sqlInsertRequirements = `
		insert into requirement_version (subject_id, statement, version, recorded_from, recorded_by, wanted, reason, mechanism,
			configuration, rung, owner, paths)
		select subject_id, statement, version + 1, $2, $3, wanted, reason, mechanism, configuration, rung, owner, paths
		from jsonb_to_recordset($1::jsonb) i (subject_id bigint, statement text, version integer, wanted text, reason text,
			mechanism text, configuration text, rung evidence_rung, owner text, paths text[])`
)
