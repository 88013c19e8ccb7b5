package calltest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"belay/session"
	"belay/session/journal"
	"belay/session/mcp"
	"belay/session/witness"
)

// Evil is a text that does something to a terminal, or to whom reads a page, unless it is
// quoted: sequences in 7 and 8 bits, line ends, directions.
const Evil = "\x1b]0;evil\x07\u009b31m\u202e\u2066\u2028\r\n\t\x00\x7fevil"

// Recording is a recording with such a text in one field, wherever that occurs: in an
// input, in a message, in the configuration.
type Recording struct {
	Field string // "closed why Stderr", or "received raw result serverInfo name"
	Alone bool   // the field has nothing else
	Lines [][]byte
}

// Recordings are those of runs in which a server says all that it can say. In each another
// field holds text, once at its end and once alone. Wherever a message has an object, there
// is also one with a member whose name is that text.
func Recordings(text string) (all []Recording) {
	for _, run := range []func() [][]byte{overStdio, overHTTP, ofATask} {
		lines := run()
		var parsed []any
		fields := map[string]bool{}
		for _, line := range lines {
			v := parse(line)
			parsed = append(parsed, v)
			walk(v, "", func(field string, s string) string {
				fields[field] = true
				return s
			})
		}
		r := Recording{Field: "each revision"} // on which both sides agree
		for _, v := range parsed {
			line, _ := json.Marshal(walk(v, "", func(_, s string) string { return strings.ReplaceAll(s, string(mcp.Rev20251125), text) }))
			r.Lines = append(r.Lines, line)
		}
		all = append(all, r)
		for field := range fields {
			for _, alone := range []bool{false, true} {
				r := Recording{Field: field, Alone: alone}
				for _, v := range parsed {
					changed := walk(v, "", func(at, s string) string {
						switch {
						case at != field:
							return s
						case alone:
							return text
						}
						return s + text
					})
					line, _ := json.Marshal(changed)
					r.Lines = append(r.Lines, line)
				}
				all = append(all, r)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Recording) int { return strings.Compare(a.Field, b.Field) })
	return all
}

// Played is the session that a recording leads to. Lines that cannot be played are left
// out, and returned; nil: there is no session.
func (r *Recording) Played() (s *session.Session, faults []error) {
	var p journal.Player
	for _, line := range r.Lines {
		step, err := journal.Read(line)
		if err == nil {
			err = p.Play(step)
		}
		if _, differs := errors.AsType[*journal.DifferenceError](err); err != nil && !differs {
			faults = append(faults, err)
		}
	}
	return p.Session(), faults
}

func parse(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// structure are the fields that say what a line is: with another text it is no line.
var structure = []string{" op", " wall"}

// walk is a copy of a value in which each string is what f makes of it. A message within a
// line is walked, too; member names that f gives for the field "a member" are added to it.
func walk(v any, field string, f func(field, s string) string) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		op, _ := v["op"].(string)
		if method, ok := v["method"].(string); ok {
			op = "of " + method
		}
		for name, value := range v {
			at := strings.TrimSpace(field+" "+op) + " " + name
			out[name] = walk(value, at, f)
		}
		if strings.Contains(field, " raw") {
			if name := f(field+" a member", "x"); name != "x" {
				out[name] = "x"
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = walk(v[i], field, f)
		}
		return out
	case string:
		for _, fixed := range structure {
			if strings.HasSuffix(field, fixed) {
				return v
			}
		}
		if strings.HasSuffix(field, " raw") {
			if message, ok := parse([]byte(v)).(map[string]any); ok {
				text, _ := json.Marshal(walk(message, field, f))
				return string(text)
			}
		}
		return f(field, v)
	}
	return v
}

// bench is a session that is recorded, whose server is played here.
type bench struct {
	s     *session.Session
	now   time.Time
	x     session.ExchangeID
	lines [][]byte
	outs  []session.Output
}

func newBench(cfg session.Config) *bench {
	cfg.ClientName, cfg.ClientVersion, cfg.Platform, cfg.Reason, cfg.FirstID = "belay", "1.2.0", "linux/amd64", "enough", 1
	cfg.Roots = []session.Root{{URI: "file:///work", Name: "work"}}
	b := &bench{s: session.New(cfg, Start), now: Start}
	journal.Attach(b.s, Start, func(r journal.Record) { b.lines = append(b.lines, r.Append(nil, nil)) })
	b.x.Epoch = b.s.Tell(b.now, session.Connect{}).Epoch
	b.pull()
	return b
}

func (b *bench) pull() {
	for {
		out, ok := b.s.Next(b.now)
		if !ok {
			return
		}
		b.outs = append(b.outs, out)
		if out.Op == session.OpWrite {
			b.s.Tell(b.now, session.Started{ExchangeID: out.X})
			b.s.Tell(b.now, session.Sent{Seq: out.Seq})
		}
		status := 0
		switch {
		case out.Op == session.OpOpen:
			status = 405
		case out.Op == session.OpWrite && out.X.N > 0 && !out.Awaits:
			status = 202
		}
		if status != 0 {
			b.s.Tell(b.now, session.Opened{ExchangeID: out.X, Head: session.Head{Status: status}})
			b.s.Tell(b.now, session.Ended{ExchangeID: out.X})
		}
	}
}

func (b *bench) does(inputs ...session.Input) (reply session.Reply) {
	for _, in := range inputs {
		b.now = b.now.Add(10 * time.Millisecond)
		reply, _ = b.s.Handle(b.now, in)
		b.pull()
	}
	return reply
}

// hears takes messages; %d in one is the ID of the last request of the method.
func (b *bench) hears(method, message string) {
	if strings.Contains(message, "%d") {
		message = fmt.Sprintf(message, b.last(method))
	}
	b.does(session.Received{ExchangeID: b.x, Raw: session.Bytes(message)})
}

// last is the ID of the last request of a method, and over HTTP its exchange is that on
// which the server speaks.
func (b *bench) last(method string) (id int64) {
	for _, out := range b.outs {
		if f := mcp.Decode(out.Data); f.Kind == mcp.FrameRequest && f.Method == method {
			id, b.x = rawID(f), out.X
		}
	}
	return id
}

func rawID(f *mcp.Frame) (id int64) {
	_ = json.Unmarshal(f.IDRaw, &id)
	return id
}

func (b *bench) waits(d time.Duration) {
	for end := b.now.Add(d); ; {
		at, ok := b.s.Deadline()
		if !ok || at.After(end) {
			b.now = end
			return
		}
		b.now = at
		b.does(session.Tick{})
	}
}

func call(params string) session.StartCall {
	return session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(params)}}
}

