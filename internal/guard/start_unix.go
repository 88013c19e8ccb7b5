//go:build unix

package guard

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"syscall"

	"github.com/charmbracelet/x/term"
)

// modesOf are the modes of a terminal; nil where it has none.
func modesOf(tty *os.File) json.RawMessage {
	state, err := term.GetState(tty.Fd())
	if err != nil {
		return nil
	}
	modes, _ := json.Marshal(state.Termios)
	return modes
}

// start runs the guard: its input is the pipe, its output the terminal. It also gets
// what the runtime says of a failure. Where belay's errors go to the terminal, the
// guard prints that, as the screen that this was written to is gone with belay.
func (g *Guard) start() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	crashR, crashW, err := os.Pipe()
	if err != nil {
		_ = w.Close()
		return err
	}
	g.crash = crashW
	defer func() { _ = crashR.Close() }()
	cmd := &exec.Cmd{
		Path: self, Args: []string{name}, Dir: "/", Stdin: r, Stdout: g.out, ExtraFiles: []*os.File{g.in, crashR},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	g.pipe = w
	g.tellAll()
	if err := cmd.Start(); err != nil {
		_ = w.Close()
		g.pipe = nil
		g.hush()
		return err
	}
	gone := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(gone)
		g.startAgain(gone)
	}()
	g.gone = gone
	// The guard takes the end of the crash pipe for belay's end. Where the runtime has
	// not duplicated the writing end (EMFILE), it stays open here.
	if g.setCrashOutput(crashW, debug.CrashOptions{}) == nil {
		_ = crashW.Close()
		g.crash = nil
	}
	return nil
}

// startAgain replaces a guard that has ended before belay, because somebody has
// killed it, but not without end.
func (g *Guard) startAgain(gone chan struct{}) {
	g.mu.Lock()
	isLast := g.gone == gone && !g.over
	mayStart := isLast && g.restarts < maxRestarts
	if isLast {
		if g.pipe != nil {
			_ = g.pipe.Close()
			g.pipe = nil
		}
		g.hush()
	}
	switch {
	case mayStart:
		g.restarts++
	case isLast:
		g.lose(fmt.Sprintf("ended %d times, and is not replaced any more", g.restarts+1))
	}
	g.mu.Unlock()
	if mayStart {
		_ = g.Start()
	}
}

// maxRestarts bounds how often a guard that was killed is replaced.
const maxRestarts = 3
