package negotiate

import (
	"slices"

	"belay/session/mcp"
)

// Finding is what an answer to server/discover says of its server.
type Finding uint8

// The findings.
const (
	Modern     Finding = iota // a proper answer: the server lists its revisions
	Versions                  // not this revision, but those that the error lists
	Refused                   // a server of the modern era that refuses the request
	OtherEra                  // a server that does not know server/discover
	NotAllowed                // the request was not let through to the server
)

// The statuses of HTTP with which somebody is turned away before the server is asked.
const (
	statusUnauthorized = 401
	statusForbidden    = 403
	statusProxyLogin   = 407
)

// Judge says what an answer to server/discover means: f is the message, or nil when there was none
// or it was no JSON-RPC, and status is that of HTTP, or 0 on stdio. No other code, body or status
// keeps a client from the handshake, but that somebody is refused before the server is asked
// (VER-31 … VER-37; basic/transports/stdio, basic/transports/streamable-http).
func Judge(f *mcp.Frame, status int) Finding {
	if f != nil && f.Kind == mcp.FrameResult && f.Discover != nil && !isOddlyTyped(f) {
		return Modern
	}
	if f != nil && f.Kind == mcp.FrameError {
		switch f.Error.Code {
		case mcp.CodeUnsupportedVersion:
			return Versions
		case mcp.CodeHeaderMismatch, mcp.CodeMissingCapability:
			return Refused
		}
	}
	if status == statusUnauthorized || status == statusForbidden || status == statusProxyLogin {
		return NotAllowed
	}
	return OtherEra
}

// isOddlyTyped reports whether the answer to server/discover has a type that makes
// it none. Nothing can be asked for there.
func isOddlyTyped(f *mcp.Frame) bool {
	return f.Shape.Members[mcp.MemResultType] != 0 && f.Shape.ResultType != mcp.ResultComplete
}

// Mutual is the newest revision that both sides speak, of those that the server
// lists; a pin leaves that one only. Empty: there is none.
func Mutual(listed []string, pin mcp.Revision) mcp.Revision {
	for _, r := range mcp.Supported() {
		if slices.Contains(listed, string(r)) && (pin == "" || r == pin) {
			return r
		}
	}
	return ""
}

// NewestModern is the newest revision without a handshake among those that both
// sides speak; empty: none of the listed ones is.
func NewestModern(listed []mcp.Revision) (newest mcp.Revision) {
	for _, r := range listed {
		if r.IsModern() && mcp.Supports(r) && r > newest {
			newest = r
		}
	}
	return newest
}
