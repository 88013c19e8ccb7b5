package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// lostAnswer is what a server on the TypeScript SDK answers, with HTTP 400, to who
// names a session that it does not know.
const lostAnswer = `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`

// knowsNoSession has the server answer an exchange in that way.
func (w *webRig) knowsNoSession(x ExchangeID) {
	w.t.Helper()
	w.opened(x, Head{Status: 400, Media: mediaJSON})
	w.recvOn(x, lostAnswer)
	w.ended(x, End{})
}

// A server that was started again says so with HTTP 400: a new session begins, as
// after a 404, whatever was answered in that way, and nothing is repeated.
func TestALostSessionIsRenewed(t *testing.T) {
	for name, way := range map[string]func(w *webRig){
		"a call":     func(w *webRig) { _, out := w.tool("b"); w.knowsNoSession(out.X) },
		"the stream": func(w *webRig) { w.knowsNoSession(w.gets()[0].X) },
		"a cancel": func(w *webRig) {
			id, out := w.tool("b")
			w.stream(out.X)
			w.auto = false
			w.stop(id, "enough")
			w.knowsNoSession(w.post("notifications/cancelled").X)
			w.want(id, Cancelled, cancel.NotDelivered)
		},
		"a notification": func(w *webRig) {
			w.auto = false
			if _, err := w.s.Handle(w.now, Notify{Method: "notifications/x"}); err != nil {
				t.Fatal(err)
			}
			w.pump()
			w.knowsNoSession(w.post("notifications/x").X)
		},
		"an answer": func(w *webRig) {
			w.auto = false
			_, out := w.tool("b")
			w.recvOn(out.X, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
			w.knowsNoSession(w.outs[len(w.outs)-1].X)
		},
		"a ping": func(w *webRig) { w.later(20 * time.Second); w.knowsNoSession(w.post("ping").X) },
		"a stream that is taken up again": func(w *webRig) {
			_, out := w.tool("b")
			w.stream(out.X)
			w.event(out.X, "7", -1)
			w.ended(out.X, End{})
			w.later(2 * time.Second)
			w.knowsNoSession(w.gets()[1].X)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := readyWeb(t, mcp.Rev20251125, func(c *Config) { c.PingEvery = 10 * time.Second })
			running, _ := w.tool("a")
			way(w)
			w.wantDiag(mcp.DiagServerStreamStatus, 0)
			posted := w.count(OpWrite, "tools/call")
			w.want(running, Lost, cancel.NoVerdict)
			if row := w.row(running); !strings.Contains(row.Note, "lost the session (HTTP 400: No valid session ID provided)") || row.Remedy.Kind != RemedyRepeat {
				t.Errorf("%q, %v", row.Note, row.Remedy)
			}
			st := w.s.Status()
			if st.Phase != Connecting || st.Renewed != 1 || st.RenewedFor != 400 || w.count(OpWrite, `"initialize"`) != 2 {
				t.Fatalf("%v, renewed %d for %d, %d times initialize", st.Phase, st.Renewed, st.RenewedFor, w.count(OpWrite, `"initialize"`))
			}
			if init := w.post("initialize"); field(init, headerSession) != "" {
				t.Errorf("it went with the old session: %v", init.Header)
			}
			if !st.Replaces {
				t.Error("it is not said that this is a session in place of another one")
			}
			w.auto = true
			w.agreeWith(Head{Status: 200, Media: mediaJSON, Session: "session-8"}, mcp.Rev20251125, logging)
			w.later(time.Minute)
			if w.s.Status().Phase != Ready || w.count(OpWrite, "tools/call") != posted {
				t.Error("not ready, or a call was repeated")
			}
			if _, out := w.tool("c"); field(out, headerSession) != "session-8" {
				t.Errorf("a call went with %v", out.Header)
			}
		})
	}
}

