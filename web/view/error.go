package view

// Failure is an error that is meant to be read: what happened, in one
// sentence, and where to go on.
type Failure struct {
	// Status is the number of the answer, such as 404.
	Status int
	Title  string
	Text   string
}
