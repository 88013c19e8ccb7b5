package session

import (
	"cmp"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"
	"weak"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// bytesIn counts the bytes of the texts that can be reached from a value: each piece
// of memory once, as far as its slices show it. What the history keeps has a bound
// of its own and is left out.
func bytesIn(v any) int {
	k := keeper{been: map[unsafe.Pointer]bool{}}
	k.walk(reflect.ValueOf(v))
	slices.SortFunc(k.seen, func(a, b [2]uintptr) int { return cmp.Compare(a[0], b[0]) })
	total, end := uintptr(0), uintptr(0)
	for _, s := range k.seen {
		if from := max(s[0], end); s[1] > from {
			total, end = total+s[1]-from, s[1]
		}
	}
	return int(total)
}

type keeper struct {
	seen [][2]uintptr // where texts begin and end; parts of others, too
	been map[unsafe.Pointer]bool
}

func (k *keeper) text(at unsafe.Pointer, n int) {
	if n > 0 {
		k.seen = append(k.seen, [2]uintptr{uintptr(at), uintptr(at) + uintptr(n)})
	}
}

func (k *keeper) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		k.text(unsafe.Pointer(unsafe.StringData(v.String())), v.Len())
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if v.Kind() == reflect.Pointer {
			at := v.UnsafePointer()
			if k.been[at] {
				return
			}
			k.been[at] = true
		}
		k.walk(v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			k.text(v.UnsafePointer(), v.Cap())
			return
		}
		for i := range v.Len() {
			k.walk(v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			k.walk(v.Index(i))
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			k.walk(it.Key())
			k.walk(it.Value())
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[history]() {
			return
		}
		for i := range v.NumField() {
			k.walk(v.Field(i))
		}
	default: // holds no text
	}
}

// flooded is a rig to which big messages are sent as they come off a pipe: each in
// memory of its own, which the core may keep.
type flooded struct {
	*rig
	sent []weak.Pointer[byte]
	long []int // how long they are
}

func (r *flooded) big(line string) {
	raw := []byte(line)
	r.sent, r.long = append(r.sent, weak.Make(&raw[0])), append(r.long, len(raw))
	r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, new(mcp.Decoder).DecodeOwned(raw))
	r.pull()
}

// alive counts the bytes of the messages that something still keeps.
func (r *flooded) alive() (n int) {
	runtime.GC()
	for i, p := range r.sent {
		if p.Value() != nil {
			n += r.long[i]
		}
	}
	return n
}

