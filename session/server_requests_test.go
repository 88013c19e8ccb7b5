package session

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func (r *rig) answer(p QuestionID) error {
	return refused(r.s.Handle(r.now, Answer{Question: p, Result: []byte(`{"action":"accept"}`), As: Answered}))
}

func TestTheServerWithdrawsItsRequest(t *testing.T) {
	requirements.Rows(t, "CXS-01", "CXS-04", "SD0-05", "SD0-07", "SD0-31", "SD3-03", "SD3-16", "SD3-37", "FR-3")
	for _, ask := range []string{samplingAsk, elicitationAsk} {
		for _, id := range []string{`3`, `0`, `""`, `"5"`, `9007199254740993`, `1.5`} {
			t.Run(id, func(t *testing.T) {
				r := ready(t, mcp.Rev20251125)
				r.call("a")
				call, wire := r.call("b") // its ID is 3 too
				r.lines = nil
				r.recv(ask, id)
				if n := len(r.s.incoming.open); n != 1 {
					t.Fatalf("%d open", n)
				}
				r.recv(cancelledNote, id)
				p := r.wantQuestion(Withdrawn)
				if p.Reason != "changed my mind" || p.Params == nil || len(r.s.incoming.open) != 0 {
					t.Errorf("withdrawn: %+v, %d open", p, len(r.s.incoming.open))
				}
				for _, err := range []error{
					r.answer(p.ID),
					refused(r.s.Handle(r.now, Refuse{Question: p.ID, Code: mcp.CodeRejected, Message: "no", As: Declined})),
					refused(r.s.Handle(r.now, Answer{Question: p.ID, Result: []byte(`{"action":"cancel"}`), As: Dismissed})),
				} {
					if !errors.Is(err, errWithdrawn) || !strings.Contains(err.Error(), "too late") {
						t.Errorf("answering it: %v", err)
					}
				}
				r.wait(time.Minute)
				r.wantLines()
				r.want(call, Running, cancel.NoVerdict)
				r.recv(okAnswer, wire)
				r.want(call, Done, cancel.NoVerdict)
			})
		}
	}
}

func TestWithdrawalAndAnswerTogether(t *testing.T) {
	requirements.Rows(t, "CXS-09", "SD3-28", "EDGE-2")
	t.Run("the answer has not left: nothing is written, and the row says so", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		r.recv(elicitationAsk, 7)
		p := r.wantQuestion(Waiting)
		r.mute = true
		if err := r.answer(p.ID); err != nil {
			t.Fatal(err)
		}
		r.wantQuestion(Answered)
		r.recv(cancelledNote, 7)
		r.wantQuestion(Withdrawn)
		r.mute = false
		r.pull()
		r.wantLines()
	})
	t.Run("the answer has left: the cancel is ignored", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		r.recv(elicitationAsk, 7)
		if err := r.answer(r.wantQuestion(Waiting).ID); err != nil {
			t.Fatal(err)
		}
		r.pull()
		r.recv(cancelledNote, 7)
		r.wantQuestion(Answered)
		r.wantLines(`{"jsonrpc":"2.0","id":7,"result":{"action":"accept"}}`)
		if err := r.answer(1); !errors.Is(err, errAnswered) {
			t.Errorf("a second answer: %v", err)
		}
	})
	t.Run("an answer of belay's own", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		r.mute = true
		r.recv(`{"jsonrpc":"2.0","id":7,"method":"ping"}`)
		r.recv(`{"jsonrpc":"2.0","id":8,"method":"no/such"}`)
		r.recv(cancelledNote, 7)
		r.recv(cancelledNote, 8)
		r.mute = false
		r.pull()
		r.wantLines()
	})
	t.Run("in one batch", func(t *testing.T) {
		r := ready(t, mcp.Rev20250326)
		r.recv("[%s,%s,%s]", fmt.Sprintf(samplingAsk, 7), fmt.Sprintf(cancelledNote, 7), `{"jsonrpc":"2.0","id":8,"method":"ping"}`)
		r.wantQuestion(Withdrawn)
		r.wantLines(`{"jsonrpc":"2.0","id":8,"result":{}}`)
	})
}

