package intake

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"demarc/importers"
	"demarc/store/posture"
)

// maxProblems bounds the problems of a receipt that name a record; what
// exceeds it is counted.
const maxProblems = 10000

// records turns what a format reads into what is stored, and keeps the
// receipt's accounts: read = stored + refused.
type records struct {
	o      *Options
	mapper mapper
	// run is the name that results share which name none themselves.
	run string
	// runtime is the one that the results are about; it is settled by the
	// caller or by the first result.
	runtime string
	settled bool

	stored, refused, more int
	outcomes              posture.OutcomeCounts
	mapped                int
	identity              posture.Identity
	mixed                 posture.FacetSet
	redacted              int
	transcoded            bool
	problems              []posture.Problem
	// bare are the receivers met without an identity.
	bare map[string]bool

	zoneless, timeless, caseless, otherRuntime, flaky tally
}

// tally counts a thing that happened to records and keeps the first line.
type tally struct{ n, line int }

func (t *tally) add(line int) {
	if t.n == 0 {
		t.line = line
	}
	t.n++
}

func newRecords(o *Options) records {
	r := records{o: o, run: o.Run, runtime: o.Runtime, settled: o.Runtime != "", bare: map[string]bool{}}
	if o.Mapping != nil {
		r.mapper = mapper{Mapping: o.Mapping}
	}
	return r
}

// told takes a problem that a format found.
func (s *records) told(p posture.Problem) {
	p.What, _ = redact(p.What)
	if p.Severity == importers.Refused && p.Record > 0 {
		s.refused++
		if s.refused > maxProblems {
			s.more++
			return
		}
	}
	s.problems = append(s.problems, p)
}

func (s *records) refuse(r *posture.Result, format string, args ...any) bool {
	s.told(posture.Problem{Line: r.Line, Record: r.Seq, What: fmt.Sprintf(format, args...), Severity: importers.Refused})
	return false
}

// take completes a record and says whether it can be stored.
func (s *records) take(r *posture.Result) bool {
	s.clean(r)
	if s.mapper.Mapping != nil {
		s.mapper.apply(r)
	}
	if !s.observe(r) {
		return false
	}
	if r.Statement != "" {
		if s.o.Known != nil && !s.o.Known(r.Statement) {
			return s.refuse(r, "the statement %.60q is not in the library", r.Statement)
		}
		if r.Expected == posture.ExpectedUnknown {
			return s.refuse(r, "expected is missing; it is never inferred from a name; add demarc.expected=permit or deny")
		}
		s.rerun(r)
	}
	if r.Run == "" {
		r.Run = s.run
	}
	if r.Tester == "" {
		r.Tester = s.o.Tester
	}
	return s.sameRuntime(r)
}

// clean redacts every text that is kept. The bytes were redacted before they
// were parsed; a parser can still join what they held apart.
func (s *records) clean(r *posture.Result) {
	for _, text := range []*string{
		&r.Suite, &r.Class, &r.Name, &r.Message, &r.Text, &r.Statement, &r.Scenario, &r.Run, &r.Case, &r.Path, &r.Direction,
		&r.ObservedBehaviour, &r.RefusalOrigin, &r.Tester, &r.Receiver, &r.Runtime,
	} {
		kept, found := redact(*text)
		*text = kept
		s.redacted += found
	}
}

// observe settles when the record was observed (DESIGN.md §13).
func (s *records) observe(r *posture.Result) bool {
	switch {
	case r.ObservedAt.IsZero() && s.o.ObservedAt.IsZero():
		return s.refuse(r, "the file gives no time for this record; say when it was observed with --observed-at")
	case r.ObservedAt.IsZero():
		r.ObservedAt = s.o.ObservedAt.UTC()
		s.timeless.add(r.Line)
	case r.ZoneAssumed:
		at := r.ObservedAt
		r.ObservedAt = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), s.o.zone()).UTC()
		s.zoneless.add(r.Line)
	}
	if s.o.Now.IsZero() || !r.ObservedAt.After(s.o.Now) {
		return true
	}
	hint := "correct the clock of the machine that ran it"
	if r.ZoneAssumed {
		hint = "the time carries no zone and was read in " + s.o.zone().String() + ": say another with --zone"
	}
	return s.refuse(r, "observed at %s lies after now (%s); %s", when(r.ObservedAt), when(s.o.Now), hint)
}

// rerun judges a case that passed only when tried again: where access was to
// be refused, the attempt that was not refused stands.
func (s *records) rerun(r *posture.Result) {
	if !r.Flaky || r.Outcome != posture.Pass {
		return
	}
	s.flaky.add(r.Line)
	if r.Expected == posture.Deny {
		r.Outcome = posture.Fail
	}
}

// sameRuntime holds a file to one runtime: evidence never travels.
func (s *records) sameRuntime(r *posture.Result) bool {
	if !s.settled {
		s.runtime, s.settled = r.Runtime, true
	}
	switch {
	case r.Runtime == "" || r.Runtime == s.runtime:
		return true
	case s.o.Runtime != "":
		s.otherRuntime.add(r.Line)
		return true
	case s.runtime == "":
		return s.refuse(r, "demarc.runtime names %.60q and the first record names none; say --runtime", r.Runtime)
	default:
		return s.refuse(r, "demarc.runtime names %.60q and this import is about %s; import the results of each runtime as a file of its own", r.Runtime, s.runtime)
	}
}

