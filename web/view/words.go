package view

import "demarc/store/posture"

// Word is a label with its definition and what would move it.
type Word struct {
	Label posture.Label
	Means string
	Moves string
}
