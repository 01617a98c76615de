package ui

import (
	"strconv"
	"time"
)

// Day writes a date as every page does: "12 Oct 2026". Dates are in UTC.
func Day(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

// Minute writes an instant where the hour matters: "12 Oct 2026 14:02 UTC".
func Minute(t time.Time) string { return t.UTC().Format("2 Jan 2006 15:04 UTC") }

// Age writes how far t lies from now in calendar days: "49 days", "today",
// "in 2 days".
func Age(t, now time.Time) string {
	switch days := daysBetween(t, now); {
	case days == 0:
		return "today"
	case days < 0:
		return "in " + Plural(-days, "day", "days")
	default:
		return Plural(days, "day", "days")
	}
}

// Late writes how far t lies from now for something that is due: "35 days
// late", "today", "in 2 days".
func Late(t, now time.Time) string {
	age := Age(t, now)
	if daysBetween(t, now) > 0 {
		age += " late"
	}
	return age
}

// IsDue says whether t is today or past.
func IsDue(t, now time.Time) bool { return daysBetween(t, now) >= 0 }

func daysBetween(t, now time.Time) int {
	return int(midnight(now).Sub(midnight(t)) / (24 * time.Hour))
}

func midnight(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

func grouped(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}
