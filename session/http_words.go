package session

import (
	"fmt"
	"slices"
	"strings"

	"belay/session/mcp"
	"belay/session/sentence"
)

// status is that of the answer on an exchange; 0 on stdio, and before there is
// one.
func (e *exchange) status() int {
	if e == nil {
		return 0
	}
	return e.head.Status
}

// isErrorStatus reports whether the answer on an exchange has a status of failure.
func (e *exchange) isErrorStatus() bool { return e != nil && e.opened && !e.head.isSuccess() }

func (e End) words() string {
	if e.Err == "" {
		return "the server closed the exchange"
	}
	return e.Err
}

// brokenWords says what became of a call, and why.
func (xs *exchanges) brokenWords(e *exchange, end End) (State, string) {
	switch {
	case e.role == roleResume && e.opened && !e.head.isSuccess():
		return Lost, "its stream could not be taken up again: " + statusWords(e.head, end)
	case e.opened && !e.head.isSuccess():
		words := statusWords(e.head, end) + sizeWords(e)
		if given := xs.cfg.givenRefused(e); given != "" && xs.conn.phase == Ready { // else it is the hint
			words = given + ": " + words
		}
		return Failed, words
	case e.opened && e.head.Status == statusAccepted:
		return Failed, "the server accepted the request (HTTP 202) and closed it without a response"
	case e.head.Packed != "":
		return Failed, "the answer is " + e.head.packedWords()
	case e.opened && e.messages == 0 && e.head.Status != statusOK:
		return Failed, "the server answered " + statusWords(e.head, end) + " instead of a response"
	case e.opened && e.head.Media != mediaJSON && !e.head.streams():
		return Failed, fmt.Sprintf("the server answered %s instead of JSON or a stream of events%s", mediaWords(e.head.Media), quotedBody(end))
	case !e.started && e.role == roleRequest:
		text := fmt.Sprintf("it could not be sent to %s: %s", xs.cfg.Endpoint, end.words())
		if end.Hint != "" {
			text += " · " + end.Hint
		}
		return Failed, text
	case e.asksOfTask() && end.Err != "":
		return Lost, "the exchange broke before the answer, which is no cancel of the task: " + end.Err
	case e.asksOfTask() && e.head.streams():
		return Lost, "the stream ended " + e.part.where() + ", which is no cancel of the task"
	case end.Err != "" && xs.conn.rev.IsModern():
		return Lost, "the exchange broke, which the server takes as a cancellation: " + end.Err
	case end.Err != "":
		return Lost, "the exchange broke before the answer: " + end.Err
	case e.head.streams() && xs.conn.rev.IsModern():
		return Lost, "the stream ended " + e.part.where() + "; the server takes that as a cancellation"
	case e.head.streams():
		return Failed, "the stream ended " + e.part.where()
	}
	switch {
	case e.malformed != "":
		return Failed, "the answer is no JSON-RPC message: " + sentence.Quoted(e.malformed)
	case e.messages == 0:
		return Failed, "the answer is empty" + quotedBody(end)
	case e.batch && xs.conn.rev == "":
		return Failed, "the answer is a batch, of which the answer to initialize must not be a part: its messages are not taken"
	case e.batch && !xs.conn.rev.Batches():
		return Failed, fmt.Sprintf("the answer is a batch, which %s does not know: its messages are not taken", xs.conn.rev)
	}
	return Failed, "the answer held no response to this request" + quotedBody(end)
}

// asksOfTask reports whether an exchange is that of a request about a task: the end of it is taken as
// a cancellation of that request, and the task goes on.
func (e *exchange) asksOfTask() bool {
	return e.req != nil && e.req.call != nil && e.req.call.about != nil
}

// unansweredOutcome is how a call ends whose exchange has ended without the answer.
func (xs *exchanges) unansweredOutcome(e *exchange, end End) outcome {
	to, words := xs.brokenWords(e, end)
	o := outcome{to: to, says: advising(words, xs.cfg.wantsCredentials(e)), told: true}
	if to == Failed && e.isEmptyHanded() {
		o.lacks = lackUnanswered
	}
	return o
}

// isEmptyHanded reports whether an exchange that ended without an answer brought nothing in its place either: the
// server was not reached, or its stream of events ended.
func (e *exchange) isEmptyHanded() bool {
	if !e.opened {
		return !e.started
	}
	return e.head.isSuccess() && e.head.streams() && e.malformed == "" && !e.batch
}

