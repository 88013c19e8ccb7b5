package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// Each call of the user's is one line of JSON: what was called, with a digest of
// the arguments in place of them, and what became of it.
func TestTheLogOfCalls(t *testing.T) {
	requirements.Rows(t, "SRV-08")
	r := ready(t, mcp.Rev20251125)
	call := func(params string) (CallID, mcp.ID) {
		id, err := madeBy(r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(params)}}))
		if err != nil {
			t.Fatal(err)
		}
		r.pull()
		return id, r.row(id).Wire
	}
	_, wire := call(`{"name":"good","arguments":{"password":"hunter2"}}`)
	r.wait(1500 * time.Millisecond)
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
	_, wire = call(`{"name":"bad"}`)
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"isError":true,"content":[]}}`, wire)
	_, wire = call(`{"name":"none"}`)
	r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32602,"message":"unknown"}}`, wire)
	id, wire := call(`{"name":"slow\nname"}`)
	r.wait(time.Second)
	r.cancel(id, "wrong branch")
	r.wait(time.Second)
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
	call(`{"name":"open"}`)

	page, next := r.s.CallLog(0)
	if next != 0 {
		t.Errorf("there is another page, behind %d", next)
	}
	var lines []byte
	for i := range page {
		line, err := page[i].Line()
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line...)
	}
	n := len(page)
	records := bytes.Split(bytes.TrimSpace(lines), []byte("\n"))
	if n != 5 || len(records) != 5 || bytes.Contains(lines, []byte("hunter2")) {
		t.Fatalf("%d records: %s", n, lines)
	}
	digest := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "sha256:" + hex.EncodeToString(sum[:])
	}
	for i, want := range []string{
		`good ` + digest(`{"password":"hunter2"}`) + ` done "" "" false 0 1.5`,
		`bad ` + digest(`{"name":"bad"}`) + ` failed "" "" true 0 0`,
		`none ` + digest(`{"name":"none"}`) + ` failed "" "" false -32602 0`,
		"slow\nname " + digest(`{"name":"slow\nname"}`) + ` cancelled "answered late" "wrong branch" false 0 2`,
		`open ` + digest(`{"name":"open"}`) + ` running "" "" false 0 -1`,
	} {
		var got CallRecord
		if err := json.Unmarshal(records[i], &got); err != nil {
			t.Fatalf("%s: %v", records[i], err)
		}
		took := -1.0
		if got.Seconds != nil {
			took = *got.Seconds
		}
		text := fmt.Sprintf("%s %s %s %q %q %v %d %v", got.Target, got.Digest, got.Outcome, got.Verdict, got.Reason, got.IsError, got.Code, took)
		if text != want || got.Method != "tools/call" || got.Epoch != 1 || got.Time.Before(origin) || got.ID == "" {
			t.Errorf("record %d: %s\nwant %s\n(%s)", i, text, want, records[i])
		}
	}
}

// The log is handed out in pages, each of which looks at a bounded number of rows:
// together they are every call once, in order, also when rows are forgotten in
// between.
func TestPagesOfTheLogOfCalls(t *testing.T) {
	const calls = 2*callPage + 7
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.FinishedRows = calls })
	var made []string
	for i := range calls {
		_, wire := r.call(fmt.Sprintf("t%d", i))
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
		made = append(made, fmt.Sprintf("t%d", i))
	}
	var got []string
	pages := 0
	for next, more := CallID(0), true; more; more = next != 0 {
		var page []CallRecord
		if page, next = r.s.CallLog(next); len(page) > callPage {
			t.Fatalf("%d records in a page", len(page))
		}
		for i := range page {
			got = append(got, page[i].Target)
		}
		if pages++; pages == 1 {
			for range 3 { // the first rows go
				_, wire := r.call("last")
				r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
				made = append(made, "last")
			}
		}
	}
	if !slices.Equal(got, made) || pages != 3 {
		t.Errorf("%d pages, %d records of %d", pages, len(got), len(made))
	}
	if page, next := r.s.CallLog(CallID(1 << 40)); len(page) != 0 || next != 0 {
		t.Errorf("behind the last row: %d records, then %d", len(page), next)
	}
}
