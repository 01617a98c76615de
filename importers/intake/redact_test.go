package intake

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Secrets are put together here so that no scanner takes this file for a leak.
var (
	awsKey    = "AKIA" + "IOSFODNN7EXAMPLE"
	github    = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
	slack     = "xoxb-" + "123456789012-abcdefGHIJKL"
	stripe    = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
	google    = "AIza" + "SyA0123456789abcdefghijklmnopqrstuv"
	webToken  = "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	pemBlock  = "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEpAIBAAKCAQEA7\nq3Jx9w==\n-----END RSA PRIVATE " + "KEY-----"
	basicAuth = "YWxpY2U6aHVudGVyMg" + "=="
)

func TestRedactSecrets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"aws", "id " + awsKey + " used", "id [redacted: AWS key] used"},
		{"github", "remote " + github, "remote [redacted: GitHub token]"},
		{"slack", "<p>" + slack + "</p>", "<p>[redacted: Slack token]</p>"},
		{"slack hook", "https://hooks.slack.com/services/T0/B0/abc123", "https://hooks.slack.com/services/[redacted: Slack hook]"},
		{"stripe", "key=" + stripe, "key=[redacted: Stripe key]"},
		{"google", google + "\n", "[redacted: Google key]\n"},
		{"jwt", "got " + webToken + ".", "got [redacted: JWT]."},
		{"private key", "a\n" + pemBlock + "\nb", "a\n[redacted: private key]\n\n\n\nb"},
		{"private key cut short", pemBlock[:50] + "</failure>", "[redacted: private key]\n\n</failure>"},
		{"private key in JSON", strings.ReplaceAll(pemBlock, "\n", `\n`) + `"`, `[redacted: private key]"`},
		{"bearer", "Authorization: Bearer abc.def-123\nnext", "Authorization: Bearer [redacted: authorization header]\nnext"},
		{"bearer in JSON", `"authorization": "Bearer s3cr3t"`, `"authorization": "Bearer [redacted: authorization header]"`},
		{"bearer alone", "sent Bearer abcdefgh12345678 to it", "sent Bearer [redacted: authorization header] to it"},
		{"basic", "Basic " + basicAuth, "Basic [redacted: authorization header]"},
		{"header in CDATA", "<![CDATA[Authorization: Bearer abc]]>", "<![CDATA[Authorization: Bearer [redacted: authorization header]]]>"},
		{"cookie", "Set-Cookie: sid=abc; Path=/\n", "Set-Cookie: [redacted: authorization header]\n"},
		{"assignment", "DB_PASSWORD=hunter2 user=app", "DB_PASSWORD=[redacted: password] user=app"},
		{"assignment in CDATA", "<![CDATA[token=abc]]>", "<![CDATA[token=[redacted: token]]]>"},
		{"spaces", "client_secret = abc", "client_secret = [redacted: secret]"},
		{"yaml", "api-key: 0a1b2c3d\n", "api-key: [redacted: key]\n"},
		{"yaml word", "password: hunter\n", "password: [redacted: password]\n"},
		{"json", `{"refresh_token": "abc", "n": 1}`, `{"refresh_token": "[redacted: token]", "n": 1}`},
		{"escaped json", `"{\"password\":\"a b\"}"`, `"{\"password\":\"[redacted: password]\"}"`},
		{"ruby", "'secret' => 'abc'", "'secret' => '[redacted: secret]'"},
		{"go", `token := "abc"`, `token := "[redacted: token]"`},
		{"entities", `message="password=&quot;abc&quot; bad"`, `message="password=&quot;[redacted: password]&quot; bad"`},
		{"query", "?access_token=abc&amp;x=1", "?access_token=[redacted: token]&amp;x=1"},
		{"property", `<property name="DB_PASSWORD" value="hunter2"/>`, `<property name="DB_PASSWORD" value="[redacted: password]"/>`},
		{"property text", `<property name="api.token">abc</property>`, `<property name="api.token">[redacted: token]</property>`},
		{"property data", `<property name="secret"><![CDATA[abc]]></property>`, `<property name="secret"><![CDATA[[redacted: secret]]]></property>`},
		{"connection", "postgres://app:hunter2@db:5432/x", "postgres://app:[redacted: connection string]@db:5432/x"},
		{"connection with at", "amqp://u:p@ss@host/", "amqp://u:[redacted: connection string]@host/"},
		{"user token", "https://" + github + "@github.com/x", "https://[redacted: token]@github.com/x"},
		{"azure", "AccountName=a;AccountKey=Zm9v==;x", "AccountName=a;AccountKey=[redacted: key];x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, found := redactAll(t, strings.NewReader(c.in))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("redacted (-want +got):\n%s", diff)
			}
			if found != 1 {
				t.Errorf("found %d secrets, want 1", found)
			}
		})
	}
}

