package posture

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// World is one statement on one target at one instant, with all that the
// judge reads: the form of model/world.schema.json.
type World struct {
	Name  string
	Facts Facts
	// At is the instant judged, Known what had been recorded by then; Known is
	// At unless the world says otherwise.
	At    time.Time
	Known time.Time
}

// Judge gives the world's verdict.
func (w *World) Judge() Verdict { return Judge(&w.Facts, w.Known, w.At) }

// WorldError is a fault of a world's text.
type WorldError struct {
	// Line counts from 1.
	Line int
	// Path names the place, such as "worlds[3].evidence[1].kind"; empty for the
	// text as a whole.
	Path string
	// Name is the world's own name, where it was read before the fault.
	Name string
	// Text says what is wrong and what would be right.
	Text string
}

// Error gives one sentence: line, place, name, fault.
func (e *WorldError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Sentence()) }

// Sentence is Error without the line.
func (e *WorldError) Sentence() string {
	var b strings.Builder
	b.WriteString(e.Path)
	if e.Name != "" {
		fmt.Fprintf(&b, " (%q)", e.Name)
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	b.WriteString(e.Text)
	return b.String()
}

// ReadWorlds reads one world or an array of them and says which it was. An
// error is a *WorldError unless r itself failed.
func ReadWorlds(r io.Reader) (worlds []World, array bool, err error) {
	array, err = EachWorld(r, func(w *World) error {
		worlds = append(worlds, *w)
		return nil
	})
	if err != nil {
		return nil, array, err
	}
	return worlds, array, nil
}

// EachWorld reads one world or an array of them, hands each to visit as it is
// read, and says which of the two it was. It stops at the first error: a
// *WorldError, what r failed with, or what visit gave. The text is held to
// model/world.schema.json: an unknown key or value, a key that stands twice, a
// missing one, days mixed with instants, broken UTF-8 or anything after the
// end is an error. The key "want" is ignored.
func EachWorld(r io.Reader, visit func(*World) error) (array bool, err error) {
	w := worldReader{in: newScanner(r)}
	c, err := w.in.peek()
	if errors.Is(err, errEnds) {
		err = syntaxError("the text is empty: give one world or an array of worlds")
	}
	if err != nil {
		return false, w.located(err)
	}
	if c != '[' {
		if c != '{' {
			return false, w.located(w.in.found("a world (an object) or an array of worlds"))
		}
		world, err := w.world()
		if err == nil {
			err = w.in.end()
		}
		if err != nil {
			return false, w.located(err)
		}
		return false, visit(world)
	}
	var stopped error
	err = w.in.array(func(i int) error {
		w.path = append(w.path[:0], step{key: "worlds"}, step{index: i, isIndex: true})
		world, err := w.world()
		if err != nil {
			return err
		}
		stopped = visit(world)
		return stopped
	})
	if err == nil {
		w.path, w.name = w.path[:0], ""
		err = w.in.end()
	}
	if stopped != nil {
		return true, stopped
	}
	return true, w.located(err)
}

// worldReader reads worlds and knows where it stands.
type worldReader struct {
	in   *scanner
	path []step
	name string
	// days and instants are the keys that fixed the world's form of time.
	days, instants string
}

type step struct {
	key     string
	index   int
	isIndex bool
}

// located turns a fault of the text into a WorldError; other errors pass.
func (w *worldReader) located(err error) error {
	var fault syntaxError
	if !errors.As(err, &fault) {
		return err
	}
	var path strings.Builder
	for i, s := range w.path {
		switch {
		case s.isIndex:
			fmt.Fprintf(&path, "[%d]", s.index)
		case i > 0:
			path.WriteString("." + s.key)
		default:
			path.WriteString(s.key)
		}
	}
	return &WorldError{Line: w.in.line, Path: path.String(), Name: w.name, Text: string(fault)}
}

// keys are the keys an object may have; the first required ones must be there.
type keys struct {
	names    []string
	required int
}

// object reads an object whose keys are known, each at most once.
func (w *worldReader) object(known keys, member func(key string) error) error {
	var seen uint64
	err := w.in.object(func(key string) error {
		i := indexOf(known.names, key)
		if i < 0 {
			return syntaxError(fmt.Sprintf("unknown key %q; allowed: %s", key, strings.Join(known.names, ", ")))
		}
		w.path = append(w.path, step{key: key})
		if seen&(1<<i) != 0 {
			return syntaxError("the key stands twice in one object")
		}
		seen |= 1 << i
		if err := member(key); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
		return nil
	})
	if err != nil {
		return err
	}
	for i, name := range known.names[:known.required] {
		if seen&(1<<i) == 0 {
			return syntaxError(fmt.Sprintf("the key %q is missing", name))
		}
	}
	return nil
}

func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

func (w *worldReader) array(element func() error) error {
	return w.in.array(func(i int) error {
		w.path = append(w.path, step{index: i, isIndex: true})
		if err := element(); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
		return nil
	})
}

func (w *worldReader) text(to *string) error {
	s, err := w.in.text()
	*to = s
	return err
}

func (w *worldReader) texts(to *[]string) error {
	return w.array(func() error {
		s, err := w.in.text()
		*to = append(*to, s)
		return err
	})
}

func (w *worldReader) boolean(to *bool) error {
	c, err := w.in.peek()
	if err != nil {
		return err
	}
	if c != 't' && c != 'f' {
		return w.in.found("true or false")
	}
	word, err := w.in.literal()
	*to = word == "true"
	return err
}

// oneOf reads a stored name out of names; an empty name in the list stands for
// an absent key and is not allowed in the text.
func oneOf[T ~uint8](w *worldReader, names []string, to *T) error {
	s, err := w.in.text()
	if err != nil {
		return err
	}
	i := indexOf(names, s)
	if names[0] == "" {
		names = names[1:]
		if i == 0 {
			i = -1
		}
	}
	if i < 0 {
		return syntaxError(fmt.Sprintf("unknown value %q; allowed: %s", s, strings.Join(names, ", ")))
	}
	*to = T(i)
	return nil
}

// identity reads facets.
func (w *worldReader) identity(to *Identity) error {
	return w.object(keys{names: facetNames[:]}, func(key string) error {
		return w.text(&to[indexOf(facetNames[:], key)])
	})
}

// concrete reads the identity of one thing that exists: it has one region.
func (w *worldReader) concrete(to *Identity) error {
	if err := w.identity(to); err != nil {
		return err
	}
	if to[Region] == RegionAny {
		return errAnyRegion
	}
	return nil
}

const errAnyRegion = syntaxError(`region "any" is allowed on documentation and attestation only: name the region`)

// maxDay keeps every instant within what time.Time orders.
const maxDay = 1_000_000_000

// day reads a day: n days after 1970-01-01, 00:00 UTC.
func (w *worldReader) day(key string, to *time.Time) error {
	if w.instants != "" {
		return syntaxError(fmt.Sprintf("%q is a day, but %q is an instant: one world uses one form", key, w.instants))
	}
	if w.days == "" {
		w.days = key
	}
	c, err := w.in.peek()
	if err != nil {
		return err
	}
	if c != '-' && (c < '0' || c > '9') {
		return w.in.found("a whole number of days")
	}
	text, err := w.in.number()
	if err != nil {
		return err
	}
	n, err := wholeNumber(text)
	if err != nil {
		return err
	}
	if n < -maxDay || n > maxDay {
		return syntaxError(fmt.Sprintf("day %s is out of range: at most %d days from 1970-01-01", text, maxDay))
	}
	return setInstant(to, time.Unix(n*int64(Day/time.Second), 0).UTC())
}

// wholeNumber reads an integer, also one written as 120.0 or 1.2e2.
func wholeNumber(text string) (int64, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	bad := syntaxError(text + " is no whole number of days")
	if len(text) > 40 || strings.ContainsAny(text, "eE") && !smallExponent(text) {
		return 0, bad
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, bad
	}
	return r.Num().Int64(), nil
}

func smallExponent(text string) bool {
	i := strings.IndexAny(text, "eE")
	n, err := strconv.Atoi(text[i+1:])
	return err == nil && n >= -20 && n <= 20
}

// instant reads an RFC 3339 instant.
func (w *worldReader) instant(key string, to *time.Time) error {
	if w.days != "" {
		return syntaxError(fmt.Sprintf("%q is an instant, but %q is a day: one world uses one form", key, w.days))
	}
	if w.instants == "" {
		w.instants = key
	}
	s, err := w.in.text()
	if err != nil {
		return err
	}
	var t time.Time
	if err := t.UnmarshalText([]byte(strings.ToUpper(s))); err != nil {
		return syntaxError(fmt.Sprintf("%q is no RFC 3339 instant such as 2026-11-30T19:20:00Z", s))
	}
	return setInstant(to, t.UTC())
}

// setInstant refuses the one instant that stands for "absent".
func setInstant(to *time.Time, t time.Time) error {
	if t.IsZero() {
		return syntaxError("the first instant of year 1 cannot be told from an absent one")
	}
	*to = t
	return nil
}
