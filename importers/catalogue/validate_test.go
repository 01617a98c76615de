package catalogue_test

import "testing"

func TestRulesAcrossBothFiles(t *testing.T) {
	t.Parallel()
	plant(t, true, []fault{
		{"system without entry", "  acme-gate:\n", "  acme-door:\n", `catalogue.yaml:166: system acme-gate: has no entry under systems in links.yaml; add one`},
		{"entry without system", "claims:\n", "  acme-door:\n    vendor_id: acme\n    vendor: Acme\n    product: Door\n    variant: default\n    kind: runtime\nclaims:\n", `links.yaml:16: system acme-door: is not in catalogue.yaml; remove it`},
		{"claim without entry", "  acme-gate.tenant:\n", "  acme-gate.other:\n", `catalogue.yaml:172: claim acme-gate.tenant: has no entry under claims in links.yaml; add one`},
		{"entry without claim", "questions:\n", "  acme-gate.other:\n    facet: none\n    bears_on: []\n    evidence_kind: none\nquestions:\n", `links.yaml:54: claim acme-gate.other: is not in catalogue.yaml; remove it`},
		{"gap without question", "questions:\n  acme-box.gap-tools: 33\n", "questions: {}\n", `catalogue.yaml:151: claim acme-box.gap-tools: is not stated and has no question in links.yaml; add one`},
		{"question for a stated claim", "gap-tools: 33", "gap-tools: 33\n  acme-gate.tenant: 1", `links.yaml:56: question for claim acme-gate.tenant: the claim is stated; remove the question`},
		{"question for no claim", "gap-tools: 33", "gap-tools: 33\n  acme-gate.other: 1", `links.yaml:56: question for claim acme-gate.other: the claim is not in catalogue.yaml; remove it`},
		{"same identity", "product: Acme Gate\n    variant: default", "product: Acme Box\n    variant: microvm", `links.yaml:9: system acme-gate: has vendor_id, product and variant of system acme-box; give it its own variant`},
		{"two names of a vendor", "    vendor: Acme\n    product: Acme Gate", "    vendor: Acme Inc.\n    product: Acme Gate", `links.yaml:9: system acme-gate: vendor_id acme is called "Acme Inc." here and "Acme" at system acme-box; give it one name`},
		{"facet beside the statements", "facet: AD", "facet: NW", `links.yaml:49: claim acme-gate.tenant: facet NW is the dimension of none of its statements; take it from one of them`},
		{"facet none with statements", "facet: AD", "facet: none", `links.yaml:49: claim acme-gate.tenant: facet none is the dimension of none of its statements; take it from one of them`},
		{"gap with evidence", "    facet: TL\n    bears_on: []\n    evidence_kind: none\n", "    facet: TL\n    bears_on: []\n    evidence_kind: documentation\n", `links.yaml:45: claim acme-box.gap-tools: is not stated, so evidence_kind must be none`},
		{"stated without evidence", "      - {statement: AD-1, polarity: contradicts}\n    evidence_kind: documentation\n", "      - {statement: AD-1, polarity: contradicts}\n    evidence_kind: none\n", `links.yaml:49: claim acme-gate.tenant: is stated, so evidence_kind none fits only topic release_status`},
		{"status with statements", "    facet: none\n    bears_on: []\n", "    facet: ME\n    bears_on:\n      - {statement: ME-1, polarity: supports}\n", `links.yaml:37: claim acme-box.status-snapshots: bears on a statement, so evidence_kind must not be none`},
		{"third party as documentation", "evidence_kind: statement", "evidence_kind: documentation", `links.yaml:25: claim acme-box.process-shared: comes from a third_party source read as quoted, so evidence_kind must be statement`},
		{"contradicts itself", "      - acme-box.process-shared\n", "      - acme-box.process-shared\n      - acme-box.process-own\n", `links.yaml:17: claim acme-box.process-own: contradicts itself; remove the entry`},
		{"contradicts no claim", "      - acme-box.process-shared\n", "      - acme-box.process-shared\n      - acme-box.process-none\n", `links.yaml:17: claim acme-box.process-own: contradicts "acme-box.process-none", which is no claim`},
		{"contradicts the same twice", "      - acme-box.process-own\n", "      - acme-box.process-own\n      - acme-box.process-own\n", `links.yaml:30: claim acme-box.process-shared: contradicts lists "acme-box.process-own" twice; remove one`},
		{"contradicts one way", "    contradicts:\n      - acme-box.process-own\n", "", `links.yaml:17: claim acme-box.process-own: contradicts acme-box.process-shared, which does not name it back; add it there`},
	})
}

func TestQuotedIsNoDocumentation(t *testing.T) {
	t.Parallel()
	plant(t, false, []fault{{
		"vendor read second-hand", "read_as: git_mirror", "read_as: quoted",
		`links.yaml:49: claim acme-gate.tenant: comes from a vendor source read as quoted, so evidence_kind must be statement`,
	}})
}
