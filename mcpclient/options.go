package mcpclient

import (
	"io"
	"os"
	"time"

	"belay/mcpclient/recording"
	"belay/session"
	"belay/session/secret"
)

// Options say what a [Client] runs and how. Either Command or HTTP is needed.
type Options struct {
	// Command is the server's program and its arguments. The program is looked
	// for in belay's own PATH unless it holds a path separator.
	Command []string

	// HTTP says where a server is that runs already; Command, Dir and Env are
	// not used then.
	HTTP HTTPOptions

	// Dir is the server's working directory; empty: belay's own.
	Dir string

	// Env adds to the environment that package process lets through: "NAME=value"
	// sets a variable, "NAME" hands on belay's own value of it.
	Env []string

	// Session configures the core.
	Session session.Config

	// Record receives the journal, one JSON line an input or output. It is
	// closed by [Client.Close]. See [recording.Create]. Nil: no recording.
	Record io.WriteCloser

	// RecordUnmasked keeps what is secret in the recording. It is masked otherwise, wherever it
	// occurs: what belay knows (values of Env, of header fields and of Secrets, whatever they are
	// called, what is secret in addresses and in the command, tokens and all else of a login, IDs
	// of sessions), and what looks like a secret (LOG-13; server/utilities/logging). Package
	// secret says how.
	RecordUnmasked bool

	// Tasks keeps the IDs of tasks that outlive belay. Nil: nothing is kept, and nothing is
	// offered.
	Tasks TaskKeeper

	// Secrets are values that belay was given beside, and that may be secret, as
	// NAME=value.
	Secrets []string

	// Learn is told of what turns out to be secret while belay runs, such as a token. It must not
	// wait; nil: nobody is told.
	Learn func(...secret.Value)

	// MaxLine is the longest line in bytes that is read whole; 16 MiB when
	// zero. A longer one is skipped to its end and told as what it was.
	MaxLine int

	// Shutdown holds the waits of closing a server.
	Shutdown ShutdownWaits

	// NoWitness leaves the processes of the server unsampled: then no verdict tells what
	// they did.
	NoWitness bool

	// Group is told of the process group of a server that was started, and that
	// nothing of it is left. It must not wait; nil: nobody is told.
	Group func(id int, lives bool)

	// Expect is told of the stdin of a server that is about to be started. Settled is called
	// when Group was told of the server, or it was not started. Nil: nobody is told.
	Expect func(stdin *os.File) (settled func())

	// Now is the clock; time.Now when nil.
	Now func() time.Time

	kept recording.Room           // for a recording that begins later; the usual room when zero
	open func(*Client) connection // in tests: what is connected in the place of a process; nil: a process
}

// ShutdownWaits holds the waits between the steps of closing a server (STD-14 … STD-18, STD-26;
// basic/transports, basic/transports/stdio). The zero value of each takes the default named beside
// it.
type ShutdownWaits struct {
	Stdin time.Duration // from closing its stdin to SIGTERM: 2 s
	Term  time.Duration // from SIGTERM to SIGKILL: 2 s
	Kill  time.Duration // from SIGKILL to giving up on it: 2 s

	// Settle is how long a server that closed its output or input may take to
	// exit before that counts as closing them while it lives: 1 s.
	Settle time.Duration

	// Rest is how long what is left of the process group gets after SIGTERM,
	// and after it whoever still holds the pipes: 500 ms.
	Rest time.Duration

	// Quit is how long the last cancels may take to be written before the
	// shutdown begins in any case: 1.2 s, a little more than the core allows.
	Quit time.Duration
}

const defaultMaxLine = 16 << 20

func (o Options) withDefaults() Options {
	if o.MaxLine <= 0 {
		o.MaxLine = defaultMaxLine
	}
	if o.kept.All <= 0 {
		o.kept = recording.Usual
	}
	if o.Group == nil {
		o.Group = func(int, bool) {}
	}
	if o.Expect == nil {
		o.Expect = func(*os.File) func() { return func() {} }
	}
	if o.Learn == nil {
		o.Learn = func(...secret.Value) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	l := &o.Shutdown
	for _, d := range []struct {
		wait  *time.Duration
		value time.Duration
	}{
		{&l.Stdin, 2 * time.Second},
		{&l.Term, 2 * time.Second},
		{&l.Kill, 2 * time.Second},
		{&l.Settle, time.Second},
		{&l.Rest, 500 * time.Millisecond},
		{&l.Quit, 1200 * time.Millisecond},
	} {
		if *d.wait <= 0 {
			*d.wait = d.value
		}
	}
	return o
}
