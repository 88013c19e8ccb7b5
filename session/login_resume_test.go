package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// deaf is a call that runs, and whose stream was refused for want of a login when
// belay took it up again.
func (w *webRig) deaf() CallID {
	w.t.Helper()
	id, out := w.tool("slow")
	w.stream(out.X)
	w.event(out.X, "ev-7", 0)
	w.ended(out.X, End{})
	w.later(resumePause)
	w.refuse(w.lastGet().X, Head{Status: 401})
	if r := w.row(id); r.State != Running || !r.AwaitsLoginToResume || !r.Paused || r.Login {
		w.t.Fatalf("%+v", r)
	}
	return id
}

func (w *webRig) lastGet() Output {
	gets := w.gets()
	return gets[len(gets)-1]
}

// A call whose stream cannot be taken up for want of a login is not made again:
// it runs. Its stream is taken up where it broke after the login, and its clocks
// stand still until then.
func TestNoLoginMakesARunningCallAgain(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	id := w.deaf()
	w.statusOnce(id, "it runs at the server, and waits for a login to hear more")
	before := len(w.gets())
	w.later(24 * time.Hour)
	w.want(id, Running, cancel.NoVerdict)
	if len(w.gets()) != before || w.count(OpLogin) != 1 {
		t.Fatalf("%d GETs without a login, %d logins", len(w.gets())-before, w.count(OpLogin))
	}
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	w.check()
	w.pump()
	get := w.lastGet()
	if len(w.gets()) != before+1 || field(get, headerLastID) != "ev-7" || w.count(OpWrite, "tools/call") != 1 {
		t.Fatalf("%d GETs after the login, the last with %v; %d calls", len(w.gets())-before, get.Header, w.count(OpWrite, "tools/call"))
	}
	if r := w.row(id); r.AwaitsLoginToResume || r.Paused {
		t.Errorf("%+v", r)
	}
	w.stream(get.X)
	w.recvOn(get.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(id).Latest)
	w.want(id, Done, cancel.NoVerdict)
}

// To cancel such a call sends what it sends for any that runs; what the server
// still says is heard after the login.
func TestCancelWhileTheStreamWaitsForALogin(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	id := w.deaf()
	if _, err := w.s.Handle(w.now, Cancel{Call: id, Reason: "enough"}); err != nil {
		t.Fatal(err)
	}
	w.pump()
	w.want(id, Cancelling, cancel.NoVerdict)
	cancelNote := w.post("notifications/cancelled")
	w.opened(cancelNote.X, Head{Status: 202})
	w.ended(cancelNote.X, End{})
	w.want(id, Cancelling, cancel.NoVerdict) // its grace goes on: the login may come in time
	before := len(w.gets())
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	w.check()
	w.pump()
	if len(w.gets()) != before+1 {
		t.Fatal("its stream is not taken up again")
	}
	w.stream(w.lastGet().X)
	w.later(time.Second)
	w.recvOn(w.lastGet().X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(id).Latest)
	w.want(id, Cancelled, cancel.AnsweredLate)
}

// When the login is given up, the call is lost, and its row says why; a cancel
// that is on its way goes on.
func TestNoLoginToHearMore(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	lost, stopped := w.deaf(), w.deaf()
	if _, err := w.s.Handle(w.now, Cancel{Call: stopped}); err != nil {
		t.Fatal(err)
	}
	w.pump()
	before := len(w.gets())
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq, Failure: "you gave it up"})
	w.check()
	w.pump()
	w.later(time.Hour)
	w.want(lost, Lost, cancel.NoVerdict)
	if note := w.note(lost); !strings.Contains(note, "you gave it up") || !strings.Contains(note, "may still run") {
		t.Errorf("%q", note)
	}
	w.want(stopped, Cancelled, cancel.ServerUnresponsive)
	if len(w.gets()) != before || w.count(OpWrite, "tools/call") != 2 {
		t.Errorf("%d GETs, %d calls", len(w.gets())-before, w.count(OpWrite, "tools/call"))
	}
}

// A server that refuses the stream after every login has its call lost after a
// few.
func TestEndlessLoginsToHear(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	id := w.deaf()
	for range 10 {
		if !w.row(id).AwaitsLoginToResume {
			break
		}
		w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
		w.pump()
		w.refuse(w.lastGet().X, Head{Status: 401})
	}
	w.want(id, Lost, cancel.NoVerdict)
	if n := w.count(OpLogin); n != maxLogins {
		t.Errorf("%d logins", n)
	}
}

// A list whose stream is not heard for want of a login is told as broken, and
// can be fetched again.
func TestAListThatIsNotHeardAnyMore(t *testing.T) {
	w := servingWeb(t, mcp.Rev20251125, `{"tools":{}}`, withLogin)
	out := w.post("tools/list")
	w.stream(out.X)
	w.event(out.X, "1", 0)
	w.ended(out.X, End{})
	w.later(time.Second)
	gets := w.gets()
	w.opened(gets[len(gets)-1].X, Head{Status: 401})
	w.ended(gets[len(gets)-1].X, End{})
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq, Failure: "given up"})
	w.pump()
	w.check()
	if l := w.s.Catalog().Lists[mcp.Tools]; l.Loading || !strings.Contains(l.Problem, "given up") {
		t.Errorf("%+v", l)
	}
}
