package api

import (
	"context"
	"maps"
	"net/http"
	"time"

	"demarc/store/posture"
)

// Intent is what is wanted of one dimension.
type Intent struct {
	Purpose Purpose `json:"purpose"`
	Text    string  `json:"text,omitempty" maxLength:"1000" doc:"Kept from whom, by what; or why it is not intended."`
}

// Runtime is a deployment that is run or considered, in one version.
type Runtime struct {
	Slug           string            `json:"slug"`
	Name           string            `json:"name"`
	Purpose        string            `json:"purpose"`
	Intents        map[string]Intent `json:"intents" doc:"By code of the dimension: PE, FS, ME, NW, CD, LF, AD, TL, MS, CP, AC."`
	Stage          Stage             `json:"stage"`
	Owner          string            `json:"owner"`
	RiskOwner      string            `json:"risk_owner"`
	DataClass      string            `json:"data_class"`
	Criticality    Criticality       `json:"criticality"`
	MultiTenant    bool              `json:"multi_tenant"`
	Profile        string            `json:"profile"`
	Retired        bool              `json:"retired"`
	RetiredBecause string            `json:"retired_because,omitempty"`
	Portfolio      int64             `json:"portfolio"`
	Version        int               `json:"version" doc:"Send it back with a change."`
	ChangedAt      time.Time         `json:"changed_at"`
	ChangedBy      string            `json:"changed_by"`
	Target         Target            `json:"target"`
}

func runtimeBody(r *posture.Runtime) Runtime {
	out := Runtime{
		Slug: r.Slug, Name: r.Name, Purpose: r.Purpose, Intents: map[string]Intent{}, Stage: Stage(r.Stage.String()), Owner: r.Owner,
		RiskOwner: r.RiskOwner, DataClass: r.DataClass, Criticality: Criticality(r.Criticality.String()), MultiTenant: r.MultiTenant,
		Profile: r.Profile, Retired: r.Retired, RetiredBecause: r.RetiredBecause, Portfolio: r.Portfolio, Version: r.Version,
		ChangedAt: r.From.UTC(), ChangedBy: r.By, Target: targetBody(r.Target),
	}
	for code, i := range r.Intents {
		out.Intents[code] = Intent{Purpose: Purpose(i.Purpose.String()), Text: i.Text}
	}
	return out
}

// NewRuntime describes a runtime that is not there yet.
type NewRuntime struct {
	Slug        string            `json:"slug" maxLength:"63" doc:"Short name: lower-case letters, digits and hyphens. It stays."`
	Name        string            `json:"name,omitempty" maxLength:"200"`
	Purpose     string            `json:"purpose,omitempty" maxLength:"4000" doc:"What it is for: kept from whom, by what."`
	Intents     map[string]Intent `json:"intents,omitempty"`
	Stage       *Stage            `json:"stage,omitempty"`
	Owner       string            `json:"owner,omitempty" maxLength:"200"`
	RiskOwner   string            `json:"risk_owner,omitempty" maxLength:"200"`
	DataClass   string            `json:"data_class,omitempty" maxLength:"40"`
	Criticality *Criticality      `json:"criticality,omitempty"`
	MultiTenant bool              `json:"multi_tenant,omitempty"`
	Profile     string            `json:"profile" maxLength:"100" doc:"What is required of it from the start."`
	Portfolio   int64             `json:"portfolio,omitempty" minimum:"0"`
	Identity    Identity          `json:"identity,omitzero" doc:"Its first target."`
}

func (n *NewRuntime) posture() (r posture.Runtime, err error) {
	r = posture.Runtime{
		Slug: n.Slug, Name: n.Name, Purpose: n.Purpose, Owner: n.Owner, RiskOwner: n.RiskOwner, DataClass: n.DataClass,
		MultiTenant: n.MultiTenant, Profile: n.Profile, Portfolio: n.Portfolio,
	}
	r.Target.Identity = n.Identity.posture()
	if r.Stage, err = word(n.Stage, posture.ParseStage); err != nil {
		return r, err
	}
	if r.Criticality, err = word(n.Criticality, posture.ParseCriticality); err != nil {
		return r, err
	}
	r.Intents, err = intents(nil, n.Intents)
	return r, err
}

