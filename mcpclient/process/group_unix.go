//go:build unix

package process

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// CanTerminate reports whether the system can ask a process to end.
const CanTerminate = true

// KilledGroup says what [Group.Kill] did, for people.
const KilledGroup = "sent SIGKILL to its process group"

// prepare gives the process a session of its own, and with it a process group:
// keys typed in our terminal send it no signal (STD-31), it can be ended with
// all of its children, and it has no /dev/tty to write into our screen with.
func prepare(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// Group is the process group of a server. Its number is the leader's PID.
type Group struct{ id int }

func newGroup(p *os.Process) Group { return Group{id: p.Pid} }

// Number is how others name it.
func (g Group) Number() int { return g.id }

// Terminate asks all of the group to end; where the system cannot, it does nothing.
func (g Group) Terminate() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }

// Kill ends all of the group at once.
func (g Group) Kill(*os.Process) { _ = syscall.Kill(-g.id, syscall.SIGKILL) }

// IsAlive reports whether somebody is left in the group; also one who has ended and
// was not waited for yet.
func (g Group) IsAlive() bool { return !errors.Is(syscall.Kill(-g.id, 0), syscall.ESRCH) }

// Release lets go of what the system holds for the group.
func (g Group) Release() {}

// IsBrokenPipe reports whether a write failed because nobody reads any more.
func IsBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

func (w inputPipe) WriteTimed(b []byte, now func() time.Time) (done []Piece, err error) {
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
			done = append(done, Piece{n, at})
		}
		return true
	}) != nil {
		err = os.ErrClosed // nothing else ends the wait
	}
	return done, err
}

// maxWrite is what some systems write at once.
const maxWrite = 1 << 30

func (w inputPipe) WaitWritable() {
	conn, err := w.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Write(func(fd uintptr) bool { return poll(fd, unix.POLLOUT) != 0 })
}

func (w inputPipe) ClosedByReader() bool {
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
