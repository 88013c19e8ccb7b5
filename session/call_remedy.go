package session

import (
	"strings"

	"belay/session/mcp"
)

// Remedy is what the user can do about a trouble. The session knows what would
// help, but not by which key, command or option it is done: these words belong to
// whoever shows it. The zero value is none.
type Remedy struct {
	Kind     RemedyKind
	Revision mcp.Revision // of RemedyPin, RemedyRestartIn and RemedyHandshake
}

// RemedyKind is a thing that can be done about a trouble; 0: nothing is known.
type RemedyKind uint8

// The remedies: first what helps while belay runs, then what it has to be started
// with. Whoever shows them has words for all.
const (
	RemedyRestart     RemedyKind = iota + 1 // start the server again
	RemedyReconnect                         // connect again to a server that belay does not run
	RemedyRestartIn                         // do either in a revision that the server lists
	RemedyWait                              // do either after a while
	RemedyLeave                             // leave the connection
	RemedyReload                            // fetch the lists again
	RemedyRepeat                            // make the call again
	RemedyDeclare                           // make it again with what it lacks declared: see [Detail]
	RemedyCancelAgain                       // post its cancel once more
	RemedyWire                              // read what came
	RemedyStopWaiting                       // wait for a task no more, which goes on at the server
	RemedyAsTask                            // make it again as a task
	RemedyPickUp                            // ask for its task, which may go on, over another connection
	RemedyListTasks                         // have the server list its tasks, of which one may be that of the call

	RemedyAuto             // find out what the server speaks
	RemedyPin              // speak a revision that both sides know: that one, or any if none is named
	RemedyHandshake        // speak a revision that has a handshake
	RemedyHeader           // give the credentials that the server wants
	RemedyBasic            // give it a name and a password
	RemedyToken            // give it a token that the user has
	RemedyClient           // log in as a client that was registered by hand, or give a token
	RemedyOwnClient        // give who the client is, and its secret, as they were registered
	RemedyLimit            // take longer messages
	RemedyAllowSampling    // declare sampling, which Config keeps belay from
	RemedyAllowElicitation // … elicitation
	RemedyAllowForms       // … elicitation by forms
	RemedyAllowURLs        // … elicitation by addresses
	RemedyOwnServer        // say that the server is the user's own: Config.WrongCancels

	NumRemedies
)

// reconnectRemedy is how to get a connection again: belay runs no server over HTTP.
func reconnectRemedy(t mcp.Transport) Remedy {
	if t == mcp.HTTP {
		return Remedy{Kind: RemedyReconnect}
	}
	return Remedy{Kind: RemedyRestart}
}

// problemWords say what is wrong with a response, and what can be done about it.
func problemWords(f *mcp.Frame) rowNote {
	const malformed = "malformed response: "
	if f.Kind == mcp.FrameOversize {
		return advising(malformed+f.Problems[0].Detail, Remedy{Kind: RemedyLimit})
	}
	var words []string
	for _, p := range f.Problems {
		words = append(words, p.Code.Words())
	}
	return saying(malformed + strings.Join(words, "; "))
}