// heap is the memory that is in use. The memory of a text lives as long as any part of
// it is kept, which bytesIn does not see.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// Whatever a server makes big of what waits, belay keeps no more of it than its
// budget; what is over is refused, and everything else goes on.
func TestWhatWaitsIsBoundedInBytes(t *testing.T) {
	const budget, size = 4 << 20, 300 << 10 // of which a quarter may wait
	times := 60
	if raceDetector {
		times = 30 // still more than may be kept
	}
	x := strings.Repeat("x", size)
	modern := func(members string) func(r *flooded, i int) {
		return func(r *flooded, i int) {
			id, _ := r.call(fmt.Sprintf("t%d", i))
			r.big(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%s}`, r.row(id).Latest, inputRequired(members)))
		}
	}
	asks := func(line string) func(r *flooded, i int) {
		return func(r *flooded, i int) { r.big(strings.ReplaceAll(line, "%d", fmt.Sprint(i))) }
	}
	form := `{"message":"?","requestedSchema":{"type":"object","properties":{}}}`
	long := `{"message":"` + x + `","requestedSchema":{"type":"object","properties":{}}}`
	address := `{"mode":"url","message":"?","url":"https://a.b","elicitationId":"` + x + `%d"}`
	for _, tt := range []struct {
		name string
		rev  mcp.Revision
		send func(r *flooded, i int)
	}{
		{"a round with a state", mcp.Rev20260728, modern(`"requestState":"` + x + `"`)},
		{"a round with a form", mcp.Rev20260728, modern(asking(`"a":{"method":"elicitation/create","params":` + long + `}`))},
		{"a round with a key", mcp.Rev20260728, modern(asking(`"` + x + `":{"method":"elicitation/create","params":` + form + `}`))},
		{"a round with a key for the roots", mcp.Rev20260728, modern(asking(`"` + x + `":{"method":"roots/list"}`))},
		{"a round with an elicitation ID", mcp.Rev20260728, modern(asking(`"a":{"method":"elicitation/create","params":` + address + `}`))},
		{"a small form in a big round", mcp.Rev20260728, modern(asking(`"a":{"method":"elicitation/create","params":`+form+`}`) + `,"more":"` + x + `"`)},
		{"a small state in a big round", mcp.Rev20260728, modern(`"requestState":"s","more":"` + x + `"`)},
		{"rounds that are over", mcp.Rev20260728, func(r *flooded, i int) {
			id, _ := r.call(fmt.Sprintf("t%d", i))
			r.big(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%s}`, r.row(id).Latest, inputRequired(`"requestState":"`+x+`"`)))
			r.wait(time.Second)
			r.done(id)
		}},
		{"rounds that are carried out", mcp.Rev20260728, func(r *flooded, i int) {
			id, _ := r.call(fmt.Sprintf("t%d", i))
			r.big(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%s}`, r.row(id).Latest, inputRequired(`"requestState":"`+x+`"`)))
			r.wait(time.Second)
		}},
		{"a form", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":` + long + `}`)},
		{"a form of a server that does not read", mcp.Rev20251125, func(r *flooded, i int) {
			r.mute = true
			r.big(strings.ReplaceAll(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":`+long+`}`, "%d", fmt.Sprint(i)))
		}},
		{"a small form in a big message", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":` + form + `,"more":"` + x + `"}`)},
		{"a form with an ID", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","id":"` + x + `%d","method":"elicitation/create","params":` + form + `}`)},
		{"an elicitation ID", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":` + address + `}`)},
		{"roots with an ID", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","id":"` + x + `%d","method":"roots/list"}`)},
		{"a withdrawn form with a reason", mcp.Rev20251125, func(r *flooded, i int) {
			r.big(strings.ReplaceAll(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":`+form+`}`, "%d", fmt.Sprint(i)))
			r.big(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"%s"}}`, i, x))
		}},
		{"progress with a message", mcp.Rev20251125, func(r *flooded, i int) {
			id, _ := r.call(fmt.Sprintf("t%d", i))
			r.big(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%v,"progress":%d,"message":"%s"}}`, r.row(id).Wire, i+1, x))
		}},
		{"error with a message", mcp.Rev20251125, func(r *flooded, i int) {
			id, _ := r.call(fmt.Sprintf("t%d", i))
			r.big(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"error":{"code":1,"message":"%s"}}`, r.row(id).Wire, x))
		}},
		{"unknown method", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","id":%d,"method":"%d` + x + `","params":{}}`)},
		{"unknown notification", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","method":"%d` + x + `","params":{}}`)},
		{"updated", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///%d` + x + `"}}`)},
		{"logger", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"%d` + x + `","data":1}}`)},
		{"level", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"%d` + x + `","data":1}}`)},
		{"elicitation complete", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"%d` + x + `"}}`)},
		{"progress token", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"%d` + x + `","progress":1}}`)},
		{"cancel of nothing", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"%d` + x + `","reason":"%d` + x + `"}}`)},
		{"cancel of a question that nobody asked", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"` + x + `"}}`)},
		{"answer to nothing", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","id":"%d` + x + `","result":{}}`)},
		{"a sampling", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","id":%d,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"includeContext":"%d` + x + `"}}`)},
		{"a mode", mcp.Rev20251125, asks(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"mode":"%d` + x + `","message":"?"}}`)},
		{"a resultType", mcp.Rev20260728, func(r *flooded, i int) {
			id, _ := r.call(fmt.Sprintf("t%d", i))
			r.big(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"%d%s"}}`, r.row(id).Latest, i, x))
		}},
		{"a round with a wrong request", mcp.Rev20260728, modern(asking(`"` + x + `":{"method":"` + x + `"}`))},
		{"forms beside bigger ones that are a little smaller each time", mcp.Rev20260728, func(r *flooded, i int) {
			id, _ := r.call(fmt.Sprintf("t%d", i))
			big := fmt.Sprintf(`{"message":"%s","requestedSchema":{"type":"object","properties":{}}}`, x[500*i:])
			r.big(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%s}`, r.row(id).Latest, inputRequired(asking(`"a":{"method":"elicitation/create","params":`+big+`},"b":{"method":"elicitation/create","params":`+form+`}`))))
			r.cancel(id, "")
		}},
		{"a cancelled round of roots", mcp.Rev20260728, func(r *flooded, i int) {
			id, _ := r.call(fmt.Sprintf("t%d", i))
			r.big(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%s}`, r.row(id).Latest, inputRequired(asking(`"a":{"method":"roots/list"}`)+`,"requestState":"`+x+`"`)))
			r.cancel(id, "")
		}},
		{"a small question in a big batch", mcp.Rev20250326, nil},
		{"a small result in a big message", mcp.Rev20251125, func(r *flooded, i int) {
			id, _ := r.call(fmt.Sprintf("t%d", i))
			r.big(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]},"more":"%s"}`, r.row(id).Wire, x))
		}},
		{"a small error in a big message", mcp.Rev20251125, func(r *flooded, i int) {
			id, _ := r.call(fmt.Sprintf("t%d", i))
			r.big(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"error":{"code":1,"message":"no","data":{"a":1}},"more":"%s"}`, r.row(id).Wire, x))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			with := func(c *Config) {
				c.HistoryBytes, c.CheckRoots, c.NoListen = budget, true, true
				c.Roots = []Root{{URI: "file:///a", Name: "a"}}
			}
			if tt.send == nil {
				tt.send = asks(`[{"jsonrpc":"2.0","id":%d,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}},{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + x + `"}}]`)
			}
			before := heap()
			r := &flooded{rig: ready(t, tt.rev, with)}
			for i := range times {
				tt.send(r, i)
				if err := r.s.Check(); err != nil {
					t.Fatal(err)
				}
			}
			r.mute, r.lines = false, nil
			// What was answered waits to be read by the test no longer. A quarter waits, half
			// is of answers that rows keep; a few small texts belong to everything.
			if n, most := bytesIn(r.s), budget/4+budget/2+2*size; n > most {
				t.Errorf("%d bytes are kept, %d may be", n, most)
			}
			// The history keeps messages of its own, of which one may be over its bound.
			if n, most := r.alive(), budget+budget/4+budget/2+2*size; n > most {
				t.Errorf("%d bytes of messages are kept, %d may be", n, most)
			}
			if n, most := heap()-before, budget+budget/4+budget/2+2*size+2<<20; n > most {
				t.Errorf("%d bytes are in use, %d may be", n, most)
			}
			if n := r.s.Status().Waiting; strings.HasPrefix(tt.name, "a small form") && n != times {
				t.Errorf("%d of %d small forms wait", n, times)
			}
			// Nothing else is lost: calls go on, and what the server asks is asked.
			id, wire := r.call("after")
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","content":[]}}`, wire)
			r.want(id, Done, cancel.NoVerdict)
		})
	}
}

