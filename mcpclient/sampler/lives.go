package sampler

import (
	"errors"
	"slices"
	"sync"
	"time"

	"belay/session/witness"
)

// mostLives is how many processes are read at a moment that is noted: each costs some microseconds, in which a
// cancel waits.
const mostLives = 32

// Lives tell which processes of a server lived at a moment, the last one that was noted: a server may end a process
// within a fraction of a millisecond of a cancel, and by the next sample nobody could tell whether that was before the
// cancel or after it. Several goroutines may use them, and none needs to be made. Where to read a process takes
// longer than on Linux, nothing is noted.
type Lives struct {
	mu   sync.Mutex
	src  source
	all  []life    // by the latest sample; of a server with more than are read: none
	at   time.Time // that was noted; zero: nothing was, since it was asked for last
	read []witness.Process
}

// life is a process, and what is known of it without reading it again.
type life struct {
	pid                    int
	start                  int64
	late                   time.Duration // see [known]
	files                  int
	noFiles, noConnections bool
}

// watch takes the processes that are known, of which one is the server's own.
func (l *Lives) watch(all []*known) {
	if !readsQuickly {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.at.IsZero() && !l.isInOrder(all) {
		l.at = time.Time{}
	}
	l.all = l.all[:0]
	if len(all) > mostLives {
		return
	}
	for _, k := range all {
		l.all = append(l.all, life{k.last.PID, k.last.Start, k.late, k.files, k.noFiles, k.noConnections})
	}
}

// isInOrder reports whether the noted moment can be told behind the sample that was under way meanwhile and found all these
// processes. The note was asked for each of them, and the sample has each process that the note read. Otherwise the note
// would end a process that lives, or revive one that has ended.
func (l *Lives) isInOrder(all []*known) bool {
	for _, k := range all {
		if !slices.ContainsFunc(l.all, func(asked life) bool { return asked.pid == k.last.PID && asked.start == k.last.Start }) {
			return false
		}
	}
	for _, p := range l.read {
		if !slices.ContainsFunc(all, func(k *known) bool { return k.last.PID == p.PID && k.last.Start == p.Start }) {
			return false
		}
	}
	return true
}

// Note notes a moment, which is now. Of a server without other processes it costs nothing.
func (l *Lives) Note(at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) < 2 {
		return
	}
	if l.src == nil {
		l.src = newSource()
	}
	l.src.begin(at)
	l.at, l.read = at, l.read[:0]
	for _, k := range l.all {
		r, err := l.src.read(k.pid)
		switch {
		case errors.Is(err, errGone) || err == nil && r.Start != k.start:
			continue
		case err != nil: // nobody can tell
			l.at = time.Time{}
			return
		}
		p := r.Process
		p.Name = cut(p.Name)
		p.Age -= k.late
		p.Files, p.NoFiles, p.NoConnections = k.files, k.noFiles, k.noConnections
		l.read = append(l.read, p)
	}
}

// take returns the processes at the moment that was noted, once; false: none was since the last one.
func (l *Lives) take() (at time.Time, all []witness.Process, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at.IsZero() {
		return at, nil, false
	}
	at, l.at = l.at, time.Time{}
	return at, slices.Clone(l.read), true
}
