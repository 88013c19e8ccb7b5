package session

import (
	"fmt"
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// WrongKind is a way in which a cancel can be wrong.
type WrongKind string

// The wrong cancels. What each is about is named in WrongCancel.
const (
	WrongUnknown  WrongKind = "unknown"   // an ID that no request of belay's has or will have, nor one of the server's
	WrongTwice    WrongKind = "twice"     // the cancel of a call once more, after it has left
	WrongAfter    WrongKind = "after"     // the ID of a call that the server has answered
	WrongType     WrongKind = "type"      // the ID of a call in flight as a string, which is no ID of belay's
	WrongNoParams WrongKind = "no-params" // without parameters
	WrongNoID     WrongKind = "no-id"     // without an ID
	WrongObjectID WrongKind = "object-id" // an object as the ID
)

// Wrongs are all of them.
var Wrongs = []WrongKind{WrongUnknown, WrongTwice, WrongAfter, WrongType, WrongNoParams, WrongNoID, WrongObjectID}

// wrongWords say what is wrong with each.
var wrongWords = map[WrongKind]string{
	WrongUnknown: "an ID that belay never used", WrongTwice: "a second cancel", WrongAfter: "the ID of an answered call",
	WrongType: "the ID as a string", WrongNoParams: "no parameters", WrongNoID: "no ID", WrongObjectID: "an object as the ID",
}

// Words say what is wrong with it; empty for a word that is none.
func (w WrongKind) Words() string { return wrongWords[w] }

// NeedsCall reports whether it is about a call.
func (w WrongKind) NeedsCall() bool { return w == WrongTwice || w == WrongAfter || w == WrongType }

// WrongView is a wrong cancel that was sent on purpose, and what the server said to it.
type WrongView struct {
	Kind   WrongKind
	Call   CallID // which it is about; 0: none
	ID     string // as it is in the message; empty: there is none
	Reason string
	Entry  Seq       // the message in the history; 0: it has not left
	Wanted time.Time // when the user wanted it
	Sent   time.Time // when its last byte was written; zero before

	// Answer is what the server said to it, in belay's words, with foreign text in quotes;
	// empty: nothing that belay could tell from other messages. A notification is answered by
	// nothing; over HTTP its POST has a status.
	Answer   string
	Answered time.Time
}

// wrong is one of them.
//
//shape:value 1 of wrongs
type wrong struct {
	WrongView
	epoch Epoch
	id    mcp.ID // zero: it has none
	heard int    // answers to it
}

// maxWrongs is how many are kept, the latest ones.
const maxWrongs = 1000

// firstUnknown is the greatest of the unknown IDs, which go down from there, and lastUnknown
// the least. They fit into 32 bits, so that a server can refuse them for nothing but that
// they are unknown; belay's own never come there.
const (
	firstUnknown = 1<<31 - 1
	lastUnknown  = firstUnknown - 1_000_000
)

// wrongs are the wrong cancels that the user has sent.
//
//shape:machine 4
type wrongs struct {
	*writer
	unknown int64 // how many unknown IDs were used, or passed over
}

// check says why one is not sent.
func (g *wrongs) check(in WrongCancel) error {
	switch {
	case in.Kind.Words() == "":
		return refuse(RefuseParams, "belay has no wrong cancel %s", sentence.Name(string(in.Kind)))
	case g.conn.phase == Connecting:
		return refuse(RefuseNotReady, "a wrong cancel is sent when the connection is ready")
	}
	if err := unconnected(g.conn.phase, g.cfg.Transport); err != nil {
		return err
	}
	overHTTP := g.cfg.Transport == mcp.HTTP
	switch {
	case overHTTP && g.conn.rev.IsModern():
		return refuse(RefuseUnsupported, "over HTTP in %s a cancel is a closed stream: there is no message that could be wrong", g.conn.rev)
	case overHTTP && !g.cfg.WrongCancels:
		return &Refusal{
			Code: RefuseShared, Remedy: Remedy{Kind: RemedyOwnServer},
			Text: "a wrong cancel may hit the calls of others: it goes over stdio, over HTTP to localhost, 127.0.0.1 or ::1, or to a server of your own",
		}
	case g.outgoing.nextID >= lastUnknown:
		return refuse(RefuseUnsupported, "the IDs of this run have come too near to those that are kept unknown")
	case !in.Kind.NeedsCall():
		return nil
	}
	return g.checkCall(in)
}

// checkCall says why a wrong cancel cannot be about this call.
func (g *wrongs) checkCall(in WrongCancel) error {
	c := g.rows.get(in.Call)
	switch {
	case c == nil && g.isLeftOut(in):
		return nil
	case c == nil:
		return refuse(RefuseUnknown, "there is no call %d", in.Call)
	case c.Origin == FromHandshake:
		return &Refusal{Code: RefuseInitialize, Text: c.Method + " must not be cancelled, not even on purpose (basic/utilities/cancellation)", Remedy: Remedy{Kind: RemedyLeave}}
	case c.epoch != g.conn.epoch:
		return refuse(RefuseFinished, "%s is of a connection that has ended", c.name())
	}
	open := g.outgoing.open[c.req.id] == c.req && c.req.order != 0
	switch {
	case in.Kind == WrongTwice && (c.stop == nil || !g.isNoteHandedOut(c)):
		return refuse(RefuseParams, "no cancel of %s has left that could be sent twice", c.name())
	case in.Kind == WrongAfter && (!c.state.IsTerminal() || c.req.answer.kind == 0):
		return refuse(RefuseParams, "%s (%v) was not answered: only what has ended can be cancelled after its end", c.name(), c.state)
	case in.Kind == WrongType && c.state == Cancelling:
		return refuse(RefuseParams, "%s is being cancelled already: its ID as a string is told of a call that runs", c.name())
	case in.Kind == WrongType && (c.state != Running || !open):
		return refuse(RefuseParams, "%s is not in flight: the server knows no call by its ID as a string", c.name())
	}
	return nil
}

// isLeftOut reports whether one of a journal is about a call that the journal lacks: it had ended,
// and its ID stands in the input.
func (g *wrongs) isLeftOut(in WrongCancel) bool {
	return (in.Kind == WrongTwice || in.Kind == WrongAfter) && 0 < in.Call && in.Call <= g.rows.table.Last() &&
		0 < in.Request && in.Request < g.outgoing.nextID
}

// noted is one with what a journal needs of its call.
func (g *wrongs) noted(in WrongCancel) WrongCancel {
	if c := g.rows.get(in.Call); c != nil && in.Kind.NeedsCall() {
		in.Request, _ = c.req.id.Int()
	}
	return in
}

// isNoteHandedOut reports whether a notifications/cancelled of a call was handed out.
func (g *wrongs) isNoteHandedOut(c *call) bool {
	return c.stop.order != 0 && c.stop.out != nil && c.stop.out.method == "notifications/cancelled"
}

// sendWrong makes one that was checked, and queues it.
func (g *wrongs) sendWrong(in WrongCancel) {
	w := &wrong{epoch: g.conn.epoch, WrongView: WrongView{Kind: in.Kind, Wanted: g.now, Reason: capReason(validText(in.Reason))}}
	if w.Reason == "" {
		w.Reason = "wrong on purpose: " + in.Kind.Words()
	}
	c := g.rows.get(in.Call)
	if in.Kind.NeedsCall() {
		w.Call = in.Call
	}
	p := &pending{class: classRequest, method: "notifications/cancelled", kind: EntNotification, wrong: w}
	p.Call = w.Call
	switch in.Kind {
	case WrongUnknown:
		w.id = g.unknownID()
		g.passUnknownID()
	case WrongTwice, WrongAfter:
		w.id = mcp.IntID(g.noted(in).Request)
	case WrongType:
		w.id = mcp.StringID(c.req.id.String())
	case WrongNoParams, WrongNoID, WrongObjectID:
	}
	switch in.Kind {
	case WrongNoParams:
		p.Data = mcp.AppendNotification(nil, p.method, nil)
		w.Reason = ""
	case WrongNoID, WrongObjectID:
		params := `{"reason":` + string(rawjson.AppendQuote(nil, w.Reason)) + "}"
		if in.Kind == WrongObjectID {
			params = `{"requestId":{},` + params[1:]
		}
		p.Data = mcp.AppendNotification(nil, p.method, []byte(params))
	default:
		p.Data, w.ID = mcp.AppendCancelled(nil, w.id, w.Reason), w.id.String()
	}
	g.out.enqueue(p)
	g.tellWrong(w, g.cfg.canceller())
}

// unknownID is the next ID that no request of belay's has.
func (g *wrongs) unknownID() mcp.ID {
	return mcp.IntID(firstUnknown - g.unknown%(firstUnknown-lastUnknown))
}

// passUnknownID has unknownID be another one from now on: it was used, or a request of the server's has it.
func (g *wrongs) passUnknownID() { g.unknown++ }

// tellWrong keeps one that is wanted, and tells of it.
func (l *log) tellWrong(w *wrong, by cancel.Initiator) {
	if len(l.wrong) == maxWrongs {
		l.wrong = slices.Delete(l.wrong, 0, 1)
	}
	l.wrong = append(l.wrong, w)
	e := CancelEvent{Stage: CancelWrong, Direction: Out, ID: w.id, Initiator: by, Reason: w.Reason, Note: w.Kind.Words()}
	text := "a wrong cancel, on purpose: " + w.words()
	if c := l.rows.get(w.Call); c != nil {
		e.Method, e.Age = c.Method, l.now.Sub(c.created)
		text = c.name() + ": " + text
	}
	l.event(text)
	l.addEvent(e)
}

// words say what is wrong with it, and its ID.
func (w *wrong) words() string {
	if w.ID == "" {
		return w.Kind.Words()
	}
	return w.Kind.Words() + ", " + w.ID
}

// onSent notes that its last byte was written.
func (g *wrongs) onSent(w *wrong, entry Seq, at time.Time) {
	w.Sent, w.Entry = at, entry
	g.momentOf(w.Call, MomentView{Dir: Out, Kind: MomWrong, Text: w.words(), Entry: entry})
}

// answersTold is how many answers to one are told: a server may repeat one without end.
const answersTold = 3

// onAnswer notes what the server said to one, as the words say.
func (g *wrongs) onAnswer(w *wrong, words string) {
	if w.heard++; w.heard > answersTold {
		return
	}
	if w.Answer == "" {
		w.Answer, w.Answered = words, g.now
	} else {
		w.Answer += ", " + words
	}
	text := "to the wrong cancel (" + w.words() + ") the server says: " + words
	g.momentOf(w.Call, MomentView{Dir: Local, Kind: MomNote, Text: text})
	g.event(text)
}

// onStatus notes the status of its POST.
func (g *wrongs) onStatus(e *exchange) {
	if e.p != nil && e.p.wrong != nil {
		g.onAnswer(e.p.wrong, statusWords(e.head, End{}))
	}
}

// claims takes a message that answers a wrong cancel, and reports whether it does: a message
// with its ID, or any message on the exchange that carried it, unless the message answers a call
// without an answer. On stdio an error without an ID that comes at once may be about the last wrong
// cancel, and about other things: it is told as that, and not claimed.
func (g *wrongs) claims(f *mcp.Frame, via *exchange) bool {
	var of *wrong
	switch {
	case len(g.wrong) == 0:
		return false
	case via != nil && via.p != nil && via.p.wrong != nil:
		of = via.p.wrong
		if r := g.outgoing.named(f.ID); r != nil && (of.id != f.ID || r.answer.kind == 0) {
			return false // it is the answer to a call, in the wrong place
		}
	case f.ID.IsZero():
		w := g.wrong[len(g.wrong)-1]
		isOpen := w.epoch == g.conn.epoch && !w.Sent.IsZero() && w.Answer == ""
		if isOpen && f.Kind == mcp.FrameError && via == nil && g.now.Sub(w.Sent) <= g.conn.trips.Bound() {
			g.onAnswer(w, answerWords(f)+", which names no request and may be about it")
		}
		return false
	default:
		i := slices.IndexFunc(g.wrong, func(w *wrong) bool { return w.epoch == g.conn.epoch && w.id == f.ID })
		if i < 0 || g.outgoing.named(f.ID) != nil {
			return false
		}
		of = g.wrong[i]
	}
	g.onAnswer(of, answerWords(f))
	return true
}

// answerWords are an answer in a few words.
func answerWords(f *mcp.Frame) string {
	switch {
	case f.Kind == mcp.FrameError:
		return "error " + f.Error.CodeWords() + " " + sentence.Quoted(sentence.Clip(f.Error.Message))
	case f.Kind == mcp.FrameResult:
		return "a result, where a notification has no answer"
	}
	return fmt.Sprintf("an answer that is none (%s)", sentence.Size(f.Size))
}

// WrongCancels are the wrong cancels that were sent on purpose, oldest first, at most the
// latest thousand.
func (l *log) WrongCancels() []WrongView {
	out := make([]WrongView, 0, len(l.wrong))
	for _, w := range l.wrong {
		out = append(out, w.WrongView)
	}
	return out
}
