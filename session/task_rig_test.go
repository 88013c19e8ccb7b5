package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/session/mcp"
)

// What servers of tasks declare.
const (
	coreTasks      = `{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}`
	extensionTasks = `{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
)

// taskRig is a session with a server of tasks.
type taskRig struct {
	*rig
	n int // lines that were looked at
}

// tasking is one that is ready, in either protocol. Unless a change says otherwise, belay
// asks for no notifications.
func tasking(t testing.TB, rev mcp.Revision, change ...func(*Config)) *taskRig {
	t.Helper()
	declares := coreTasks
	if rev.IsModern() {
		declares = extensionTasks
	}
	return taskingThat(t, rev, declares, change...)
}

// taskingThat is one whose server declares something of its own.
func taskingThat(t testing.TB, rev mcp.Revision, declares string, change ...func(*Config)) *taskRig {
	t.Helper()
	r := serving(t, rev, declares, append([]func(*Config){withoutListening}, change...)...)
	r.answerList(mcp.Tools, fresh, `{"name":"t","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}`)
	r.lines = nil
	return &taskRig{rig: r}
}

// everyTaskProtocol runs a test in both.
func everyTaskProtocol(t *testing.T, f func(t *testing.T, r *taskRig)) {
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		t.Run(string(rev), func(t *testing.T) { f(t, tasking(t, rev)) })
	}
}

func (r *taskRig) modern() bool { return r.s.conn.rev.IsModern() }

// wished is a call that is sent, in 2025-11-25 with the wish for a task.
func (r *taskRig) wished() (CallID, mcp.ID) {
	r.t.Helper()
	id, wire := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","arguments":{}}`), AsTask: !r.modern()})
	r.n = len(r.lines)
	return id, wire
}

// object is a task as this server tells it.
func (r *taskRig) object(id, status string, more ...string) string {
	ttl, interval := "ttl", "pollInterval"
	if r.modern() {
		ttl, interval = "ttlMs", "pollIntervalMs"
	}
	members := fmt.Sprintf(`"taskId":%q,"createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:00Z"`, id)
	if !strings.Contains(strings.Join(more, ""), `"status"`) {
		more = append(more, fmt.Sprintf(`"status":%q`, status))
	}
	if !strings.Contains(strings.Join(more, ""), `"ttl`) {
		more = append(more, fmt.Sprintf("%q:null", ttl))
	}
	if !strings.Contains(strings.Join(more, ""), interval) {
		more = append(more, fmt.Sprintf("%q:1000", interval))
	}
	return members + "," + strings.Join(more, ",")
}

// dated is what this server tells of a task, with the time of now as one of its dates.
func (r *taskRig) dated(object, member string) string {
	const old = `"2026-07-28T12:00:00Z"`
	return strings.Replace(object, fmt.Sprintf("%q:%s", member, old), fmt.Sprintf("%q:%q", member, r.now.UTC().Format("2006-01-02T15:04:05.000Z")), 1)
}

// ttl is a time to live of so many milliseconds, as a member of a task.
func (r *taskRig) ttl(ms int) string {
	if r.modern() {
		return fmt.Sprintf(`"ttlMs":%d`, ms)
	}
	return fmt.Sprintf(`"ttl":%d`, ms)
}

// handle is the answer that creates a task.
func (r *taskRig) handle(wire mcp.ID, id string, more ...string) {
	r.t.Helper()
	object := r.dated(r.object(id, "working", more...), "createdAt")
	if r.modern() {
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"task",%s}}`, wire, object)
		return
	}
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"task":{%s}}}`, wire, object)
}

// begun is a call that runs as a task.
func (r *taskRig) begun() CallID {
	r.t.Helper()
	id, wire := r.wished()
	r.handle(wire, "task-4711")
	return id
}

// next is the method and the ID of the next line that was written; nothing: there is none.
func (r *taskRig) next() (method string, id mcp.ID) {
	if r.n == len(r.lines) {
		return "", mcp.ID{}
	}
	f := mcp.Decode([]byte(r.lines[r.n]))
	r.n++
	return f.Method, f.ID
}

// wantNext takes the next line, which must be a request of a method.
func (r *taskRig) wantNext(method string) mcp.ID {
	r.t.Helper()
	got, id := r.next()
	if got != method {
		r.t.Fatalf("%q is written next, want %q; all: %v", got, method, r.lines)
	}
	return id
}

// answers answers the next request, which must be of a method, with members of a result.
func (r *taskRig) answers(method, members string) {
	r.t.Helper()
	id := r.wantNext(method)
	if r.modern() && !strings.HasPrefix(members, `"resultType"`) {
		members = strings.TrimSuffix(`"resultType":"complete",`+members, ",")
	}
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s}}`, id, members)
}

// refuses answers it with an error.
func (r *taskRig) refuses(method string, code int) {
	r.t.Helper()
	r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":%d,"message":"no such task"}}`, r.wantNext(method), code)
}

// polled waits for the next poll, and answers it with a status. A task that ends does so just then.
func (r *taskRig) polled(status string, more ...string) {
	r.t.Helper()
	if r.n == len(r.lines) {
		r.wait(time.Second)
	}
	object := r.object("task-4711", status, more...)
	if status == "completed" || status == "failed" {
		object = r.dated(object, "lastUpdatedAt")
	}
	r.answers("tasks/get", object)
}

// completed tells that the task has ended, by a poll, and gives its outcome.
func (r *taskRig) completed() {
	r.t.Helper()
	const result = `"content":[{"type":"text","text":"42"}]`
	if r.modern() {
		r.polled("completed", `"result":{"resultType":"complete",`+result+`}`)
		return
	}
	r.polled("completed")
	r.answers("tasks/result", result+`,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-4711"}}`)
}

// ack answers the next tasks/cancel as the protocol has it.
func (r *taskRig) ack() {
	r.t.Helper()
	if r.modern() {
		r.answers("tasks/cancel", "")
		return
	}
	r.answers("tasks/cancel", r.object("task-4711", "cancelled"))
}

// oddAck answers the next tasks/cancel with what is no answer, and sees that it is told.
func (r *taskRig) oddAck(member string) {
	r.t.Helper()
	before := len(r.s.Diagnostics())
	r.recv(`{"jsonrpc":"2.0","id":%v,%s}`, r.wantNext("tasks/cancel"), member)
	if len(r.s.Diagnostics()) == before {
		r.t.Errorf("a malformed answer to tasks/cancel is not told: %s", member)
	}
}

// do has a wish be carried out.
func (r *taskRig) do(in Input) Reply {
	r.t.Helper()
	reply, err := r.s.Handle(r.now, in)
	if err != nil {
		r.t.Fatalf("%T: %v", in, err)
	}
	r.pull()
	return reply
}

// unwritten holds that nothing more is written for so long.
func (r *taskRig) unwritten(d time.Duration) {
	r.t.Helper()
	r.wait(d)
	if r.n != len(r.lines) {
		r.t.Errorf("written although nothing should be: %v", r.lines[r.n:])
	}
}

// works lets so much time pass in which each poll is answered within a second: it works on.
func (r *taskRig) works(d time.Duration) {
	r.t.Helper()
	for end := r.now.Add(d); r.now.Before(end); r.wait(time.Second) {
		for r.n < len(r.lines) {
			if method, wire := r.next(); method == "tasks/get" {
				r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, wire, r.object("task-4711", "working"))
			}
		}
	}
}