// A session that is over ends no server: belay goes on with the next one, and of a
// call that is being cancelled nothing more can be heard.
func TestASessionIsLostWhileACallIsCancelled(t *testing.T) {
	gone := map[string]func(w *webRig, x ExchangeID){
		"404": func(w *webRig, x ExchangeID) { w.opened(x, Head{Status: 404}); w.ended(x, End{}) },
		"400": (*webRig).knowsNoSession,
	}
	another := func(w *webRig) ExchangeID { _, out := w.tool("another"); return out.X }
	probe := func(w *webRig) ExchangeID { return w.post("ping").X }
	for _, tt := range []struct {
		name  string
		after time.Duration
		what  func(w *webRig) ExchangeID
		want  cancel.Verdict
	}{
		{"by another call", time.Second, another, cancel.NothingHeard},
		{"by another call, the probe out", 5 * time.Second, another, cancel.NothingHeard},
		{"by the probe", 5 * time.Second, probe, cancel.Quiet},
	} {
		for status, says := range gone {
			t.Run(tt.name+", "+status, func(t *testing.T) {
				w := readyWeb(t, mcp.Rev20251125)
				id, out := w.tool("slow")
				w.stream(out.X)
				w.stop(id, "enough")
				w.accept(w.post("notifications/cancelled"))
				w.later(tt.after)
				says(w, tt.what(w))
				w.want(id, Cancelled, tt.want)
				w.wantEvidence(id, "the session (HTTP "+status)
				for _, untrue := range []string{"the server ended:", "it had read it"} {
					if e := w.evidenceOf(id); strings.Contains(e, untrue) {
						t.Errorf("%q is in the evidence:\n%s", untrue, e)
					}
				}
			})
		}
	}
}

// The two ways to say that a session is over mean the same, wherever they come, and the evidence of a
// call that is being cancelled is the same: the session is over, and what could not be heard for it.
func TestALostSessionIsTheSameEvidenceInBothWays(t *testing.T) {
	requirements.Rows(t, "HTL-42")
	const away = "its stream was away from here on: what the server said of the call could not be heard"
	const closed = "the server ENDED the session (STATUS): belay closed what was open in it"
	refused := []string{"the cancel was not accepted: the server has ENDED the session (STATUS)", "belay closed what was open in that session", away}
	for name, tt := range map[string]struct {
		unread  bool // the POST of the cancel is not answered before
		at      func(w *webRig, own ExchangeID) ExchangeID
		verdict cancel.Verdict
		want    []string
	}{
		"its cancel": {true, func(w *webRig, own ExchangeID) ExchangeID {
			w.stream(own)
			return w.post("notifications/cancelled").X
		}, cancel.NotDelivered, refused},
		"its cancel, its own exchange without a head": {true, func(w *webRig, _ ExchangeID) ExchangeID { return w.post("notifications/cancelled").X }, cancel.NotDelivered, refused},
		"another call": {false, func(w *webRig, _ ExchangeID) ExchangeID {
			_, out := w.tool("another")
			return out.X
		}, cancel.NothingHeard, []string{"the server accepted the cancel: HTTP 202", closed, away}},
		"its own exchange": {false, func(w *webRig, own ExchangeID) ExchangeID {
			w.later(time.Second)
			return own
		}, cancel.AnsweredError, []string{
			"the server accepted the cancel: HTTP 202", "answered with STATUS; the server has ENDED the session",
			"it began 1.00 s after the cancel: it can have been on its way for 20 ms at most",
		}},
		"its stream, taken up again": {false, func(w *webRig, own ExchangeID) ExchangeID {
			w.stream(own)
			w.event(own, "7", -1)
			w.ended(own, End{})
			w.later(2 * time.Second)
			return w.gets()[len(w.gets())-1].X
		}, cancel.NothingHeard, []string{"the server accepted the cancel: HTTP 202", away, closed, "its stream could not be taken up again: STATUS"}},
	} {
		for status, says := range map[string]func(w *webRig, x ExchangeID){
			"404": func(w *webRig, x ExchangeID) { w.opened(x, Head{Status: 404}); w.ended(x, End{}) },
			"400": (*webRig).knowsNoSession,
		} {
			t.Run(name+", "+status, func(t *testing.T) {
				w := readyWeb(t, mcp.Rev20251125)
				w.stream(w.gets()[0].X) // the server has a route for GET
				id, out := w.tool("slow")
				w.auto = !tt.unread
				w.stop(id, "enough")
				if !tt.unread {
					w.accept(w.post("notifications/cancelled"))
				}
				says(w, tt.at(w, out.X))
				w.want(id, Cancelled, tt.verdict)
				same := strings.NewReplacer(
					" lost the", " ENDED the", " ended the", " ENDED the", "HTTP 400: "+unknownSession, "STATUS",
					"HTTP 404 Not Found", "STATUS", "HTTP 400 Bad Request", "STATUS", "HTTP 404", "STATUS",
				)
				got := same.Replace(w.evidenceOf(id))
				if want := strings.Join(append([]string{`cancel requested by user: "enough"`, "cancel written"}, tt.want...), "\n"); strings.TrimSpace(got) != want {
					t.Errorf("%s\nwant:\n%s", got, want)
				}
				if note := w.row(id).Note; tt.unread && !strings.Contains(same.Replace(note), "the server has ENDED the session (STATUS)") {
					t.Errorf("the row says %q", note)
				}
				if st := w.s.Status(); st.Renewed != 1 {
					t.Errorf("%d sessions were renewed", st.Renewed)
				}
			})
		}
	}
}

