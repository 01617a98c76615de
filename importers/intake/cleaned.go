package intake

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"

	"demarc/importers"
	"demarc/store/posture"
)

// cleaned is the text that importers read and that is kept: UTF-8 without
// secrets. It knows the digests of what was received and of what is kept.
type cleaned struct {
	redactor *redactor
	got, sum hash.Hash
	size     int64
}

func (j *job) clean(in io.Reader) (*cleaned, error) {
	c := &cleaned{got: sha256.New(), sum: sha256.New()}
	text, transcoded, err := importers.Text(io.TeeReader(in, c.got))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", j.src.Name, err)
	}
	j.transcoded = transcoded
	c.redactor = newRedactor(text)
	if j.xml {
		c.redactor = newRedactor(&references{src: text})
	}
	return c, nil
}

func (c *cleaned) Read(p []byte) (int, error) {
	n, err := c.redactor.Read(p)
	c.sum.Write(p[:n])
	c.size += int64(n)
	return n, err
}

func (c *cleaned) received() string { return hex.EncodeToString(c.got.Sum(nil)) }
func (c *cleaned) kept() string     { return hex.EncodeToString(c.sum.Sum(nil)) }

// chunkSize is how much of the stored copy is given at once (DESIGN.md §13).
const chunkSize = 1 << 20

// chunks reads the file once more and gives what is kept of it.
func (j *job) chunks(give func([]byte) error) error {
	in, err := j.reader()
	if err != nil {
		return err
	}
	defer in.in.Close() // it was only read
	in.progress = nil
	text, err := j.clean(in)
	if err != nil {
		return err
	}
	chunk := make([]byte, chunkSize)
	for {
		n, err := io.ReadFull(text, chunk)
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !ended {
			return fmt.Errorf("read %s again: %w", j.src.Name, err)
		}
		if n > 0 {
			if err := give(chunk[:n]); err != nil {
				return err
			}
		}
		if ended {
			break
		}
	}
	if text.kept() != j.copy.SHA256 {
		return &posture.Error{Kind: posture.Conflicting, Text: j.src.Name + ": changed while it was imported; import it again when it is complete"}
	}
	return nil
}
