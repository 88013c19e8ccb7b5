package recording

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/journal"
	"belay/session/mcp"
	"belay/session/witness"
)

// bench is a session whose server is the test, and the tape of the session.
type bench struct {
	t    *testing.T
	s    *session.Session
	tape *Tape
	now  time.Time
	x    session.ExchangeID
	wire []json.RawMessage // the IDs of the requests that the server got, the last one last
}

// newBench is a session that has connected, with a tape that has some room.
func newBench(t *testing.T, room Room) *bench {
	b := &bench{t: t, now: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)}
	b.s = session.New(session.Config{Pin: mcp.Rev20251125}, b.now)
	b.tape = NewTape(b.s, b.now, room, nil)
	b.connects()
	return b
}

func (b *bench) connects() {
	b.tape.Connecting(b.s, b.now)
	b.x.Epoch = b.s.Tell(b.now, session.Connect{}).Epoch
	b.pull()
	b.hears(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`, b.last())
}

// pull has the server get what the session has to write.
func (b *bench) pull() {
	for {
		out, ok := b.s.Next(b.now)
		if !ok {
			return
		}
		var m struct{ ID json.RawMessage }
		if err := json.Unmarshal(out.Data, &m); err != nil {
			b.t.Fatal(err)
		}
		if m.ID != nil {
			b.wire = append(b.wire, m.ID)
		}
		b.s.Tell(b.now, session.Sent{Seq: out.Seq})
	}
}

// last is the ID of the last request.
func (b *bench) last() json.RawMessage { return b.wire[len(b.wire)-1] }

// hears has the server write a message. What is kept is within the bound then.
func (b *bench) hears(format string, args ...any) {
	b.t.Helper()
	f := mcp.Decode(fmt.Appendf(nil, format, args...))
	b.now = b.now.Add(time.Millisecond)
	b.tape.Receive(b.s, b.now, b.x, f, LargeOf(f))
	b.pull()
	b.keeps()
}

func (b *bench) keeps() {
	b.t.Helper()
	if n := b.tape.size(); n > b.tape.room.All {
		b.t.Fatalf("%d bytes are kept, %d may be", n, b.tape.room.All)
	}
}

// calls begins a call of a tool, and returns the ID of its request.
func (b *bench) calls() json.RawMessage {
	b.t.Helper()
	if _, err := b.s.Handle(b.now, session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"any","arguments":{}}`)}}); err != nil {
		b.t.Fatal(err)
	}
	b.pull()
	return b.last()
}

// What is kept is bounded, whatever a server writes, and whatever else comes.
func TestWhatIsKeptIsBounded(t *testing.T) {
	const bound = 192 << 10
	many := func(b *bench) {
		for range 1000 {
			b.hears(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, b.calls())
		}
	}
	for name, run := range map[string]func(b *bench){
		"many calls":               many,
		"many calls beside a long": func(b *bench) { b.calls(); many(b) },
		"more calls after a long": func(b *bench) {
			long := b.calls()
			many(b)
			b.hears(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, long)
			many(b)
		},
		"many connections": func(b *bench) {
			for range 20 {
				for range 50 {
					b.hears(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, b.calls())
				}
				b.s.Tell(b.now, session.Closed{Epoch: b.x.Epoch})
				b.connects()
			}
		},
		"a flood": func(b *bench) {
			token := b.calls()
			for i := range 20_000 {
				b.hears(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`, token, i+1)
			}
		},
		"large results": func(b *bench) {
			for range 50 {
				b.hears(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`, b.calls(), strings.Repeat("x", 50<<10))
			}
		},
		"a line of stderr": func(b *bench) {
			b.s.Tell(b.now, session.Stderr{Epoch: 1, Line: make([]byte, bound+1)})
			b.keeps()
		},
		"stderr and samples": func(b *bench) {
			b.calls()
			for range 5000 {
				b.now = b.now.Add(time.Millisecond)
				b.s.Tell(b.now, session.Stderr{Epoch: 1, Line: []byte("still at it, and it goes on and on")})
				b.s.Tell(b.now, session.ProcessSample{Epoch: 1, Sample: witness.Sample{Processes: []witness.Process{{PID: 7, Start: 8, Name: "n"}}}})
				b.keeps()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, Room{bound, bound / 16})
			run(b)
			if n := b.tape.size(); n == 0 {
				t.Error("nothing is kept")
			}
		})
	}
}

// Of what was let go of, the calls that it was for count as heard: none of them is silent for
// longer than it was.
func TestWhatIsLetGoOfIsHeard(t *testing.T) {
	p := &part{}
	for i := range 20 {
		call := session.CallID(4 + i%2)
		p.keep(journal.Record{T: time.Duration(i), Input: session.Received{Raw: []byte("12345678")}}, nil, passing{true, call})
	}
	p.keep(journal.Record{T: 30, Input: session.Tick{}}, nil, passing{})
	q := p.thinned().thinned()
	var in session.Skipped
	n := 0
	for _, r := range q.records {
		if s, ok := r.Input.(session.Skipped); ok {
			in, n = s, n+1
		}
	}
	if n != 1 || in.Messages != 8 || in.Bytes != 64 || len(in.Calls) != 2 || in.Calls[0] != 4 || in.Calls[1] != 5 || len(q.records) != 14 || q.gone != 8 {
		t.Errorf("%d of %+v, among %d records, %d gone", n, in, len(q.records), q.gone)
	}
}

