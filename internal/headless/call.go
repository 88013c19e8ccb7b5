package headless

import (
	"context"
	"slices"
	"time"

	"belay/session"
)

// Event is how a call stands, told to whoever watches it.
type Event struct {
	Row       session.Row
	Questions []session.QuestionView // what the server asks, or has asked, and may be about this call, oldest first
}

// Call makes a call, and returns at once. The error is a *[session.Refusal]: nothing was
// sent.
func (r *Runner) Call(spec session.CallSpec) (session.CallID, error) {
	reply, err := r.Do(session.StartCall{Spec: spec})
	return reply.Call, err
}

// Cancel wants a call stopped; an empty reason takes the session's default. It returns
// before anything is written: [Runner.Watch] waits for the verdict. The error is a
// *[session.Refusal]: the call has ended, or is being cancelled, and nothing was sent.
func (r *Runner) Cancel(id session.CallID, reason string) error {
	_, err := r.Do(session.Cancel{Call: id, Reason: reason})
	return err
}

// Row is a call as it stands now; false: its row is not kept.
func (r *Runner) Row(id session.CallID) (row session.Row, ok bool) {
	r.View(func(s *session.Session) { row, ok = s.Row(id) })
	return row, ok
}

// Detail is all that is known of a call now; false: its row is not kept.
func (r *Runner) Detail(id session.CallID) (d session.Detail, ok bool) {
	r.View(func(s *session.Session) { d, ok = s.Detail(id) })
	return d, ok
}

// lastSample is how long the sample of the processes on which a verdict stands is awaited: it is
// taken as soon as the grace is over, unless those before have cost too much.
const lastSample = 2 * time.Second

// Watch waits until a call has ended, with its verdict where it was cancelled, and until
// its structured content is checked. For what the processes of the server do at the end of a
// grace it waits two seconds more at most. It tells on of the call when Watch begins and after
// each change, the end included; what changes many times meanwhile is told once. On is
// called from this goroutine and without the lock, so that it may cancel the call, and
// answer what the server asks; nil: nobody is told.
//
// When ctx ends first, the error is its error, and the call goes on. The detail is what
// is known in any case.
func (r *Runner) Watch(ctx context.Context, id session.CallID, on func(Event)) (d session.Detail, err error) {
	var told uint64
	var questions string
	var unsampled <-chan time.Time // the last sample is awaited until then; nil: it is not yet
	for {
		changed := r.Changed()
		var e Event
		kept := false
		r.View(func(s *session.Session) {
			e.Row, kept = s.Row(id)
			if on != nil {
				e.Questions = questionsFor(s, id)
			}
			if !kept || e.Row.State.IsTerminal() {
				d, _ = s.Detail(id)
			}
		})
		over := !kept || e.Row.State.IsTerminal() && d.Conformity != session.Unjudged
		if now := signature(e.Questions); on != nil && kept && (e.Row.Rev != told || now != questions) {
			told, questions = e.Row.Rev, now
			on(e)
		}
		switch awaits := over && d.Processes != nil && d.Processes.Awaits; {
		case over && !awaits:
			return d, nil
		case awaits && unsampled == nil:
			unsampled = time.After(lastSample)
		}
		select {
		case <-changed:
			continue
		case <-unsampled:
		case <-ctx.Done():
			err = ctx.Err()
		case <-r.leave:
			err = ErrClosed
		}
		d, _ = r.Detail(id)
		return d, err
	}
}

// AwaitAsked waits as [Runner.Await] does, and meanwhile tells on of each question that waits and
// may be about a call, once. On is called from this goroutine and without the lock.
func (r *Runner) AwaitAsked(ctx context.Context, id session.CallID, on func(session.QuestionView), cond func(*session.Session) bool) error {
	told := map[session.QuestionID]bool{}
	for {
		var asked []session.QuestionView
		err := r.Await(ctx, func(s *session.Session) bool {
			asked = slices.DeleteFunc(questionsFor(s, id), func(p session.QuestionView) bool { return p.State != session.Waiting || told[p.ID] })
			return len(asked) > 0 || cond(s)
		})
		if err != nil || len(asked) == 0 {
			return err
		}
		for _, p := range asked {
			told[p.ID] = true
			on(p)
		}
	}
}

// signature changes with the questions, or the state of one.
func signature(all []session.QuestionView) string {
	out := make([]byte, 0, 2*len(all))
	for _, p := range all {
		out = append(out, byte(p.ID), byte(p.ID>>8), byte(p.State))
	}
	return string(out)
}

// questionsFor are the questions that may be about a call: its own, and those of which nobody
// knows whose they are.
func questionsFor(s *session.Session, id session.CallID) (out []session.QuestionView) {
	for _, p := range s.Questions() {
		mine := len(p.Candidates) == 0
		for _, c := range p.Candidates {
			mine = mine || c == id
		}
		if mine {
			out = append(out, p)
		}
	}
	return out
}
