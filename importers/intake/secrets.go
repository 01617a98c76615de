package intake

import (
	"bytes"
	"encoding/base64"
)

// match is a secret found: the bytes to replace and what they are.
type match struct {
	start, end int
	kind       string
}

// text is what the matchers look at.
type text struct {
	b []byte
	// floor is where looking back ends.
	floor int
	// whole says that nothing follows b, or that b is enough to decide.
	whole bool
	// short is set by a matcher that needs more than b to decide.
	short bool
	// open says which bytes continue a secret that reaches the end of b.
	open func(byte) bool
}

// triggers are the bytes at which a matcher looks.
var triggers = func() (t [256]bool) {
	for _, c := range []byte("AegxsrwnyGhBb-=:>") {
		t[c] = true
	}
	return t
}()

// prefixes are the beginnings by which providers mark their tokens, with the
// least number of bytes that must follow.
var prefixes = []struct {
	text, kind string
	least      int
	class      func(byte) bool
}{
	{"AKIA", "AWS key", 16, isUpper},
	{"ASIA", "AWS key", 16, isUpper},
	{"AIza", "Google key", 30, isToken},
	{"ya29.", "Google token", 20, isDotted},
	{"GOCSPX-", "Google secret", 20, isToken},
	{"ghp_", "GitHub token", 20, isWord},
	{"gho_", "GitHub token", 20, isWord},
	{"ghu_", "GitHub token", 20, isWord},
	{"ghs_", "GitHub token", 20, isWord},
	{"ghr_", "GitHub token", 20, isWord},
	{"github_pat_", "GitHub token", 20, isWord},
	{"glpat-", "GitLab token", 16, isToken},
	{"xoxa-", "Slack token", 10, isToken},
	{"xoxb-", "Slack token", 10, isToken},
	{"xoxc-", "Slack token", 10, isToken},
	{"xoxd-", "Slack token", 10, isDotted},
	{"xoxe-", "Slack token", 10, isToken},
	{"xoxp-", "Slack token", 10, isToken},
	{"xoxr-", "Slack token", 10, isToken},
	{"xoxs-", "Slack token", 10, isToken},
	{"xapp-", "Slack token", 10, isToken},
	{"sk_live_", "Stripe key", 10, isWord},
	{"sk_test_", "Stripe key", 10, isWord},
	{"rk_live_", "Stripe key", 10, isWord},
	{"rk_test_", "Stripe key", 10, isWord},
	{"whsec_", "Stripe key", 16, isDotted},
	{"sk-ant-", "API key", 16, isToken},
	{"sk-proj-", "API key", 16, isToken},
	{"sk-", "API key", 32, isAlnum},
	{"npm_", "npm token", 30, isAlnum},
	{"hf_", "Hugging Face token", 30, isAlnum},
}

// secondBytes are the second bytes of the prefixes: most words are told apart here.
var secondBytes = func() (t [256]bool) {
	for _, p := range prefixes {
		t[p.text[1]] = true
	}
	return t
}()

// match looks for a secret that begins, or whose sign stands, at i.
func (t *text) match(i int) (match, bool) {
	switch t.b[i] {
	case '=', ':':
		if m, ok := t.connection(i); ok || t.short {
			return m, ok
		}
		return t.assignment(i)
	case '>':
		return t.property(i)
	case '-':
		return t.privateKey(i)
	case 'B', 'b':
		return t.scheme(i)
	case 'e':
		if m, ok := t.jwt(i); ok || t.short {
			return m, ok
		}
	}
	if i > t.floor && isWord(t.b[i-1]) {
		return match{}, false
	}
	return t.prefixed(i)
}

// prefixed finds a token by its provider's prefix.
func (t *text) prefixed(i int) (match, bool) {
	if i+1 < len(t.b) && !secondBytes[t.b[i+1]] {
		return match{}, false
	}
	for _, p := range prefixes {
		if p.text[0] == t.b[i] && t.has(i, p.text) {
			start := i + len(p.text)
			end := t.run(start, p.class)
			if !t.short && end-start >= p.least {
				return match{i, end, p.kind}, true
			}
		}
		if t.short {
			break
		}
	}
	return match{}, false
}

// has says whether s stands at i; where b ends within it, t is short.
func (t *text) has(i int, s string) bool {
	rest := t.b[i:min(len(t.b), i+len(s))]
	if len(rest) < len(s) && !t.whole && string(rest) == s[:len(rest)] {
		t.short = true
		return false
	}
	return string(rest) == s
}

// run gives the end of the bytes of a class from i on; where that is the end
// of b, t is short, and what follows of the class belongs to it.
func (t *text) run(i int, class func(byte) bool) int {
	for i < len(t.b) && class(t.b[i]) {
		i++
	}
	if i == len(t.b) {
		t.short, t.open = !t.whole, class
	}
	return i
}

