package posture

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// maxUpload is the most bytes that a record may keep of the thing seen.
const maxUpload = 10 << 20

// Settled gives the record with what its kind leaves open filled in: instants
// in UTC at the resolution kept, the usual speaker and method of the kind, and
// nothing that belongs to other kinds.
func (r Record) Settled() Record {
	r.ObservedAt = r.ObservedAt.UTC().Truncate(Tick)
	r.ValidUntil = r.ValidUntil.UTC().Truncate(Tick)
	if r.SourceRole == "" {
		r.SourceRole = map[Kind]string{
			KindStatement: "vendor", KindDocumentation: "vendor", KindAttestation: "independent",
			KindConfiguration: "customer", KindTest: "customer", KindIncident: "vendor",
		}[r.Kind]
	}
	if r.Method == "" {
		r.Method = map[Kind]string{KindStatement: "interview", KindTest: "test"}[r.Kind]
		if r.Method == "" {
			r.Method = "examine"
		}
	}
	if r.Kind != KindConfiguration {
		r.ByHand = false
	}
	if r.Kind != KindDocumentation {
		r.PreGA = false
	}
	if r.Kind != KindIncident {
		r.Advisory = AdvisoryNone
	}
	if r.Kind != KindTest {
		r.Run, r.Case, r.Expected, r.Outcome, r.ControlOK = "", "", ExpectedUnknown, OutcomeUnknown, false
		r.ObservedBehaviour, r.RefusalOrigin, r.Path, r.Direction, r.Tester = "", "", "", "", ""
	}
	return r
}

// CheckRecord says what is wrong with a record handed in at now about a
// subject of a kind (model.md §2.2–2.4): all faults at once, each with what to
// do.
func CheckRecord(r *Record, kind SubjectKind, now time.Time) Fields {
	var faults Fields
	switch {
	case strings.TrimSpace(r.Statement) == "":
		faults.Add("statement", "Choose the statement it bears on.")
	case !JudgedOn(r.Statement, kind) && kind == Unit:
		faults.Add("statement", r.Statement+" is judged at a receiver: choose the component.")
	case !JudgedOn(r.Statement, kind):
		faults.Add("statement", r.Statement+" is judged on the isolation unit: choose the runtime.")
	}
	checkInstants(&faults, r, now)
	checkKind(&faults, r)
	if r.Identity[Region] == RegionAny && r.Kind != KindDocumentation && r.Kind != KindAttestation {
		faults.Add("region", "Name the region it was taken in; “any” is for documents and reports that speak for every region.")
	}
	if !slices.Contains(SourceRoles(), r.SourceRole) {
		faults.Add("source_role", "Say who speaks: "+listWords(SourceRoles(), "or")+".")
	}
	if !slices.Contains(Methods(), r.Method) {
		faults.Add("method", "Choose a method: "+listWords(Methods(), "or")+".")
	}
	checkTexts(&faults, r)
	return faults
}

func checkInstants(faults *Fields, r *Record, now time.Time) {
	switch {
	case r.ObservedAt.IsZero() && r.Kind == KindAttestation:
		faults.Add("observed_at", "Give the end of the period that the report covers, in UTC.")
	case r.ObservedAt.IsZero():
		faults.Add("observed_at", "Give the instant at which it was seen, in UTC.")
	case r.ObservedAt.After(now):
		faults.Add("observed_at", "The observed instant lies after now, "+now.UTC().Format("2 Jan 2006 15:04")+" UTC. Give the instant at which it was seen.")
	}
	if !r.ValidUntil.IsZero() && !r.ObservedAt.IsZero() && !r.ValidUntil.After(r.ObservedAt) {
		faults.Add("valid_until", "It must come after the observed instant, or be left out.")
	}
}

