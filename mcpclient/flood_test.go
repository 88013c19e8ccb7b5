//go:build unix

package mcpclient

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"belay/mcpclient/lines"
	"belay/session"
	"belay/session/rawjson"
)

// What a flood costs must not creep up again: from the bytes of the pipe to the wire
// log each notification is walked over once, and leaves no garbage, once there is more
// than is kept for a later recording.
func TestAFloodIsWalkedOnceAndAllocatesNothing(t *testing.T) {
	const count = 20_000
	var stream bytes.Buffer
	if err := flood(&stream, []byte("1"), count); err != nil {
		t.Fatal(err)
	}
	c, x := connected(Options{Session: session.Config{HistoryBytes: 1 << 20}})
	defer closeIt(t, c)
	walks, walked := 0, 0
	rawjson.Walked = func(text []byte) { walks, walked = walks+1, walked+len(text) }
	defer func() { rawjson.Walked = nil }()

	comes := func() {
		ls := lines.NewReader(bytes.NewReader(stream.Bytes()), defaultMaxLine, time.Now)
		if err := pump(ls, newInbox(c, x, nil)); !errors.Is(err, io.EOF) {
			t.Error(err)
		}
	}
	runs := 2 // AllocsPerRun has one more, to warm up
	for ; runs < 10; runs++ {
		comes()
	}
	allocs := testing.AllocsPerRun(1, comes)
	if bytes := runs * (stream.Len() - count); walks != runs*count || walked != bytes {
		t.Errorf("%d walks over %d bytes, want %d over %d", walks, walked, runs*count, bytes)
	}
	if allocs > count/50 { // batches, chunks of the wire log
		t.Errorf("%v allocations for %d notifications", allocs, count)
	}
	if got := received(c); got != uint64(runs*count) {
		t.Errorf("%d of %d were received", got, runs*count)
	}
}
