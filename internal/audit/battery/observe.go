package battery

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"belay/internal/audit"
	"belay/mcpclient"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/witness"
)

// moments are those of a call that count.
type moments struct {
	cancelled time.Time // its cancel was written; zero: it was not
	task      time.Time // tasks/cancel was written; zero: it was not
	begun     bool      // progress of it came before
	probed    bool      // the server answered something that was written after that
}

func momentsOf(d *session.Detail) (m moments) {
	for _, mo := range d.Timeline {
		switch mo.Kind {
		case session.MomCancelSent, session.MomClosing:
			m.cancelled = mo.At
		case session.MomProgress:
			m.begun = m.begun || m.cancelled.IsZero()
		case session.MomTaskCancel:
			m.task = mo.At
		case session.MomProbeAnswer:
			m.probed = true
		default: // says nothing about a cancel
		}
	}
	return m
}

// observe is what was seen of a call that was to be cancelled. What may have been on its way
// when the server read the cancel is for the core to say, which knows when each message began
// and what the round trips were then.
func observe(d *session.Detail, heard, bound time.Duration) audit.Call {
	m := momentsOf(d)
	c := audit.Call{Sent: !m.cancelled.IsZero(), Bound: bound, Heard: heard, Blind: d.Verdict == cancel.StreamClosed, RanAsTask: d.Task != nil}
	// A call whose cancel was followed by the handle of a task is judged by the task: what comes
	// of that is told by polls, and is no answer to the call.
	if !m.task.IsZero() {
		c.Sent, c.Ran, c.Task, c.Crossed = false, between(sentAt(d), m.task), becameOf(d), mayHaveEndedBefore(d)
		return c
	}
	if !c.Sent {
		c.Ran = between(sentAt(d), d.Ended)
		c.Answer, c.Said, c.Digest = endOf(d)
		return c
	}
	c.Ran = between(sentAt(d), m.cancelled)
	c.Messages, c.Last, c.OnWay, c.OnWayUntil = d.After.Late, d.After.Last, d.After.All-d.After.Late, d.After.OnWay
	c.Begun = m.begun || d.EndedEarly
	c.Read = m.probed || d.Verdict == cancel.Quiet
	if !d.Accepted.IsZero() {
		c.ReadWithin = max(1, between(m.cancelled, d.Accepted)) // belay may be told of the write later than of the 2xx
	}
	c.Deaf = deaf(d)
	if l := d.Late; l != nil {
		c.After, c.Crossed, c.Unread = l.After, l.Crossed, l.Unaccepted
		c.Answer, c.Said, c.Digest = answerOf(l.Result, l.Err, l.ToolError)
		if l.Malformed || l.Status != 0 || l.Handle { // a handle holds no outcome to compare
			c.Answer = audit.Failure
		}
		if l.Status != 0 {
			c.Said = fmt.Sprint("HTTP ", l.Status)
		}
	}
	c.Processes = processes(d)
	return c
}

// noteBehind adds what the request right behind a cancel tells: once it is answered, the server has read the
// cancel.
func noteBehind(c *audit.Call, cancelled time.Time, behind *session.Detail) {
	if behind.State == session.Done || behind.Err != nil {
		c.ReadWithin = max(1, between(cancelled, behind.Ended))
	}
	c.Unread = c.Answer != audit.NoAnswer && (c.ReadWithin == 0 || c.ReadWithin >= c.After)
}

// deaf says why what came after the cancel could not be heard, or was no answer to it.
func deaf(d *session.Detail) string {
	switch {
	case d.Undelivered != "":
		return "the cancel was not delivered: " + d.Undelivered
	case d.Away, d.Kept:
		return "its stream was away: what the server said there is not known"
	case d.Partial:
		return "a message had begun that may be the answer, and not its end"
	case d.Strayed:
		return "something came that is no silence, and that cannot be taken as the answer"
	}
	return ""
}

// deafElsewhere says why what came after a cancel could not be heard, where the exchange of the call had
// ended: empty where the server has no stream of its own, or belay heard that from before the cancel.
func deafElsewhere(own session.OwnStream, cancelled time.Time) string {
	const where = "the server ended the exchange of the call, and what it may have said on its own stream (the GET) was not heard: "
	switch {
	case own.None, !own.Since.IsZero() && !own.Since.After(cancelled):
		return ""
	case own.Unwanted:
		return where + "--no-listen opens none"
	}
	return where + "that was not there all the time"
}

// sentAt is when the request of a call was written, or when the call was made, where belay was not told
// of that: an answer can come before.
func sentAt(d *session.Detail) time.Time {
	if d.Sent.IsZero() {
		return d.Created
	}
	return d.Sent
}

