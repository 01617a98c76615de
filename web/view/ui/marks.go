package ui

import (
	"strconv"
	"strings"

	"demarc/store/posture"
)

func cellMark(c posture.Cell) string {
	if c.Outside {
		return posture.LabelNotApplicable.String()
	}
	return c.Label.String()
}

func level(s posture.Severity) string { return strconv.Itoa(int(s) + 1) }

// outcomeMark gives the data-o of an outcome; no outcome is "not_run".
func outcomeMark(o posture.Outcome) string {
	if o == posture.OutcomeUnknown {
		return "not_run"
	}
	return o.String()
}

func outcomeGlyph(o posture.Outcome) string {
	if o == posture.Incomplete {
		return "o-not_run"
	}
	return "o-" + outcomeMark(o)
}

func outcomeWords(o posture.Outcome) string { return spaced(outcomeMark(o)) }

// releases are the normalised release statuses with their words and glyphs
// (model.md §4).
var releases = map[string]struct{ words, glyph string }{
	"announced":          {"announced", "r-soon"},
	"experimental":       {"experimental", "r-pre"},
	"private_preview":    {"private preview", "r-pre"},
	"technology_preview": {"technology preview", "r-pre"},
	"public_preview":     {"public preview", "r-pre"},
	"beta":               {"beta", "r-pre"},
	"preview_supported":  {"preview, supported", "r-sup"},
	"ga":                 {"GA", "r-ga"},
	"ga_limited":         {"GA, limited", "r-ga"},
	"deprecated":         {"deprecated", "r-end"},
	"end_of_support":     {"end of support", "r-end"},
	"retired":            {"retired", "r-end"},
}

// ReleaseWords gives a stored release status as a page writes it; one that is
// not in the vocabulary reads "unknown".
func ReleaseWords(status string) string {
	if r, ok := releases[status]; ok {
		return r.words
	}
	return "unknown"
}

func releaseGlyph(status string) string {
	if r, ok := releases[status]; ok {
		return r.glyph
	}
	return "r-unk"
}

type shownDigest struct{ algorithm, hex string }

func (d shownDigest) short() string {
	if len(d.hex) > 8 {
		return d.hex[:8] + "…"
	}
	return d.hex
}

// digests parts a digest facet at its spaces; a part without an algorithm is a
// provider's own id and stands in algorithm alone.
func digests(value string) []shownDigest {
	var out []shownDigest
	for part := range strings.FieldsSeq(value) {
		algorithm, hex, found := strings.Cut(part, ":")
		if !found || strings.Trim(hex, "0123456789abcdefABCDEF") != "" {
			algorithm, hex = part, ""
		}
		out = append(out, shownDigest{algorithm, hex})
	}
	return out
}

// ReleaseStatuses lists the normalised release statuses in the order of a
// product's life, unknown last.
func ReleaseStatuses() []string {
	return []string{
		"announced", "experimental", "private_preview", "technology_preview", "public_preview", "beta",
		"preview_supported", "ga", "ga_limited", "deprecated", "end_of_support", "retired", "unknown",
	}
}
