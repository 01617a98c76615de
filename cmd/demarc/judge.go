package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"demarc/store/posture"
)

type judgeCmd struct {
	File string `arg:"" help:"One world or an array of them as JSON, or - for standard input."`
}

// Run judges the worlds of the file and prints their verdicts. A fault in the
// file leaves standard output empty.
func (c judgeCmd) Run(e *env) error {
	in, name := e.Stdin, "standard input"
	if c.File != "-" {
		f, err := openInput(c.File)
		if err != nil {
			return err
		}
		defer f.Close()
		in, name = f, c.File
	}
	err := judge(in, e.Stdout)
	if fault, ok := errors.AsType[*posture.WorldError](err); ok {
		return &inputError{fmt.Errorf("%s:%d: %s", name, fault.Line, fault.Sentence())}
	}
	return err
}

// openInput opens a file that the caller named; what is missing or no file is
// the caller's mistake.
func openInput(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &inputError{fmt.Errorf("cannot read the file: %w", err)}
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = &inputError{fmt.Errorf("%s is a folder: name a file, or - for standard input", path)}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// verdictJSON is one answer of `demarc judge`.
type verdictJSON struct {
	Name          string    `json:"name"`
	Label         string    `json:"label"`
	EvidenceState string    `json:"evidence_state"`
	Rung          string    `json:"rung"`
	BestEver      string    `json:"best_ever"`
	Met           bool      `json:"met"`
	OpenNegatives []string  `json:"open_negatives"`
	Acceptance    string    `json:"acceptance"`
	Reasons       []string  `json:"reasons"`
	Paths         pathsJSON `json:"paths"`
}

type pathsJSON struct {
	Tested int `json:"tested"`
	Known  int `json:"known"`
}

func answerOf(w *posture.World) verdictJSON {
	v := w.Judge()
	return verdictJSON{
		Name: w.Name, Label: v.Label.String(), EvidenceState: v.State.String(),
		Rung: v.Rung.String(), BestEver: v.Best.String(), Met: v.Met,
		OpenNegatives: v.OpenNegatives(), Acceptance: v.Acceptance, Reasons: v.Lapsed.Names(),
		Paths: pathsJSON{Tested: v.PathsTested, Known: v.PathsKnown},
	}
}

// judge reads one world or an array of them and answers in the same shape: an
// object, or an array with one object a line. Nothing is written unless every
// world could be read.
func judge(in io.Reader, out io.Writer) error {
	var answers bytes.Buffer
	enc := json.NewEncoder(&answers)
	enc.SetEscapeHTML(false)
	array, err := posture.EachWorld(in, func(w *posture.World) error {
		if answers.Len() > 0 {
			answers.Truncate(answers.Len() - 1) // the encoder's line end
			answers.WriteString(",\n")
		}
		return enc.Encode(answerOf(w))
	})
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	if array {
		_, _ = w.WriteString("[\n") // a failed write is kept until Flush
		_, _ = w.Write(answers.Bytes())
		_, _ = w.WriteString("]\n")
	} else {
		var indented bytes.Buffer
		if err := json.Indent(&indented, answers.Bytes(), "", "  "); err != nil {
			return fmt.Errorf("write the verdict: %w", err)
		}
		_, _ = w.Write(indented.Bytes())
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write the verdicts: %w", err)
	}
	return nil
}
