package peer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// A TaskScript is what a server of tasks does otherwise than a good one, whose
// script is empty. Its tool slow runs as a task that completes when its time is
// over, and its tool fast is answered at once.
type TaskScript struct {
	Name string

	Runs        time.Duration // until a task completes by itself; 0: it never does
	CreateAfter time.Duration // a create answer comes so late
	CreateHeld  bool          // a create answer waits until another tool is called
	StatusFirst bool          // a status notification comes before the create answer
	Completes   time.Duration // so long after a cancel, which was acknowledged; 0: a cancel stops it
	StaysOn     bool          // a cancel is acknowledged, and the task stays working
	Flips       bool          // a cancel has it cancelled, and then it completes all the same
	Vanishes    bool          // a cancel is acknowledged, and then there is no such task
	Finished    bool          // it has completed when the cancel comes
	Unanswered  bool          // a cancel is not answered
	ResultFirst bool          // a cancel has the task completed, and is acknowledged when the client has been told
	GetBlocks   bool          // tasks/get is not answered before the task is over
	Asks        bool          // it asks for input, and waits for that
}

// TaskScripts are the scripts there are. Their names are unique.
func TaskScripts() []TaskScript {
	return []TaskScript{
		{Name: "a good task"},
		{Name: "a task that completes all the same", Completes: 1500 * time.Millisecond},
		{Name: "a task that stays working", StaysOn: true},
		{Name: "a task that is cancelled and then completes", Flips: true},
		{Name: "a task that vanishes", Vanishes: true},
		{Name: "a cancel that comes too late", Finished: true},
		{Name: "a cancel that is not answered", Unanswered: true},
		{Name: "a create answer after a second", CreateAfter: time.Second},
		{Name: "a create answer within a quit", CreateAfter: 500 * time.Millisecond},
		{Name: "a create answer after another call", CreateHeld: true},
		{Name: "a status before the create answer", StatusFirst: true, CreateAfter: 200 * time.Millisecond},
		{Name: "a result before the acknowledgement", ResultFirst: true},
		{Name: "a tasks/get that blocks", GetBlocks: true},
		{Name: "a task that asks for input", Asks: true},
	}
}

// TaskScriptNamed returns the script of this name.
func TaskScriptNamed(name string) (TaskScript, bool) {
	i := slices.IndexFunc(TaskScripts(), func(s TaskScript) bool { return s.Name == name })
	if i < 0 {
		return TaskScript{}, false
	}
	return TaskScripts()[i], true
}

// TaskPoll is how often a client is asked to look after a task.
const TaskPoll = 200 * time.Millisecond

// patienceOfCancel is how long a cancel waits to be acknowledged for a client that
// does not look after its task meanwhile.
const patienceOfCancel = 3 * time.Second

// taskTTL is how long a task is said to live; it is kept as long as the server.
const taskTTL = time.Minute

// A taskServer plays a script, over whatever carries its messages.
type taskServer struct {
	script TaskScript
	modern bool // the extension of 2026-07-28, and not the core of 2025-11-25
	log    func(Passed)

	mu    sync.Mutex
	tasks []*scriptedTask
	held  []heldRequest
	calls []func() // answer the calls that wait until another tool is called
}

type scriptedTask struct {
	id, status string
	created    time.Time
	updated    time.Time
	gone       bool     // the server knows nothing of it any more
	told       []func() // of the end, once
}

// A heldRequest is answered when its task is over.
type heldRequest struct {
	task *scriptedTask
	m    message
	r    replier
}

// Passed is a message that a server of tasks has taken or sent, in their order.
type Passed struct {
	Sent bool
	Text string
}

// loggedReplier logs what is sent.
type loggedReplier struct {
	replier
	log func(Passed)
}

func (r loggedReplier) message(json string) {
	r.log(Passed{true, json})
	r.replier.message(json)
}

func (r loggedReplier) answer(json string, code int) {
	r.log(Passed{true, json})
	r.replier.answer(json, code)
}

// A replier carries what is sent for one request: messages, and then the answer,
// with the code of the error if it is one.
type replier interface {
	message(json string)
	answer(json string, code int)
}

func newTaskServer(script TaskScript, revision string, log []func(Passed)) *taskServer {
	return &taskServer{script: script, modern: revision == "2026-07-28", log: func(p Passed) {
		for _, f := range log {
			f(p)
		}
	}}
}

