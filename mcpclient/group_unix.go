//go:build unix

package mcpclient

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// canTerminate reports whether the system can ask a process to end.
const canTerminate = true

const killedGroup = "sent SIGKILL to its process group"

// prepare gives the process a session of its own, and with it a process group:
// keys typed in our terminal send it no signal (STD-31), it can be ended with
// all of its children, and it has no /dev/tty to write into our screen with.
func prepare(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// group is the process group of a server. Its number is the leader's PID.
type group struct{ id int }

func newGroup(p *os.Process) group { return group{id: p.Pid} }

// number is how others name it.
func (g group) number() int { return g.id }

func (g group) terminate() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }

func (g group) kill(*os.Process) { _ = syscall.Kill(-g.id, syscall.SIGKILL) }

// isAlive reports whether somebody is left in the group; also one who has ended and
// was not waited for yet.
func (g group) isAlive() bool { return !errors.Is(syscall.Kill(-g.id, 0), syscall.ESRCH) }

func (g group) release() {}

func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

func (w inputPipe) write(b []byte, now func() time.Time) (done []piece, err error) {
	conn, err := w.SyscallConn()
	if err != nil {
		return nil, err
	}
	n := 0
	if conn.Write(func(fd uintptr) bool {
		for n < len(b) {
			at := now()
			m, e := unix.Write(int(fd), b[n:min(len(b), n+maxWrite)])
			switch {
			case errors.Is(e, unix.EINTR):
				continue
			case errors.Is(e, unix.EAGAIN):
				return false
			case e != nil:
				err = e
				return true
			}
			n += m
			done = append(done, piece{n, at})
		}
		return true
	}) != nil {
		err = os.ErrClosed // nothing else ends the wait
	}
	return done, err
}

// maxWrite is what some systems write at once.
const maxWrite = 1 << 30

func (w inputPipe) waitWritable() {
	conn, err := w.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Write(func(fd uintptr) bool { return poll(fd, unix.POLLOUT) != 0 })
}

func (w inputPipe) closedByReader() bool {
	conn, err := w.SyscallConn()
	if err != nil {
		return false
	}
	// An error of the write end is reported to readers of it as well, and waiting
	// as one of those does not get in the way of the writer.
	return conn.Read(func(fd uintptr) bool { return poll(fd, 0) != 0 }) == nil
}

// poll asks for what is true of the descriptor now. Errors always are part of it.
func poll(fd uintptr, events int16) int16 {
	fds := []unix.PollFd{{Fd: int32(fd), Events: events}}
	for {
		n, err := unix.Poll(fds, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n == 0 {
			return 0
		}
		return fds[0].Revents
	}
}
