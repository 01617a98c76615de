package posture_test

import (
	"testing"
	"time"

	"demarc/store/posture"
)

// edge is a world that a sentence of model.md §2.4 to §2.8 decides.
type edge struct {
	says   string
	change func(f *posture.Facts)
	want   posture.Label
}

// runEdges judges worlds that start from a pair on the target at day 180.
func runEdges(t *testing.T, known, at time.Time, edges []edge) {
	t.Helper()
	for _, c := range edges {
		f := &posture.Facts{Statement: "FS-1", Target: base, Required: posture.Tested, Evidence: pairOf("p", "FS-1", "r", "a", day(180))}
		c.change(f)
		if v := posture.Judge(f, known, at); v.Label != c.want {
			t.Errorf("%s: got %s, want %s", c.says, v.Label, c.want)
		}
	}
}

// against is a negative on the target, seen on day n.
func against(kind posture.Kind, n int) posture.Evidence {
	e := posture.Evidence{ID: "n", Kind: kind, Statement: "FS-1", Identity: base, ObservedAt: day(n), RecordedAt: day(n)}
	switch kind {
	case posture.KindTest:
		e.Run, e.Case, e.Expected, e.Outcome = "n", "a", posture.Deny, posture.Fail
	case posture.KindIncident:
		e.Advisory = posture.Affected
	default:
		e.Polarity = posture.Contradicts
	}
	return e
}

func moved(id posture.Identity, value string, facets ...posture.Facet) posture.Identity {
	for _, f := range facets {
		id[f] = value
	}
	return id
}

func add(e posture.Evidence, edit func(e *posture.Evidence)) func(f *posture.Facts) {
	return func(f *posture.Facts) {
		edit(&e)
		f.Evidence = append(f.Evidence, e)
	}
}

func overBlock(n int) posture.Evidence {
	return posture.Evidence{
		ID: "o", Kind: posture.KindTest, Statement: "FS-1", Identity: base, ObservedAt: day(n), RecordedAt: day(n),
		Run: "o", Case: "a", Expected: posture.Permit, Outcome: posture.Fail,
	}
}

func TestEdgesOfPairs(t *testing.T) {
	t.Parallel()
	apart := func(f *posture.Facts) {
		f.Evidence[1].ObservedAt, f.Evidence[1].RecordedAt = day(184), day(184)
	}
	runEdges(t, now, now, []edge{
		{"an over-block before the later half does not count", func(f *posture.Facts) {
			apart(f)
			f.Evidence = append(f.Evidence, overBlock(182))
		}, posture.LabelTested},
		{"an over-block at the later half counts", func(f *posture.Facts) {
			apart(f)
			f.Evidence = append(f.Evidence, overBlock(184))
		}, posture.LabelStale},
		{"a newer pair outlives an over-block", func(f *posture.Facts) {
			f.Evidence = append(f.Evidence, overBlock(185))
			f.Evidence = append(f.Evidence, pairOf("q", "FS-1", "s", "a", day(186))...)
		}, posture.LabelTested},
		{"an over-block on another config does not count", add(overBlock(190), func(e *posture.Evidence) { e.Identity[posture.Config] = "2" }), posture.LabelTested},
		{"an over-block of another case does not count", add(overBlock(190), func(e *posture.Evidence) { e.Case = "b" }), posture.LabelTested},
		{"a pair without a case is no pair", func(f *posture.Facts) { f.Evidence[0].Case, f.Evidence[1].Case = "", "" }, posture.LabelNotStated},
		{"a pair without a run is no pair", func(f *posture.Facts) { f.Evidence[0].Run, f.Evidence[1].Run = "", "" }, posture.LabelNotStated},
		{"an unknown variant cannot support", func(f *posture.Facts) { f.Evidence[0].Identity[posture.Variant] = "" }, posture.LabelNotStated},
		{"valid until its last instant", func(f *posture.Facts) { f.Evidence[0].ValidUntil = now }, posture.LabelTested},
		{"not valid one tick later", func(f *posture.Facts) { f.Evidence[0].ValidUntil = now.Add(-posture.Tick) }, posture.LabelStale},
		{"valid-until never lengthens the window", func(f *posture.Facts) {
			f.Evidence[0].ObservedAt = day(19)
			f.Evidence[0].ValidUntil = day(400)
		}, posture.LabelStale},
		{"the environment is never asked", func(f *posture.Facts) { f.Target[posture.Environment] = "test" }, posture.LabelTested},
		{"the model is not asked of files", func(f *posture.Facts) { f.Target[posture.Model] = "" }, posture.LabelTested},
		{"the same path twice is one path", func(f *posture.Facts) { f.Paths = []string{"a", "a"} }, posture.LabelTested},
	})
}

