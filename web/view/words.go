package view

import "demarc/store/posture"

// Word is a label with its definition and how it may be written.
type Word struct {
	Label   posture.Label
	Means   string
	Written string
}
