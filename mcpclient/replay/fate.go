package replay

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"time"

	"belay/mcpclient/reason"
	"belay/mcpclient/settings"
	"belay/session"
	"belay/session/journal"
)

// What can become of a file that is followed.
const (
	isTruncated = "the file was truncated"
	isReplaced  = "another file has taken the place of the recording"
	isRewritten = "the file was written anew"
	isGone      = "the file was removed or renamed; what is still written to it is shown"
)

// headMost is how much of the first line is compared: that says when the run began.
const headMost = 256

// OpenToFollow is [Open] for a file that somebody still writes. In one that is empty, or ends
// within its first line, the recording is waited for.
func OpenToFollow(path string) (*File, error) {
	x, err := open(path)
	if errors.Is(err, errEmpty) || errors.Is(err, errBegun) {
		var f *os.File
		if f, err = settings.Open(path, os.O_RDONLY); err == nil {
			return &File{f: f, path: path, blank: true, first: journal.Step{Record: journal.Record{Wall: time.Now(), Config: bounded(session.Config{})}}}, nil
		}
	}
	if err != nil {
		return nil, cannot(path, err)
	}
	return x, nil
}

// becomes says what has become of a file of which so many bytes were read; empty: it is as it
// was, or is longer.
func (x *File) becomes(read int64) string {
	now, err := os.Stat(x.path)
	was, fails := x.f.Stat()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return isGone
	case err != nil || fails != nil:
		return ""
	case !os.SameFile(now, was):
		return isReplaced
	case was.Size() < read:
		return isTruncated
	case !x.beginsAsBefore():
		return isRewritten
	}
	return ""
}

// beginsAsBefore reports whether the first line is the one that was read. What cannot be read
// is told by who reads on.
func (x *File) beginsAsBefore() bool {
	head := make([]byte, len(x.head))
	n, _ := x.f.ReadAt(head, 0)
	return n < len(head) || bytes.Equal(head, x.head)
}

// fate is what has become of the file of a player that follows.
type fate struct {
	waits bool        // it holds no recording now
	cause string      // what became of it before that; empty: it never held one
	tried fs.FileInfo // as it was when a recording was looked for in it; nil: none was
	text  string      // what there is to tell
	told  int         // counts the texts
}

// tell has something told, under the lock.
func (f *fate) tell(text string) {
	f.text = text
	f.told++
}

// isTried reports whether a file is as it was when a recording was looked for in it.
func (f *fate) isTried(now fs.FileInfo) bool {
	return f.tried != nil && now != nil && os.SameFile(now, f.tried) && now.Size() == f.tried.Size() && now.ModTime().Equal(f.tried.ModTime())
}

// watch sees to the file at the end of what was read. One that does not hold the recording any
// more is read from its beginning, once there is a recording in it.
func (p *Player) watch() {
	f := p.fate // which run alone changes
	if !f.waits {
		switch f.cause = p.file.becomes(p.shown.in.off); f.cause {
		case "":
			return
		case isGone:
			if f.text != isGone {
				p.befalls(true, func() { p.fate.tell(isGone) })
			}
			return
		}
	}
	now, _ := os.Stat(p.file.path)
	if f.isTried(now) {
		return
	}
	x, err := open(p.file.path)
	if err == nil {
		was := f.cause
		if f.waits {
			was = "a recording has begun in the file"
		}
		p.beginWith(x, was+": it is shown from its beginning")
		return
	}
	f.waits, f.tried = true, now
	text := waitWords(f.cause, err)
	news := text != f.text
	if news {
		f.tell(text)
	}
	p.befalls(news, func() { p.fate, p.shown.over = f, true })
}

// waitWords say that a recording is waited for, and why.
func waitWords(cause string, err error) string {
	is := err.Error()
	switch at, ok := errors.AsType[*fs.PathError](err); {
	case errors.Is(err, fs.ErrNotExist):
		is = "it is not there any more"
	case ok:
		is = "it cannot be read (" + reason.Of(at) + ")"
	}
	if cause == "" {
		return is + "; belay waits for a recording to begin in it"
	}
	return cause + ", and now " + is + "; what was read before stays, and belay waits for a recording to begin in it"
}

// befalls changes what is known of the file under the lock, and has news shown.
func (p *Player) befalls(news bool, f func()) {
	p.mu.Lock()
	f()
	p.mu.Unlock()
	if news {
		p.signal()
	}
}

// beginWith shows the recording of another file, or of the same once more.
func (p *Player) beginWith(x *File, text string) {
	before := p.file
	p.befalls(true, func() {
		p.halt()
		p.file, p.shown, p.goal = x, newPlayback(x, true), goal{on: true, until: -1}
		p.plays, p.still, p.marks, p.known, p.whole = false, 0, [numMarks][]int64{}, 0, false
		p.fresh++
		p.heard = time.Now()
		p.fate = fate{told: p.fate.told}
		p.fate.tell(text)
	})
	p.shelf = shelf{}
	_ = before.Close() // which was only read
}
