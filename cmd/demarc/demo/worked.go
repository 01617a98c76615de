package demo

import (
	"demarc/store/posture"
)

// The people of the sample.
const (
	platform  = "J. Lindqvist"
	search    = "R. Banerjee"
	riskOwner = "Ines Marchetti"
	tester    = "T. Arroyo"
	reviewer  = "S. Whitlock"
	architect = "P. Haas"
)

const (
	caseAssistant  = "case-assistant"
	documentSearch = "document-search"
)

// The identities of the runtime R1 and of the receiver S (model.md §2.11).
func microVM() posture.Identity {
	return posture.Identity{
		posture.Vendor: "Vendor V", posture.Product: "Product P", posture.Variant: "microVM", posture.Version: "1.14.2",
		posture.Image: digest("image d1"), posture.Policy: digest("policy p1"), posture.Config: digest("config c1"),
		posture.Region: "eu-central-1", posture.Tools: digest("tools t1"), posture.Model: "m-2026-08",
		posture.Environment: "production",
	}
}

func instances() posture.Identity {
	id := microVM()
	id[posture.Variant], id[posture.Config] = "Instances", digest("config c2")
	return id
}

func searchRelease(release, policy string) posture.Identity {
	return posture.Identity{
		posture.Vendor: "own", posture.Product: documentSearch, posture.Variant: "shared", posture.Version: release,
		posture.Policy: digest("policy " + policy), posture.Config: digest("config of " + release), posture.Region: "eu-central-1",
		posture.Environment: "production",
	}
}

// workedScenario tells the eleven steps of model.md §2.11, and what happened
// after them.
func (t *teller) workedScenario() {
	t.beginnings()
	t.localIsolation()
	t.receiverFails()
	t.receiverFixed()
	t.movesOn()
}

func (t *teller) beginnings() {
	t.on(80)
	t.do("make the runtime", func() error {
		_, err := t.told().CreateRuntime(t.ctx, t.person(platform, posture.Editor), posture.Runtime{
			Slug: caseAssistant, Portfolio: t.portfolio, Name: caseAssistant,
			Purpose: "Answers case workers’ questions over each customer’s own documents. Two customers, Acme and Birch; their sessions must never see each other’s files, memory or documents.",
			Intents: map[string]posture.Intent{
				"PE": {Purpose: posture.PurposeIntended, Text: "one customer’s processes from the other’s, by a microVM per session"},
				"FS": {Purpose: posture.PurposeIntended, Text: "one customer’s files from the other’s, by the session’s own disk"},
				"ME": {Purpose: posture.PurposeIntended, Text: "one customer’s conversations from the other’s, by memory keyed to tenant and user"},
				"NW": {Purpose: posture.PurposeIntended, Text: "the session from everything but four named hosts, by the egress proxy"},
				"CD": {Purpose: posture.PurposeIntended, Text: "secrets from the session, by injection outside the sandbox"},
				"AD": {Purpose: posture.PurposeIntended, Text: "one customer’s documents from the other’s, by a check at document-search"},
			},
			Stage: posture.StageProduction, Owner: platform, RiskOwner: riskOwner, DataClass: "confidential",
			Criticality: posture.CriticalityNormal, MultiTenant: true, Profile: "shared_service",
			Target: posture.Target{Identity: microVM(), Reason: "first deployment"},
		})
		return err
	})
	t.do("make the receiver", func() error {
		_, err := t.told().CreateComponent(t.ctx, t.person(search, posture.Editor), posture.Component{
			Slug: documentSearch, Portfolio: t.portfolio, Kind: "retrieval", Name: documentSearch,
			Purpose: "Finds passages in every customer’s documents. One index, one connector, shared by all customers.",
			Owner:   search, RiskOwner: riskOwner, DataClass: "confidential", Criticality: posture.CriticalityNormal, Shared: true,
			Target: posture.Target{Identity: searchRelease("s4", "sp2"), Reason: "release s4"},
		})
		return err
	})
	t.do("link them", func() error {
		return t.told().Link(t.ctx, t.person(platform, posture.Editor), caseAssistant, documentSearch)
	})
}