// count takes a record that goes to the sink into the accounts.
func (s *records) count(r *posture.Result, in *posture.Import) {
	s.stored++
	switch r.Outcome {
	case posture.Pass:
		s.outcomes.Pass++
	case posture.Fail:
		s.outcomes.Fail++
	case posture.OutcomeError:
		s.outcomes.Error++
	case posture.Skipped:
		s.outcomes.Skipped++
	case posture.Inconclusive:
		s.outcomes.Inconclusive++
	case posture.Incomplete, posture.OutcomeUnknown:
		s.outcomes.Incomplete++
	}
	// What the caller said wins: the sink is not to choose.
	said := in.Identity
	if r.Receiver != "" {
		said = in.Receivers[r.Receiver]
	} else {
		s.meet(&r.Identity)
	}
	for f, v := range said {
		if v != "" {
			r.Identity[f] = ""
		}
	}
	if r.Statement == "" {
		return
	}
	s.mapped++
	if r.Case == "" && r.Outcome == posture.Pass {
		s.caseless.add(r.Line)
	}
	if r.Receiver != "" && in.IdentityOf(r) == (posture.Identity{}) {
		s.bare[r.Receiver] = true
	}
}

// meet keeps the facets on which all records agree.
func (s *records) meet(id *posture.Identity) {
	for f, v := range id {
		switch {
		case v == "" || v == s.identity[f]:
		case s.identity[f] == "" && !s.mixed.Has(posture.Facet(f)):
			s.identity[f] = v
		default:
			s.identity[f] = ""
			s.mixed |= posture.Of(posture.Facet(f))
		}
	}
}

// fill writes the accounts on a receipt.
func (s *records) fill(r *posture.Receipt, in *posture.Import) {
	r.Records = posture.RecordCounts{Read: s.stored + s.refused, Stored: s.stored, Refused: s.refused}
	r.Outcomes, r.Mapped, r.Unmapped = s.outcomes, s.mapped, s.stored-s.mapped
	r.Redacted = s.redacted
	id := in.Identity
	complete(&id, &s.identity)
	r.Identity = id.Map()
	r.Problems = append(slices.Clone(s.problems), s.notes(in)...)
	if r.Problems == nil {
		r.Problems = []posture.Problem{}
	}
	sortProblems(r.Problems)
}

func sortProblems(list []posture.Problem) {
	slices.SortStableFunc(list, func(a, b posture.Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Record, b.Record))
	})
}

// notes says once what happened to many records.
func (s *records) notes(in *posture.Import) []posture.Problem {
	var list []posture.Problem
	say := func(severity string, line int, format string, args ...any) {
		list = append(list, posture.Problem{Line: line, What: fmt.Sprintf(format, args...), Severity: severity})
	}
	if s.transcoded {
		say(importers.Note, 0, "the file is UTF-16; it is kept as UTF-8")
	}
	if s.more > 0 {
		say(importers.Warning, 0, "%s were refused too", manyRecords(s.more))
	}
	if s.zoneless.n > 0 {
		say(importers.Note, s.zoneless.line, "the times of %s carry no zone and were read in %s; --zone says another", manyRecords(s.zoneless.n), s.o.zone())
	}
	if s.timeless.n > 0 {
		say(importers.Note, s.timeless.line, "%s without a time in the file: taken as observed at %s, as given", manyRecords(s.timeless.n), when(s.o.ObservedAt))
	}
	if s.otherRuntime.n > 0 {
		say(importers.Warning, s.otherRuntime.line, "the file names another runtime than %s for %s; %s was given and holds", s.runtime, manyRecords(s.otherRuntime.n), s.runtime)
	}
	if s.caseless.n > 0 {
		say(importers.Warning, s.caseless.line, "%s mapped without a case: they are half of no pair; add demarc.case", manyRecords(s.caseless.n))
	}
	if s.flaky.n > 0 {
		say(importers.Warning, s.flaky.line, "%s passed only when run again; where access was to be refused, the attempt that was not refused counts", manyRecords(s.flaky.n))
	}
	for _, f := range s.mixed.List() {
		if in.Identity[f] == "" {
			say(importers.Note, 0, "the file gives several values of %s; each record keeps its own", f)
		}
	}
	for _, slug := range slices.Sorted(maps.Keys(s.bare)) {
		say(importers.Warning, 0, "nothing says what %s was when it was tested: passes there lift nothing; add --receiver %s:version=… and its other facets", slug, slug)
	}
	if s.stored > 0 && in.Runtime == "" {
		say(importers.Warning, 0, "no runtime is named: the run is unattributed and reaches no cell; say --runtime")
	}
	for _, f := range in.Changed() {
		say(importers.Warning, 0, "%s differs between the start and the end of the run: the run is unattributed and reaches no cell", f)
	}
	return list
}

func manyRecords(n int) string {
	if n == 1 {
		return "1 record"
	}
	return strconv.Itoa(n) + " records"
}
