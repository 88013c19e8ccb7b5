package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"belay/internal/termtest"
)

// BenchmarkWitness measures the CPU time of belay, as percent of one core, from a call to ten
// seconds after its cancel, on a machine with 500 sleeping processes more. Run it with
//
//	go test ./internal/e2e -run '^$' -bench Witness -benchtime 1x
//
// The figures are of belay with the witness of the server's processes, of belay without it
// at the same time, and of the difference. Both draw the screen.
func BenchmarkWitness(b *testing.B) {
	for range 500 {
		cmd := exec.Command("sleep", "600")
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
	}
	for _, peer := range []string{"works-idle", "works-child-lives", "works-connected"} {
		b.Run(peer, func(b *testing.B) {
			var with, without float64
			for range b.N {
				var both sync.WaitGroup
				both.Go(func() { with += watchedCost(b, peer) })
				both.Go(func() { without += watchedCost(b, peer, "--no-witness") })
				both.Wait()
			}
			n := float64(b.N)
			b.ReportMetric(with/n, "%")
			b.ReportMetric(without/n, "%-without")
			b.ReportMetric((with-without)/n, "%-witness")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// watchedCost is what belay takes of one core while a call runs, and for ten seconds after
// its cancel.
func watchedCost(b *testing.B, peer string, flags ...string) (percent float64) {
	s := playAt(b, 100, 30, peer, append(flags, "--protocol", "2025-11-25")...)
	s.See("scripted")
	time.Sleep(time.Second)
	pid := s.PID()
	began, used := time.Now(), usedBy(b, pid)
	s.call("slow").See("running")
	time.Sleep(2 * time.Second)
	s.Press("x").See("cancelling")
	time.Sleep(10 * time.Second)
	percent = 100 * (usedBy(b, pid) - used).Seconds() / time.Since(began).Seconds()
	s.Until("the end of the call", func(now termtest.Screen) bool { return !strings.Contains(now.String(), "cancelling…") })
	return percent
}

// usedBy is the CPU time of a process.
func usedBy(b *testing.B, pid int) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	ticks := 0
	for _, f := range fields[11:13] { // utime and stime
		n, err := strconv.Atoi(string(f))
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100
}