// hasHungUp reports whether the server hung up on a request instead of an answer, before the head or
// behind that of a success. Such an end says nothing of what the server knows.
func (e *exchange) hasHungUp(end End) bool {
	return !e.opened || e.isEmptyHanded() || e.head.isSuccess() && e.head.Packed == "" && end.Err != ""
}

// missingEndpointWords say what became of the stream of 2024-11-05 on which no endpoint came in time.
func (h *httpConnection) missingEndpointWords() string {
	for _, e := range h.open {
		if e.role == roleEvents && e.opened {
			return fmt.Sprintf("names no endpoint within %v", endpointLimit)
		}
	}
	return fmt.Sprintf("is not there within %v", endpointLimit)
}

// noOlderServer is what is told of an address where neither transport is found; stream says what
// became of the stream of 2024-11-05.
func (h *httpConnection) noOlderServer(at, stream string) *Failure {
	return &Failure{
		Kind: FailHTTP, Text: fmt.Sprintf("no MCP server at %s: initialize was refused (%s), and the event stream of older servers %s", at, h.refusal, stream),
		Hint: "is the address right? many servers have /mcp, older ones /sse",
	}
}

func mediaWords(media string) string {
	if media == "" {
		return "a body without a content type"
	}
	return sentence.Name(media)
}

// statusWords is an HTTP status that is no success, in words.
func statusWords(h Head, end End) string {
	text := fmt.Sprintf("HTTP %d", h.Status)
	if name := statusNames[h.Status]; name != "" {
		text += " " + name
	}
	if h.At != "" {
		text += " from " + h.At
	}
	if h.Retry != "" {
		text += "; it says to try again after " + h.retryWords()
	}
	if h.Packed != "" {
		text += "; its body is " + h.packedWords()
	}
	if end.Err != "" {
		text += "; " + end.Err
	}
	if name := statusNames[h.Status]; sentence.Repeats(end.Body, name) || sentence.Repeats(end.Body, fmt.Sprintf("%d %s", h.Status, name)) {
		return text // as many servers send it, and it says nothing more
	}
	return text + quotedBody(end)
}

// sizeWords say how large a request was that the server calls too large (HTM-44;
// basic/transports/streamable-http).
func sizeWords(e *exchange) string {
	if e.p == nil || e.head.Status != statusBodyTooLarge && e.head.Status != statusHeadTooLarge {
		return ""
	}
	total, largest, name := 0, 0, ""
	for _, h := range e.p.Header {
		size := len(h.Name) + len(h.Value) + len(": \r\n")
		total += size
		if size > largest {
			largest, name = size, h.Name
		}
	}
	text := "; the body had " + sentence.Size(len(e.p.Data)) + ", the header fields of belay's own " + sentence.Size(total)
	if name != "" {
		text += ", the largest " + name + " with " + sentence.Size(largest)
	}
	return text
}

// quotedBody is the beginning of a body in quotes.
func quotedBody(end End) string {
	if end.Body == "" {
		return ""
	}
	return ": " + sentence.Quoted(end.Body)
}

// hintFor says what a status may mean, and what to do about it.
func (c Config) hintFor(e *exchange) (string, Remedy) {
	switch {
	case !e.opened:
		return "is the server running, and is the address right?", Remedy{}
	case e.head.Status == statusNotFound || e.head.Status == statusNoMethod:
		return hintEndpoint, Remedy{}
	case e.head.Status == statusUnauthorized:
		if words := c.givenRefused(e); words != "" {
			return words, Remedy{}
		}
		if can := c.wantsCredentials(e); can != (Remedy{}) {
			return "", can
		}
		return "", Remedy{Kind: RemedyHeader}
	case e.head.Status == statusForbidden:
		return "the server refuses this client: its Origin or Host rules, or a right that the token lacks", Remedy{}
	case e.head.Status == statusTooMany:
		return "", Remedy{Kind: RemedyWait}
	case e.head.Status/100 == 5:
		return "the server has failed; its log may say more", Remedy{}
	case e.head.Status/100 != 3 && (e.head.Media == mediaJSON || e.head.Media == mediaStream):
		return "", Remedy{Kind: RemedyWire}
	}
	return hintEndpoint, Remedy{} // nothing of it was a message: the wire has no more than this
}