func TestEdgesOfNeeds(t *testing.T) {
	t.Parallel()
	on := func(statement string, subject posture.SubjectKind, facet posture.Facet) func(f *posture.Facts) {
		return func(f *posture.Facts) {
			f.Statement, f.Subject = statement, subject
			f.Evidence[0].Statement, f.Evidence[1].Statement = statement, statement
			f.Target[facet] = "moved"
		}
	}
	runEdges(t, now, now, []edge{
		{"ME-2 needs the model", on("ME-2", posture.Unit, posture.Model), posture.LabelStale},
		{"ME-3 needs the model", on("ME-3", posture.Unit, posture.Model), posture.LabelStale},
		{"ME-1 does not", on("ME-1", posture.Unit, posture.Model), posture.LabelTested},
		{"tools need the manifest at a receiver too", on("TL-2", posture.Receiver, posture.Tools), posture.LabelStale},
		{"a unit needs the image", on("FS-1", posture.Unit, posture.Image), posture.LabelStale},
		{"a receiver does not", on("AD-1", posture.Receiver, posture.Image), posture.LabelTested},
		{"a receiver needs its version", on("AD-1", posture.Receiver, posture.Version), posture.LabelStale},
	})
}

func TestEdgesOfDigests(t *testing.T) {
	t.Parallel()
	images := func(a, b string) func(f *posture.Facts) {
		return func(f *posture.Facts) {
			f.Target[posture.Image] = b
			for i := range f.Evidence {
				f.Evidence[i].Identity[posture.Image] = a
			}
		}
	}
	why := func(a, b string) posture.Lapse {
		f := &posture.Facts{Statement: "FS-1", Target: base, Evidence: pairOf("p", "FS-1", "r", "a", day(180)), Required: posture.Tested}
		images(a, b)(f)
		return posture.Judge(f, now, now).Lapsed
	}
	for _, c := range []struct {
		says, a, b string
		want       posture.Lapse
	}{
		{"one accepted algorithm equal on both", "sha256:aa sha512:bb", "sha512:bb", 0},
		{"equal in one, different in another", "sha256:aa sha512:bb", "sha256:cc sha512:bb", 0},
		{"upper and lower case are one", "sha256:AA", "SHA256:aa", 0},
		{"never across algorithms", "sha256:aa", "sha512:aa", posture.LapsedUnidentified},
		{"different", "sha256:aa", "sha256:bb", posture.LapsedDrifted},
		{"md5 alone identifies no image", "md5:aa", "md5:aa", posture.LapsedUnidentified},
		{"sha1 alone identifies no image", "sha1:aa", "sha1:aa", posture.LapsedUnidentified},
		{"sha1 beside sha256", "sha1:aa sha256:bb", "sha1:aa sha256:cc", posture.LapsedDrifted},
		{"a provider's own id stands in", "ami-1", "ami-1", 0},
		{"another provider's id", "ami-1", "ami-2", posture.LapsedDrifted},
		{"an id and a digest cannot be compared", "ami-1", "sha256:aa", posture.LapsedUnidentified},
	} {
		if got := why(c.a, c.b); got != c.want {
			t.Errorf("%s: %q and %q lapse by %v, want %v", c.says, c.a, c.b, got.Names(), c.want.Names())
		}
	}
}

