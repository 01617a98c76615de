// Package static holds the files a browser loads beside the pages: style
// sheets, glyphs, fonts and scripts. They are embedded in the binary and served
// under names that carry the digest of their content, so a browser may keep
// them for a year. manifest.json names what was taken from elsewhere.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// Prefix is the path under which Handler serves.
const Prefix = "/static/"

//go:embed tokens.css demarc.css symbols.svg icon.svg app.js htmx.min.js fonts LICENSES manifest.json
var embedded embed.FS

// file is one embedded file as it is served.
type file struct {
	body  []byte
	media string
	// address is the whole path, such as "/static/demarc.9f2c41ab07.css".
	address string
	// gzip and brotli are made on the first request that wants them; they are
	// nil for fonts, which are compressed already.
	gzip   func() []byte
	brotli func() []byte
}

type tree struct {
	byName    map[string]*file
	byAddress map[string]*file
	glyphs    []string
}

var files = sync.OnceValue(load)

var (
	cssURL   = regexp.MustCompile(`url\("([^"]+)"\)`)
	symbolID = regexp.MustCompile(`<symbol id="([^"]+)"`)
)

// URL gives the address of a file by its plain name, such as "demarc.css" or
// "fonts/inter-latin-wght-normal.woff2". A name that does not exist is a
// mistake in the program: URL panics.
func URL(name string) string {
	f, ok := files().byName[name]
	if !ok {
		panic(fmt.Sprintf("static: no file %q", name))
	}
	return f.address
}

// Icon gives the address of one symbol of symbols.svg, for the href of <use>:
// "v-tested", "i-search".
func Icon(name string) string { return URL("symbols.svg") + "#" + name }

// Glyphs lists the names that Icon knows, in the order of symbols.svg.
func Glyphs() []string { return slices.Clone(files().glyphs) }

// load reads every embedded file. Fonts come first, so that the style sheets
// that name them can name their addresses.
func load() *tree {
	t := &tree{byName: map[string]*file{}, byAddress: map[string]*file{}}
	var late []string
	err := fs.WalkDir(embedded, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case path.Ext(name) == ".css":
			late = append(late, name)
			return nil
		}
		return t.add(name)
	})
	for _, name := range late {
		if err == nil {
			err = t.add(name)
		}
	}
	if err != nil {
		panic(fmt.Sprintf("static: %v", err))
	}
	for _, m := range symbolID.FindAllSubmatch(t.byName["symbols.svg"].body, -1) {
		t.glyphs = append(t.glyphs, string(m[1]))
	}
	return t
}

func (t *tree) add(name string) error {
	body, err := embedded.ReadFile(name)
	if err != nil {
		return err
	}
	if path.Ext(name) == ".css" {
		if body, err = t.resolve(name, body); err != nil {
			return err
		}
	}
	f := &file{body: body, media: media(name), address: Prefix + hashed(name, body)}
	if path.Ext(name) != ".woff2" {
		f.gzip = sync.OnceValue(func() []byte { return gzipped(body) })
		f.brotli = sync.OnceValue(func() []byte { return brotlied(body) })
	}
	t.byName[name] = f
	t.byAddress[f.address] = f
	return nil
}

// resolve replaces the relative addresses of a style sheet by hashed ones. All
// style sheets lie at the top, so the addresses stay relative.
func (t *tree) resolve(name string, body []byte) ([]byte, error) {
	var missing error
	out := cssURL.ReplaceAllFunc(body, func(m []byte) []byte {
		target := string(cssURL.FindSubmatch(m)[1])
		f, ok := t.byName[target]
		if !ok {
			missing = fmt.Errorf("%s names %q, which does not exist", name, target)
			return m
		}
		return []byte(`url("` + strings.TrimPrefix(f.address, Prefix) + `")`)
	})
	return out, missing
}

// hashed puts the first ten hex digits of the content's SHA-256 before the
// extension.
func hashed(name string, body []byte) string {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:5]) + ext
}

func media(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	case ".json":
		return "application/json"
	default:
		return "text/plain; charset=utf-8"
	}
}

// The compressors below write into memory at levels that exist, so they
// cannot fail.

func gzipped(body []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = w.Write(body)
	_ = w.Close()
	return b.Bytes()
}

func brotlied(body []byte) []byte {
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, brotli.BestCompression)
	_, _ = w.Write(body)
	_ = w.Close()
	return b.Bytes()
}
