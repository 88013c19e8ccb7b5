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

// A silence means something only beside the pauses that a call made before.
func TestASilenceIsComparedWithThePace(t *testing.T) {
	every := func(d time.Duration, n int) (at []time.Duration) {
		for i := range n {
			at = append(at, time.Duration(i+1)*d)
		}
		return at
	}
	const second, ms = time.Second, time.Millisecond
	for _, tt := range []struct {
		name     string
		progress []time.Duration // since the request was written
		cancel   time.Duration
		want     cancel.Verdict
		says     string // the evidence; empty: of messages and of pauses it says nothing
	}{
		{"0.3 s, on and on", every(300*ms, 40), 2 * second, cancel.StillWorking, "last of"},
		{"0.3 s, then nothing", every(300*ms, 6), 2 * second, cancel.Quiet, ""},
		{"0.3 s, three more, then nothing", every(300*ms, 9), 2 * second, cancel.Quiet, "last of 3 messages for it after the cancel"},
		{"2 s, on and on, the last 1.84 s ago", every(2*second, 30), 840 * ms, cancel.StillWorking, "last of 2 messages"},
		{"2 s, on and on, the last 0.6 s ago", every(2*second, 30), 3600 * ms, cancel.StillWorking, "last of"},
		{"2 s, one more, then nothing", every(2*second, 2), 3 * second, cancel.Quiet, "a message for it came after the cancel"},
		{"2 s, then nothing", every(2*second, 2), 5 * second, cancel.Quiet, ""},
		{"2 s, the last one and a quarter of that ago", every(2*second, 3), 3500 * ms, cancel.StillWorking, "last of 2 messages"},
		{"2 s, the last longer ago", every(2*second, 3), 3510 * ms, cancel.Quiet, "last of 2 messages"},
		{"12 s, once in the grace", every(12*second, 5), 21 * second, cancel.StillWorking, "a message for it came after the cancel"},
		{"12 s, the first in the grace", every(12*second, 5), 10 * second, cancel.StillWorking, "a message for it came after the cancel"},
		{"12 s, not in the grace", every(12*second, 5), 25 * second, cancel.Quiet, "its progress came up to 12s apart: a silence of 6s says little"},
		{"12 s, one that was on its way", every(12*second, 2), 24*second - 10*ms, cancel.Quiet, "its progress came up to 12s apart: a silence of 5s says little"},
		{"one late message", []time.Duration{7 * second}, 4 * second, cancel.StillWorking, "a message for it came after the cancel"},
		{"one early message", []time.Duration{1500 * ms}, second, cancel.Quiet, "a message for it came after the cancel"},
		{"a long pause is forgotten", []time.Duration{60 * second, 61200 * ms, 61400 * ms, 61600 * ms, 61800 * ms, 62500 * ms}, 62 * second, cancel.Quiet, "a message for it came after the cancel"},
		{"two at once hide no pause", []time.Duration{2 * second, 2010 * ms, 4 * second, 4010 * ms, 6 * second, 6010 * ms}, 2900 * ms, cancel.StillWorking, "last of 4 messages"},
		{"nothing at all", nil, second, cancel.Quiet, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			r.pings = true
			id, wire := r.call("slow")
			start := r.now
			r.moments(start, tt.cancel, tt.progress, func(i int) {
				r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":%d}}`, wire, i+1)
			}, func() { r.cancel(id, "") })
			r.want(id, Cancelled, tt.want)
			var of []string
			d, _ := r.s.Detail(id)
			for _, e := range d.Evidence {
				if strings.Contains(e.Text, "for it") || strings.Contains(e.Text, "apart") {
					of = append(of, e.Text)
				}
			}
			if tt.says == "" && len(of) > 0 || tt.says != "" && !slices.ContainsFunc(of, func(s string) bool { return strings.HasPrefix(s, tt.says) }) {
				t.Errorf("the evidence says %q, want %q", of, tt.says)
			}
		})
	}
}

// moments plays progress and one cancel at their times, until the grace and its
// probe are over; what was to come later does not.
func (r *rig) moments(start time.Time, cancelNote time.Duration, progress []time.Duration, say func(i int), stop func()) {
	end := cancelNote + 5*time.Second + 10*time.Millisecond
	to := func(at time.Duration) { r.wait(at - r.now.Sub(start)) }
	stopped := false
	for i, at := range append(progress, end) {
		if at > cancelNote && !stopped {
			to(cancelNote)
			stop()
			stopped = true
		}
		if at >= end {
			break
		}
		to(at)
		say(i)
	}
	to(end)
}

// While the stream of a call is away nothing of it can be heard: its silence is
// not the server's.
func TestAStreamThatIsAwayIsNoSilence(t *testing.T) {
	const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":%d}}`
	for _, tt := range []struct {
		name string
		play func(w *webRig, x ExchangeID, id CallID) // the cancel comes 2 s after the call
		want cancel.Verdict
		away string
	}{
		{"from before the cancel until after the verdict", func(w *webRig, x ExchangeID, id CallID) {
			w.later(time.Second)
			w.event(x, "1", 20*time.Second)
			w.ended(x, End{})
			w.later(time.Second)
			w.stop(id, "")
		}, cancel.NothingHeard, "to be taken up again after 20s"},
		{"from the middle of the grace", func(w *webRig, x ExchangeID, id CallID) {
			w.event(x, "1", 20*time.Second)
			w.later(2 * time.Second)
			w.stop(id, "")
			w.later(2 * time.Second)
			w.ended(x, End{})
		}, cancel.NothingHeard, "to be taken up again after 20s"},
		{"after a message that came late enough", func(w *webRig, x ExchangeID, id CallID) {
			w.event(x, "1", 20*time.Second)
			w.later(2 * time.Second)
			w.stop(id, "")
			w.later(time.Second)
			w.recvOn(x, progress, w.row(id).Wire, 1)
			w.later(500 * time.Millisecond)
			w.ended(x, End{})
		}, cancel.StillWorking, "to be taken up again after 20s"},
		{"for a while", func(w *webRig, x ExchangeID, id CallID) {
			w.later(time.Second)
			w.event(x, "1", 3*time.Second)
			w.ended(x, End{})
			w.later(time.Second)
			w.stop(id, "")
			w.later(2 * time.Second)
			w.stream(w.gets()[1].X)
		}, cancel.Quiet, ""},
		{"and cannot be taken up", func(w *webRig, x ExchangeID, id CallID) {
			w.later(time.Second)
			w.event(x, "1", 3*time.Second)
			w.ended(x, End{})
			w.later(time.Second)
			w.stop(id, "")
			w.later(2 * time.Second)
			w.ended(w.gets()[1].X, End{Err: "refused"})
		}, cancel.NothingHeard, "to be taken up again after 6s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := readyWeb(t, mcp.Rev20251125)
			id, out := w.tool("slow")
			w.stream(out.X)
			start := w.now
			tt.play(w, out.X, id)
			w.later(7*time.Second - w.now.Sub(start))
			ping := w.post("ping")
			w.opened(ping.X, Head{Status: 200, Media: mediaJSON})
			w.recvOn(ping.X, `{"jsonrpc":"2.0","id":%v,"result":{}}`, mcp.Decode(ping.Data).ID)
			w.want(id, Cancelled, tt.want)
			d, _ := w.s.Detail(id)
			if told := fmt.Sprint(d.Evidence); d.Away != (tt.away != "") || strings.Contains(told, "its stream was away") != d.Away || !strings.Contains(told, tt.away) {
				t.Errorf("away %v: %v", d.Away, told)
			}
		})
	}
}
