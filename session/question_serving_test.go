package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session/mcp"
)

// What a server on the bench says of itself when a connection begins, and what it
// lists.

// logging is what a server has that offers nothing.
const logging = `{"logging":{}}`

// serving is a rig whose server speaks a revision and has these capabilities. What
// belay asks for because of them is out.
func serving(t testing.TB, rev mcp.Revision, capabilities string, change ...func(*Config)) *rig {
	var cfg Config
	if rev.IsModern() {
		cfg.Pin = rev
	}
	for _, f := range change {
		f(&cfg)
	}
	r := opened(t, cfg)
	r.wait(5 * time.Millisecond)
	r.agree(rev, capabilities)
	return r
}

// servingWeb is the same over HTTP.
func servingWeb(t testing.TB, rev mcp.Revision, capabilities string, change ...func(*Config)) *webRig {
	w := newWebRig(t, append([]func(*Config){func(c *Config) {
		if c.DiscoverLimit = 3 * time.Second; !rev.IsModern() {
			c.Pin = rev
		}
	}}, change...)...)
	w.agree(rev, capabilities)
	return w
}

// agreement is the answer to the request that opens a connection: the server
// speaks a revision and has these capabilities.
func agreement(id mcp.ID, rev mcp.Revision, capabilities string) string {
	if rev.IsModern() {
		return fmt.Sprintf(discoverAnswer, id, `["`+rev+`"]`, capabilities)
	}
	return handshakeAnswer(id, rev, capabilities)
}

// handshakeAnswer is the answer to initialize.
func handshakeAnswer(id mcp.ID, rev mcp.Revision, capabilities string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":{"protocolVersion":%q,"capabilities":%s,"serverInfo":{"name":"peer","version":"1"}}}`, id, rev, capabilities)
}

// asked is the latest request in flight of one of these methods.
func (r *rig) asked(methods ...string) Row {
	r.t.Helper()
	for _, row := range slices.Backward(r.s.InFlight(nil, 1000)) {
		if slices.Contains(methods, row.Method) {
			return row
		}
	}
	r.t.Fatalf("nobody asks for %v", methods)
	return Row{}
}

// opening is the request that opens the connection.
func (r *rig) opening() Row {
	r.t.Helper()
	return r.asked("initialize", "server/discover")
}

// agree has the server answer it.
func (r *rig) agree(rev mcp.Revision, capabilities string) {
	r.t.Helper()
	r.recv("%s", agreement(r.opening().Latest, rev, capabilities))
	r.speaks(rev)
}

// speaks fails unless the connection is ready, in this revision.
func (r *rig) speaks(rev mcp.Revision) {
	r.t.Helper()
	if st := r.s.Status(); st.Phase != Ready || st.Revision != rev {
		r.t.Fatalf("not ready but %v, in %q: %+v", st.Phase, st.Revision, st.Failure)
	}
}

// agree has the server answer it, in a session of this connection where the
// revision has sessions.
func (w *webRig) agree(rev mcp.Revision, capabilities string) {
	w.t.Helper()
	h := Head{Status: 200, Media: mediaJSON}
	if !rev.IsModern() {
		h.Session = "session-7"
	}
	w.agreeWith(h, rev, capabilities)
}

// agreeWith does that with another head.
func (w *webRig) agreeWith(h Head, rev mcp.Revision, capabilities string) {
	w.t.Helper()
	opening := w.opening()
	x := w.post(opening.Method).X
	w.opened(x, h)
	w.recvOn(x, "%s", agreement(opening.Latest, rev, capabilities))
	w.ended(x, End{})
	w.speaks(rev)
}

// fresh has the answer to a request for a list say that it stays so for a minute.
const fresh = `,"resultType":"complete","ttlMs":60000,"cacheScope":"public"`

// answerList answers the request for a page of a list that is out, with
// these entries; more are further members of the result.
func (r *rig) answerList(kind mcp.ListKind, more string, entries ...string) {
	r.t.Helper()
	r.recv("%s", listAnswer(r.asked(kind.Method()).Latest, kind, more, entries))
}

// answerList is the same over HTTP.
func (w *webRig) answerList(kind mcp.ListKind, more string, entries ...string) {
	w.t.Helper()
	out := w.post(kind.Method())
	w.opened(out.X, Head{Status: 200, Media: mediaJSON})
	w.recvOn(out.X, "%s", listAnswer(mcp.Decode(out.Data).ID, kind, more, entries))
	w.ended(out.X, End{})
}

// listAnswer is the answer to a request for a page of a list.
func listAnswer(id mcp.ID, kind mcp.ListKind, more string, entries []string) string {
	member := kind.String()
	if kind == mcp.Templates {
		member = "resourceTemplates"
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":{%q:[%s]%s}}`, id, member, strings.Join(entries, ","), more)
}
