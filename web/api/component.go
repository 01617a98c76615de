package api

import (
	"context"
	"net/http"
	"time"

	"demarc/store/posture"
)

// Component is a node of the data path that sessions reach, in one version.
type Component struct {
	Slug        string      `json:"slug"`
	Kind        string      `json:"kind"`
	Name        string      `json:"name"`
	Purpose     string      `json:"purpose"`
	Owner       string      `json:"owner"`
	RiskOwner   string      `json:"risk_owner"`
	DataClass   string      `json:"data_class"`
	Criticality Criticality `json:"criticality"`
	Shared      bool        `json:"shared" doc:"Several tenants use it."`
	Retired     bool        `json:"retired"`
	Portfolio   int64       `json:"portfolio"`
	Version     int         `json:"version"`
	ChangedAt   time.Time   `json:"changed_at"`
	ChangedBy   string      `json:"changed_by"`
	Target      Target      `json:"target"`
}

func componentBody(c *posture.Component) Component {
	return Component{
		Slug: c.Slug, Kind: c.Kind, Name: c.Name, Purpose: c.Purpose, Owner: c.Owner, RiskOwner: c.RiskOwner, DataClass: c.DataClass,
		Criticality: Criticality(c.Criticality.String()), Shared: c.Shared, Retired: c.Retired, Portfolio: c.Portfolio, Version: c.Version,
		ChangedAt: c.From.UTC(), ChangedBy: c.By, Target: targetBody(c.Target),
	}
}

// NewComponent describes a component that is not there yet.
type NewComponent struct {
	Slug        string       `json:"slug" maxLength:"63" doc:"Short name: lower-case letters, digits and hyphens. It stays."`
	Kind        string       `json:"kind" enum:"gateway,model_provider,retrieval,identity,management,storage,logging,tool_server,egress,other"`
	Name        string       `json:"name,omitempty" maxLength:"200"`
	Purpose     string       `json:"purpose,omitempty" maxLength:"4000"`
	Owner       string       `json:"owner,omitempty" maxLength:"200"`
	RiskOwner   string       `json:"risk_owner,omitempty" maxLength:"200"`
	DataClass   string       `json:"data_class,omitempty" maxLength:"40"`
	Criticality *Criticality `json:"criticality,omitempty"`
	Shared      bool         `json:"shared,omitempty"`
	Portfolio   int64        `json:"portfolio,omitempty" minimum:"0"`
	Identity    Identity     `json:"identity,omitzero" doc:"Its first target."`
}

func (n *NewComponent) posture() (c posture.Component, err error) {
	c = posture.Component{
		Slug: n.Slug, Kind: n.Kind, Name: n.Name, Purpose: n.Purpose, Owner: n.Owner, RiskOwner: n.RiskOwner, DataClass: n.DataClass,
		Shared: n.Shared, Portfolio: n.Portfolio,
	}
	c.Target.Identity = n.Identity.posture()
	c.Criticality, err = word(n.Criticality, posture.ParseCriticality)
	return c, err
}

// ComponentRow is a component in a list.
type ComponentRow struct {
	Component
	Users             int    `json:"users" doc:"Runtimes whose sessions use it."`
	Statements        Counts `json:"statements" doc:"Statements judged at it."`
	OpenDiscrepancies int    `json:"open_discrepancies"`
}

// ComponentsBody is one page of components.
type ComponentsBody struct {
	Items []ComponentRow `json:"items" nullable:"false"`
	Next  string         `json:"next,omitempty" doc:"Where more follow: send it back as after."`
}

type componentsInput struct {
	Moment
	List
	Find string `query:"find" maxLength:"200"`
}

type componentsOutput struct{ Body ComponentsBody }

type componentInput struct {
	Moment
	Slug string `path:"slug" maxLength:"63"`
}

type componentOutput struct {
	Location string `header:"Location"`
	Body     Component
}

type linkInput struct {
	Slug      string `path:"slug" maxLength:"63"`
	Component string `path:"component" maxLength:"63"`
}

func (a *API) components() {
	register(a, operation(http.MethodGet, "/components", "list-components", "List components in use", http.StatusOK), a.listComponents)
	register(a, operation(http.MethodPost, "/components", "create-component", "Describe a component", http.StatusCreated), a.createComponent)
	register(a, operation(http.MethodGet, "/components/{slug}", "read-component", "Read a component", http.StatusOK), a.readComponent)
}

func (a *API) listComponents(ctx context.Context, who posture.Access, in *componentsInput) (*componentsOutput, error) {
	o, err := a.at(in.Moment)
	if err != nil {
		return nil, err
	}
	rows, next, err := a.store.Components(ctx, who, o, in.Find, in.After, in.Limit)
	if err != nil {
		return nil, err
	}
	body := ComponentsBody{Items: []ComponentRow{}, Next: next}
	for i := range rows {
		r := &rows[i]
		body.Items = append(body.Items, ComponentRow{
			Component: componentBody(&r.Component), Users: r.Users, Statements: countsBody(r.Counts), OpenDiscrepancies: r.Open,
		})
	}
	return &componentsOutput{body}, nil
}

func (a *API) createComponent(ctx context.Context, who posture.Access, in *struct{ Body NewComponent }) (*componentOutput, error) {
	c, err := in.Body.posture()
	if err != nil {
		return nil, err
	}
	made, err := a.store.CreateComponent(ctx, who, c)
	if err != nil {
		return nil, err
	}
	return &componentOutput{Location: Prefix + "/components/" + made.Slug, Body: componentBody(&made)}, nil
}

func (a *API) readComponent(ctx context.Context, who posture.Access, in *componentInput) (*componentOutput, error) {
	o, err := a.at(in.Moment)
	if err != nil {
		return nil, err
	}
	c, err := a.store.Component(ctx, who, in.Slug, o)
	if err != nil {
		return nil, err
	}
	return &componentOutput{Body: componentBody(&c)}, nil
}

// link is done as well where the two are linked already.
func (a *API) link(ctx context.Context, who posture.Access, in *linkInput) (*struct{}, error) {
	err := a.store.Link(ctx, who, in.Slug, in.Component)
	if posture.KindOf(err) != posture.Invalid {
		return nil, err
	}
	page, readErr := a.store.RuntimePage(ctx, who, posture.AsOf{}, in.Slug)
	if readErr != nil {
		return nil, readErr
	}
	for _, l := range page.Links {
		if l.Component.Slug == in.Component {
			return nil, nil //nolint:nilnil // huma's word for an answer without a body
		}
	}
	return nil, err
}

func (a *API) unlink(ctx context.Context, who posture.Access, in *linkInput) (*struct{}, error) {
	return nil, a.store.Unlink(ctx, who, in.Slug, in.Component)
}
