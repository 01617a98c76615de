package posture_test

import (
	"testing"

	"demarc/store/posture"
)

// BenchmarkJudge judges the golden worlds; the bar is 200,000 worlds a second
// on one core (DESIGN.md §10).
func BenchmarkJudge(b *testing.B) {
	worlds, _ := golden(b)
	n := 0
	for b.Loop() {
		for i := range worlds {
			posture.Judge(&worlds[i].Facts, worlds[i].Known, worlds[i].At)
		}
		n += len(worlds)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "worlds/s")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkJudgeNightly judges one statement on ten years of nightly pairs.
func BenchmarkJudgeNightly(b *testing.B) {
	f := nightly(3650)
	for b.Loop() {
		posture.Judge(f, day(3650), day(3650))
	}
	b.ReportMetric(float64(b.N)*float64(len(f.Evidence))/b.Elapsed().Seconds(), "records/s")
}

// BenchmarkExplain explains the golden worlds.
func BenchmarkExplain(b *testing.B) {
	worlds, _ := golden(b)
	n := 0
	for b.Loop() {
		for i := range worlds {
			posture.Explain(&worlds[i].Facts, worlds[i].Known, worlds[i].At)
		}
		n += len(worlds)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "worlds/s")
	b.ReportMetric(0, "ns/op")
}
