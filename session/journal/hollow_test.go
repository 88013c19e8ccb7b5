package journal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/secret"
)

// withoutPayloads has the lines of a bench written as a tape keeps them that is full: each
// large result is hollow. It returns how many are.
func (b *bench) withoutPayloads(cfg session.Config, mask *secret.Mask) *int {
	n := new(int)
	b.s, b.lines, b.now = session.New(cfg, origin), nil, origin
	Attach(b.s, origin, func(r Record) {
		if in, ok := r.Input.(session.Received); ok && in.Over == nil {
			if left, h, ok := mcp.Decode(in.Raw).Hollowed(); ok {
				in.Raw, in.Hollow = left, &h
				r.Input = in
				*n++
			}
		}
		b.lines = append(b.lines, r.Append(nil, mask))
	})
	b.epoch = b.s.Tell(b.now, session.Connect{}).Epoch
	b.pull()
	b.hears(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`)
	return n
}

// A recording whose large results are hollow gives the same states, verdicts, evidence and
// timelines, with and without a mask, and says of each how large it was; also where the
// session itself had let some go.
func TestHollowResultsGiveTheSameSession(t *testing.T) {
	text := strings.Repeat("hunter-22 ", 20_000)
	for name, mask := range map[string]*secret.Mask{"kept": nil, "masked": secret.NewMask("").With(secret.Value{Text: "hunter-22"})} {
		t.Run(name, func(t *testing.T) {
			b := &bench{t: t}
			hollow := b.withoutPayloads(session.Config{Pin: mcp.Rev20251125, HistoryBytes: 1 << 20}, mask)
			var late session.CallID
			for i := range 8 {
				id := b.does(aCall("t")).Call
				b.later(time.Second)
				block := `{"type":"text","text":"` + text + `"}`
				switch i {
				case 0:
					block = `{"type":"text","text":"short"}`
				case 2:
					late = id
					b.does(session.Cancel{Call: id, Reason: "why"})
					b.later(2 * time.Second)
				case 3:
					block = `{"type":"text"},` + block
				case 4:
					block = `{"type":"image","mimeType":"image/png","data":"` + strings.Repeat("AAAA", 50_000) + `"}],"structuredContent":{"n":1},"x":["` + text + `"`
				}
				b.hears(`{"jsonrpc":"2.0","id":%d,"result":{"content":[`+block+`]}}`, i+2)
				b.later(time.Second)
			}
			p := b.played()
			if *hollow != 7 {
				t.Errorf("%d results are hollow, want 7", *hollow)
			}
			if row, _ := p.Session().Row(late); row.Verdict != cancel.AnsweredLate {
				t.Errorf("%+v", row)
			}
			let := 0
			for id, last := b.s.Span(); id <= last; id++ {
				want, _ := b.s.Detail(id)
				got, _ := p.Session().Detail(id)
				if want.Method != "tools/call" {
					continue
				}
				if want.Dropped > 0 {
					let++
				}
				if want.Dropped > 0 && want.Dropped < 1000 { // the short one
					if got.Hollow || got.Dropped != want.Dropped {
						t.Errorf("of a short result %d bytes are let go, were %d", got.Dropped, want.Dropped)
					}
					continue
				}
				size := want.Dropped + len(want.Result)
				if want.Late != nil {
					size += len(want.Late.Result)
				}
				if !got.Hollow || got.Dropped != size || size < 200_000 || got.Result != nil || want.Hollow {
					t.Errorf("call %d: hollow %v, %d of %d bytes", id, got.Hollow, got.Dropped, size)
				}
				if a, b := fmt.Sprint(got.Timeline, got.Evidence, got.Reason, got.Conformity), fmt.Sprint(want.Timeline, want.Evidence, want.Reason, want.Conformity); a != b {
					t.Errorf("call %d is %s\nwas %s", id, a, b)
				}
			}
			if let == 0 || let == 8 {
				t.Errorf("the session has let %d results go", let)
			}
			for q, last := p.Session().HistorySpan(); q <= last; q++ {
				e, _ := p.Session().Entry(q)
				if was, _ := b.s.Entry(q); e.Size != was.Size || e.Kind != was.Kind || e.Call != was.Call {
					t.Errorf("message %d is %+v", q, e)
				}
				if is := e.Flags&session.FlagHollow != 0; is != (e.Size > 100_000) || is != (e.Raw == nil) || is && !e.Gone {
					t.Errorf("message %d of %d bytes: hollow %v, gone %v, %d bytes", q, e.Size, is, e.Gone, len(e.Raw))
				}
			}
		})
	}
}
