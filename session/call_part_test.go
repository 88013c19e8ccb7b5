package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// While a message comes and comes, the row says so; when it has come, or was
// none, it does not.
func TestAMessageThatDoesNotEnd(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	id, out := w.tool("a")
	w.stream(out.X)
	told := func(size int, kept bool, want string) {
		t.Helper()
		w.s.Tell(w.now, ReceivedPart{ExchangeID: out.X, Part: Part{Size: size, Kept: kept, Began: w.now.Sub(w.now.Add(-time.Second)), Last: w.now.Sub(w.now)}})
		w.check()
		if got := w.note(id); got != want {
			t.Errorf("%d: %q", size, got)
		}
	}
	told(300, true, "300 bytes of a message have come, and not its end")
	told(0, true, "")
	told(5e6, true, "5.0 MB of a message have come, and not its end")
	told(17e6, false, "17.0 MB came without the end of a message; belay keeps none of it")
	told(28e6, false, "28.0 MB came without the end of a message; belay keeps none of it")
	d, _ := w.s.Detail(id)
	var notes []string
	for _, m := range d.Timeline {
		if m.Kind == MomNote {
			notes = append(notes, m.Text)
		}
	}
	if len(notes) != 3 || !strings.HasPrefix(notes[1], "5.0 MB") || !strings.HasPrefix(notes[2], "17.0 MB") {
		t.Errorf("the timeline says %q", notes)
	}
	w.wantDiag(mcp.DiagOversize, 0)
	w.ended(out.X, End{})
	w.want(id, Failed, cancel.NoVerdict)
	w.wantDiag(mcp.DiagOversize, 1)
	d, _ = w.s.Detail(id)
	if !slices.ContainsFunc(d.Timeline, func(m MomentView) bool { return m.Remedy.Kind == RemedyLimit }) {
		t.Error("the timeline does not say that the limit can be raised")
	}
	if got := w.note(id); got != "the stream ended in the middle of a message, after 28.0 MB of it" {
		t.Errorf("ended: %q", got)
	}
}

// Silence is what a server is called quiet for, and bytes that come are none.
func TestBytesAfterTheCancel(t *testing.T) {
	const (
		still    = "bytes of a message still came on its stream"
		onItsWay = "not its end: it began so early that it may have been on its way"
	)
	for _, tt := range []struct {
		name  string
		began time.Duration   // after the cancel
		at    []time.Duration // … at which bytes come
		want  cancel.Verdict
		says  string
	}{
		{"to the end of the grace", time.Second, []time.Duration{time.Second, 4500 * time.Millisecond}, cancel.NothingHeard, still},
		{"at its beginning", time.Second, []time.Duration{time.Second}, cancel.NothingHeard, still},
		{"after its end", 5500 * time.Millisecond, []time.Duration{5500 * time.Millisecond}, cancel.NothingHeard, still},
		{"a byte a second, and one while the probe is out", time.Second, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second, 5200 * time.Millisecond}, cancel.NothingHeard, still},
		{"a byte a second, and none while it is", time.Second, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second, 3800 * time.Millisecond}, cancel.NothingHeard, still},
		{"before the cancel, and to the end of the grace", -time.Second, []time.Duration{time.Second, 4500 * time.Millisecond}, cancel.NothingHeard, onItsWay},
		{"before the cancel, and at its beginning", -time.Second, []time.Duration{time.Second}, cancel.NothingHeard, onItsWay},
		{"before the cancel, and after the grace", -time.Second, []time.Duration{5500 * time.Millisecond}, cancel.NothingHeard, onItsWay},
		{"before the cancel, and told of later", -time.Second, []time.Duration{-10 * time.Millisecond}, cancel.Quiet, "of a message had come on its stream, and not its end"},
		{"not at all", -time.Second, nil, cancel.Quiet, "of a message had come on its stream, and not its end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := readyWeb(t, mcp.Rev20251125)
			id, out := w.tool("a")
			w.stream(out.X)
			if tt.began < 0 {
				w.s.Tell(w.now, ReceivedPart{ExchangeID: out.X, Part: Part{Size: 1 << 20, Kept: true, Began: w.now.Sub(w.now.Add(tt.began)), Last: w.now.Sub(w.now)}})
			}
			w.stop(id, "")
			start := w.now
			for i, at := range tt.at {
				w.later(max(0, at-w.now.Sub(start)))
				w.s.Tell(w.now, ReceivedPart{ExchangeID: out.X, Part: Part{Size: (2 + i) << 20, Kept: true, Began: w.now.Sub(start.Add(tt.began)), Last: w.now.Sub(start.Add(at))}})
				w.check()
			}
			w.later(5500*time.Millisecond - w.now.Sub(start))
			ping := w.post("ping")
			w.opened(ping.X, Head{Status: 200, Media: mediaJSON})
			w.recvOn(ping.X, `{"jsonrpc":"2.0","id":%v,"result":{}}`, mcp.Decode(ping.Data).ID)
			w.want(id, Cancelled, tt.want)
			d, _ := w.s.Detail(id)
			found := false
			for _, e := range d.Evidence {
				found = found || strings.Contains(e.Text, tt.says)
			}
			if !found || !d.Partial {
				t.Errorf("cut off: %v, %v", d.Partial, d.Evidence)
			}
		})
	}
}

