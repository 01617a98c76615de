package catalogue

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Vocab holds the closed word lists that catalogue.yaml repeats as data.
type Vocab struct {
	Category   []string
	Topic      []string
	Dimension  []string
	Scope      []string
	Status     []string
	SourceKind []string
	ReadAs     []string
	Confidence []string
}

// schemaVersion is the only version of both files that this package reads.
const schemaVersion = 1

// releaseTopic is the topic whose claims carry a release status.
const releaseTopic = "release_status"

// lastQuestion is the highest number of a procurement question (model.md §5).
const lastQuestion = 77

// vocabulary gives the word lists of schema version 1. The file must repeat them exactly, so that
// neither side can grow a word the other does not know.
func vocabulary() Vocab {
	return Vocab{
		Category: []string{
			"managed_runtime", "managed_sandbox", "shared_service", "agent_product", "announced_capability",
			"local_sandbox", "isolation_primitive", "orchestrator", "containment_control", "baseline", "guidance",
		},
		Topic: []string{"isolation", "shared", "lifecycle", releaseTopic, "shared_responsibility", "retention"},
		Dimension: []string{
			"process", "filesystem", "memory", "network", "credentials", "application_data", "tools", none,
		},
		Scope: []string{
			"per_session", "per_sandbox", "per_process", "per_user", "per_agent", "per_project", "per_tenant",
			"per_account", "per_host", "shared", "customer_defined", "not_stated", "not_applicable",
		},
		Status: []string{
			"ga", "beta", "alpha", "preview", "private_preview", "technology_preview", "experimental", "announced",
			"released", "stable_release", "opt_in", "superseded", "deprecated", "unmaintained_open_source",
			"unsupported_platform", "no_label", "not_stated",
		},
		SourceKind: []string{"vendor", "third_party", "standard"},
		ReadAs:     []string{"full_page", "excerpt", "git_mirror", "quoted"},
		Confidence: []string{"high", "medium", "low"},
	}
}

// The words of links.yaml that rules in this package turn on.
const (
	none          = "none"
	documentation = "documentation"
	component     = "component"
)

// linkVocab holds the closed word lists of links.yaml, as its head gives them.
type linkVocab struct {
	kind, componentKind, facet, polarity, evidenceKind, normalised []string
}

func linkVocabulary() linkVocab {
	return linkVocab{
		kind: []string{"runtime", component, "primitive", "guidance", "announced"},
		componentKind: []string{
			"gateway", "model_provider", "retrieval", "identity", "management", "storage", "logging", "tool_server",
			"egress", "other",
		},
		facet:        []string{"PE", "FS", "ME", "NW", "CD", "AD", "TL", "LF", "MS", "CP", "AC", none},
		polarity:     []string{"supports", "contradicts"},
		evidenceKind: []string{documentation, "statement", none},
		normalised: []string{
			"announced", "experimental", "private_preview", "technology_preview", "public_preview", "beta",
			"preview_supported", "ga", "ga_limited", "deprecated", "end_of_support", "retired", "unknown",
		},
	}
}

// preGA reports whether a normalised status comes before general availability in the order of
// model.md §5.4.
func preGA(normalised string) bool {
	return slices.Contains([]string{
		"announced", "experimental", "private_preview", "technology_preview", "public_preview", "beta",
		"preview_supported",
	}, normalised)
}

// statementCounts says how many statements the starter library has in each dimension or facet, numbered
// from 1 (model.md §2.1, 35 in all).
func statementCounts() map[string]int {
	return map[string]int{
		"PE": 3, "FS": 3, "ME": 3, "NW": 4, "CD": 3, "AD": 3, "TL": 4, "LF": 4, "MS": 4, "CP": 2, "AC": 2,
	}
}

// knownStatement reports whether id names a statement of the starter library, such as "FS-1".
func knownStatement(id string) bool {
	facet, number, found := strings.Cut(id, "-")
	n, err := strconv.Atoi(number)
	return found && err == nil && strconv.Itoa(n) == number && n >= 1 && n <= statementCounts()[facet]
}

var slug = regexp.MustCompile(`^[a-z0-9-]+$`)
