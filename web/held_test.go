package web

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"demarc/store/posture"
)

func files(name string, size int) importFiles {
	return importFiles{results: &posture.Upload{Name: name, Body: make([]byte, size)}}
}

func newHeld() (*heldFiles, *time.Time) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	return &heldFiles{clock: func() time.Time { return now }}, &now
}

func (h *heldFiles) names(t *testing.T, person int64, most int) (names []string) {
	t.Helper()
	for i := range most {
		if f, found := h.get(person, strconv.Itoa(i)); found {
			names = append(names, f.results.Name)
		}
	}
	return names
}

func TestHeldFilesAreTheirPersonsAlone(t *testing.T) {
	t.Parallel()
	h, _ := newHeld()
	h.put(1, "a", files("mine", 10))
	if _, found := h.get(2, "a"); found {
		t.Error("another person gets it")
	}
	if f, found := h.get(1, "a"); !found || f.results.Name != "mine" {
		t.Error("its person does not get it")
	}
	h.forget(1, "a")
	if _, found := h.get(1, "a"); found || h.size != 0 {
		t.Errorf("it is still held, %d bytes", h.size)
	}
}

func TestHeldFilesWaitForAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	h, now := newHeld()
	h.put(1, "a", files("a", 10))
	*now = now.Add(heldFor - time.Second)
	if _, found := h.get(1, "a"); !found {
		t.Error("gone too early")
	}
	*now = now.Add(time.Second)
	if _, found := h.get(1, "a"); found || h.size != 0 {
		t.Errorf("still there, %d bytes", h.size)
	}
}

func TestHeldFilesAreBounded(t *testing.T) {
	t.Parallel()
	h, _ := newHeld()
	for i := range heldPerPerson + 3 {
		h.put(1, strconv.Itoa(i), files("f"+strconv.Itoa(i), 1))
	}
	if got := h.names(t, 1, 20); len(got) != heldPerPerson || got[0] != "f3" {
		t.Errorf("a person holds %v", got)
	}
	h.put(1, "5", files("again", 1))
	if got := h.names(t, 1, 20); len(got) != heldPerPerson {
		t.Errorf("the same file again takes another's place: %v", got)
	}
	for i := range 11 {
		h.put(int64(100+i), "x", files("big", 10<<20))
		if h.size > heldBytes {
			t.Fatalf("%d bytes are held", h.size)
		}
	}
	if got := h.names(t, 1, 20); len(got) != 0 {
		t.Errorf("the oldest stay: %v", got)
	}
	if _, found := h.get(110, "x"); !found {
		t.Error("the newest is gone")
	}
}

// TestReceivedFilesStayInMemory holds an upload of any size that a request may
// carry off the disk.
func TestReceivedFilesStayInMemory(t *testing.T) {
	t.Parallel()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", "results.xml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(make([]byte, 11<<20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/evidence/import", &body)
	r.Header.Set("Content-Type", w.FormDataContentType())
	s := &Server{clock: func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }}
	ask := s.readImport(echo.New().NewContext(r, httptest.NewRecorder()))
	if err := ask.form.Err(); err != nil || len(ask.results.Body) != 11<<20 {
		t.Fatalf("read %d bytes, %v", len(ask.results.Body), err)
	}
	file, err := ask.form.files["file"][0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, onDisk := file.(*os.File); onDisk {
		t.Error("the file waits on disk")
	}
}
