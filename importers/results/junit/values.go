package junit

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// layouts are the spellings of an instant met in reports; zoned says that the
// layout carries its zone.
var layouts = [...]struct {
	layout string
	zoned  bool
}{
	{time.RFC3339Nano, true},
	{"2006-01-02T15:04:05.999999999", false},
	{"2006-01-02T15:04:05.999999999Z0700", true},
	{"2006-01-02 15:04:05.999999999Z07:00", true},
	{"2006-01-02 15:04:05.999999999 Z07:00", true},
	{"2006-01-02 15:04:05.999999999 -0700", true},
	{"2006-01-02 15:04:05.999999999 -0700 MST", true},
	{"2006-01-02 15:04:05.999999999", false},
	{"2006-01-02T15:04Z07:00", true},
	{"2006-01-02T15:04", false},
	{"2006-01-02 15:04", false},
	{"2006-01-02", false},
	{"20060102T150405Z0700", true},
	{"20060102T150405", false},
	{time.RFC1123, true},
	{time.RFC1123Z, true},
	{time.UnixDate, true},
	{time.ANSIC, false},
	{"2006/01/02 15:04:05", false},
}

// earliest is the year before which a timestamp is a placeholder, such as the
// zero time of a language's library or of Unix.
const earliest = 1990

// instant reads a timestamp. Without a zone it is given in UTC and zoned is
// false. A placeholder is the zero time with ok.
func instant(s string) (at time.Time, zoned, ok bool) {
	s = strings.TrimSpace(s)
	if head, tail, found := strings.Cut(s, "T "); found {
		s = head + "T" + tail // met as "2009-01-16T 22:57:13"
	}
	for _, l := range layouts {
		at, err := time.ParseInLocation(l.layout, s, time.UTC)
		if err != nil {
			continue
		}
		if unknownAbbreviation(at) {
			return time.Time{}, false, false
		}
		return placeholder(at.UTC()), l.zoned, true
	}
	return epoch(s)
}

// unknownAbbreviation says that the zone was a name that Go could not
// resolve: it then invents one without offset.
func unknownAbbreviation(at time.Time) bool {
	name, offset := at.Zone()
	return offset == 0 && name != "" && name != "UTC" && name != "GMT" && name != "Z"
}

// epoch reads seconds or milliseconds since 1970.
func epoch(s string) (at time.Time, zoned, ok bool) {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(n) {
		return time.Time{}, false, false
	}
	switch {
	case n == 0:
		return time.Time{}, true, true
	case n >= 1e8 && n < 1e11:
		return placeholder(time.UnixMilli(int64(n * 1000)).UTC()), true, true
	case n >= 1e11 && n < 1e14:
		return placeholder(time.UnixMilli(int64(n)).UTC()), true, true
	default:
		return time.Time{}, false, false
	}
}

func placeholder(at time.Time) time.Time {
	if at.Year() < earliest {
		return time.Time{}
	}
	return at
}

// seconds reads a duration. A comma is a thousands separator before a dot or
// in several groups, a decimal comma after a zero or where no group of three
// follows; "1,234" alone cannot be decided and is no number (formats.md §3.1).
func seconds(s string) (d time.Duration, ok bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, true
	}
	n, err := strconv.ParseFloat(plainNumber(s), 64)
	if err != nil {
		d, err := time.ParseDuration(s)
		return d, err == nil && d >= 0
	}
	if math.IsNaN(n) || n < 0 || n > math.MaxInt64/float64(2*time.Second) {
		return 0, false
	}
	return time.Duration(math.Round(n * float64(time.Second))), true
}

// plainNumber gives s with a dot as its only separator, or a text that is no
// number where the comma is ambiguous.
func plainNumber(s string) string {
	whole, fraction, dot := strings.Cut(s, ".")
	groups := strings.Split(whole, ",")
	if len(groups) == 1 {
		return s
	}
	grouped := true
	for _, g := range groups[1:] {
		grouped = grouped && len(g) == 3
	}
	switch {
	case grouped && dot:
		return strings.Join(groups, "") + "." + fraction
	case grouped && len(groups) > 2:
		return strings.Join(groups, "")
	case !dot && len(groups) == 2 && (len(groups[1]) != 3 || groups[0] == "0"):
		return groups[0] + "." + groups[1]
	default:
		return "ambiguous"
	}
}
