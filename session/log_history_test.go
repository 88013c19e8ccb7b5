package session

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/twin"
)

// kept is the memory that the history holds.
func (h *history) kept() (n int) {
	for _, c := range h.chunks {
		n += cap(c.data)
	}
	return n
}

func TestTheHistoryIsBounded(t *testing.T) {
	for _, tt := range []struct {
		name  string
		count int
		size  func(i int) int
	}{
		{"small", 2000, func(int) int { return 190 }},
		{"big", 600, func(int) int { return bigEntry + 1000 }},
		{"mixed", 600, func(i int) int { return []int{100, 70_000, 30, 300_000}[i%4] }},
		{"one over the limit", 520, func(i int) int { return map[bool]int{true: 1 << 21, false: 100}[i%20 == 19] }},
	} {
		for _, owned := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, owned), func(t *testing.T) {
				r := ready(t, mcp.Rev20251125, func(c *Config) { c.HistoryBytes, c.HistoryCount = 1<<20, 500 })
				h, d := &r.s.hist, mcp.NewDecoder()
				limit := 1<<20 + max(chunkSize, tt.size(1)*2, tt.size(19)*2)
				pad := bytes.Repeat([]byte("x"), 1<<21)
				for i := range tt.count {
					// A reader's buffer may be longer than its message.
					line := make([]byte, 0, tt.size(i)+100_000*(i%2))
					line = fmt.Appendf(line, `{"jsonrpc":"2.0","method":"notifications/x","params":{"n":%d,"pad":"%s"}}`, i, pad[:max(1, tt.size(i)-80)])
					f := d.Decode(line)
					if f.Owned = owned; owned {
						f = d.DecodeOwned(line)
					}
					r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, f)
					if owned && tt.size(i) >= bigEntry {
						limit = max(limit, 1<<20+2*cap(line))
					}
					if h.kept() != h.bytes || h.bytes > limit {
						t.Fatalf("after %d messages %d bytes are kept, counted %d, limit %d", i, h.kept(), h.bytes, limit)
					}
				}
				first, last := r.s.HistorySpan()
				if last-first+1 != 500 || len(slices.Concat(h.ring...)) != 500 {
					t.Fatalf("entries %d … %d", first, last)
				}
				newest, gone := true, false
				for _, e := range slices.Backward(r.s.Entries(nil, first, 1000)) {
					if newest && (e.Gone || !bytes.Contains(e.Raw, fmt.Appendf(nil, `"n":%d,`, tt.count-1))) {
						t.Fatalf("the newest message is gone: %v %.80s", e.Gone, e.Raw)
					}
					if !e.Gone && len(e.Raw) != e.Size {
						t.Fatalf("%d bytes of %d", len(e.Raw), e.Size)
					}
					newest, gone = false, gone || e.Gone
				}
				if tt.name != "small" && !gone {
					t.Error("nothing is gone: the test proves nothing")
				}
			})
		}
	}
}

// What was handed out does not change when more comes.
func TestEntriesAreStable(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.HistoryBytes = 1 << 20 })
	r.feed(logNote, "info", `"first"`)
	_, q := r.s.HistorySpan()
	e, _ := r.s.Entry(q)
	want := string(e.Raw)
	for i := range 50_000 {
		r.feed(logNote, "info", fmt.Sprint(i))
	}
	if string(e.Raw) != want {
		t.Errorf("it reads %s now", e.Raw)
	}
	if again, ok := r.s.Entry(q); !ok || !again.Gone || again.Raw != nil {
		t.Errorf("it should be gone: %+v", again)
	}
	if _, ok := r.s.Entry(1 << 40); ok {
		t.Error("an entry of the future")
	}
}