func TestCancelsThatAreIgnored(t *testing.T) {
	requirements.Rows(t, "CXS-05", "CXS-06", "CXS-07", "SD0-08", "SD0-09", "SD0-12", "SD0-21", "SD0-22",
		"SD3-07", "SD3-20", "SD3-24", "FR-7", "UT-3", "IT-3", "SDX-08")
	for _, tt := range []struct {
		name  string
		id    string
		stage CancelStage
		level slog.Level
	}{
		{"unknown", "9999", CancelUnknown, slog.LevelDebug},
		{"completed", "7", CancelTooLate, slog.LevelDebug},
		{"ours", "2", CancelUnknown, slog.LevelDebug},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			call, _ := r.call("t") // its ID is 2
			r.recv(`{"jsonrpc":"2.0","id":7,"method":"ping"}`)
			r.lines = nil
			rows, questions := r.row(call), len(r.questions())
			r.wait(4 * time.Second)
			r.recv(cancelledNote, tt.id)
			all := r.s.CancelEvents()
			if len(all) != 1 || all[0].Stage != tt.stage || all[0].Level() != tt.level ||
				all[0].ID.String() != tt.id || all[0].Reason != "changed my mind" || all[0].Initiator != cancel.ByServer {
				t.Errorf("logged: %+v", all)
			}
			if r.row(call) != rows || len(r.questions()) != questions {
				t.Error("it touched something")
			}
			r.wantLines()
			foreign := 0
			if tt.id == "2" {
				foreign = 1
			}
			r.wantDiag(mcp.DiagCancelForeign, foreign)
			if n := len(r.s.Diagnostics()); n != foreign {
				t.Errorf("%d things were found wrong", n)
			}
		})
	}
}

