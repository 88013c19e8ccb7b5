package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func TestACallThatIsCancelledBetweenRoundsSendsNothing(t *testing.T) {
	requirements.Rows(t, "MRT-18", "MRT-28")
	ask := asking(askName+","+askStory) + `,"requestState":"s"`
	for name, stop := range map[string]func(r *rig, id CallID){
		"by x": func(r *rig, id CallID) { r.cancel(id, "changed my mind") },
		"by X": func(r *rig, _ CallID) { r.s.Tell(r.now, CancelAll{Reason: "all"}) },
		"by :send": func(r *rig, id CallID) {
			if _, err := r.s.Handle(r.now, Notify{Method: "notifications/cancelled", Params: fmt.Appendf(nil, `{"requestId":%v}`, r.row(id).Latest)}); err != nil {
				r.t.Fatal(err)
			}
		},
	} {
		for _, answers := range []int{0, 1} {
			t.Run(fmt.Sprintf("%s after %d answers", name, answers), func(t *testing.T) {
				r := ready(t, mcp.Rev20260728)
				id, _ := r.call("t")
				r.round(id, ask)
				if answers == 1 {
					r.tell(tellName)
				}
				r.lines = nil
				left := r.waiting()
				stop(r, id)
				r.check()
				r.pull()
				r.want(id, Cancelled, cancel.NothingRunning)
				for _, p := range left {
					if got := r.question(p.ID); got.State != Dismissed || got.Closed != "you cancelled the call" {
						t.Errorf("%+v", got)
					}
					if _, err := r.s.Handle(r.now, Answer{Question: p.ID, Result: []byte(tellName), As: Answered}); !errors.Is(err, errFinished) || !strings.Contains(err.Error(), "too late: you cancelled") {
						t.Errorf("answering it: %v", err)
					}
				}
				r.silent(id)
				if d, _ := r.s.Detail(id); len(d.Evidence) != 2 || !strings.Contains(d.Evidence[1].Text, "nothing was sent") {
					t.Errorf("%+v", d.Evidence)
				}
			})
		}
	}
	t.Run("while the request that follows waits to be written", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728)
		id, _ := r.call("t")
		r.round(id, asking(askName))
		r.lines, r.mute = nil, true
		r.tell(tellName)
		r.cancel(id, "")
		r.mute = false
		r.pull()
		r.want(id, Cancelled, cancel.NothingRunning)
		r.silent(id)
	})
	t.Run("while it is made again later", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728)
		id, _ := r.call("t")
		r.round(id, `"requestState":"s"`)
		r.lines = nil
		r.cancel(id, "")
		r.want(id, Cancelled, cancel.NothingRunning)
		r.silent(id)
	})
	t.Run("asked before the cancel left, where nobody can", func(t *testing.T) {
		for _, rev := range []mcp.Revision{mcp.Rev20241105, mcp.Rev20250326, mcp.Rev20250618, mcp.Rev20251125} {
			r := ready(t, rev)
			id, _ := r.call("t")
			r.lines, r.mute = nil, true
			r.cancel(id, "")
			r.round(id, ask)
			r.mute = false
			r.pull()
			r.want(id, Failed, cancel.NoVerdict)
			if want := "refused: input_required came with 2026-07-28; this is " + string(rev); !strings.HasPrefix(r.row(id).Note, want) {
				t.Errorf("%q, want %q", r.row(id).Note, want)
			}
			r.silent(id)
		}
	})
	t.Run("asked before the cancel left", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728)
		id, _ := r.call("t")
		r.lines, r.mute = nil, true
		r.cancel(id, "")
		r.round(id, ask)
		r.mute = false
		r.pull()
		r.want(id, Cancelled, cancel.NothingRunning)
		if len(r.waiting()) != 0 {
			t.Error("the user is asked")
		}
		r.silent(id)
	})
}