// between is how long it is from one time to another; a time that is not known is no time.
func between(from, to time.Time) time.Duration {
	if from.IsZero() || to.IsZero() {
		return 0
	}
	return max(0, to.Sub(from))
}

// uncancelled is what was seen of a call that was left alone. It runs from when it was made: a tool at
// work may keep belay from noting when the request was written, and is no faster for that.
func uncancelled(d *session.Detail, now time.Time) audit.Call {
	c := audit.Call{Ran: between(d.Created, now), Starved: between(d.Created, d.Sent)}
	if !d.Ended.IsZero() {
		c.Ran = between(d.Created, d.Ended)
	}
	c.Answer, c.Said, c.Digest = endOf(d)
	return c
}

// endOf is how a call ended that no cancel ended.
func endOf(d *session.Detail) (a audit.Answer, said, digest string) {
	switch {
	case d.State == session.Failed && d.Err == nil && !d.ToolError:
		return audit.Broken, d.Note, ""
	case d.State == session.Done, d.State == session.Failed:
		return answerOf(d.Result, d.Err, d.ToolError)
	}
	return audit.NoAnswer, "", ""
}

func answerOf(result []byte, err *mcp.RPCError, toolError bool) (a audit.Answer, said, digest string) {
	switch {
	case err != nil:
		return audit.Failure, err.Message, ""
	case toolError:
		return audit.ToolError, text(result), ""
	}
	sum := sha256.Sum256(result)
	return audit.Result, "", hex.EncodeToString(sum[:])
}

// mostText is how much of a result is read for its text, in bytes.
const mostText = 64 << 10

// text is what a result says.
func text(result []byte) string {
	var r struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	if len(result) > mostText || json.Unmarshal(result, &r) != nil {
		return ""
	}
	var all []string
	for _, c := range r.Content {
		all = append(all, c.Text)
	}
	return strings.Join(all, " ")
}

// processes are what the witness saw around the cancel.
func processes(d *session.Detail) *audit.Processes {
	v := d.Processes
	if v == nil || v.Shared || v.Start == nil || v.At == nil || v.After == nil || v.Blind {
		return nil
	}
	p := &audit.Processes{Finding: v.Finding, CPUBefore: v.At.CPU - v.Start.CPU, CPUAfter: v.After.CPU - v.At.CPU, Window: v.After.At.Sub(v.At.At)}
	p.Looked = v.Since - p.Window
	p.Busy = v.Busy
	p.InPlace = v.After.Processes <= v.Start.Processes
	if n := v.At.Processors; n == v.After.Processors && v.After.Idle >= v.At.Idle {
		p.Processors, p.Idle = n, v.After.Idle-v.At.Idle
	}
	for _, b := range v.Processes {
		last := b.Ended
		switch {
		case b.Lives:
			last = v.Since
		case b.Unseen:
			last = b.Seen
		}
		p.Began = append(p.Began, audit.Process{Name: b.Name, PID: b.PID, Lives: b.Lives, Began: last - b.Age, Ended: b.Ended})
	}
	return p
}

// rounding is by how much a process may seem to have begun earlier than it did.
const rounding = 20 * time.Millisecond

// keeps are the processes that live on after calls that were left alone, of which the first began and
// the last ended at these times; nil: nobody looked long enough after that. What began since, as other
// calls are in flight, is none of them, and nor is the server's own.
func keeps(seen witness.Census, first, over time.Time) []audit.Kept {
	if !seen.All || seen.At.Before(over.Add(audit.LongEnough)) {
		return nil
	}
	kept := []audit.Kept{}
	for i, p := range seen.Living {
		if i > 0 && p.Began.Before(over) {
			kept = append(kept, audit.Kept{Name: p.Name, InCall: !p.Began.Before(first.Add(-rounding))})
		}
	}
	return kept
}

// ending is how a server went whose connection was closed; nil: it was not seen, as belay itself failed or
// the server is still there.
func ending(p mcpclient.Process) *audit.Ending {
	if p.Ended.IsZero() || p.Failure != "" {
		return nil
	}
	var closed time.Time
	e, over := &audit.Ending{}, p.Ended
	for _, s := range p.Steps {
		switch s.Kind {
		case mcpclient.StepClosed:
			closed = s.At
		case mcpclient.StepTerminated:
			e.Forced = "SIGTERM"
		case mcpclient.StepKilled:
			e.Forced = "SIGKILL"
		case mcpclient.StepKilledByAsk: // which is no fault of a server, unless that had not ended in time before
			e.Hurried = e.Forced == ""
		case mcpclient.StepExited:
			over = s.At
		case mcpclient.StepOther:
		}
	}
	e.Before, e.Took = closed.IsZero(), between(closed, over)
	return e
}
