package cli

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// wayRig is a way out of a screen that does nothing by itself.
type wayRig struct {
	wayOut
	began time.Time
	done  []string // what was done, each with its time
	quit  bool     // the loop has begun to quit
	ended chan struct{}
}

func onWayOut(t *testing.T, f func(r *wayRig)) {
	synctest.Test(t, func(*testing.T) {
		over := make(chan struct{})
		r := &wayRig{began: time.Now(), ended: make(chan struct{})}
		note := func(what string) { r.done = append(r.done, what+" "+time.Since(r.began).String()) }
		r.wayOut = wayOut{
			signals: make(chan os.Signal, 4), twice: make(chan int, 1), ended: r.ended, over: over,
			quits:    func() bool { return r.quit },
			begin:    func(sig os.Signal) { note("begin by " + sig.String()) },
			atOnce:   func() { note("at once") },
			takeBack: func() { note("take back") },
			fall:     func(sig os.Signal) { note("fall by " + sig.String()) },
		}
		go r.watch()
		synctest.Wait()
		f(r)
		close(over)
	})
}

func (r *wayRig) after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (r *wayRig) press(n int) {
	r.twice <- n
	synctest.Wait()
}

func (r *wayRig) want(t *testing.T, done ...string) {
	t.Helper()
	if !slices.Equal(r.done, done) {
		t.Errorf("done:\n%s\nwant:\n%s", strings.Join(r.done, "\n"), strings.Join(done, "\n"))
	}
}

// Whatever the loop does, the server is told to end at once, and the terminal is
// given back within three seconds.
func TestTheWayOut(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP, os.Interrupt} {
		onWayOut(t, func(r *wayRig) {
			r.signals <- sig
			r.after(time.Minute)
			r.want(t, "begin by "+sig.String()+" 0s", "take back 2.5s")
		})
	}
	t.Run("ctrl+c twice, and the loop is stuck", func(t *testing.T) {
		onWayOut(t, func(r *wayRig) {
			r.press(2)
			r.after(time.Minute)
			r.want(t, "begin by interrupt 500ms", "take back 2.5s")
		})
	})
	t.Run("ctrl+c twice, and the server does not end", func(t *testing.T) {
		onWayOut(t, func(r *wayRig) {
			r.quit = true
			r.press(2)
			r.after(time.Minute)
			r.want(t, "take back 2.5s")
		})
	})
	t.Run("once more", func(t *testing.T) {
		onWayOut(t, func(r *wayRig) {
			r.signals <- syscall.SIGTERM
			r.after(100 * time.Millisecond)
			r.signals <- syscall.SIGTERM
			r.after(time.Minute)
			r.want(t, "begin by terminated 0s", "at once 100ms", "take back 1.1s")
		})
		onWayOut(t, func(r *wayRig) {
			r.press(2)
			r.after(time.Second)
			r.press(3)
			r.after(time.Minute)
			r.want(t, "begin by interrupt 500ms", "at once 1s", "take back 2s")
		})
	})
	t.Run("SIGTERM and SIGHUP together, as at a logout", func(t *testing.T) {
		onWayOut(t, func(r *wayRig) {
			r.signals <- syscall.SIGTERM
			r.signals <- syscall.SIGHUP
			r.after(time.Minute)
			r.want(t, "begin by terminated 0s", "take back 2.5s")
		})
	})
	t.Run("late, and once more", func(t *testing.T) {
		onWayOut(t, func(r *wayRig) {
			r.signals <- syscall.SIGTERM
			r.after(2 * time.Second)
			r.signals <- syscall.SIGTERM
			r.after(time.Minute)
			r.want(t, "begin by terminated 0s", "at once 2s", "take back 2.5s")
		})
	})
	t.Run("a key that is held", func(t *testing.T) {
		onWayOut(t, func(r *wayRig) {
			for n := range 5 {
				r.press(n + 2)
				r.after(10 * time.Millisecond)
			}
			r.after(time.Minute)
			r.want(t, "begin by interrupt 500ms", "take back 2.5s")
		})
	})
	t.Run("the screen ends in time", func(t *testing.T) {
		onWayOut(t, func(r *wayRig) {
			r.signals <- syscall.SIGTERM
			r.after(time.Second)
			close(r.ended)
			r.after(time.Minute)
			r.want(t, "begin by terminated 0s")
			r.signals <- os.Interrupt // at the lines of the normal screen
			r.after(time.Minute)
			r.want(t, "begin by terminated 0s", "at once 1m1s")
		})
		onWayOut(t, func(r *wayRig) {
			r.press(2)
			close(r.ended)
			r.after(time.Minute)
			r.want(t)
		})
	})
}
