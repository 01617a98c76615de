package intake

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// secretNames are the ends of names whose values are secrets, with "-" and "."
// written as "_", and what such a value is called.
var secretNames = []struct{ end, kind string }{
	{"password", "password"},
	{"passwd", "password"},
	{"pwd", "password"},
	{"passphrase", "password"},
	{"secret", "secret"},
	{"token", "token"},
	{"apikey", "key"},
	{"api_key", "key"},
	{"access_key", "key"},
	{"accesskey", "key"},
	{"secret_key", "key"},
	{"secretkey", "key"},
	{"private_key", "key"},
	{"privatekey", "key"},
	{"account_key", "key"},
	{"accountkey", "key"},
	{"signing_key", "key"},
	{"encryption_key", "key"},
	{"credential", "secret"},
	{"credentials", "secret"},
	{"authorization", headerKind},
	{"cookie", headerKind},
}

const headerKind = "authorization header"

// quotes stand around values and names, also where they are escaped.
var quotes = []string{`\"`, `\'`, "&quot;", "&#34;", "&apos;", "&#39;", `"`, "'", "`"}

// secretName gives the kind of what a name holds, empty where it is no secret.
func secretName(name []byte) string {
	for _, n := range secretNames {
		if hasEnd(name, n.end) {
			return n.kind
		}
	}
	return ""
}

// hasEnd compares without case, "-" and "." being "_".
func hasEnd(name []byte, end string) bool {
	at := len(name) - len(end)
	if at < 0 {
		return false
	}
	for i := len(end) - 1; i >= 0; i-- {
		c := name[at+i]
		switch {
		case c == '-' || c == '.':
			c = '_'
		case c >= 'A' && c <= 'Z':
			c |= 0x20
		}
		if c != end[i] {
			return false
		}
	}
	return true
}

// name finds the name that ends before i, past blanks, a quote and, before an
// equals sign, a colon. start is where it begins.
func (t *text) name(i int) (name []byte, start int, quoted bool) {
	end := i
	if end > t.floor && t.b[i] == '=' && t.b[end-1] == ':' {
		end--
	}
	end = t.back(end, " \t")
	if end > t.floor && !isToken(t.b[end-1]) {
		for _, q := range quotes {
			if strings.HasSuffix(string(t.b[max(t.floor, end-len(q)):end]), q) {
				end -= len(q)
				quoted = true
				break
			}
		}
	}
	start = end
	for start > t.floor && end-start < 64 && (isToken(t.b[start-1]) || t.b[start-1] == '.') {
		start--
	}
	return t.b[start:end], start, quoted
}

// back passes over bytes of the set before i, at most eight.
func (t *text) back(i int, set string) int {
	for n := 0; n < 8 && i > t.floor && strings.IndexByte(set, t.b[i-1]) >= 0; n++ {
		i--
	}
	return i
}

// assignment finds the value of a secret name: name=value, "name": "value",
// name => 'value', Header: value, and name="x" value="y" of a property.
func (t *text) assignment(i int) (match, bool) {
	name, start, quoted := t.name(i)
	kind := secretName(name)
	if kind == "" {
		if t.b[i] == '=' && string(name) == "value" {
			kind = t.attribute(t.back(start, " \t\r\n"))
		}
		if kind == "" {
			return match{}, false
		}
	}
	j := i + 1
	if j < len(t.b) && t.b[i] == '=' && t.b[j] == '>' {
		j++
	}
	for n := 0; n < 8 && j < len(t.b) && (t.b[j] == ' ' || t.b[j] == '\t'); n++ {
		j++
	}
	if j == len(t.b) {
		t.short = !t.whole
		return match{}, false
	}
	if t.b[j] == '=' || t.b[j] == ':' || t.b[j] == '~' {
		return match{}, false
	}
	v, ok := t.value(j)
	if t.short || !ok {
		return match{}, false
	}
	v.kind = kind
	bare := t.b[i] == ':' && !quoted && v.start == j
	if kind == headerKind {
		return t.header(v, strings.HasSuffix(strings.ToLower(string(name)), "cookie"))
	}
	return v, !t.harmless(name, v) && (!bare || t.plausible(v))
}

// attribute gives the kind of secret that the property attribute before i
// names: name="…password".
func (t *text) attribute(i int) string {
	if i == t.floor || t.b[i-1] != '"' && t.b[i-1] != '\'' {
		return ""
	}
	quote := t.b[i-1]
	open := bytes.LastIndexByte(t.b[t.floor:i-1], quote)
	if open < 0 {
		return ""
	}
	open += t.floor
	before := bytes.TrimRight(t.b[t.floor:open], " \t\r\n")
	before, equals := bytes.CutSuffix(before, []byte("="))
	before = bytes.TrimRight(before, " \t\r\n")
	if !equals || !bytes.HasSuffix(before, []byte("name")) && !bytes.HasSuffix(before, []byte("key")) {
		return ""
	}
	if kind := secretName(t.b[open+1 : i-1]); kind != headerKind {
		return kind
	}
	return "secret"
}

// property finds the text of <property name="…password">text.
func (t *text) property(i int) (match, bool) {
	kind := t.attribute(t.back(i, " \t\r\n"))
	if kind == "" {
		return match{}, false
	}
	tag := t.b[t.floor+bytes.LastIndexByte(t.b[t.floor:i], '<')+1 : i]
	if !bytes.HasPrefix(tag, []byte("property")) {
		return match{}, false
	}
	start, stop := i+1, byte('<')
	if t.has(start, "<![CDATA[") {
		start, stop = start+len("<![CDATA["), ']'
	}
	end := t.run(start, func(c byte) bool { return c != stop })
	if t.short {
		return match{}, false
	}
	value := bytes.TrimSpace(t.b[start:end])
	return match{start, end, kind}, len(value) > 0 && !trivial(value)
}