// Other errors are answers to what was asked, and so is this one where belay had
// named no session.
func TestWhatIsNoLostSession(t *testing.T) {
	for name, tt := range map[string]struct {
		session string
		status  int
		answer  string
	}{
		"no session was named": {"", 400, lostAnswer},
		"another status":       {"session-7", 403, lostAnswer},
		"with success":         {"session-7", 200, lostAnswer},
		"another code":         {"session-7", 400, strings.Replace(lostAnswer, "-32000", "-32600", 1)},
		"another text":         {"session-7", 400, strings.Replace(lostAnswer, "No valid", "An odd", 1)},
		"no error":             {"session-7", 400, `{"jsonrpc":"2.0","id":null,"result":{"message":"No valid session ID provided"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWebRig(t)
			w.agreeWith(Head{Status: 200, Media: mediaJSON, Session: tt.session}, mcp.Rev20251125, logging)
			id, out := w.tool("a")
			w.opened(out.X, Head{Status: tt.status, Media: mediaJSON})
			w.recvOn(out.X, "%s", tt.answer)
			w.ended(out.X, End{})
			w.want(id, Failed, cancel.NoVerdict)
			if st := w.s.Status(); st.Phase != Ready || st.Renewed != 0 {
				t.Errorf("%v, renewed %d", st.Phase, st.Renewed)
			}
		})
	}
	t.Run("a cancel that named no session", func(t *testing.T) {
		w := newWebRig(t)
		w.agreeWith(Head{Status: 200, Media: mediaJSON}, mcp.Rev20251125, logging)
		id, out := w.tool("a")
		w.stream(out.X)
		w.auto = false
		w.stop(id, "")
		x := w.post("notifications/cancelled").X
		w.opened(x, Head{Status: 400, Media: mediaJSON})
		w.recvOn(x, "%s", lostAnswer)
		w.ended(x, End{})
		if st := w.s.Status(); st.Phase != Ready || st.Renewed != 0 || !w.row(id).CancelRejected {
			t.Errorf("%v, renewed %d, the cancel %+v", st.Phase, st.Renewed, w.row(id))
		}
	})
	t.Run("a notification that named no session", func(t *testing.T) {
		w := newWebRig(t)
		w.agreeWith(Head{Status: 200, Media: mediaJSON}, mcp.Rev20251125, logging)
		w.auto = false
		if _, err := w.s.Handle(w.now, Notify{Method: "notifications/x"}); err != nil {
			t.Fatal(err)
		}
		w.pump()
		x := w.post("notifications/x").X
		w.opened(x, Head{Status: 400, Media: mediaJSON})
		w.recvOn(x, "%s", lostAnswer)
		w.ended(x, End{})
		if st := w.s.Status(); st.Phase != Ready || st.Renewed != 0 {
			t.Errorf("%v, renewed %d", st.Phase, st.Renewed)
		}
	})
	t.Run("no stream of the server's own", func(t *testing.T) {
		for _, answer := range []string{"", strings.Replace(lostAnswer, "-32000", "-32600", 1)} {
			w := readyWeb(t, mcp.Rev20251125)
			x := w.gets()[0].X
			w.opened(x, Head{Status: 400, Media: mediaJSON})
			if answer != "" {
				w.recvOn(x, "%s", answer)
			}
			w.ended(x, End{})
			w.later(time.Minute)
			w.wantDiag(mcp.DiagServerStreamStatus, 1)
			if st := w.s.Status(); st.Phase != Ready || st.Renewed != 0 || len(w.gets()) != 1 {
				t.Errorf("%v, renewed %d, %d times GET", st.Phase, st.Renewed, len(w.gets()))
			}
		}
	})
	t.Run("the session has just begun", func(t *testing.T) {
		w := newWebRig(t)
		w.auto = false
		w.agreeWith(Head{Status: 200, Media: mediaJSON, Session: "session-7"}, mcp.Rev20251125, logging)
		w.knowsNoSession(w.post("notifications/initialized").X)
		if st := w.s.Status(); st.Phase != Ready || st.Renewed != 0 {
			t.Errorf("%v, renewed %d", st.Phase, st.Renewed)
		}
	})
}

// Sessions that are lost again and again end the connection, and what helps is
// named.
func TestSessionsThatAreLostAtOnce(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	for range 10 {
		_, out := w.tool("a")
		w.knowsNoSession(out.X)
		if w.s.Status().Phase != Connecting {
			break
		}
		w.agreeWith(Head{Status: 200, Media: mediaJSON, Session: "s"}, mcp.Rev20251125, logging)
	}
	if f := w.s.Status().Failure; f == nil || !strings.Contains(f.Text, "sessions within") || !strings.Contains(f.Text, "HTTP 400") || f.Remedy.Kind != RemedyReconnect {
		t.Errorf("%+v", f)
	}
}

// HTTP 404 to a request that named the session ends the session, also where its body is an error that
// answers the request: the status decides. What the body said is told with that.
func TestA404ThatAnswersTheRequestEndsTheSession(t *testing.T) {
	requirements.Rows(t, "HTL-42", "HTM-21")
	w := taskingWeb(t, mcp.Rev20251125)
	id, out := w.wished()
	w.handle(out, "task-4711")
	w.later(time.Second)
	w.refused(404)
	w.want(id, Lost, cancel.NoVerdict)
	if note := w.row(id).Note; !strings.Contains(note, `the server ended the session (HTTP 404, with error -32602: "no such task")`) {
		t.Errorf("%q", note)
	}
	if init := w.post("initialize"); field(init, headerSession) != "" {
		t.Errorf("it went with the old session: %v", init.Header)
	}

	m := taskingWeb(t, mcp.Rev20260728) // which has no session: there the body decides
	id, out = m.wished()
	m.handle(out, "task-4711")
	m.later(time.Second)
	m.refused(404)
	m.later(time.Second) // a handle that is unknown at once is asked for once more
	m.refused(404)
	m.want(id, Failed, cancel.NoVerdict)
	if row := m.row(id); m.s.Status().Phase != Ready || !row.Task.Unknown {
		t.Errorf("%v, %+v", m.s.Status().Phase, row.Task)
	}
}

// A session that is over takes nothing with it that the server keeps elsewhere. Of a task that was followed in
// it the row says that the next session need not know it.
func TestATaskOfALostSession(t *testing.T) {
	w := taskingWeb(t, mcp.Rev20251125)
	id, out := w.wished()
	w.handle(out, "task-4711")
	w.later(time.Second)
	poll := w.next("tasks/get")
	w.opened(poll.X, Head{Status: 404})
	w.ended(poll.X, End{})
	row := w.row(id)
	if row.State != Lost || row.Remedy.Kind != RemedyPickUp || !strings.HasSuffix(row.Note, "; the task may go on at the server, which need not know it in another session") {
		t.Errorf("%v, %q, %v", row.State, row.Note, row.Remedy)
	}
}

// refused answers the next poll with an error, under a status.
func (w *taskWeb) refused(status int) {
	w.t.Helper()
	poll := w.next("tasks/get")
	w.opened(poll.X, Head{Status: status, Media: mediaJSON})
	w.recvOn(poll.X, `{"jsonrpc":"2.0","id":%v,"error":{"code":-32602,"message":"no such task"}}`, mcp.Decode(poll.Data).ID)
	w.ended(poll.X, End{})
}
