package login

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"belay/mcpclient/settings"
)

const (
	lockPatience = exchangeLimit + 5*time.Second // longer than a renewal takes
	lockPause    = 20 * time.Millisecond         // between two tries
)

// lock keeps every other belay from renewing g until unlock is called: a refresh
// token is often good for one use, and the second user would lose the login. It
// waits for another holder, but not for ever: so long a holder is stuck. Where a
// file cannot be locked there is nothing to wait for.
func (s store) lock(ctx context.Context, g *grant) (undo func()) {
	nothing := func() {}
	if s.dir == "" || os.MkdirAll(s.dir, 0o700) != nil || settings.Check(s.dir) != nil {
		return nothing
	}
	f, err := os.OpenFile(filepath.Join(s.dir, "lock-"+hash(g.file())), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nothing
	}
	undo = func() { _ = f.Close() } // which gives the lock back
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	pause := time.NewTicker(lockPause)
	defer pause.Stop()
	for {
		got, err := tryLock(f)
		if err != nil || got {
			return undo
		}
		if s.waits != nil {
			s.waits()
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return undo
		}
	}
}
