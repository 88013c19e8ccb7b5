//go:build unix

package guard

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A server whose group belay did not live to tell is found by its stdin, and ended with its
// children, whether the guard ran already or not. One that is settled is not looked for.
func TestAGuardFindsAServerThatIsBeingStarted(t *testing.T) {
	g := New(os.Stdin, os.Stdout, "")
	begin := func() (c *exec.Cmd, settled func()) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		settled = g.Expect(r)
		c = exec.Command("sh", "-c", "sleep 1000 & wait")
		c.Stdin, c.SysProcAttr = r, &syscall.SysProcAttr{Setsid: true}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		_ = r.Close()
		t.Cleanup(func() {
			_ = w.Close()
			_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
			_ = c.Wait()
		})
		return c, settled
	}
	early, _ := begin()
	known, settled := begin()
	settled()
	if err := g.Start(); err != nil {
		t.Fatal(err)
	}
	late, _ := begin()
	other, settled := begin()
	settled()
	g.End()
	if runtime.GOOS == "linux" {
		giveUp := time.AfterFunc(time.Minute, func() {
			_, _ = syscall.Kill(-early.Process.Pid, syscall.SIGKILL), syscall.Kill(-late.Process.Pid, syscall.SIGKILL)
		})
		defer giveUp.Stop()
		for _, c := range []*exec.Cmd{early, late} {
			state, err := c.Process.Wait()
			if err != nil || state.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
				t.Errorf("%v, %v", state, err)
			}
		}
	}
	select {
	case <-g.gone:
	case <-time.After(time.Minute):
		t.Error("the guard does not end")
	}
	for _, c := range []*exec.Cmd{known, other} {
		if err := syscall.Kill(c.Process.Pid, 0); err != nil {
			t.Errorf("another one was ended: %v", err)
		}
	}
}

// A server that was not begun after all is not looked for without end.
func TestAServerThatIsNotFound(t *testing.T) {
	left := newRemains()
	left.listen(strings.NewReader(`{"stdin":"pipe:[0]","lives":true}` + "\n" + `{"stdin":"pipe:[1]","lives":true}` + "\n" + `{"stdin":"pipe:[1]"}` + "\n"))
	if len(left.stdins) != 1 {
		t.Errorf("%v", left.stdins)
	}
	if left.find(3 * look); len(left.groups) != 0 {
		t.Errorf("%v", left.groups)
	}
	if nameOf(nil) != "" {
		t.Error("what is no file has a name")
	}
}
