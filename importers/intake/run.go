package intake

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"demarc/importers"
	"demarc/store/posture"
)

// Run imports a file. A refused file gives an Invalid error of one sentence
// together with a receipt that carries the problems. Without a sink it is a
// dry run that needs no database.
func Run(ctx context.Context, a posture.Access, sink Sink, src Source, o Options) (posture.Receipt, error) {
	j := newJob(ctx, src, o)
	defer j.close()
	if err := j.open(); err != nil {
		return j.refuse(err)
	}
	if sink == nil {
		if err := j.stream(func(*posture.Result) error { return nil }); err != nil {
			return j.refuse(err)
		}
		return j.receipt(), nil
	}
	receipt, err := sink.RecordImport(ctx, a, j.in, j.stream)
	if j.failed != nil {
		return j.refuse(j.failed)
	}
	if err != nil {
		return j.refuse(err)
	}
	return receipt, nil
}

// Preview is the dry run that also gives the first rows results, as they would
// be stored. Refused ones stand in the receipt's problems.
func Preview(ctx context.Context, src Source, o Options, rows int) (posture.Receipt, []posture.Result, error) {
	j := newJob(ctx, src, o)
	defer j.close()
	err := j.open()
	var first []posture.Result
	if err == nil {
		err = j.stream(func(r *posture.Result) error {
			if len(first) < rows {
				first = append(first, *r)
			}
			return nil
		})
	}
	if err != nil {
		receipt, err := j.refuse(err)
		return receipt, first, err
	}
	return j.receipt(), first, nil
}

// job is one import on its way.
type job struct {
	ctx context.Context
	src Source
	o   Options
	in  posture.Import
	// sha256 is that of the bytes as received; format and xml are known once
	// the head was seen.
	sha256 string
	format importers.Format
	xml    bool
	// file and text are what is being read, and what becomes of it.
	file *received
	text *cleaned
	// next gives the records one by one; first is the one that had to be read
	// before the sink could be told of the run.
	next  func() (*posture.Result, bool)
	stop  func()
	first *posture.Result

	records
	meta importers.Meta
	copy posture.StoredCopy
	// readErr ended the reading of the file; failed is why it is not imported.
	readErr, failed error
}

func newJob(ctx context.Context, src Source, o Options) *job {
	return &job{ctx: ctx, src: src, o: o, records: newRecords(&o)}
}

func (j *job) close() {
	if j.stop != nil {
		j.stop()
	}
	if j.file != nil {
		_ = j.file.in.Close() // it was only read
	}
}

// open takes the digest, recognises the format and reads up to the first
// record that can be stored: what the file says of its runtime is known then.
func (j *job) open() error {
	if err := j.o.check(); err != nil {
		return err
	}
	head, err := j.digest()
	if err != nil {
		return err
	}
	if j.format, err = j.choose(head); err != nil {
		return err
	}
	if j.file, err = j.reader(); err != nil {
		return err
	}
	if j.text, err = j.clean(j.file); err != nil {
		return err
	}
	j.next, j.stop = iter.Pull(j.read)
	first, ok := j.next()
	switch {
	case j.readErr != nil:
		return j.readErr
	case !ok:
		return j.nothing()
	}
	j.first = first
	j.describe()
	return nil
}

// read walks the file and yields the records that can be stored.
func (j *job) read(yield func(*posture.Result) bool) {
	j.meta, j.readErr = j.format.Read(j.ctx, j.text, func(r *posture.Result) error {
		if j.take(r) && !yield(r) {
			return errStopped
		}
		return nil
	}, j.told)
}

// errStopped ends the reading of a file that the sink wants no more of.
var errStopped = errors.New("stopped")

// digest reads the file once and gives its head as text.
func (j *job) digest() ([]byte, error) {
	in, err := j.reader()
	if err != nil {
		return nil, err
	}
	defer in.in.Close() // it was only read
	in.progress = nil
	head := make([]byte, 2*importers.HeadSize)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	head = head[:n]
	sum := sha256.New()
	sum.Write(head)
	if _, err := io.Copy(sum, in); err != nil {
		return nil, err
	}
	j.sha256 = hex.EncodeToString(sum.Sum(nil))
	text, _, err := importers.Text(bytes.NewReader(head))
	if err != nil {
		return nil, err
	}
	peeked, err := text.Peek(importers.HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the head of %s: %w", j.src.Name, err)
	}
	return peeked, nil
}

func (j *job) choose(head []byte) (importers.Format, error) {
	trimmed := bytes.TrimLeft(head, " \t\r\n")
	j.xml = len(trimmed) > 0 && trimmed[0] == '<'
	if j.o.Format == "" || j.o.Format == "auto" {
		return importers.Detect(Formats(), head, j.src.Name)
	}
	for _, f := range Formats() {
		if f.Name() == j.o.Format {
			return f, nil
		}
	}
	return nil, importers.Refuse(0, "the format %q is not read here; accepted: auto, %s", j.o.Format, importers.Accepted(Formats()))
}

