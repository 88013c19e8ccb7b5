package session

import (
	"fmt"
	"testing"
	"time"

	"belay/session/mcp"
)

// ingestLine is a progress notification of 190 bytes.
func ingestLine(wire mcp.ID, n int) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%9d,"total":1000000000,"message":"compiling package number %9d of very many packages"}}`, token(wire), n, n)
}

// BenchmarkIngest is what one progress notification of a flood costs, decoded
// and taken.
func BenchmarkIngest(b *testing.B) {
	r := ready(b, mcp.Rev20251125)
	_, wire := r.call("t")
	lines := make([][]byte, 1<<14)
	for i := range lines {
		lines[i] = ingestLine(wire, i+1)
	}
	d := mcp.NewDecoder()
	x := ExchangeID{Epoch: r.epoch}
	b.ReportAllocs()
	b.SetBytes(int64(len(lines[0])))
	i := 0
	for b.Loop() {
		if i&(len(lines)-1) == 0 {
			r.s.rows.newest.progress.count = 0 // begin anew
		}
		r.s.Receive(r.now.Add(time.Duration(i)*time.Microsecond), x, d.Decode(lines[i&(len(lines)-1)]))
		i++
	}
}

// BenchmarkReceive is the part of it that is done under the lock.
func BenchmarkReceive(b *testing.B) {
	r := ready(b, mcp.Rev20251125)
	_, wire := r.call("t")
	f := mcp.NewDecoder().Decode(ingestLine(wire, 1))
	x := ExchangeID{Epoch: r.epoch}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		f.Progress.Value = float64(i)
		r.s.Receive(r.now.Add(time.Duration(i)*time.Microsecond), x, f)
	}
}

// BenchmarkLog is what a log message costs.
func BenchmarkLog(b *testing.B) {
	r := ready(b, mcp.Rev20251125)
	line := fmt.Appendf(nil, logNote, "info", `"a line of a log, as servers write them by the thousand"`)
	d := mcp.NewDecoder()
	x := ExchangeID{Epoch: r.epoch}
	b.ReportAllocs()
	for b.Loop() {
		r.s.Receive(r.now, x, d.Decode(line))
	}
}

// BenchmarkStray is what a message costs that answers nothing, and may be meant for any of the
// calls that are being cancelled.
func BenchmarkStray(b *testing.B) {
	for _, n := range []int{0, 1, 1000} {
		b.Run(fmt.Sprintf("cancelled=%d", n), func(b *testing.B) {
			r := inFlight(b, n)
			r.s.Tell(r.now, CancelAll{})
			r.pull()
			f := mcp.NewDecoder().Decode([]byte(strayProgress(`"nobody"`)))
			x := ExchangeID{Epoch: r.epoch}
			b.ReportAllocs()
			for b.Loop() {
				r.s.Receive(r.now, x, f)
			}
		})
	}
}

// inFlight is a rig with n calls in flight.
func inFlight(b *testing.B, n int) *rig {
	r := ready(b, mcp.Rev20251125)
	for range n {
		r.call("t")
		r.lines = nil
	}
	return r
}

// BenchmarkCancelAll cancels 10,000 calls and hands out their cancels.
func BenchmarkCancelAll(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		r := inFlight(b, 10_000)
		b.StartTimer()
		if n := r.s.Tell(r.now, CancelAll{}).Cancelled; n != 10_000 {
			b.Fatal(n)
		}
		for {
			out, ok := r.s.Next(r.now)
			if !ok {
				break
			}
			r.s.Tell(r.now, Sent{Seq: out.Seq})
		}
	}
}

// BenchmarkGraceOfAll lets the grace of 10,000 cancels end, with one probe.
func BenchmarkGraceOfAll(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		r := inFlight(b, 10_000)
		r.s.Tell(r.now, CancelAll{})
		r.pull()
		r.pings = true
		b.StartTimer()
		r.now = r.now.Add(6 * time.Second)
		r.s.Tell(r.now, Tick{})
		r.pull()
		b.StopTimer()
		if n := r.s.Status().InFlight; n != 0 {
			b.Fatal(n)
		}
		b.StartTimer()
	}
}

// BenchmarkKey is a cancel until its bytes are handed out, with 10,000 calls in
// flight.
func BenchmarkKey(b *testing.B) {
	r := inFlight(b, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		id, _ := r.call("t")
		b.StartTimer()
		if _, err := r.s.Handle(r.now, Cancel{Call: id, Reason: "why"}); err != nil {
			b.Fatal(err)
		}
		out, _ := r.s.Next(r.now)
		r.s.Tell(r.now, Sent{Seq: out.Seq})
	}
}

// BenchmarkChanged is what a screen asks for at every frame: the status and the
// rows that changed, of 10,000.
func BenchmarkChanged(b *testing.B) {
	r := inFlight(b, 10_000)
	rows, rev, _ := r.s.Changed(nil, 0, 20_000)
	wire := rows[0].Wire
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		r.feed(progressNote, token(wire), i)
		rows, rev, _ = r.s.Changed(rows[:0], rev, 100)
		if len(rows) != 1 || r.s.Status().InFlight != 10_000 {
			b.Fatal(len(rows))
		}
	}
}

func BenchmarkRow(b *testing.B) {
	r := inFlight(b, 10_000)
	first, _ := r.s.Span()
	b.ReportAllocs()
	i := CallID(0)
	for b.Loop() {
		if _, ok := r.s.Row(first + i%10_000); !ok {
			b.Fatal(i)
		}
		i++
	}
}