func TestEdgesOfNegatives(t *testing.T) {
	t.Parallel()
	on := func(kind posture.Kind, value string, facets ...posture.Facet) func(f *posture.Facts) {
		return add(against(kind, 190), func(e *posture.Evidence) { e.Identity = moved(e.Identity, value, facets...) })
	}
	bare := func(change func(f *posture.Facts)) func(f *posture.Facts) {
		return func(f *posture.Facts) {
			f.Evidence = nil
			change(f)
		}
	}
	runEdges(t, now, now, []edge{
		{"region never softens a failure", on(posture.KindTest, "us", posture.Region), posture.LabelContradicted},
		{"another image softens a test", on(posture.KindTest, "2", posture.Image), posture.LabelSuspect},
		{"an unknown image does not", on(posture.KindTest, "", posture.Image), posture.LabelContradicted},
		{"drift softens although the variant is unknown", func(f *posture.Facts) {
			on(posture.KindTest, "2", posture.Image)(f)
			f.Evidence[2].Identity[posture.Variant] = ""
		}, posture.LabelSuspect},
		{"another config softens a configuration", on(posture.KindConfiguration, "2", posture.Config), posture.LabelSuspect},
		{"another policy softens a configuration", on(posture.KindConfiguration, "2", posture.Policy), posture.LabelSuspect},
		{"another version does not", on(posture.KindConfiguration, "2", posture.Version), posture.LabelContradicted},
		{"another version softens an advisory", on(posture.KindIncident, "2", posture.Version), posture.LabelSuspect},
		{"another config does not", on(posture.KindIncident, "2", posture.Config), posture.LabelContradicted},
		{"a document never drifts", on(posture.KindDocumentation, "2", posture.Version, posture.Config, posture.Region), posture.LabelContradicted},
		{"documents alone, nothing ever supported", bare(on(posture.KindDocumentation, "")), posture.LabelNotProvided},
		{"a statement alone, nothing ever supported", bare(on(posture.KindStatement, "")), posture.LabelNotProvided},
		{"a report is neither document nor statement", bare(on(posture.KindAttestation, "")), posture.LabelContradicted},
		{"a document beside a test", bare(func(f *posture.Facts) {
			f.Evidence = append(f.Evidence, against(posture.KindDocumentation, 190), against(posture.KindTest, 190))
		}), posture.LabelContradicted},
		{"documents where something once supported it", func(f *posture.Facts) {
			on(posture.KindDocumentation, "")(f)
			f.Target[posture.Image] = "2"
		}, posture.LabelContradicted},
		{"another product counts for nothing", on(posture.KindIncident, "Q", posture.Product), posture.LabelTested},
		{"not affected is nothing against it", add(against(posture.KindIncident, 190), func(e *posture.Evidence) { e.Advisory = posture.NotAffected }), posture.LabelTested},
	})
}

