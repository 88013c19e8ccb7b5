package cli

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"belay/internal/guard"
	"belay/internal/headless"
	"belay/internal/requirements"
	"belay/mcpclient"
)

// A panic of belay's own ends the connection, and is told at the end with its stack, whose lines are harmless to
// the terminal.
func TestAPanicIsToldAtTheEnd(t *testing.T) {
	requirements.Rows(t, "SEC-28")
	var done atomic.Bool
	c := mcpclient.New(mcpclient.Options{Command: []string{"cat"}, Now: func() time.Time {
		pcs := make([]uintptr, 64)
		for frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)]); ; {
			f, more := frames.Next()
			if strings.HasSuffix(f.Function, "(*inbox).receive") && done.CompareAndSwap(false, true) {
				panic("oh\x1b[2J no")
			}
			if !more {
				return time.Now()
			}
		}
	}})
	told, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer told.Close()
	h := &headlessClient{
		Runner: headless.New(c), client: c, std: std{err: told}, left: guard.New(os.Stdin, os.Stdout, ""),
		signals: make(chan os.Signal, 1), over: make(chan struct{}),
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if _, err := h.Connect(ctx); err == nil {
		t.Error("it is connected")
	}
	h.close()
	written, err := os.ReadFile(told.Name())
	if err != nil {
		t.Fatal(err)
	}
	text := string(written)
	for _, want := range []string{"belay failed in the reader", "please report it", "(*inbox).receive"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "\x1b") || strings.Count(text, "\n") > mostStack+2 {
		t.Errorf("not fit for a terminal:\n%q", text)
	}
}