// tellHead puts the head of an answer on the timeline of its call.
func (l *log) tellHead(e *exchange) {
	if e.req == nil || e.req.call == nil || e.role == roleResume && e.req.same && e.head.isSuccess() && e.head.streams() {
		return
	}
	text := fmt.Sprintf("HTTP %d", e.head.Status) + sizeWords(e)
	switch e.head.Media {
	case mediaJSON:
		text += ", JSON"
	case mediaStream:
		text += ", a stream of events"
	}
	if e.head.At != "" {
		text += ", from " + e.head.At
		l.diagnose(mcp.DiagRedirect, 0, e.head.At, sentence.Name(e.head.At)) // of the endpoint: the call's line says it for the call
	}
	l.moment(e.req.call, MomentView{Dir: Local, Kind: MomHTTP, Text: text})
}

// tellResent tells that the body of an exchange is written once more.
func (l *log) tellResent(e *exchange, words string) {
	what := sentence.Name(e.p.method)
	if e.req != nil && e.req.call != nil {
		what = e.req.call.name()
		l.moment(e.req.call, MomentView{Dir: Local, Kind: MomHTTP, Text: words})
	}
	l.event(what + ": " + words)
}

// diagnoseResumeStatus tells of a GET that takes up a stream and is answered with something
// else. Messages in it count all the same.
func (l *log) diagnoseResumeStatus(e *exchange) {
	if e.head.isSuccess() && !e.head.streams() {
		l.diagnose(mcp.DiagServerStreamStatus, callOf(e), "", fmt.Sprintf("HTTP %d %s", e.head.Status, mediaWords(e.head.Media)))
	}
}

// diagnoseAcceptStatus diagnoses a 2xx other than 202 Accepted in answer to a notification
// or a response (HTL-09; 2025-11-25, basic/transports). HTTP+SSE has no such rule.
func (xs *exchanges) diagnoseAcceptStatus(e *exchange) {
	if !e.head.isSuccess() || e.head.Status == statusAccepted || xs.variant == httpSSE {
		return
	}
	var id CallID
	if e.p.cancels != nil {
		id = e.p.cancels.id
	}
	xs.diagnose(mcp.DiagAcceptStatus, id, "", fmt.Sprintf("HTTP %d to %s", e.head.Status, sentence.Name(e.p.method)))
}

// refusedHandshake explains an error answer to initialize, with the revisions that the server says
// it speaks (VER-18; basic/lifecycle). Where the refused one is among these, it is no want of a
// revision that both speak. Refused are all revisions that the server refused in this run, this one as
// well: the failure offers none of them again.
func (xs *exchanges) refusedHandshake(f *mcp.Frame, refused []mcp.Revision) *Failure {
	fl := &Failure{
		Kind: FailRefused, Code: f.Error.Code,
		Text: refusal(methodInitialize, &f.Error),
		Hint: hintStderr,
	}
	if xs.cfg.Transport == mcp.HTTP { // belay sees no stderr there
		fl.Hint, fl.Remedy = "", Remedy{Kind: RemedyWire}
	}
	if words := xs.cfg.givenRefused(xs.via); words != "" {
		fl.Hint, fl.Remedy = words, Remedy{}
	}
	listed := f.Error.Supported()
	for _, v := range listed {
		fl.Supported = append(fl.Supported, mcp.Revision(v))
	}
	if len(listed) == 0 {
		return fl
	}
	fl.Hint, fl.Remedy = "none of them is one that belay speaks ("+join(mcp.Supported())+")", Remedy{}
	var denied []string // of what it lists
	for _, r := range refused {
		if slices.Contains(fl.Supported, r) {
			denied = append(denied, string(r))
		}
	}
	if len(denied) > 0 {
		fl.Text += "; it lists " + sentence.QuotedList(listed)
		fl.Hint = "it was asked in " + strings.Join(denied, " and ") + ", which it lists itself"
	} else {
		fl.Kind = FailVersion
		fl.Text += "; it speaks " + sentence.QuotedList(listed)
	}
	if r := newestOther(fl.Supported, refused...); r != "" {
		fl.Hint, fl.Remedy = "", Remedy{Kind: RemedyPin, Revision: r}
	}
	return fl
}

// newestOther returns the newest of the listed revisions that belay speaks, the refused revisions left
// out; empty: the list has no such revision.
func newestOther(listed []mcp.Revision, refused ...mcp.Revision) mcp.Revision {
	for _, r := range mcp.Supported() {
		if !slices.Contains(refused, r) && slices.Contains(listed, r) {
			return r
		}
	}
	return ""
}

// refusal is the error by which the server refused a request of the opening. A message that says just
// that is not told beside it.
func refusal(method string, e *mcp.RPCError) string {
	text := "the server refused " + method
	if sentence.Repeats(e.Message, text) {
		return text + ", in these words: error " + e.CodeWords()
	}
	return text + ": " + e.Words()
}
