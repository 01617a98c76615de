package posture

import "time"

// Person is a local account in one version.
type Person struct {
	ID      int64
	Version int
	From    time.Time
	Email   string
	Name    string
	Role    Role
	// Portfolios are in reach unless AllPortfolios.
	Portfolios    []int64
	AllPortfolios bool
	Active        bool
	// LastSignIn is zero when the person never signed in.
	LastSignIn time.Time
}

// Token is an API token; its secret is stored hashed and shown once.
type Token struct {
	ID        int64
	Name      string
	Role      Role
	Person    string
	CreatedAt time.Time
	ExpiresAt time.Time
	LastUsed  time.Time
	RevokedAt time.Time
}

// Portfolio groups runtimes, components and maps for access.
type Portfolio struct {
	ID   int64
	Slug string
	Name string
	// Sample marks the portfolio of the demo, removable by one action.
	Sample bool
}

// AuditRow is one statement's effect on one table, written by the database
// itself (DESIGN.md §11).
type AuditRow struct {
	ID      int64
	At      time.Time
	Actor   string
	Request string
	Table   string
	Op      string
	Count   int
	// Rows is the JSON of the rows, cut for display; Digest is over the whole.
	Rows   string
	Digest string
	// Seal is the number of the seal that covers the row, 0 while unsealed.
	Seal int64
}

// AuditFilter narrows the audit log; zero fields do not.
type AuditFilter struct {
	Actor   string
	Table   string
	Op      string
	Request string
	From    time.Time
	To      time.Time
	// Before is the keyset: rows with a smaller id.
	Before int64
	Limit  int
}
