package session

import "time"

// Op is what the transport is asked to do.
type Op uint8

// The operations. Open and Abort are for HTTP, where an exchange is a thing of
// its own.
const (
	OpWrite Op = iota + 1 // write Data as one message, then report Sent or SendFailed
	OpClose               // end the connection in order, then report Closed
	OpAbort               // close exchange X and nothing else; with a Seq it is a cancel: report Sent
	OpOpen                // GET: open the stream that is exchange X
	OpLogin               // log in as the refusal in Head of exchange X wants it, then report LoggedIn
	OpRoots               // see which of Roots can be read, then report RootsChecked
)

// Output is one thing to do. Seq names it in Sent, SendFailed and
// RootsChecked.
type Output struct {
	Op   Op
	Seq  uint64
	X    ExchangeID
	Data []byte // one JSON-RPC message without a line end; never changed afterwards

	// Over HTTP, where an output is an exchange: the header fields beside those of
	// every exchange, and the address, unless the exchange goes to Config.Endpoint. A
	// Header of OpClose means that the session is to be ended with DELETE.
	// Awaits marks a request: the body of its answer may hold messages.
	Header []Header
	URL    string
	Awaits bool
	Head   *Head // of OpLogin

	Roots []Root // of OpRoots
	Call  CallID // the call it belongs to; 0 when none
	// Urgent outputs (cancels, answers) may be written together with the next
	// ones; any other is handed out only when the transport can write it now, so
	// that a cancel can still overtake what waits.
	Urgent   bool
	IsCancel bool // the signal of a cancellation
}

// Close says why a connection ended.
type Close struct {
	ByUs   bool   // belay closed it, or caused the end
	Status string // "exit status 3", "signal: killed", "closed its output"
	Alive  bool   // the server's process went on: it closed a pipe
	Err    string // reading or writing failed; empty when it did not
	Stderr string // the last lines of the server's stderr; foreign text

	at      time.Time // when that was; zero: now
	renewed bool      // the session over HTTP has ended, and another one begins
}
