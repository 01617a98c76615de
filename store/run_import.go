package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// RecordImport imports one file whole, in one transaction (DESIGN.md §2, law
// 9): its results are copied as they come, those that map to a statement become
// evidence with the identity that the file states and nothing more, verdicts
// and discrepancies follow, and the receipt says what moved and what did not.
// The same bytes again change nothing and give the receipt of then. A run that
// names no runtime, or whose target moved while it ran, is unattributed: its
// results are kept and reach no cell. A dry run does everything and keeps
// nothing. stream calls take for every result in the order of the file; the
// result may be used again once take returns.
func (s *Store) RecordImport(ctx context.Context, a posture.Access, in posture.Import, stream func(take func(*posture.Result) error) error) (receipt posture.Receipt, err error) {
	if err := a.Need(posture.RecordEvidence); err != nil {
		return receipt, err
	}
	sha, err := hex.DecodeString(in.SHA256)
	if err != nil || len(sha) != 32 {
		return receipt, fmt.Errorf("import %s: %q is no SHA-256 in hexadecimal", in.File, in.SHA256)
	}
	// A stream is read once: nothing is tried again.
	err = s.inTx(ctx, a, readWrite, func(ctx context.Context, t *tx) error {
		m := importing{tx: t, in: &in, sha: sha}
		if receipt, err = m.do(ctx, stream); err != nil {
			return fmt.Errorf("import %s: %w", in.File, err)
		}
		if in.DryRun {
			return errRollBack
		}
		return nil
	})
	return receipt, err
}

// importing is one import on its way.
type importing struct {
	*tx
	in  *posture.Import
	sha []byte

	portfolio int64
	runtime   *int64
	unit      posture.SubjectRef
	// apart says why the run is unattributed; empty when it is attributed.
	apart string
	run   int64
	kept  int
	// tallies count what became evidence; moved are the verdicts it moved.
	tallies []tally
	moved   []posture.Movement
	opened  []int64
	// problems are what the importer could not know of.
	problems []posture.Problem
}

func (m *importing) do(ctx context.Context, stream func(take func(*posture.Result) error) error) (posture.Receipt, error) {
	receipt, known, err := m.knownRun(ctx, m.sha, m.in.Runtime)
	if err != nil || known {
		return receipt, err
	}
	if err := m.place(ctx); err != nil {
		return receipt, err
	}
	// Two imports of the same bytes at one time: the second waits, and finds
	// the first.
	if _, err := m.Exec(ctx, sqlLockBytes, m.portfolio, m.sha); err != nil {
		return receipt, fmt.Errorf("lock the file: %w", err)
	}
	if receipt, known, err = m.knownRun(ctx, m.sha, m.in.Runtime); err != nil || known {
		return receipt, err
	}
	if err := m.copy(ctx, stream); err != nil {
		return receipt, err
	}
	if err := m.attribute(ctx); err != nil {
		return receipt, err
	}
	return m.finish(ctx)
}

// place resolves where the import goes and whether it can be attributed.
func (m *importing) place(ctx context.Context) error {
	var err error
	if m.in.Runtime == "" {
		m.apart = "it names no runtime"
		if m.portfolio, err = m.defaultPortfolio(ctx); errors.Is(err, pgx.ErrNoRows) {
			return posture.InvalidField("runtime", "Name the runtime that the results are about.")
		}
		return err
	}
	var id int64
	err = m.QueryRow(ctx, sqlImportRuntime, m.in.Runtime).Scan(&id, &m.portfolio, &m.unit.ID, &m.unit.Slug, &m.unit.Name)
	if errors.Is(err, pgx.ErrNoRows) {
		return posture.InvalidField("runtime", "There is no runtime "+m.in.Runtime+", or it is outside your portfolios. Describe it first, or name another.")
	}
	if err != nil {
		return fmt.Errorf("find the runtime: %w", err)
	}
	m.runtime = &id
	if moved := m.in.Changed(); len(moved) > 0 {
		m.apart = "its target moved while it ran (" + posture.FacetWords(moved) + ")"
	}
	return nil
}