// A second cancel of the same request is ignored as well: the reason stays.
func TestASecondWithdrawalChangesNothing(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.recv(samplingAsk, 7)
	r.recv(cancelledNote, 7)
	before := r.s.Questions()[0]
	r.wait(time.Second)
	r.recv(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"another"}}`)
	if p := r.s.Questions()[0]; !reflect.DeepEqual(p, before) || p.Reason != "changed my mind" {
		t.Errorf("it was %+v, and is %+v", before, p)
	}
}

func TestMalformedCancels(t *testing.T) {
	requirements.Rows(t, "CXS-08", "SD0-23", "SD0-24")
	for _, params := range []string{
		``, `,"params":null`, `,"params":[]`, `,"params":[7]`, `,"params":{}`, `,"params":{"requestId":null}`,
		`,"params":{"requestId":true}`, `,"params":{"requestId":{}}`, `,"params":{"requestId":1.5}`, `,"params":"7"`,
	} {
		r := ready(t, mcp.Rev20251125)
		r.recv(samplingAsk, 7)
		r.recv(samplingAsk, 1)
		call, _ := r.call("t")
		r.lines = nil
		r.recv(`{"jsonrpc":"2.0","method":"notifications/cancelled"%s}`, params)
		r.wantDiag(mcp.DiagCancelMalformed, 1)
		if s := r.questions(); s[0] != Waiting || s[1] != Waiting {
			t.Errorf("%s: %v", params, s)
		}
		r.want(call, Running, cancel.NoVerdict)
		r.wantLines()
		if all := r.s.CancelEvents(); len(all) != 1 || all[0].Stage != CancelMalformed || all[0].Level() != slog.LevelError {
			t.Errorf("%s: logged %+v", params, all)
		}
	}
}

func TestIDsOfTheServerAreComparedExactly(t *testing.T) {
	requirements.Rows(t, "CXS-22", "SD3-34", "SD3-36")
	for _, tt := range []struct {
		asked, cancelled string
		same             bool
	}{
		{`1`, `1`, true},
		{`1`, `1.0`, true},
		{`1`, `1e0`, true},
		{`0`, `-0`, true},
		{`"a"`, `"\u0061"`, true},
		{`1`, `"1"`, false},
		{`"1"`, `1`, false},
		{`1`, `1.5`, false},
		{`1.5`, `1`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`""`, `0`, false},
	} {
		r := ready(t, mcp.Rev20251125)
		call, _ := r.call("t")
		r.recv(samplingAsk, tt.asked)
		r.recv(cancelledNote, tt.cancelled)
		want := Waiting
		if tt.same {
			want = Withdrawn
		}
		if got := r.questions()[0]; got != want {
			t.Errorf("asked %s, cancelled %s: %v", tt.asked, tt.cancelled, got)
		}
		r.recv(cancelledNote, r.row(call).Wire)
		r.want(call, Running, cancel.NoVerdict)
	}
}

func TestAQuestionThatNobodySawIsWithdrawn(t *testing.T) {
	requirements.Rows(t, "CXS-18")
	r := ready(t, mcp.Rev20251125)
	r.recv(elicitationAsk, 1)
	r.recv(elicitationAsk, 2)
	if n := r.s.Status().Waiting; n != 2 {
		t.Errorf("%d wait", n)
	}
	r.recv(cancelledNote, 2)
	if s := r.questions(); s[0] != Waiting || s[1] != Withdrawn || r.s.Status().Waiting != 1 {
		t.Errorf("%v", s)
	}
}

func TestWithdrawalsAreLogged(t *testing.T) {
	requirements.Rows(t, "CXS-10", "CXS-11")
	r := ready(t, mcp.Rev20251125)
	r.recv(elicitationAsk, `"five"`)
	r.wait(3 * time.Second)
	r.recv(cancelledNote, `"five"`)
	e := r.s.CancelEvents()[0]
	if e.Stage != CancelReceived || e.Direction != In || e.Initiator != cancel.ByServer || e.Method != "elicitation/create" ||
		e.ID != mcp.StringID("five") || e.Age != 3*time.Second || e.Reason != "changed my mind" || e.Level() != slog.LevelInfo {
		t.Errorf("logged %+v", e)
	}
	if got := r.events("withdrawn by the server"); len(got) != 1 || !strings.Contains(got[0], "changed my mind") {
		t.Errorf("shown: %q", got)
	}
}

func TestReusedAndRepeatedRequests(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.recv(samplingAsk, 1)
	r.recv(samplingAsk, 1)
	r.wantDiag(mcp.DiagDuplicateRequest, 1)
	if n := len(r.questions()); n != 1 {
		t.Fatalf("%d questions", n)
	}
	r.recv(cancelledNote, 1)
	r.recv(`{"jsonrpc":"2.0","id":1,"method":"ping"}`) // a request of its own
	r.wantDiag(mcp.DiagReusedRequest, 1)
	r.wantLines(`{"jsonrpc":"2.0","id":1,"result":{}}`)
}

func TestTheConnectionTakesQuestionsWithIt(t *testing.T) {
	requirements.Rows(t, "CXS-21")
	r := ready(t, mcp.Rev20251125)
	r.recv(elicitationAsk, 1)
	r.recv(elicitationAsk, 2)
	r.mute = true
	if err := r.answer(2); err != nil {
		t.Fatal(err)
	}
	r.closed()
	if s := r.questions(); s[0] != QuestionLost || s[1] != QuestionLost {
		t.Errorf("%v; nothing was answered", s)
	}
	if err := r.answer(1); !errors.Is(err, errNotReady) {
		t.Errorf("answering: %v", err)
	}
	r.mute = false
	r.reconnect(mcp.Rev20251125)
	r.wantLines()
}

func TestAnswersAreRefusedOnceTheyCannotLeave(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.recv(elicitationAsk, 1)
	r.recv(elicitationAsk, 2)
	r.s.Tell(r.now, Disconnect{Reason: "the user disconnected"})
	if err := r.answer(1); err != nil {
		t.Errorf("while it can still leave: %v", err)
	}
	r.pull()
	r.wantLines(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}`, "CLOSE")
	if err := r.answer(2); !errors.Is(err, errQuitting) {
		t.Errorf("after the close was handed out: %v", err)
	}
	if err := r.answer(99); !errors.Is(err, errUnknown) {
		t.Errorf("an unknown prompt: %v", err)
	}
	if _, err := r.s.Handle(r.now, Answer{Question: 2, Result: []byte("{}"), As: Withdrawn}); !errors.Is(err, errParams) {
		t.Errorf("an answer cannot withdraw: %v", err)
	}
}

