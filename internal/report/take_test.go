package report

import (
	"math"
	"testing"
	"time"

	"belay/session"
	"belay/session/mcp"
)

// Calls are found to the last number that there is, and the search ends there.
func TestCallsAreFoundUpToTheLastNumber(t *testing.T) {
	now := time.Date(2026, 8, 31, 12, 0, 0, 0, time.UTC)
	for _, before := range []session.CallID{0, page - 1, page, math.MaxInt - 2*page, math.MaxInt - 40} {
		s := session.New(session.Config{Pin: mcp.Rev20251125, FirstID: 1, Begun: &session.Begun{Epoch: 1, Calls: before, Request: 1}}, now)
		s.Tell(now, session.Connect{})
		var want []session.CallID
		for range 30 {
			reply, err := s.Handle(now, session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"a"}`)}})
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, reply.Call)
		}
		found := make(chan []session.CallID, 1)
		go func() {
			found <- find(func(f func(*session.Session)) { f(s) }, func(r *session.Row) bool { return r.Method == "tools/call" })
		}()
		select {
		case got := <-found:
			if len(got) != len(want) || got[0] != want[0] || got[29] != want[29] {
				t.Errorf("after %d calls %v are found, want %v", before, got, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("after %d calls the search does not end", before)
		}
	}
}
