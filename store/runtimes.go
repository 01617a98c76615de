package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// countLimit bounds counts: a page says "10,000+".
const countLimit = 10000

// Runtimes lists the runtimes in reach by short name, with their counts in the
// two columns. The reading filter asks for runtimes with at least one required
// statement that reads so, on the unit or on a linked receiver.
func (s *Store) Runtimes(ctx context.Context, a posture.Access, o posture.AsOf, f posture.RuntimeFilter) (list posture.RuntimeList, err error) {
	lib, err := loadShelf()
	if err != nil {
		return list, err
	}
	labels, err := checkRuntimeFilter(&f)
	if err != nil {
		return list, err
	}
	err = s.page(ctx, a, o, func(ctx context.Context, t *tx, m moment, settling int) error {
		list = posture.RuntimeList{Settling: settling}
		args := runtimeFilterArgs(&f)
		if len(labels) > 0 {
			if args["reading"], err = t.subjectsReading(ctx, m, labels); err != nil {
				return err
			}
		}
		runtimes, next, err := t.listRuntimes(ctx, m, args, f.Limit)
		if err != nil {
			return err
		}
		list.Next = next
		if err := t.queryRow(ctx, m, sqlCountRuntimes, args).Scan(&list.Total); err != nil {
			return fmt.Errorf("count runtimes: %w", err)
		}
		reach, err := t.reachOf(ctx, m, runtimes)
		if err != nil {
			return err
		}
		open, err := t.openCounts(ctx, m, reach.subjects)
		if err != nil {
			return err
		}
		for i := range runtimes {
			r := &runtimes[i]
			row := posture.RuntimeRow{Runtime: *r}
			row.Execution, row.Receivers = countColumns(lib, reach.judged(r))
			for _, subject := range reach.of(r) {
				row.Open += open[subject]
			}
			list.Rows = append(list.Rows, row)
		}
		return nil
	})
	return list, err
}

// checkRuntimeFilter refuses words that no filter has and gives the labels of
// the reading word.
func checkRuntimeFilter(f *posture.RuntimeFilter) ([]posture.Label, error) {
	var faults posture.Fields
	if _, err := posture.ParseStage(f.Stage); f.Stage != "" && err != nil {
		faults.Add("stage", "Choose one of design, evaluation, in_use and production.")
	}
	var labels []posture.Label
	for _, l := range posture.Labels() {
		if f.Reading != "" && l.Reading().String() == f.Reading {
			labels = append(labels, l)
		}
	}
	if f.Reading != "" && len(labels) == 0 {
		faults.Add("reading", "Choose one of against, nothing yet and supported so far.")
	}
	f.Limit = pageLimit(f.Limit)
	return labels, faults.Err()
}

// runtimeFilterArgs are the arguments of runtimeFilter; "reading" lists the
// subjects that read as asked, and is null where nothing is asked.
func runtimeFilterArgs(f *posture.RuntimeFilter) pgx.NamedArgs {
	return pgx.NamedArgs{
		"after": f.After, "limit": f.Limit + 1, "most": countLimit,
		"find": f.Find, "pattern": containing(f.Find), "stage": f.Stage, "owner": f.Owner, "retired": f.Retired,
		"reading": []int64(nil),
	}
}

// containing is the pattern of texts that contain what was typed.
func containing(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.TrimSpace(text)) + "%"
}

// listRuntimes gives one page and the short name after which the next begins.
func (t *tx) listRuntimes(ctx context.Context, m moment, args pgx.NamedArgs, limit int) (list []posture.Runtime, next string, err error) {
	rows, err := t.query(ctx, m, sqlListRuntimes, args)
	if err != nil {
		return nil, "", fmt.Errorf("list runtimes: %w", err)
	}
	if list, err = pgx.CollectRows(rows, scanRuntime); err != nil {
		return nil, "", fmt.Errorf("list runtimes: %w", err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].Slug
	}
	return list, next, nil
}

// reach holds the subjects that runtimes are judged by, their units and linked
// receivers, with the labels on them.
type reach struct {
	subjects  []int64
	receivers map[int64][]int64 // by the unit's subject
	labels    map[int64][]judged
}

func (t *tx) reachOf(ctx context.Context, m moment, runtimes []posture.Runtime) (reach, error) {
	ids := make([]int64, len(runtimes))
	found := reach{receivers: map[int64][]int64{}, labels: map[int64][]judged{}}
	for i := range runtimes {
		ids[i] = runtimes[i].ID
		found.add(runtimes[i].Subject)
	}
	links, err := t.links(ctx, m, ids)
	if err != nil {
		return found, fmt.Errorf("read links: %w", err)
	}
	for _, l := range links {
		found.receivers[l.Runtime.ID] = append(found.receivers[l.Runtime.ID], l.Component.ID)
		found.add(l.Component.ID)
	}
	labels, err := t.labels(ctx, m, found.subjects)
	for _, j := range labels {
		found.labels[j.Subject] = append(found.labels[j.Subject], j)
	}
	return found, err
}

