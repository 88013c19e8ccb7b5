package session

import (
	"strings"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// speaks says in words which revisions this connection may have.
func (n *connection) speaks() string {
	if pin := n.era.Pin(); pin != "" {
		return "this client is pinned to " + string(pin)
	}
	return "this client speaks " + join(mcp.Supported())
}

func join(revs []mcp.Revision) string {
	words := make([]string, len(revs))
	for i, r := range revs {
		words[i] = string(r)
	}
	return strings.Join(words, ", ")
}

// words say how a connection ended. How a process ended that belay has ended is no doing
// of its own.
func (w Close) words() string {
	switch {
	case w.ByUs && w.Status != "" && w.Err == "":
		return "belay ended it: " + w.Status
	case w.Status != "" && w.Err != "":
		return w.Status + "; " + w.Err
	case w.Status != "":
		return w.Status
	case w.Err != "":
		return w.Err
	}
	return "closed"
}

// ending says what a server did that ended a connection. One that only closed a
// pipe has not ended.
func (w Close) ending(when string) string {
	if w.Alive {
		return w.words() + when + "; belay ends it"
	}
	return "ended" + when + ": " + w.words()
}

// connection is what is forgotten when an epoch ends.
//
//shape:machine 1
type connection struct {
	epoch     Epoch
	phase     Phase
	rev       mcp.Revision
	server    mcp.ServerInfo
	started   time.Time
	readyAt   time.Time
	failure   *Failure
	closeSent bool // OpClose was handed out, or is not needed any more
	reconnect bool // another connection is to be begun after it, which nobody but belay asked for
	used      bool // the user has called something on it

	nonJSONOutput string // output that is no JSON-RPC, before there was an answer to initialize
	trips         *cancel.RoundTrips
	talked        time.Time // when the first byte of the server's last message came

	era          *era
	questionRate questionRate
}

// use notes that something is sent because the user called it.
func (n *connection) use(by Origin) {
	if by == FromUser {
		n.used = true
	}
}

// isLive reports whether x belongs to the connection of now.
func (n *connection) isLive(x ExchangeID) bool {
	return x.Epoch == n.epoch && n.phase != Disconnected
}

// noteServerInfo takes over who the server says it is, where it had not said so. It is its own
// word, and nothing is decided by it (VER-46, VER-47; basic).
func (n *connection) noteServerInfo(who *mcp.ServerInfo) {
	info := &n.server
	if info.Name == "" && info.Version == "" {
		info.Name, info.Title, info.Version, info.Claimed = who.Name, who.Title, who.Version, who.Claimed
	}
}

// maxNonJSON bounds what is kept of output that is no JSON-RPC in the place of a
// handshake: enough to see that a command has printed how it is used.
const maxNonJSON = 2000

func (n *connection) onUnparsable(f *mcp.Frame) {
	if n.phase == Connecting && len(n.nonJSONOutput) < maxNonJSON {
		n.nonJSONOutput += sentence.Clip(string(f.Raw[:min(len(f.Raw), sentence.Limit+1)])) + "\n"
	}
}