// From where a stream is taken up again, and when, may have been said in two events: both are kept.
func TestTheLastIDAndTheLastRetryAreKept(t *testing.T) {
	id := func(n string) *string { return &n }
	p := &part{}
	for _, ev := range []session.Event{
		{ID: id("1"), Retry: time.Hour},
		{ID: id("2"), Retry: time.Minute},
		{Retry: time.Second},
		{Retry: 2 * time.Second},
		{ID: id("3"), Retry: -1},
		{ID: id("4"), Retry: -1},
	} {
		p.keep(journal.Record{Input: session.EventReceived{Event: ev}}, nil, passing{is: true})
	}
	var kept []string
	for _, r := range p.thinned().records {
		if in, ok := r.Input.(session.EventReceived); ok && in.Event.ID != nil {
			kept = append(kept, *in.Event.ID)
		} else if ok {
			kept = append(kept, in.Event.Retry.String())
		}
	}
	if got := strings.Join(kept, " "); got != "2 2s 4" {
		t.Errorf("kept is %s", got)
	}
}

// While a flood is recorded, each message is written, and the tape counts them for a later recording
// as it does while nothing is recorded.
func TestAFloodThatIsRecordedIsCounted(t *testing.T) {
	const flood = 5 * floodFrom
	kept := func(rec *Recorder) (records, skipped int, last string) {
		b := newBench(t, Usual)
		token := b.calls()
		b.tape.rec = rec
		for i := range flood {
			b.hears(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`, token, i+1)
		}
		b.hears(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, token)
		for _, p := range b.tape.kept[0].parts {
			records += len(p.records)
			for _, r := range p.records {
				if in, ok := r.Input.(session.Skipped); ok {
					skipped += in.Messages
				}
			}
			last = string(p.bytes[len(p.bytes)-p.sizes[len(p.sizes)-1]:])
		}
		return records, skipped, last
	}
	rec := &Recorder{state: State{On: true}, kick: make(chan struct{}, 1)}
	records, skipped, last := kept(rec)
	if n := len(rec.waiting.records); n != flood+1 {
		t.Errorf("%d messages of %d are written", n, flood+1)
	}
	if skipped != flood-floodFrom-lastOfCall || records > floodFrom+50 || !strings.Contains(last, `"result"`) {
		t.Errorf("%d records are kept, %d messages counted, the last record is %q", records, skipped, last)
	}
	if r, s, l := kept(nil); r != records || s != skipped || l != last {
		t.Errorf("with a recording %d records are kept and %d messages counted, without it %d and %d", records, skipped, r, s)
	}
}

// The memory of a result that the tape lets go of is free.
func TestALargeResultThatIsLetGoOfTakesNoMemory(t *testing.T) {
	requirements.Rows(t, "SEC-26")
	now := time.Now()
	s := session.New(session.Config{}, now)
	tape := NewTape(s, now, Room{3 << 20, 3 << 16}, nil)
	var all []weak.Pointer[byte]
	for range 20 {
		raw := []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + strings.Repeat("x", 1<<20) + `"}]}}`)
		all = append(all, weak.Make(&raw[0]))
		large := LargeOf(new(mcp.Decoder).DecodeOwned(raw))
		tape.kept[0].take(s, journal.Record{Input: session.Received{}}, large, passing{})
		for over := true; over; {
			over = tape.size() > tape.room.All && tape.dropOne()
		}
	}
	runtime.GC()
	n := 0
	for _, p := range all {
		if p.Value() != nil {
			n++
		}
	}
	if n == 0 || n > 3 {
		t.Errorf("%d of 20 messages are in memory", n)
	}
	runtime.KeepAlive(tape)
}

// A large message is not copied, whatever it is: the tape and the recorder take it under the lock.
func TestALargeMessageIsNotCopied(t *testing.T) {
	text := strings.Repeat("x", 1<<20)
	for name, message := range map[string]string{
		"a question":     `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"` + text + `","requestedSchema":{"type":"object","properties":{}}}}`,
		"a notification": `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + text + `"}}`,
		"an error":       `{"jsonrpc":"2.0","id":WIRE,"error":{"code":1,"message":"` + text + `"}}`,
		"a result":       `{"jsonrpc":"2.0","id":WIRE,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`,
		"a list":         `{"jsonrpc":"2.0","id":WIRE,"result":{"tools":[{"name":"` + text + `","inputSchema":{"type":"object"}}]}}`,
		"no JSON":        text,
	} {
		for _, owned := range []bool{true, false} {
			b := newBench(t, Usual)
			b.tape.rec = &Recorder{state: State{On: true}, kick: make(chan struct{}, 1)}
			raw := []byte(strings.ReplaceAll(message, "WIRE", string(b.calls())))
			f := mcp.Decode(raw)
			if owned {
				f = new(mcp.Decoder).DecodeOwned(raw)
			}
			large := LargeOf(f) // outside of the lock, and so may copy it
			before := b.tape.size()
			b.tape.Receive(b.s, b.now, b.x, f, large)
			p, waits := b.tape.kept[0].parts[len(b.tape.kept[0].parts)-1], &b.tape.rec.waiting
			kept, waiting := p.records[len(p.records)-1].Bytes(), waits.records[len(waits.records)-1].Bytes()
			if len(kept) != len(raw) || &kept[0] != &waiting[0] || (&kept[0] == &raw[0]) != owned || len(p.bytes)+len(waits.bytes) > 8<<10 {
				t.Errorf("%s, owned %v: it is copied", name, owned)
			}
			if n := b.tape.size() - before; n < len(raw) || waits.size() < len(raw) {
				t.Errorf("%s: of %d bytes %d count as kept, and %d as waiting", name, len(raw), n, waits.size())
			}
		}
	}
	b := newBench(t, Usual)
	in := session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"any","arguments":{"a":"` + text + `"}}`)}}
	if _, err := b.s.Handle(b.now, in); err != nil {
		t.Fatal(err)
	}
	out, _ := b.s.Next(b.now)
	p := b.tape.kept[0].parts[len(b.tape.kept[0].parts)-1]
	if kept := p.records[len(p.records)-1].Bytes(); len(kept) != len(out.Data) || &kept[0] != &out.Data[0] {
		t.Error("what is written is copied")
	}
}

// Large messages that a recording can do without are let go of, and counted as they were.
func TestLargeMessagesThatAreLetGoOf(t *testing.T) {
	const bound, size, times = 1 << 20, 100 << 10, 40
	b := newBench(t, Room{bound, bound / 16})
	for i := range times {
		message := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%s"}}`
		if i%2 == 0 { // nothing was sent with that ID
			message = `{"jsonrpc":"2.0","id":"none","result":{"content":[{"type":"text","text":"%s"}]}}`
		}
		b.hears(message, strings.Repeat("x", size))
	}
	gone, bytes := 0, 0
	for _, p := range b.tape.kept[0].parts {
		gone += p.gone
		more := 0
		for i, r := range p.records {
			if in, ok := r.Input.(session.Skipped); ok {
				bytes += in.Bytes
			}
			if p.sizes[i] == 0 {
				more += len(r.Bytes())
			}
		}
		for _, l := range p.large {
			more += len(l.left)
		}
		if p.more != more {
			t.Errorf("records count as %d bytes of their own, and have %d", p.more, more)
		}
	}
	if least := times/2 - bound/size; gone < least || bytes < gone*size/3 {
		t.Errorf("%d messages of %d bytes are gone, at least %d are wanted", gone, bytes, least)
	}
}

