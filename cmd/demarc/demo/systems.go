package demo

import (
	"fmt"
	"slices"

	"demarc/importers/catalogue"
	"demarc/store/posture"
)

// evaluated are runtimes that the sample considers or uses, each on a
// catalogue system. Their evidence is what the catalogue's sources say and
// nothing else: nobody has tested them.
var evaluated = []struct {
	slug, system, purpose, profile string
	stage                          posture.Stage
}{
	{"agentcore-eval", "aws-agentcore-runtime", "Candidate to run case assistants for customers; one session per case worker.", "shared_service", posture.StageEvaluation},
	{"e2b-eval", "e2b", "Candidate for code that the report writer generates.", "first_review", posture.StageEvaluation},
	{"vercel-eval", "vercel-sandbox", "Candidate for previews of generated front ends.", "first_review", posture.StageEvaluation},
	{"daytona-eval", "daytona", "Candidate for long-lived coding environments.", "first_review", posture.StageEvaluation},
	{"dev-sandboxes", "docker-sandboxes", "Developers run coding agents on their own machines in it.", "coding_agent", posture.StageInUse},
	{"coding-agent", "claude-code-sandbox", "Coding agent on build machines; one repository per run.", "coding_agent", posture.StageInUse},
}

func (t *teller) catalogueRuntimes(shipped *catalogue.Catalogue) {
	for _, e := range evaluated {
		t.on(40)
		system, found := shipped.System(e.system)
		if !found {
			t.do("find "+e.system, func() error { return fmt.Errorf("the catalogue has no system %s", e.system) })
			return
		}
		t.do("make "+e.slug, func() error {
			_, err := t.told().CreateRuntime(t.ctx, t.person(platform, posture.Editor), posture.Runtime{
				Slug: e.slug, Portfolio: t.portfolio, Name: e.slug, Purpose: e.purpose, Stage: e.stage,
				Owner: platform, RiskOwner: riskOwner, DataClass: "internal", Profile: e.profile,
				MultiTenant: e.profile == "shared_service",
				Target: posture.Target{Reason: "as the catalogue names it", Identity: posture.Identity{
					posture.Vendor: system.Vendor, posture.Product: system.Product, posture.Variant: system.Variant,
				}},
			})
			return err
		})
		drafts := slices.DeleteFunc(system.Evidence(), undated)
		slices.SortStableFunc(drafts, func(a, b catalogue.Draft) int { return a.ObservedAt.Compare(b.ObservedAt) })
		for _, d := range drafts {
			t.said(e.slug, d)
		}
	}
}

// undated says that nobody knows of which day the copy is that a claim was read
// in: it would count as seen on the day the catalogue was collected.
func undated(d catalogue.Draft) bool { return d.ObservedBasis != catalogue.BasisCopy }

// said records what one claim of the catalogue says for or against one
// statement. A copy that was made after the story's day is recorded on its own.
func (t *teller) said(slug string, d catalogue.Draft) {
	if d.ObservedAt.After(t.at) {
		t.at = d.ObservedAt
	}
	kind, err := posture.ParseKind(d.Kind)
	if err != nil {
		t.do("read "+d.ClaimID, func() error { return err })
		return
	}
	polarity, err := posture.ParsePolarity(d.Polarity)
	if err != nil {
		t.do("read "+d.ClaimID, func() error { return err })
		return
	}
	r := posture.Record{
		Evidence: posture.Evidence{
			Kind: kind, Statement: d.Statement, Polarity: polarity, PreGA: d.PreGA, ObservedAt: d.ObservedAt,
			Identity: posture.Identity{
				posture.Vendor: d.Vendor, posture.Product: d.Product, posture.Variant: d.Variant,
			},
		},
		SourceRole: "vendor", SourceName: d.Publisher, Method: "examine", Title: d.Title, URL: d.URL, Words: d.Words, Claim: d.ClaimID,
	}
	if kind == posture.KindDocumentation {
		r.Identity[posture.Region] = posture.RegionAny
	}
	if d.SourceKind != "vendor" {
		r.SourceRole = "independent"
	}
	t.record(slug, reviewer, posture.Procurement, r)
}
