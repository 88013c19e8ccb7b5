package headless

import (
	"slices"

	"belay/session"
)

// Questions are the server's requests to the user that are kept, oldest first.
func (r *Runner) Questions() (all []session.QuestionView) {
	r.View(func(s *session.Session) { all = s.Questions() })
	return all
}

// Waiting are those of them that wait for an answer.
func (r *Runner) Waiting() []session.QuestionView {
	return slices.DeleteFunc(r.Questions(), func(p session.QuestionView) bool { return p.State != session.Waiting })
}

// Answer answers a question with a result, a JSON object. The error is a
// *[session.Refusal]: the server has withdrawn its request, say, and nothing was sent.
func (r *Runner) Answer(id session.QuestionID, result []byte) error {
	_, err := r.Do(session.Answer{Question: id, Result: result, As: session.Answered})
	return err
}

// Decline says no to a question, in the way that its method has for that.
func (r *Runner) Decline(p session.QuestionView) error { return r.reject(p, session.Declined) }

// Dismiss leaves a question without a choice, in the way that its method has for that.
func (r *Runner) Dismiss(p session.QuestionView) error { return r.reject(p, session.Dismissed) }

func (r *Runner) reject(p session.QuestionView, as session.QuestionState) error {
	_, err := r.Do(p.Rejection(as))
	return err
}
