package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
)

// Whatever net/http was doing when a server went away, it is told in the same
// plain words: no address of the network, none of net/http's own names.
func TestErrorsInPlainWords(t *testing.T) {
	at := &net.TCPAddr{IP: net.IPv4(10, 1, 2, 3), Port: 4567}
	on := func(op string, err error) error {
		return &net.OpError{Op: op, Net: "tcp", Source: at, Addr: at, Err: err}
	}
	sys := func(call string, n syscall.Errno) error { return os.NewSyscallError(call, n) }
	const closed, broken = "the server closed the connection in the middle of it", "the server broke the connection off"
	for _, tt := range []struct {
		err        error
		text, hint string
	}{
		{on("readfrom", on("write", net.ErrClosed)), closed, ""},
		{on("write", net.ErrClosed), closed, ""},
		{on("read", net.ErrClosed), closed, ""},
		{fmt.Errorf("http: HTTP/1.x transport connection broken: %w", on("readfrom", on("write", net.ErrClosed))), closed, ""},
		{fmt.Errorf("http: HTTP/1.x transport connection broken: %w", io.ErrUnexpectedEOF), closed, ""},
		{errors.New("http: server closed idle connection"), closed, ""},
		{errors.New("write tcp 10.1.2.3:4567->10.1.2.3:4567: use of closed network connection"), closed, ""},
		{errors.New("http2: client connection force closed via ClientConn.Close"), closed, ""},
		{io.EOF, closed, ""},
		{io.ErrClosedPipe, closed, ""},
		{on("readfrom", on("write", sys("write", syscall.EPIPE))), broken, ""},
		{on("write", sys("write", syscall.ECONNRESET)), broken, ""},
		{on("read", sys("read", syscall.ECONNRESET)), broken, ""},
		{on("read", sys("read", syscall.ECONNABORTED)), broken, ""},
		{on("read", sys("wsarecv", 10054)), broken, ""},
		{on("write", sys("wsasend", 10053)), broken, ""},
		{on("dial", sys("connect", syscall.ECONNREFUSED)), "connection refused", "is the port right?"},
		{on("dial", sys("connectex", 10061)), "connection refused", "is the port right?"},
		{on("dial", sys("connect", syscall.ENETUNREACH)), "no network leads to the host", "online"},
		{on("dial", sys("connect", syscall.EHOSTUNREACH)), "no network leads to the host", "online"},
		{on("dial", os.ErrDeadlineExceeded), "no connection within the time limit", "reachable"},
		{on("read", sys("read", syscall.ETIMEDOUT)), "the connection went dead: nothing of it reaches the server's host any more", ""},
		{on("write", sys("write", syscall.ENOBUFS)), syscall.ENOBUFS.Error(), ""},
		{on("read", errors.New("odd")), "odd", ""},
		{errors.New("http2: client connection lost"), "the connection was lost: the server answers no ping of HTTP/2", ""},
		{errors.New(`http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=ENHANCE_YOUR_CALM, debug=""`), "the server ended the HTTP/2 connection (ENHANCE_YOUR_CALM)", ""},
		{errors.New("http2: Transport received Server's graceful shutdown GOAWAY"), "the server ended the HTTP/2 connection", ""},
		{errors.New("stream error: stream ID 3; INTERNAL_ERROR; received from peer"), "the server broke the exchange off (INTERNAL_ERROR)", ""},
		{context.Canceled, "belay closed it", ""},
		{errUnwanted, "cancelled before it was sent", ""},
		{http.ErrSchemeMismatch, "the server speaks HTTP, not HTTPS", "http://"},
		{errors.New(`malformed HTTP response "220 smtp"`), `the answer is no HTTP: malformed HTTP response "220 smtp"`, "another service"},
	} {
		for _, err := range []error{tt.err, &url.Error{Op: "Post", URL: "http://h/?key=" + secretWord, Err: tt.err}} {
			got := explain(err)
			if got.Err != tt.text || tt.hint == "" && got.Hint != "" || !strings.Contains(got.Hint, tt.hint) {
				t.Errorf("%v: %q, %q", err, got.Err, got.Hint)
			}
		}
	}
	if got := explain(on("proxyconnect", sys("connect", syscall.ECONNREFUSED))); got.Err != "the proxy cannot be reached: connection refused" || !strings.Contains(got.Hint, "HTTP_PROXY") {
		t.Errorf("a proxy that is not there: %+v", got)
	}
}

// secretWord stands in an address that no error may repeat.
const secretWord = "k3y-of-the-user"
