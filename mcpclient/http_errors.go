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
	"strings"
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
	case errors.Is(err, syscall.ECONNREFUSED):
		return session.End{Err: "connection refused", Hint: "is the server running, and is the port right?"}
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return session.End{Err: "the server broke the connection off"}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return session.End{Err: "the server closed the connection in the middle of it"}
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return session.End{Err: "the server speaks HTTP, not HTTPS", Hint: "try http:// instead of https://"}
	case errors.As(err, &timeout) && timeout.Timeout():
		return session.End{Err: "no connection within the time limit", Hint: "is the host reachable, is a proxy needed?"}
	}
	// The address in front of the cause may hold a secret.
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	return notHTTP(err.Error())
}

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
