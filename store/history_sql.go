package store

// sqlHistory reads each source of a subject's history no further than a page
// can show. Statements that moved or were asked together are one event, an
// import is one event, and nothing of one instant is cut off.
const sqlHistory = `
	select h.at, actor_name(h.by), h.kind, h.statements, h.words, h.id
	from (select u.at, u.by, u.kind, u.statements, u.words, u.id from (
		(select v.recorded_from at, v.recorded_by by, 'runtime' kind, '{}'::text[] statements,
			array[v.version::text, v.retired::text, v.retired_because] words, 0::bigint id
		from runtime r join runtime_version v on v.runtime_id = r.id
		where r.subject_id = @subject
			and v.recorded_from < @before and v.recorded_from <= @until order by 1 desc fetch first (@limit::bigint) rows with ties)
		union all
		(select v.recorded_from, v.recorded_by, 'component', '{}', array[v.version::text, v.retired::text, v.retired_because], 0
		from component c join component_version v on v.component_id = c.id
		where c.subject_id = @subject
			and v.recorded_from < @before and v.recorded_from <= @until order by 1 desc fetch first (@limit::bigint) rows with ties)
		union all
		(select g.recorded_at, g.recorded_by, 'target', '{}', g.words, 0
		from (
			select g.recorded_at, g.recorded_by, array[g.reason] || ` + identityArray + `
				|| coalesce(lag(` + identityArray + `) over (order by g.recorded_at, g.id), '{}') words
			from target g where g.subject_id = @subject) g
		where g.recorded_at < @before and g.recorded_at <= @until order by 1 desc fetch first (@limit::bigint) rows with ties)
		union all
		(select q.recorded_from, q.recorded_by, 'requirement', array_agg(q.statement),
			array[q.wanted, q.rung::text, case when q.version = 1 then '1' else 'n' end, q.reason], 0
		from requirement_version q
		where q.subject_id = @subject and q.recorded_from < @before and q.recorded_from <= @until
		group by q.recorded_from, q.recorded_by, q.wanted, q.rung, q.version = 1, q.reason
		order by 1 desc fetch first (@limit::bigint) rows with ties)
		union all
		(select e.recorded_at, e.recorded_by, 'evidence', array[e.statement],
			array[concat_ws(' ', e.kind, nullif(e.expected, ''), nullif(e.outcome, ''), nullif(e.advisory, '')), e.title, e.words], e.id
		from evidence e
		where e.subject_id = @subject and e.run_id is null
			and e.recorded_at < @before and e.recorded_at <= @until order by 1 desc fetch first (@limit::bigint) rows with ties)
		union all
		(select u.recorded_at, u.recorded_by, 'run', '{}', array[u.file], u.id
		from run u
		where exists (select from evidence e where e.run_id = u.id and e.subject_id = @subject)
			and u.recorded_at < @before and u.recorded_at <= @until order by 1 desc fetch first (@limit::bigint) rows with ties)
		union all
		(select w.recorded_at, w.recorded_by, 'withdrawal', array[e.statement], array[w.reason], e.id
		from evidence_withdrawal w join evidence e on e.id = w.evidence_id
		where e.subject_id = @subject
			and w.recorded_at < @before and w.recorded_at <= @until order by 1 desc fetch first (@limit::bigint) rows with ties)
		union all
		(select d.recorded_at, d.recorded_by, 'closure', array[e.statement], array[d.kind, 'false', d.reason], d.id
		from closure d join evidence e on e.id = d.evidence_id
		where d.subject_id = @subject
			and d.recorded_at < @before and d.recorded_at <= @until order by 1 desc fetch first (@limit::bigint) rows with ties)
		union all
		(select d.recorded_at, d.recorded_by, 'acceptance', array[d.statement], array['accepted ' || d.severity || ' risk', 'false', d.condition],
			d.id
		from acceptance d
		where d.subject_id = @subject
			and d.recorded_at < @before and d.recorded_at <= @until order by 1 desc fetch first (@limit::bigint) rows with ties)
		union all
		(select d.recorded_at, d.recorded_by, 'ruling', array[d.statement], array['not_applicable', 'false', d.reason], d.id
		from ruling d
		where d.subject_id = @subject
			and d.recorded_at < @before and d.recorded_at <= @until order by 1 desc fetch first (@limit::bigint) rows with ties)
		union all
		(select x.recorded_at, x.recorded_by,
			case when x.closure_id is not null then 'closure' when x.acceptance_id is not null then 'acceptance' else 'ruling' end,
			array[coalesce(e.statement, a.statement, n.statement)],
			array[coalesce(k.kind, case when a.id is null then 'not_applicable' else 'accepted risk' end), 'true', x.reason],
			coalesce(x.closure_id, x.acceptance_id, x.ruling_id)
		from revocation x
		left join closure k on k.id = x.closure_id left join evidence e on e.id = k.evidence_id
		left join acceptance a on a.id = x.acceptance_id left join ruling n on n.id = x.ruling_id
		where x.subject_id = @subject
			and x.recorded_at < @before and x.recorded_at <= @until order by 1 desc fetch first (@limit::bigint) rows with ties)
		union all
		(select l.at, l.by, 'link', '{}', array[l.word, case when r.subject_id = @subject then c.slug else r.slug end], 0
		from (
			select l.runtime_id, l.component_id, l.recorded_from at, l.recorded_by by, 'linked' word from runtime_link l
			union all
			select l.runtime_id, l.component_id, l.recorded_to, '', 'unlinked' from runtime_link l where l.recorded_to < 'infinity') l
		join runtime r on r.id = l.runtime_id join component c on c.id = l.component_id
		where (r.subject_id = @subject or c.subject_id = @subject) and l.at < @before and l.at <= @until
		order by 1 desc fetch first (@limit::bigint) rows with ties)
		union all
		(select j.recorded_from, '', 'verdict', array_agg(j.statement), array[b.label::text, j.label::text, j.cause], 0
		from verdict b
		join verdict j on j.subject_id = b.subject_id and j.statement = b.statement and j.recorded_from = b.recorded_to
		where b.subject_id = @subject and b.recorded_to < 'infinity' and b.label <> j.label
			and b.recorded_to < @before and b.recorded_to <= @until
		group by j.recorded_from, b.label, j.label, j.cause
		order by 1 desc fetch first (@limit::bigint) rows with ties)) u
		order by u.at desc fetch first (@limit::bigint) rows with ties) h
	order by h.at desc, h.kind, h.id`
