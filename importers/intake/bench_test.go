package intake_test

import (
	"bytes"
	"fmt"
	"testing"

	"demarc/importers/intake"
	"demarc/store/posture"
)

// BenchmarkRun measures all of an import but the sink: digest, recognition,
// redaction, records, ten mapping rules, receipt.
func BenchmarkRun(b *testing.B) {
	const cases = 50000
	var in, rules bytes.Buffer
	in.WriteString("<testsuites><testsuite name='com.acme.Isolation' timestamp='2026-11-23T09:15:00Z'>\n")
	for i := range cases {
		fmt.Fprintf(&in, "<testcase classname='com.acme.isolation.TenantTest' name='test_reads_file_%d_of_another_session' time='0.012'>", i)
		if i%25 == 0 {
			in.WriteString("<failure message='expected 403: got 200'><![CDATA[at line 7\nat line 9]]></failure>")
		}
		if i%4 == 0 {
			in.WriteString("<system-out>GET /v1/sessions/17: 403 refused by policy\nuser=app host=db-7</system-out>")
		}
		in.WriteString("</testcase>\n")
	}
	in.WriteString("</testsuite></testsuites>")
	rules.WriteString("version: 1\nrules:\n")
	for i := range 10 {
		fmt.Fprintf(&rules, "  - {suite: '*Isolation*', name: '*_%d%d_*session', statement: FS-1, expected: deny, case: '{name}'}\n", i, i)
	}
	m, err := intake.ParseMapping("rules.yaml", &rules, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(in.Len()))
	b.ReportAllocs()
	for b.Loop() {
		r, err := intake.Run(b.Context(), posture.Access{}, nil, intake.FromBytes("r.xml", in.Bytes()), intake.Options{Mapping: m})
		if err != nil || r.Records.Stored != cases || r.Mapped == 0 {
			b.Fatal(err, r.Records, r.Mapped)
		}
	}
	b.ReportMetric(float64(cases*b.N)/b.Elapsed().Seconds(), "rows/s")
}
