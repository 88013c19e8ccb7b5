//go:build unix

package settings

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A belay that waited for a lock whose holder has removed its file has the lock of the file
// that is made then: the next one waits for it.
func TestALockWhoseFileIsRemoved(t *testing.T) {
	dir, _, _ := place(t, 0o700, 0o700, 0o600)
	s := Files{Dir: dir}
	path := filepath.Join(dir, "lock")
	first := s.Lock(t.Context(), "lock", nil)
	waits, second := make(chan struct{}, 1), make(chan func())
	go func() {
		second <- s.Lock(t.Context(), "lock", func() {
			select {
			case waits <- struct{}{}:
			default:
			}
		})
	}()
	<-waits
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	first()
	undo := <-second
	defer undo()

	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	s.Lock(ctx, "lock", cancel)()
	if ctx.Err() == nil {
		t.Error("two have the lock at once")
	}
}
