package session

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"belay/session/mcp"
	"belay/session/task"
)

// What a server over HTTP should do and need not, so that only a hint tells of
// it.

// tellOpenToAll tells of a server at an address of the network that answered a request without
// credentials: whoever reaches it can use it (HTL-51; basic/transports).
func (xs *exchanges) tellOpenToAll(e *exchange) {
	if !e.head.isSuccess() || e.head.Credentials || xs.noLogin {
		return
	}
	if host := hostOf(*xs.cfg); isOnNetwork(host) {
		xs.noLogin = true
		xs.diagnose(mcp.DiagNoLogin, 0, "", host)
	}
}

// streamsPoll reports whether a server opens a stream as the answer to a poll of a task of
// 2025-11-25. It is read like any other answer (TSK-31; basic/utilities/tasks).
func (e *exchange) streamsPoll(p task.Protocol) bool {
	c := e.owner()
	if c == nil {
		return false
	}
	asks, ok := c.about.(*taskRequest)
	return ok && asks.does == task.Get && e.head.isSuccess() && e.head.streams() && p == task.Core
}

func hostOf(cfg Config) string {
	address := cfg.Origin
	if address == "" {
		address = cfg.Endpoint
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// isOnNetwork reports whether a host is one of a local network, and not this machine.
func isOnNetwork(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		ip = ip.Unmap()
		return ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	return strings.HasSuffix(strings.ToLower(strings.TrimSuffix(host, ".")), ".local")
}

// A stream whose first messages come all at once, and late, may be held back by
// something in between.
const (
	burstOf    = 10
	burstTime  = 100 * time.Millisecond
	burstAfter = time.Second
)

// countBurst counts the first messages of a stream, and tells when they look held back (HTM-11;
// basic/transports/streamable-http).
func (l *lint) countBurst(e *exchange) {
	first := e.firstMessageAt(l.now)
	if e.messages != burstOf || !e.head.streams() || e.head.Unbuffered || e.req == nil || e.req.written.IsZero() || !l.conn.rev.IsModern() {
		return
	}
	if wait := first.Sub(e.req.written); wait >= burstAfter && l.now.Sub(first) <= burstTime {
		l.diagnose(mcp.DiagBuffered, callOf(e), "", fmt.Sprintf("%d at once, %v after the request", burstOf, wait.Round(time.Second/10)))
	}
}