// intents gives what is wanted before, changed by what was sent.
func intents(before map[string]posture.Intent, sent map[string]Intent) (map[string]posture.Intent, error) {
	out := maps.Clone(before)
	if out == nil {
		out = map[string]posture.Intent{}
	}
	for code, i := range sent {
		purpose, err := posture.ParsePurpose(string(i.Purpose))
		if err != nil {
			return nil, err
		}
		out[code] = posture.Intent{Purpose: purpose, Text: i.Text}
	}
	return out, nil
}

// RuntimeChange changes what it names; what is left out stays.
type RuntimeChange struct {
	Version        int               `json:"version" minimum:"1" doc:"The version that the change started from; another one in force is a conflict."`
	Name           *string           `json:"name,omitempty" maxLength:"200"`
	Purpose        *string           `json:"purpose,omitempty" maxLength:"4000"`
	Intents        map[string]Intent `json:"intents,omitempty"`
	Stage          *Stage            `json:"stage,omitempty"`
	Owner          *string           `json:"owner,omitempty" maxLength:"200"`
	RiskOwner      *string           `json:"risk_owner,omitempty" maxLength:"200"`
	DataClass      *string           `json:"data_class,omitempty" maxLength:"40"`
	Criticality    *Criticality      `json:"criticality,omitempty"`
	MultiTenant    *bool             `json:"multi_tenant,omitempty"`
	Profile        *string           `json:"profile,omitempty" maxLength:"100"`
	Retired        *bool             `json:"retired,omitempty"`
	RetiredBecause *string           `json:"retired_because,omitempty" maxLength:"1000"`
}

