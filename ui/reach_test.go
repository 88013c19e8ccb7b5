package ui

import (
	"testing"
	"time"

	"belay/session"
)

// A server that cannot be reached is not shown as one that is there, though no
// connection ended.
func TestTheHeaderSaysThatTheServerIsGone(t *testing.T) {
	for name, size := range map[string][2]int{"80": {80, 24}, "140": {140, 40}} {
		overHTTP(t, size[0], size[1], mirroring, func(w *harness) {
			w.seesNot("unreachable")
			w.b.locked(func(s *session.Session, now time.Time) {
				if _, err := s.Handle(now, session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"deploy"}`)}}); err != nil {
					t.Fatal(err)
				}
				out, _ := s.Next(now)
				s.Tell(now, session.Ended{ExchangeID: out.X, End: session.End{Err: "connection refused", Hint: "is the server running, and is the port right?"}})
			})
			w.settle()
			w.sees("unreachable")
			w.golden("unreachable-" + name)
			w.press("i")
			w.sees("unreachable", "connection refused")
			w.press("esc")
			w.call("deploy")
			w.settle()
			x := w.exchange(w.last("tools/call"))
			w.b.tell(session.Opened{ExchangeID: x, Head: session.Head{Status: 500}})
			w.wait(100 * time.Millisecond)
			w.seesNot("unreachable")
		})
	}
}

// What the header counts and points to by i is in view as soon as i is pressed, on the screens
// that a new user has.
func TestTheServerPageBeginsWithTheDiagnostics(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}} {
		connected(t, size[0], size[1], Options{Minds: []string{"the IDs of tasks cannot be read"}}, func(w *harness) {
			w.press("i")
			w.seesNot("diagnostics")
			w.press("esc")
			w.feed(`{"jsonrpc":"2.0","id":99,"result":{}}`)
			w.clearStatus()
			w.sees("1 diagnostic")
			w.press("i")
			w.sees("! the IDs of tasks cannot be read", "│ diagnostics ", "│ • ", "│ the server ", "│ name ")
		})
	}
}
