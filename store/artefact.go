package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// artefactChunk is the unpacked size of a part (DESIGN.md §13).
const artefactChunk = 1 << 20

// artefactWriter keeps bytes by digest, in compressed parts.
type artefactWriter struct {
	t         *tx
	portfolio int64
	sha       []byte
	seq       int
}

// putArtefact keeps the bytes of an upload once and gives their digest.
func (t *tx) putArtefact(ctx context.Context, portfolio int64, u *posture.Upload) ([]byte, error) {
	sum := sha256.Sum256(u.Body)
	copied := posture.StoredCopy{
		SHA256: hex.EncodeToString(sum[:]), Size: int64(len(u.Body)), Media: u.Media,
		Chunks: func(give func([]byte) error) error {
			for rest := u.Body; len(rest) > 0; {
				n := min(artefactChunk, len(rest))
				if err := give(rest[:n]); err != nil {
					return err
				}
				rest = rest[n:]
			}
			return nil
		},
	}
	return sum[:], t.keepCopy(ctx, portfolio, u.Name, &copied)
}

// keepCopy keeps a redacted copy under its own digest; bytes that are kept
// already are not written again.
func (t *tx) keepCopy(ctx context.Context, portfolio int64, name string, c *posture.StoredCopy) error {
	sha, err := hex.DecodeString(c.SHA256)
	if err != nil {
		return fmt.Errorf("digest of %s: %w", name, err)
	}
	tag, err := t.Exec(ctx, sqlInsertArtefact, portfolio, sha, c.Size, c.Media, name, t.now, t.access.Actor)
	if err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	if tag.RowsAffected() == 0 {
		return nil
	}
	w := &artefactWriter{t: t, portfolio: portfolio, sha: sha}
	if err := c.Chunks(func(part []byte) error { return w.part(ctx, part) }); err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	return nil
}

func (w *artefactWriter) part(ctx context.Context, part []byte) error {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(part); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	_, err := w.t.Exec(ctx, sqlInsertChunk, w.portfolio, w.sha, w.seq, packed.Bytes())
	w.seq++
	return err
}

// Artefact writes the kept bytes of a digest, 64 hex digits, to out and gives
// their name and media type; begin is called with them before the first byte.
func (s *Store) Artefact(ctx context.Context, a posture.Access, sha256 string, begin func(name, media string, size int64) error, out io.Writer) error {
	sha, err := hex.DecodeString(sha256)
	if err != nil || len(sha) != 32 {
		return posture.NotFoundError("artefact")
	}
	return s.read(ctx, a, func(ctx context.Context, t *tx) error {
		var portfolio, size int64
		var name, media string
		err := t.QueryRow(ctx, sqlArtefact, sha).Scan(&portfolio, &name, &media, &size)
		if errors.Is(err, pgx.ErrNoRows) {
			return posture.NotFoundError("artefact")
		}
		if err != nil {
			return err
		}
		if err := begin(name, media, size); err != nil {
			return err
		}
		rows, err := t.Query(ctx, sqlChunks, portfolio, sha)
		if err != nil {
			return err
		}
		var body []byte
		_, err = pgx.ForEachRow(rows, []any{&body}, func() error { return unpack(out, body) })
		return err
	})
}

func unpack(out io.Writer, packed []byte) error {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(z, artefactChunk))
	return err
}

const (
	sqlInsertArtefact = `
		insert into artefact (portfolio_id, sha256, size, media, name, recorded_at, recorded_by) values ($1, $2, $3, $4, $5, $6, $7)
		on conflict do nothing`
	sqlInsertChunk = `insert into artefact_chunk (portfolio_id, sha256, seq, body) values ($1, $2, $3, $4)`
	sqlArtefact    = `select portfolio_id, name, media, size from artefact where sha256 = $1 order by portfolio_id limit 1`
	sqlChunks      = `select body from artefact_chunk where portfolio_id = $1 and sha256 = $2 order by seq`
)
