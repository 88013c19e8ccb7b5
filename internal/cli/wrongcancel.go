package cli

import (
	"context"
	"errors"
	"time"

	"belay/internal/outcome"
	"belay/internal/safe"
	"belay/session"
	"belay/ui/remedy"
)

// wrongKinds are the words for the cancels that are wrong on purpose.
func wrongKinds() (words []string) {
	for _, w := range session.Wrongs {
		words = append(words, string(w))
	}
	return words
}

// sendWrong sends the wrong cancels that can be sent by now. The kind twice, say, waits
// until the cancel of the call has left.
func (c *caller) sendWrong(id session.CallID) (refused map[string]error) {
	refused = map[string]error{}
	var left []string
	for _, word := range c.wrong {
		kind := session.WrongKind(word)
		in := session.WrongCancel{Kind: kind}
		if kind.NeedsCall() {
			in.Call = id
		}
		if _, err := c.Do(in); err != nil {
			left, refused[word] = append(left, word), err
			continue
		}
		c.say("sent a wrong cancel on purpose: %s", kind.Words())
	}
	c.wrong = left
	return refused
}

// wrongPatience is how long a wrong cancel of the last moment may take to be written.
const wrongPatience = 2 * time.Second

// endWrong sends what is left when the call has ended, waits until all of it is written,
// and says what could not be sent.
func (c *caller) endWrong(ctx context.Context, id session.CallID) {
	if len(c.f.wrong) == 0 {
		return
	}
	refused := c.sendWrong(id)
	for _, word := range c.wrong {
		why := refused[word].Error()
		if refusal, ok := errors.AsType[*session.Refusal](refused[word]); ok {
			why = string(remedy.With(safe.Line(why), refusal.Remedy))
		}
		c.say("--wrong-cancel %s was not sent: %s", word, safe.LineN(why, 300))
		c.unsent = append(c.unsent, outcome.Unsent{Kind: word, Why: why})
	}
	ctx, stop := context.WithTimeout(ctx, wrongPatience)
	defer stop()
	_ = c.Await(ctx, func(s *session.Session) bool {
		for _, w := range s.WrongCancels() {
			if w.Sent.IsZero() {
				return false
			}
		}
		return true
	}) // what is not written by then is not waited for
}
