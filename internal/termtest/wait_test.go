//go:build unix

package termtest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestAWaitInVainShowsTheScreen(t *testing.T) {
	t.Parallel()
	o := Options{
		Argv: []string{"/bin/sh", "-c", `printf 'one\r\n\033[32mtwo'; read x`},
		Cols: 12, Rows: 3, Timeout: 50 * time.Millisecond,
	}
	term, err := Start(t, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := term.WaitFor(func(s Screen) bool { return s.Contains("two") }, time.Minute); err != nil {
		t.Fatal(err)
	}
	err = term.WaitText("three")
	if err == nil {
		t.Fatal("what is not there was found")
	}
	for _, want := range []string{
		`in vain`, `"three" to appear`, `/bin/sh still runs`,
		"┌────────────┐\n│one         │\n│two         │\n│            │\n└────────────┘\n",
		"12×3, cursor at 3,1", "last of the 14 bytes written:\n", `one\r\r\n` + "\n" + `\x1b[32mtwo`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the failure does not say %q:\n%v", want, err)
		}
	}
	if err := term.WaitGone("one"); err == nil || !strings.Contains(err.Error(), `"one" to go away`) {
		t.Errorf("waiting for the end of what stays gives %v", err)
	}
}

func TestAWaitEndsWithTheProgram(t *testing.T) {
	t.Parallel()
	// With an hour to wait, only the end of the program can end the test.
	o := Options{Argv: []string{"/bin/sh", "-c", "printf bye; exit 4"}, Timeout: time.Hour}
	term, err := Start(t, o)
	if err != nil {
		t.Fatal(err)
	}
	err = term.WaitText("never")
	if err == nil || !strings.Contains(err.Error(), "has ended with exit code 4") || !strings.Contains(err.Error(), "│bye ") {
		t.Errorf("the failure is %v", err)
	}
}

// fakeTB records what a Story tells its test.
type fakeTB struct {
	cleanups []func()
	fatal    string
	errors   []string
	logs     []string
}

func (f *fakeTB) Helper()                      {}
func (f *fakeTB) Cleanup(fn func())            { f.cleanups = append(f.cleanups, fn) }
func (f *fakeTB) Failed() bool                 { return f.fatal != "" || len(f.errors) > 0 }
func (f *fakeTB) Logf(s string, args ...any)   { f.logs = append(f.logs, fmt.Sprintf(s, args...)) }
func (f *fakeTB) Errorf(s string, args ...any) { f.errors = append(f.errors, fmt.Sprintf(s, args...)) }

func (f *fakeTB) Fatalf(s string, args ...any) {
	f.fatal = fmt.Sprintf(s, args...)
	runtime.Goexit()
}

// run runs a test function and its cleanups as the testing package does.
func (f *fakeTB) run(test func(t TB)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		test(f)
	}()
	<-done
	for i := len(f.cleanups) - 1; i >= 0; i-- {
		f.cleanups[i]()
	}
}

func TestAStoryFailsItsTest(t *testing.T) {
	t.Parallel()
	bye := Options{Argv: []string{"/bin/sh", "-c", "printf bye; exit 4"}}
	cases := map[string]struct {
		tell  func(t TB)
		fatal string
	}{
		"text that does not come": {func(t TB) { Tell(t, bye).See("bye", "hello").Exit(4) }, `"hello" to appear`},
		"text that stays":         {func(t TB) { Tell(t, bye).See("bye").Gone("bye") }, `"bye" to go away`},
		"a condition":             {func(t TB) { Tell(t, bye).Until("the impossible", func(Screen) bool { return false }) }, "the impossible"},
		"an exit code":            {func(t TB) { Tell(t, bye).Exit(5) }, "exit code 4 instead of 5"},
		"a key":                   {func(t TB) { Tell(t, bye).Press("nokey") }, `no key "nokey"`},
		"no program":              {func(t TB) { Tell(t, Options{Argv: []string{"/nonexistent"}}) }, "/nonexistent"},
	}
	for name, c := range cases {
		var f fakeTB
		f.run(c.tell)
		if !strings.Contains(f.fatal, c.fatal) {
			t.Errorf("%s: the test was told %q", name, f.fatal)
		}
		if name == "an exit code" && !strings.Contains(strings.Join(f.logs, ""), "│bye ") {
			t.Errorf("%s: the last screen was not logged: %q", name, f.logs)
		}
	}
}

func TestAStoryFailsWhenItsProgramLeavesProcesses(t *testing.T) {
	t.Parallel()
	var f fakeTB
	f.run(func(t TB) { Tell(t, play("family")).See("near ").Press("q").Exit(0) })
	if f.fatal != "" || len(f.errors) != 1 || !strings.Contains(f.errors[0], "left processes behind: [sleep (pid") {
		t.Errorf("the test was told %q and %q", f.fatal, f.errors)
	}
}
