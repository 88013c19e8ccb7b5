//go:build unix

package sampler

import (
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v4/process"

	"belay/session/witness"
)

// startTree runs a script of the shell as a server is run, and returns its number.
func startTree(tb testing.TB, script string, env ...string) int {
	tb.Helper()
	return startReading(tb, nil, script, env...)
}

// startReading is startTree of a script that reads a file as its stdin.
func startReading(tb testing.TB, stdin *os.File, script string, env ...string) int {
	tb.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Env = append(os.Environ(), env...)
	if stdin != nil {
		cmd.Stdin = stdin
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	return cmd.Process.Pid
}

// inexact is by how much a process may seem older than it is: the library computes its
// start by the clock on the wall, in whole seconds here.
var inexact = map[string]time.Duration{"here": 50 * time.Millisecond, "the library": 1100 * time.Millisecond}

// stable has the library compute the boot time of the machine once. On Linux a boot time that is
// computed anew may be another second, and the start of each process with it, which tells it from others.
var stable = sync.OnceFunc(func() { process.EnableBootTimeCache(true) })

// sources are the two ways in which a system is asked.
func sources() map[string]func() source {
	stable()
	return map[string]func() source{
		"here":        newSource,
		"the library": func() source { return &library{} },
	}
}

func watchIt(pid int, src source) *Watcher {
	return watch(src, pid, "", new(Births), new(Lives), func(args []string) string { return strings.Join(args, " ") })
}

// await samples until what it sees is right.
func await(t *testing.T, w *Watcher, what string, right func(witness.Sample) bool) witness.Sample {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		s := w.Look(time.Now())
		if right(s) {
			return s
		}
		if time.Now().After(end) {
			t.Fatalf("%s is not seen: %+v", what, s)
		}
	}
}

func named(s witness.Sample, name string) (all []witness.Process) {
	for _, p := range s.Processes {
		if p.Name == name && !p.Ended {
			all = append(all, p)
		}
	}
	return all
}

func TestARealTree(t *testing.T) {
	for name, source := range sources() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			pid := startTree(t, "sleep 61 & i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; wait")
			w := watchIt(pid, source())
			// A process has its name a moment before it has memory.
			first := await(t, w, "the child", func(s witness.Sample) bool {
				all := named(s, "sleep")
				return len(all) == 1 && all[0].Memory > 0
			})
			child := named(first, "sleep")[0]
			if child.Parent != pid || child.Age > time.Since(began)+inexact[name] || child.Threads != 1 {
				t.Errorf("%+v", child)
			}
			s := await(t, w, "the work of the server", func(s witness.Sample) bool { return s.Processes[0].CPU >= 30*time.Millisecond })
			if p := s.Processes[0]; p.PID != pid || p.Name != "sh" || p.Files < 3 || p.Start != first.Processes[0].Start {
				t.Errorf("%+v", p)
			}
			_ = syscall.Kill(child.PID, syscall.SIGKILL)
			await(t, w, "the end of the child", func(s witness.Sample) bool { return len(named(s, "sleep")) == 0 })
		})
	}
}

// A child that was seen is remembered when it has a session of its own and another parent.
func TestADetachedChildIsRemembered(t *testing.T) {
	for name, source := range sources() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdin, held, err := os.Pipe() // its parent lives until the child was seen
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _, _ = stdin.Close(), held.Close() })
			w := watchIt(startReading(t, stdin, "sh -c 'setsid sleep 62 & read line' ; sleep 100"), source())
			child := named(await(t, w, "the child", func(s witness.Sample) bool { return len(named(s, "sleep")) == 1 }), "sleep")
			t.Cleanup(func() {
				for _, p := range child {
					_ = syscall.Kill(p.PID, syscall.SIGKILL)
				}
			})
			_ = held.Close()
			s := await(t, w, "that its parent has ended", func(s witness.Sample) bool { return len(named(s, "sh")) == 1 && len(named(s, "sleep")) == 2 })
			if !slices.ContainsFunc(named(s, "sleep"), func(p witness.Process) bool { return p.Parent != s.Processes[0].PID }) {
				t.Errorf("%+v", s.Processes)
			}
		})
	}
}

func TestConnectionsOfAProcess(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	ours, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ours.Close() }()
	has := func(s witness.Sample) bool {
		return slices.ContainsFunc(s.Connections, func(c witness.Connection) bool { return c.Remote == l.Addr().String() })
	}
	for name, source := range sources() {
		w := watchIt(syscall.Getpid(), source())
		if s := w.Look(time.Now()); !has(s) {
			t.Errorf("%s: %+v", name, s.Connections)
		}
	}
	_ = ours.Close()
	w := watchIt(syscall.Getpid(), newSource())
	if s := w.Look(time.Now()); has(s) {
		t.Errorf("it is closed, and told of: %+v", s.Connections)
	}
}

// What a sample of four processes costs, beside all of the machine.
func BenchmarkSample(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, kind := range []struct {
		name string
		look bool
	}{{"narrow", false}, {"look", true}} {
		b.Run(kind.name, func(b *testing.B) {
			w := New(startTree(b, "sleep 100 & sleep 100 & sleep 100 & wait"), NewMark(), new(Births), new(Lives), func(args []string) string { return strings.Join(args, " ") })
			w.Look(time.Now())
			b.ReportAllocs()
			for b.Loop() {
				w.sample(noon, kind.look)
			}
			pids, _ := w.src.all()
			b.ReportMetric(float64(len(pids)), "processes")
		})
	}
}
