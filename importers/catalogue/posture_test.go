package catalogue_test

import (
	"testing"

	"demarc/importers/catalogue"
	"demarc/store/posture/library"
)

// Nothing is lost on the way to the store, and every statement and question
// that the catalogue names is the library's.
func TestPostureKeepsEveryClaim(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	lib, err := library.Load()
	if err != nil {
		t.Fatal(err)
	}
	stated, unstated := 0, 0
	for _, s := range c.Posture() {
		stated, unstated = stated+s.Stated, unstated+s.Unstated
		if len(s.Claims) != s.Stated+s.Unstated || s.SeenOn.IsZero() {
			t.Errorf("%s: %d claims, %d stated, %d not, seen on %v", s.ID, len(s.Claims), s.Stated, s.Unstated, s.SeenOn)
		}
		for _, k := range s.Claims {
			for _, b := range k.BearsOn {
				if _, known := lib.Statement(b.Statement); !known {
					t.Errorf("%s bears on %s, which the library does not have", k.ID, b.Statement)
				}
			}
		}
	}
	if stated != 621 || unstated != 187 {
		t.Errorf("%d stated and %d not, want 621 and 187", stated, unstated)
	}
}
