package ui

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/session"
	"belay/session/mcp"
)

// flooded is a model at 140×40 over a session with 10,000 calls in flight.
func flooded(b *testing.B) (*Model, *memory) {
	b.Helper()
	return floodedBy(b, 10_000)
}

// floodedBy is one with so many of them.
func floodedBy(b testing.TB, calls int) (*Model, *memory) {
	b.Helper()
	back := &memory{wake: make(chan struct{}, 1)}
	now := time.Now()
	back.s = session.New(session.Config{}, now)
	back.epoch = back.s.Tell(now, session.Connect{}).Epoch
	back.pump()
	dec := mcp.NewDecoder()
	back.s.Receive(now, session.ExchangeID{Epoch: back.epoch}, dec.Decode([]byte(`{"jsonrpc":"2.0","id":1,"result":`+initResult+`}`)))
	for range calls {
		if _, err := back.s.Handle(now, session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"countdown"}`)}}); err != nil {
			b.Fatal(err)
		}
	}
	back.pump()
	m := New(back, Options{})
	m.Update(tea.WindowSizeMsg{Width: 140, Height: 40})
	for range 20 {
		m.Update(newsMsg{})
	}
	for due := m.calls.Due(); !due.IsZero(); due = m.calls.Due() { // belay's own requests come into the table
		time.Sleep(time.Until(due))
		m.Update(newsMsg{})
	}
	return m, back
}

// progressAll gives n of the calls a progress.
func progressAll(back *memory, dec *mcp.Decoder, n, step int) {
	now := time.Now()
	for i := range n {
		id := 10 + (i+step*n)%9000
		line := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%d","progress":%d,"total":1000000}}`, id, step+1)
		back.s.Receive(now, session.ExchangeID{Epoch: back.epoch}, dec.Decode(line))
	}
}

// BenchmarkFrame is one frame at 140×40 while 3,300 of 10,000 rows change
// between two frames, which is 100,000 changes a second.
func BenchmarkFrame(b *testing.B) {
	m, back := flooded(b)
	dec := mcp.NewDecoder()
	b.ReportAllocs()
	step := 0
	for b.Loop() {
		b.StopTimer()
		progressAll(back, dec, 3300, step)
		step++
		b.StartTimer()
		m.Update(newsMsg{})
		_ = m.View()
	}
}

// BenchmarkKey is a key and the frame that shows what it did.
func BenchmarkKey(b *testing.B) {
	m, _ := flooded(b)
	b.ReportAllocs()
	keys := []tea.KeyPressMsg{keyPress("j"), keyPress("j"), keyPress("k")}
	i := 0
	for b.Loop() {
		m.Update(keys[i%len(keys)])
		_ = m.View()
		i++
	}
}

// BenchmarkIdleView is what Bubble Tea asks for when nothing has changed.
func BenchmarkIdleView(b *testing.B) {
	m, _ := flooded(b)
	for b.Loop() {
		_ = m.View()
	}
}

// BenchmarkFilter is a frame while a filter looks through the wire.
func BenchmarkFilter(b *testing.B) {
	m, _ := flooded(b)
	m.Update(keyPress("3"))
	m.Update(keyPress("/"))
	m.Update(keyPress("z"))
	for b.Loop() {
		b.StopTimer()
		m.wire.SetFilter(m.wire.Filter())
		b.StartTimer()
		m.Update(newsMsg{})
	}
}