func TestEdgesOfClosures(t *testing.T) {
	t.Parallel()
	closed := func(kind posture.ClosureKind, negative posture.Evidence, edit func(f *posture.Facts, c *posture.Closure)) func(f *posture.Facts) {
		return func(f *posture.Facts) {
			f.Evidence = append(f.Evidence, negative)
			f.Evidence = append(f.Evidence, pairOf("v", "FS-1", "v", "a", day(195))...)
			c := posture.Closure{ID: "k", Closes: "n", Kind: kind, Identity: base, At: day(196), Evidence: []string{"vdeny"}}
			if edit != nil {
				edit(f, &c)
			}
			f.Closures = []posture.Closure{c}
		}
	}
	fix := func(edit func(f *posture.Facts, c *posture.Closure)) func(f *posture.Facts) {
		return closed(posture.FixedVerified, against(posture.KindTest, 190), edit)
	}
	other := func(e posture.Evidence) posture.Evidence {
		e.Identity[posture.Variant] = ""
		return e
	}
	runEdges(t, now, now, []edge{
		{"fixed and verified", fix(nil), posture.LabelTested},
		{"verified at the very instant of the failure", fix(func(f *posture.Facts, _ *posture.Closure) {
			f.Evidence[2].ObservedAt, f.Evidence[2].RecordedAt = day(195), day(195)
		}), posture.LabelContradicted},
		{"verified by the permit", fix(func(_ *posture.Facts, c *posture.Closure) { c.Evidence = []string{"vpermit"} }), posture.LabelContradicted},
		{"verified without a control", fix(func(f *posture.Facts, _ *posture.Closure) { f.Evidence[4].ControlOK = false }), posture.LabelContradicted},
		{"neither names a case", fix(func(f *posture.Facts, _ *posture.Closure) { f.Evidence[2].Case, f.Evidence[4].Case = "", "" }), posture.LabelContradicted},
		{"the closure's identity lacks a facet", fix(func(_ *posture.Facts, c *posture.Closure) { c.Identity[posture.Image] = "" }), posture.LabelContradicted},
		{"freshness is not asked of the verifying test", fix(func(f *posture.Facts, _ *posture.Closure) { f.Evidence[4].ValidUntil = day(196) }), posture.LabelTested},
		{"the verifying test is of another variant than the failure", fix(func(f *posture.Facts, c *posture.Closure) {
			f.Evidence[4].Identity[posture.Variant], c.Identity[posture.Variant] = "n", "n"
		}), posture.LabelContradicted},
		{"verified on another variant than the target, failure of unknown variant", closed(posture.FixedVerified, other(against(posture.KindTest, 190)), func(f *posture.Facts, c *posture.Closure) {
			f.Evidence[4].Identity[posture.Variant], c.Identity[posture.Variant] = "n", "n"
		}), posture.LabelContradicted},
		{"a failure of unknown variant can be fixed", closed(posture.FixedVerified, other(against(posture.KindTest, 190)), nil), posture.LabelTested},
		{"any case verifies a configuration", closed(posture.FixedVerified, against(posture.KindConfiguration, 190), func(f *posture.Facts, _ *posture.Closure) {
			f.Evidence[3].Case, f.Evidence[4].Case = "b", "b"
		}), posture.LabelTested},
		{"a test of another statement verifies nothing", fix(func(f *posture.Facts, _ *posture.Closure) { f.Evidence[4].Statement = "FS-2" }), posture.LabelContradicted},
		{"ruled on another region", closed(posture.ClosureNotApplicable, against(posture.KindTest, 190), func(_ *posture.Facts, c *posture.Closure) { c.Identity[posture.Region] = "us" }), posture.LabelTested},
		{"ruled on another version", closed(posture.ClosureNotApplicable, against(posture.KindTest, 190), func(_ *posture.Facts, c *posture.Closure) { c.Identity[posture.Version] = "0" }), posture.LabelContradicted},
	})
}

// TestEdgesOfTwoClocks judges day 190 on what was known on day 200, and the
// other way round.
func TestEdgesOfTwoClocks(t *testing.T) {
	t.Parallel()
	closes := func(edit func(c *posture.Closure)) func(f *posture.Facts) {
		return func(f *posture.Facts) {
			f.Evidence = append(f.Evidence, against(posture.KindTest, 185))
			c := posture.Closure{ID: "k", Closes: "n", Kind: posture.TestInvalid, At: day(186)}
			edit(&c)
			f.Closures = []posture.Closure{c}
		}
	}
	accepts := func(edit func(a *posture.Acceptance)) func(f *posture.Facts) {
		return func(f *posture.Facts) {
			f.Evidence = append(f.Evidence, against(posture.KindTest, 185))
			a := posture.Acceptance{ID: "a", Statement: "FS-1", Covers: []string{"n"}, Identity: base, At: day(186)}
			edit(&a)
			f.Acceptances = []posture.Acceptance{a}
		}
	}
	runEdges(t, day(200), day(190), []edge{
		{"what was seen after the instant does not count, though known", add(against(posture.KindTest, 195), func(*posture.Evidence) {}), posture.LabelTested},
		{"a closure counts once made, whatever the instant", closes(func(c *posture.Closure) { c.At = day(195) }), posture.LabelTested},
		{"a closure revoked by then does not", closes(func(c *posture.Closure) { c.RevokedAt = day(195) }), posture.LabelContradicted},
		{"an acceptance made after the instant does not carry it", accepts(func(a *posture.Acceptance) { a.At = day(195) }), posture.LabelContradicted},
		{"an acceptance revoked after the instant still carries it", accepts(func(a *posture.Acceptance) { a.RevokedAt = day(195) }), posture.LabelAcceptedRisk},
		{"a record withdrawn by then does not count", add(against(posture.KindTest, 185), func(e *posture.Evidence) { e.WithdrawnAt = day(195) }), posture.LabelTested},
	})
	runEdges(t, day(190), day(200), []edge{
		{"a closure not yet made does not count", closes(func(c *posture.Closure) { c.At = day(195) }), posture.LabelContradicted},
		{"a revocation not yet known does not", closes(func(c *posture.Closure) { c.RevokedAt = day(195) }), posture.LabelTested},
		{"an acceptance not yet known carries nothing", accepts(func(a *posture.Acceptance) { a.At = day(195) }), posture.LabelContradicted},
		{"a withdrawal not yet known does not", add(against(posture.KindTest, 185), func(e *posture.Evidence) { e.WithdrawnAt = day(195) }), posture.LabelContradicted},
	})
}

