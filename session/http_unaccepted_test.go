package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// askedWeb is a call over HTTP whose server asks something, and the POST of the
// user's answer, whose fate is open.
func askedWeb(t *testing.T) (w *webRig, call CallID, post Output) {
	t.Helper()
	w = readyWeb(t, mcp.Rev20251125)
	call, out := w.tool("slow")
	w.stream(out.X)
	w.recvOn(out.X, elicitationAsk, 3)
	w.auto = false
	return w, call, w.replies(`{"action":"accept","content":{"a":"long words"}}`)
}

// replies answers the first question, and returns the POST that carries the answer.
func (w *webRig) replies(result string) Output {
	w.t.Helper()
	if _, err := w.s.Handle(w.now, Answer{Question: w.s.Questions()[0].ID, Result: []byte(result), As: Answered}); err != nil {
		w.t.Fatal(err)
	}
	w.pump()
	return w.outs[len(w.outs)-1]
}

func (w *webRig) question() QuestionView { return w.s.Questions()[0] }

// An answer that the server did not take is none: its question waits again, and the
// user may answer once more. Nothing is posted twice by itself.
func TestAnswerNotAccepted(t *testing.T) {
	for name, tt := range map[string]struct {
		fate func(w *webRig, x ExchangeID)
		why  string
	}{
		"refused":     {func(w *webRig, x ExchangeID) { w.opened(x, Head{Status: 500}); w.ended(x, End{}) }, "HTTP 500 Internal Server Error"},
		"401":         {func(w *webRig, x ExchangeID) { w.opened(x, Head{Status: 401}); w.ended(x, End{}) }, "HTTP 401 Unauthorized"},
		"broken":      {func(w *webRig, x ExchangeID) { w.ended(x, End{Err: "reset"}) }, "reset; whether the server has read it is not known"},
		"never taken": {func(w *webRig, x ExchangeID) { w.later(takeLimit); w.ended(x, End{Err: "closed"}) }, "no answer within 30s; whether the server has read it is not known"},
	} {
		t.Run(name, func(t *testing.T) {
			w, call, post := askedWeb(t)
			if w.row(call).AsksYou || w.question().State != Answered {
				t.Fatalf("%+v", w.question())
			}
			tt.fate(w, post.X)
			w.check()
			p := w.question()
			if p.State != Waiting || p.NotAccepted != tt.why || !p.Ended.IsZero() || p.Owners != 1 || p.Candidates[0] != call {
				t.Fatalf("%+v", p)
			}
			if r := w.row(call); !r.AsksYou || !r.Paused {
				t.Errorf("%+v", r)
			}
			if n := w.count(OpWrite, "long words"); n != 1 {
				t.Errorf("posted %d times", n)
			}
			d, _ := w.s.Detail(call)
			if words := "the answer was not accepted: " + tt.why; !slices.ContainsFunc(d.Timeline, func(m MomentView) bool { return m.Text == words }) {
				t.Errorf("the timeline does not say %q: %+v", words, d.Timeline)
			}
			if name == "refused" || name == "401" {
				w.wantDiag(mcp.DiagNotAccepted, 1)
			}
			again := w.replies(`{"action":"accept","content":{"a":"once more"}}`)
			w.opened(again.X, Head{Status: 202})
			w.ended(again.X, End{})
			if p = w.question(); p.State != Answered || w.row(call).AsksYou || w.row(call).Paused {
				t.Errorf("%+v", p)
			}
			if !strings.Contains(string(again.Data), `"id":3`) || !strings.Contains(string(again.Data), "once more") {
				t.Errorf("posted: %s", again.Data)
			}
		})
	}
}

// What the server has taken back in the meantime is not asked again.
func TestAnswerNotAcceptedAndWithdrawn(t *testing.T) {
	w, call, post := askedWeb(t)
	w.recvOn(w.post("tools/call").X, cancelledNote, 3)
	if p := w.question(); p.State != Answered {
		t.Fatalf("%+v", p)
	}
	w.opened(post.X, Head{Status: 500})
	if p := w.question(); p.State != Withdrawn || p.Reason != "changed my mind" || p.NotAccepted == "" {
		t.Errorf("%+v", p)
	}
	if w.row(call).AsksYou || w.s.Status().Waiting != 0 {
		t.Error("it waits")
	}
}

