package posture

import (
	"slices"
	"strconv"
	"strings"
)

// Because says in one clause why a verdict moved: what is newly against it,
// what no longer is, what lapsed, or the record that caused it.
func Because(cause string, before, after *Verdict) string {
	added := without(after.OpenNegatives(), before.OpenNegatives())
	gone := without(before.OpenNegatives(), after.OpenNegatives())
	var parts []string
	switch {
	case len(added) > 0 && before.Acceptance != "" && after.Acceptance == "":
		parts = append(parts, names(added)+" is new and "+before.Acceptance+" does not cover it")
	case len(added) > 0:
		parts = append(parts, names(added)+" stands against it")
	case after.Acceptance != "" && before.Acceptance == "":
		parts = append(parts, "carried by "+after.Acceptance)
	case before.Acceptance != "" && after.Acceptance == "" && len(gone) == 0:
		parts = append(parts, before.Acceptance+" no longer carries it")
	}
	if len(gone) > 0 {
		parts = append(parts, names(gone)+" no longer counts against it")
	}
	if after.State == LabelStale && before.State != LabelStale {
		parts = append(parts, "support "+after.Lapsed.Words())
	}
	if cause != "" && (len(parts) == 0 || !strings.Contains(strings.Join(parts, " "), cause)) {
		parts = append(parts, cause)
	}
	return strings.Join(parts, "; ")
}

// Words says why support lapsed.
func (l Lapse) Words() string {
	var words []string
	if l&LapsedExpired != 0 {
		words = append(words, "aged past its window")
	}
	if l&LapsedDrifted != 0 {
		words = append(words, "was taken on another configuration")
	}
	if l&LapsedUnidentified != 0 {
		words = append(words, "cannot be matched: a facet is unknown")
	}
	if l&LapsedOverBlock != 0 {
		words = append(words, "is undone by a later refusal of permitted access")
	}
	if len(words) == 0 {
		return "no longer holds"
	}
	return strings.Join(words, ", ")
}

// namesShown bounds how many records a clause names.
const namesShown = 4

func names(ids []string) string {
	if len(ids) <= namesShown {
		return strings.Join(ids, ", ")
	}
	return strings.Join(ids[:namesShown], ", ") + " and " + strconv.Itoa(len(ids)-namesShown) + " more"
}

func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}