const (
	greeting = `{"jsonrpc":"2.0","id":%d,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{},"x":{"y":"z"},` +
		`"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"server","title":"The Server","version":"1","websiteUrl":"https://example.com/"},"instructions":"Be kind."}}`
	toolList = `{"jsonrpc":"2.0","id":%d,"result":{"tools":[{"name":"deploy","title":"Deploy","description":"Deploys.","inputSchema":{"type":"object","properties":{"branch":` +
		`{"type":"string","title":"Branch","description":"which"}}},"annotations":{"title":"Deploys"},"execution":{"taskSupport":"optional"}}],"nextCursor":"more"}}`
	question = `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":{"name":` +
		`{"type":"string","title":"Name","description":"yours"}}}}}`
	parts = `{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"done","annotations":{"audience":["user"],"lastModified":"2026-07-28"}},` +
		`{"type":"image","mimeType":"image/png","data":"AAAA"},{"type":"resource_link","uri":"file:///x","name":"x","title":"X","description":"an x","mimeType":"text/plain"},` +
		`{"type":"resource","resource":{"uri":"file:///y","mimeType":"text/plain","text":"y"}}],"structuredContent":{"a":"b"},"_meta":{"k":"v"}}}`
)

func overStdio() [][]byte {
	b := newBench(session.Config{Pin: mcp.Rev20251125})
	b.hears("initialize", greeting)
	b.hears("tools/list", toolList)
	first := b.does(call(`{"name":"deploy","arguments":{"branch":"main"}}`)).Call
	b.waits(500 * time.Millisecond)
	b.does(session.ProcessSample{Epoch: 1, Sample: witness.Sample{
		Every: 100 * time.Millisecond, Wide: true, Lacks: []string{"open files"}, Processes: []witness.Process{
			{PID: 7, Start: 1, Age: time.Hour, Name: "server", Command: "server --fast", Memory: 1e6, Threads: 3},
			{PID: 8, Start: 2, Parent: 7, Name: "sleep", Command: "sleep 14"},
		}, Connections: []witness.Connection{{PID: 7, Local: "192.0.2.1:1", Remote: "192.0.2.2:80"}},
	}})
	b.hears("", fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%d","progress":1,"total":3,"message":"one"}}`, b.last("tools/call")))
	b.hears("", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"main","data":{"a":"b"}}}`)
	b.hears("", question)
	b.hears("", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q","reason":"no more"}}`)
	b.hears("", `{"jsonrpc":"2.0","id":"s","method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"systemPrompt":"be","maxTokens":9}}`)
	b.hears("", `{"jsonrpc":"2.0","id":"u","method":"what/ever","params":{"a":"b"}}`)
	b.hears("", `{"jsonrpc":"2.0","method":"notifications/what","params":{"a":"b"}}`)
	b.hears("", `{"jsonrpc":"2.0","id":"nobody","result":{"a":"b"}}`)
	b.hears("", `{"jsonrpc":"1.0","id":{"a":"b"},"method":"ping"}`)
	b.does(session.Stderr{Epoch: 1, Line: []byte("a line")}, session.Received{ExchangeID: b.x, Raw: session.Bytes("no JSON")})
	b.does(session.Received{ExchangeID: b.x, Raw: session.Bytes(`{"jsonrpc":"2.0",`), Over: &session.Oversize{ID: `"big"`, Method: "big/one", Size: 1 << 25}})
	b.does(session.Cancel{Call: first, Reason: "wrong branch"})
	b.waits(time.Second)
	b.does(session.ProcessSample{Epoch: 1, Sample: witness.Sample{Every: 100 * time.Millisecond, Wide: true, Lacks: []string{"open files"}, Processes: []witness.Process{{PID: 7, Start: 1, Name: "server"}}}})
	b.hears("tools/call", `{"jsonrpc":"2.0","id":%d,"error":{"code":"E","message":"cancelled by the client","data":{"a":"b"}}}`)
	b.does(call(`{"name":"deploy","arguments":{"branch":"fails"}}`))
	b.hears("tools/call", `{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"it failed"}],"isError":true}}`)
	b.does(call(`{"name":"deploy"}`))
	b.hears("tools/call", parts)
	second := b.does(call(`{"name":"deploy"}`)).Call
	b.does(session.Cancel{Call: second, Reason: "too slow"})
	b.hears("tools/call", `{"jsonrpc":"2.0","id":%d,"error":{"code":-32800,"message":"Request cancelled"}}`)
	b.does(call(`{"name":"deploy"}`), session.Remark{Text: "a remark"})
	b.does(session.Closed{Epoch: 1, Why: session.Close{Status: "exit status 3", Err: "broken pipe", Stderr: "the last line"}})
	return b.lines
}

