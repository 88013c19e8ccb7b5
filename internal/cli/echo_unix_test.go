//go:build unix

package cli

import (
	"bufio"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// A shell shows what is typed while belay is stopped, and may leave it so: once belay
// goes on, a secret is hidden again.
func TestASecretIsHiddenAgainAfterAStop(t *testing.T) {
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = master.Close(), tty.Close() }()
	shell, err := term.GetState(tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	typed := make(chan string)
	go func() {
		text, err := (&ttyPrompter{in: tty, out: tty}).secret("secret? ")
		if err != nil {
			text = err.Error()
		}
		typed <- text
	}()
	seen := bufio.NewReader(master)
	if _, err := seen.ReadString('?'); err != nil {
		t.Fatal(err)
	}
	if err := term.SetState(tty.Fd(), shell); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if _, err := seen.ReadString('?'); err != nil {
		t.Fatal(err)
	}
	if echoes(t, tty.Fd()) {
		t.Error("what is typed is shown")
	}
	if _, err := master.WriteString("hunter2\n"); err != nil {
		t.Fatal(err)
	}
	if text := <-typed; text != "hunter2" {
		t.Errorf("%q", text)
	}
	if !echoes(t, tty.Fd()) {
		t.Error("the terminal was not given back")
	}
}

// A signal that comes with the prompt gives the terminal back, and nothing takes it once more.
func TestASignalThatComesWithThePrompt(t *testing.T) {
	for range 100 {
		master, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		failed := make(chan error, 1)
		go func() {
			_, err := (&ttyPrompter{in: tty, out: tty}).secret("secret? ")
			failed <- err
		}()
		if _, err := bufio.NewReader(master).ReadString('?'); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if err := <-failed; !errors.Is(err, errNoAnswer) {
			t.Fatalf("a signal ended the question with %v", err)
		}
		time.Sleep(time.Millisecond)
		if !echoes(t, tty.Fd()) {
			t.Fatal("the terminal was not given back")
		}
		_ = master.Close() // which ends the reading
		_ = tty.Close()
	}
}

// echoes reports whether a terminal shows what is typed.
func echoes(t *testing.T, fd uintptr) bool {
	t.Helper()
	now, err := term.GetState(fd)
	if err != nil {
		t.Fatal(err)
	}
	return now.Lflag&unix.ECHO != 0
}
