package intake

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"
	"time"

	"demarc/store/posture"
)

// Sidecar is an identity file beside a results file: what the results were
// taken on, as the machine that ran them read it. Its keys are runtime, the
// identity facets (vendor to environment), start and end with the facets read
// at the start and at the end of the run, receivers by slug with theirs,
// tester, run and observed_at.
type Sidecar struct {
	Runtime     string
	Identity    posture.Identity
	IdentityEnd posture.Identity
	Receivers   map[string]posture.Identity
	Tester      string
	Run         string
	// ObservedAt is zero where the file gives none.
	ObservedAt time.Time
}

// FindSidecar reads the identity file beside a results file: for results.xml
// results.xml.identity.json or results.identity.json, or .yaml or .yml; found
// is false where there is none. Two of them are an Invalid error. A time
// without zone is read in zone.
func FindSidecar(path string, zone *time.Location) (s Sidecar, found bool, err error) {
	stems := []string{path}
	if i := strings.LastIndexByte(path, '.'); i > strings.LastIndexAny(path, `/\`)+1 {
		stems = append(stems, path[:i])
	}
	from := ""
	for _, stem := range stems {
		for _, end := range []string{".identity.json", ".identity.yaml", ".identity.yml"} {
			name := stem + end
			f, err := os.Open(name)
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				return Sidecar{}, false, invalid("%s: cannot be read: %v", name, errors.Unwrap(err))
			}
			if from != "" {
				return Sidecar{}, false, errors.Join(invalid("both %s and %s say what %s was taken on; keep one", from, name, path), f.Close())
			}
			from = name
			s, err = ParseSidecar(name, f, zone)
			if err := errors.Join(err, f.Close()); err != nil {
				return Sidecar{}, false, err
			}
		}
	}
	return s, from != "", nil
}

// ParseSidecar reads an identity file, YAML or JSON; name is for messages. A
// fault is an Invalid error with file and line.
func ParseSidecar(name string, r io.Reader, zone *time.Location) (Sidecar, error) {
	d := document{name: name}
	root, err := d.parse(r)
	if err != nil {
		return Sidecar{}, err
	}
	known := append([]string{"runtime", "start", "end", "receivers", "tester", "run", "observed_at"}, facetNames()...)
	keys, err := d.object(root, "the identity file", known)
	if err != nil {
		return Sidecar{}, err
	}
	var s Sidecar
	var observed string
	for key, to := range map[string]*string{"runtime": &s.Runtime, "tester": &s.Tester, "run": &s.Run, "observed_at": &observed} {
		if *to, err = d.text(keys[key]); err != nil {
			return Sidecar{}, err
		}
	}
	if observed != "" {
		if s.ObservedAt, err = ParseInstant(observed, zone); err != nil {
			return Sidecar{}, d.fault(keys["observed_at"].line, "observed_at %v", err)
		}
	}
	if err := d.identities(&s, keys); err != nil {
		return Sidecar{}, err
	}
	return s, nil
}

func (d document) identities(s *Sidecar, keys map[string]pair) error {
	var err error
	if s.Identity, err = d.facets(keys); err != nil {
		return err
	}
	for _, key := range []string{"start", "end"} {
		p, ok := keys[key]
		if !ok {
			continue
		}
		inner, err := d.object(p.value, key, facetNames())
		if err != nil {
			return err
		}
		id, err := d.facets(inner)
		if err != nil {
			return err
		}
		if key == "end" {
			s.IdentityEnd = id
			continue
		}
		for f, v := range id {
			if v != "" && s.Identity[f] != "" && v != s.Identity[f] {
				name := posture.Facet(f).String()
				return d.fault(inner[name].line, "start gives another %s than the file above it; keep one", name)
			}
			if v != "" {
				s.Identity[f] = v
			}
		}
	}
	p, ok := keys["receivers"]
	if !ok {
		return nil
	}
	if p.value.kind != object {
		return d.fault(p.line, "receivers must hold one key a receiver")
	}
	s.Receivers = make(map[string]posture.Identity, len(p.value.pairs))
	for _, r := range p.value.pairs {
		if _, twice := s.Receivers[r.key]; twice {
			return d.fault(r.line, "receivers has the key %q twice; keep one", r.key)
		}
		inner, err := d.object(r.value, r.key, facetNames())
		if err != nil {
			return err
		}
		if s.Receivers[r.key], err = d.facets(inner); err != nil {
			return err
		}
	}
	return nil
}

// facets reads the identity facets among the keys of an object.
func (d document) facets(keys map[string]pair) (posture.Identity, error) {
	var id posture.Identity
	for _, f := range posture.Facets() {
		v, err := d.text(keys[f.String()])
		if err != nil {
			return id, err
		}
		id[f] = v
	}
	if err := posture.CheckRegion(posture.KindTest, &id); err != nil {
		return id, d.fault(keys["region"].line, "%v", err)
	}
	return id, nil
}

// Fill puts what the identity file says where the caller said nothing.
func (s *Sidecar) Fill(o *Options) {
	for to, from := range map[*string]string{&o.Runtime: s.Runtime, &o.Tester: s.Tester, &o.Run: s.Run} {
		if *to == "" {
			*to = from
		}
	}
	if o.ObservedAt.IsZero() {
		o.ObservedAt = s.ObservedAt
	}
	complete(&o.Identity, &s.Identity)
	complete(&o.IdentityEnd, &s.IdentityEnd)
	if len(s.Receivers) == 0 {
		return
	}
	all := make(map[string]posture.Identity, len(s.Receivers)+len(o.Receivers))
	maps.Copy(all, s.Receivers)
	for slug, id := range o.Receivers {
		said := all[slug]
		complete(&id, &said)
		all[slug] = id
	}
	o.Receivers = all
}

func complete(id, from *posture.Identity) {
	for f, v := range from {
		if id[f] == "" {
			id[f] = v
		}
	}
}

func facetNames() []string {
	var names []string
	for _, f := range posture.Facets() {
		names = append(names, f.String())
	}
	return names
}

// ParseInstant reads a date or a time as a person or a tool writes it. A date
// is its first moment; what has no zone is read in zone, UTC when nil.
func ParseInstant(s string, zone *time.Location) (time.Time, error) {
	if zone == nil {
		zone = time.UTC
	}
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999",
		"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
	} {
		if at, err := time.ParseInLocation(layout, s, zone); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%.60q is not a date or time; write 2026-11-23T09:15:00Z", s)
}