// jwt finds three or more segments of base64url, the first two JSON objects.
func (t *text) jwt(i int) (match, bool) {
	if i > t.floor && isToken(t.b[i-1]) || !t.has(i, "eyJ") {
		return match{}, false
	}
	end := i
	for segment := 0; ; segment++ {
		start := end
		end = t.run(start, isToken)
		if t.short {
			return match{}, false
		}
		switch dot := end < len(t.b) && t.b[end] == '.'; {
		case segment < 2 && end-start < 8, segment < 1 && !dot:
			return match{}, false
		case segment >= 1 && !dot:
			return match{i, end, "JWT"}, segment >= 2
		case segment == 4, segment >= 2 && t.run(end+1, isToken) == end+1:
			return match{i, end, "JWT"}, !t.short
		}
		end++
	}
}

// privateKey finds a PEM block of a private key, or what there is of it.
func (t *text) privateKey(i int) (match, bool) {
	const begin = "-----BEGIN "
	if i > t.floor && t.b[i-1] == '-' || !t.has(i, begin) {
		return match{}, false
	}
	label := t.run(i+len(begin), isLabel)
	if t.short || !bytes.Contains(t.b[i:label], []byte("PRIVATE KEY")) {
		return match{}, false
	}
	const end = "-----END"
	for j := label; ; j++ {
		switch {
		case j == len(t.b):
			t.short, t.open = !t.whole, isPEM
			return match{i, j, "private key"}, t.whole
		case t.b[j] == '-' && t.has(j, end):
			j = t.run(j+len(end), isLabel)
			j = t.run(j, func(c byte) bool { return c == '-' })
			return match{i, j, "private key"}, !t.short
		case t.short:
			return match{}, false
		case !isPEM(t.b[j]):
			return match{i, j, "private key"}, true
		}
	}
}

// scheme finds the credentials after "Bearer" or "Basic".
func (t *text) scheme(i int) (match, bool) {
	if i > t.floor && isWord(t.b[i-1]) {
		return match{}, false
	}
	for _, name := range []string{"Bearer ", "bearer ", "Basic ", "basic "} {
		if !t.has(i, name) {
			if t.short {
				return match{}, false
			}
			continue
		}
		start := i + len(name)
		end := t.run(start, isBase64)
		if t.short {
			return match{}, false
		}
		return match{start, end, "authorization header"}, credentials(name, t.b[start:end])
	}
	return match{}, false
}

// credentials tells a token from the next word of a sentence.
func credentials(scheme string, value []byte) bool {
	if scheme[1] == 'e' {
		return len(value) >= 16 && bytes.ContainsAny(value, "0123456789")
	}
	plain, err := base64.RawStdEncoding.DecodeString(string(bytes.TrimRight(value, "=")))
	return err == nil && bytes.IndexByte(plain, ':') >= 0
}

// connection finds the password, or a long user name that is a token, in
// scheme://user:password@host, and the secret path of a Slack hook.
func (t *text) connection(i int) (match, bool) {
	if t.b[i] != ':' || i == t.floor || !isWord(t.b[i-1]) || !t.has(i, "://") {
		return match{}, false
	}
	start := i + len("://")
	const hook = "hooks.slack.com/services/"
	if t.has(start, hook) {
		end := t.run(start+len(hook), isURL)
		return match{start + len(hook), end, "Slack hook"}, !t.short && end > start+len(hook)
	}
	if t.short {
		return match{}, false
	}
	end := t.run(start, isAuthority)
	if t.short {
		return match{}, false
	}
	at := bytes.LastIndexByte(t.b[start:end], '@')
	if at < 0 {
		return match{}, false
	}
	user := t.b[start : start+at]
	colon := bytes.IndexByte(user, ':')
	if colon < 0 {
		return match{start, start + at, "token"}, len(user) >= 20
	}
	return match{start + colon + 1, start + at, "connection string"}, !trivial(user[colon+1:])
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' }
func isAlnum(c byte) bool { return isUpper(c) || c >= 'a' && c <= 'z' }
func isWord(c byte) bool  { return isAlnum(c) || c == '_' }
func isToken(c byte) bool { return isWord(c) || c == '-' }
func isDotted(c byte) bool {
	return isToken(c) || c == '.' || c == '/' || c == '+' || c == '=' || c == '%'
}

func isBase64(c byte) bool {
	return isToken(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '='
}
func isLabel(c byte) bool { return c == ' ' || isUpper(c) }

// isPEM also takes what stands between the lines of a key in escaped text.
func isPEM(c byte) bool {
	return isAlnum(c) || bytes.IndexByte([]byte("+/=-\\:,;&# \t\r\n"), c) >= 0
}
func isURL(c byte) bool { return isToken(c) || c == '/' }

func isAuthority(c byte) bool {
	return c > ' ' && c < 0x80 && bytes.IndexByte([]byte("/?#\"'<>`\\"), c) < 0
}
