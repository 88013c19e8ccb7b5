package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The paths of the server.
const (
	pathMCP = "/mcp" // Streamable HTTP, of all revisions that have it
	pathSSE = "/sse" // the HTTP+SSE of 2024-11-05
)

// maxBody is the longest body of a request, in bytes.
const maxBody = 4 << 20

// ErrAddress is the error for what can be no address to listen on.
var ErrAddress = errors.New("this is no address")

// RunHTTP serves the demo over HTTP at addr, in every revision: Streamable HTTP
// at /mcp and at /, and the HTTP+SSE of 2024-11-05 at /sse. A port alone, such
// as 8080 or :8080, is one of 127.0.0.1; port 0 is any that is free. With login,
// no tool is called without one, at an authorization server on the same address.
//
// It prints one line with the URL to out when it listens, and a word on stderr
// when others than this machine can reach it. It returns nil when ctx ends:
// calls in flight are then abandoned. An error means that it could not listen;
// it is [ErrAddress] if addr is the reason.
// The tool crash ends the process by [os.Exit].
func RunHTTP(ctx context.Context, addr string, login bool, out, stderr io.Writer) error {
	host, port, err := splitAddr(addr)
	if err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return listenError(host, port, err)
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); ok {
		port = fmt.Sprint(tcp.Port)
		if !tcp.IP.IsLoopback() {
			fmt.Fprintf(stderr, "%s: whoever reaches %s can call these tools, crash among them; without a host, as in --http :%s, only this machine can\n",
				Name, net.JoinHostPort(host, port), port)
		}
	}
	base := "http://" + net.JoinHostPort(host, port)
	fmt.Fprintf(out, "%s: %s%s in every revision, %s for HTTP+SSE; ctrl+c stops it\n", Title, base, pathMCP, pathSSE)
	opts := Options{Stderr: stderr, Exit: os.Exit}
	return serveHTTP(ctx, l, func(life context.Context) http.Handler { return newHTTPHandler(life, host, login, opts) })
}

// splitAddr reads an address as it is typed.
func splitAddr(addr string) (host, port string, err error) {
	if addr != "" && strings.Trim(addr, "0123456789") == "" {
		addr = ":" + addr
	}
	host, port, err = net.SplitHostPort(addr)
	if err != nil {
		return "", "", fmt.Errorf("--http %q: %w: try :8080, or HOST:PORT", addr, ErrAddress)
	}
	if _, err := net.LookupPort("tcp", port); err != nil || port == "" {
		return "", "", fmt.Errorf("--http %q: %w: %q is no port, which is a number up to 65535", addr, ErrAddress, port)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return host, port, nil
}

func listenError(host, port string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("--http: port %s of %s is taken by another program: name another, or 0 for any that is free", port, host)
	}
	return fmt.Errorf("--http: cannot listen on %s: %w", net.JoinHostPort(host, port), err)
}

// serveHTTP serves on l until ctx ends. What the handler starts has to end with
// the life it is given.
func serveHTTP(ctx context.Context, l net.Listener, handler func(life context.Context) http.Handler) error {
	life, stop := context.WithCancel(context.Background())
	defer stop()
	srv := &http.Server{
		Handler:           handler(life),
		BaseContext:       func(net.Listener) context.Context { return life },
		ReadHeaderTimeout: 10 * time.Second,
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case err := <-done:
		return fmt.Errorf("%s: %w", Title, err)
	case <-ctx.Done():
	}
	stop() // ends every call, session and stream
	bound, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if srv.Shutdown(bound) != nil {
		_ = srv.Close() // of a client that does not read
	}
	<-done //nolint:errcheck // it says that the server was shut down
	return nil
}

// newHTTPHandler serves both eras until life ends. The host is what was listened
// on.
func newHTTPHandler(life context.Context, host string, login bool, opts Options) http.Handler {
	opts.tasks = newTasks(life)
	streamable := &eras{
		handshakes: newSessions(life, opts),
		modern:     newModern(life, opts),
	}
	mux := http.NewServeMux()
	mux.Handle(pathMCP, streamable)
	mux.Handle("/{$}", streamable)
	mux.Handle(pathSSE, newSSE(life, opts))
	if login {
		return onlyFrom(host, newGate(mux))
	}
	return onlyFrom(host, mux)
}

// newModern serves 2026-07-28, where every request stands by itself and closing
// its stream is its cancel. The SDK does all of it.
func newModern(life context.Context, opts Options) http.Handler {
	opts.instructions = closing
	server := NewServer(opts)
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			return next(context.WithValue(ctx, lifeKey{}, life), method, req)
		}
	})
	return mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxBody},
	)
}