// bigPage is a page of a list of n bytes or more, with a cursor if it is not the
// last one.
func bigPage(member string, n int, cursor string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"n%d","uri":"file:///%d","description":"%s","inputSchema":{"type":"object"}}`, i, i, strings.Repeat("d", 900))
	}
	if cursor != "" {
		cursor = `,"nextCursor":"` + cursor + `"`
	}
	return fmt.Sprintf(`{"%s":[%s]%s}`, member, b.String(), cursor)
}

// inLists counts the bytes of the lists.
func inLists(s *Session) int {
	var all []any
	for i := range s.catalog.lists {
		l := &s.catalog.lists[i]
		all = append(all, l.Items, l.Coming, l.Excluded, l.fresh)
	}
	return bytesIn(all)
}

// The lists take no more memory together than their budget. What is too much ends
// its list, in words, and neither what came of it nor another list is lost.
func TestListsAreBoundedInBytes(t *testing.T) {
	const budget = 8 << 20 // of which half is for lists
	r := &flooded{rig: serving(t, mcp.Rev20251125, `{"tools":{},"resources":{}}`, func(c *Config) { c.HistoryBytes = budget })}
	page := func(method, text string) {
		t.Helper()
		r.big(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, read(t, r.latestSent(method)).ID, text))
	}
	page("resources/list", bigPage("resources", 400<<10, ""))
	before := len(r.s.Catalog().Lists[mcp.Resources].Items)
	pages := 0
	for ; r.s.Catalog().Lists[mcp.Tools].Loading && pages < 50; pages++ {
		page("tools/list", bigPage("tools", 400<<10, fmt.Sprint("c", pages)))
		if n, most := inLists(r.s), budget/2; n > most {
			t.Fatalf("after %d pages the lists keep %d bytes, %d may be", pages, n, most)
		}
	}
	lists := r.s.Catalog().Lists
	l := lists[mcp.Tools]
	if pages < 3 || l.Complete || len(l.Items) == 0 || !strings.Contains(l.Problem, fmt.Sprintf("the list was cut at %d entries: page %d takes ", len(l.Items), pages)) || r.diag(mcp.DiagListSize) != 1 {
		t.Errorf("%d pages, %d tools: %q, %d", pages, len(l.Items), l.Problem, r.diag(mcp.DiagListSize))
	}
	page("resources/templates/list", `{"resourceTemplates":[{"name":"t","uriTemplate":"file:///{x}"}]}`)
	if lists = r.s.Catalog().Lists; len(lists[mcp.Resources].Items) != before || !lists[mcp.Templates].Complete || len(lists[mcp.Templates].Items) != 1 {
		t.Errorf("the other lists: %d, %+v", len(lists[mcp.Resources].Items), lists[mcp.Templates])
	}
	// Fetched anew it is shown as it was until the rest has come, and then in its place.
	r.reload()
	page("tools/list", bigPage("tools", 400<<10, "again"))
	if got := r.s.Catalog().Lists[mcp.Tools]; !got.Loading || len(got.Items) != len(l.Items) {
		t.Errorf("while it is fetched anew: %d tools", len(got.Items))
	}
	page("tools/list", bigPage("tools", 10, ""))
	if got := r.s.Catalog().Lists[mcp.Tools]; !got.Complete || got.Problem != "" || len(got.Items) < 300 || len(got.Items) >= len(l.Items) {
		t.Errorf("fetched anew: %d tools, %q", len(got.Items), got.Problem)
	}
	if n := inLists(r.s); n > 2<<20 {
		t.Errorf("%d bytes are kept of a list that was there before", n)
	}
}

// A cursor is sent back as it is, so that it must not be long without end.
func TestCursorsAreBoundedInBytes(t *testing.T) {
	r := serving(t, mcp.Rev20251125, `{"tools":{}}`)
	r.page(`"`+strings.Repeat("c", maxCursor-2)+`"`, "a")
	if l := r.s.Catalog().Lists[mcp.Tools]; !l.Loading {
		t.Fatalf("a cursor of %d bytes: %q", maxCursor, l.Problem)
	}
	r.page(`"`+strings.Repeat("c", maxCursor)+`"`, "b")
	l := r.s.Catalog().Lists[mcp.Tools]
	if l.Loading || r.names() != "a b" || l.Problem != "the list was cut at 2 entries: the cursor of page 3 takes 16.4 kB; belay sends at most 16.4 kB back" || r.diag(mcp.DiagListSize) != 1 {
		t.Errorf("%s: %q", r.names(), l.Problem)
	}
}

// BenchmarkMemory is what belay keeps of the attacks that took 478 and 238 MB: 150
// rounds of 3 MB, and pages of 12 MB without end.
func BenchmarkMemory(b *testing.B) {
	for _, bb := range []struct {
		name string
		run  func(r *flooded)
	}{
		{"150 rounds of 3 MB", func(r *flooded) {
			x := strings.Repeat("x", 3<<20)
			for i := range 150 {
				id, _ := r.call("t")
				r.big(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%s}`, r.row(id).Latest, inputRequired(asking(fmt.Sprintf(`"%s%d":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`, x, i)))))
			}
		}},
		{"pages of 12 MB", func(r *flooded) {
			page := bigPage("tools", 12<<20, "")
			for i := 0; i < 20 && r.s.Catalog().Lists[mcp.Tools].Loading; i++ {
				r.big(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s,"nextCursor":"%d","resultType":"complete","ttlMs":1,"cacheScope":"public"}}`, read(r.t, r.latestSent("tools/list")).ID, page[:len(page)-1], i))
			}
		}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			for b.Loop() {
				r := &flooded{rig: serving(b, mcp.Rev20260728, `{"tools":{}}`, withoutListening)}
				bb.run(r)
				b.ReportMetric(float64(bytesIn(r.s))/1e6, "MB-kept")
				b.ReportMetric(float64(r.alive())/1e6, "MB-of-messages")
			}
		})
	}
}

// A reason that is cut is a copy: it does not keep the megabytes of which it is the beginning. One that is not
// cut is itself.
func TestAReasonThatIsCutIsACopy(t *testing.T) {
	requirements.Rows(t, "CXL-11")
	for _, size := range []int{maxReason, maxReason + 1, 1 << 20} {
		reason := strings.Repeat("x", size)
		kept := capReason(reason)
		if same := unsafe.StringData(kept) == unsafe.StringData(reason); same != (size <= maxReason) || len(kept) != min(size, maxReason) {
			t.Errorf("of %d bytes %d are kept; in the same memory: %v", size, len(kept), same)
		}
	}
}
