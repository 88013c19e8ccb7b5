package cli

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// tellRounds is how often a signal is handed on in a test: one that comes back
// does so nearly every time.
const tellRounds = 200

// A signal that is handed on to the editor's group comes back to belay, which is
// one of it. It is not told of it twice, even where the main thread is still in
// the handler of the first: the second one would kill the editor that is saving.
func TestASignalThatIsHandedOnDoesNotComeBack(t *testing.T) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childVar+"=tell")
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := fmt.Sprintf("told 0 times in %d rounds\n", tellRounds); string(out) != want {
		t.Errorf("%swant %s", out, want)
	}
}

func init() {
	if os.Getenv(childVar) == "tell" {
		runtime.LockOSThread() // the main goroutine stays on the main thread
	}
	children["tell"] = tellGroup
}

// tellGroup hands SIGTERM on again and again while the main thread blocks it, and
// prints how often it came back.
func tellGroup() int {
	signals, round := make(chan os.Signal, 8), make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	signal.Notify(round, syscall.SIGWINCH)
	l := editorSession{signals: signals, process: &os.Process{Pid: os.Getpid()}}
	all, none := unix.Sigset_t{}, unix.Sigset_t{}
	for i := range all.Val {
		all.Val[i] = ^all.Val[i]
	}
	told := 0
	for range tellRounds {
		_ = unix.PthreadSigmask(unix.SIG_SETMASK, &all, &none)
		over := make(chan error)
		go func() { over <- l.tell(syscall.SIGTERM) }()
		err := <-over
		_ = unix.PthreadSigmask(unix.SIG_SETMASK, &none, nil)
		if err != nil {
			fmt.Println(err)
			return 1
		}
		// Signals are told in the order of their numbers: before this one all that
		// came is in its channel.
		_ = syscall.Kill(os.Getpid(), syscall.SIGWINCH)
		<-round
		for len(signals) > 0 {
			<-signals
			told++
		}
	}
	fmt.Printf("told %d times in %d rounds\n", told, tellRounds)
	return 0
}
