package mcpclient

import (
	"errors"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// canTerminate is false: Windows has no SIGTERM.
const canTerminate = false

const killedGroup = "terminated its job"

// prepare keeps the process away from our console and its ctrl+c.
func prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW,
	}
}

// group is the job object that holds a server and the processes it starts. Its
// job is 0 when the system refused one: then only the server itself is ended.
type group struct{ job *job }

type job struct {
	mu     sync.Mutex
	handle windows.Handle
}

func newGroup(p *os.Process) group {
	h, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return group{job: &job{}}
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(h, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = assign(h, uint32(p.Pid))
	}
	if err != nil {
		_ = windows.CloseHandle(h)
		h = 0
	}
	return group{job: &job{handle: h}}
}

func assign(h windows.Handle, pid uint32) error {
	p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(p) }()
	return windows.AssignProcessToJobObject(h, p)
}

// number is 0: nobody else can name it, or needs to.
func (g group) number() int { return 0 }

func (g group) terminate() {}

func (g group) kill(p *os.Process) {
	g.job.mu.Lock()
	defer g.job.mu.Unlock()
	if g.job.handle != 0 {
		_ = windows.TerminateJobObject(g.job.handle, 1)
		return
	}
	_ = p.Kill()
}

// isAlive is false: what is left is ended by kill without being asked.
func (g group) isAlive() bool { return false }

func (g group) release() {
	g.job.mu.Lock()
	defer g.job.mu.Unlock()
	if g.job.handle != 0 {
		_ = windows.CloseHandle(g.job.handle)
		g.job.handle = 0
	}
}

func isBrokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}

// waitWritable returns at once: Windows cannot say whether a pipe has room.
func (w inputPipe) write(b []byte, now func() time.Time) ([]piece, error) {
	return writePlainly(w.File, b, now)
}

func (inputPipe) waitWritable() {}

// closedByReader cannot be known before something is written.
func (inputPipe) closedByReader() bool { return false }
