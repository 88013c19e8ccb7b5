package mcpclient

import (
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"belay/session"
)

// rootsLimit bounds how long a look at the roots may take: a disk on the
// network may never answer.
const rootsLimit = 2 * time.Second

// lookAtRoots carries out an OpRoots, and tells the core what it found.
func (c *Client) lookAtRoots(out session.Output) {
	found := make(chan []session.Root, 1)
	go func() { found <- unreadable(out.Roots) }()
	late := time.NewTimer(rootsLimit)
	defer late.Stop()
	var gone []session.Root
	var failure string
	select {
	case gone = <-found:
	case <-late.C:
		failure = "the roots could not be looked at: the disk does not answer"
	}
	c.tell(session.RootsChecked{Seq: out.Seq, Gone: gone, Failure: failure})
}

// unreadable are those of the roots that are no directory, or none that may be
// read.
func unreadable(roots []session.Root) (gone []session.Root) {
	for _, r := range roots {
		if !readable(r.URI) {
			gone = append(gone, r)
		}
	}
	return gone
}

func readable(uri string) bool {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return false
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // before a drive letter
	}
	path = filepath.FromSlash(path)
	if info, err := os.Stat(path); err != nil || !info.IsDir() { // opening a pipe would wait for its other end
		return false
	}
	dir, err := os.Open(path)
	if err != nil {
		return false
	}
	_ = dir.Close()
	return true
}
