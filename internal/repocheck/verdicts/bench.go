package main

import (
	"fmt"
	"strings"
	"time"

	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/witness"
)

// bench is a session with a server that a script plays, in a clock that moves when told.
// What the server is asked besides is answered at once.
type bench struct {
	s     *session.Session
	rev   mcp.Revision
	now   time.Time
	epoch session.Epoch
	deaf  bool // the server reads nothing
	mute  bool // it answers no ping

	call session.CallID
	asks map[string]asked // the latest request of each method
	does map[string]func(asked)
}

// asked is a request of belay's.
type asked struct {
	id mcp.ID
	x  session.ExchangeID
}

// away is how long a message takes.
const away = 4 * time.Millisecond

func newBench(rev mcp.Revision, way mcp.Transport, change ...func(*session.Config)) *bench {
	cfg := session.Config{Pin: rev, Transport: way, NoListen: true, ClientName: "belay", ClientVersion: "1", FirstID: 1, Jitter: 1}
	if way == mcp.HTTP {
		cfg.Endpoint = "http://127.0.0.1:8080/mcp"
	}
	for _, f := range change {
		f(&cfg)
	}
	b := &bench{rev: rev, now: time.Date(2026, 8, 31, 12, 0, 0, 0, time.UTC), asks: map[string]asked{}, does: map[string]func(asked){}}
	b.s = session.New(cfg, b.now)
	b.epoch = b.s.Tell(b.now, session.Connect{}).Epoch
	b.pull()
	b.wait(time.Second)
	return b
}

// wait lets time pass.
func (b *bench) wait(d time.Duration) {
	end := b.now.Add(d)
	for {
		at, ok := b.s.Deadline()
		if !ok || at.After(end) {
			break
		}
		if at.After(b.now) {
			b.now = at
		}
		b.s.Tell(b.now, session.Tick{})
		b.pull()
	}
	if end.After(b.now) {
		b.now = end
	}
}

// pull has the server read what is to be written.
func (b *bench) pull() {
	for !b.deaf {
		out, ok := b.s.Next(b.now)
		if !ok {
			return
		}
		switch {
		case out.Op == session.OpAbort && out.Seq != 0:
			b.s.Tell(b.now, session.Sent{Seq: out.Seq})
			b.s.Tell(b.now, session.Ended{ExchangeID: out.X})
		case out.Op == session.OpWrite:
			b.s.Tell(b.now, session.Started{ExchangeID: out.X})
			b.s.Tell(b.now, session.Sent{Seq: out.Seq})
			b.read(out)
		}
	}
}

// read is the server's part.
func (b *bench) read(out session.Output) {
	f := mcp.Decode(out.Data)
	a := asked{f.ID, out.X}
	if f.Kind != mcp.FrameRequest {
		return
	}
	b.asks[f.Method] = a
	if do := b.does[f.Method]; do != nil {
		do(a)
		return
	}
	switch f.Method {
	case "initialize":
		b.answer(a, `"protocolVersion":%q,"capabilities":%s,"serverInfo":{"name":"server","version":"1"}`, b.rev, b.capabilities())
	case "server/discover":
		b.answer(a, `"supportedVersions":[%q],"capabilities":%s,"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"server","version":"1"}}`, b.rev, b.capabilities())
	case "tools/list":
		b.answer(a, `"ttlMs":0,"cacheScope":"private","tools":[{"name":"deploy","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}]`)
	case "resources/list", "resources/templates/list":
		b.answer(a, `"ttlMs":0,"cacheScope":"private",%q:[]`, map[string]string{"resources/list": "resources", "resources/templates/list": "resourceTemplates"}[f.Method])
	case "tasks/result":
		b.answer(a, `"_meta":{"io.modelcontextprotocol/related-task":{"taskId":%q}},"content":[{"type":"text","text":"deployed"}]`, taskID)
	case "ping":
		if !b.mute {
			b.answer(a, "")
		}
	}
}

func (b *bench) capabilities() string {
	if b.rev.IsModern() {
		return `{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	}
	return `{"tools":{},"resources":{"subscribe":true},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}}`
}

// answer answers a request after the time that two messages take.
func (b *bench) answer(a asked, format string, args ...any) {
	b.now = b.now.Add(away)
	members := fmt.Sprintf(format, args...)
	if b.rev.IsModern() && !strings.Contains(members, `"resultType"`) {
		members = strings.TrimSuffix(`"resultType":"complete",`+members, ",")
	}
	b.says(a, `"result":{%s}`, members)
}

// fails answers a request with an error.
func (b *bench) fails(a asked, code int, text string) {
	b.now = b.now.Add(away)
	b.says(a, `"error":{"code":%d,"message":%q}`, code, text)
}

func (b *bench) says(a asked, format string, args ...any) {
	b.receive(a.x, fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,`, a.id)+fmt.Sprintf(format, args...)+"}")
}