// value finds what is assigned at j: a quoted text without its quotes, or the
// bytes up to a blank.
func (t *text) value(j int) (match, bool) {
	for _, q := range quotes {
		if !t.has(j, q) {
			if t.short {
				return match{}, false
			}
			continue
		}
		start := j + len(q)
		end := t.run(start, func(c byte) bool { return c != '\n' && c != '<' && c != q[0] })
		for !t.short && end < len(t.b) && t.b[end] == q[0] && len(q) > 1 && !t.has(end, q) && !t.short {
			end = t.run(end+1, func(c byte) bool { return c != '\n' && c != '<' && c != q[0] })
		}
		if t.short || end == len(t.b) || t.b[end] != q[0] {
			return match{}, false
		}
		return match{start: start, end: end}, end > start && !closes(t.b[start:end])
	}
	end := j
	for end < len(t.b) && isValue(t.b[end]) && !t.has(end, "]]>") && !t.escape(end) && !t.short {
		end++
	}
	if end == len(t.b) && !t.short {
		t.short, t.open = !t.whole, isValue
	}
	return match{start: j, end: end}, end > j
}

// closes says that a quote before these bytes ended an attribute rather than
// began a value.
func closes(value []byte) bool {
	return value[0] == ' ' || value[0] == '\t' || value[0] == '\r' || value[0] == '>' ||
		bytes.HasPrefix(value, []byte("/>")) || bytes.HasPrefix(value, []byte("?>"))
}

func isValue(c byte) bool {
	return c > ' ' && c != '"' && c != '\'' && c != '`' && c != '<' && c != '&' && c != ';'
}

// escape says that an escaped line end, tab or quote stands at i.
func (t *text) escape(i int) bool {
	if t.b[i] != '\\' {
		return false
	}
	if i+1 == len(t.b) {
		t.short = !t.whole
		return t.short
	}
	return bytes.IndexByte([]byte(`nrt"'`), t.b[i+1]) >= 0
}

// header narrows a header's value to credentials: a scheme with what follows
// it, one long token, or the pairs of a cookie.
func (t *text) header(v match, cookie bool) (match, bool) {
	v.kind = headerKind
	line := v.end
	if line < len(t.b) && (t.b[line] == ' ' || t.b[line] == ';') {
		line = t.run(line, func(c byte) bool {
			return c != '\n' && c != '\r' && c != '"' && c != '\'' && c != '<' && c != '\\' && c != '&'
		})
		if t.short {
			return match{}, false
		}
		if end := bytes.Index(t.b[v.end:line], []byte("]]>")); end >= 0 {
			line = v.end + end
		}
	}
	value := t.b[v.start:line]
	if trivial(value) {
		return match{}, false
	}
	if cookie {
		v.end = line
		return v, bytes.IndexByte(value, '=') > 0
	}
	scheme, rest, found := bytes.Cut(value, []byte(" "))
	name := strings.ToLower(string(scheme))
	switch {
	case !found:
		return v, len(value) >= 16 && bytes.ContainsAny(value, "0123456789")
	case name == "bearer", name == "basic", name == "token", name == "apikey", name == "negotiate":
		rest = bytes.TrimLeft(rest, " ")
		secret, _, _ := bytes.Cut(rest, []byte(" "))
		v.start = line - len(rest)
		v.end = v.start + len(secret)
		return v, len(secret) > 0 && !trivial(secret)
	case name == "digest", strings.HasPrefix(name, "aws4-"):
		v.end = line
		return v, true
	default:
		return match{}, false
	}
}

// marker is the shape of what tests plant to show that something leaked: it is
// the evidence itself (model.md §2.6).
var marker = regexp.MustCompile(`^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*-MARK-[0-9A-Z]+$`)

// placeholder is the shape of a value that stands for one.
var placeholder = regexp.MustCompile(`^(\$[{(].*|\$[A-Z_][A-Z0-9_]*|%[a-z]|%[A-Z_]+%|%\(.*|\{.*|<.*|\*+|x+|X+|\.+|-+|\[redacted.*)$`)

// trivial values give nothing away: placeholders, what was redacted before, and
// markers.
func trivial(v []byte) bool {
	v = bytes.TrimRight(v, ".,)]}")
	words := []string{"", "none", "null", "nil", "true", "false", "undefined", "redacted", "masked", "hidden"}
	return slices.Contains(words, strings.ToLower(string(v))) || placeholder.Match(v) || marker.Match(v)
}

// harmless says that what is assigned is no secret after all.
func (t *text) harmless(name []byte, v match) bool {
	value := t.b[v.start:v.end]
	directory := strings.EqualFold(string(name), "pwd") && (value[0] == '/' || len(value) > 1 && value[1] == ':')
	return directory || trivial(value)
}

// plausible tells a secret after a colon from the next word of a sentence: it
// holds a digit, or nothing follows it on its line.
func (t *text) plausible(v match) bool {
	value := t.b[v.start:v.end]
	if len(value) >= 6 && bytes.ContainsAny(value, "0123456789") {
		return true
	}
	return len(value) >= 4 && (v.end == len(t.b) || t.b[v.end] != ' ' && t.b[v.end] != '\t')
}
