package pg

import (
	"testing"
)

// BenchmarkWarmStart opens an existing cluster up to the moment a query can be asked. A second to the first page is the bar.
func BenchmarkWarmStart(b *testing.B) {
	dir := made(b)
	for b.Loop() {
		c, err := Open(b.Context(), Options{Dir: dir, Command: "bench", Schema: 7})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkClose stops a cluster that is at rest.
func BenchmarkClose(b *testing.B) {
	dir := made(b)
	for b.Loop() {
		b.StopTimer()
		c, err := Open(b.Context(), Options{Dir: dir, Command: "bench", Schema: 7})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkColdStart makes a cluster, opens and closes it.
func BenchmarkColdStart(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		dir := diskFolder(b)
		b.StartTimer()
		c, err := Open(b.Context(), Options{Dir: dir, Command: "bench", Schema: 7})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
