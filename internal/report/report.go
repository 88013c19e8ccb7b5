// Package report tells of calls to those who were not there: a server's author, in an
// issue. A [Report] is a value, made of what a session knows of some calls by [Take].
// It is written as Markdown with a sequence diagram for Mermaid, as one HTML page that
// needs nothing else, or as JSON; docs/report.md says what is in it.
//
// A server's text comes into a report through two gates, and nothing else does. It is
// masked, as in a recording (package session/secret), and made safe (package
// internal/safe), so that no control character is left in it. Each format then escapes
// it for itself.
package report

import (
	"time"

	"belay/internal/safe"
	"belay/session/mcp"
)

// Version is the version of the JSON format. It grows when a field goes or changes its
// meaning, and not when one is added.
const Version = 1

// Report is what is told of some calls to one server.
type Report struct {
	Environment Environment
	Calls       []Call
	Left        int // cancelled calls that were left out for their number
}

// Environment is where the calls were made.
type Environment struct {
	Server    Server
	Transport safe.Text    // "stdio", "http", "http+sse"
	Revision  mcp.Revision // empty: none was agreed on
	Belay     safe.Text    // the version that made the calls
	Writer    safe.Text    // the version that wrote the report; empty: the same
	Platform  safe.Text    // of the version that made the calls: "linux/amd64"; empty: not known
	Grace     time.Duration
	Bound     time.Duration // how long after a cancel a message may have been on its way, at the end
	Unmasked  bool          // of a recording that keeps secrets: only what looks like one is masked
	Notes     []safe.Text   // what is wrong with the recording; none: nothing, or it is none
}

// Server is who the server says that it is.
type Server struct{ Name, Title, Version safe.Text }

// Call is what is told of one call.
type Call struct {
	ID       safe.Text // as its row shows it
	Method   safe.Text
	Target   safe.Text // a tool, a prompt, a resource; empty: none
	Epoch    int       // counts the connections, from 1
	Earlier  bool      // the connection was not the last one: the environment is of that one
	At       time.Time // when it was made, in UTC
	State    safe.Text // the words of its row
	Duration time.Duration
	Note     safe.Text

	Params     []safe.Text // its parameters, set out in lines
	ParamsJSON []byte      // the same as JSON in ASCII; nil: there are none, or too much

	Cancel   *Cancel // nil: nobody cancelled it
	Steps    []Step
	Evidence []Evidence

	Processes *Processes // of the server, around the cancel; nil: nothing was seen of them
	Unseen    safe.Text  // says so of a call that was cancelled, in a sentence; empty: there is nothing to say
	Wire      Excerpt
}

// Cancel is what became of the cancel of a call.
type Cancel struct {
	By      safe.Text // "user", "timeout" …
	Reason  safe.Text
	At      time.Duration // since the call was made
	Verdict safe.Text     // empty: there is none yet
	Meaning safe.Text
	Rule    Rule
}

// Rule is what the specification says to a verdict.
type Rule struct {
	Revision mcp.Revision
	Page     safe.Text // "basic/utilities/cancellation", or the name of an extension
	Address  string    // of the page; empty: an extension has none
	Level    safe.Text // "MUST", "SHOULD NOT" …; empty: the rule demands nothing
	Text     safe.Text
}

// Evidence is one thing that was observed about a cancel.
type Evidence struct {
	At   time.Duration // since the call was made
	Text safe.Text
}

// Step is a line of the sequence of messages.
type Step struct {
	At     time.Duration // since the call was made
	Way    Way
	Kind   Kind
	Text   safe.Text
	Folded int // messages that the line stands for, which are not told one by one; 0: it is one itself
}

// Way is which way a message went.
type Way uint8

// The ways of messages.
const (
	Here Way = iota // not on the wire: a note
	Out             // to the server
	In              // from the server
)

// Kind is what a step is, as far as its looks go.
type Kind uint8

// The kinds of step.
const (
	Plain    Kind = iota
	Progress      // the server tells how far it is
	Stop          // the cancel, or what led to it
	After         // what came after the cancel
	Success       // an answer
	Failure       // an error, or no answer
	Remark        // a note of belay's
)

// Excerpt is the messages of a call as they were on the wire, or some of them.
type Excerpt struct {
	Lines  []Line
	Count  int // messages of the call that are known; those of the excerpt among them
	Behind int // messages after the last line that are left out
}

// Line is a message on the wire.
type Line struct {
	Before  int           // messages before it that are left out
	At      time.Duration // since the call was made
	Time    time.Time     // of day, in UTC
	Way     Way
	Label   safe.Text // what it is: "tools/call", "result", with what matters of it
	Message safe.Text // its beginning, where it is long; empty: its bytes are no longer kept
	Size    int       // bytes on the wire
	Gone    bool      // its bytes are no longer kept
}
