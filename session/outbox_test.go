package session

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"belay/session/cancel"
)

// An outbox is compared with the plainest one there can be: a list for each class, from
// which what is withdrawn is taken out at once.
func TestOutboxAgainstAListOfEachClass(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var o outbox
		o.init()
		o.epoch = 7
		var queued [numClasses][]*pending
		var out []*pending
		var order uint64
		cancels := 0
		at := func(i int) time.Time { return time.Unix(int64(i), 0) }
		for step := range 400 {
			switch r.IntN(6) {
			case 0, 1:
				p := &pending{class: class(r.IntN(int(numClasses)))}
				p.Data = make([]byte, r.IntN(50))
				switch p.class {
				case classCancel:
					p.cancels = &call{stop: &stop{}}
					cancels++
				case classHandshake, classRequest:
					p.req = &request{out: p}
				case classAnswer, numClasses:
				}
				if o.enqueue(p); p.X.Epoch != 7 || p.Urgent != (p.class == classCancel || p.class == classAnswer) {
					t.Fatalf("seed %d: %+v", seed, p.Output)
				}
				queued[p.class] = append(queued[p.class], p)
			case 2:
				c := r.IntN(int(numClasses))
				if len(queued[c]) == 0 {
					continue
				}
				i := r.IntN(len(queued[c]))
				for range 2 { // the second time it is gone already
					if !o.withdraw(queued[c][i]) {
						t.Fatalf("seed %d: what waits was not withdrawn", seed)
					}
				}
				if class(c) == classCancel {
					cancels--
				}
				queued[c] = slices.Delete(queued[c], i, i+1)
			case 3, 4:
				var open [numClasses]bool
				var want *pending
				for c := range open {
					if open[c] = r.IntN(3) > 0; open[c] && want == nil && len(queued[c]) > 0 {
						want, queued[c] = queued[c][0], queued[c][1:]
					}
				}
				got := o.take(open)
				if got != want {
					t.Fatalf("seed %d, step %d: took %+v, want %+v", seed, step, got, want)
				}
				if got == nil {
					continue
				}
				o.handOut(got, at(step), step%2 == 0)
				order++
				switch {
				case got.cancels != nil && got.cancels.stop.order != order:
					t.Fatalf("seed %d: a cancel of order %d, want %d", seed, got.cancels.stop.order, order)
				case got.req != nil && (got.req.order != order || !got.req.handed.Equal(at(step)) || got.req.warm != (step%2 == 0)):
					t.Fatalf("seed %d: a request %+v", seed, got.req)
				case o.withdraw(got):
					t.Fatalf("seed %d: withdrawn after it was handed out", seed)
				}
				out = append(out, got)
			case 5:
				if len(out) == 0 {
					continue
				}
				i := r.IntN(len(out))
				p := out[i]
				out = slices.Delete(out, i, i+1)
				if p.class == classCancel {
					cancels--
				}
				kept := step%2 == 0
				if o.written(p.Seq, at(step), kept) != p || o.written(p.Seq, at(step), kept) != nil || o.settle(p.Seq) != nil {
					t.Fatalf("seed %d: an output is not settled once", seed)
				}
				if q := p.req; q != nil && (!q.written.Equal(at(step)) || (q.out != nil) != kept) {
					t.Fatalf("seed %d: written %v, its bytes are kept: %v, want %v", seed, q.written, q.out != nil, kept)
				}
			}
			if o.cancels != cancels || len(o.waiting) != len(out) {
				t.Fatalf("seed %d, step %d: %d cancels and %d outputs that wait, want %d and %d", seed, step, o.cancels, len(o.waiting), cancels, len(out))
			}
			for c := range queued {
				bytes := 0
				for _, p := range queued[c] {
					bytes += len(p.Data)
				}
				if q := &o.queues[c]; q.live != len(queued[c]) || q.bytes != bytes {
					t.Fatalf("seed %d: class %d has %d of %d bytes, want %d of %d", seed, c, q.live, q.bytes, len(queued[c]), bytes)
				}
			}
		}
		if o.clear(); o.cancels != 0 || len(o.waiting) != 0 || o.take([numClasses]bool{true, true, true, true}) != nil {
			t.Fatalf("seed %d: something is left when the connection ends", seed)
		}
	}
}

// The log writes with nothing of a session but a connection and its rows.
func TestTheLogStandsAlone(t *testing.T) {
	cfg := Config{}.withDefaults()
	conn, all := connection{epoch: 3, trips: new(cancel.RoundTrips)}, rows{}
	var l log
	l.init(&cfg, origin, &conn, &all)
	c := &call{CallSpec: CallSpec{Method: "tools/call", Origin: FromUser}, req: &request{}}
	all.add(c)
	l.now = origin.Add(time.Second)
	l.event("one")
	l.hist.cur = l.hist.last()
	l.diagnose(1, c.id, "subject", "detail")
	l.diagnose(1, c.id, "subject", "again")
	l.note(c, "two")
	if e, ok := l.Entry(1); !ok || string(e.Raw) != "one" || e.Epoch != 3 || !e.At.Equal(l.now) || e.Flags&FlagDiag == 0 {
		t.Errorf("the event: %+v", e)
	}
	if d := l.Diagnostics(); len(d) != 1 || d[0].Count != 2 || d[0].Entry != 1 || d[0].Detail != "detail" {
		t.Errorf("diagnostics: %+v", d)
	}
	if of := l.DiagnosticsOf(1); len(of) != 2 || of[1].Detail != "again" {
		t.Errorf("of the message: %+v", of)
	}
	if line, _ := c.line.view(); len(line) != 2 || line[0].Kind != MomNote || line[1].Text != "two" || c.remark.text != "two" || all.changed != c {
		t.Errorf("the row: %+v, %q", line, c.remark.text)
	}
	if l.broken("a %s", "fault"); l.fault == nil || l.fault.Error() != "a fault" {
		t.Errorf("the fault: %v", l.fault)
	}
}
