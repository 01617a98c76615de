package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"demarc/importers/intake"
	"demarc/store/posture"
	"demarc/store/posture/library"
)

type importCmd struct {
	Files []string `arg:"" name:"file" help:"Results files, or - for standard input. Beside each, FILE.identity.json or .yaml may say what it was taken on."`

	Runtime    string `placeholder:"SLUG" help:"The runtime that the results are about."`
	Format     string `default:"auto" help:"The format, or auto to recognise it."`
	Map        string `placeholder:"FILE" help:"Mapping file: which results are about which boundary statement."`
	DryRun     bool   `help:"Read and check everything and keep nothing. Needs no database."`
	JSON       bool   `name:"json" help:"Print the receipt as JSON: an object for one file, an array for several."`
	ObservedAt string `placeholder:"TIME" help:"When results without a time in the file were observed, such as 2026-11-23T09:15:00Z."`
	Zone       string `default:"UTC" help:"Time zone of times that carry none, such as Europe/Berlin or +02:00."`
	Tester     string `help:"Who ran the tests."`
	RunName    string `name:"run" help:"Name of the run; results pair within one run only. Without it each file is a run of its own."`

	targetFlags `embed:""`
	Receiver    []string `placeholder:"SLUG:FACET=VALUE" sep:"none" help:"A facet of a receiving component, such as document-search:version=s4. May be given many times."`

	database `embed:""`
}

// targetFlags are the identity of the isolation unit that was tested.
type targetFlags struct {
	Vendor      string `group:"identity" help:"Vendor."`
	Product     string `group:"identity" help:"Product."`
	Variant     string `group:"identity" help:"Variant: the option that decides the mechanism."`
	Version     string `group:"identity" help:"Version."`
	Image       string `group:"identity" help:"Image digest, such as sha256:9f2c…"`
	Policy      string `group:"identity" help:"Policy hash or id."`
	Config      string `group:"identity" help:"Configuration hash or id."`
	Region      string `group:"identity" help:"Region."`
	Tools       string `group:"identity" help:"Hash of the tool manifest."`
	Model       string `group:"identity" help:"Model and serving version."`
	Environment string `group:"identity" help:"Environment."`
}

func (f *targetFlags) identity() posture.Identity {
	return posture.Identity{
		posture.Vendor: f.Vendor, posture.Product: f.Product, posture.Variant: f.Variant, posture.Version: f.Version,
		posture.Image: f.Image, posture.Policy: f.Policy, posture.Config: f.Config, posture.Region: f.Region,
		posture.Tools: f.Tools, posture.Model: f.Model, posture.Environment: f.Environment,
	}
}

// Run imports the files in the order given. A refused file does not keep the
// others out.
func (c importCmd) Run(ctx context.Context, e *env) (err error) {
	o, err := c.options()
	if err != nil {
		return inputOf(err)
	}
	var sink intake.Sink
	if !c.DryRun {
		opened, err := c.open(ctx, e, "import", 0)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, opened.Close()) }()
		sink = opened
	}
	var receipts []posture.Receipt
	var refused []string
	for _, path := range c.Files {
		receipt, err := c.one(ctx, e, sink, path, o)
		switch {
		case err == nil:
		case posture.KindOf(err) == posture.Invalid:
			refused = append(refused, err.Error())
		default:
			return errors.Join(c.print(e, receipts), err)
		}
		receipts = append(receipts, receipt)
	}
	if err := c.print(e, receipts); err != nil {
		return err
	}
	switch len(refused) {
	case 0:
		return nil
	case 1:
		return &inputError{errors.New(refused[0])}
	default:
		return &inputError{fmt.Errorf("%d of %d files were refused: %s", len(refused), len(c.Files), strings.Join(refused, "; "))}
	}
}

// one imports one file with what its identity file says.
func (c importCmd) one(ctx context.Context, e *env, sink intake.Sink, path string, o intake.Options) (posture.Receipt, error) {
	src, err := source(e, path)
	if err == nil && path != "-" {
		var beside intake.Sidecar
		if beside, _, err = intake.FindSidecar(path, o.Zone); err == nil {
			beside.Fill(&o)
		}
	}
	if err != nil {
		return refusedReceipt(path, err), err
	}
	receipt, err := intake.Run(ctx, localAccess(), sink, src, o)
	if posture.KindOf(err) == posture.Invalid {
		// The receipt names the file; the sentence says where it is.
		err = &posture.Error{Kind: posture.Invalid, Text: path + strings.TrimPrefix(prefixed(src.Name, err), src.Name), Err: err}
	}
	return receipt, err
}

