package demo

import (
	"embed"
	"strconv"
	"strings"
	"time"

	"demarc/importers/intake"
	"demarc/store/posture"
)

//go:embed results/*.xml
var results embed.FS

// subject gives the id of a runtime's unit or of a component, by its slug.
func (t *teller) subject(name string) int64 {
	var id int64
	t.do("find "+name, func() error {
		if name == documentSearch {
			c, err := t.told().Component(t.ctx, t.person(architect, posture.Editor), name, posture.AsOf{})
			id = c.Subject
			return err
		}
		r, err := t.told().Runtime(t.ctx, t.person(architect, posture.Editor), name, posture.AsOf{})
		id = r.Subject
		return err
	})
	return id
}

// record keeps one record that was observed when it was recorded, and gives
// its id.
func (t *teller) record(on, by string, role posture.Role, r posture.Record) string {
	id := ""
	r.Subject.ID = t.subject(on)
	t.do("record "+r.Title, func() error {
		if r.ObservedAt.IsZero() {
			r.ObservedAt = t.at
		}
		kept, _, err := t.told().RecordEvidence(t.ctx, t.person(by, role), r, nil)
		id = kept.ID
		return err
	})
	return id
}

// importResults imports a results file as any pipeline would, with the
// identity that a sidecar or flags would give.
func (t *teller) importResults(file string, unit posture.Identity, receivers map[string]posture.Identity) {
	t.do("import "+file, func() error {
		bytes, err := results.ReadFile("results/" + file)
		if err != nil {
			return err
		}
		_, err = intake.Run(t.ctx, t.person(tester, posture.Editor), t.told(), intake.FromBytes(file, bytes), intake.Options{
			Runtime: caseAssistant, Identity: unit, Receivers: receivers, Tester: tester, ObservedAt: t.at, Now: t.at.Add(time.Minute),
		})
		return err
	})
}

func (t *teller) target(of, by string, id posture.Identity, reason string) {
	subject := t.subject(of)
	t.do("record the target of "+of, func() error {
		_, _, err := t.told().RecordTarget(t.ctx, t.person(by, posture.Editor), subject, posture.Target{Identity: id, Reason: reason})
		return err
	})
}

// openNegatives lists the records that stand against AD-1 at the receiver.
func (t *teller) openNegatives() []string {
	var open []string
	subject := t.subject(documentSearch)
	t.do("read what stands against AD-1", func() error {
		item, err := t.told().StatementPage(t.ctx, t.person(architect, posture.Editor), posture.AsOf{}, subject, "AD-1")
		open = item.Row.Verdict.OpenNegatives()
		return err
	})
	return open
}

// accept is step 6: both open records are carried for 30 days.
func (t *teller) accept(string) {
	covers := t.openNegatives()
	subject := t.subject(documentSearch)
	t.do("accept the risk", func() error {
		c := posture.AcceptanceRecord{
			Subject: posture.SubjectRef{ID: subject}, Condition: "no restricted documents indexed", Severity: posture.VeryHigh,
			ReviewAt: t.at.Add(14 * posture.Day),
		}
		c.Statement, c.Covers, c.ExpiresAt = "AD-1", covers, t.at.Add(30*posture.Day)
		_, _, err := t.told().Accept(t.ctx, t.person(riskOwner, posture.RiskOwner), c)
		return err
	})
}

// namePaths says which enforcement paths of AD-1 are known.
func (t *teller) namePaths(paths ...string) error {
	subject := t.subject(documentSearch)
	r, err := t.told().Requirement(t.ctx, t.person(search, posture.Editor), subject, "AD-1")
	if err != nil {
		return err
	}
	r.Paths = paths
	_, err = t.told().Require(t.ctx, t.person(search, posture.Editor), []posture.Requirement{r})
	return err
}

// closeFixed closes every open record by the retest's passing denies, by
// somebody who did not run them.
func (t *teller) closeFixed(fixed posture.Identity) {
	for _, id := range t.openNegatives() {
		t.do("close "+id, func() error { return t.closeOne(id, fixed) })
	}
}

func (t *teller) closeOne(id string, fixed posture.Identity) error {
	a := t.person(architect, posture.Editor)
	row, err := strconv.ParseInt(strings.TrimPrefix(id, "E-"), 10, 64)
	if err != nil {
		return err
	}
	candidates, _, err := t.told().ClosureCandidates(t.ctx, a, row)
	if err != nil {
		return err
	}
	c := posture.ClosureRecord{
		Fix:  "release s5 takes the tenant from the verified user token and checks ownership per document",
		Text: "run 4 refuses on this path, in both directions",
	}
	c.Closes, c.Kind, c.Identity = id, posture.FixedVerified, fixed
	for _, p := range candidates {
		c.Evidence = append(c.Evidence, p.ID)
	}
	_, _, err = t.told().CloseEvidence(t.ctx, a, c)
	return err
}
