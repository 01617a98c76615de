package store_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
	"demarc/store/storetest"
)

// BenchmarkRecordImport measures the store's part of an import against COPY of
// the same rows into the same table with its index: the metric is the ratio of
// their rows a second. One result in a hundred maps to a statement.
func BenchmarkRecordImport(b *testing.B) {
	const rows = 200_000
	db := storetest.New(b)
	a := storetest.As(posture.Editor)
	db.Exec(b, `
		with s as (insert into subject (kind, portfolio_id, recorded_at) values ('unit', 1, now()) returning id),
		r as (insert into runtime (subject_id, portfolio_id, slug, recorded_at) select id, 1, 'bench', now() from s returning id)
		insert into runtime_version (runtime_id, version, recorded_from, recorded_by, name, purpose, intents, stage, owner,
			risk_owner, data_class, criticality, multi_tenant, profile, retired, retired_because)
		select id, 1, now(), 'test', 'bench', '', '{}', 'production', '', '', '', 'normal', false, '', false, '' from r`)
	for run := 1; b.Loop(); run++ {
		begun := time.Now()
		in := posture.Import{File: "bench.xml", Format: "junit", SHA256: fmt.Sprintf("%064x", run), Runtime: "bench", Identity: identityR1}
		receipt, err := db.Store.RecordImport(b.Context(), a, in, func(take func(*posture.Result) error) error {
			r := posture.Result{
				Suite: "org.example.boundaries", Class: "org.example.boundaries.FilesystemTest", Outcome: posture.Pass,
				Message: "refused as required", Duration: time.Millisecond, ObservedAt: storetest.Start.Add(-time.Hour),
			}
			for n := range rows {
				r.Seq, r.Line, r.Name = n+1, 3*n, fmt.Sprintf("case_%07d", n)
				r.Statement, r.Case, r.Expected, r.ControlOK = "", "", posture.ExpectedUnknown, false
				if n%100 == 0 {
					r.Statement, r.Case, r.Expected, r.ControlOK = "FS-1", r.Name, posture.Deny, true
				}
				if err := take(&r); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		whole := time.Since(begun)
		b.StopTimer()
		plain := copyAgain(b, db, receipt.Run)
		b.ReportMetric(float64(rows)/whole.Seconds(), "rows/s")
		b.ReportMetric(plain.Seconds()/whole.Seconds(), "of-copy")
		b.StartTimer()
	}
}

// copyAgain copies the rows of a run into a table like its own and says how
// long that took.
func copyAgain(b *testing.B, db *storetest.DB, run int64) time.Duration {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), db.SuperDSN)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(b.Context())
	var rows bytes.Buffer
	if _, err := conn.PgConn().CopyTo(b.Context(), &rows, fmt.Sprintf("copy result_%d to stdout", run)); err != nil {
		b.Fatal(err)
	}
	if _, err := conn.Exec(b.Context(), fmt.Sprintf("create table plain_%d (like result_%d including all)", run, run)); err != nil {
		b.Fatal(err)
	}
	begun := time.Now()
	if _, err := conn.PgConn().CopyFrom(b.Context(), &rows, fmt.Sprintf("copy plain_%d from stdin", run)); err != nil {
		b.Fatal(err)
	}
	return time.Since(begun)
}
