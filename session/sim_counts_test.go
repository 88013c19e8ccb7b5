package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"belay/session/cancel"
	"belay/session/mcp"
)

// counts is how often each thing happened. What never happened was not tested,
// and fails the simulation.
type counts struct {
	steps int
	seeds int
	n     map[string]map[string]int
}

func newCounts(over mcp.Transport) *counts {
	c := &counts{n: map[string]map[string]int{}}
	for group, names := range demanded(over) {
		c.n[group] = map[string]int{}
		for _, name := range names {
			c.n[group][name] = 0
		}
	}
	return c
}

func (c *counts) add(group, name string) {
	if c.n[group] == nil {
		c.n[group] = map[string]int{}
	}
	c.n[group][name]++
}

func (c *counts) merge(d *counts) {
	c.steps += d.steps
	c.seeds += d.seeds
	for group, names := range d.n {
		for name, n := range names {
			if c.n[group] == nil {
				c.n[group] = map[string]int{}
			}
			c.n[group][name] += n
		}
	}
}

// report prints the counts, and fails for each that is zero if all must have
// happened. A history that went wrong has stopped the simulation early.
func (c *counts) report(t *testing.T, all bool) {
	failed := t.Failed()
	var b strings.Builder
	fmt.Fprintf(&b, "%d histories, %d steps\n", c.seeds, c.steps)
	for _, group := range slices.Sorted(maps.Keys(c.n)) {
		fmt.Fprintf(&b, "%s\n", group)
		names := c.n[group]
		for _, name := range slices.Sorted(maps.Keys(names)) {
			fmt.Fprintf(&b, "  %8d  %s\n", names[name], name)
			if names[name] == 0 && all && !failed {
				t.Errorf("%s %q never happened", group, name)
			}
		}
	}
	t.Log(b.String())
}

var refusalNames = [...]string{
	RefuseUnknown: "unknown", RefuseFinished: "finished", RefuseInitialize: "initialize", RefuseCancelling: "cancelling",
	RefuseDirection: "direction", RefuseNotReady: "not ready", RefuseWithdrawn: "withdrawn", RefuseAnswered: "answered",
	RefuseParams: "parameters", RefuseMethod: "method", RefuseUnsupported: "unsupported", RefuseUndeclared: "undeclared", RefuseQuitting: "quitting", RefuseShared: "shared",
}

// raceNames are the interleavings that must have come up.
var raceNames = []string{
	"answer before the cancel left", "answer crossed the cancel", "answer begun before the cancel was written, ended after it", "answer during the grace", "answer during the probe",
	"answer after the end", "answer after the cancel was given up", "answer before its request was reported as written", "answer before its cancel was told as written",
	"cancel before the request left", "cancel overtook a request", "cancel written after it was given up",
	"withdrawal before it was shown", "withdrawal while it waited", "withdrawal while the answer was queued",
	"withdrawal after the answer", "withdrawal twice", "answer of the user's to a withdrawn prompt",
	"the ID of a request that ended is used again", "progress after the cancel", "progress after the end",
	"death while queued", "death while running", "death before the cancel was written", "death during the grace",
	"death during the probe", "death while a question waited", "death while an answer was queued", "death during the handshake",
	"end by belay while cancelling", "quit with calls in flight", "disconnect during the handshake",
	"a slow link", "probe shared", "probe for a younger cancel", "late probe answered", "time jumped", "message from a closed connection",
	"timeout", "rule", "question orphaned", "reconnect", "roots changed", "roots changed, and the server cannot be told",
	"superseded before it left", "superseded while it ran", "question from an error", "question from an error answered",
	"question from an error lost", "URL elicitation completed while it waited", "URL elicitation completed after the answer",
	"a root came or went by itself", "the look at the roots failed", "withdrawal while the roots were looked at",
	"a result of a type that nobody knows", "an old list is looked at", "negotiated anew", "server/discover not answered",
	"server/discover answered late", "server ended on server/discover", "started again", "begun with a third time", "both answered", "server/discover broke the server",
	"initialize answered beside server/discover", "server/discover answered beside initialize", "initialize refused by a modern server",
	"the other answer did not come", "initialize answered outside the list", "initialize refused, and asked again in the listed revision", "call made on the connection that was begun again", "server's request in the modern era",
	"round refused", "row held after too many rounds", "row goes on by the user's wish", "round before the cancel left", "call made again",
	"cancel between rounds", "cancel before the next request left", "input refused", "roots of a round",
	"roots of a round that cannot be had", "death between rounds", "question that nothing led to", "the eleventh sampling of a call",
	"silence within the beat", "subscription left", "subscription stands", "subscription stands before its cancel left", "subscription ended by a message", "subscription ended by both", "unsubscribed",
	"acknowledgement that says nothing", "question after the cancel", "question waits when the grace ends", "evidence in a refused batch",
	"bytes of a message after the cancel", "answer with its ID as a string", "stray after the cancel", "verdict in the middle of a message",
	"progress that names nothing", "progress that almost names a row",
	"cancelled row cancelled by the server", "question of a cancelled row withdrawn", "update without a tag for what is being cancelled",
}