// The texts of heads and events count as kept, too: each may be long.
func TestHeadsAndEventsCountAsKept(t *testing.T) {
	const size, bound, times = 8 << 10, 192 << 10, 200
	id := strings.Repeat("x", size)
	for name, in := range map[string]session.Report{
		"the ID of an event": session.EventReceived{Event: session.Event{ID: &id}},
		"a session":          session.Opened{Head: session.Head{Session: id}},
		"a challenge":        session.Opened{Head: session.Head{Challenge: []string{"", id}}},
	} {
		b := newBench(t, Usual)
		before := b.tape.size()
		b.s.Tell(b.now, in)
		if n := b.tape.size() - before; n < size {
			t.Errorf("%s counts as %d bytes", name, n)
		}
		b = newBench(t, Room{bound, bound / 16})
		for range times {
			b.s.Tell(b.now, in)
			b.keeps()
		}
		for _, p := range b.tape.kept[0].parts {
			more := 0
			for _, r := range p.records {
				more += memoryOf(r)
			}
			if p.more != more {
				t.Errorf("%s: records count as %d bytes of their own, and have %d", name, p.more, more)
			}
		}
	}
}

// What samples of processes take counts as well: a server may have many.
func TestSamplesCountAsKept(t *testing.T) {
	b := newBench(t, Usual)
	many := make([]witness.Process, witness.MostProcesses)
	for i := range many {
		many[i] = witness.Process{PID: i + 1, Name: "server", Command: strings.Repeat("x", witness.MostCommand)}
	}
	before := b.tape.size()
	b.s.Tell(b.now, session.ProcessSample{Epoch: 1, Sample: witness.Sample{Processes: many, Connections: []witness.Connection{{PID: 1, Local: "a", Remote: "b"}}}})
	if n := b.tape.size() - before; n < witness.MostProcesses*(witness.MostCommand+100) {
		t.Errorf("a sample counts as %d bytes", n)
	}
}