// A server that has used the ID again in the meantime could not tell which of the
// two an answer is for.
func TestAnswerNotAcceptedAndAskedOtherwise(t *testing.T) {
	w, _, post := askedWeb(t)
	w.recvOn(w.post("tools/call").X, elicitationAsk, 3)
	w.opened(post.X, Head{Status: 500})
	if ps := w.s.Questions(); ps[0].State != QuestionLost || ps[0].NotAccepted == "" || ps[1].State != Waiting {
		t.Errorf("%+v", ps)
	}
}

// A call that has ended in the meantime leaves an orphan.
func TestAnswerNotAcceptedAfterItsCall(t *testing.T) {
	w, call, post := askedWeb(t)
	w.recvOn(w.post("tools/call").X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(call).Wire)
	w.opened(post.X, Head{Status: 503})
	if p := w.question(); p.State != Waiting || !p.Orphaned || w.s.Status().Waiting != 1 {
		t.Errorf("%+v", p)
	}
	w.want(call, Done, cancel.NoVerdict)
}

// A session that has ended takes the question with it, and a new one begins.
func TestAnswerToASessionThatHasEnded(t *testing.T) {
	w, call, post := askedWeb(t)
	w.opened(post.X, Head{Status: 404})
	if p := w.question(); p.State != QuestionLost || p.NotAccepted != "the server has ended the session (HTTP 404)" {
		t.Errorf("%+v", p)
	}
	w.want(call, Lost, cancel.NoVerdict)
	if st := w.s.Status(); st.Renewed != 1 || w.count(OpWrite, `"method":"initialize"`) != 2 {
		t.Errorf("%+v", st)
	}
}

// A notification that was refused is told, and no more.
func TestInitializedNotAccepted(t *testing.T) {
	for _, status := range []int{404, 500} {
		w := newWebRig(t)
		w.auto = false
		w.agree(mcp.Rev20251125, `{"tools":{}}`)
		x := w.post("notifications/initialized").X
		w.opened(x, Head{Status: status})
		w.ended(x, End{})
		w.wantDiag(mcp.DiagNotAccepted, 1)
		w.answerList(mcp.Tools, "")
		if st := w.s.Status(); st.Phase != Ready || st.Diags != 1 || st.Renewed != 0 {
			t.Errorf("%d: %+v", status, st)
		}
	}
}

// While the server does not say that it has taken it, the rows that wait say so;
// at the end of the wait that is told.
func TestInitializedNeverTaken(t *testing.T) {
	for name, fate := range map[string]func(w *webRig, x ExchangeID){
		"never answered": func(w *webRig, x ExchangeID) { w.later(takeLimit); w.ended(x, End{Err: "closed"}) },
		"broken":         func(w *webRig, x ExchangeID) { w.ended(x, End{Err: "reset"}) },
	} {
		w := newWebRig(t)
		w.auto = false
		w.agree(mcp.Rev20251125, `{"tools":{}}`)
		list := w.row(w.s.rows.newest.id)
		if list.Method != "tools/list" || list.State != Queued || list.Note != "waits until the server has taken notifications/initialized" {
			t.Errorf("%s: %+v", name, list)
		}
		rev := list.Rev
		fate(w, w.post("notifications/initialized").X)
		w.wantDiag(mcp.DiagNotAccepted, 1)
		if list = w.row(list.ID); list.State != Running || list.Note != "" || list.Rev == rev {
			t.Errorf("%s: %+v", name, list)
		}
		if n := len(w.events("notifications/initialized")); n != 1 {
			t.Errorf("%s: %v", name, w.events("notifications/initialized"))
		}
	}
	w := newWebRig(t)
	w.hold = true
	w.agreeLate()
	w.ended(w.post("notifications/initialized").X, End{Err: "connection refused"})
	w.wantDiag(mcp.DiagNotAccepted, 0)
}

// agreeLate agrees on a revision while nothing is written.
func (w *webRig) agreeLate() {
	w.t.Helper()
	w.recvOn(w.post("initialize").X, "%s", agreement(w.opening().Latest, mcp.Rev20251125, `{"tools":{}}`))
}

// An answer that belay gives by itself is not given again.
func TestPongNotAccepted(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	_, out := w.tool("slow")
	w.stream(out.X)
	w.auto = false
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	w.opened(w.outs[len(w.outs)-1].X, Head{Status: 500})
	w.wantDiag(mcp.DiagNotAccepted, 1)
	w.later(time.Minute)
	if n := w.count(OpWrite, `"id":1,"result":{}`); n != 1 {
		t.Errorf("posted %d times", n)
	}
}
