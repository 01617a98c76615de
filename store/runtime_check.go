package store

import (
	"maps"
	"slices"
	"strings"

	"demarc/store/posture"
	"demarc/store/posture/library"
)

// checkRuntime cleans what was written and gives all that is wrong with it.
func checkRuntime(r *posture.Runtime, lib *shelf) error {
	var faults posture.Fields
	checkSlug(&faults, r.Slug)
	cleanName(&faults, "name", &r.Name, r.Slug)
	cleanText(&faults, "purpose", &r.Purpose, longText)
	checkWords(&faults, "purpose", r.Purpose)
	cleanText(&faults, "owner", &r.Owner, longName)
	cleanText(&faults, "risk_owner", &r.RiskOwner, longName)
	checkDataClass(&faults, r.DataClass)
	r.Intents = maps.Clone(r.Intents)
	checkIntents(&faults, r.Intents, lib)
	if _, ok := lib.Profile(r.Profile); !ok {
		faults.Add("profile", "Choose one of the profiles: "+strings.Join(profileIDs(lib), ", ")+".")
	}
	cleanText(&faults, "retired_because", &r.RetiredBecause, longNote)
	switch {
	case r.Retired && r.RetiredBecause == "":
		faults.Add("retired_because", "Say why it is retired.")
	case !r.Retired:
		r.RetiredBecause = ""
	}
	cleanIdentity(&faults, &r.Target)
	return faults.Err()
}

func checkIntents(faults *posture.Fields, intents map[string]posture.Intent, lib *shelf) {
	for _, d := range lib.Dimensions() {
		intent, ok := intents[d.Code]
		if !ok {
			continue
		}
		field := "intent." + d.Code
		cleanText(faults, field, &intent.Text, longNote)
		checkWords(faults, field, intent.Text)
		if intent.Purpose == posture.PurposeNotIntended && intent.Text == "" {
			faults.Add(field, "Say why a boundary of "+strings.ToLower(d.Name)+" is not intended.")
		}
		intents[d.Code] = intent
	}
	for code := range intents {
		if !slices.ContainsFunc(lib.Dimensions(), func(d library.Dimension) bool { return d.Code == code }) {
			faults.Add("intent."+code, "There is no dimension with this code.")
		}
	}
}