// localIsolation is steps 1 to 3: the vendor's page, the exported
// configuration, and the local test. The demo supplier stops here.
func (t *teller) localIsolation() {
	t.on(77)
	for _, statement := range []string{"FS-1", "PE-2"} {
		t.record(caseAssistant, reviewer, posture.Procurement, posture.Record{
			Evidence: posture.Evidence{
				Kind: posture.KindDocumentation, Statement: statement, Polarity: posture.Supports, Identity: vendorPage("microVM"),
			},
			SourceRole: "vendor", SourceName: "Vendor V", Method: "examine", Title: "Session isolation",
			URL: "https://docs.vendor-v.example/isolation", Words: "Says that each session runs in a microVM of its own.",
		})
	}
	t.on(52)
	t.record(caseAssistant, platform, posture.Editor, posture.Record{
		Evidence: posture.Evidence{
			Kind: posture.KindConfiguration, Statement: "FS-1", Polarity: posture.Supports, Identity: microVM(),
		},
		SourceRole: "customer", SourceName: "Platform Runtime", Method: "examine", Title: "Runtime configuration, exported",
		Words: "Each session has its own root disk; no shared mount is attached.",
	})
	t.on(49)
	t.importResults("run-1-local-isolation.xml", microVM(), nil)
}

// receiverFails is steps 4 to 7: the connector takes the customer id from the
// request; the test fails at the receiver; the risk is carried; a second path
// fails too and is not covered.
func (t *teller) receiverFails() {
	t.on(42)
	s4 := searchRelease("s4", "sp2")
	configuration := t.record(documentSearch, architect, posture.Editor, posture.Record{
		Evidence: posture.Evidence{
			Kind: posture.KindConfiguration, Statement: "AD-1", Polarity: posture.Contradicts, Identity: s4,
		},
		SourceRole: "customer", SourceName: "configuration scan", Method: "examine", Title: "Connector configuration",
		Words: "customer_id is a parameter of the request; one service key serves all customers.",
	})
	t.on(35)
	t.importResults("run-2-document-search.xml", microVM(), map[string]posture.Identity{documentSearch: s4})
	t.on(28)
	t.accept(configuration)
	t.on(21)
	t.importResults("run-3-bulk-export.xml", microVM(), map[string]posture.Identity{documentSearch: s4})
	t.do("name the paths", func() error { return t.namePaths("SD-01", "SD-05") })
}

// receiverFixed is step 8: the receiver takes the tenant from the verified
// user token; four refusals and four permitted reads behave as required; every
// failure is closed by somebody who did not test.
func (t *teller) receiverFixed() {
	t.on(16)
	s5 := searchRelease("s5", "sp3")
	t.target(documentSearch, search, s5, "release s5: the tenant is taken from the verified user token, ownership is checked per document")
	t.importResults("run-4-retest.xml", microVM(), map[string]posture.Identity{documentSearch: s5})
	t.closeFixed(s5)
}

// movesOn is steps 9 to 11 and what came after: the connector's next release,
// the move to another variant and what its vendor says, the local test on it,
// and the retest that shows the second path open again.
func (t *teller) movesOn() {
	t.on(12)
	s6 := searchRelease("s6", "sp3")
	t.target(documentSearch, search, s6, "release s6")
	t.on(9)
	t.target(caseAssistant, platform, instances(), "moved to the compute type Instances")
	t.on(8)
	t.record(caseAssistant, reviewer, posture.Procurement, posture.Record{
		Evidence: posture.Evidence{
			Kind: posture.KindDocumentation, Statement: "PE-2", Polarity: posture.Contradicts, Identity: vendorPage("Instances"),
		},
		SourceRole: "vendor", SourceName: "Vendor V", Method: "examine", Title: "Compute type Instances",
		URL: "https://docs.vendor-v.example/instances", Words: "Says that agents on one instance are not isolated from each other; the session is the unit.",
	})
	t.on(5)
	t.importResults("run-5-local-isolation-instances.xml", instances(), nil)
	t.on(3)
	t.importResults("run-6-release-s6.xml", instances(), map[string]posture.Identity{documentSearch: s6})
}

func vendorPage(variant string) posture.Identity {
	return posture.Identity{
		posture.Vendor: "Vendor V", posture.Product: "Product P", posture.Variant: variant, posture.Region: posture.RegionAny,
	}
}
