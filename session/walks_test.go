package session

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"belay/session/mcp"
	"belay/session/rawjson"
)

// A notification is gone over once, by all that happens to it until it stands in the
// wire log, whatever it is and however its members are ordered.
func TestNotificationsAreWalkedOnce(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	_, wire := r.call("t")
	meta := `"_meta":{"x":[{"y":1}],"io.modelcontextprotocol/subscriptionId":7}`
	d := mcp.NewDecoder()
	for _, line := range []string{
		string(ingestLine(wire, 1)),
		fmt.Sprintf(`{"params":{"message":"a \u00e9 \"b\"","progress":2,"progressToken":%s,%s},"method":"notifications/progress","jsonrpc":"2.0"}`, token(wire), meta),
		` {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"l","data":{"a":[1,{"b":"c"}]},` + meta + `}} `,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none","reason":"r",` + meta + `}}`,
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b",` + meta + `}}`,
		`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e",` + meta + `}}`,
		`{"jsonrpc":"2.0","method":"notifications/unknown","params":[1,{"a":{}}],"id":3,"x":{"method":"y"}}`,
	} {
		var walks []string
		rawjson.Walked = func(text []byte) { walks = append(walks, string(text)) }
		r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, d.Decode([]byte(line)))
		rawjson.Walked = nil
		if len(walks) != 1 || walks[0] != line {
			t.Errorf("%s\nis walked over %d times:\n%s", line, len(walks), strings.Join(walks, "\n"))
		}
	}
}

// A flood makes no garbage: what its notifications leave behind is the wire log.
func TestProgressAllocatesNothing(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	_, wire := r.call("t")
	d, n := mcp.NewDecoder(), 0
	line := ingestLine(wire, 1)
	at := strings.Index(string(line), `"progress":`) + len(`"progress":`)
	allocs := testing.AllocsPerRun(5000, func() {
		n++
		strconv.AppendInt(line[at:at], 100_000_000+int64(n), 10)
		r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, d.Decode(line))
	})
	if p := r.s.rows.newest.progress; allocs != 0 || p.count != n {
		t.Errorf("%v allocations for each of %d notifications", allocs, p.count)
	}
}