// A flood that nobody looks at takes no new memory once the history is full. What
// somebody looked at is not written over: its memory goes, and the next chunk's is new.
func TestAFullHistoryReusesItsMemory(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.HistoryBytes = 1 << 20 })
	h := &r.s.hist
	flood := func(n int) {
		for i := range n {
			r.feed(logNote, "info", fmt.Sprint(i))
		}
	}
	memory := func() map[*byte]bool {
		all := map[*byte]bool{}
		for _, c := range h.chunks {
			all[&c.data[0]] = true
		}
		if h.spare != nil {
			all[&h.spare[:1][0]] = true
		}
		return all
	}
	unknown := func(before map[*byte]bool) (n int) {
		for p := range memory() {
			if !before[p] {
				n++
			}
		}
		return n
	}
	flood(30_000)
	before, dropped := memory(), h.dropped
	flood(30_000)
	if n := unknown(before); n != 0 || h.dropped < dropped+10 {
		t.Errorf("%d chunks of new memory, %d dropped", n, h.dropped-dropped)
	}
	before = memory()
	e, _ := r.s.Entry(h.last())
	want := string(e.Raw)
	flood(30_000)
	if n := unknown(before); n != 1 || string(e.Raw) != want {
		t.Errorf("%d chunks of new memory, want 1; what was shown reads %s now", n, e.Raw)
	}
}

// Bytes to which no entry leads any more are not kept, though there is room for them.
func TestTheBytesOfEntriesThatAreGoneAreGone(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.HistoryBytes, c.HistoryCount = 64<<20, 2000 })
	h := &r.s.hist
	big := quoted(strings.Repeat("x", bigEntry))
	for i := range 30_000 {
		if r.feed(logNote, "info", fmt.Sprint(i)); i%5000 == 0 {
			r.feed(logNote, "info", big)
		}
	}
	listed := 0
	first, last := r.s.HistorySpan()
	for q := first; q <= last; q++ {
		e, _ := r.s.Entry(q)
		if e.Gone {
			t.Fatalf("message %d of %d to %d is gone", q, first, last)
		}
		listed += len(e.Raw)
	}
	if n := h.kept(); n > listed+2*chunkSize {
		t.Errorf("%d bytes are kept for messages of %d", n, listed)
	}
}

// What lists the messages takes of the room for them.
func TestTheListOfMessagesCounts(t *testing.T) {
	const room, count = 8 << 20, 20_000
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.HistoryBytes, c.HistoryCount = room, count })
	pad := strings.Repeat("x", 1000)
	for i := range count + 1 {
		r.feed(logNote, "info", quoted(pad+strconv.Itoa(i)))
	}
	h, list := &r.s.hist, 0
	for _, seg := range h.ring {
		list += len(seg) * binary.Size(struct {
			At                               int64
			Chunk, Off, Len, Size, Call, Ask int64
			Epoch                            int64
			Method                           uint16
			Rest                             [6]byte
		}{})
	}
	if n := h.kept() + list; n > room+chunkSize || n < room*3/4 {
		t.Errorf("%d bytes, %d of them the list, in a room of %d", n, list, room)
	}
	if _, last := r.s.HistorySpan(); list < count*50 || last < count {
		t.Errorf("a list of %d bytes for %d messages", list, last)
	}
}

// The newest messages are not the first to go because they came between big
// ones.
func TestSmallMessagesBetweenBigOnesStay(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.HistoryBytes = 8 << 20 })
	pad := strings.Repeat("x", 500_000)
	for i := range 100 {
		r.feed(logNote, "info", fmt.Sprint(i))
		_, small := r.s.HistorySpan()
		r.feed(logNote, "info", quoted(pad))
		if i >= 4 {
			if e, _ := r.s.Entry(small - 2); e.Gone { // two messages for each i
				t.Fatalf("message %d is gone, one before the newest", i-1)
			}
		}
	}
	if n := len(r.s.hist.chunks); n > 25 {
		t.Errorf("%d chunks for 8 MiB: every small message begins one", n)
	}
}

