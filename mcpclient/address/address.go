// Package address shows the address of a server without its secrets, and reports whether
// others can read the messages on their way there. Nobody else decides that.
package address

import (
	"net/netip"
	"net/url"
	"strings"
)

// IsLoopback reports whether a host is this machine, which messages to it never leave.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// IsReadable reports whether what is sent to an address can be read on its way: it
// is of HTTP without TLS, and leads to another machine.
func IsReadable(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "http" && u.Host != "" && !IsLoopback(u.Hostname())
}

// Shown returns an address as it may be shown and recorded: its scheme, host, port
// and path. Account and fragment are gone, and a query is only hinted at: all three
// often hold a key. Unsound addresses are read, too, also those with ${HOST}.
func Shown(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		scheme, rest = "", address
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if found && isHost(rest[strings.LastIndexByte(rest[:end], '@')+1:end]) {
		rest = rest[strings.LastIndexByte(rest[:end], '@')+1:]
	} else { // the account holds one of the three itself, or the scheme is missing
		rest = rest[strings.LastIndexByte(rest, '@')+1:]
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, _, query := strings.Cut(rest, "?")
	if found {
		rest = scheme + "://" + rest
	}
	if query {
		rest += "?…"
	}
	return rest
}

// isHost reports whether a text can be a host with its port, if it has one.
func isHost(text string) bool {
	text = text[strings.LastIndexByte(text, ']')+1:] // of an address of IPv6
	_, port, _ := strings.Cut(withoutReferences(text), ":")
	return strings.Trim(port, "0123456789") == ""
}

// withoutReferences is a text without each ${…} in it.
func withoutReferences(text string) string {
	for {
		before, from, found := strings.Cut(text, "${")
		_, after, closed := strings.Cut(from, "}")
		if !found || !closed {
			return text
		}
		text = before + after
	}
}
