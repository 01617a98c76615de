package view

import "demarc/web/view/ui"

// SignIn is the sign-in form.
type SignIn struct {
	Email string
	// Next is the path to go to afterwards.
	Next   string
	Theme  string
	Errors ui.Errors
}

// Setup is the form behind a one-time link.
type Setup struct {
	Token string
	// First says that the link makes the first administrator; else it sets the
	// password of the account with Email.
	First  bool
	Email  string
	Name   string
	Theme  string
	Errors ui.Errors
}
