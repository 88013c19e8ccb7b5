package session

import (
	"fmt"
	"slices"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
)

// unansweredInitializeWords are the words for an initialize on which no connection comes, while
// server/discover may still be answered; empty: it is none of these.
func (xs *exchanges) unansweredInitializeWords() string {
	switch e := xs.conn.era; {
	case e.refused != nil:
		return e.refused.Text
	case e.unanswered != nil:
		_, words := xs.brokenWords(e.unanswered.x, e.unanswered.end)
		return "initialize got no answer: " + words
	case e.greeted != nil && xs.conn.mayNotAgree(mcp.Revision(e.greeted.Version)):
		return xs.conn.wrongRevision(mcp.Revision(e.greeted.Version)).Text
	}
	return ""
}

// muteWords are the words for an initialize that got no answer at a server that lists nothing
// that belay speaks; empty: that is not so.
func (e *era) muteWords(now time.Time) string {
	if e.IsForeign() && e.shake != nil && e.greeted == nil {
		return fmt.Sprintf("initialize was not answered within %v", now.Sub(e.shake.created).Round(time.Second))
	}
	return ""
}

// tellBoth has a failure tell what became of server/discover as well, where nothing
// comes of initialize.
func (xs *exchanges) tellBoth() {
	if e := xs.conn.era; e.unclear == "" && xs.unansweredInitializeWords() != "" {
		e.unclear = e.fate
	}
}

// overdueDiscoverWords are the words for a server/discover whose time beside initialize is
// over; empty: that is not what was waited for.
func (xs *exchanges) overdueDiscoverWords() string {
	e := xs.conn.era
	if e.discover == nil {
		return ""
	}
	e.fate = fmt.Sprintf("not answered within %v", xs.now.Sub(e.discover.created).Round(time.Second))
	xs.tellBoth()
	return e.fate
}

// mayNotAgree reports whether a revision that the server answers initialize with is
// none that belay may go on in.
func (n *connection) mayNotAgree(rev mcp.Revision) bool {
	pin := n.era.Pin()
	return !slices.Contains(mcp.Handshakes(), rev) || pin != "" && rev != pin
}

// wrongRevision is what is told of a server that answers initialize with such a one.
func (n *connection) wrongRevision(rev mcp.Revision) *Failure {
	wants := sentence.Quoted(string(rev))
	if rev.IsModern() && mcp.Supports(rev) {
		wants += ", which has no handshake"
	}
	fl := &Failure{Kind: FailVersion, Text: "server wants " + wants + "; " + n.speaks(), Remedy: Remedy{Kind: RemedyPin}}
	if mcp.Supports(rev) {
		fl.Supported, fl.Remedy.Revision = []mcp.Revision{rev}, rev
	}
	return fl
}