func TestACancelWhileARoundRunsIsAnyCancel(t *testing.T) {
	requirements.Rows(t, "MRT-28")
	r := ready(t, mcp.Rev20260728, func(c *Config) { c.NoProbe = true })
	id, first := r.call("t")
	r.round(id, asking(askName))
	r.tell(tellName)
	second := r.row(id).Latest
	r.lines = nil
	r.cancel(id, "enough")
	r.wantLines(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%v,"reason":"enough"}}`, second))
	r.recv(okAnswer, first) // of the first round: no evidence
	r.want(id, Cancelling, cancel.NoVerdict)
	r.wait(time.Second)
	r.round(id, asking(askName)) // an answer like any other: nothing is asked
	r.want(id, Cancelled, cancel.AnsweredLate)
	if len(r.waiting()) != 0 {
		t.Error("a cancelled call asks the user")
	}
	if e := r.s.CancelEvents(); e[0].ID != second {
		t.Errorf("the log names request %v, it was %v", e[0].ID, second)
	}
	r.lines = nil
	r.silent(id)
}

func TestARejectedModelEndsTheCall(t *testing.T) {
	requirements.Rows(t, "MRT-18", "MRT-19", "SMP-33")
	for _, as := range []QuestionState{Declined, Dismissed} {
		r := ready(t, mcp.Rev20260728)
		id, _ := r.call("t")
		r.round(id, asking(askName+","+askStory+","+askAge)+`,"requestState":"s"`)
		r.tell(tellName)
		r.lines = nil
		story, age := r.waiting()[0], r.waiting()[1]
		if _, err := r.s.Handle(r.now, Refuse{Question: story.ID, Code: mcp.CodeRejected, Message: "no", As: as}); err != nil {
			t.Fatal(err)
		}
		r.check()
		r.pull()
		r.want(id, Cancelled, cancel.NothingRunning)
		want := "you " + as.String() + " sampling/createMessage"
		if row := r.row(id); row.Note != "not retried: "+want {
			t.Errorf("%q", row.Note)
		}
		if got := r.question(story.ID).State; got != as {
			t.Errorf("the question is %v", got)
		}
		if got := r.question(age.ID); got.State != Dismissed || got.Closed != want {
			t.Errorf("the other question: %+v", got)
		}
		r.silent(id)
	}
}

func TestADeclinedFormIsAnAnswer(t *testing.T) {
	requirements.Rows(t, "MRT-20", "MRT-29", "ELI-58")
	for action, as := range map[mcp.ElicitAction]QuestionState{mcp.ElicitDecline: Declined, mcp.ElicitCancel: Dismissed} {
		r := ready(t, mcp.Rev20260728)
		id, _ := r.call("t")
		r.lines = nil
		r.round(id, asking(askName+","+askURL+","+askAge))
		all := r.waiting()
		if _, err := r.s.Handle(r.now, Answer{Question: all[1].ID, Result: mcp.ElicitationResult(mcp.ElicitURL, action, nil), As: as}); err != nil {
			t.Fatal(err)
		}
		r.check()
		r.pull()
		r.wantLines()
		r.tell(tellName)
		r.tell(`{"action":"accept","content":{"age":1}}`)
		_, params := r.again()
		want := fmt.Sprintf(`{"name":%s,"visit":{"action":%q},"age":{"action":"accept","content":{"age":1}}}`, tellName, action)
		if string(params["inputResponses"]) != want {
			t.Errorf("%s", params["inputResponses"])
		}
		r.done(id)
	}
	t.Run("an answer counts once", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728)
		id, _ := r.call("t")
		r.round(id, asking(askName+","+askAge))
		p := r.waiting()[0]
		r.tell(tellName)
		if _, err := r.s.Handle(r.now, Answer{Question: p.ID, Result: []byte(`{"action":"decline"}`), As: Declined}); !errors.Is(err, errAnswered) {
			t.Errorf("%v", err)
		}
		r.lines = nil
		r.tell(tellName)
		if _, params := r.again(); !strings.HasPrefix(string(params["inputResponses"]), `{"name":`+tellName) {
			t.Errorf("%s", params["inputResponses"])
		}
		r.done(id)
	})
}

func TestTheEndOfAConnectionEndsItsRounds(t *testing.T) {
	requirements.Rows(t, "CXS-21")
	for _, answered := range []bool{false, true} {
		r := ready(t, mcp.Rev20260728)
		id, _ := r.call("t")
		later, _ := r.call("u")
		r.round(id, asking(askName+","+askAge))
		r.round(later, `"requestState":"x"`)
		if answered {
			r.tell(tellName)
		}
		p := r.waiting()[0]
		r.closed()
		r.check()
		r.want(id, Lost, cancel.NoVerdict)
		r.want(later, Lost, cancel.NoVerdict)
		if got := r.question(p.ID).State; got != QuestionLost {
			t.Errorf("the question is %v", got)
		}
		if err := r.answer(p.ID); !errors.Is(err, errNotReady) {
			t.Errorf("answering it: %v", err)
		}
		r.connect()
		r.agree(mcp.Rev20260728, `{}`)
		r.lines = nil
		r.silent(id)
		r.silent(later)
	}
}

func TestQuitBetweenRounds(t *testing.T) {
	r := ready(t, mcp.Rev20260728)
	id, _ := r.call("t")
	r.round(id, asking(askName))
	p := r.waiting()[0]
	r.lines = nil
	r.s.Tell(r.now, Quit{})
	r.pull()
	r.want(id, Cancelled, cancel.NothingRunning)
	r.wantLines("CLOSE")
	if got := r.question(p.ID); got.State != Dismissed || got.Closed != "belay left" {
		t.Errorf("%+v", got)
	}
}

func TestRoundsAreReplayed(t *testing.T) {
	r := newRig(t, Config{})
	kept := newTape(r.s, nil)
	r.connect()
	r.agree(mcp.Rev20251125, logging)
	id, _ := r.call("t")
	r.round(id, `"requestState":"s"`) // refused: the revision has none
	p := replayed(t, r, kept)
	if got, _ := p.s.Row(id); got != r.row(id) || p.differs != 0 {
		t.Errorf("replayed as %+v, it was %+v; %d differ", got, r.row(id), p.differs)
	}
}