func TestRedactKeepsEvidence(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"leaked ACME-MARK-01 in the answer",
		"token=ACME-MARK-01",
		`<property name="secret" value="BIRCH-MARK-01"/>`,
		"refused by authorization: denied by rule 7",
		"Authorization: denied",
		"password: the value was wrong",
		"PWD=/home/runner/work",
		"assert token == expected",
		"password=None, secret=${SECRET}, token=****",
		"max_tokens=4096 tokens=12",
		"token::parse failed",
		"Basic authentication is off, Bearer authentication too",
		`<failure message="set password=" type="X">wrong</failure>`,
		`<failure message="set password:" type="X">wrong</failure>`,
		`<testcase name="reset_password">text</testcase>`,
		`<property name="user" value="app"/>`,
		"http://localhost:8080/a@b",
		"image sha256:9f2c41ab9f2c41ab9f2c41ab9f2c41ab9f2c41ab9f2c41ab9f2c41ab9f2c41ab",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
		"the risk-assessment-of-many-components-without-any-token",
	} {
		if got, found := redactAll(t, strings.NewReader(in)); got != in || found != 0 {
			t.Errorf("%q became %q, %d found", in, got, found)
		}
	}
}

// However a text is cut into reads, the same is redacted, and redacting twice
// changes nothing more.
func TestRedactWhateverTheReads(t *testing.T) {
	t.Parallel()
	pieces := []string{
		awsKey, github, slack, stripe, google, webToken, pemBlock, "Authorization: Bearer abc.def-123\n",
		"token=abc ", `<property name="password" value="x1"/>`, "postgres://a:b@c/", "ACME-MARK-01", "\n", " ",
		"<testcase name=\"a\">", "]]>", strings.Repeat("lorem ipsum ", 9000), strings.Repeat("A", 70000), "=", ":", "\"",
	}
	rapid.Check(t, func(r *rapid.T) {
		in := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(r, "pieces"), "")
		want, found := redactAll(r, strings.NewReader(in))
		for name, reader := range map[string]io.Reader{
			"half":      iotest.HalfReader(strings.NewReader(in)),
			"data, err": iotest.DataErrReader(strings.NewReader(in)),
		} {
			if got, n := redactAll(r, reader); got != want || n != found {
				r.Fatalf("%s: %d found, want %d", name, n, found)
			}
		}
		if strings.Count(in, "\n") != strings.Count(want, "\n") {
			r.Fatalf("line ends changed: %q became %q", in, want)
		}
		if again, n := redactAll(r, strings.NewReader(want)); again != want || n != 0 {
			r.Fatalf("redacting again changed %q to %q", want, again)
		}
	})
}

func TestRedactByteByByte(t *testing.T) {
	t.Parallel()
	in := "x " + github + " y token=" + webToken + "\n" + pemBlock + " postgres://a:b@c/ z"
	want, _ := redactAll(t, strings.NewReader(in))
	if got, _ := redactAll(t, iotest.OneByteReader(strings.NewReader(in))); got != want {
		t.Errorf("byte by byte %q, at once %q", got, want)
	}
}

// A secret longer than the window is dropped to its end.
func TestRedactLongerThanWindow(t *testing.T) {
	t.Parallel()
	in := "token=" + strings.Repeat("a1", 3*window) + " end"
	if got, _ := redactAll(t, strings.NewReader(in)); got != "token=[redacted: token] end" {
		t.Errorf("got %.80q", got)
	}
}

func TestReferencesResolveSecretsAlone(t *testing.T) {
	t.Parallel()
	in := "&#112;assword&#x3d;abc &#10;&#27;&lt;&amp;&#8364;&#60;" + strings.Repeat(" ", readSize) + "&#65;"
	want := "password=abc &#10;&#27;&lt;&amp;&#8364;&#60;" + strings.Repeat(" ", readSize) + "A"
	got, err := io.ReadAll(&references{src: iotest.OneByteReader(strings.NewReader(in))})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

type failer interface {
	Helper()
	Fatal(args ...any)
}

func redactAll(t failer, r io.Reader) (string, int) {
	t.Helper()
	red := newRedactor(r)
	got, err := io.ReadAll(red)
	if err != nil {
		t.Fatal(err)
	}
	return string(got), red.found
}

func BenchmarkRedact(b *testing.B) {
	one := `<testcase classname="com.acme.Isolation" name="reads another session's file 17" time="0.012"><system-out>GET /v1/sessions/17: 403 refused by policy</system-out></testcase>` + "\n"
	text := []byte(strings.Repeat(one, 20000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := io.Copy(io.Discard, newRedactor(bytes.NewReader(text))); err != nil {
			b.Fatal(err)
		}
	}
}