func overHTTP() [][]byte {
	b := newBench(session.Config{Pin: mcp.Rev20251125, Transport: mcp.HTTP, Endpoint: "https://example.com/mcp"})
	answers := func(method, message string) {
		b.last(method)
		b.does(session.Opened{ExchangeID: b.x, Head: session.Head{Status: 200, Media: "application/json", Session: "sess-1", At: "https://example.com/other"}})
		b.hears(method, message)
		b.does(session.Ended{ExchangeID: b.x})
	}
	answers("initialize", greeting)
	answers("tools/list", toolList)
	id := b.does(call(`{"name":"deploy"}`)).Call
	b.last("tools/call")
	name := "e-1"
	b.does(session.Opened{ExchangeID: b.x, Head: session.Head{Status: 200, Media: "text/event-stream"}})
	b.does(session.EventReceived{ExchangeID: b.x, Event: session.Event{Name: "odd", ID: &name, Retry: -1, Data: "some data", Odd: "an odd line"}})
	b.does(session.Cancel{Call: id, Reason: "wrong branch"})
	b.waits(time.Second)
	b.does(session.Ended{ExchangeID: b.x, End: session.End{Err: "reset by peer", Hint: "look at its log"}})
	b.does(call(`{"name":"deploy"}`))
	b.last("tools/call")
	b.does(session.Opened{ExchangeID: b.x, Head: session.Head{Status: 503, Media: "text/html", Retry: "120", Challenge: []string{`Bearer realm="r"`}}})
	b.does(session.Ended{ExchangeID: b.x, End: session.End{Body: "<h1>no</h1>"}})
	b.does(call(`{"name":"deploy"}`))
	b.last("tools/call")
	b.does(session.Opened{ExchangeID: b.x, Head: session.Head{Status: 200, Media: "application/json", Packed: "br"}}, session.Ended{ExchangeID: b.x})
	b.waits(20 * time.Second)
	return b.lines
}

func ofATask() [][]byte {
	b := newBench(session.Config{Pin: mcp.Rev20251125})
	b.hears("initialize", greeting)
	b.hears("tools/list", toolList)
	in := call(`{"name":"deploy"}`)
	in.Spec.AsTask = true
	id := b.does(in).Call
	const task = `{"taskId":"t-1","status":"working","statusMessage":"at work","createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:00Z","ttl":60000,"pollInterval":500}`
	b.hears("tools/call", `{"jsonrpc":"2.0","id":%d,"result":{"task":`+task+`,"_meta":{"io.modelcontextprotocol/model-immediate-response":"soon"}}}`)
	b.hears("", `{"jsonrpc":"2.0","method":"notifications/tasks/status","params":`+strings.Replace(task, "working", "input_required", 1)+`}`)
	b.does(session.Cancel{Call: id, Reason: "wrong branch"})
	b.hears("tasks/cancel", `{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"no such task"}}`)
	b.waits(2 * time.Second)
	b.hears("tasks/get", `{"jsonrpc":"2.0","id":%d,"result":`+strings.Replace(task, "working", "failed", 1)+`}`)
	b.hears("tasks/result", `{"jsonrpc":"2.0","id":%d,"error":{"code":-1,"message":"it broke"}}`)
	b.waits(80 * time.Second)
	return b.lines
}
