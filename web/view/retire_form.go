package view

import (
	"net/url"
	"strconv"
	"strings"

	"demarc/store/posture"
)

// RetireForm asks why a runtime or a component is retired.
type RetireForm struct {
	Draft
	Slug string
	// Version is the one in force.
	Version int
	// Means says what follows.
	Means string
	// Section is the place of the bar that the noun stands under.
	Section string
}

var retireLabels = map[string]string{"because": "Why it is retired"}

// RetireRuntimeForm begins an empty form for a runtime.
func RetireRuntimeForm(r posture.Runtime) RetireForm {
	return RetireForm{
		Draft: Draft{Typed: url.Values{}, labels: retireLabels}, Slug: r.Slug, Version: r.Version, Section: "Runtimes",
		Means: "It leaves the lists and the overview. Its page, its evidence and its history stay, and nothing that is open against it is closed by this.",
	}
}

// RetireComponentForm begins an empty form for a component.
func RetireComponentForm(c posture.Component) RetireForm {
	return RetireForm{
		Draft: Draft{Typed: url.Values{}, labels: retireLabels}, Slug: c.Slug, Version: c.Version, Section: "Dependencies",
		Means: "It leaves the lists. Only a component that no runtime uses can be retired: unlink it first. Its page, its evidence and its history stay.",
	}
}

// With gives the form as it stands after it was sent.
func (m RetireForm) With(d Draft) RetireForm {
	d.labels = retireLabels
	m.Draft = d
	return m
}

// List is the address of the list that the noun leaves.
func (m RetireForm) List() string { return "/" + strings.ToLower(m.Section) }

func (m RetireForm) path() string { return m.List() + "/" + m.Slug }

func (m RetireForm) version() string { return strconv.Itoa(m.Version) }
