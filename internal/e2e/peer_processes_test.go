package e2e

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// work is what a peer does for a call, and at its cancel. It says nothing of either.
type work struct {
	start, begin, cancel func(w *worker) // start: before any call
	open                 func(w *worker) // the first call does this in place of begin, and is answered
}

// worker is what a peer has begun.
type worker struct {
	mu    sync.Mutex
	procs []*os.Process
	conns []net.Conn
	input io.Closer // of a child that ends when it is closed
	shell io.Writer // takes commands
}

// works are the peers by their names.
var works = map[string]work{
	"works-idle": {},
	"works-burn": {begin: func(*worker) {
		go func() {
			end := time.Now().Add(20 * time.Second)
			for n := 0; time.Now().Before(end); n++ {
				_ = n
			}
		}()
	}},
	"works-child-burns": {begin: func(w *worker) { w.runs("sh", "-c", "while :; do :; done") }},
	"works-child-lives": {begin: func(w *worker) { w.runs("sleep", "599") }},
	"works-chain": {begin: func(*worker) {
		go func() {
			for range 120 {
				_ = exec.Command("sleep", "0.5").Run()
			}
		}()
	}},
	"works-child-killed":   {begin: func(w *worker) { w.runs("sleep", "599") }, cancel: func(w *worker) { time.AfterFunc(500*time.Millisecond, w.kill) }}, // on a busy machine belay looks late
	"works-child-helped":   {begin: func(w *worker) { w.runs("sleep", "599") }, cancel: func(w *worker) { time.AfterFunc(100*time.Millisecond, w.killByCommand) }},
	"works-child-ends":     {begin: func(w *worker) { w.reads() }, cancel: func(w *worker) { time.AfterFunc(700*time.Millisecond, w.endInput) }},
	"works-connected":      {begin: (*worker).connect},
	"works-disconnected":   {begin: (*worker).connect, cancel: func(w *worker) { time.AfterFunc(300*time.Millisecond, w.disconnect) }},
	"works-child-detaches": {begin: (*worker).detach},
	"works-child-leaves":   {begin: (*worker).leave},
	"works-child-outlives": {begin: (*worker).leaveShort, cancel: func(*worker) { os.Exit(3) }},
	"works-child-exits":    {begin: func(w *worker) { w.runs("sleep", "8") }},
	"works-child-was":      {begin: func(w *worker) { w.runs("sleep", "4") }},
	"works-grandchild":     {begin: func(w *worker) { w.runs("sh", "-c", "sleep 61.3 & sleep 1.2") }},
	"works-pool":           {start: func(w *worker) { w.runs("sleep", "599") }},
	"works-in-a-shell":     {open: (*worker).openShell, begin: func(w *worker) { _, _ = io.WriteString(w.shell, "sleep 62 &\n") }},
	"works-always":         {start: func(*worker) { go ticks() }},
}

// ticks works a little again and again, until the peer ends.
func ticks() {
	for {
		for n := range 10_000_000 {
			_ = n
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (w *worker) runs(name string, args ...string) {
	cmd := exec.Command(name, args...)
	if cmd.Start() != nil {
		return
	}
	go func() { _ = cmd.Wait() }()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.procs = append(w.procs, cmd.Process)
}

// reads has a child that ends by itself, at the end of its input.
func (w *worker) reads() {
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return
	}
	go func() { _ = cmd.Wait() }()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.procs, w.input = append(w.procs, cmd.Process), in
}

// openShell leaves a shell that takes commands.
func (w *worker) openShell() {
	cmd := exec.Command("sh")
	in, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return
	}
	go func() { _ = cmd.Wait() }()
	w.shell = in
}

func (w *worker) endInput() {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = w.input.Close()
}

func (w *worker) kill() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.procs {
		_ = p.Kill()
	}
}

// killByCommand runs a command that takes a moment, as one that asks a container's engine, and ends
// the processes then.
func (w *worker) killByCommand() {
	_ = exec.Command("sleep", "3").Run()
	w.kill()
}

// detach leaves a process in a session of its own, whose parent ends after a while.
func (w *worker) detach() {
	w.leaves(exec.Command("sh", "-c", "setsid sleep 61.1 >/dev/null & echo $!; sleep 2.5"))
}

// leave leaves a process in a session of its own, whose parent ends at once.
func (w *worker) leave() {
	w.leaves(exec.Command("setsid", "-f", "sh", "-c", "echo $$; exec sleep 61.2 >/dev/null"))
}

// leaveShort is leave of a process that nobody has to end.
func (w *worker) leaveShort() {
	w.leaves(exec.Command("setsid", "-f", "sh", "-c", "echo $$; exec sleep 9 >/dev/null"))
}

// leaves runs what tells the number of the process that it leaves.
func (w *worker) leaves(cmd *exec.Cmd) {
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return
	}
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n')
		if pid, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
			if p, err := os.FindProcess(pid); err == nil {
				w.mu.Lock()
				w.procs = append(w.procs, p)
				w.mu.Unlock()
			}
		}
		_ = cmd.Wait()
	}()
}

// connect has a connection to a listener of its own.
func (w *worker) connect() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return
	}
	here, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return
	}
	there, err := l.Accept()
	if err != nil {
		return
	}
	w.conns = append(w.conns, here, there)
}

func (w *worker) disconnect() {
	for _, c := range w.conns {
		_ = c.Close()
	}
}

// serveWork plays one of them.
func (p *peer) serveWork(in *bufio.Reader, do work) {
	w := &worker{}
	defer w.kill()
	if do.start != nil {
		do.start(w)
	}
	p.serve(in, func(m message) {
		switch {
		case m.Method == "tools/call" && do.open != nil && w.shell == nil:
			do.open(w)
			p.result(m.ID, `{"content":[{"type":"text","text":"opened"}]}`)
		case m.Method == "tools/call" && do.begin != nil:
			do.begin(w)
		case m.Method == "notifications/cancelled" && do.cancel != nil:
			do.cancel(w)
		}
	})
}
