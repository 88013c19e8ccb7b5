// Package cancel is the cancellation of one call as a value, and the first
// package to read.
//
// MCP's cancel is a notification: nobody confirms it, and the specification asks
// the server for silence (2025-11-25, basic/utilities/cancellation; 2026-07-28,
// basic/patterns/cancellation).
// What the server really did has to be concluded from what comes afterwards and
// from what does not. An [Attempt] is told about events, each with its time: the
// cancel was written, accepted or rejected, a message came for the call, the call
// was answered, the grace ended, the probe was answered. It gives back a
// [Verdict], the evidence behind that word, and the time at which the next thing
// is due.
//
//	wanted ─► written ─► grace ─► probe ─► ended      later evidence still counts
//	   │         │          │        │
//	   └─ not within 5 s    └────────┴─ an answer ends it at once
//
// [SignalFor] is the table of signals: how each kind of call is stopped, by
// revision and transport. [RoundTrips] estimates how long a message may
// have been on its way, which is the bound between "crossed" and "late".
//
// The package has no clock, no queue and no connection. Package session decides
// which messages are sent, and tells an attempt about every event. What the server's processes
// did is not told again: an attempt has the account of them that package witness keeps.
package cancel
