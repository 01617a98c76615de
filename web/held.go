package web

import (
	"slices"
	"sync"
	"time"

	"demarc/store/posture"
)

// heldFiles keeps the files of imports between their preview and their
// confirmation. Received bytes may hold secrets and are never stored, and a
// file does not fit a hidden field: they wait in memory alone, for a short
// time, by person and digest. Another replica does not have them, nor does a
// server that was started anew: the person is then asked to choose the file
// again. That is the only thing that a replica remembers, and nothing depends
// on it.
type heldFiles struct {
	mu    sync.Mutex
	clock func() time.Time
	// list is in the order of age, the oldest first.
	list []heldFile
	size int
}

// heldFile is a results file with the files that came with it.
type heldFile struct {
	person int64
	sha256 string
	until  time.Time
	importFiles
}

// importFiles are what one import is made of; the mapping and the identity
// file may be nil.
type importFiles struct {
	results  *posture.Upload
	mapping  *posture.Upload
	identity *posture.Upload
}

func (f *importFiles) size() int {
	n := 0
	for _, u := range []*posture.Upload{f.results, f.mapping, f.identity} {
		if u != nil {
			n += len(u.Body)
		}
	}
	return n
}

// The bounds of what is held.
const (
	heldFor       = 15 * time.Minute
	heldPerPerson = 10
	heldBytes     = 100 << 20
)

// put holds files for a person under the digest of the results. The person's
// oldest, and then anybody's, make room.
func (h *heldFiles) put(person int64, sha256 string, files importFiles) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.clock()
	h.drop(func(f *heldFile) bool { return !f.until.After(now) || (f.person == person && f.sha256 == sha256) })
	theirs := 0
	for i := range h.list {
		if h.list[i].person == person {
			theirs++
		}
	}
	if theirs >= heldPerPerson {
		oldest := slices.IndexFunc(h.list, func(f heldFile) bool { return f.person == person })
		h.remove(oldest)
	}
	for len(h.list) > 0 && h.size+files.size() > heldBytes {
		h.remove(0)
	}
	h.list = append(h.list, heldFile{person: person, sha256: sha256, until: now.Add(heldFor), importFiles: files})
	h.size += files.size()
}

// get gives the files held for a person under a digest; found is false when
// they are gone.
func (h *heldFiles) get(person int64, sha256 string) (files importFiles, found bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.clock()
	h.drop(func(f *heldFile) bool { return !f.until.After(now) })
	for i := range h.list {
		if h.list[i].person == person && h.list[i].sha256 == sha256 {
			return h.list[i].importFiles, true
		}
	}
	return importFiles{}, false
}

// forget drops what a person imported or gave up.
func (h *heldFiles) forget(person int64, sha256 string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(func(f *heldFile) bool { return f.person == person && f.sha256 == sha256 })
}

func (h *heldFiles) drop(gone func(*heldFile) bool) {
	for i := 0; i < len(h.list); {
		if gone(&h.list[i]) {
			h.remove(i)
		} else {
			i++
		}
	}
}

func (h *heldFiles) remove(i int) {
	h.size -= h.list[i].size()
	h.list = slices.Delete(h.list, i, i+1)
}
