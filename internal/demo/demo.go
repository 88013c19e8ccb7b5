// Package demo is belay's built-in MCP server: a handful of tools that each
// take a cancel differently, so that the usual verdicts can be seen without looking
// for a server that earns them.
//
// It is built on the official Go SDK. Two things the SDK cannot do are done by
// a thin wrapper around its stdio connection (conn.go): the SDK answers every
// request, also a cancelled one, and its encoder is too slow to fill a pipe.
//
// Tasks are built beside the SDK, which has none: those of 2025-11-25, and the
// extension io.modelcontextprotocol/tasks of 2026-07-28. Two tools are deaf to
// the cancel of their task on purpose; in 2025-11-25 that breaks the rule by
// which the task is cancelled before the answer. Nobody is authorized: whoever
// has the ID of a task, which cannot be guessed, can manage it.
//
// What the wrapper cannot mend: one line on stdin that is not JSON-RPC ends the
// session; a batch is accepted in every revision; and a batch holding a call
// that goes quiet is never answered, because the SDK waits to answer it whole.
package demo

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"belay/internal/build"
)

// Name is the name by which programs know the server.
const Name = "belay-demo"

// Title is what people call the server: on the screen, and in every line it writes to stderr.
const Title = "belay demo"

// grace bounds how long the end of a session waits: first for answers already
// owed to be written, then for handlers stuck in a write to come back. Together
// it stays below the 2 s after which a client sends SIGTERM.
const grace = 750 * time.Millisecond

// Run serves one session over stdio: requests are read from in, one line each,
// and answers written to out. Every revision that the SDK knows is served.
//
// It returns nil when in reaches its end or ctx does. At the end of in, calls
// of tools that take their time are abandoned without an answer, and what is
// answered at once still is; at the end of ctx nothing more is written. Run
// closes in and out. An error means that the connection broke, or that the
// client wrote something that is not JSON-RPC.
//
// Diagnostics go to stderr, starting with one line that says the server is
// ready. The tool crash ends the process by [os.Exit].
func Run(ctx context.Context, in io.ReadCloser, out io.WriteCloser, stderr io.Writer) error {
	return serve(ctx, in, out, Options{Stderr: stderr, Exit: os.Exit})
}

func serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, opts Options) error {
	wire := newConn(&mcp.IOTransport{Reader: in, Writer: out}, out)
	opts.tasks = newTasks(wire.life)
	server := NewServer(opts)
	server.AddReceivingMiddleware(wire.attach)
	session, err := server.Connect(ctx, wire, nil)
	if err != nil {
		return fmt.Errorf("%s could not start serving: %w", Title, err)
	}
	fmt.Fprintf(opts.Stderr, "%s, version %s: ready on stdio, %d tools; close stdin to stop\n", Title, build.Version(), len(tools))

	done := make(chan error, 1)
	go func() { done <- session.Wait() }()

	select {
	case err = <-done:
		return sessionError(err)
	case <-ctx.Done():
	case <-wire.ended():
		select {
		case err = <-done:
			return sessionError(err)
		case <-ctx.Done():
		case <-time.After(grace):
		}
	}
	// From here on the client wants nothing more: whatever closing the pipes
	// breaks is no error of this session.
	_ = wire.Close()
	select {
	case <-done: //nolint:errcheck // see above
	case <-time.After(grace):
		// A write to a real pipe that nobody reads cannot be interrupted. Its
		// goroutine is left to the end of the process.
	}
	return nil
}

func sessionError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: the connection to the client broke: %w", Title, err)
}