// take takes a message of the client's, as it came and as it was read.
func (s *taskServer) take(raw []byte, m message, to replier) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log(Passed{false, string(raw)})
	r := loggedReplier{to, s.log}
	switch m.Method {
	case "initialize":
		if s.modern {
			refuse(m, r, -32022, "unsupported protocol version", `,"data":{"supported":["2026-07-28"],"requested":"2025-11-25"}`)
			return
		}
		reply(m, r, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"`+Name+`","version":"1"}}`)
	case "server/discover":
		if !s.modern {
			refuse(m, r, -32601, "Method not found", "")
			return
		}
		reply(m, r, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"ttlMs":0,"cacheScope":"private",`+
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"`+Name+`","version":"1"}}}`)
	case "ping":
		reply(m, r, `{}`)
	case "tools/list":
		slow, more := `{"name":"slow","description":"Runs as a task","execution":{"taskSupport":"required"},"inputSchema":{"type":"object"}}`, ""
		if s.modern {
			more = `"resultType":"complete","ttlMs":0,"cacheScope":"private",`
		}
		reply(m, r, toolList([]string{slow, `{"name":"fast","description":"Is answered at once","inputSchema":{"type":"object"}}`}, more))
	case "tools/call":
		var p struct{ Name string }
		_ = json.Unmarshal(m.Params, &p)
		if p.Name == "slow" {
			s.create(m, r)
		} else {
			reply(m, r, s.complete(`"content":[{"type":"text","text":"here you are"}]`))
			for _, answer := range s.calls {
				answer()
			}
			s.calls = nil
		}
	case "tasks/list":
		var all []string
		for _, t := range s.tasks {
			if !t.gone {
				all = append(all, s.fields(t))
			}
		}
		reply(m, r, `{"tasks":[`+strings.Join(all, ",")+`]}`)
	case "tasks/get", "tasks/result", "tasks/cancel", "tasks/update":
		s.manage(m, r)
	case "notifications/cancelled":
		s.release(m)
	default:
		if m.ID != nil && m.Method != "" {
			refuse(m, r, -32601, "Method not found", "")
		}
	}
}

// create answers a call with a task.
func (s *taskServer) create(m message, r replier) {
	now := time.Now()
	t := &scriptedTask{id: fmt.Sprintf("7c1e0b52-93d4-4f0a-8a6e-%012d", len(s.tasks)+1), status: "working", created: now, updated: now}
	s.tasks = append(s.tasks, t)
	if s.script.Runs > 0 {
		s.after(s.script.Runs, func() { s.end(t, "completed") })
	}
	if s.script.StatusFirst {
		r.message(s.notification(t))
	}
	answer := func() {
		if s.modern {
			reply(m, r, `{"resultType":"task",`+s.fields(t)[1:])
		} else {
			reply(m, r, `{"task":`+s.fields(t)+`}`)
		}
		if s.script.Asks && !t.over() {
			t.status = "input_required"
		}
	}
	if s.script.CreateHeld {
		s.calls = append(s.calls, answer)
	} else {
		s.after(s.script.CreateAfter, answer)
	}
}

// after runs f, under the lock, after a while; at once if there is none.
func (s *taskServer) after(d time.Duration, f func()) {
	if d == 0 {
		f()
		return
	}
	time.AfterFunc(d, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		f()
	})
}

// manage serves a request about one task.
func (s *taskServer) manage(m message, r replier) {
	var p struct {
		TaskID string `json:"taskId"`
	}
	_ = json.Unmarshal(m.Params, &p)
	i := slices.IndexFunc(s.tasks, func(t *scriptedTask) bool { return t.id == p.TaskID && !t.gone })
	if i < 0 {
		refuse(m, r, -32602, "Task not found", "")
		return
	}
	t := s.tasks[i]
	switch {
	case m.Method == "tasks/cancel":
		s.cancel(m, r, t)
	case m.Method == "tasks/update" && s.modern:
		reply(m, r, s.complete(""))
	case m.Method == "tasks/result" && s.modern, m.Method == "tasks/update":
		refuse(m, r, -32601, "Method not found", "")
	case !t.over() && (m.Method == "tasks/result" || s.script.GetBlocks):
		s.held = append(s.held, heldRequest{t, m, r})
		if t.status == "input_required" && m.Method == "tasks/result" {
			r.message(`{"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{` + question + `,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"` + t.id + `"}}}}`)
		}
	default:
		s.tell(m, r, t)
	}
}