func checkKind(faults *Fields, r *Record) {
	switch r.Kind {
	case KindTest:
		if strings.TrimSpace(r.Run) == "" {
			faults.Add("run", "Name the run: a permit and a deny pair only within one run.")
		}
		if strings.TrimSpace(r.Case) == "" {
			faults.Add("case", "Name the case: a permit and a deny pair only within one case.")
		}
		if r.Expected == ExpectedUnknown {
			faults.Add("expected", "Say what the case required, permit or deny; it is never inferred.")
		}
		if r.Outcome == OutcomeUnknown {
			faults.Add("outcome", "Say how it ended: pass, fail, error, skipped, inconclusive or incomplete.")
		}
	case KindIncident:
		if r.Advisory == AdvisoryNone {
			faults.Add("advisory", "Choose the advisory's status: affected, under investigation, fixed or not affected.")
		}
	default:
	}
	if (r.Kind == KindTest || r.Kind == KindIncident) && r.Polarity != PolarityNone {
		faults.Add("polarity", "Leave it out: which side this stands on follows from what was required and seen.")
	}
}

func checkTexts(faults *Fields, r *Record) {
	for _, f := range []struct {
		field, text string
		most        int
	}{
		{"title", r.Title, 200},
		{"words", r.Words, 8000},
		{"source_name", r.SourceName, 200},
		{"run", r.Run, 200},
		{"case", r.Case, 200},
		{"path", r.Path, 200},
		{"direction", r.Direction, 200},
		{"tester", r.Tester, 200},
		{"observed_behaviour", r.ObservedBehaviour, 8000},
		{"refusal_origin", r.RefusalOrigin, 2000},
		{"url", r.URL, 2000},
	} {
		if f.text != "" {
			checkText(faults, f.field, f.text, "Write more than spaces, or leave it out.", f.most)
		}
	}
	if r.Kind != KindTest && r.Title == "" && r.Words == "" && r.URL == "" {
		faults.Add("words", "Write what was said or seen, in a sentence.")
	}
	if u, err := url.Parse(r.URL); r.URL != "" && (err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "") {
		faults.Add("url", "Give the whole address, beginning with https://, or leave it out.")
	}
}

// CheckUpload says what is wrong with an upload; nil is none.
func CheckUpload(u *Upload) Fields {
	var faults Fields
	switch {
	case u == nil:
	case len(u.Body) == 0:
		faults.Add("artefact", "The file is empty. Choose the file that was seen, or none.")
	case len(u.Body) > maxUpload:
		faults.Add("artefact", "The file is larger than 10 MiB. Keep the part that matters, or give its address.")
	}
	return faults
}

// Side gives the side on which a record stands: as typed for the first four
// kinds, derived for tests and incidents (model.md §2.2).
func (e *Evidence) Side() Polarity {
	switch {
	case e.Kind != KindTest && e.Kind != KindIncident:
		return e.Polarity
	case e.Negative():
		return Contradicts
	case e.Supporting():
		return Supports
	default:
		return PolarityNone
	}
}

// ActionFor gives the action that recording a kind needs.
func ActionFor(k Kind) Action {
	if k <= KindAttestation {
		return RecordClaims
	}
	return RecordEvidence
}

// Says gives what a record shows, in the first of its own words that are
// there.
func (r *Record) Says() string {
	for _, text := range []string{r.ObservedBehaviour, r.Words, r.Title, r.URL} {
		if text != "" {
			return text
		}
	}
	switch {
	case r.Kind == KindTest && r.Outcome == Fail && r.Expected == Deny:
		return "what should have been refused was allowed"
	case r.OverBlock():
		return "what is permitted was refused"
	default:
		return r.Kind.String()
	}
}

// Wants gives what the statement required of what a record is about.
func (r *Record) Wants() string {
	switch {
	case r.Kind == KindTest && r.Expected == Permit:
		return "permit: allowed for the one entitled to it"
	case r.Kind == KindTest:
		return "deny: refused by the boundary"
	default:
		return "nothing against the statement"
	}
}