// add keeps each subject once.
func (r *reach) add(subject int64) {
	if _, known := r.labels[subject]; !known {
		r.labels[subject] = nil
		r.subjects = append(r.subjects, subject)
	}
}

// of lists the subjects of one runtime.
func (r *reach) of(runtime *posture.Runtime) []int64 {
	return append([]int64{runtime.Subject}, r.receivers[runtime.Subject]...)
}

func (r *reach) judged(runtime *posture.Runtime) []judged {
	var list []judged
	for _, subject := range r.of(runtime) {
		list = append(list, r.labels[subject]...)
	}
	return list
}

// subjectsReading gives the subjects with a required statement of one of the
// labels, judged from the facts where the two clocks differ.
func (t *tx) subjectsReading(ctx context.Context, m moment, labels []posture.Label) ([]int64, error) {
	if m.apart() {
		return t.subjectsReadingApart(ctx, m, labels)
	}
	words := make([]string, len(labels))
	for i, l := range labels {
		words[i] = l.String()
	}
	rows, err := t.query(ctx, m, sqlSubjectsReading, pgx.NamedArgs{"labels": words})
	if err != nil {
		return nil, fmt.Errorf("filter by reading: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

func (t *tx) subjectsReadingApart(ctx context.Context, m moment, labels []posture.Label) ([]int64, error) {
	rows, err := t.query(ctx, m, sqlSubjectsAsked, nil)
	if err != nil {
		return nil, fmt.Errorf("filter by reading: %w", err)
	}
	asked, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("filter by reading: %w", err)
	}
	list, err := t.labels(ctx, m, asked)
	found := []int64{}
	for i := range list {
		if list[i].Required && slices.Contains(labels, list[i].Label) {
			found = append(found, list[i].Subject)
		}
	}
	return found, err
}

// openCounts counts the open discrepancies of each subject.
func (t *tx) openCounts(ctx context.Context, m moment, subjects []int64) (map[int64]int, error) {
	rows, err := t.query(ctx, m, sqlOpenCounts, pgx.NamedArgs{"subjects": subjects})
	if err != nil {
		return nil, fmt.Errorf("count open discrepancies: %w", err)
	}
	open := map[int64]int{}
	var subject int64
	var n int
	_, err = pgx.ForEachRow(rows, []any{&subject, &n}, func() error {
		open[subject] = n
		return nil
	})
	return open, err
}

const (
	runtimeFilter = `
		v.retired = @retired
		and (@stage = '' or v.stage = @stage)
		and (@owner = '' or lower(v.owner) = lower(@owner))
		and (@find = '' or r.slug ilike @pattern or v.name ilike @pattern or v.purpose ilike @pattern or v.owner ilike @pattern
			or exists (select from target f where f.subject_id = r.subject_id and known(f)
				and concat_ws(' ', f.vendor, f.product, f.variant, f.version, f.image, f.policy, f.config) ilike @pattern))
		and (@reading::bigint[] is null or r.subject_id in (select unnest(@reading::bigint[]))
			or exists (select from runtime_link l join component c on c.id = l.component_id
				where l.runtime_id = r.id and in_force(l) and c.subject_id in (select unnest(@reading::bigint[]))))`

	// The page is cut before anything is looked up for its rows.
	sqlListRuntimes = `
		select ` + runtimeColumns + `
		from (
			select r.id, v.version
			from runtime r join runtime_version v on v.runtime_id = r.id and in_force(v)
			where r.slug > @after and ` + runtimeFilter + `
			order by r.slug limit @limit) p
		join runtime r on r.id = p.id join runtime_version v on v.runtime_id = p.id and v.version = p.version` + runtimeTarget + `
		order by r.slug`

	sqlCountRuntimes = `
		select count(*) from (
			select from runtime r join runtime_version v on v.runtime_id = r.id and in_force(v)
			where ` + runtimeFilter + ` limit @most) counted`

	sqlSubjectsReading = `
		select distinct j.subject_id from verdict j
		where in_force(j) and j.required and j.changes_at > @at and j.label = any (@labels::text[]::verdict_label[])`

	sqlSubjectsAsked = `select distinct j.subject_id from verdict j where in_force(j) and j.required`

	sqlOpenCounts = `
		select d.subject_id, count(*)
		from discrepancy d join discrepancy_version v on v.discrepancy_id = d.id and in_force(v)
		where d.subject_id = any (@subjects) and d.kind = 'boundary_failed' and known(d) and ` + discrepancyOpen + `
		group by d.subject_id`
)
