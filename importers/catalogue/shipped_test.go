package catalogue_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"demarc/importers/catalogue"
)

// count counts the claims of the shipped catalogue that hold.
func count(c *catalogue.Catalogue, holds func(catalogue.Claim) bool) int {
	n := 0
	for _, s := range c.Systems {
		for _, k := range s.Claims {
			if holds(k) {
				n++
			}
		}
	}
	return n
}

func TestShippedCounts(t *testing.T) {
	t.Parallel()
	c := shipped(t)
	drafts := 0
	for _, s := range c.Systems {
		drafts += len(s.Evidence())
	}
	readAs := func(how string) int {
		return count(c, func(k catalogue.Claim) bool { return k.ReadAs == how })
	}
	got := map[string]int{
		"systems":      len(c.Systems),
		"vendors":      len(c.Vendors()),
		"claims":       count(c, func(catalogue.Claim) bool { return true }),
		"stated":       count(c, func(k catalogue.Claim) bool { return k.Stated }),
		"not stated":   count(c, func(k catalogue.Claim) bool { return !k.Stated }),
		"questions":    count(c, func(k catalogue.Claim) bool { return k.Question != 0 }),
		"gap ids":      count(c, func(k catalogue.Claim) bool { return strings.Contains(k.ID, ".gap-") }),
		"excerpts":     readAs("excerpt"),
		"quoted":       readAs("quoted"),
		"with status":  count(c, func(k catalogue.Claim) bool { return k.Status != nil }),
		"disagreeing":  count(c, func(k catalogue.Claim) bool { return len(k.Contradicts) > 0 }),
		"without copy": count(c, func(k catalogue.Claim) bool { return k.Source.CopyDate.IsZero() }),
		"drafts":       drafts,
	}
	want := map[string]int{
		"systems": 49, "vendors": 26, "claims": 808, "stated": 621, "not stated": 187, "questions": 187, "gap ids": 136,
		"excerpts": 368, "quoted": 33, "with status": 92, "disagreeing": 62, "without copy": 489, "drafts": 203,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

func TestShippedNamesEveryCrossingOnce(t *testing.T) {
	t.Parallel()
	seen := make(map[[2]string]bool)
	for _, s := range shipped(t).Systems {
		for _, d := range s.Evidence() {
			key := [2]string{d.ClaimID, d.Statement}
			if seen[key] {
				t.Errorf("%s gives two drafts for %s", d.ClaimID, d.Statement)
			}
			seen[key] = true
			if d.Vendor == "" || d.Product == "" || d.Variant == "" || d.Words == "" || d.URL == "" || d.ObservedAt.IsZero() {
				t.Errorf("draft of %s lacks identity, words or source: %+v", d.ClaimID, d)
			}
		}
	}
}

// TestShippedContradictions holds every pair of claims known to say different things.
func TestShippedContradictions(t *testing.T) {
	t.Parallel()
	c := shipped(t)
	pairs := 0
	for _, row := range []struct{ system, claims string }{
		{"aws-agentcore-code-interpreter", "retention-cleaned/retention-30-days"},
		{"aws-agentcore-code-interpreter", "lifecycle-timeout/lifecycle-timeout-api"},
		{"aws-agentcore-code-interpreter", "network-sandbox-old-claim/network-sandbox-s3"},
		{"aws-agentcore-code-interpreter", "network-sandbox-old-claim/network-sandbox-dns"},
		{"aws-agentcore-code-interpreter", "network-sandbox-s3/network-sandbox-dns"},
		{"aws-agentcore-runtime", "wording-older/wording-newer"},
		{"aws-agentcore-runtime", "wording-older-state/lifecycle-states"},
		{"aws-agentcore-runtime", "status-ga/status-stale-banner"},
		{"ibm-watsonx-orchestrate", "process-python-tool/process-standalone"},
		{"ibm-watsonx-orchestrate", "process-python-tool/process-toolkit-shared"},
		{"ibm-bob", "filesystem-ignore-file/process-shell-sandbox"},
		{"ibm-bob", "process-child/process-shell-sandbox"},
		{"ibm-bob", "selfhosted-audit-conflict-a/selfhosted-audit-conflict-b"},
		{"ibm-bob", "status-selfhosted-blog/status-selfhosted-news"},
		{"ibm-bob", "status-selfhosted-news/status-selfhosted-announcement"},
		{"e2b", "retention-30/retention-indefinite"},
		{"e2b", "retention-30-thirdparty/retention-indefinite"},
		{"fly-sprites", "lifecycle-marketing/lifecycle-cold"},
		{"vercel-sandbox", "lifecycle-timeout/lifecycle-timeout-thirdparty"},
		{"vercel-sandbox", "lifecycle-timeout-kb/lifecycle-timeout-thirdparty"},
		{"vercel-sandbox", "lifecycle-temporary-old/lifecycle-persistent"},
		{"daytona", "process-classes/process-v2"},
		{"cloudflare-sandbox", "process-vm/process-wording"},
		{"gke-agent-sandbox", "sr-managed-older/sr-self-managed"},
		{"k8s-agent-sandbox", "lifecycle-upgrade-kep/lifecycle-upgrade-guide"},
		{"kata-containers", "process-pod-vm/process-container-vm"},
		{"deno-sandbox", "network-create/network-security"},
		{"microsandbox", "credentials-memory-claim/credentials-disk-claim"},
		{"microsandbox", "host-sockets-claim/host-sockets"},
		{"microsoft-mxc", "claim-hard-boundary/boundary-disclaimer"},
		{"azure-foundry-hosted-agents", "lifecycle-ci/lifecycle-ci-azure-openai"},
		{"azure-dynamic-sessions", "status-ga-report/status-stale"},
		{"anthropic-managed-agents", "shared-wording-older/shared-tool-io"},
		{"snowflake-cortex-sandboxes", "memory-release-note/memory-guide"},
		{"docker-sandboxes", "network-default/network-older-choice"},
	} {
		left, right, _ := strings.Cut(row.claims, "/")
		left, right = row.system+"."+left, row.system+"."+right
		if !slices.Contains(claim(t, c, left).Contradicts, right) || !slices.Contains(claim(t, c, right).Contradicts, left) {
			t.Errorf("%s and %s do not name each other", left, right)
		}
		pairs++
	}
	ends := 0
	for _, s := range c.Systems {
		for _, k := range s.Claims {
			ends += len(k.Contradicts)
		}
	}
	if ends != 2*pairs {
		t.Errorf("the data has %d ends of disagreements, the list above %d", ends, 2*pairs)
	}
}

// stage is what a status claim says, for the moves below: normalised status and date.
func stage(k catalogue.Claim) string {
	return strings.TrimSpace(k.Status.Normalised + " " + k.Status.Date.Text)
}

// TestShippedStatusMoves holds the moves from one stage to the next that the data can tell.
func TestShippedStatusMoves(t *testing.T) {
	t.Parallel()
	c := shipped(t)
	for id, want := range map[string]string{
		"aws-agentcore-runtime.status-preview-2025":              "public_preview 2025-07",
		"aws-agentcore-runtime.status-ga":                        "ga 2025-10-13",
		"aws-agentcore-gateway-identity.status-policy":           "ga 2026-03",
		"aws-agentcore-gateway-identity.status-registry-preview": "public_preview 2026-04",
		"aws-agentcore-gateway-identity.status-registry":         "ga 2026-08",
		"aws-agentcore-gateway-identity.status-harness":          "ga 2026-06",
		"aws-agentcore-gateway-identity.status-websearch":        "ga 2026-06",
		"aws-agentcore-gateway-identity.status-runtime-targets":  "ga 2026-06",
		"aws-agentcore-runtime.status-storage-announced":         "public_preview 2026-04-02",
		"aws-agentcore-runtime.storage-preview":                  "public_preview",
		"aws-agentcore-runtime.status-starter-toolkit":           "end_of_support 2026-04-29",
		"vercel-sandbox.status-beta":                             "beta 2026-01-20",
		"vercel-sandbox.status-ga":                               "ga 2026-01-30",
		"vercel-sandbox.status-persistence-beta":                 "beta",
		"vercel-sandbox.status-persistence-ga":                   "ga 2026-05-26",
		"azure-dynamic-sessions.status-preview":                  "public_preview 2024-05-21",
		"azure-dynamic-sessions.status-ga-report":                "ga",
		"azure-foundry-hosted-agents.status-preview":             "public_preview 2026-05-09",
		"azure-foundry-hosted-agents.status-ga":                  "ga 2026-09-22",
		"cloudflare-sandbox.status-1-0-preview":                  "announced 2026-08-07",
		"cloudflare-sandbox.status-0x":                           "unknown 2026-10-23",
		"cloudflare-containers.status-beta":                      "beta",
		"cloudflare-containers.status-nolabel":                   "unknown",
		"e2b.status-persistence":                                 "beta 2025-12",
		"e2b.status-persistence-now":                             "unknown",
		"modal-sandboxes.status-mem-old":                         "public_preview",
		"modal-sandboxes.status-mem":                             "experimental",
		"k8s-agent-sandbox.status-beta":                          "beta 2026-08",
		"gke-agent-substrate.status-v01":                         "unknown 2026-09-09",
		"gke-agent-substrate.status-v03":                         "unknown 2026-09-30",
		"docker-sandboxes.status-labels":                         "unknown",
		"docker-sandboxes.status-desktop-cli":                    "deprecated",
		"docker-sandboxes.status-cloud":                          "unknown 2026-09-07",
		"nvidia-openshell.status-alpha":                          "experimental",
		"nvidia-openshell.status-alpha-gone":                     "unknown",
		"nvidia-openshell.status-010":                            "unknown",
		"daytona.status-open-source":                             "end_of_support 2026-06",
		"codesandbox-sdk.status-legacy":                          "deprecated",
		"ibm-bob.status-ga":                                      "ga 2026-04-28",
		"ibm-bob.status-selfhosted-blog":                         "ga 2026-09-24",
		"ibm-containment-october.status-tech-preview":            "technology_preview",
		"microsoft-mxc.status-announced":                         "announced 2026-06-02",
		"microsoft-mxc.status-preview":                           "public_preview 2026-08-22",
		"snowflake-cortex-sandboxes.status-preview":              "public_preview 2026-08-20",
	} {
		if got := stage(claim(t, c, id)); got != want {
			t.Errorf("%s: stage %q, want %q", id, got, want)
		}
	}
}

// TestShippedPreGA pins the outcome of the pre-GA rule on systems where it could go wrong: parts in
// preview inside a released product, a stale preview banner, a plan of a partner, a remark in a feature.
func TestShippedPreGA(t *testing.T) {
	t.Parallel()
	c := shipped(t)
	got := make(map[string][]string)
	for _, s := range c.Systems {
		for _, d := range s.Evidence() {
			if d.PreGA && !slices.Contains(got[s.ID], d.ClaimID) {
				got[s.ID] = append(got[s.ID], d.ClaimID)
			}
		}
	}
	for system, want := range map[string][]string{
		"aws-agentcore-runtime": {
			"aws-agentcore-runtime.storage-mount", "aws-agentcore-runtime.storage-retention",
			"aws-agentcore-runtime.storage-delete",
		},
		"modal-sandboxes":             {"modal-sandboxes.retention-dir-snapshot", "modal-sandboxes.retention-mem-snapshot"},
		"cloudflare-sandbox":          {"cloudflare-sandbox.retention-snapshots"},
		"vercel-sandbox":              nil,
		"nvidia-openshell":            nil,
		"azure-foundry-hosted-agents": nil,
		"docker-sandboxes":            nil,
		"firecracker":                 nil,
		"microsoft-mxc": {
			"microsoft-mxc.boundary-disclaimer", "microsoft-mxc.network-cooperative", "microsoft-mxc.network-legacy-noop",
			"microsoft-mxc.shared-host-network",
		},
	} {
		if diff := cmp.Diff(want, got[system]); diff != "" {
			t.Errorf("%s: pre-GA claims (-want +got):\n%s", system, diff)
		}
	}
}

func TestShippedIsReadTheSameTwice(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(shipped(t), shipped(t)); diff != "" {
		t.Errorf("second reading differs:\n%s", diff)
	}
}

// TestFaultLineInALongFile checks that lines are counted right after thousands of folded sentences.
func TestFaultLineInALongFile(t *testing.T) {
	t.Parallel()
	catalogueText, linksText := readText(t, "catalogue.yaml"), readText(t, "links.yaml")
	planted := strings.TrimSuffix(catalogueText, "confidence: high\n") + "confidence: sure\n"
	if planted == catalogueText+"confidence: sure\n" {
		t.Fatal("the last line of catalogue.yaml is not a confidence of high")
	}
	line := strings.Count(planted, "\n")
	_, err := catalogue.Read(strings.NewReader(planted), strings.NewReader(linksText))
	want := "catalogue.yaml:" + strconv.Itoa(line) + ": claim "
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want one that begins with %q", err, want)
	}
}

func BenchmarkShipped(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := catalogue.Shipped(); err != nil {
			b.Fatal(err)
		}
	}
}
