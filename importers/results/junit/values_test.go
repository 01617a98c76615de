package junit

import (
	"testing"
	"time"
)

func TestSeconds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want time.Duration
		ok   bool
	}{
		{"", 0, true},
		{"0.123", 123 * time.Millisecond, true},
		{" 1 ", time.Second, true},
		{"1.4e-05", 14 * time.Microsecond, true},
		{"1,234.56", 1234*time.Second + 560*time.Millisecond, true},
		{"2,503.1", 2503*time.Second + 100*time.Millisecond, true},
		{"1,234,567", 1234567 * time.Second, true},
		{"0,160", 160 * time.Millisecond, true},
		{"12,5", 12*time.Second + 500*time.Millisecond, true},
		{"1,234", 0, false},
		{"12,34.5", 0, false},
		{"2.503,1", 0, false},
		{"80.803us", 80803 * time.Nanosecond, true},
		{"-345345", 0, false},
		{"-2ms", 0, false},
		{"NaN", 0, false},
		{"Inf", 0, false},
		{"1e300", 0, false},
		{"{duration}", 0, false},
	} {
		if d, ok := seconds(c.in); ok != c.ok || (ok && d != c.want) {
			t.Errorf("seconds(%q) = %v, %v; want %v, %v", c.in, d, ok, c.want, c.ok)
		}
	}
}

func TestInstant(t *testing.T) {
	t.Parallel()
	at := func(s string) time.Time {
		x, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, c := range []struct {
		in, want  string
		zoned, ok bool
	}{
		{"2026-11-23T09:15:00Z", "2026-11-23T09:15:00Z", true, true},
		{"2026-11-23T09:15:00.512+02:00", "2026-11-23T07:15:00.512Z", true, true},
		{"2026-11-23T09:15:00+0200", "2026-11-23T07:15:00Z", true, true},
		{"2026-11-23 09:15:00 +0200", "2026-11-23T07:15:00Z", true, true},
		{"2026-11-23T09:15:00.140836", "2026-11-23T09:15:00.140836Z", false, true},
		{"2026-11-23T09:15:00,140", "2026-11-23T09:15:00.140Z", false, true},
		{"2026-11-23T 09:15:00", "2026-11-23T09:15:00Z", false, true},
		{"2026-11-23 09:15", "2026-11-23T09:15:00Z", false, true},
		{"2026-11-23", "2026-11-23T00:00:00Z", false, true},
		{"Mon, 23 Nov 2026 09:15:00 GMT", "2026-11-23T09:15:00Z", true, true},
		{"Mon Nov 23 09:15:00 UTC 2026", "2026-11-23T09:15:00Z", true, true},
		{"Mon Nov 23 09:15:00 2026", "2026-11-23T09:15:00Z", false, true},
		{"1795425300", "2026-11-23T09:15:00Z", true, true},
		{"1795425300000", "2026-11-23T09:15:00Z", true, true},
		{"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", true, true},
		{"1970-01-01T00:00:00", "0001-01-01T00:00:00Z", false, true},
		{"0", "0001-01-01T00:00:00Z", true, true},
		{"Mon Nov 23 09:15:00 CEST 2026", "", false, false},
		{"2026-11-31T00:00:00Z", "", false, false},
		{"{iso8601-timestamp}", "", false, false},
		{"17", "", false, false},
	} {
		got, zoned, ok := instant(c.in)
		if ok != c.ok || ok && (!got.Equal(at(c.want)) || zoned != c.zoned) {
			t.Errorf("instant(%q) = %v, zoned %v, %v; want %s, %v, %v", c.in, got, zoned, ok, c.want, c.zoned, c.ok)
		}
	}
}