func TestReasonsOfTheServerAreBounded(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.recv(elicitationAsk, 1)
	r.recv(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":%q}}`, strings.Repeat("é", 5000))
	if p := r.wantQuestion(Withdrawn); len(p.Reason) > maxReason || !strings.HasPrefix(p.Reason, "ééé") || !strings.HasSuffix(p.Reason, "é…") {
		t.Errorf("%d bytes: %s", len(p.Reason), p.Reason)
	}
}

func TestWhoseQuestionItIs(t *testing.T) {
	requirements.Rows(t, "CXS-24")
	r := ready(t, mcp.Rev20251125)
	one, _ := r.call("one")
	r.recv(elicitationAsk, 1)
	two, wire := r.call("two")
	r.recv(elicitationAsk, 2)
	ps := r.s.Questions()
	if len(ps[0].Candidates) != 1 || ps[0].Candidates[0] != one || len(ps[1].Candidates) != 2 {
		t.Fatalf("candidates %v and %v", ps[0].Candidates, ps[1].Candidates)
	}
	if !r.row(one).AsksYou || r.row(two).AsksYou || !r.row(two).Paused {
		t.Error("only the header knows whose the second is; both stand still")
	}
	r.cancel(one, "")
	if ps := r.s.Questions(); ps[0].State != Waiting || !ps[0].Orphaned || ps[1].Orphaned {
		t.Errorf("after the cancel of its call: %+v", ps)
	} else if p := ps[1]; p.Owners != 2 || p.CancelledOwners != 1 || !slices.Equal(p.Candidates, []CallID{two, one}) || r.row(two).AsksYou {
		t.Errorf("after the cancel of one of its calls: %+v", p)
	}
	r.recv(okAnswer, wire)
	if ps := r.s.Questions(); !ps[1].Orphaned || len(ps[1].Candidates) != 0 {
		t.Errorf("after the end of the other: %+v", ps[1])
	}
	three, _ := r.call("three")
	if r.row(three).Paused {
		t.Error("an orphan stops a clock")
	}
	r.lines = nil
	if _, err := r.s.Handle(r.now, Answer{Question: 1, Result: []byte(`{"action":"cancel"}`), As: Dismissed}); err != nil {
		t.Error(err)
	}
	r.pull()
	r.wantLines(`{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}`) // nothing was answered for the user
}

func TestWithdrawnRequestsLeaveNothing(t *testing.T) {
	requirements.Rows(t, "CXS-03", "SD0-06", "SD3-13")
	r := ready(t, mcp.Rev20251125)
	id, _ := r.call("t")
	for i := range 1000 {
		r.recv(elicitationAsk, i)
		r.wait(questionInterval)
		r.recv(cancelledNote, i)
	}
	if n := len(r.s.Questions()); n < maxQuestions/2 || r.diag(mcp.DiagQuestionFlood) != 0 {
		t.Fatalf("%d questions are kept: some were refused", n)
	}
	if n := len(r.s.incoming.open) + r.s.incoming.waiting + r.s.out.queues[classAnswer].live; n != 0 || r.row(id).Paused {
		t.Errorf("%d things are left; paused %v", n, r.row(id).Paused)
	}
}

func TestRootsAreAnswered(t *testing.T) {
	requirements.Rows(t, "PNG-01")
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.Roots = []Root{{URI: "file:///a b", Name: `"q"`}, {URI: "file:///c"}} })
	r.recv(elicitationAsk, 1) // a question in front of it holds nothing up
	r.recv(`{"jsonrpc":"2.0","id":0,"method":"roots/list"}`)
	r.recv(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
	r.wantLines(`{"jsonrpc":"2.0","id":0,"result":{"roots":[{"uri":"file:///a b","name":"\"q\""},{"uri":"file:///c"}]}}`,
		`{"jsonrpc":"2.0","id":"p","result":{}}`)
}
