package catalogue_test

import (
	"os"
	"strings"
	"testing"

	"demarc/importers/catalogue"
)

// small gives the made-up pair of files in testdata.
func small(t testing.TB) (catalogueText, linksText string) {
	t.Helper()
	return readText(t, "testdata/catalogue.yaml"), readText(t, "testdata/links.yaml")
}

func readText(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// read reads a pair of texts that must be right.
func read(t testing.TB, catalogueText, linksText string) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Read(strings.NewReader(catalogueText), strings.NewReader(linksText))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// readSmall reads the made-up pair.
func readSmall(t testing.TB) *catalogue.Catalogue {
	t.Helper()
	catalogueText, linksText := small(t)
	return read(t, catalogueText, linksText)
}

// shipped reads the catalogue of the program.
func shipped(t testing.TB) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// claim finds a claim that must be there.
func claim(t testing.TB, c *catalogue.Catalogue, id string) catalogue.Claim {
	t.Helper()
	k, found := c.Claim(id)
	if !found {
		t.Fatalf("claim %s is not in the catalogue", id)
	}
	return k
}

// swap replaces the one occurrence of old; a text without it, or with two, is a mistake in the test.
func swap(t testing.TB, text, old, replacement string) string {
	t.Helper()
	if n := strings.Count(text, old); n != 1 {
		t.Fatalf("%q occurs %d times, want once", old, n)
	}
	return strings.Replace(text, old, replacement, 1)
}
