package conduct

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"belay/internal/peer"
)

// User is who sits before the client. Each method returns when it is done.
type User interface {
	Cancel()  // cancels the call of the scene
	Another() // calls the tool that is answered at once
	Noted()   // sees that the client knows that the cancel was written
	Answer()  // answers the question that the server asked last
}

// Scene is one call in the hands of the script of a conduct.
type Scene struct {
	ID, Token json.RawMessage
	Again     bool // the call is made again, with what the user was asked for
	Grace     time.Duration
	Way       Way
	X         *peer.Exchange // over HTTP: of the call
	Web       *Web           // over HTTP

	user User
	srv  *Server
	t    *track
	over chan struct{}

	told      json.RawMessage // the ID in the cancel, which a server may take for one of another call
	cancelled chan struct{}   // closed when the server has read the cancel
	answered  chan struct{}   // closed when the client has answered a question
	once      struct{ cancelled, answered, over, noted sync.Once }
}

// Cancel has the user cancel the call.
func (x *Scene) Cancel() { x.user.Cancel() }

// Another has the user call the tool that is answered at once.
func (x *Scene) Another() { x.user.Another() }

// Answer has the user answer the server's question, and waits until the answer
// has come.
func (x *Scene) Answer() {
	x.user.Answer()
	select {
	case <-x.answered:
	case <-x.over:
	}
}

// Cancelled waits until the server has read the cancel.
func (x *Scene) Cancelled() {
	select {
	case <-x.cancelled:
	case <-x.over:
	}
}

// Noted waits until the client knows that the cancel was written, which the server may have read
// before: the client times by that what comes after the cancel.
func (x *Scene) Noted() {
	x.once.noted.Do(func() {
		x.user.Noted()
		x.t.noted()
	})
}

// UntilAnswered waits until a piece of the answer was written, or nobody looks any more.
func (x *Scene) UntilAnswered() {
	select {
	case <-x.t.answered:
	case <-x.over:
	}
}

// Before waits until so long before the cancel can be read.
func (x *Scene) Before(lead time.Duration) {
	due, ok := x.t.awaitCancel(x.over)
	if ok {
		time.Sleep(time.Until(due.Add(-lead)))
	}
}

// Sleep waits.
func (*Scene) Sleep(d time.Duration) { time.Sleep(d) }

// Late waits long enough after the client knows that the cancel was written for whatever comes now
// not to have been on its way, with a bridge of any of the lengths that conducts have.
func (x *Scene) Late() {
	x.Noted()
	switch lag := x.srv.lag; {
	case lag >= time.Second:
		x.Sleep(4*lag + lag/2)
	case lag >= 200*time.Millisecond:
		x.Sleep(2500 * time.Millisecond)
	default:
		x.Sleep(700 * time.Millisecond)
	}
}

// VeryLate waits so long that nothing can have been on its way, however long the client finds the
// way to be on a slow machine.
func (x *Scene) VeryLate() {
	x.Noted()
	x.Sleep(mostLate + 300*time.Millisecond)
}

// Over is closed when nobody looks at the scene any more.
func (x *Scene) Over() <-chan struct{} { return x.over }

// Gate closes and opens the server's ears. While they are closed it reads
// nothing on stdio, and answers no cancel over HTTP.
func (x *Scene) Gate(open bool) { x.srv.gate.set(open) }

// Mute has the server answer no ping.
func (x *Scene) Mute(mute bool) { x.srv.mute.Store(mute) }

// Ruin has the tool fail from now on, and IsRuined reports whether it does.
func (x *Scene) Ruin() { x.srv.ruined.Store(true) }

// IsRuined is told by Ruin.
func (x *Scene) IsRuined() bool { return x.srv.ruined.Load() }

// Mend ends what Ruin began, and reports whether it had begun.
func (x *Scene) Mend() (was bool) { return x.srv.ruined.Swap(false) }

// Send sends a message for the call.
func (x *Scene) Send(format string, args ...any) {
	x.srv.send(x, fmt.Sprintf(format, args...))
	x.t.said()
}

