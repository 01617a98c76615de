package store

import (
	"cmp"
	"sync"

	"demarc/store/posture/library"
)

// shelf is the library with the places of its statements and dimensions, read
// once and never changed.
type shelf struct {
	*library.Library
	// place is a statement's place in the library's order, dimension the place
	// of its dimension in the matrix.
	place     map[string]int
	dimension map[string]int
}

var loadShelf = sync.OnceValues(func() (*shelf, error) {
	lib, err := library.Load()
	if err != nil {
		return nil, err
	}
	s := &shelf{Library: lib, place: map[string]int{}, dimension: map[string]int{}}
	codes := map[string]int{}
	for i, d := range lib.Dimensions() {
		codes[d.Code] = i
	}
	for _, d := range lib.Dimensions() {
		for _, statement := range lib.ByDimension(d.Code) {
			s.place[statement.ID], s.dimension[statement.ID] = len(s.place), codes[d.Code]
		}
	}
	return s, nil
})

// compare orders statements as the library does; others come last, by id.
func (s *shelf) compare(a, b string) int {
	place := func(id string) int {
		if i, ok := s.place[id]; ok {
			return i
		}
		return len(s.place)
	}
	return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
}

// column says in which of the two columns a statement stands; ok is false for
// one that the library does not have.
func (s *shelf) column(statement string) (execution, ok bool) {
	i, ok := s.dimension[statement]
	return ok && s.Dimensions()[i].Column == columnExecution, ok
}

// columnExecution is the library's name of the first column.
const columnExecution = "execution"
