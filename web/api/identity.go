package api

import (
	"time"

	"demarc/store/posture"
)

// Identity is what evidence is about or what a target is; a facet that is left
// out is unknown.
type Identity struct {
	Vendor      string `json:"vendor,omitempty" maxLength:"1000" example:"Amazon Web Services"`
	Product     string `json:"product,omitempty" maxLength:"1000" example:"Amazon Bedrock AgentCore Runtime"`
	Variant     string `json:"variant,omitempty" maxLength:"1000" example:"microvm" doc:"The option that decides the mechanism."`
	Version     string `json:"version,omitempty" maxLength:"1000" example:"1.14.2"`
	Image       string `json:"image,omitempty" maxLength:"1000" example:"sha256:9f2c41ab…" doc:"Digest of the image, or several parted by spaces."`
	Policy      string `json:"policy,omitempty" maxLength:"1000" doc:"Digest of the policy in force."`
	Config      string `json:"config,omitempty" maxLength:"1000" doc:"Digest of the configuration."`
	Region      string `json:"region,omitempty" maxLength:"1000" example:"eu-central-1"`
	Tools       string `json:"tools,omitempty" maxLength:"1000" doc:"Digest of the set of tools."`
	Model       string `json:"model,omitempty" maxLength:"1000"`
	Environment string `json:"environment,omitempty" maxLength:"1000"`
}

// fields gives each facet's place, in the order of posture.Facets.
func (i *Identity) fields() []*string {
	return []*string{
		&i.Vendor, &i.Product, &i.Variant, &i.Version, &i.Image, &i.Policy, &i.Config, &i.Region, &i.Tools, &i.Model, &i.Environment,
	}
}

func identityBody(id posture.Identity) Identity {
	var out Identity
	for f, to := range out.fields() {
		*to = id[f]
	}
	return out
}

func (i *Identity) posture() posture.Identity {
	var id posture.Identity
	for f, from := range i.fields() {
		id[f] = *from
	}
	return id
}

// Target is the identity of a subject that is in force.
type Target struct {
	Identity   Identity  `json:"identity"`
	RecordedAt time.Time `json:"recorded_at"`
	RecordedBy string    `json:"recorded_by"`
	Reason     string    `json:"reason,omitempty" doc:"What changed."`
}

func targetBody(t posture.Target) Target {
	return Target{Identity: identityBody(t.Identity), RecordedAt: t.RecordedAt.UTC(), RecordedBy: t.RecordedBy, Reason: t.Reason}
}

// Subject names what is judged.
type Subject struct {
	Kind SubjectKind `json:"kind"`
	Slug string      `json:"slug" example:"case-assistant" doc:"Short name of the runtime or the component."`
	Name string      `json:"name"`
}

func subjectBody(s posture.SubjectRef) Subject {
	return Subject{Kind: SubjectKind(s.Kind.String()), Slug: s.Slug, Name: s.Name}
}

// moment gives an instant that may be absent.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
