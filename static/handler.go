package static

import (
	"net/http"
	"strconv"
	"strings"
)

// forever is the Cache-Control of every file: its address changes when its
// content does.
const forever = "public, max-age=31536000, immutable"

// Handler serves the files by their hashed addresses, compressed as the browser
// accepts. Any other path under Prefix is a 404 without a page.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := files().byAddress[r.URL.Path]
		if !ok {
			w.Header().Set("Cache-Control", "no-store")
			http.Error(w, "There is no such file.", http.StatusNotFound)
			return
		}
		h := w.Header()
		h.Set("Content-Type", f.media)
		h.Set("Cache-Control", forever)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Vary", "Accept-Encoding")
		body, encoding := f.encoded(r.Header.Get("Accept-Encoding"))
		if encoding != "" {
			h.Set("Content-Encoding", encoding)
		}
		h.Set("Content-Length", strconv.Itoa(len(body)))
		if r.Method != http.MethodHead {
			// The client may leave; there is nobody to tell.
			_, _ = w.Write(body)
		}
	})
}

// encoded picks the smallest form that the Accept-Encoding header allows.
func (f *file) encoded(accept string) (body []byte, encoding string) {
	switch {
	case f.brotli != nil && accepts(accept, "br"):
		return f.brotli(), "br"
	case f.gzip != nil && accepts(accept, "gzip"):
		return f.gzip(), "gzip"
	default:
		return f.body, ""
	}
}

// accepts says whether a content coding stands in an Accept-Encoding header
// and is not refused by q=0.
func accepts(header, coding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, q, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), coding) {
			continue
		}
		weight, found := strings.CutPrefix(strings.TrimSpace(q), "q=")
		if !found {
			return true
		}
		value, err := strconv.ParseFloat(weight, 64)
		return err == nil && value > 0
	}
	return false
}