// copy opens the run, copies its results and keeps the redacted copy.
func (m *importing) copy(ctx context.Context, stream func(take func(*posture.Result) error) error) error {
	err := m.QueryRow(ctx, sqlInsertRun, m.portfolio, m.runtime, m.in.File, m.in.Format, m.sha, m.in.Mapping, m.apart == "",
		m.in.Identity.Map(), m.in.IdentityEnd.Map(), m.now, m.access.Actor).Scan(&m.run)
	if err != nil {
		return fmt.Errorf("open the run: %w", err)
	}
	var table string
	if err := m.QueryRow(ctx, `select open_run($1)`, m.run).Scan(&table); err != nil {
		return fmt.Errorf("open the run: %w", err)
	}
	var digest []byte
	if m.kept, digest, err = m.copyResults(ctx, table, m.run, stream); err != nil {
		return err
	}
	var counted int
	if err := m.QueryRow(ctx, sqlCloseRun, m.run, digest).Scan(&counted, nil); err != nil {
		return fmt.Errorf("close the run: %w", err)
	}
	if counted != m.kept {
		return fmt.Errorf("close the run: %d results were sent and %d are there", m.kept, counted)
	}
	return nil
}

// finish writes the receipt.
func (m *importing) finish(ctx context.Context) (posture.Receipt, error) {
	var receipt posture.Receipt
	if m.in.Summary != nil {
		receipt = m.in.Summary()
	}
	if receipt.Records == (posture.RecordCounts{}) {
		receipt.Records = posture.RecordCounts{Read: m.kept, Stored: m.kept}
	}
	if receipt.Records.Stored != m.kept || receipt.Records.Read != m.kept+receipt.Records.Refused {
		return receipt, fmt.Errorf("the importer counts %+v, and %d results came", receipt.Records, m.kept)
	}
	if err := m.keepStored(ctx, &receipt); err != nil {
		return receipt, err
	}
	receipt.File, receipt.Format, receipt.SHA256 = m.in.File, m.in.Format, m.in.SHA256
	receipt.Run, receipt.Runtime, receipt.Attributed = m.run, m.in.Runtime, m.apart == ""
	receipt.Moved, receipt.Discrepancies = m.moved, m.opened
	receipt.Problems = append(receipt.Problems, m.problems...)
	slices.SortStableFunc(receipt.Problems, func(a, b posture.Problem) int { return a.Line - b.Line })
	if err := m.explain(ctx, &receipt); err != nil {
		return receipt, err
	}
	body, err := json.Marshal(receipt)
	if err != nil {
		return receipt, fmt.Errorf("write the receipt: %w", err)
	}
	stored, err := hex.DecodeString(receipt.StoredSHA256)
	if err != nil {
		return receipt, fmt.Errorf("digest of the stored copy: %w", err)
	}
	if _, err := m.Exec(ctx, sqlInsertReceipt, m.run, stored, body); err != nil {
		return receipt, fmt.Errorf("write the receipt: %w", err)
	}
	if m.in.DryRun {
		receipt.Run = 0
	}
	return receipt, nil
}

// keepStored keeps the redacted copy; where none is given, the received bytes
// hold no secret and stand for it.
func (m *importing) keepStored(ctx context.Context, receipt *posture.Receipt) error {
	receipt.StoredSHA256 = m.in.SHA256
	if m.in.Stored == nil {
		return nil
	}
	stored, err := m.in.Stored()
	if err != nil {
		return fmt.Errorf("read the redacted copy: %w", err)
	}
	receipt.StoredSHA256 = stored.SHA256
	return m.keepCopy(ctx, m.portfolio, m.in.File, &stored)
}

const (
	sqlLockBytes = `select pg_advisory_xact_lock(hashtextextended('demarc.bytes.' || $1::bigint::text || '.' || encode($2::bytea, 'hex'), 0))`

	sqlImportRuntime = `
		select r.id, r.portfolio_id, r.subject_id, r.slug, v.name
		from runtime r join runtime_version v on v.runtime_id = r.id and v.recorded_to = 'infinity'
		where r.slug = $1`

	sqlInsertRun = `
		insert into run (portfolio_id, runtime_id, file, format, sha256, mapping, attributed, identity, identity_end, recorded_at,
			recorded_by)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`

	sqlCloseRun = `select close_run($1, $2), attach_run($1)`

	sqlInsertReceipt = `insert into run_receipt (run_id, stored_sha256, receipt) values ($1, $2, $3)`
)