// On a stream that belongs to no call it is an event of the connection.
func TestAMessageThatDoesNotEndOnTheServersStream(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	get := w.gets()[0].X
	w.stream(get)
	w.s.Tell(w.now, ReceivedPart{ExchangeID: get, Part: Part{Size: 5 << 20, Kept: true, Began: w.now.Sub(w.now), Last: w.now.Sub(w.now)}})
	w.s.Tell(w.now, ReceivedPart{ExchangeID: get, Part: Part{Size: 17 << 20, Kept: false, Began: w.now.Sub(w.now), Last: w.now.Sub(w.now)}})
	w.s.Tell(w.now, ReceivedPart{ExchangeID: get, Part: Part{Size: 18 << 20, Kept: false, Began: w.now.Sub(w.now), Last: w.now.Sub(w.now)}})
	if n := len(w.events("without the end of a message")); n != 1 {
		t.Errorf("told %d times", n)
	}
	w.ended(get, End{})
	w.wantDiag(mcp.DiagOversize, 1)
	w.s.Tell(w.now, ReceivedPart{ExchangeID: get, Part: Part{Size: 19 << 20, Kept: false, Began: w.now.Sub(w.now), Last: w.now.Sub(w.now)}}) // it has ended
	if n := len(w.events("without the end of a message")); n != 1 {
		t.Errorf("told %d times", n)
	}
}

