package posture

import "time"

// Day is the unit windows are stated in.
const Day = 24 * time.Hour

// Windows are the freshness windows of model.md §2.5.
type Windows struct {
	Statement         time.Duration
	Documentation     time.Duration
	DocumentationPre  time.Duration
	Attestation       time.Duration
	Configuration     time.Duration
	ConfigurationHigh time.Duration
	ConfigurationHand time.Duration
	Test              time.Duration
	TestHigh          time.Duration
}

// DefaultWindows are the windows of policy 1 (model.md §2.5).
func DefaultWindows() Windows { return defaultWindows }

var defaultWindows = Windows{
	Statement:         90 * Day,
	Documentation:     90 * Day,
	DocumentationPre:  30 * Day,
	Attestation:       365 * Day,
	Configuration:     7 * Day,
	ConfigurationHigh: 3 * Day,
	ConfigurationHand: 90 * Day,
	Test:              180 * Day,
	TestHigh:          90 * Day,
}

// Of gives the window of a record; zero for an incident, which supports
// nothing.
func (w *Windows) Of(e *Evidence, c Criticality) time.Duration {
	switch e.Kind {
	case KindStatement:
		return w.Statement
	case KindDocumentation:
		if e.PreGA {
			return w.DocumentationPre
		}
		return w.Documentation
	case KindAttestation:
		return w.Attestation
	case KindConfiguration:
		switch {
		case e.ByHand:
			return w.ConfigurationHand
		case c == CriticalityHigh:
			return w.ConfigurationHigh
		}
		return w.Configuration
	case KindTest:
		if c == CriticalityHigh {
			return w.TestHigh
		}
		return w.Test
	case KindIncident:
	}
	return 0
}

// FreshUntil is the last instant at which the record is fresh: the end of its
// window or its own valid-until, whichever is earlier. Both count themselves.
func (w *Windows) FreshUntil(e *Evidence, c Criticality) time.Time {
	end := e.ObservedAt.Add(w.Of(e, c))
	if !e.ValidUntil.IsZero() && e.ValidUntil.Before(end) {
		return e.ValidUntil
	}
	return end
}
