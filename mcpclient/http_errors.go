package mcpclient

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	"belay/session"
)

// explain says in plain words what ended an exchange, and what to do about it.
func explain(err error) session.End {
	if text, hint, ok := explainTLS(err); ok {
		return session.End{Err: text, Hint: hint}
	}
	var redirect *redirectError
	var dns *net.DNSError
	var op *net.OpError
	var timeout net.Error
	var address *net.AddrError
	switch {
	case errors.Is(err, errUnwanted):
		return session.End{Err: errUnwanted.Error()}
	case errors.As(err, &redirect):
		return session.End{Err: redirect.text, Hint: redirect.hint}
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return session.End{Err: "the proxy cannot be reached: " + explain(op.Err).Err, Hint: "it comes from HTTP_PROXY or HTTPS_PROXY; NO_PROXY names hosts that need none"}
	case errors.Is(err, context.Canceled):
		return session.End{Err: "belay closed it"}
	case errors.As(err, &address) && address.Err == "invalid port":
		return session.End{Err: "there is no port " + address.Addr, Hint: "ports go up to 65535"}
	case errors.As(err, &dns):
		return session.End{Err: fmt.Sprintf("there is no host called %s", dns.Name), Hint: "is the address spelled right?"}
	case among(err, refusals):
		return session.End{Err: "connection refused", Hint: "is the server running, and is the port right?"}
	case among(err, noRoutes):
		return session.End{Err: "no network leads to the host", Hint: "is this machine online, is a VPN needed?"}
	case among(err, breaks):
		return session.End{Err: "the server broke the connection off"}
	case hasHungUp(err):
		return session.End{Err: "the server closed the connection in the middle of it"}
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return session.End{Err: "the server speaks HTTP, not HTTPS", Hint: "try http:// instead of https://"}
	case op != nil && op.Op != "dial" && op.Timeout():
		return session.End{Err: "the connection went dead: nothing of it reaches the server's host any more"}
	case errors.As(err, &timeout) && timeout.Timeout():
		return session.End{Err: "no connection within the time limit", Hint: "is the host reachable, is a proxy needed?"}
	}
	// The address in front of the cause may hold a secret, and those of the
	// network tell nobody anything.
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	for errors.As(err, &op) && op.Err != nil {
		err = op.Err
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		err = call.Err
	}
	if text, ok := http2Words(err.Error()); ok {
		return session.End{Err: text}
	}
	return notHTTP(err.Error())
}

// What systems call the ways in which there is no connection. Windows has its
// own numbers, which mean nothing elsewhere.
var (
	refusals = []syscall.Errno{syscall.ECONNREFUSED, 10061}
	noRoutes = []syscall.Errno{syscall.ENETUNREACH, syscall.EHOSTUNREACH, 10051, 10065}
	breaks   = []syscall.Errno{syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE, 10053, 10054}
)

func among(err error, numbers []syscall.Errno) bool {
	var n syscall.Errno
	return errors.As(err, &n) && slices.Contains(numbers, n)
}

// hasHungUp reports whether the server closed the connection before its answer. The
// error depends on what net/http was about to do: at the end of the connection it
// closes it also under a body that is being written. Some of its errors can be
// known by their words only.
func hasHungUp(err error) bool {
	for _, is := range []error{io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, net.ErrClosed} {
		if errors.Is(err, is) {
			return true
		}
	}
	text := err.Error()
	for _, words := range []string{"server closed idle connection", "use of closed network connection", "client connection force closed", "client conn not usable"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// http2Words tell of an end in HTTP/2. The errors of net/http have no names.
func http2Words(text string) (words string, ok bool) {
	switch {
	case strings.Contains(text, "client connection lost"):
		return "the connection was lost: the server answers no ping of HTTP/2", true
	case strings.Contains(text, "GOAWAY"):
		words = "the server ended the HTTP/2 connection"
	case strings.Contains(text, "stream error:"):
		words = "the server broke the exchange off"
	default:
		return "", false
	}
	if code := http2Code().FindString(text); code != "" {
		words += " (" + code + ")"
	}
	return words, true
}

// http2Code is an error code of HTTP/2, as net/http writes it.
var http2Code = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(NO_ERROR|[A-Z0-9]+(_[A-Z0-9]+)*_(ERROR|TIMEOUT|CLOSED|STREAM|CALM|SECURITY|REQUIRED)|CANCEL)\b`)
})

// notHTTP tells of an answer that net/http cannot read, in fewer words than it
// does.
func notHTTP(text string) session.End {
	_, wrong, ok := strings.Cut(text, "malformed ")
	switch {
	case !ok:
		return session.End{Err: text}
	case strings.Contains(wrong, `\x15\x03`): // a TLS alert
		return session.End{Err: "the server speaks TLS there", Hint: "try https:// instead of http://"}
	}
	return session.End{Err: "the answer is no HTTP: malformed " + wrong, Hint: "is there another service on that port?"}
}

// hintCA is what to do about a certificate that is not trusted.
const hintCA = "if the server is yours: SSL_CERT_FILE names a file with the certificate of its authority"

// explainTLS tells what is wrong with a certificate.
func explainTLS(err error) (text, hint string, ok bool) {
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var remote *net.OpError
	var verify *tls.CertificateVerificationError
	switch {
	case errors.As(err, &unknown):
		return "the server's certificate is not trusted: it is signed by an unknown authority", hintCA, true
	case errors.As(err, &host):
		return "the server's certificate is for another host: " + strings.TrimPrefix(host.Error(), "x509: "), "is the address right?", true
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the server's certificate has expired, or is not valid yet: " + invalid.Detail, "is this machine's clock right?", true
	case errors.As(err, &invalid):
		return "the server's certificate is not valid: " + invalid.Error(), hintCA, true
	case errors.As(err, &record):
		return "the server does not speak TLS there", "try http:// instead of https://", true
	case errors.As(err, &remote) && remote.Op == "remote error": // as crypto/tls calls an alert
		return "the server refused the TLS connection: " + remote.Err.Error(), "does it want a certificate of the client?", true
	case errors.As(err, &verify):
		return "the server's certificate is not trusted: " + verify.Err.Error(), hintCA, true
	}
	return "", "", false
}