func prefixed(name string, err error) string {
	if text := err.Error(); strings.HasPrefix(text, name+":") {
		return text
	}
	return name + ": " + err.Error()
}

func source(e *env, path string) (intake.Source, error) {
	if path == "-" {
		return intake.FromReader("standard input", e.Stdin, intake.DefaultMaxBytes)
	}
	return intake.FromFile(path)
}

// refusedReceipt is the receipt of a file that could not be opened.
func refusedReceipt(path string, err error) posture.Receipt {
	return posture.Receipt{
		File: path, Identity: map[string]string{}, Completeness: "unknown",
		Problems: []posture.Problem{{What: strings.TrimPrefix(err.Error(), path+": "), Severity: "refused"}},
	}
}

func (c importCmd) options() (intake.Options, error) {
	o := intake.Options{
		Runtime: c.Runtime, Format: c.Format, Identity: c.identity(), Tester: c.Tester, Run: c.RunName, DryRun: c.DryRun, Now: time.Now(),
	}
	lib, err := library.Load()
	if err != nil {
		return o, fmt.Errorf("read the library: %w", err)
	}
	o.Known = func(id string) bool {
		_, ok := lib.Statement(id)
		return ok
	}
	if o.Zone, err = zoneOf(c.Zone); err != nil {
		return o, err
	}
	if c.ObservedAt != "" {
		if o.ObservedAt, err = intake.ParseInstant(c.ObservedAt, o.Zone); err != nil {
			return o, usage("--observed-at %v", err)
		}
	}
	if o.Receivers, err = receiversOf(c.Receiver); err != nil {
		return o, err
	}
	if c.Map != "" {
		f, err := openInput(c.Map)
		if err != nil {
			return o, err
		}
		defer f.Close() // it was only read
		if o.Mapping, err = intake.ParseMapping(c.Map, f, o.Known); err != nil {
			return o, err
		}
	}
	return o, nil
}

func usage(format string, args ...any) error { return &inputError{fmt.Errorf(format, args...)} }

// inputOf marks what the caller got wrong.
func inputOf(err error) error {
	if posture.KindOf(err) == posture.Invalid {
		return &inputError{err}
	}
	return err
}

// zoneOf reads a zone by name or by its offset from UTC.
func zoneOf(name string) (*time.Location, error) {
	if at, err := time.Parse("-07:00", name); err == nil {
		_, offset := at.Zone()
		return time.FixedZone(name, offset), nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, usage("--zone %q is no time zone; write Europe/Berlin, +02:00 or UTC", name)
	}
	return zone, nil
}

// receiversOf reads SLUG:facet=value.
func receiversOf(list []string) (map[string]posture.Identity, error) {
	all := map[string]posture.Identity{}
	for _, text := range list {
		slug, rest, colon := strings.Cut(text, ":")
		name, value, equals := strings.Cut(rest, "=")
		facet, err := posture.ParseFacet(name)
		if !colon || !equals || slug == "" || value == "" || err != nil {
			return nil, usage("--receiver %q is not SLUG:FACET=VALUE; facets are %s", text, posture.FacetWords(posture.Facets()))
		}
		id := all[slug]
		if id[facet] != "" && id[facet] != value {
			return nil, usage("--receiver gives %s two values of %s; give one", slug, facet)
		}
		id[facet] = value
		if err := posture.CheckRegion(posture.KindTest, &id); err != nil {
			return nil, usage("--receiver %s: %v", text, err)
		}
		all[slug] = id
	}
	return all, nil
}

// print writes the receipts: JSON in the shape of the files given, or words.
func (c importCmd) print(e *env, receipts []posture.Receipt) error {
	if !c.JSON {
		for i := range receipts {
			if err := writeReceipt(e.Stdout, &receipts[i], c.DryRun); err != nil {
				return fmt.Errorf("write the receipt: %w", err)
			}
		}
		return nil
	}
	var out any = receipts
	if len(c.Files) == 1 && len(receipts) == 1 {
		out = receipts[0]
	}
	enc := json.NewEncoder(e.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		return fmt.Errorf("write the receipt: %w", err)
	}
	return nil
}
