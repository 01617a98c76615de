package store

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"demarc/store/posture"
)

var slugForm = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)

// Lengths in characters of what people write.
const (
	longName = 120
	longText = 2000
	longNote = 1000
)

func checkSlug(faults *posture.Fields, slug string) {
	if !slugForm.MatchString(slug) {
		*faults = append(*faults, constraintSentences["runtime_slug_form"])
	}
}

// cleanName trims a name; without one the short name stands for it.
func cleanName(faults *posture.Fields, field string, name *string, slug string) {
	cleanText(faults, field, name, longName)
	if *name == "" {
		*name = slug
	}
}

// cleanText trims a text and bounds it to limit characters.
func cleanText(faults *posture.Fields, field string, text *string, limit int) {
	*text = strings.TrimSpace(*text)
	if n := utf8.RuneCountInString(*text); n > limit {
		faults.Add(field, fmt.Sprintf("This has %d characters; at most %d are kept. Shorten it.", n, limit))
	}
	if !utf8.ValidString(*text) || strings.ContainsRune(*text, 0) {
		faults.Add(field, "This is no text in UTF-8. Write it again.")
	}
}

func checkDataClass(faults *posture.Fields, class string) {
	if class != "" && !slices.Contains(posture.DataClasses(), class) {
		faults.Add("data_class", "Choose one of "+strings.Join(posture.DataClasses(), ", ")+", or leave it out.")
	}
}

// checkWords answers a text that says no more than "sandboxed", "isolated" or
// "secure" with the question it leaves open (DESIGN.md §13).
func checkWords(faults *posture.Fields, field, text string) {
	if saysNothing(text) {
		faults.Add(field, "Kept from whom, by what? Name the other party and what stands between.")
	}
}

// saysNothing says whether a text consists of words that name no party and no
// mechanism.
func saysNothing(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	bare := false
	for _, w := range words {
		switch w {
		case "sandboxed", "sandbox", "isolated", "isolation", "secure", "secured", "securely":
			bare = true
		case "a", "an", "the", "it", "is", "are", "and", "be", "should", "must", "fully", "completely", "very", "properly",
			"runs", "in", "agent", "agents", "session", "sessions", "runtime", "environment":
		default:
			return false
		}
	}
	return bare
}