// A flood of any length leaves no more than the bounds; the number here is
// small, the bounds are in proportion.
func TestAFloodLeavesMemoryBounded(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.HistoryBytes, c.HistoryCount = 1<<20, 5000 })
	id, wire := r.call("t")
	d := mcp.NewDecoder()
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	flood := func(from, to int) {
		var line []byte
		for i := from; i < to; i++ {
			line = fmt.Appendf(line[:0], `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"total":1000000,"message":"step %d of many, to make it as long as they are"}}`, token(wire), i, i)
			r.s.Receive(r.now.Add(time.Duration(i)), ExchangeID{Epoch: r.epoch}, d.Decode(line))
		}
	}
	all := 220_000
	if raceDetector {
		all = 40_000
	}
	flood(1, 20_000)
	before := heap()
	flood(20_000, all)
	if after := heap(); after > before+1<<20 {
		t.Errorf("%d bytes more after %d messages", after-before, all-20_000)
	}
	if p := r.row(id).Progress; p.Count != all-1 || r.s.Status().Received != uint64(all) {
		t.Errorf("%d counted, %d received", p.Count, r.s.Status().Received)
	}
	runtime.KeepAlive(r.s)
}

func TestFinishedRowsAreBounded(t *testing.T) {
	requirements.Rows(t, "NFR-3", "SD3-13")
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	r := ready(t, mcp.Rev20251125, func(c *Config) {
		c.FinishedRows, c.HistoryBytes, c.HistoryCount, c.NoProbe = 100, 1<<20, 1000, true
	})
	r.s.outgoing.limit = 1000
	slow, slowWire := r.call("slow")
	play := func(n int) {
		for i := range n {
			id, wire := r.call("t")
			if i%2 == 0 {
				r.cancel(id, "")
			}
			r.feed(`{"jsonrpc":"2.0","id":%v,"result":{"content":[],"n":%d}}`, wire, i)
			r.lines = nil
		}
	}
	play(3000)
	before := heap()
	play(10_000)
	if after := heap(); after > before+2<<20 {
		t.Errorf("%d bytes more after 10,000 calls", after-before)
	}
	first, last := r.s.Span()
	if first != slow || r.s.Status().Rows != 101 || len(r.s.results.kept) > 200 {
		t.Errorf("rows %d … %d, %d kept, %d results", first, last, r.s.Status().Rows, len(r.s.results.kept))
	}
	r.recv(okAnswer, slowWire)
	r.want(slow, Done, cancel.NoVerdict)
	runtime.KeepAlive(r.s)
}