// demanded is all that must happen: every edge, verdict, refusal, diagnostic,
// stage and race that there is over a transport.
func demanded(over mcp.Transport) map[string][]string {
	d := map[string][]string{"race": raceNames}
	if over == mcp.HTTP {
		d["race"] = slices.DeleteFunc(slices.Concat(raceNames, webRaces), func(name string) bool { return slices.Contains(onlyStdio, name) || slices.Contains(onStdio, name) })
	}
	for from, all := range nextStates {
		for _, to := range all {
			if from != Running || to != Dropped || over == mcp.HTTP {
				d["edge"] = append(d["edge"], edgeName(from, to))
			}
		}
	}
	for v := cancel.NothingRunning; v <= cancel.NothingHeard; v++ {
		if v >= cancel.TaskRefused && v <= cancel.TaskUnacknowledged {
			continue // tasks have a simulator of their own
		}
		if v == cancel.EndedAfter || over == mcp.HTTP && v == cancel.LeftProcess { // the first needs looks shortly before a cancel, which the histories have by chance
			continue // the processes are elsewhere
		}
		if v != cancel.StreamClosed || over == mcp.HTTP {
			d["verdict"] = append(d["verdict"], v.String())
		}
	}
	for _, kind := range Wrongs {
		d["wrong"] = append(d["wrong"], string(kind))
	}
	if over == mcp.HTTP {
		d["refusal"] = append(d["refusal"], refusalNames[RefuseShared])
	}
	for c := RefuseUnknown; c <= RefuseQuitting; c++ {
		d["refusal"] = append(d["refusal"], refusalNames[c])
	}
	for c := mcp.DiagNone + 1; c < mcp.NumDiags; c++ {
		// What is wrong with a message by itself is demanded on stdio.
		if over == mcp.HTTP != (onlyHTTP[c] || c == mcp.DiagSubStream) || onlyTables[c] || onlyLists[c] || onlyContents[c] || c >= mcp.DiagTaskShape && c <= mcp.DiagTaskAck {
			continue
		}
		d["diagnostic"] = append(d["diagnostic"], c.Words())
	}
	for c := CancelWanted; c <= CancelWrong; c++ {
		d["stage"] = append(d["stage"], c.String())
	}
	for p := Answered; p <= QuestionLost; p++ {
		d["prompt"] = append(d["prompt"], questionEdge(Waiting, p))
		if p != Withdrawn && p != QuestionLost {
			d["prompt"] = append(d["prompt"], questionEdge(p, Withdrawn), questionEdge(p, QuestionLost))
		}
	}
	for i := cancel.ByUser; i <= cancel.ByServer; i++ {
		d["initiator"] = append(d["initiator"], i.String())
	}
	for k := FailVersion; k <= FailHTTP; k++ {
		if (k == FailLogin || k == FailHTTP) == (over == mcp.HTTP) || k < FailProcess || k == FailClosed {
			d["failure"] = append(d["failure"], failureName(k))
		}
	}
	for _, r := range mcp.Supported() {
		d["revision"] = append(d["revision"], string(r))
	}
	return d
}

func edgeName(from, to State) string {
	if from == 0 {
		return "new → " + to.String()
	}
	return from.String() + " → " + to.String()
}

func questionEdge(from, to QuestionState) string { return from.String() + " → " + to.String() }