// What has ended is no part any more: progress is told as what it is.
func TestAMessageThatEndedAfterTheCancel(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	id, out := w.tool("a")
	w.stream(out.X)
	w.stop(id, "")
	w.s.Tell(w.now, ReceivedPart{ExchangeID: out.X, Part: Part{Size: 1 << 20, Kept: true, Began: w.now.Sub(w.now.Add(-time.Second)), Last: w.now.Sub(w.now)}})
	w.later(time.Second)
	w.s.Tell(w.now, ReceivedPart{ExchangeID: out.X, Part: Part{}})
	w.recvOn(out.X, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%v,"progress":1}}`, mcp.Decode(out.Data).ID)
	w.later(5500 * time.Millisecond)
	d, _ := w.s.Detail(id)
	if d.Partial || slices.ContainsFunc(d.Evidence, func(e cancel.Evidence) bool { return strings.Contains(e.Text, "not its end") }) {
		t.Errorf("cut off: %v, %v", d.Partial, d.Evidence)
	}
}

// A message that is coming when the verdict is given is heard to its end, which makes the
// verdict grow, by the first byte of the message. No server keeps the row or its exchange
// open for ever with it.
func TestAMessageThatIsComingWhenTheVerdictIsGiven(t *testing.T) {
	const every = 300 * time.Millisecond // a byte of the message
	begin := func(t *testing.T, began time.Duration) (w *webRig, id CallID, out Output, drips func(until time.Duration)) {
		w = readyWeb(t, mcp.Rev20251125)
		id, out = w.tool("a")
		w.stream(out.X)
		first, size := w.now.Add(began), 0
		drip := func() {
			size++
			w.s.Tell(w.now, ReceivedPart{ExchangeID: out.X, Part: Part{Size: size, Kept: true, Began: w.now.Sub(first), Last: 0}})
			w.check()
			w.pump()
		}
		if began < 0 {
			w.later(-began)
			first = w.now.Add(began)
			drip()
		}
		w.stop(id, "")
		start := w.now
		if began >= 0 {
			first = start.Add(began)
			w.later(began)
		}
		return w, id, out, func(until time.Duration) {
			for w.now.Sub(start) < until {
				drip()
				w.later(min(every, until-w.now.Sub(start)))
			}
		}
	}
	pong := func(w *webRig) {
		ping := w.post("ping")
		w.opened(ping.X, Head{Status: 200, Media: mediaJSON})
		w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
	}
	for _, tt := range []struct {
		name  string
		began time.Duration // after the cancel
		want  cancel.Verdict
	}{
		{"begun before the cancel", -time.Second, cancel.Crossed},
		{"begun late", 2 * time.Second, cancel.AnsweredLate},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, id, out, drips := begin(t, tt.began)
			drips(5 * time.Second)
			w.want(id, Cancelling, cancel.NoVerdict)
			pong(w)
			w.want(id, Cancelled, cancel.NothingHeard)
			if e := w.evidence(id); !strings.Contains(e, "not its end") || w.aborted(out.X) {
				t.Errorf("its exchange is closed: %v; %s", w.aborted(out.X), e)
			}
			drips(40 * time.Second)
			w.want(id, Cancelled, cancel.NothingHeard)
			w.s.Tell(w.now, ReceivedPart{ExchangeID: out.X, Part: Part{}})
			f := mcp.Decode(fmt.Appendf(nil, okAnswer, mcp.Decode(out.Data).ID))
			f.Began = w.now.Add(tt.began - 40*time.Second)
			w.s.Receive(w.now, out.X, f)
			w.want(id, Cancelled, tt.want)
			w.later(10 * time.Second)
			if !w.aborted(out.X) || w.diag(mcp.DiagLinger) != 1 {
				t.Error("its exchange stays open")
			}
		})
	}
	t.Run("never ended", func(t *testing.T) {
		w, id, out, drips := begin(t, time.Second)
		drips(5 * time.Second)
		pong(w)
		drips(64 * time.Second)
		if w.aborted(out.X) {
			t.Error("its exchange is closed early")
		}
		drips(66 * time.Second)
		w.want(id, Cancelled, cancel.NothingHeard)
		d, _ := w.s.Detail(id)
		if last := d.Timeline[len(d.Timeline)-1]; !w.aborted(out.X) || !strings.HasPrefix(last.Text, "belay closed its stream: ") || w.diag(mcp.DiagLinger) != 0 {
			t.Errorf("closed: %v, %+v", w.aborted(out.X), last)
		}
	})
	t.Run("stalled", func(t *testing.T) {
		w, id, out, drips := begin(t, time.Second)
		drips(4900 * time.Millisecond)
		w.later(100 * time.Millisecond)
		pong(w)
		w.later(4 * time.Second)
		if w.aborted(out.X) {
			t.Error("its exchange is closed early")
		}
		w.later(time.Second)
		w.want(id, Cancelled, cancel.NothingHeard)
		if !w.aborted(out.X) {
			t.Error("its exchange stays open")
		}
	})
	t.Run("broken off", func(t *testing.T) {
		w, id, out, drips := begin(t, time.Second)
		drips(5 * time.Second)
		pong(w)
		w.ended(out.X, End{Err: "the connection was reset"})
		w.want(id, Cancelled, cancel.NothingHeard)
		if e := w.evidence(id); !strings.Contains(e, "the connection was reset") {
			t.Error(e)
		}
	})
	t.Run("left", func(t *testing.T) {
		w, _, out, drips := begin(t, time.Second)
		drips(5 * time.Second)
		pong(w)
		w.s.Tell(w.now, Disconnect{})
		w.pump()
		w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{ByUs: true}})
		w.pump()
		if !w.aborted(out.X) {
			t.Error("its exchange stays open")
		}
	})
}

// What a row says of a message that comes holds no longer when the connection is given up,
// although its request has no end before the transport says so.
func TestAPartIsForgottenWithItsConnection(t *testing.T) {
	w := newWebRig(t)
	opening := w.post("initialize")
	w.stream(opening.X)
	w.s.Tell(w.now, ReceivedPart{ExchangeID: opening.X, Part: Part{Size: 800, Kept: true}})
	seen := &viewing{}
	if err := seen.follow(w.s); err != nil {
		t.Fatal(err)
	}
	w.s.Tell(w.now, Disconnect{})
	w.pump()
	w.ended(opening.X, End{})
	if note := w.note(w.s.rows.newest.id); note != "" {
		t.Errorf("of a message that cannot come any more: %q", note)
	}
	if err := seen.follow(w.s); err != nil {
		t.Error(err)
	}
}