func (n *RuntimeChange) apply(r *posture.Runtime) (err error) {
	r.Version = n.Version
	set(&r.Name, n.Name)
	set(&r.Purpose, n.Purpose)
	set(&r.Owner, n.Owner)
	set(&r.RiskOwner, n.RiskOwner)
	set(&r.DataClass, n.DataClass)
	set(&r.MultiTenant, n.MultiTenant)
	set(&r.Profile, n.Profile)
	set(&r.Retired, n.Retired)
	set(&r.RetiredBecause, n.RetiredBecause)
	if n.Stage != nil {
		if r.Stage, err = word(n.Stage, posture.ParseStage); err != nil {
			return err
		}
	}
	if n.Criticality != nil {
		if r.Criticality, err = word(n.Criticality, posture.ParseCriticality); err != nil {
			return err
		}
	}
	r.Intents, err = intents(r.Intents, n.Intents)
	return err
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// RuntimeRow is a runtime in a list, with its counts in the two columns.
type RuntimeRow struct {
	Runtime
	Execution         Counts `json:"execution"`
	Receivers         Counts `json:"receivers"`
	OpenDiscrepancies int    `json:"open_discrepancies"`
}

// Counts are those of one column; the two are never added together.
type Counts struct {
	Worst          *Label `json:"worst,omitempty" doc:"Left out where nothing is required in this column."`
	Required       int    `json:"required" doc:"Required statements; the three reading words and those not applicable make up the whole."`
	Tested         int    `json:"tested" doc:"Of required, tested on the running configuration."`
	Against        int    `json:"against"`
	NothingYet     int    `json:"nothing_yet"`
	SupportedSoFar int    `json:"supported_so_far"`
}

func countsBody(c posture.ColumnCounts) Counts {
	out := Counts{Required: c.Required, Tested: c.Tested, Against: c.Against, NothingYet: c.Nothing, SupportedSoFar: c.Supported}
	if c.Any {
		out.Worst = optional[Label](c.Worst)
	}
	return out
}

// RuntimesBody is one page of runtimes.
type RuntimesBody struct {
	Items    []RuntimeRow `json:"items" nullable:"false"`
	Next     string       `json:"next,omitempty" doc:"Where more follow: send it back as after."`
	Total    int          `json:"total" doc:"All that match, counted up to 10,000."`
	Settling int          `json:"settling" doc:"Verdicts whose time has passed and that are still being brought up to date."`
}

type runtimesInput struct {
	Moment
	List
	Find    string `query:"find" maxLength:"200"`
	Stage   Stage  `query:"stage"`
	Owner   string `query:"owner" maxLength:"200"`
	Reading string `query:"reading" enum:"against,nothing yet,supported so far"`
	Retired bool   `query:"retired" doc:"Retired ones too."`
}

type runtimesOutput struct{ Body RuntimesBody }

type runtimeInput struct {
	Moment
	Slug string `path:"slug" maxLength:"63"`
}

type runtimeOutput struct {
	Location string `header:"Location"`
	Body     Runtime
}

func (a *API) runtimes() {
	register(a, operation(http.MethodGet, "/runtimes", "list-runtimes", "List runtimes", http.StatusOK), a.listRuntimes)
	register(a, operation(http.MethodPost, "/runtimes", "create-runtime", "Describe a runtime", http.StatusCreated), a.createRuntime)
	register(a, operation(http.MethodGet, "/runtimes/{slug}", "read-runtime", "Read a runtime", http.StatusOK), a.readRuntime)
	register(a, operation(http.MethodPatch, "/runtimes/{slug}", "change-runtime", "Change a runtime", http.StatusOK), a.changeRuntime)
	register(a, operation(http.MethodGet, "/runtimes/{slug}/posture", "read-posture", "Read the posture of a runtime", http.StatusOK), a.readPosture)
	register(a, operation(http.MethodPut, "/runtimes/{slug}/components/{component}", "link-component",
		"Say that sessions of a runtime use a component", http.StatusNoContent), a.link)
	register(a, operation(http.MethodDelete, "/runtimes/{slug}/components/{component}", "unlink-component",
		"Say that sessions of a runtime use a component no more", http.StatusNoContent), a.unlink)
}

func (a *API) listRuntimes(ctx context.Context, who posture.Access, in *runtimesInput) (*runtimesOutput, error) {
	o, err := a.at(in.Moment)
	if err != nil {
		return nil, err
	}
	list, err := a.store.Runtimes(ctx, who, o, posture.RuntimeFilter{
		Find: in.Find, Stage: string(in.Stage), Owner: in.Owner, Reading: in.Reading, Retired: in.Retired, After: in.After, Limit: in.Limit,
	})
	if err != nil {
		return nil, err
	}
	body := RuntimesBody{Items: []RuntimeRow{}, Next: list.Next, Total: list.Total, Settling: list.Settling}
	for i := range list.Rows {
		r := &list.Rows[i]
		body.Items = append(body.Items, RuntimeRow{
			Runtime: runtimeBody(&r.Runtime), Execution: countsBody(r.Execution), Receivers: countsBody(r.Receivers), OpenDiscrepancies: r.Open,
		})
	}
	return &runtimesOutput{body}, nil
}

func (a *API) createRuntime(ctx context.Context, who posture.Access, in *struct{ Body NewRuntime }) (*runtimeOutput, error) {
	r, err := in.Body.posture()
	if err != nil {
		return nil, err
	}
	made, err := a.store.CreateRuntime(ctx, who, r)
	if err != nil {
		return nil, err
	}
	return &runtimeOutput{Location: Prefix + "/runtimes/" + made.Slug, Body: runtimeBody(&made)}, nil
}

func (a *API) readRuntime(ctx context.Context, who posture.Access, in *runtimeInput) (*runtimeOutput, error) {
	o, err := a.at(in.Moment)
	if err != nil {
		return nil, err
	}
	r, err := a.store.Runtime(ctx, who, in.Slug, o)
	if err != nil {
		return nil, err
	}
	return &runtimeOutput{Body: runtimeBody(&r)}, nil
}

func (a *API) changeRuntime(ctx context.Context, who posture.Access, in *struct {
	Slug string `path:"slug" maxLength:"63"`
	Body RuntimeChange
},
) (*runtimeOutput, error) {
	r, err := a.store.Runtime(ctx, who, in.Slug, posture.AsOf{})
	if err != nil {
		return nil, err
	}
	if err := in.Body.apply(&r); err != nil {
		return nil, err
	}
	saved, err := a.store.ChangeRuntime(ctx, who, r)
	if err != nil {
		return nil, err
	}
	return &runtimeOutput{Body: runtimeBody(&saved)}, nil
}
