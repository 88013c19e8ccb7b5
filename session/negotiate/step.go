package negotiate

import (
	"time"

	"belay/session/mcp"
)

// Do is what is to be done next.
type Do uint8

// The decisions.
const (
	Wait            Do = iota // for what is out
	AskDiscover               // send server/discover, in Step.Revision
	AskInitialize             // send initialize, offering Step.Revision
	UseModern                 // agree on Step.Revision, which has no handshake
	UseUndiscovered           // the same, with a server that never said what it can do
	UseHandshake              // take the answer to initialize as what it is
	BeginAgain                // end the connection, and begin another with the Memory
	GiveUp                    // end the connection, for Step.Why
)

// Why is the reason of a decision.
type Why uint8

// The reasons.
const (
	Plainly Why = iota // nothing is to be said about it

	// Of AskDiscover.
	Offered    // the server lists the revision that it is asked in now
	Declares   // it said which capabilities it wants declared
	NotGreeted // it refused initialize, which was tried for a reason that may not hold

	// Of AskInitialize.
	NotModern // the server is none of the modern era
	Silent    // server/discover is not answered; it stays out beside initialize
	Listed    // the server lists the revision
	Foreign   // the server lists revisions that belay does not speak, and may know the handshake too

	// Of BeginAgain.
	Both        // it answered server/discover and initialize, and may stay with the handshake
	HalfGreeted // it answered server/discover, and not initialize, which it has
	Broken      // it refused initialize after server/discover
	Ended       // it ended after server/discover
	Mute        // it answered neither
	Late        // it answered server/discover when the handshake was over
	Unlisted    // it listed older revisions beside initialize, and answered that in another one

	// Of GiveUp: which answer says why.
	ByDiscover
	ByInitialize
	ByEra // in mid-session the server was not modern any more
)

// Step is a decision.
type Step struct {
	Do       Do
	Revision mcp.Revision
	Why      Why

	// Limit is how long server/discover may stay unanswered; 0: as long as any
	// request of the opening.
	Limit time.Duration

	// Least is how long initialize may stay unanswered at the least, where the server may not have
	// started yet; 0: as long as any request of the opening.
	Least time.Duration
}

// Opening is the request that a connection begins with.
type Opening uint8

// The openings.
const (
	AsUsual        Opening = iota // with server/discover, and initialize if that is not answered soon
	WithDiscover                  // with server/discover, and with patience
	WithInitialize                // with initialize
)

// Memory is what a connection has shown about how to begin with its server. The
// zero value is nothing.
type Memory struct {
	Begin    Opening
	Patience time.Duration // with server/discover: at least so long

	// Again says that the next connection is another beginning with a server, which
	// nobody but the Machine asked for.
	Again bool

	// Open says that the server answered server/discover not, and initialize not well,
	// when both were out: which of them it does not bear is open. If it does not bear
	// initialize alone either, server/discover gets the Patience, and if it ends on
	// initialize, a third beginning.
	Open bool

	// Mute says that nothing but the silence of the server, which had both requests, speaks for
	// initialize alone. That is remembered for later connections once the server has taken it.
	Mute bool

	// Greeted is the revision in which the server has answered initialize, or was offered it,
	// beside server/discover. Where it bears no beginning with server/discover alone, it is
	// begun with initialize in that revision.
	Greeted mcp.Revision
}

// Found is how the revision of a connection was found.
type Found uint8

// The ways to a revision (VER-52).
const (
	NotFound    Found = iota
	Pinned            // the user named it: nothing else was tried
	Discovered        // server/discover was answered with it
	FoundListed       // the server refused another one, and listed this
	Fallback          // the server does not know server/discover: initialize agreed on it
	Cached            // as this server was found earlier in the run, without another server/discover
	Negotiated        // initialize agreed on it: no server/discover was wanted, or the server lists others
)

var foundWords = [...]string{
	Pinned: "pinned", Discovered: "discovered", FoundListed: "listed", Fallback: "fallback",
	Cached: "cached", Negotiated: "negotiated",
}

func (f Found) String() string {
	if int(f) < len(foundWords) {
		return foundWords[f]
	}
	return ""
}

// Awaited is what a connection that is not agreed on waits for.
type Awaited uint8

// What may be waited for.
const (
	Nothing          Awaited = iota
	ForDiscover              // the answer to server/discover
	ForInitialize            // the answer to initialize
	ForEither                // to either of them
	ForDiscoverToo           // initialize is answered: server/discover has until the hold ends
	ForDiscoverAlone         // initialize is refused, or answered with nothing to go on with: the same
	ForInitializeToo         // server/discover is answered: initialize has until the hold ends
)
