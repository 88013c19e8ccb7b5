package process

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

// CanTerminate is false: Windows has no SIGTERM.
const CanTerminate = false

// KilledGroup says what [Group.Kill] did, for people.
const KilledGroup = "terminated its job"

// prepare keeps the process away from our console and its ctrl+c.
func prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW,
	}
}

// Group is the job object that holds a server and the processes it starts. Its
// job is 0 when the system refused one: then only the server itself is ended.
type Group struct{ job *job }

type job struct {
	mu     sync.Mutex
	handle windows.Handle
}

func newGroup(p *os.Process) Group {
	h, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return Group{job: &job{}}
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
	return Group{job: &job{handle: h}}
}

func assign(h windows.Handle, pid uint32) error {
	p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(p) }()
	return windows.AssignProcessToJobObject(h, p)
}

// Number is 0: nobody else can name it, or needs to.
func (g Group) Number() int { return 0 }

// Terminate does nothing here.
func (g Group) Terminate() {}

// Kill ends all processes of the job, or p where there is no job.
func (g Group) Kill(p *os.Process) {
	g.job.mu.Lock()
	defer g.job.mu.Unlock()
	if g.job.handle != 0 {
		_ = windows.TerminateJobObject(g.job.handle, 1)
		return
	}
	_ = p.Kill()
}

// IsAlive is false: what is left is ended by Kill without being asked.
func (g Group) IsAlive() bool { return false }

// Release closes the job.
func (g Group) Release() {
	g.job.mu.Lock()
	defer g.job.mu.Unlock()
	if g.job.handle != 0 {
		_ = windows.CloseHandle(g.job.handle)
		g.job.handle = 0
	}
}

// IsBrokenPipe reports whether a write failed because nobody reads any more.
func IsBrokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}

func (w inputPipe) WriteTimed(b []byte, now func() time.Time) ([]Piece, error) {
	at := now()
	n, err := w.Write(b)
	return []Piece{{n, at}}, err
}

// WaitWritable returns at once: Windows cannot say whether a pipe has room.
func (inputPipe) WaitWritable() {}

// ClosedByReader cannot be known before something is written.
func (inputPipe) ClosedByReader() bool { return false }
