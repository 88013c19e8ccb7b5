package mcp

import "slices"

// Revision is a published revision of the Model Context Protocol, named by its
// date as on the wire.
type Revision string

// The handshake revisions, oldest first.
const (
	Rev20241105 Revision = "2024-11-05"
	Rev20250326 Revision = "2025-03-26"
	Rev20250618 Revision = "2025-06-18"
	Rev20251125 Revision = "2025-11-25"
)

// Rev20260728 is the stateless revision: it has no handshake.
const Rev20260728 Revision = "2026-07-28"

// Supported lists the revisions that a connection can be negotiated to, newest
// first.
func Supported() []Revision {
	return append([]Revision{Rev20260728}, Handshakes()...)
}

// Handshakes lists the revisions that initialize agrees on, newest first.
func Handshakes() []Revision {
	return []Revision{Rev20251125, Rev20250618, Rev20250326, Rev20241105}
}

// Supports reports whether a connection can be negotiated to r.
func Supports(r Revision) bool { return slices.Contains(Supported(), r) }

// IsModern reports whether r belongs to the stateless era: no handshake, no server
// requests, no ping. Revisions are dates, so they compare as text.
func (r Revision) IsModern() bool { return r >= Rev20260728 }

// Batches reports whether a JSON-RPC batch may arrive: only 2025-03-26 has them (BASE-19, BASE-21;
// basic).
func (r Revision) Batches() bool { return r == Rev20250326 }

// Resumes reports whether a stream over HTTP may be taken up again where it broke
// (HTL-34; basic/transports); since 2026-07-28 it may not
// (HTM-13; basic/transports/streamable-http).
func (r Revision) Resumes() bool { return r >= Rev20250326 && !r.IsModern() }

// HasVersionHeader reports whether every exchange over HTTP names the revision in
// MCP-Protocol-Version (HTL-45, HTM-17; basic/transports, basic/transports/streamable-http).
func (r Revision) HasVersionHeader() bool { return r >= Rev20250618 }

// Elicits reports whether elicitation/create exists in r.
func (r Revision) Elicits() bool { return r >= Rev20250618 }

// ElicitsURL reports whether the URL mode of elicitation exists in r.
func (r Revision) ElicitsURL() bool { return r >= Rev20251125 }

// HasElicitDefaults reports whether every field of an elicitation may have a default; before, only
// booleans had one (ELI-29, ELI-30; client/elicitation).
func (r Revision) HasElicitDefaults() bool { return r >= Rev20251125 }

// HasCompletionContext reports whether completion/complete may tell what else was
// filled in.
func (r Revision) HasCompletionContext() bool { return r >= Rev20250618 }

// Completes reports whether a server may be asked to complete: since 2025-03-26
// only one that declares the capability, which 2024-11-05 does not have.
func (r Revision) Completes(declared bool) bool { return declared || r == Rev20241105 }

// HasProgressMessages reports whether a progress notification may carry a message (PRG-09;
// basic/utilities/progress).
func (r Revision) HasProgressMessages() bool { return r >= Rev20250326 }

// Transport is the way in which messages travel. Together with the revision it
// decides what a cancel is.
type Transport uint8

// The transports of the specification.
const (
	Stdio Transport = iota
	HTTP
)

func (t Transport) String() string {
	if t == HTTP {
		return "http"
	}
	return "stdio"
}