// A row that is not kept any more must not come back when it is heard of.
func TestSweptRowsStayAway(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.FinishedRows, c.NoProbe = 10, true })
	old, wire := r.call("old")
	r.cancel(old, "")
	r.wait(6 * time.Second)
	for range 50 {
		_, w := r.call("t")
		r.recv(okAnswer, w)
	}
	if _, kept := r.s.Row(old); kept {
		t.Fatal("the row is still kept")
	}
	_, newest, _ := r.s.Changed(nil, 0, 100)
	r.recv(progressNote, token(wire), 1)
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"big":%q}}`, wire, strings.Repeat("x", 1000))
	if n := len(r.s.outgoing.past[wire].call.line.first); n != 0 {
		t.Errorf("%d moments of a row that nobody can see", n)
	}
	rows, _, _ := r.s.Changed(nil, newest, 100)
	for _, row := range rows {
		if row.ID == old {
			t.Errorf("it is back: %+v", row)
		}
	}
	if all, _, _ := r.s.Changed(nil, 0, 1000); len(all) != r.s.Status().Rows {
		t.Errorf("%d rows are listed of %d", len(all), r.s.Status().Rows)
	}
	if n := len(r.s.Diagnostics()); n != 0 {
		t.Errorf("found wrong: %v", r.s.Diagnostics())
	}
}

func TestResultsMakeRoom(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.HistoryBytes = 2 << 20 })
	big := quoted(strings.Repeat("x", 300_000))
	var ids []CallID
	for i := range 8 {
		id, wire := r.call("t")
		ids = append(ids, id)
		if i%4 == 0 {
			r.cancel(id, "")
		}
		if i%2 == 0 {
			r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":1,"message":"m","data":%s}}`, wire, big)
		} else {
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[%s]}}`, wire, big)
		}
	}
	for i, id := range ids {
		d, _ := r.s.Detail(id)
		size := len(d.Result)
		if d.Err != nil {
			size += len(d.Err.Data)
		}
		if d.Late != nil && d.Late.Err != nil {
			size += len(d.Late.Err.Data)
		}
		if kept := size > 0; kept != (i >= 5) || kept == (d.Dropped > 0) {
			t.Errorf("answer %d: %d bytes kept, %d dropped", i, size, d.Dropped)
		}
	}
	if d, _ := r.s.Detail(ids[2]); d.Err.Code != 1 || d.Err.Message != "m" {
		t.Errorf("the error reads %+v", d.Err)
	}
	r.want(ids[0], Cancelled, cancel.Crossed)
}

// The wire of a call is all of it: what was written too.
func TestTheWireOfACall(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.call("other")
	id, wire := r.call("t")
	r.recv(progressNote, token(wire), 1)
	r.cancel(id, "")
	r.wait(time.Second)
	r.recv(okAnswer, wire)
	var got []string
	for _, e := range r.s.CallEntries(nil, id, 100) {
		if e.Call != id {
			t.Errorf("an entry of call %d: %s", e.Call, e.Raw)
		}
		got = append(got, fmt.Sprint(e.Dir, " ", e.Kind, " ", e.Method))
	}
	want := []string{"1 1 tools/call", "2 2 notifications/progress", "1 2 notifications/cancelled", "2 3 "}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if n := len(r.s.CallEntries(nil, id, 2)); n != 2 {
		t.Errorf("%d entries of at most 2", n)
	}
	t.Run("in the order of the wire", func(t *testing.T) {
		id, err := madeBy(r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "x"}}))
		if err != nil {
			t.Fatal(err)
		}
		out, _ := r.s.Next(r.now)
		r.recv(okAnswer, r.row(id).Wire) // the answer is faster than the writer's report
		r.s.Tell(r.now, Sent{Seq: out.Seq})
		es := r.s.CallEntries(nil, id, 100)
		if len(es) != 2 || es[0].Dir != Out || es[1].Dir != In {
			t.Errorf("%+v", es)
		}
	})
}

func TestLongMethodsTakeNoMemory(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.feed(`{"jsonrpc":"2.0","method":"%s"}`, strings.Repeat("m", 1<<20))
	e, _ := r.s.Entry(lastEntry(r))
	if len(e.Method) > 2*shownMethod || len(e.Raw) < 1<<20 {
		t.Errorf("a method of %d bytes, %d raw", len(e.Method), len(e.Raw))
	}
}

// What a session forgets, or writes, after it was copied is not lost to the copy.
func TestACopyKeepsItsMessages(t *testing.T) {
	var h history
	h.init(2<<20, 100_000, origin)
	fill := func(h *history, word string, n int) {
		for i := range n {
			h.add(origin, stored{size: 1000}, "m", fmt.Appendf(nil, "%s %0990d", word, i), false)
		}
	}
	fill(&h, "both", 700)
	c, ok := twin.Of(&h)
	if !ok {
		t.Fatal("no copy")
	}
	fill(&h, "original", 5000)
	fill(c, "copy", 200)
	for q, word := range map[Seq]string{1: "both", 700: "both", 701: "copy", 900: "copy"} {
		if e, _ := c.view(q); !bytes.HasPrefix(e.Raw, []byte(word)) {
			t.Errorf("message %d of the copy is %.20q, want %s", q, e.Raw, word)
		}
	}
	if e, _ := h.view(5700); !bytes.HasPrefix(e.Raw, []byte("original")) {
		t.Errorf("the last message of the original is %.20q", e.Raw)
	}
}
