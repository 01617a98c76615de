package pg

import "testing"

func TestSetLoginPasswordQuotes(t *testing.T) {
	t.Parallel()
	c := opened(t, Options{Dir: folder(t), Command: "import"})
	if err := SetLoginPassword(t.Context(), c.SuperDSN(Database), `it's "quoted" \ $1`); err != nil {
		t.Fatal(err)
	}
}
