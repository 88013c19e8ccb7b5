package session

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// CallSpec is what the user wants from the server.
type CallSpec struct {
	Method string `json:"method"`
	Params Bytes  `json:"params,omitempty"` // a JSON object, or nil
	Origin Origin `json:"origin,omitempty"` // FromUser when zero

	NoProgress bool `json:"noProgress,omitempty"` // send no progress token (PRG-03; basic/utilities/progress)
	Untimed    bool `json:"untimed,omitempty"`    // its round trip is no measure: the server may be at work when it is to read the request

	// Idle ends the call after this much silence; progress resets it and a waiting human pauses
	// it. Max ends it however lively it is. Zero takes the session's default, a negative value
	// switches the clock off (TMO-03, TMO-06, TMO-08; basic/lifecycle).
	Idle time.Duration `json:"idle,omitempty"`
	Max  time.Duration `json:"max,omitempty"`

	Rules Rules `json:"rules,omitzero"`

	// Supersedes is an older call of the same method that this one makes
	// pointless, such as a completion for a field that was typed on since. If it
	// is still in flight, it is cancelled, by BySuperseded.
	Supersedes CallID `json:"supersedes,omitempty"`

	// Declare are capabilities that this call declares beside those that every one does. A
	// handshake declares them once, so that this says nothing there (VER-44; basic).
	Declare []Capability `json:"declare,omitempty"`

	// AsTask has the server run the call as a task, where the revision is 2025-11-25, for TTL;
	// zero names no time. A tool that the server takes as a task only is called as one in any
	// case, unless Raw is set (TSK-10, TSK-14; basic/utilities/tasks).
	TTL    time.Duration `json:"ttl,omitempty"`
	AsTask bool          `json:"asTask,omitempty"`

	// Watch has belay follow the task that this call of tasks/get names, as if belay had
	// begun the task.
	Watch bool `json:"watch,omitempty"`
	// Stop has a task that is watched be cancelled as soon as it is found to go on.
	Stop bool `json:"stop,omitempty"`
	// Undeclared leaves the extension of tasks out of what the call declares, to see whether the
	// server refuses the call for that (TEX-49; extensions/tasks).
	Undeclared bool `json:"undeclared,omitempty"`

	// Raw marks a request that the user wrote by hand: it is sent although the
	// revision or the capabilities may not allow it, and marked as such.
	Raw bool `json:"raw,omitempty"`
}

// reserved are the methods that only belay's own handshake may send.
var reserved = map[string]bool{"initialize": true, "notifications/initialized": true}

// StartCall wants something from the server. The row exists at once; its request
// waits inside the core until the connection is ready. Parameters that are no
// JSON object, an empty method, the handshake's own methods and a session that
// is not connected are refused.
type StartCall struct {
	Spec CallSpec `json:"spec"`
}

func (in StartCall) check(s *Session) error {
	in.Spec.Method = validText(in.Spec.Method)
	return s.checkCall(in.Spec)
}

func (in StartCall) apply(s *Session) Reply {
	spec := in.Spec
	if spec.Origin == 0 {
		spec.Origin = FromUser
	}
	spec.Method, spec.Rules.Reason = validText(spec.Method), validText(spec.Rules.Reason)
	s.conn.use(spec.Origin)
	if old := s.rows.get(spec.Supersedes); old != nil && old.Method == spec.Method && s.writer.checkCancel(old) == nil {
		s.stopCall(old, cancel.BySuperseded, "superseded by a newer request")
	}
	return Reply{Call: s.newCall(spec, nil).id}
}

func (in StartCall) masked(m masker) Input {
	in.Spec.Method, in.Spec.Params = m.written("method", in.Spec.Method), m.bytes(in.Spec.Params)
	in.Spec.Rules.Reason = m.reason(in.Spec.Rules.Reason)
	return in
}

func (s *Session) checkCall(spec CallSpec) error {
	switch {
	case spec.Method == "":
		return refuse(RefuseMethod, "a request needs a method")
	case reserved[spec.Method]:
		return &Refusal{Code: RefuseMethod, Text: spec.Method + " belongs to the handshake", Remedy: reconnectRemedy(s.cfg.Transport)}
	}
	if err := unconnected(s.conn.phase, s.cfg.Transport); err != nil {
		return err
	}
	if why := s.catalog.exclusionOf(&spec); why != "" {
		return refuse(RefuseUnsupported, "the tool must not be called over HTTP: %s", why)
	}
	if i := slices.IndexFunc(spec.Declare, func(c Capability) bool { return !c.isKnown() }); i >= 0 {
		return refuse(RefuseParams, "belay has no capability %s", sentence.Name(string(spec.Declare[i])))
	}
	if c := s.subs.activeSubscriptionFor(spec); c != nil {
		return refuse(RefuseParams, "%s subscribes to that already", c.name())
	}
	if err := s.tasks.checkWatch(&spec); err != nil {
		return err
	}
	if spec.Params != nil {
		if err := mcp.CheckObject(spec.Params); err != nil {
			return refuse(RefuseParams, "the parameters are no JSON object: %v", err)
		}
		if token, ok := mcp.OwnToken(spec.Params); ok && s.outgoing.hasToken(token) {
			return refuse(RefuseParams, "the progress token %s is in use by another call; leave it out, belay gives one", token)
		}
	}
	return nil
}

// Extend begins both clocks of a call anew. Its rule stays as it was.
type Extend struct {
	Call CallID `json:"call"`
}

