package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/mcpclient"
	"belay/session"
	"belay/session/mcp"
)

// asking is belay's client, without a screen, against its own demo server,
// which is built on the official SDK.
type asking struct {
	*mcpclient.Client
	t *testing.T
}

func askDemo(t *testing.T, rev mcp.Revision) *asking {
	t.Helper()
	c := mcpclient.New(mcpclient.Options{
		Command: []string{belay, "demo"}, Env: []string{raceOptions}, Session: session.Config{Pin: rev},
	})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), hang)
		defer cancel()
		if err := c.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	a := &asking{c, t}
	a.until("ready", func(s *session.Session) bool { return s.Status().Phase == session.Ready })
	return a
}

// until waits until something holds.
func (a *asking) until(what string, holds func(*session.Session) bool) {
	a.t.Helper()
	late := time.NewTimer(hang)
	defer late.Stop()
	for {
		var ok bool
		a.View(func(s *session.Session) { ok = holds(s) })
		if ok {
			return
		}
		select {
		case <-a.Wake():
		case <-late.C:
			a.t.Fatalf("in vain: %s", what)
		}
	}
}

func (a *asking) call(tool, args string) session.CallID {
	a.t.Helper()
	reply, err := a.Do(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"` + tool + `","arguments":` + args + `}`)}})
	if err != nil {
		a.t.Fatal(err)
	}
	return reply.Call
}

// questions waits until the server has asked n things that are in a state.
func (a *asking) questions(n int, state session.QuestionState) (found []session.QuestionView) {
	a.t.Helper()
	a.until("questions that are "+state.String(), func(s *session.Session) bool {
		found = nil
		for _, p := range s.Questions() {
			if p.State == state {
				found = append(found, p)
			}
		}
		return len(found) == n
	})
	return found
}

func (a *asking) answer(p session.QuestionView, result []byte) {
	a.t.Helper()
	var err error
	_, err = a.Do(session.Answer{Question: p.ID, Result: result, As: session.Answered})
	if err != nil {
		a.t.Error(err)
	}
}

// ends waits for the end of a call.
func (a *asking) ends(id session.CallID, state session.State, words string) {
	a.t.Helper()
	var d session.Detail
	a.until("the end of the call", func(s *session.Session) bool {
		d, _ = s.Detail(id)
		return d.State.IsTerminal()
	})
	if d.State != state || !strings.Contains(string(d.Result), words) {
		a.t.Errorf("%v, %s %v", d.State, d.Result, d.Err)
	}
}

// answered counts the answers that were handed out.
func (a *asking) answered() (n int) {
	a.View(func(s *session.Session) {
		from, to := s.HistorySpan()
		for _, e := range s.Entries(nil, from, int(to-from)+1) {
			if e.Dir == session.Out && (e.Kind == session.EntResult || e.Kind == session.EntError) {
				n++
			}
		}
	})
	return n
}

// A server on the Go SDK takes its question back, with a reason: nothing is
// written for it.
func TestTheGoSDKWithdraws(t *testing.T) {
	requirements.Rows(t, "CXS-04", "FR-4", "FR-5", "IT-2")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20250618} {
		for _, tool := range []string{"ask_then_withdraw", "sample_then_withdraw"} {
			t.Run(string(rev)+" "+tool, func(t *testing.T) {
				t.Parallel()
				a := askDemo(t, rev)
				id := a.call(tool, `{"seconds":0.2,"reason":"wrong tide"}`)
				a.ends(id, session.Done, "Taken back: wrong tide.")
				if p := a.questions(1, session.Withdrawn)[0]; p.Reason != "wrong tide" {
					t.Errorf("%+v", p)
				}
				if n := a.answered(); n != 0 {
					t.Errorf("%d answers", n)
				}
			})
		}
	}
}

func TestTheGoSDKTakesTheAnswers(t *testing.T) {
	t.Run("a form", func(t *testing.T) {
		t.Parallel()
		for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20250618} {
			a := askDemo(t, rev)
			id := a.call("ask_form", `{}`)
			p := a.questions(1, session.Waiting)[0]
			e, problems := mcp.ParseElicitation(rev, p.Params)
			if len(problems) != 0 || e.Mode != mcp.ElicitForm {
				t.Errorf("%v: %v", rev, problems)
			}
			a.answer(p, mcp.ElicitationResult(e.Mode, mcp.ElicitAccept, []byte(`{"name":"Pequod","rig":"ketch","crew":30}`)))
			a.ends(id, session.Done, `Pequod`)
		}
	})
	t.Run("a model's answer", func(t *testing.T) {
		t.Parallel()
		for _, rev := range mcp.Handshakes() {
			a := askDemo(t, rev)
			id := a.call("summarise", `{"text":"It was a long story."}`)
			p := a.questions(1, session.Waiting)[0]
			request, problems := mcp.ParseSampling(rev, p.Params)
			result, err := mcp.SamplingAnswer{Text: "A story."}.Result(rev)
			if err == nil {
				err = mcp.CheckSamplingResult(rev, request, result)
			}
			if err != nil || len(problems) != 0 || request.SystemPrompt == "" {
				t.Errorf("%v: %v, %v", rev, problems, err)
			}
			a.answer(p, result)
			a.ends(id, session.Done, "human answered: A story.")
		}
	})
	t.Run("a URL, and its completion", func(t *testing.T) {
		t.Parallel()
		a := askDemo(t, mcp.Rev20251125)
		id := a.call("ask_url", `{"complete_after":0.1}`)
		p := a.questions(1, session.Waiting)[0]
		a.answer(p, mcp.ElicitationResult(mcp.ElicitURL, mcp.ElicitAccept, nil))
		a.ends(id, session.Done, "You agreed to visit")
		a.until("the notice", func(s *session.Session) bool { return !s.Questions()[0].Completed.IsZero() })
	})
	t.Run("a login that a call needs", func(t *testing.T) {
		t.Parallel()
		a := askDemo(t, mcp.Rev20251125)
		id := a.call("needs_login", `{"complete_after":0.1}`)
		p := a.questions(1, session.Waiting)[0]
		if !p.Needed || len(p.Candidates) != 1 || p.Candidates[0] != id {
			t.Errorf("%+v", p)
		}
		a.ends(id, session.Failed, "")
		a.answer(p, mcp.ElicitationResult(mcp.ElicitURL, mcp.ElicitAccept, nil))
		a.until("the notice", func(s *session.Session) bool { return !s.Questions()[0].Completed.IsZero() })
		a.ends(a.call("needs_login", `{}`), session.Done, "You are logged in")
		if n := a.answered(); n != 0 {
			t.Errorf("%d answers, and nothing was owed", n)
		}
	})
	t.Run("a call that is cancelled withdraws both of its questions", func(t *testing.T) {
		t.Parallel()
		a := askDemo(t, mcp.Rev20251125)
		id := a.call("ask_twice", `{}`)
		a.questions(2, session.Waiting)
		if _, err := a.Do(session.Cancel{Call: id, Reason: "enough"}); err != nil {
			t.Error(err)
		}
		a.questions(2, session.Withdrawn)
		if n := a.answered(); n != 0 {
			t.Errorf("%d answers", n)
		}
	})
}
