package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"demarc/store/posture"
	"demarc/store/storetest"
	"demarc/web/webtest"
)

func TestRemovingTheSampleTakesItWhole(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	a := storetest.As(posture.Admin)
	sample, err := site.DB.Store.CreatePortfolio(t.Context(), a, posture.Portfolio{Slug: "sample", Name: "Sample", Sample: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.DB.Store.CreateRuntime(t.Context(), a, posture.Runtime{
		Slug: "sampled", Portfolio: sample.ID, Name: "sampled", Purpose: "Shows something.", Owner: "A", RiskOwner: "B",
		Profile: "first_review", Target: posture.Target{Reason: "first"},
	}); err != nil {
		t.Fatal(err)
	}
	admin := site.As(t, posture.Admin)
	page := admin.Get("/admin/portfolios").Status(http.StatusOK)
	page.Submit("dialog form", nil).Status(http.StatusSeeOther)
	admin.Get("/admin/portfolios").Status(http.StatusOK).HasNot("dialog").Says(".toast", "removed")
	if _, err := site.DB.Store.Runtime(t.Context(), a, "sampled", posture.AsOf{}); posture.KindOf(err) != posture.NotFound {
		t.Errorf("the runtime is still there: %v", err)
	}
}

func TestOnlyASampleCanBeRemovedAndOnlyByAnAdministrator(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	admin := site.As(t, posture.Admin)
	admin.Post("/admin/portfolios/1/remove", nil).Status(http.StatusNotFound)
	site.As(t, posture.Editor).Post("/admin/portfolios/1/remove", nil).Status(http.StatusForbidden)
	admin.Post("/admin/portfolios", url.Values{"name": {"Claims"}, "slug": {"Not a slug"}}).Status(http.StatusUnprocessableEntity).Says("#f-slug-e", "lower-case")
	admin.Post("/admin/portfolios", url.Values{"name": {"Claims"}, "slug": {"claims"}}).Status(http.StatusSeeOther)
	admin.Get("/admin/portfolios").Status(http.StatusOK).Says("main", "Claims")
}
