package session

import (
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// Receive takes a message that arrived on x, of any quality. What comes from a
// closed connection is shown and touches nothing.
//
// It is the input [Received] without making that of every message of a flood.
func (s *Session) Receive(now time.Time, x ExchangeID, f *mcp.Frame) {
	s.at(now)
	s.began = s.conn.beginning(f, s.now)
	if s.journal.sink != nil && !f.Counted {
		s.journal.put(s.now, receivedInput(x, s.now.Sub(s.began), f))
	}
	s.onFrame(x, f)
	s.settle()
}

func receivedInput(x ExchangeID, ago time.Duration, f *mcp.Frame) Received {
	in := Received{ExchangeID: x, Ago: ago, Raw: f.Raw, NoSession: deniesSession(f), Hollow: f.Hollow}
	if f.Kind == mcp.FrameOversize {
		in.Over = &Oversize{ID: string(f.IDRaw), Method: f.Method, Answer: f.Answer, IsError: f.IsError, Size: f.Size}
	}
	return in
}

func (s *Session) onFrame(x ExchangeID, f *mcp.Frame) {
	s.received++
	s.http.beginMessage(s.http.exchange(x))
	defer func() { s.http.endMessage(); s.rows.midway.forgetReceived() }()
	s.http.via.onMessage()
	s.logIn(x, f)
	if s.http.via != nil {
		s.lint.countBurst(s.http.via)
		s.http.diagnoseBody(s.http.via, "a message")
	}
	if !s.conn.isLive(x) {
		s.hist.mark(FlagStale)
		s.diagnose(mcp.DiagStaleEpoch, 0, "", "")
		return
	}
	if s.began.After(s.conn.talked) { // one exchange may end a message that began before the last one of another
		s.conn.talked = s.began
	}
	if s.sayUnknownSession(s.http.via, f) {
		return
	}
	s.dispatch(f)
	s.stopByRule(s.after.byMessage(f, s.http.via), ruleMessage)
}

// beginning is when the first byte of a message came, within what is possible:
// this connection's time until now.
func (n *connection) beginning(f *mcp.Frame, now time.Time) time.Time {
	switch {
	case f.Began.IsZero() || f.Began.After(now):
		return now
	case f.Began.Before(n.started):
		return n.started
	}
	return f.Began
}

func (s *Session) dispatch(f *mcp.Frame) {
	for _, p := range f.Problems {
		if p.Code == mcp.DiagErrorNoID && s.http.via.isErrorStatus() {
			continue // the body of an HTTP error may be an error that names no request
		}
		s.diagnose(p.Code, 0, "", p.Detail)
	}
	switch f.Kind {
	case mcp.FrameNotification:
		s.http.via.addNews()
		s.onNotification(f)
	case mcp.FrameRequest:
		s.http.via.addNews()
		s.onRequest(f)
	case mcp.FrameResult, mcp.FrameError, mcp.FrameMalformed:
		s.onAnswer(f)
	case mcp.FrameBatch:
		s.onBatch(f)
	case mcp.FrameOversize:
		s.onOversize(f)
	case mcp.FrameInvalid:
		// Shown and diagnosed by its Problems; it changes no state.
		s.conn.onUnparsable(f)
		s.http.via.addMalformed(f)
		s.http.takeStray(f)
	}
}

// onBatch takes an array: unpacked in the one revision that has batches.
func (s *Session) onBatch(f *mcp.Frame) {
	if len(f.Batch) == 0 {
		s.http.takeStray(f)
	}
	if !s.conn.rev.Batches() {
		s.diagnose(mcp.DiagBatchNotAllowed, 0, "", "")
		s.http.via.addBatch()
		s.onRefusedBatch(f)
	} else {
		for _, m := range f.Batch {
			m.Owned, m.Began = f.Owned, f.Began
			s.dispatch(m)
		}
	}
	if f.Left > 0 {
		s.http.stray(cancel.Stray{What: "a batch with more members than belay takes"}, nil)
	}
}

// onOversize ends the call that an answer over the limit belongs to, by name,
// and refuses a request; the connection lives.
func (s *Session) onOversize(f *mcp.Frame) {
	switch {
	case f.ID.IsZero() && f.Method == "":
		s.http.takeStray(f)
	case f.ID.IsZero():
	case f.Answer:
		s.onAnswer(f)
	case f.Method != "":
		s.onRequest(f)
	}
}

func (s *Session) onNotification(f *mcp.Frame) {
	switch f.Method {
	case "notifications/progress":
		s.http.onSubscriptionStream(f)
		s.onProgress(f)
	case "notifications/cancelled":
		s.onCancelled(f)
	case "notifications/message":
		s.http.onSubscriptionStream(f)
		s.onLog(f)
	case "notifications/tools/list_changed":
		s.onListChanged(f, s.conn.server.Has.Tools, mcp.Tools)
	case "notifications/prompts/list_changed":
		s.onListChanged(f, s.conn.server.Has.Prompts, mcp.Prompts)
	case "notifications/resources/list_changed":
		s.onListChanged(f, s.conn.server.Has.Resources, mcp.Resources, mcp.Templates)
	case "notifications/resources/updated":
		s.onUpdated(f)
	case "notifications/subscriptions/acknowledged":
		s.onAcknowledged(f)
	case "notifications/elicitation/complete":
		s.incoming.onComplete(f)
	case "notifications/tasks/status":
		s.http.onSubscriptionStream(f)
		s.tasks.onNotice(f)
	case "notifications/tasks":
		if s.conn.rev.IsModern() {
			s.http.onDelivered(f) // what it tells of the task is taken, whoever asked for it
		}
		s.tasks.onNotice(f)
	default:
		s.diagnose(mcp.DiagUnknownMethod, 0, f.Method, sentence.Name(f.Method))
		if mcp.AsksUser(f.Method) && !s.conn.rev.IsModern() { // a question without an ID
			s.after.onDoubtfulQuestion(f.Method)
		}
	}
}

// onAnswer takes a result, an error or something malformed with an ID.
func (s *Session) onAnswer(f *mcp.Frame) {
	if s.http.takeErrorAboutCancel(f) || s.wrongs.claims(f, s.http.via) {
		return
	}
	if s.outgoing.isUnsent(f.ID) {
		s.diagnose(mcp.DiagEarlyAnswer, 0, f.ID.String(), f.ID.String())
		return
	}
	r, mine := s.http.requestFor(f)
	switch {
	case !mine && f.ID.IsZero():
		s.http.takeStray(f)
		return
	case !mine:
		return
	case r == nil:
		s.onUnexpectedAnswer(f)
		return
	}
	if !s.http.isElsewhere(r) {
		r.answerArrived(&s.timers, s.now)
	}
	s.outgoing.onAnswer(r, s.conn.answerTo(r, f, s.hist.cur), s.now)
	defer s.measureRoundTrip(r) // its own round trip is no bound for what is said of it
	s.unconfirmed.onServerRead(r.order, r.method)
	if r.probe {
		s.hist.mark(FlagProbe)
		if s.http.isElsewhere(r) {
			s.http.abandonRequest(r)
		}
		if r.health {
			s.pings.onPingAnswer(r)
		} else {
			s.onProbeAnswer(r, "", "")
		}
		return
	}
	c := r.call
	s.hist.setCall(c.shownAs())
	if c.state == Cancelling {
		s.onAnswerWhileCancelling(c, f)
		return
	}
	s.onFinalAnswer(c, f)
}

// requestFor finds the request that an answer is for; nil when nothing awaits it.
// An answer that is for nobody is not mine.
func (xs *exchanges) requestFor(f *mcp.Frame) (r *request, mine bool) {
	if xs.via != nil {
		return xs.requestForOn(xs.via, f)
	}
	// An error without an ID concerns the connection, never the oldest call (BASE-10; basic); its
	// diagnostic was made by Decode.
	return xs.outgoing.open[f.ID], !f.ID.IsZero()
}

// onFinalAnswer ends a call by its answer.
func (s *Session) onFinalAnswer(c *call, f *mcp.Frame) {
	if c.about != nil {
		s.followers.of(c.about.kind()).onAnswer(c.about, f)
		s.move(c, outcome{to: Done})
		return
	}
	if s.followers.takeHandle(c, f) {
		return
	}
	if f.Inputs != nil && c.Origin != FromHandshake {
		r := c.req
		s.onInputRequired(c, f)
		if r.isList {
			s.onList(r, f)
		}
		return
	}
	if f.Kind == mcp.FrameError && f.Error.Code == mcp.CodeHeaderMismatch {
		s.results.noteCompared(c, s.catalog.compare(c.req))
	}
	if s.onHeaderMismatch(c, f) {
		return
	}
	kind := MomResult
	if f.Kind != mcp.FrameResult {
		kind = MomError
	}
	s.moment(c, MomentView{Dir: In, Kind: kind, Entry: s.hist.cur})
	if why := s.conn.wrongHandle(c, f); why != "" {
		s.diagnose(faultOfHandle(c, f), c.id, why, why)
	} else {
		if s.conn.rev.IsModern() {
			s.lint.checkModern(c, f)
			s.results.noteCache(c, f)
		}
		s.results.checkShape(c, f, s.catalog.outputs[c.target])
	}
	s.lint.checkGroup(c, f)
	if s.becomeSubscription(c, f) {
		return
	}
	if c.isListen() {
		s.subs.onListenAnswer(c, f)
	}
	r := c.req
	s.move(c, s.results.take(c, f, s.cfg.refusedBy(s.http.via)))
	s.subs.onResidualUnsubscribed(c)
	if says := c.missedAnswer(); says != (rowNote{}) {
		c.say(says)
	}
	switch {
	case c.Undeclared:
		if says := s.tasks.judgeUndeclared(c, f); says != (rowNote{}) {
			c.say(says)
		}
	case c.Origin == FromHandshake && c.Method == "initialize":
		s.onInitialize(c, f)
	case c.Origin == FromHandshake:
		s.onDiscover(c, f, s.http.via.status())
	case r.isList:
		s.onList(r, f)
	case c.Method == methodTaskList && c.Origin == FromBelay:
		s.tasks.onList(c, f, s.http.via)
	case f.Kind == mcp.FrameError:
		s.incoming.onNeededURLs(c, f)
		s.results.onMissingCapabilities(c, f)
		s.tasks.onUnknown(c, f.Error.Code)
		if says := s.handles.refusedTask(c, f.Error.Code); says != (rowNote{}) {
			c.say(says)
		}
	case c.Method == "logging/setLevel" && c.state == Done && !s.conn.rev.IsModern():
		s.writer.logLevel = c.target
	}
	if f.Kind == mcp.FrameError && f.Error.Code == mcp.CodeUnsupportedVersion {
		s.renegotiate(c, f)
	}
}

// onAnswerWhileCancelling settles the race of an answer and a cancel: as long
// as no byte of the cancel was handed out the answer counts and the cancel is
// taken back; afterwards the call stays cancelled and the answer is evidence.
func (s *Session) onAnswerWhileCancelling(c *call, f *mcp.Frame) {
	if s.followers.takeHandle(c, f) {
		if handle := c.endedHandle(f); handle != "" {
			s.onLateAnswer(c, f, handle)
			s.end(c)
		}
		return
	}
	if s.writer.takeBack(c) {
		if f.Inputs != nil && s.conn.rev.IsModern() { // before, it is an answer, and a wrong one
			s.endWithoutRequest(c, f)
			return
		}
		nameless := s.conn.wrongHandle(c, f) != ""
		if s.onFinalAnswer(c, f); c.state.IsTerminal() && nameless { // a task runs that cannot be cancelled
			c.say(saying(c.remark.text + "; tasks/cancel was not sent"))
		} else if c.state.IsTerminal() && f.Inputs == nil {
			c.say(saying("answered before the cancel left: nothing was sent"))
		}
		return
	}
	s.onAnswerAfterCancel(c, f)
	s.end(c)
}

// onAnswerAfterCancel takes an answer that came for a call whose cancel was handed
// out: of a subscription, what the server did about its end.
func (s *Session) onAnswerAfterCancel(c *call, f *mcp.Frame) {
	if c.stop.Ends {
		s.onUnsubscribeAnswer(c, f)
		return
	}
	goesOn := s.followers.takeHandle(c, f)
	if handle := c.endedHandle(f); !goesOn || handle != "" {
		s.onLateAnswer(c, f, handle)
	}
}

// endWithoutRequest ends a call whose server asked for input before the cancel left.
// The request has ended, and the user wants no other one.
func (s *Session) endWithoutRequest(c *call, f *mcp.Frame) {
	s.moment(c, MomentView{Dir: In, Kind: MomRound, Text: f.Inputs.Words(), Entry: s.hist.cur})
	c.touchStop().NoRequest()
	c.say(saying("it asked for input before the cancel left: nothing was sent"))
	s.end(c)
}

// onUnexpectedAnswer takes an answer that nothing awaits: late, double, early or
// unknown.
func (s *Session) onUnexpectedAnswer(f *mcp.Frame) {
	r := s.outgoing.past[f.ID]
	if r == nil {
		s.diagnose(mcp.DiagUnknownAnswer, 0, "", f.ID.String())
		s.http.takeStray(f)
		return
	}
	c := r.call
	if r.hasEndedBefore() {
		s.outgoing.onAnswer(r, s.conn.answerTo(r, f, s.hist.cur), s.now)
		s.subs.tellEndAgain(c)
		return
	}
	if c == nil || r.answer.kind != 0 {
		var row CallID
		if c != nil {
			row = c.shownAs()
			s.hist.setCall(row)
		}
		s.diagnose(mcp.DiagDuplicateAnswer, row, f.ID.String(), f.ID.String())
		return
	}
	if x := r.x; x != nil && !x.closing && !s.http.isElsewhere(r) {
		r.answerArrived(&s.timers, s.now)
	}
	if c.Origin == FromHandshake && r.method == "server/discover" {
		s.onLateDiscover(r, f)
		return
	}
	s.outgoing.onAnswer(r, s.conn.answerTo(r, f, s.hist.cur), s.now)
	if c.hasUnnamedTask() && !c.unnamedTask {
		s.rows.onUnnamed(c)
	}
	s.hist.setCall(c.shownAs())
	defer s.measureRoundTrip(r)
	s.unconfirmed.onServerRead(r.order, r.method)
	if c.lacks == lackLeft || c.Watch && c.task() != nil {
		s.tasks.onAnswerOfLeft(c, f)
		return
	}
	if c.Origin == FromHandshake { // an initialize that was given up
		s.hist.mark(FlagLate)
		return
	}
	if c.stop == nil {
		s.diagnose(mcp.DiagDuplicateAnswer, c.id, f.ID.String(), f.ID.String())
		return
	}
	s.writer.withdrawCancel(c, false)
	if r == c.req {
		s.onAnswerAfterCancel(c, f)
	} else {
		s.onLateAnswer(c, f, c.endedHandle(f))
	}
	if s.subs.noteResidual(c) {
		s.unsubscribeResidual(c, FromBelay)
	}
}

// measureRoundTrip takes the round trip of a request that a server answers at once. What
// a tool needs for its work is no time on the way, which was no longer: from the last
// byte of the request to the first of its answer. That of a quick answer may have
// come before the request was reported as written, and that of an answer to nothing
// before the request was handed out.
func (l *log) measureRoundTrip(r *request) {
	from := r.written
	if from.IsZero() || l.began.Before(from) {
		from = r.handed
	}
	d := l.began.Sub(from)
	switch source := roundTripSource(r); {
	case d < 0:
	case source != 0:
		l.conn.trips.Add(d, source)
	case r.answer.kind == mcp.FrameResult && r.call != nil: // an error may be a bridge's own
		l.conn.trips.AddCall(d)
	}
}

// roundTripSource is what a round trip of a request is worth; zero: it tells
// nothing about the way.
func roundTripSource(r *request) cancel.Source {
	switch {
	case r.call != nil && r.call.Untimed:
		return 0
	case r.probe, r.method == "ping":
		return cancel.FromPing
	case r.isList:
		return cancel.FromList
	case r.call == nil || r.call.Origin != FromHandshake:
		return 0
	case r.warm:
		return cancel.FromList
	}
	return cancel.FromHandshake
}

// onRefusedBatch takes from a batch that the revision does not have what is
// evidence of a cancelled call, or may be later, and nothing else.
func (s *Session) onRefusedBatch(f *mcp.Frame) {
	for _, m := range f.Batch {
		switch {
		case s.outgoing.isForCancelled(m):
			m.Owned, m.Began = f.Owned, f.Began
			s.dispatch(m)
		case m.Kind == mcp.FrameResult || m.Kind == mcp.FrameError || m.Kind == mcp.FrameMalformed:
			s.outgoing.ignore(m, s.now, s.began)
			switch r := s.outgoing.named(m.ID); {
			case r != nil && r.probe:
				s.http.stray(cancel.Stray{What: "an answer to " + r.method + " in a batch, which the revision does not have,"}, nil)
			case r == nil && !s.outgoing.isUnsent(m.ID):
				s.http.takeStray(m)
			}
		case m.Kind == mcp.FrameInvalid:
			s.http.takeStray(m)
		case m.Kind == mcp.FrameNotification && m.Method == "notifications/progress":
			s.http.takeStrayProgress(&m.Progress)
		}
	}
}
