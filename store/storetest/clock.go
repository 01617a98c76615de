package storetest

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Clock is a clock that tests move by hand.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock gives a clock that stands at now.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now gives the time the clock stands at.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves the clock.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Add moves the clock by d.
func (c *Clock) Add(d time.Duration) { c.Set(c.Now().Add(d)) }

// Counter counts the statements that a store sends, transaction control
// aside. It is a pgx tracer.
type Counter struct {
	mu         sync.Mutex
	statements []string
}

// TraceQueryStart counts a statement.
func (c *Counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	c.count(data.SQL)
	return ctx
}

// TraceQueryEnd is part of the tracer's interface.
func (c *Counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart is part of the tracer's interface.
func (c *Counter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

// TraceBatchQuery counts a statement of a batch.
func (c *Counter) TraceBatchQuery(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	c.count(data.SQL)
}

// TraceBatchEnd is part of the tracer's interface.
func (c *Counter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

func (c *Counter) count(sql string) {
	sql = strings.TrimSpace(sql)
	if sql == "" || strings.HasPrefix(sql, "begin") || sql == "commit" || sql == "rollback" || strings.HasPrefix(sql, "--") {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.statements = append(c.statements, sql)
}

// Reset forgets what was counted.
func (c *Counter) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.statements = nil
}

// Statements gives what was counted since the last Reset.
func (c *Counter) Statements() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.statements...)
}
