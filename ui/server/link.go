// Package server shows who is at the other end: the words of the link in the header,
// and the page with all that the server says of itself and offers.
package server

import (
	"strings"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// Link is the connection to the server, to be put in words.
type Link struct {
	Status *session.Status
	Now    time.Time
	ASCII  bool   // nothing but ASCII is written
	Entry  string // that of [Start]

	Recorded bool // it is that of a recording, about which nothing can be done
}

// ShortIDs is what [IDs] says, in one line of a narrow pane.
const ShortIDs safe.Text = "IDs begin at random: servers may mix up clients whose IDs are the same"

// IDs says why the IDs of belay's requests do not begin at 1; empty: they do.
func IDs(s *session.Status) safe.Text {
	if s.Transport != mcp.HTTP || s.FirstID <= 1 {
		return ""
	}
	return "IDs begin at a random number over HTTP, as some servers mix clients up whose IDs are the same"
}

// LeastFound is the room in which a name is cut to leave the words for how the
// revision was found in place; with less they go.
const LeastFound = 40

// Words are the transport, the revision and how it was found; before that is
// known, how it is looked for.
func (l Link) Words(long bool) safe.Text {
	s := l.Status
	t := l.transport()
	switch {
	case s.StartAgain:
		return t + " · " + wording.BeginsAgain(s)
	case s.Revision == "":
		if awaited := wording.Awaited(s, l.Now, long); awaited != "" {
			t += " · " + awaited
		}
		return t
	case long || s.Found == negotiate.Pinned:
		return l.Brief() + " " + foundWords(s)
	}
	return l.Brief()
}

// Brief are the transport and the revision alone; before that is known, how it is looked for.
func (l Link) Brief() safe.Text {
	if l.Status.StartAgain || l.Status.Revision == "" {
		return l.Words(false)
	}
	return l.transport() + " · " + safe.Line(string(l.Status.Revision))
}

func (l Link) transport() safe.Text {
	t := safe.Text(l.Status.Transport.String())
	if l.Status.SSE {
		t += "+sse"
	}
	return t
}

// helpAfter is how long a server may take to start before it is said what may help, and
// bannerAfter how long it may take to answer behind a banner on its stdout before that is told.
const (
	helpAfter   = 10 * time.Second
	bannerAfter = 2 * time.Second
)

// Waits says, of a connection that does not come, the reason in a title, what came in its stead,
// and what may help; without a title it is no time for that yet.
func (l Link) Waits() (title, came, helps safe.Text) {
	s := l.Status
	if s.Phase != session.Connecting || s.StartAgain {
		return "", "", ""
	}
	rev := safe.Text(mcp.Handshakes()[0])
	late := l.Now.Sub(s.Started) >= helpAfter
	helps = ":disconnect stops the waiting"
	anew := helps + "; :restart " + rev + " begins with initialize alone, as --protocol " + rev + " does"
	switch {
	case s.InVain != "" && (s.Awaits == negotiate.ForDiscoverAlone || s.Awaits == negotiate.ForDiscover):
		title, came = "initialize failed, server/discover is still waited for", safe.LineN(s.InVain, 2000)
	case s.NonJSON != "" && l.Now.Sub(s.Started) >= bannerAfter:
		title, came = "no answer yet, but what is no JSON-RPC", safe.LineN(s.NonJSON, 2000)
	case s.Awaits == negotiate.ForEither && late:
		title, helps = "no answer yet to server/discover or initialize", anew
	case s.Awaits == negotiate.ForDiscover && late:
		title, helps = "no answer yet to server/discover", anew
	case s.Awaits == negotiate.ForInitialize && late && s.SSE: // initialize leaves once the endpoint is known
		title = "HTTP+SSE of 2024-11-05: no endpoint yet, or no answer to initialize"
	case s.Awaits == negotiate.ForInitialize && late:
		title = "no answer yet to initialize"
	}
	if title == "" || l.Recorded {
		helps = ""
	}
	return title, came, helps
}

// foundWords say how the revision was found, and what that took: a server that was
// started again for it, or what an earlier connection of the run has shown.
func foundWords(s *session.Status) safe.Text {
	t := safe.Text(s.Found.String())
	switch {
	case s.StartedAgain:
		return t + ", " + wording.StartedAgain(s)
	case s.BegunWith == negotiate.WithDiscover:
		return t + ", remembered"
	}
	return t
}

// asciiDots spells the one character of the core's words that is not ASCII.
func asciiDots(t safe.Text) safe.Text {
	return safe.Text(strings.ReplaceAll(string(t), "…", "..."))
}
