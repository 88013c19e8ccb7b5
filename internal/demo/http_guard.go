package demo

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// onlyFrom refuses what a web page in the user's browser may send: requests
// under a name that was made to lead here, and requests of another site. The
// host is the one that was listened on.
func onlyFrom(host string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !leadsHere(hostname(r.Host), host) {
			http.Error(w, fmt.Sprintf("the demo server does not answer to the name %q: call it by its address", r.Host), http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && !isSameSite(origin, r.Host) {
			http.Error(w, fmt.Sprintf("the demo server takes no requests from the web site %q", origin), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// leadsHere reports whether a name can only lead here: an address, which no
// name server can change, this machine, or what was listened on.
func leadsHere(name, listened string) bool {
	_, err := netip.ParseAddr(name)
	return err == nil || strings.EqualFold(name, "localhost") || strings.EqualFold(name, listened)
}

// isSameSite reports whether an origin is the server's own or of this machine.
func isSameSite(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return strings.EqualFold(u.Host, host) || strings.EqualFold(u.Hostname(), "localhost") || err == nil && ip.IsLoopback()
}

// hostname is a host without its port and brackets.
func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}
