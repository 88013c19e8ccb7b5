//go:build unix

package termtest

import (
	"errors"
	"os"
	"syscall"
	"testing"
	"time"
)

// Fill writes to a terminal, by a description of its own, until the terminal takes nothing any more.
func Fill(tb testing.TB, tty *os.File) {
	tb.Helper()
	fd, err := syscall.Open(tty.Name(), syscall.O_WRONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = syscall.Close(fd) }()
	for full := 0; full < 10; { // the kernel moves on what it has taken, and then takes more
		switch _, err := syscall.Write(fd, []byte("xxxxxxxxxxxxxxxx")); {
		case errors.Is(err, syscall.EAGAIN):
			full++
			time.Sleep(10 * time.Millisecond)
		case err != nil:
			tb.Fatal(err)
		default:
			full = 0
		}
	}
}
