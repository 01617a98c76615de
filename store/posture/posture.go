// Package posture holds Demarc's words and rules: what a boundary statement
// is, what counts as evidence for it, and the verdict that follows. It is pure:
// no I/O, no clock, no SQL, no HTTP. Every instant is an argument.
//
// The law it implements is model.md §2. Judge is the one judge of the product:
// pages, API, command line and imports all call it.
package posture
