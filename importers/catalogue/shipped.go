package catalogue

import (
	"bytes"
	_ "embed"
)

//go:embed catalogue.yaml
var shippedCatalogue []byte

//go:embed links.yaml
var shippedLinks []byte

// Shipped reads the catalogue that is part of the program. It parses anew at every call; the result is
// the caller's to keep and change.
func Shipped() (*Catalogue, error) {
	return Read(bytes.NewReader(shippedCatalogue), bytes.NewReader(shippedLinks))
}
