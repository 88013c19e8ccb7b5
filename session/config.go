package session

import (
	"time"

	"belay/session/mcp"
)

// DefaultReason is the reason of a cancel when the user gives none.
const DefaultReason = "User requested cancellation"

// Config is what a session is made with. The zero value of a duration takes
// the default named beside it.
type Config struct {
	Transport mcp.Transport

	// Endpoint is the server's address over HTTP, as it may be seen. Origin is
	// that of the address itself, see [OriginOf]; empty: that of Endpoint.
	Endpoint string
	Origin   string `json:"-"` // a host may come from a variable, whose value is in no recording

	// NoListen opens no stream for what belongs to no request (HTL-25; basic/transports); in the
	// modern era, on any transport, it begins no subscription of belay's own to the lists that
	// change, or to tasks, unless [SubscribeToTasks] says otherwise.
	NoListen bool

	// NoSSE does not look for the two endpoints of 2024-11-05 where initialize is refused (HTM-48;
	// basic/transports/streamable-http).
	NoSSE bool

	// WrongCancels lets wrong cancels go over HTTP, too: nobody else uses the server, as it
	// is on this machine, or as the user owns it. See [WrongCancel].
	WrongCancels bool `json:",omitempty"`

	// Audit says that it is an audit that cancels calls, and not the user: they are the audit's.
	Audit bool `json:",omitempty"`

	// Login has calls wait for a login where the server wants one: OpLogin asks
	// for it. Without, they fail.
	Login bool

	// Pin is the only revision that may be negotiated; empty negotiates the newest that both sides
	// speak (VER-07, VER-08; basic/lifecycle).
	Pin mcp.Revision

	// DiscoverLimit is how long the server may take to answer server/discover before it is taken
	// for one with a handshake: 3 s. Negative: belay does not ask, and begins with the handshake. It
	// does not matter to a revision that is pinned (VER-28, VER-31; basic/transports/stdio).
	DiscoverLimit time.Duration `json:"Probe"`

	ClientName, ClientTitle, ClientVersion string

	// Platform is what belay runs on, such as "linux/amd64": for those who read a recording
	// or a report. No server is told.
	Platform string `json:",omitempty"`

	// Anonymous leaves out of every request who belay is; a handshake has to say it (VER-22;
	// basic).
	Anonymous bool

	Reason  string        // default of a cancel's reason: DefaultReason
	Grace   time.Duration // 5 s, from the cancel's last byte
	Idle    time.Duration // 5 min of silence; negative: none
	Max     time.Duration // 1 h in all; negative: none
	NoProbe bool          // the server is not asked at the end of a grace whether it answers

	// PingEvery sends a ping periodically to see whether the server still answers; zero: never.
	// Less than 5 s is raised to that. PingTimeout is how long an answer may take: 5 s, over HTTP
	// 15 s (PNG-03 … PNG-06; basic/utilities/ping).
	PingEvery, PingTimeout time.Duration

	// What is declared to the server, and served. Tools in sampling are declared
	// only on request; elicitation without forms and URLs is none.
	NoSampling, NoElicitation bool
	SamplingTools             bool
	NoForms, NoURLs           bool // of elicitation
	Roots                     []Root

	// CheckRoots has the roots looked at before they are given away, and every
	// minute: OpRoots asks for it. Without, they are taken to be readable.
	CheckRoots bool

	// NoTasks does not declare the extension of tasks of 2026-07-28, so that every call is
	// answered by its result.
	NoTasks bool

	// KeepTasks has the IDs of tasks be kept beyond the end of belay, by whoever asks for
	// NextKept; Kept are those that an earlier run has kept for the same server and the same user
	// (TEX-16; extensions/tasks).
	KeepTasks bool
	Kept      []KeptTask `json:"-"` // which a recording does not need

	// StrictAsks refuses requests to the user, and for roots, while no call is in flight that they
	// could belong to (SMP-41; client/sampling).
	StrictAsks bool

	// MaxRounds is how often a server may answer a call by asking for input before the call is
	// held until the user goes on with it: 10 (MRT-17; basic/patterns/mrtr).
	MaxRounds int

	HistoryBytes int // 64 MiB, of messages and of what lists them
	HistoryCount int // 200,000 messages
	FinishedRows int // 20,000; the oldest finished rows go first

	FirstID int64 // of the first request; 1

	// StartIsIdle counts what a server uses to start among its idle use of CPU, as belay did
	// when it wrote recordings of a format before 9.
	StartIsIdle bool `json:"-"`

	// Begun has the session go on where another one had come to; nil: it begins anew.
	Begun *Begun `json:",omitempty"`

	// Jitter seeds by how much the pauses are shortened before a subscription is
	// begun again, half of each at most; zero: by nothing.
	Jitter int64
}

// Root is a directory that the user lets the server know about.
type Root struct {
	URI  string // file://…
	Name string
}

// Times that are rules of the design and no options; those of a cancel are in
// [belay/session/cancel].
const (
	quitLimit = time.Second      // for the cancels of a quit to be written
	clockJump = 30 * time.Second // a tick later than that is a suspended machine
)

func (c Config) withDefaults() Config {
	set := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	set(&c.Grace, 5*time.Second)
	set(&c.DiscoverLimit, 3*time.Second)
	set(&c.Idle, 5*time.Minute)
	set(&c.Max, time.Hour)
	if c.Reason == "" {
		c.Reason = DefaultReason
	}
	if c.ClientName == "" {
		c.ClientName = "belay"
	}
	if c.ClientVersion == "" {
		c.ClientVersion = "dev"
	}
	if c.HistoryBytes == 0 {
		c.HistoryBytes = 64 << 20
	}
	if c.HistoryCount == 0 {
		c.HistoryCount = 200_000
	}
	if c.FinishedRows == 0 {
		c.FinishedRows = 20_000
	}
	if c.MaxRounds <= 0 {
		c.MaxRounds = 10
	}
	if c.FirstID == 0 {
		c.FirstID = 1
	}
	return c
}
