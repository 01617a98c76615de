package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"unicode/utf8"

	"demarc/store/posture"
)

// resultColumns are written by appendResult, in its order.
const resultColumns = `run_id, seq, line, suite, class, name, outcome, message, duration_ns, observed_at, zone_assumed, statement,
	scenario, run_name, case_id, path, direction, expected, control_ok, observed_behaviour, refusal_origin, tester, mapped_by,
	receiver, identity, text, cut`

const resultColumnCount = 27

// copyResults streams results into the run's own table by COPY and gives how
// many there were and the digest over them. The stream runs on the caller's
// goroutine and is held back by the database: nothing is kept but one buffer.
// A stream that fails leaves its own error.
func (t *tx) copyResults(ctx context.Context, table string, run int64, stream func(take func(*posture.Result) error) error) (count int, digest []byte, err error) {
	from, into := io.Pipe()
	var copyErr error
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, copyErr = t.Conn().PgConn().CopyFrom(ctx, from, "copy "+table+" ("+resultColumns+") from stdin binary")
		// A writer that still writes must not wait for a reader that is gone.
		from.CloseWithError(errors.Join(errCopyEnded, copyErr))
	}()
	w := resultWriter{run: run, out: into, buf: make([]byte, 0, copyBuffer+4096), digest: sha256.New()}
	streamed := false
	// Also where the stream panics, the connection must be given back whole.
	defer func() {
		if !streamed {
			into.CloseWithError(errors.New("the stream of results broke off"))
			<-copied
		}
	}()
	if _, err = io.WriteString(into, copyHeader); err == nil {
		err = stream(w.take)
	}
	if err == nil {
		err = w.end()
	}
	streamed = true
	into.CloseWithError(err)
	<-copied
	switch {
	case err != nil && !errors.Is(err, errCopyEnded):
		return 0, nil, err
	case copyErr != nil:
		return 0, nil, fmt.Errorf("store results: %w", copyErr)
	default:
		return w.count, w.digest.Sum(nil), err
	}
}

// errCopyEnded says that the database stopped taking results; its own error
// says why.
var errCopyEnded = errors.New("the database takes no more results")

const copyBuffer = 64 << 10

// copyHeader opens PostgreSQL's binary COPY format: signature, flags, extension.
const copyHeader = "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// copyTrailer ends it.
const copyTrailer = "\xff\xff"

// resultWriter encodes results in PostgreSQL's binary COPY format.
type resultWriter struct {
	run   int64
	out   io.Writer
	buf   []byte
	count int
	// digest is over the encoded results, in order.
	digest hash.Hash
	// identity is the last one encoded: most results of a file share it.
	identity posture.Identity
	encoded  []byte
}

func (w *resultWriter) take(r *posture.Result) error {
	if err := checkResult(r); err != nil {
		return err
	}
	if err := w.encode(r); err != nil || len(w.buf) < copyBuffer {
		return err
	}
	return w.flush()
}

func (w *resultWriter) encode(r *posture.Result) error {
	if w.encoded == nil || r.Identity != w.identity {
		body, err := json.Marshal(r.Identity.Map())
		if err != nil {
			return fmt.Errorf("record %d: %w", r.Seq, err)
		}
		w.identity, w.encoded = r.Identity, body
	}
	w.buf = appendResult(w.buf, w.run, r, w.encoded)
	w.count++
	return nil
}

func (w *resultWriter) end() error {
	if err := w.flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w.out, copyTrailer)
	return err
}

func (w *resultWriter) flush() error {
	w.digest.Write(w.buf)
	_, err := w.out.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}

// checkResult refuses what cannot be stored. Importers see to it that none of
// this is left.
func checkResult(r *posture.Result) error {
	if r.ObservedAt.IsZero() {
		return &posture.Error{Kind: posture.Invalid, Text: fmt.Sprintf("Record %d (line %d) says no time at which it was observed. Give one for the run.", r.Seq, r.Line)}
	}
	for _, s := range [...]string{
		r.Suite, r.Class, r.Name, r.Message, r.Statement, r.Scenario, r.Run, r.Case, r.Path, r.Direction, r.ObservedBehaviour,
		r.RefusalOrigin, r.Tester, r.MappedBy, r.Receiver, r.Text,
	} {
		if strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s) {
			return &posture.Error{Kind: posture.Invalid, Text: fmt.Sprintf("Record %d (line %d) holds bytes that are no text in UTF-8.", r.Seq, r.Line)}
		}
	}
	return nil
}

func appendResult(b []byte, run int64, r *posture.Result, identity []byte) []byte {
	b = binary.BigEndian.AppendUint16(b, resultColumnCount)
	b = appendInt8(b, run)
	b = appendInt4(b, r.Seq)
	b = appendInt4(b, r.Line)
	b = appendText(b, r.Suite)
	b = appendText(b, r.Class)
	b = appendText(b, r.Name)
	b = appendText(b, r.Outcome.String())
	b = appendText(b, r.Message)
	b = appendInt8(b, int64(r.Duration))
	b = appendInt8(b, r.ObservedAt.UnixMicro()-postgresEpoch)
	b = appendBool(b, r.ZoneAssumed)
	b = appendText(b, r.Statement)
	b = appendText(b, r.Scenario)
	b = appendText(b, r.Run)
	b = appendText(b, r.Case)
	b = appendText(b, r.Path)
	b = appendText(b, r.Direction)
	b = appendText(b, r.Expected.String())
	b = appendBool(b, r.ControlOK)
	b = appendText(b, r.ObservedBehaviour)
	b = appendText(b, r.RefusalOrigin)
	b = appendText(b, r.Tester)
	b = appendText(b, r.MappedBy)
	b = appendText(b, r.Receiver)
	b = binary.BigEndian.AppendUint32(b, uint32(len(identity)+1))
	b = append(append(b, jsonbVersion), identity...)
	b = appendText(b, r.Text)
	return appendInt8(b, r.Cut)
}

const (
	// postgresEpoch is 2000-01-01 in microseconds of Unix time.
	postgresEpoch = 946_684_800_000_000
	// jsonbVersion leads a jsonb value in binary form.
	jsonbVersion = 1
)

func appendText(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
}

func appendInt8(b []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(b, 8), uint64(n))
}

func appendInt4(b []byte, n int) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, 4), uint32(n))
}

func appendBool(b []byte, v bool) []byte {
	b = binary.BigEndian.AppendUint32(b, 1)
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}