// cancel does with a cancel what the script says.
func (s *taskServer) cancel(m message, r replier, t *scriptedTask) {
	done := false
	acknowledge := func() {
		if done {
			return
		}
		if done = true; s.modern {
			reply(m, r, s.complete(""))
		} else {
			reply(m, r, s.fields(t))
		}
	}
	if s.script.Finished {
		s.end(t, "completed")
	}
	switch {
	case s.script.Unanswered:
	case t.over() && !s.modern:
		refuse(m, r, -32602, "Cannot cancel task: already in terminal status", "")
	case t.over(), s.script.StaysOn:
		acknowledge()
	case s.script.Completes > 0:
		acknowledge()
		s.after(s.script.Completes, func() { s.end(t, "completed") })
	case s.script.Flips:
		s.end(t, "cancelled")
		acknowledge()
		t.status = "completed"
	case s.script.Vanishes:
		s.end(t, "cancelled")
		acknowledge()
		t.gone = true
	case s.script.ResultFirst:
		t.told = append(t.told, acknowledge)
		s.end(t, "completed")
		s.after(patienceOfCancel, acknowledge)
	default:
		s.end(t, "cancelled")
		acknowledge()
	}
}

// end ends a task, unless it is over, and answers who waits for that.
func (s *taskServer) end(t *scriptedTask, status string) {
	if t.over() {
		return
	}
	t.status, t.updated = status, time.Now()
	var waiting []heldRequest
	s.held = slices.DeleteFunc(s.held, func(h heldRequest) bool {
		if h.task == t {
			waiting = append(waiting, h)
		}
		return h.task == t
	})
	for _, h := range waiting {
		s.tell(h.m, h.r, t)
	}
}

// tell answers a request for a task, or for its result.
func (s *taskServer) tell(m message, r replier, t *scriptedTask) {
	const content = `"content":[{"type":"text","text":"the work of the task"}]`
	switch {
	case m.Method == "tasks/get" && s.modern && t.status == "completed":
		fields := s.fields(t)
		reply(m, r, s.complete(fields[1:len(fields)-1]+`,"result":{`+content+`}`))
	case m.Method == "tasks/get" && s.modern && t.status == "input_required":
		fields := s.fields(t)
		reply(m, r, s.complete(fields[1:len(fields)-1]+`,"inputRequests":{"name":{"method":"elicitation/create","params":{"mode":"form",`+question+`}}}`))
	case m.Method == "tasks/get" && s.modern:
		fields := s.fields(t)
		reply(m, r, s.complete(fields[1:len(fields)-1]))
	case m.Method == "tasks/get":
		reply(m, r, s.fields(t))
	case t.status == "completed":
		reply(m, r, `{`+content+`,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"`+t.id+`"}}}`)
	default:
		refuse(m, r, -32603, "Task "+t.status, "")
	}
	if t.over() {
		for _, f := range t.told {
			f()
		}
		t.told = nil
	}
}

// release forgets a request that is held and was cancelled.
func (s *taskServer) release(m message) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(m.Params, &p)
	s.held = slices.DeleteFunc(s.held, func(h heldRequest) bool { return string(h.m.ID) == string(p.RequestID) })
}

// question are the members of what a task asks for.
const question = `"message":"What is the name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}`

func (t *scriptedTask) over() bool { return t.status != "working" && t.status != "input_required" }

// fields is a task as an object.
func (s *taskServer) fields(t *scriptedTask) string {
	ttl, poll := "ttl", "pollInterval"
	if s.modern {
		ttl, poll = "ttlMs", "pollIntervalMs"
	}
	const stamp = "2006-01-02T15:04:05.000Z"
	return fmt.Sprintf(`{"taskId":%q,"status":%q,"createdAt":%q,"lastUpdatedAt":%q,%q:%d,%q:%d}`,
		t.id, t.status, t.created.UTC().Format(stamp), t.updated.UTC().Format(stamp), ttl, taskTTL.Milliseconds(), poll, TaskPoll.Milliseconds())
}

// notification tells of a task by itself.
func (s *taskServer) notification(t *scriptedTask) string {
	method := "notifications/tasks/status"
	if s.modern {
		method = "notifications/tasks"
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, s.fields(t))
}

// complete is an object with these members as a result of the revision.
func (s *taskServer) complete(members string) string {
	if !s.modern {
		return `{` + members + `}`
	}
	if members != "" {
		members = "," + members
	}
	return `{"resultType":"complete"` + members + `}`
}

func reply(m message, r replier, result string) {
	r.answer(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result), 0)
}

// refuse answers with an error; more are members of it, each with a comma before
// it.
func refuse(m message, r replier, code int, text, more string) {
	r.answer(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q%s}}`, m.ID, code, text, more), code)
}
