package session

import (
	"fmt"

	"belay/session/mcp"
)

// RefusalCode says why something that the user asked for was refused.
type RefusalCode uint8

// The refusals.
const (
	RefuseUnknown     RefusalCode = iota + 1 // no such call or question
	RefuseFinished                           // it has ended: nothing is sent (CXL-05; basic/utilities/cancellation)
	RefuseInitialize                         // the handshake must not be cancelled (CXL-06; basic/utilities/cancellation)
	RefuseCancelling                         // its cancel is already on the way (CXL-31)
	RefuseDirection                          // it is the server's request, not ours (CXL-03; basic/utilities/cancellation)
	RefuseNotReady                           // not connected
	RefuseWithdrawn                          // the server has withdrawn the question (CXS-04; basic/utilities/cancellation)
	RefuseAnswered                           // the question was answered already
	RefuseParams                             // the parameters are no JSON object
	RefuseMethod                             // an empty method, or one that only the handshake may use
	RefuseUnsupported                        // the revision or the transport does not have it, or forbids it
	RefuseUndeclared                         // the server does not declare what it needs
	RefuseQuitting                           // belay is closing the connection
	RefuseShared                             // it may harm others who use the server
)

// Refusal is the typed error of everything that the core declines to do.
// Nothing was sent and nothing was changed.
type Refusal struct {
	Code   RefusalCode
	Text   string // one sentence for the status line, in belay's own words
	Remedy Remedy // what can be done about it
}

func (r *Refusal) Error() string { return r.Text }

// Is makes errors.Is compare refusals by their code.
func (r *Refusal) Is(target error) bool {
	t, ok := target.(*Refusal)
	return ok && t.Code == r.Code
}

// Sentinels for errors.Is.
var (
	ErrNotSupported = &Refusal{Code: RefuseUnsupported}
	ErrUndeclared   = &Refusal{Code: RefuseUndeclared}
)

func refuse(code RefusalCode, format string, args ...any) error {
	return &Refusal{Code: code, Text: fmt.Sprintf(format, args...)}
}

// unconnected refuses what needs a connection, or one that comes about.
func unconnected(p Phase, t mcp.Transport) error {
	switch p {
	case Disconnected:
		return &Refusal{Code: RefuseNotReady, Text: "not connected", Remedy: reconnectRemedy(t)}
	case Closing:
		return refuse(RefuseQuitting, "the connection is being closed")
	case Connecting, Ready:
	}
	return nil
}

// unready refuses what needs a connection that has come about.
func unready(p Phase, t mcp.Transport) error {
	if err := unconnected(p, t); err != nil || p == Ready {
		return err
	}
	return refuse(RefuseNotReady, "still connecting: this can be asked for when the server is ready")
}