func (j *job) reader() (*received, error) {
	if j.src.Size > j.o.limit() {
		return nil, tooLarge(j.src.Name, j.o.limit())
	}
	in, err := j.src.Open()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", j.src.Name, err)
	}
	return &received{
		ctx: j.ctx, in: in, name: j.src.Name, limit: j.o.limit(), total: j.src.Size, progress: j.o.Progress,
	}, nil
}

// describe tells the sink of the run.
func (j *job) describe() {
	j.in = posture.Import{
		File: j.src.Name, Format: j.format.Name(), SHA256: j.sha256,
		Runtime: j.runtime, Identity: j.o.Identity, IdentityEnd: j.o.IdentityEnd, Receivers: j.o.Receivers,
		DryRun: j.o.DryRun, Stored: func() (posture.StoredCopy, error) { return j.copy, nil }, Summary: j.receipt,
	}
	if j.first.Receiver == "" {
		// What the file says of the start is held against the end.
		for f, v := range j.first.Identity {
			if j.in.Identity[f] == "" && j.in.IdentityEnd[f] != "" {
				j.in.Identity[f] = v
			}
		}
	}
	if m := j.o.Mapping; m != nil {
		j.in.Mapping = m.Name + " sha256:" + m.SHA256
	}
}

// stream gives every record to take, then completes what the receipt and the
// stored copy need.
func (j *job) stream(take func(*posture.Result) error) error {
	for r, ok := j.first, true; ok; r, ok = j.next() {
		j.count(r, &j.in)
		if err := take(r); err != nil {
			return err
		}
	}
	j.failed = j.finish()
	return j.failed
}

// finish reads what the format left unread, so that the stored copy is whole.
func (j *job) finish() error {
	if j.readErr != nil {
		return j.readErr
	}
	if _, err := io.Copy(io.Discard, j.text); err != nil {
		return fmt.Errorf("read %s: %w", j.src.Name, err)
	}
	if j.text.received() != j.sha256 {
		return importers.Refuse(0, "changed while it was read; import it again when it is complete")
	}
	j.copy = posture.StoredCopy{SHA256: j.text.kept(), Size: j.text.size, Media: j.media(), Chunks: j.chunks}
	return nil
}

// nothing says why no record of the file can be stored.
func (j *job) nothing() error {
	for _, p := range j.problems {
		if p.Severity == importers.Refused {
			return importers.Refuse(p.Line, "no record can be stored: %s", p.What)
		}
	}
	return importers.Refuse(0, "holds no record; nothing was recognised to import")
}

func (j *job) media() string {
	if j.xml {
		return "application/xml"
	}
	return "text/plain; charset=utf-8"
}

// refuse gives the receipt of a file that is not imported and the error: one
// sentence with the file's name where the file is at fault, else unchanged.
func (j *job) refuse(err error) (posture.Receipt, error) {
	var refusal *importers.Refusal
	var said *posture.Error
	p := posture.Problem{Severity: importers.Refused}
	switch {
	case errors.As(err, &refusal):
		p.Line, p.What = refusal.Line, refusal.What
		where := j.src.Name
		if p.Line > 0 {
			where += ":" + strconv.Itoa(p.Line)
		}
		err = invalid("%s: %s", where, p.What)
	case errors.As(err, &said) && said.Kind == posture.Invalid:
		p.What = strings.TrimPrefix(said.Error(), j.src.Name+": ")
		err = said
	default:
		return j.receipt(), err
	}
	receipt := j.receipt()
	receipt.Records.Stored, receipt.Records.Refused = 0, receipt.Records.Read
	receipt.Outcomes, receipt.Mapped, receipt.Unmapped = posture.OutcomeCounts{}, 0, 0
	receipt.StoredSHA256, receipt.Attributed = "", false
	receipt.Problems = append(receipt.Problems, p)
	sortProblems(receipt.Problems)
	return receipt, err
}

func (j *job) receipt() posture.Receipt {
	r := posture.Receipt{
		File: j.src.Name, SHA256: j.sha256, StoredSHA256: j.copy.SHA256,
		Runtime: j.in.Runtime, Attributed: j.in.Attributed(),
		Completeness: j.meta.Completeness, Truncated: j.meta.Completeness == importers.Truncated,
	}
	if j.format != nil {
		r.Format = j.format.Name()
	}
	if r.Completeness == "" {
		r.Completeness = importers.Unknown
	}
	j.fill(&r, &j.in)
	if j.text != nil {
		r.Redacted += j.text.redactor.found
	}
	return r
}