func TestEdgesOfLabels(t *testing.T) {
	t.Parallel()
	page := posture.Evidence{ID: "w", Kind: posture.KindDocumentation, Statement: "FS-1", Identity: base, ObservedAt: day(190), RecordedAt: day(190), Polarity: posture.Supports}
	needs := func(r posture.Rung, e posture.Evidence, target posture.Identity) func(f *posture.Facts) {
		return func(f *posture.Facts) { f.Required, f.Evidence, f.Target = r, append(f.Evidence, e), target }
	}
	anyRegion := page
	anyRegion.Identity[posture.Region] = posture.RegionAny
	runEdges(t, now, now, []edge{
		{"met by what is left: the rung, not stale", needs(posture.Documented, page, moved(base, "2", posture.Image)), posture.LabelDocumented},
		{"not met by what is left", needs(posture.Configured, page, moved(base, "2", posture.Image)), posture.LabelStale},
		{"a page that speaks for every region", needs(posture.Documented, anyRegion, moved(base, "2", posture.Image, posture.Region)), posture.LabelDocumented},
		{"also where the target's region is unknown", needs(posture.Documented, anyRegion, moved(base, "", posture.Region)), posture.LabelDocumented},
		{"a page of one region where the target's is unknown", needs(posture.Documented, page, moved(base, "", posture.Region)), posture.LabelStale},
		{"nothing required is met by nothing", func(f *posture.Facts) { f.Required, f.Evidence = posture.NotStated, nil }, posture.LabelNotStated},
		{"an acceptance needs to know what it accepts", func(f *posture.Facts) {
			f.Target[posture.Config] = ""
			f.Acceptances = []posture.Acceptance{{ID: "a", Statement: "FS-1", Shortfall: true, Identity: f.Target}}
		}, posture.LabelStale},
		{"an acceptance of another version still matches", func(f *posture.Facts) {
			f.Acceptances = []posture.Acceptance{{ID: "a", Statement: "FS-1", Shortfall: true, Identity: f.Target}}
			f.Target[posture.Version] = "2"
		}, posture.LabelAcceptedRisk},
		{"a shortfall acceptance covers no failure", func(f *posture.Facts) {
			f.Evidence = append(f.Evidence, against(posture.KindTest, 190))
			f.Acceptances = []posture.Acceptance{{ID: "a", Statement: "FS-1", Shortfall: true, Identity: f.Target}}
		}, posture.LabelContradicted},
		{"an acceptance of another statement carries nothing", func(f *posture.Facts) {
			f.Evidence = nil
			f.Acceptances = []posture.Acceptance{{ID: "a", Statement: "FS-2", Shortfall: true, Identity: f.Target}}
		}, posture.LabelNotStated},
		{"a ruling that begins at this instant", func(f *posture.Facts) {
			f.Evidence = nil
			f.Rulings = []posture.Ruling{{Statement: "FS-1", Identity: base, At: now}}
		}, posture.LabelNotApplicable},
		{"a ruling that ends at this instant", func(f *posture.Facts) {
			f.Evidence = nil
			f.Rulings = []posture.Ruling{{Statement: "FS-1", Identity: base, At: day(190), ExpiresAt: now}}
		}, posture.LabelNotStated},
	})
}