func (in Extend) check(s *Session) error {
	c := s.rows.get(in.Call)
	switch {
	case c == nil:
		return refuse(RefuseUnknown, "there is no call %d", in.Call)
	case c.state != Running:
		return refuse(RefuseFinished, "%s is %v: it has no clock to extend", c.name(), c.state)
	case c.task() != nil:
		return refuse(RefuseFinished, "%s runs as a task: its limits ended when the ID of the task came, and no clock runs", c.name())
	case c.isWaitingFor(loginWait):
		return refuse(RefuseFinished, "%s waits for a login: no clock runs", c.name())
	case c.isWaitingFor(roundWait):
		return refuse(RefuseFinished, "%s is between two requests: no clock runs", c.name())
	case c == s.conn.era.discover && s.conn.era.IsBeside():
		return refuse(RefuseFinished, "%s had its time, and initialize is out beside it: no clock runs", c.name())
	}
	return nil
}

func (in Extend) apply(s *Session) Reply {
	c := s.rows.get(in.Call)
	c.renewClocks(&s.timers, s.now)
	return Reply{}
}

// Notify sends a notification that the user wrote by hand. It is marked as such on the wire pane.
// A cancellation of one of our requests that is in flight is a [Cancel] like any other, and the reply
// names its row; one that names a request of the server's is refused with [RefuseDirection] (CXL-03;
// basic/utilities/cancellation).
type Notify struct {
	Method string `json:"method"`
	Params Bytes  `json:"params,omitempty"`
}

func (in Notify) check(s *Session) error {
	in.Method = validText(in.Method)
	if err := s.checkCall(CallSpec{Method: in.Method, Params: in.Params}); err != nil {
		return err
	}
	n, ok := in.cancels()
	if !ok {
		return nil
	}
	if c := s.rows.named(n.ID); c != nil {
		return Cancel{c.id, n.Reason}.check(s)
	}
	theirs := s.incoming.open[n.ID]
	if theirs == nil {
		theirs = s.incoming.seen[n.ID]
	}
	if theirs != nil {
		return refuse(RefuseDirection, "%s %v is the server's request: it is answered or declined, never cancelled", theirs.method, n.ID)
	}
	return nil
}

// cancels is what a cancellation says, and false for any other notification.
func (in Notify) cancels() (n *mcp.CancelledNote, ok bool) {
	if validText(in.Method) != "notifications/cancelled" {
		return n, false
	}
	return mcp.NewDecoder().Cancelled(bytes.TrimSpace(in.Params)), true
}

func (in Notify) apply(s *Session) Reply {
	if n, ok := in.cancels(); ok {
		if c := s.rows.named(n.ID); c != nil {
			_ = Cancel{c.id, n.Reason}.apply(s)
			return Reply{Call: c.id}
		}
	}
	s.conn.use(FromUser)
	method, params := validText(in.Method), in.Params
	p := &pending{class: classRequest, method: method, kind: EntNotification, raw: true}
	p.Data = mcp.AppendNotification(nil, method, params)
	s.out.enqueue(p)
	return Reply{}
}

func (in Notify) masked(m masker) Input {
	mask := m.bytes
	if _, cancels := in.cancels(); cancels && json.Valid(in.Params) {
		mask = func(params Bytes) Bytes { return m.cancelParams(params) }
	}
	in.Method, in.Params = m.written("method", in.Method), mask(in.Params)
	return in
}

// WrongCancel sends a notifications/cancelled that is wrong on purpose, to see what the
// server makes of it. It is the one way to send one: a [Cancel] breaks no rule. It cancels
// nothing: no state of a call and no verdict follows from it, and if the server stops a call
// because of it, that call goes on waiting here for its answer.
//
// Call is the call that [WrongTwice], [WrongAfter] and [WrongType] are about, of this
// connection; it is zero for the others. An empty reason is replaced by a sentence to the
// server's author: the cancel is wrong on purpose.
//
// It is refused with a [*Refusal], and nothing is sent:
//   - with [RefuseShared] over HTTP, unless [Config] has WrongCancels: the IDs of a server
//     without sessions are shared, and a cancel may hit the call of another client;
//   - with [RefuseUnsupported] over HTTP in 2026-07-28: there a cancel is the end of a
//     stream, and no message that could be wrong;
//   - with [RefuseInitialize] for a request of the handshake, with [RefuseNotReady] before
//     that is over;
//   - with [RefuseUnknown], [RefuseFinished] or [RefuseParams] where the call is not what the
//     kind is about.
type WrongCancel struct {
	Kind   WrongKind `json:"kind"`
	Call   CallID    `json:"call,omitempty"`
	Reason string    `json:"reason,omitempty"`

	// Request is the ID of the call's request, which the session notes for its journal: that may lack
	// the call (see [Skipped]). It counts for nothing where the session has the call.
	Request int64 `json:"request,omitempty"`
}

func (in WrongCancel) check(s *Session) error { return s.wrongs.check(in) }

func (in WrongCancel) apply(s *Session) Reply {
	s.conn.use(FromUser)
	for in.Kind == WrongUnknown && s.incoming.isServerRequest(s.wrongs.unknownID()) {
		s.wrongs.passUnknownID()
	}
	s.wrongs.sendWrong(in)
	return Reply{}
}

func (in WrongCancel) masked(m masker) Input {
	if in.Kind.Words() == "" {
		in.Kind = WrongKind(m.text(string(in.Kind)))
	}
	in.Reason = m.reason(in.Reason)
	return in
}
