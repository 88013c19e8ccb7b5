package session

import (
	"runtime"
	"testing"

	"belay/session/mcp"
)

// The garbage collector goes through all calls in flight each time, and a key that
// is pressed meanwhile waits: so 10,000 of them must be little to go through.
func TestACallInFlightWeighsLittle(t *testing.T) {
	const calls = 10_000
	r := ready(t, mcp.Rev20251125)
	before := weigh()
	for range calls {
		if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`)}}); err != nil {
			t.Fatal(err)
		}
		out, ok := r.s.Next(r.now)
		if !ok {
			t.Fatal("the call is not handed out")
		}
		r.s.Tell(r.now, Sent{Seq: out.Seq})
	}
	after := weigh()
	size, objects := (after.HeapAlloc-before.HeapAlloc)/calls, float64(after.HeapObjects-before.HeapObjects)/calls
	if size > 2350 || objects > 6 {
		t.Errorf("a call in flight takes %d bytes in %.1f pieces", size, objects)
	}
	runtime.KeepAlive(r)
}

// weigh is what lives in memory.
func weigh() (m runtime.MemStats) {
	runtime.GC()
	runtime.GC() // what the first one found to be finalized
	runtime.ReadMemStats(&m)
	return m
}
