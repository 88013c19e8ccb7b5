package peer

import (
	"fmt"
	"strings"
)

// An Event is an event of a stream. Only what is set is written.
type Event struct {
	ID    string
	Name  string
	Retry string // milliseconds, or what is no number
	Data  string // each line of it becomes a line of data
}

// String is the event as it stands on the wire, with its empty line.
func (e Event) String() string {
	var b strings.Builder
	for _, f := range []struct{ name, value string }{{"id", e.ID}, {"event", e.Name}, {"retry", e.Retry}} {
		if f.value != "" {
			fmt.Fprintf(&b, "%s: %s\n", f.name, f.value)
		}
	}
	if e.Data != "" {
		for line := range strings.SplitSeq(e.Data, "\n") {
			fmt.Fprintf(&b, "data: %s\n", line)
		}
	}
	return b.String() + "\n"
}

// Ends is the event with other line ends: "\r\n" or "\r".
func (e Event) Ends(with string) string { return strings.ReplaceAll(e.String(), "\n", with) }

// Event writes an event, as one chunk.
func (x *Exchange) Event(e Event) *Exchange { return x.Chunk(e.String()) }

// Message writes a JSON-RPC message as an event.
func (x *Exchange) Message(json string) *Exchange { return x.Event(Event{Data: json}) }

// Comment writes a comment, as servers do to keep a stream alive.
func (x *Exchange) Comment(text string) *Exchange { return x.Chunk(": " + text + "\n\n") }

// Result writes the result of the request of this exchange as an event, on its
// own stream or, over HTTP+SSE, on the session's; see also [Exchange.End].
func (x *Exchange) Result(result string) *Exchange {
	return x.sendAnswer(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, x.ID(), result))
}

// Error is Result with an error: an object with code and message.
func (x *Exchange) Error(err string) *Exchange {
	return x.sendAnswer(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, x.ID(), err))
}

func (x *Exchange) sendAnswer(message string) *Exchange {
	if stream := x.peer.sessionStream(); stream != nil {
		stream.Message(message)
		return x
	}
	return x.Message(message)
}

// JSONResult answers with the result as a body of JSON.
func (x *Exchange) JSONResult(result string) {
	x.Answer(200, "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, x.ID(), result))
}

// JSONError answers with an error, an object with code and message, as a body of
// JSON.
func (x *Exchange) JSONError(status int, err string) {
	x.Answer(status, "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, x.ID(), err))
}