// notes sends a notification.
func (b *bench) notes(format string, args ...any) {
	b.receive(session.ExchangeID{Epoch: b.epoch}, fmt.Sprintf(format, args...))
}

func (b *bench) receive(x session.ExchangeID, line string) {
	over := b.s.Config().Transport == mcp.HTTP
	if over {
		b.s.Tell(b.now, session.Opened{ExchangeID: x, Head: session.Head{Status: 200, Media: "application/json"}})
	} else {
		x = session.ExchangeID{Epoch: b.epoch}
	}
	b.s.Receive(b.now, x, mcp.Decode([]byte(line)))
	if over {
		b.s.Tell(b.now, session.Ended{ExchangeID: x})
	}
	b.pull()
}

// starts makes a row.
func (b *bench) starts(method, params string, asTask bool) {
	reply, err := b.s.Handle(b.now, session.StartCall{Spec: session.CallSpec{Method: method, Params: []byte(params), AsTask: asTask}})
	if err != nil {
		panic(err) // a script that is wrong
	}
	b.call = reply.Call
	b.pull()
}

// calls calls the tool, and lets it run for a second.
func (b *bench) calls() {
	b.starts("tools/call", `{"name":"deploy","arguments":{}}`, false)
	b.wait(time.Second)
}

// tasks calls it as a task.
func (b *bench) tasks() {
	b.starts("tools/call", `{"name":"deploy","arguments":{}}`, !b.rev.IsModern())
	b.does["tasks/get"] = func(a asked) { b.answer(a, "%s", b.task("working")) }
	if b.rev.IsModern() {
		b.answer(b.asks["tools/call"], `"resultType":"task",%s`, b.task("working"))
	} else {
		b.answer(b.asks["tools/call"], `"task":{%s}`, b.task("working"))
	}
	b.wait(900 * time.Millisecond)
}

// taskID is long enough to be none that can be guessed.
const taskID = "b7c1e0d2-52f4-4c07-9a58-7b1f0a3c9e41"

// task is the task in a state.
func (b *bench) task(status string) string {
	suffix, outcome := "", ""
	if b.rev.IsModern() {
		suffix = "Ms"
		outcome = map[string]string{
			"completed": `,"result":{"resultType":"complete","content":[{"type":"text","text":"deployed"}]}`,
			"failed":    `,"statusMessage":"disk full","error":{"code":-32603,"message":"disk full"}`,
		}[status]
	}
	return fmt.Sprintf(`"taskId":%q,"status":%q,"createdAt":"2026-08-31T12:00:01Z","lastUpdatedAt":"2026-08-31T12:00:01Z","ttl%s":60000,"pollInterval%s":2000%s`,
		taskID, status, suffix, suffix, outcome)
}

// progresses sends progress of the call.
func (b *bench) progresses(n int) {
	row, _ := b.s.Row(b.call)
	b.notes(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":%d,"total":20}}`, row.Wire, n)
}

// cancels is x, with a reason.
func (b *bench) cancels() {
	if _, err := b.s.Handle(b.now, session.Cancel{Call: b.call, Reason: "wrong branch"}); err != nil {
		panic(err)
	}
	b.pull()
}

// cancelsCommand cancels a call for which the server runs a command, which ends by itself.
func (b *bench) cancelsCommand(ends time.Duration) {
	server := witness.Process{PID: 4700, Name: "server", Command: "server --stdio"}
	command := witness.Process{PID: 4711, Parent: 4700, Name: "sleep", Command: "sleep 14"}
	sample := func(age time.Duration, all ...witness.Process) {
		for i := range all {
			all[i].Age = age
		}
		b.s.Tell(b.now, session.ProcessSample{Epoch: b.epoch, Sample: witness.Sample{Every: 100 * time.Millisecond, Processes: all}})
	}
	sample(time.Minute, server)
	b.calls()
	sample(900*time.Millisecond, server, command)
	b.cancels()
	sample(900*time.Millisecond, server, command)
	for passed, step := time.Duration(0), 100*time.Millisecond; passed < grace; passed += step {
		b.wait(step)
		if passed+step < ends {
			sample(passed+time.Second, server, command)
		} else {
			sample(time.Minute, server)
		}
	}
}

// ends has the connection end by itself.
func (b *bench) ends(status string) {
	b.s.Tell(b.now, session.Closed{Epoch: b.epoch, Why: session.Close{Status: status}})
}

// verdict is the one on the call, and all that is known of it.
func (b *bench) verdict() (cancel.Verdict, session.Detail) {
	d, _ := b.s.Detail(b.call)
	return d.Verdict, d
}
