package session

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"belay/session/mcp"
)

// BenchmarkList is a long list that is fetched anew, in some pages. What is done with
// a page under the lock is measured, without its decoding; the longest of them is
// what a key may have to wait for.
func BenchmarkList(b *testing.B) {
	for _, c := range []struct {
		name  string
		kind  mcp.ListKind
		entry string
		pages int
		each  int
	}{
		{"tools in one page", mcp.Tools, `{"name":"tool%d","inputSchema":{"type":"object"}}`, 1, maxTools},
		{"tools in pages", mcp.Tools, `{"name":"tool%d","inputSchema":{"type":"object"}}`, 20, maxTools / 20},
		{"names that are no good", mcp.Tools, `{"name":"no name %d","inputSchema":{"type":"object"}}`, 1, maxTools},
		{"resources in one page", mcp.Resources, `{"name":"r%d","uri":"a:%[1]d"}`, 1, maxItems},
		{"resources in pages", mcp.Resources, `{"name":"r%d","uri":"a:%[1]d"}`, 16, maxItems / 16},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := serving(b, mcp.Rev20251125, `{"tools":{},"resources":{}}`, withoutListening)
			dec := mcp.NewDecoder()
			quickest := time.Hour // of the runs, by their longest page
			for b.Loop() {
				b.StopTimer()
				longest := time.Duration(0)
				r.wait(time.Second)
				if _, err := r.s.Handle(r.now, Reload{}); err != nil {
					b.Fatal(err)
				}
				r.pull()
				for page := range c.pages {
					var list bytes.Buffer
					for i := range c.each {
						if i > 0 {
							list.WriteByte(',')
						}
						fmt.Fprintf(&list, c.entry, page*c.each+i)
					}
					cursor := ""
					if page < c.pages-1 {
						cursor = fmt.Sprintf(`,"nextCursor":"%d"`, page)
					}
					id := read(b, r.latestSent(c.kind.Method())).ID
					f := dec.DecodeOwned(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{%q:[%s]%s}}`, id, c.kind.String(), list.Bytes(), cursor))
					began := time.Now()
					b.StartTimer()
					r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, f)
					b.StopTimer()
					longest = max(longest, time.Since(began))
					r.pull()
				}
				quickest = min(quickest, longest)
				if l := r.s.Catalog().Lists[c.kind]; len(l.Items) != c.pages*c.each {
					b.Fatalf("%d entries, %q", len(l.Items), l.Problem)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(quickest.Microseconds())/1000, "ms/longest")
		})
	}
}
