package headless

import (
	"slices"

	"belay/session"
)

// codeRejected is the error of a user who does not want a model to be asked, as the
// specification has it.
const codeRejected = -1

// Prompts are the server's requests to the user that are kept, oldest first.
func (r *Runner) Prompts() (all []session.PromptView) {
	r.View(func(s *session.Session) { all = s.Prompts() })
	return all
}

// Waiting are those of them that wait for an answer.
func (r *Runner) Waiting() []session.PromptView {
	return slices.DeleteFunc(r.Prompts(), func(p session.PromptView) bool { return p.State != session.Waiting })
}

// Answer answers a prompt with a result, a JSON object. The error is a
// *[session.Refusal]: the server has withdrawn its request, say, and nothing was sent.
func (r *Runner) Answer(id session.PromptID, result []byte) error {
	_, err := r.Do(session.Answer{Prompt: id, Result: result, As: session.Answered})
	return err
}

// Decline says no to a prompt, in the way that its method has for that.
func (r *Runner) Decline(p session.PromptView) error { return r.reject(p, "decline", session.Declined) }

// Dismiss leaves a prompt without a choice, in the way that its method has for that.
func (r *Runner) Dismiss(p session.PromptView) error { return r.reject(p, "cancel", session.Dismissed) }

// reject answers an elicitation with an action, and any other prompt with an error.
func (r *Runner) reject(p session.PromptView, action string, as session.PromptState) error {
	if p.Method == "elicitation/create" {
		_, err := r.Do(session.Answer{Prompt: p.ID, Result: []byte(`{"action":"` + action + `"}`), As: as})
		return err
	}
	_, err := r.Do(session.Refuse{Prompt: p.ID, Code: codeRejected, Message: "User rejected " + what(p.Method), As: as})
	return err
}

func what(method string) string {
	if method == "sampling/createMessage" {
		return "sampling request"
	}
	return "the request"
}
