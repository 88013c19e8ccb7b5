//go:build interop

// Package interop starts the servers that others have written, for the tests
// behind the build tag interop. A peer that is not installed fails a test, it is
// never skipped.
package interop

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A Server is a process that serves over HTTP until its test ends.
type Server struct {
	URL string // where a client finds it

	mu  sync.Mutex
	out strings.Builder

	command []string
	port    int
	kill    func() // ends the process group, and waits for it
}

// Output is what the server has written on stdout and stderr so far.
func (s *Server) Output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

func (s *Server) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(p)
}

// File is a file of the directory in which the servers are installed: npm
// install in internal/interop, or wherever BELAY_INTEROP says.
func File(t testing.TB, elem ...string) string {
	t.Helper()
	dir := os.Getenv("BELAY_INTEROP")
	if dir == "" {
		dir = filepath.Join("..", "interop")
	}
	abs, err := filepath.Abs(filepath.Join(append([]string{dir}, elem...)...))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(abs); err != nil {
		t.Fatalf("the peer is missing, and this test is not skipped for it: %v", err)
	}
	return abs
}

// TypeScript starts the server on the TypeScript SDK, which serves both eras.
func TypeScript(t testing.TB) *Server {
	t.Helper()
	return Start(t, "/mcp", "node", File(t, "ts-http.mjs"))
}

// Everything starts server-everything in a mode: streamableHttp or sse.
func Everything(t testing.TB, mode string) *Server {
	t.Helper()
	path := "/mcp"
	if mode == "sse" {
		path = "/sse"
	}
	return Start(t, path, "node", File(t, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js"), mode)
}

// Start runs a command that serves at 127.0.0.1:$PORT, waits until it listens,
// and kills its process group at the end of the test. The path is that of the
// URL.
func Start(t testing.TB, path, name string, args ...string) *Server {
	t.Helper()
	s := &Server{port: freePort(t), command: append([]string{name}, args...)}
	s.URL = fmt.Sprintf("http://127.0.0.1:%d%s", s.port, path)
	t.Cleanup(func() {
		s.kill()
		if t.Failed() {
			t.Logf("%s said:\n%s", name, s.Output())
		}
	})
	s.start(t)
	return s
}

// Restart kills the server and starts it again at the same address.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.kill()
	s.start(t)
}

func (s *Server) start(t testing.TB) {
	t.Helper()
	name := s.command[0]
	s.kill = func() {}
	cmd := exec.CommandContext(context.Background(), name, s.command[1:]...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", s.port))
	cmd.Stdout, cmd.Stderr = s, s
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var endErr error // to be read when ended is closed
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		endErr = cmd.Wait()
	}()
	s.kill = func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
	}
	late := time.After(time.Minute)
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		if conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", fmt.Sprintf("127.0.0.1:%d", s.port)); err == nil {
			_ = conn.Close()
			return
		}
		select {
		case <-ended:
			t.Fatalf("%s ended before it listened: %v\n%s", name, endErr, s.Output())
		case <-late:
			t.Fatalf("%s does not listen\n%s", name, s.Output())
		case <-again.C:
		}
	}
}

// freePort is a port that nobody listened on a moment ago.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}