// Progress sends progress.
func (x *Scene) Progress(value, total int) {
	x.Send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"total":%d}}`, x.Token, value, total)
}

// Ticking sends progress again and again, until stop is called or nobody looks
// any more.
func (x *Scene) Ticking(every time.Duration) (stop func()) {
	halt, halted := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(halted)
		for n := 1; ; n++ {
			x.Progress(n, 1000)
			select {
			case <-halt:
				return
			case <-x.over:
				return
			case <-time.After(every):
			}
		}
	}()
	return func() {
		close(halt)
		<-halted
	}
}

// Result sends a result with a text.
func (x *Scene) Result(text string) { x.whole(x.result(text)) }

// ToolError sends a result with isError.
func (x *Scene) ToolError(text string) { x.whole(x.toolError(text)) }

// Error sends an error.
func (x *Scene) Error(code int, text string) { x.whole(x.failure(code, text)) }

func (x *Scene) result(text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{%s"content":[{"type":"text","text":%s}]}}`, x.ID, x.srv.complete(), quoted(text))
}

func (x *Scene) toolError(text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{%s"content":[{"type":"text","text":%s}],"isError":true}}`, x.ID, x.srv.complete(), quoted(text))
}

func (x *Scene) failure(code int, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, x.ID, code, quoted(text))
}

// backwards is a result whose ID comes last.
func (x *Scene) backwards(text string) string {
	return fmt.Sprintf(`{"result":{%s"content":[{"type":"text","text":%s}]},"id":%s,"jsonrpc":"2.0"}`, x.srv.complete(), quoted(text), x.ID)
}

// whole sends an answer in one piece.
func (x *Scene) whole(message string) { x.Begin(message, len(message))() }

// Begin sends so many bytes of an answer; the function sends what is left.
func (x *Scene) Begin(message string, n int) (rest func()) {
	next, end := x.pieces(message)
	next(n)
	return func() {
		next(len(message))
		end()
	}
}

// Trickle sends an answer in pieces of so many bytes, with pauses between them;
// after the first it calls begun.
func (x *Scene) Trickle(message string, size int, pause time.Duration, begun func()) {
	next, end := x.pieces(message)
	for first, more := true, true; more; first = false {
		more = next(size)
		if first {
			begun()
		}
		x.Sleep(pause)
	}
	end()
}

// pieces sends an answer piece by piece; next reports whether there is more. Nothing
// else is written before end.
func (x *Scene) pieces(message string) (next func(n int) bool, end func()) {
	message, write, end := x.srv.open(x, message)
	return func(n int) bool {
		n = min(n, len(message))
		if n > 0 {
			x.t.answering(func() { write(message[:n]) })
			message = message[n:]
		}
		return len(message) > 0
	}, end
}

// atEnd does something when nobody looks any more.
func (x *Scene) atEnd(f func()) {
	<-x.over
	f()
}

// Form asks the user by a form.
func (x *Scene) Form() {
	x.Send(`{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":%s}`, x.question(), formParams)
}

const formParams = `{"message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}`

// question is the ID of the form of this call.
func (x *Scene) question() string { return quoted("q" + string(x.ID)) }

// AskByAnswer asks the user by the answer to the call, as in 2026-07-28: the call is made again
// with what the user said.
func (x *Scene) AskByAnswer() {
	x.whole(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required","requestState":"s1","inputRequests":{"name":{"method":"elicitation/create","params":%s}}}}`, x.ID, formParams))
}

// Withdraw takes the form back.
func (x *Scene) Withdraw() {
	x.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"changed my mind"}}`, x.question())
}

func (x *Scene) readCancel(told json.RawMessage) {
	x.once.cancelled.Do(func() {
		x.told = told
		close(x.cancelled)
	})
}

func (x *Scene) readAnswer() { x.once.answered.Do(func() { close(x.answered) }) }

// End says that nobody looks at the scene any more.
func (x *Scene) End() { x.once.over.Do(func() { close(x.over) }) }

// Stamps are what the peer has seen of the call.
func (x *Scene) Stamps() Stamps { return x.t.stamps() }

func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}
