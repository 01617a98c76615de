package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store"
	"demarc/store/posture"
	"demarc/store/storetest"
)

// recorder keeps what a store sends, to be sent again by hand.
type recorder struct {
	mu   sync.Mutex
	sent []pgx.TraceQueryStartData
}

func (r *recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent = append(r.sent, data)
	return ctx
}

func (r *recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// take gives what was sent since the last take.
func (r *recorder) take() []pgx.TraceQueryStartData {
	r.mu.Lock()
	defer r.mu.Unlock()
	sent := r.sent
	r.sent = nil
	return sent
}

// bench measures a page against its own statements with the same arguments
// and fetched rows over one connection (DESIGN.md §10).
type bench struct {
	store    *store.Store
	conn     *pgx.Conn
	recorder *recorder
}

func newBench(b *testing.B) *bench {
	b.Helper()
	db := storetest.New(b)
	storetest.Volume{Runtimes: 2000, Components: 2000}.Fill(b, db)
	found := &bench{recorder: &recorder{}}
	var err error
	found.store, err = store.Open(b.Context(), store.Options{DSN: db.LoginDSN, Clock: db.Clock.Now, MaxConns: 1, Tracer: found.recorder})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(found.store.Close)
	if found.conn, err = pgx.Connect(b.Context(), db.LoginDSN); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { found.conn.Close(context.WithoutCancel(b.Context())) })
	return found
}

// replay sends the statements again and fetches every row.
func (p *bench) replay(b *testing.B, sent []pgx.TraceQueryStartData) {
	b.Helper()
	for _, s := range sent {
		if strings.HasPrefix(s.SQL, "begin") || s.SQL == "commit" || s.SQL == "rollback" {
			if _, err := p.conn.Exec(b.Context(), s.SQL); err != nil {
				b.Fatal(err)
			}
			continue
		}
		rows, err := p.conn.Query(b.Context(), s.SQL, s.Args...)
		if err != nil {
			b.Fatal(err)
		}
		for rows.Next() {
			_ = rows.RawValues()
		}
		if err := rows.Err(); err != nil {
			b.Fatal(err)
		}
	}
}

// against runs the page and its statements in turn and reports both medians,
// and how far the page lies within its bar max(1.5 S, S + 5 ms).
func (p *bench) against(b *testing.B, name string, page func() error) time.Duration {
	b.Helper()
	run := func() {
		if err := page(); err != nil {
			b.Fatal(err)
		}
	}
	for range 20 {
		run()
	}
	p.recorder.take()
	run()
	sent := p.recorder.take()
	var pages, statements []time.Duration
	for i := range 120 {
		begin := b.Elapsed()
		run()
		middle := b.Elapsed()
		p.replay(b, sent)
		end := b.Elapsed()
		if i >= 20 {
			pages, statements = append(pages, middle-begin), append(statements, end-middle)
		}
	}
	took, floor := median(pages), median(statements)
	bar := max(floor*3/2, floor+5*time.Millisecond)
	b.ReportMetric(ms(took), name+"-ms")
	b.ReportMetric(ms(floor), name+"-S-ms")
	b.ReportMetric(float64(took)/float64(bar), name+"/bar")
	return took
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// measure reports a page live and as of 100 days ago, and how far the second
// lies within twice the first.
func measure(b *testing.B, page func(*store.Store, posture.AsOf) error) {
	b.Helper()
	p := newBench(b)
	b.ResetTimer()
	live := p.against(b, "live", func() error { return page(p.store, posture.AsOf{}) })
	past := p.against(b, "past", func() error {
		return page(p.store, posture.AsOf{At: storetest.Start.Add(-100 * posture.Day), Past: true})
	})
	b.ReportMetric(float64(past)/float64(2*live), "past/bar")
}

func reader() posture.Access {
	a := storetest.As(posture.Editor)
	a.Name = "Owner 7"
	return a
}

func BenchmarkOverview2000(b *testing.B) {
	measure(b, func(s *store.Store, o posture.AsOf) error {
		_, err := s.Overview(b.Context(), reader(), o, "", 50)
		return err
	})
}

func BenchmarkRuntimes2000(b *testing.B) {
	for _, f := range []posture.RuntimeFilter{{}, {Reading: "against"}, {Find: "Runtime 19"}} {
		b.Run(fmt.Sprintf("reading=%s,find=%s", f.Reading, f.Find), func(b *testing.B) {
			measure(b, func(s *store.Store, o posture.AsOf) error {
				_, err := s.Runtimes(b.Context(), reader(), o, f)
				return err
			})
		})
	}
}

func BenchmarkComponents2000(b *testing.B) {
	measure(b, func(s *store.Store, o posture.AsOf) error {
		_, _, err := s.Components(b.Context(), reader(), o, "", "", 50)
		return err
	})
}

func BenchmarkRuntimePage2000(b *testing.B) {
	measure(b, func(s *store.Store, o posture.AsOf) error {
		_, err := s.RuntimePage(b.Context(), reader(), o, "runtime-00907")
		return err
	})
}

func BenchmarkCellPage2000(b *testing.B) {
	measure(b, func(s *store.Store, o posture.AsOf) error {
		_, err := s.CellPage(b.Context(), reader(), o, "runtime-00907", "FS")
		return err
	})
}

func BenchmarkHistory2000(b *testing.B) {
	measure(b, func(s *store.Store, o posture.AsOf) error {
		_, err := s.History(b.Context(), reader(), o, 907, time.Time{}, 50)
		return err
	})
}
