package session

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

// The simulator of tasks plays random histories against a server of tasks: of both kinds, on
// stdio and over HTTP, with answers in any order, and connections that end. The invariants are
// held against what crossed the wire alone; nothing of session/task is asked.
//
// BELAY_SIM_SEEDS=N plays N histories of each kind, from number BELAY_SIM_FROM on.

const taskSteps = 120

func TestTaskSimulator(t *testing.T) {
	requirements.Rows(t, "CXL-07", "CXL-09", "CXL-39", "TSK-25", "TSK-58", "TEX-36", "TEX-52")
	seeds, from := uint64(150), uint64(0)
	if testing.Short() || raceDetector {
		seeds = 20
	}
	if n := os.Getenv("BELAY_SIM_SEEDS"); n != "" {
		seeds, _ = strconv.ParseUint(n, 10, 64)
		from, _ = strconv.ParseUint(os.Getenv("BELAY_SIM_FROM"), 10, 64)
	}
	var told taskCounts
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		for _, over := range []mcp.Transport{mcp.Stdio, mcp.HTTP} {
			t.Run(fmt.Sprint(rev, " ", over), func(t *testing.T) {
				seen := map[string]int{}
				told = append(told, taskCount{rev, over, seen})
				for seed := from; seed < from+seeds && !t.Failed(); seed++ {
					playTasks(t, rev, over, seed, seen)
				}
			})
		}
	}
	if t.Failed() || seeds < 100 {
		return
	}
	told.check(t)
}

// simTask is a task of the simulated server, and what of it has crossed the wire.
type simTask struct {
	id     string
	status string
	ignore bool // it acknowledges a cancel, and goes on

	toldAt   time.Time // its handle was delivered
	endedBy  string    // what first delivered its end: "get", "cancel", "notice"
	endedAt  time.Time // when
	end      string    // that status
	gets     int       // tasks/get that were written since
	wereOut  int       // tasks/get that were out when its end was delivered
	polledAt time.Time // an answer to tasks/get was delivered
	cancels  int       // tasks/cancel that were written
	deaf     bool      // it does not answer the first tasks/cancel
	again    int       // that the user has wanted once more after a verdict
	acked    bool      // one was acknowledged
	refused  int       // that were answered with -32602
	owed     bool      // … and no tasks/get was written since
	stopped  bool      // the user cancelled its call, when its end was not known
	left     bool      // the user waits no more
	resultAt time.Time // the last tasks/result was written
	odd      bool      // a tasks/result was answered with the outcome of another task
	epoch    Epoch

	pick *simPick // it is followed from its ID on
}

// simAsk is a request of belay's that the server has read.
type simAsk struct {
	id     string // raw
	method string
	task   *simTask // that it is about, or has made
	wished bool     // it carries the member task
	call   CallID
	due    time.Time // of its answer
	x      ExchangeID
	closed bool // over HTTP: its exchange is closed
}

// taskSimulation is a server of tasks, a user, and what has happened.
type taskSimulation struct {
	t             *testing.T
	rnd           *rand.Rand
	r             *rig
	w             *webRig // over HTTP; nil on stdio
	modern        bool
	uncancellable bool // the server does not declare tasks.cancel
	seen          map[string]int
	seed          uint64
	views         viewing

	looked int
	asks   []*simAsk
	all    map[string]*simAsk // of this connection, by their IDs
	tasks  map[string]*simTask
	stream ExchangeID          // over HTTP, 2025-11-25: of the server's own
	subs   []*simListen        // of this connection
	calls  map[CallID]*simTask // nil: no handle was delivered
	ends   map[CallID]State
	serial int
	log    []string
}

func playTasks(t *testing.T, rev mcp.Revision, over mcp.Transport, seed uint64, seen map[string]int) {
	rnd := rand.New(rand.NewPCG(seed, uint64(len(rev)+int(over))))
	sim := &taskSimulation{
		t: t, rnd: rnd, modern: rev.IsModern(), seen: seen, seed: seed, all: map[string]*simAsk{}, tasks: map[string]*simTask{},
		calls: map[CallID]*simTask{}, ends: map[CallID]State{}, uncancellable: !rev.IsModern() && seed%4 == 3,
	}
	change := func(c *Config) { c.NoProbe, c.NoListen = rnd.IntN(2) == 0, rnd.IntN(4) == 0 }
	if over == mcp.HTTP {
		web := taskingWebThat(t, rev, sim.declares(), change)
		sim.w, sim.r, sim.looked = web.webRig, web.rig, len(web.outs)
		sim.openStream()
	} else {
		k := taskingThat(t, rev, sim.declares(), change)
		sim.r, sim.looked = k.rig, len(k.lines)
	}
	for range taskSteps {
		sim.step()
		if t.Failed() {
			t.Logf("seed %d:\n%s", seed, strings.Join(sim.log, "\n"))
			return
		}
	}
	sim.finish()
	if t.Failed() {
		t.Logf("seed %d:\n%s", seed, strings.Join(sim.log, "\n"))
	}
}

// declares is what the simulated server declares.
func (w *taskSimulation) declares() string {
	switch {
	case w.modern:
		return extensionTasks
	case w.uncancellable:
		return strings.Replace(coreTasks, `"cancel":{},`, "", 1)
	}
	return coreTasks
}

func (w *taskSimulation) note(format string, args ...any) {
	w.log = append(w.log, w.r.now.Sub(origin).String()+" "+fmt.Sprintf(format, args...))
}

func (w *taskSimulation) fail(format string, args ...any) { w.t.Errorf(format, args...) }

// pass lets time pass, and answers what is due on the way.
func (w *taskSimulation) pass(d time.Duration) {
	end := w.r.now.Add(d)
	for {
		w.read()
		next := end
		var now *simAsk
		for _, a := range w.asks {
			if !a.due.After(next) {
				next, now = a.due, a
			}
		}
		if d := next.Sub(w.r.now); d > 0 {
			due, ok := w.r.s.Deadline()
			if ok && due.Before(next) { // belay may have something to say first
				w.wait(max(0, due.Sub(w.r.now)))
				continue
			}
			w.wait(d)
			w.read()
		}
		if now == nil {
			return
		}
		w.asks = slices.DeleteFunc(w.asks, func(a *simAsk) bool { return a == now })
		w.answer(now)
	}
}

func (w *taskSimulation) wait(d time.Duration) {
	if w.w != nil {
		w.w.later(d)
		return
	}
	w.r.wait(d)
}

// read takes what belay has written, and holds what may be written at all.
func (w *taskSimulation) read() {
	if w.w == nil {
		for ; w.looked < len(w.r.lines); w.looked++ {
			w.onLine(w.r.lines[w.looked], ExchangeID{})
		}
		return
	}
	for ; w.looked < len(w.w.outs); w.looked++ {
		out := w.w.outs[w.looked]
		if out.Op == OpWrite {
			w.onLine(string(out.Data), out.X)
		}
		for _, a := range w.all {
			a.closed = a.closed || out.Op == OpAbort && a.x == out.X
		}
	}
}

func (w *taskSimulation) onLine(line string, x ExchangeID) {
	w.note("→ %s", line)
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			TaskID    string          `json:"taskId"`
			RequestID json.RawMessage `json:"requestId"`
			Task      json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		return // the connection is closed
	}
	a := &simAsk{id: string(m.ID), method: m.Method, wished: len(m.Params.Task) > 0, x: x}
	a.due = w.r.now.Add(time.Duration(1+w.rnd.IntN(3000)) * time.Millisecond)
	k := w.tasks[m.Params.TaskID]
	if w.rnd.IntN(40) == 0 || m.Method == "tasks/get" && k.isLookedFor() && w.rnd.IntN(3) == 0 {
		a.due = w.r.now.Add(time.Hour) // as good as never
	}
	switch m.Method {
	case "notifications/cancelled":
		w.onCancelled(w.all[string(m.Params.RequestID)])
		return
	case "tools/call":
		for id := range w.calls {
			if row, ok := w.r.s.Row(id); ok && row.Wire.String() == a.id {
				a.call = id
			}
		}
	case "tasks/get":
		a.task = k
		w.onGet(k)
	case "tasks/cancel":
		a.task = k
		w.onCancel(k)
	case "tasks/result":
		a.task = k
		if !w.modern {
			w.onResult(k)
		} else {
			w.fail("tasks/result in 2026-07-28")
		}
	case methodListen:
		a.due = w.r.now.Add(time.Duration(w.rnd.IntN(500)) * time.Millisecond)
		w.onListen(a, line)
	case "ping", "server/discover":
		a.due = w.r.now.Add(time.Millisecond)
	}
	if a.id != "" {
		w.asks, w.all[a.id] = append(w.asks, a), a
	}
}

func (w *taskSimulation) onCancelled(a *simAsk) {
	switch {
	case a == nil:
		w.fail("notifications/cancelled names no request")
	case a.method == methodListen:
		a.closed = true
	case a.method == "tools/call" && a.wished:
		w.fail("notifications/cancelled names a call that runs as a task")
	case a.method == "tools/call" && a.task != nil && !a.task.toldAt.IsZero():
		w.fail("notifications/cancelled names a call whose handle was read")
	}
}

func (w *taskSimulation) onGet(k *simTask) {
	switch {
	case k == nil:
		w.fail("a poll of a task that there is not")
		return
	case k.epoch != w.r.epoch:
		w.fail("%s is polled, of a connection that has ended", k.id)
	case k.endedBy != "":
		if k.gets++; w.r.now.Sub(k.endedAt) < time.Second {
			w.fail("%s is polled %v after %s told its end", k.id, w.r.now.Sub(k.endedAt), k.endedBy)
		}
	}
	k.owed = false
	if !k.polledAt.IsZero() && w.r.now.Sub(k.polledAt) < 250*time.Millisecond {
		w.fail("%s is polled %v after an answer", k.id, w.r.now.Sub(k.polledAt))
	}
	if k.endedBy == "get" {
		w.fail("%s is polled after a poll told its end", k.id)
	}
	if k.endedBy != "" && k.gets > 1+k.refused { // the refusal of a cancel asks for one as well
		w.fail("%s is polled %d times after %s told its end", k.id, k.gets, k.endedBy)
	}
}

// onResult holds that a tasks/result which brings nothing is not made again at once.
func (w *taskSimulation) onResult(k *simTask) {
	if k.odd && w.r.now.Sub(k.resultAt) < time.Second && k.end == "" {
		w.fail("tasks/result of %s is sent again after %v", k.id, w.r.now.Sub(k.resultAt))
	}
	k.resultAt = w.r.now
}

func (w *taskSimulation) onCancel(k *simTask) {
	switch {
	case k == nil:
		w.fail("a cancel of a task that there is not")
		return
	case w.uncancellable:
		w.fail("%s is cancelled, at a server that does not declare it", k.id)
	case k.epoch != w.r.epoch:
		w.fail("%s is cancelled, of a connection that has ended", k.id)
	case k.endedBy != "":
		w.fail("a cancel of %s, whose end was told by %s", k.id, k.endedBy)
	}
	if k.cancels++; k.cancels > 1+k.again {
		w.fail("%s is cancelled %d times", k.id, k.cancels)
	}
	if !k.stopped {
		w.fail("%s is cancelled though nobody wanted it", k.id)
	}
}

// object is a task as the server tells it.
func (w *taskSimulation) object(k *simTask, full bool) string {
	ttl, interval := "ttl", "pollInterval"
	if w.modern {
		ttl, interval = "ttlMs", "pollIntervalMs"
	}
	members := fmt.Sprintf(`"taskId":%q,"status":%q,"createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":%q,%q:null,%q:1000`,
		k.id, k.status, w.r.now.UTC().Format(time.RFC3339Nano), ttl, interval)
	switch {
	case !full || !w.modern:
	case k.status == "completed":
		members += `,"result":{"resultType":"complete","content":[]}`
	case k.status == "failed":
		members += `,"statusMessage":"broken","error":{"code":-32603,"message":"broken"}`
	case k.status == "input_required":
		members += `,"inputRequests":{}`
	}
	return members
}

// answer has the server answer a request.
func (w *taskSimulation) answer(a *simAsk) {
	k := a.task
	complete := func(members string) string {
		if w.modern {
			members = strings.TrimSuffix(`"resultType":"complete",`+members, ",")
		}
		return `"result":{` + members + `}`
	}
	switch a.method {
	case "tools/call":
		w.answerCall(a)
	case methodListen:
		w.answerListen(a)
	case "tasks/get":
		w.look(k)
		switch {
		case w.rnd.IntN(40) == 0:
			w.deliver(a, `"error":{"code":-32603,"message":"busy"}`)
		case w.rnd.IntN(40) == 0:
			other := *k
			other.id, other.status = "another-task", "completed"
			w.seen["a poll that tells of another task"]++
			w.deliver(a, complete(w.object(&other, true)))
		case k.status == "gone":
			w.deliver(a, `"error":{"code":-32602,"message":"unknown"}`)
		default:
			body, status := complete(w.object(k, true)), k.status
			if w.deliver(a, body) {
				k.polledAt = w.r.now
				w.pickTold(k)
				w.told(k, "get", status)
			}
		}
	case "tasks/cancel":
		terminal := isTerminal(k.status)
		switch {
		case k.deaf && k.cancels == 1:
			w.seen["cancel never answered"]++
		case k.status == "gone", terminal && !w.modern:
			if w.deliver(a, `"error":{"code":-32602,"message":"terminal"}`) {
				k.refused++
				k.owed = k.endedBy != "get" && !w.isOut(k, "tasks/get")
				w.seen["cancel refused"]++
			}
		default:
			if !terminal && !k.ignore {
				k.status = "cancelled"
			}
			body := complete("")
			if !w.modern {
				body = complete(w.object(k, false))
			}
			status := k.status
			if !w.deliver(a, body) {
				return
			}
			k.acked = true
			if !w.modern {
				w.told(k, "cancel", status)
			}
		}
	case "tasks/result":
		switch {
		case k.status == "gone":
			w.deliver(a, `"error":{"code":-32602,"message":"unknown"}`)
		case !isTerminal(k.status):
			a.due = w.r.now.Add(time.Second) // it blocks
			w.asks = append(w.asks, a)
		case k.status == "cancelled":
			w.deliver(a, `"error":{"code":-32603,"message":"cancelled"}`)
		default:
			if w.isOut(k, "tasks/cancel") {
				w.seen["result before the acknowledgement"]++
			}
			if w.rnd.IntN(8) == 0 {
				k.odd = true
				w.seen["the outcome of another task"]++
				w.deliver(a, `"result":{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"another-task"}}}`)
				return
			}
			w.deliver(a, fmt.Sprintf(`"result":{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":%q}}}`, k.id))
		}
	default:
		w.deliver(a, complete(""))
	}
}

func isTerminal(status string) bool {
	return status == "completed" || status == "failed" || status == "cancelled"
}

func (w *taskSimulation) answerCall(a *simAsk) {
	if w.rnd.IntN(8) == 0 || !w.modern && !a.wished {
		w.deliver(a, `"result":{"resultType":"complete","content":[]}`)
		return
	}
	w.serial++
	k := &simTask{id: fmt.Sprintf("task-%08d-%d", w.rnd.IntN(1e8), w.serial), status: "working", ignore: w.rnd.IntN(3) == 0, deaf: w.rnd.IntN(6) == 0, epoch: w.r.epoch}
	w.tasks[k.id], a.task = k, k
	if w.rnd.IntN(6) == 0 && w.notice(k) {
		w.seen["notice before the handle"]++
	}
	body := `"result":{"task":{` + w.object(k, false) + `}}`
	if w.modern {
		body = `"result":{"resultType":"task",` + w.object(k, false) + `}`
	}
	row, _ := w.r.s.Row(a.call)
	stopped := row.State == Cancelling || row.State == Cancelled
	// Before its bytes are read nothing of it is known; what is told by them is known at once.
	k.toldAt = w.r.now
	k.stopped = stopped
	if !w.deliver(a, body) {
		k.toldAt = time.Time{}
		return
	}
	w.calls[a.call] = k
	if stopped {
		w.seen["handle after the cancel"]++
	}
}

// deliver writes an answer, unless nothing can come there any more.
func (w *taskSimulation) deliver(a *simAsk, member string) bool {
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, a.id, member)
	if w.w == nil {
		w.note("← %s", line)
		w.before(a)
		w.r.recv("%s", line)
		return true
	}
	if a.closed {
		return false
	}
	w.note("← %s", line)
	w.before(a)
	a.closed = true
	w.w.opened(a.x, Head{Status: 200, Media: mediaJSON})
	w.w.recvOn(a.x, "%s", line)
	w.w.ended(a.x, End{})
	return true
}

// before notes of an answer to tasks/get what is written in the same moment as it is read.
func (w *taskSimulation) before(a *simAsk) {
	if a.method == "tasks/get" && a.task != nil {
		a.task.polledAt = w.r.now
	}
}

// told notes that a status was delivered.
func (w *taskSimulation) told(k *simTask, by, status string) {
	if !isTerminal(status) || k.endedBy == "get" {
		return
	}
	for id, of := range w.calls {
		if row, ok := w.r.s.Row(id); ok && of == k {
			w.noteLeft(id, row.State)
		}
	}
	if k.end != "" && k.end != status && !k.left {
		w.seen["another end"]++
		if by == "get" && !slices.ContainsFunc(w.r.s.Diagnostics(), func(d Diagnostic) bool { return d.Code == mcp.DiagTaskFinal }) {
			w.fail("the end of %s was told as %s, and by %s as %s, which is not held against the server", k.id, k.end, by, status)
		}
	}
	if w.modern && by == "get" && w.isOut(k, "tasks/cancel") {
		w.seen["result before the acknowledgement"]++
	}
	if k.endedBy == "" {
		k.endedBy, k.endedAt, k.end = by, w.r.now, status
		w.seen["end told by the "+by]++
		k.wereOut = 0
		for _, a := range w.asks {
			if a.task == k && a.method == "tasks/get" {
				k.wereOut++
			}
		}
	}
	if by == "get" {
		w.seen["end polled"]++
		k.endedBy = "get"
	}
	w.read()
}

// notice has the server tell of a task without being asked just now, and reports whether
// there was a way.
func (w *taskSimulation) notice(k *simTask) bool {
	method, sub := "notifications/tasks/status", (*simListen)(nil)
	if w.modern {
		method, sub = "notifications/tasks", w.listenerOf(k)
	}
	x := w.stream
	switch {
	case sub != nil:
		x = sub.ask.x
	case w.w == nil: // some tell although nobody asked for it
	case w.modern || x == (ExchangeID{}):
		return false
	}
	status := k.status
	known := !k.toldAt.IsZero() && k.epoch == w.r.epoch
	meta := ""
	if sub != nil {
		meta = fmt.Sprintf(`,"_meta":{"io.modelcontextprotocol/subscriptionId":%s}`, sub.ask.id)
		w.seen["told by a subscription"]++
	}
	line := fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":{%s%s}}`, method, w.object(k, true), meta)
	w.note("← %s", line)
	if known && isTerminal(status) {
		w.seen["end told by a notice"]++
		defer w.told(k, "notice", status)
		if w.rnd.IntN(3) == 0 {
			k.status = []string{"completed", "failed", "cancelled"}[w.rnd.IntN(3)] // which it must not
		}
	}
	if w.w != nil {
		w.w.recvOn(x, "%s", line)
	} else {
		w.r.recv("%s", line)
	}
	return true
}

// step is one thing that the user or the server does.
func (w *taskSimulation) step() {
	switch w.rnd.IntN(14) {
	case 13:
		w.userPicksUp()
	case 12:
		w.endListen()
	case 0, 1:
		w.startCall()
	case 2, 3:
		w.userCancels()
		w.userCancelsAgain()
	case 4, 5, 6:
		w.serverWorks()
	case 7:
		w.userLeaves()
	case 8:
		if w.rnd.IntN(8) == 0 {
			w.reconnect()
		}
	}
	w.pass(time.Duration(w.rnd.IntN(1500)) * time.Millisecond)
	w.check()
}

func (w *taskSimulation) startCall() {
	spec := CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","arguments":{}}`), AsTask: !w.modern && w.rnd.IntN(8) > 0}
	if w.uncancellable { // then nothing but rules and clocks of its own can end the wait
		spec.Rules.After = time.Duration(w.rnd.IntN(5000)) * time.Millisecond
		spec.Idle = time.Duration(1+w.rnd.IntN(5000)) * time.Millisecond
	}
	reply, err := w.r.s.Handle(w.r.now, StartCall{Spec: spec})
	if err != nil {
		w.fail("%v", err)
		return
	}
	w.note("the user makes call %d", reply.Call)
	w.calls[reply.Call] = nil
	w.pump()
}

func (w *taskSimulation) pump() {
	if w.w != nil {
		w.w.pump()
	} else {
		w.r.pull()
	}
	w.read()
}

// some is one of the calls in flight.
func (w *taskSimulation) some() (Row, bool) {
	var running []Row
	for _, id := range slices.Sorted(maps.Keys(w.calls)) {
		if row, ok := w.r.s.Row(id); ok && row.IsInFlight() {
			running = append(running, row)
		}
	}
	if len(running) == 0 {
		return Row{}, false
	}
	return running[w.rnd.IntN(len(running))], true
}

func (w *taskSimulation) userCancels() {
	row, ok := w.some()
	if !ok {
		return
	}
	w.note("the user cancels call %d", row.ID)
	if k := w.calls[row.ID]; k != nil && k.endedBy == "" && row.State == Running && !w.uncancellable {
		k.stopped = true
		w.seen["cancel after the handle"]++
	} else if k == nil {
		w.seen["cancel without an ID"]++
	}
	_, err := w.r.s.Handle(w.r.now, Cancel{Call: row.ID})
	w.picksCancel(row, err)
	w.pump()
}

// userCancelsAgain presses the key on a row that was cancelled, whose task goes on.
func (w *taskSimulation) userCancelsAgain() {
	for _, id := range slices.Sorted(maps.Keys(w.calls)) {
		row, ok := w.r.s.Row(id)
		if k := w.calls[id]; !ok || k == nil || row.State != Cancelled || row.Task == nil || !row.Task.GoesOn {
			continue
		}
		_, err := w.r.s.Handle(w.r.now, Cancel{Call: id})
		if (err == nil) != row.Task.MayCancelAgain {
			w.fail("cancelling the task of call %d again: %v, and it is offered: %v", id, err, row.Task.MayCancelAgain)
		}
		if err != nil {
			continue
		}
		w.note("the user cancels the task of call %d again", id)
		w.calls[id].again++
		w.seen["cancel once more"]++
		if now, _ := w.r.s.Row(id); now.State != Cancelled || !now.Task.CancelsAgain || now.Verdict != row.Verdict {
			w.fail("the row is %v · %v by a second cancel, and was %v", now.State, now.Verdict, row.Verdict)
		}
		w.pump()
		return
	}
}

func (w *taskSimulation) userLeaves() {
	row, ok := w.some()
	if ok && row.Follows && row.Task == nil {
		w.leavesPick(row)
		return
	}
	if !ok || row.Task == nil || row.State != Running || w.rnd.IntN(3) > 0 {
		return
	}
	w.note("the user stops waiting for call %d", row.ID)
	w.calls[row.ID].left = true
	_, _ = w.r.s.Handle(w.r.now, StopWaiting{Call: row.ID})
	w.pump()
}

// serverWorks changes the status of a task, and may tell.
func (w *taskSimulation) serverWorks() {
	ids := slices.Sorted(maps.Keys(w.tasks))
	if len(ids) == 0 {
		return
	}
	k := w.tasks[ids[len(ids)-1-w.rnd.IntN(min(len(ids), 4))]]
	switch n := w.rnd.IntN(12); {
	case isTerminal(k.status) || k.status == "gone":
		if n < 2 {
			k.status = "gone"
		}
	case n < 3:
		k.status = "input_required"
	case n < 7:
		k.status = "working"
	case n < 9:
		k.status = "completed"
	case n < 10:
		k.status = "failed"
	case n < 11:
		k.status = "gone" // without an end
	}
	if k.epoch == w.r.epoch && k.status != "gone" && !k.toldAt.IsZero() && w.rnd.IntN(3) > 0 {
		w.notice(k)
	}
}

func (w *taskSimulation) reconnect() {
	for _, a := range w.asks {
		row, _ := w.r.s.Row(a.call)
		switch {
		case a.method == "tasks/cancel":
			w.seen["connection ended before the acknowledgement"]++
		case a.method == "tools/call" && (row.State == Cancelling || row.State == Cancelled):
			w.seen["connection ended between the cancel and the handle"]++
		case a.method == "tools/call":
			w.seen["connection ended before the handle"]++
		}
	}
	w.note("the connection ends")
	late := w.asks
	w.r.s.Tell(w.r.now, Closed{Epoch: w.r.epoch, Why: Close{Status: "exited with 1"}})
	w.check()
	w.asks, w.all, w.subs, w.stream = nil, map[string]*simAsk{}, nil, ExchangeID{}
	for _, k := range w.tasks {
		k.left = true
	}
	rev, declares := mcp.Revision(mcp.Rev20251125), w.declares()
	if w.modern {
		rev = mcp.Rev20260728
	}
	if w.w != nil {
		w.w.epoch = w.w.s.Tell(w.w.now, Connect{}).Epoch
		w.w.pump()
		w.w.agree(rev, declares)
		w.w.answerList(mcp.Tools, fresh, `{"name":"t","inputSchema":{"type":"object"}}`)
		w.looked = len(w.w.outs)
		w.openStream()
	} else {
		w.r.connect()
		w.r.wait(5 * time.Millisecond)
		w.r.agree(rev, declares)
		w.r.answerList(mcp.Tools, fresh, `{"name":"t","inputSchema":{"type":"object"}}`)
		w.looked = len(w.r.lines)
	}
	for _, a := range late { // what still comes from the connection that has ended touches nothing
		if a.method == "tools/call" && w.w != nil {
			w.serial++
			k := &simTask{id: fmt.Sprintf("task-stale-%d", w.serial), status: "working", left: true}
			w.tasks[k.id] = k
			body := `{"task":{` + w.object(k, false) + `}}`
			if w.modern {
				body = `{"resultType":"task",` + w.object(k, false) + `}`
			}
			w.w.recvOn(a.x, "%s", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, a.id, body))
			w.seen["handle of a connection that has ended"]++
		}
	}
}

// noteLeft notes that a task is waited for no more: by its timeout, say, where it cannot be cancelled.
func (w *taskSimulation) noteLeft(id CallID, state State) {
	if k := w.calls[id]; k != nil && w.uncancellable && state == Lost {
		k.left = true
		w.seen["left, as it cannot be cancelled"]++
	}
}

// check holds what may never be otherwise.
func (w *taskSimulation) check() {
	for id := range w.calls {
		row, ok := w.r.s.Row(id)
		if !ok {
			continue
		}
		if was, ended := w.ends[id]; ended && was != row.State {
			w.fail("call %d was %v, and is %v", id, was, row.State)
		}
		if row.State.IsTerminal() {
			w.ends[id] = row.State
		}
		w.noteLeft(id, row.State)
		if k := w.calls[id]; k != nil && k.end != "" && row.Task != nil && row.Task.Status.String() != k.end && k.epoch == w.r.epoch && !k.left {
			w.fail("the end of %s was told as %s, and is shown as %v", k.id, k.end, row.Task.Status)
		}
	}
	if err := w.r.s.Check(); err != nil {
		w.fail("%v", err)
	}
	if err := w.views.follow(w.r.s); err != nil {
		w.fail("%v", err)
	}
}

// finish lets everything come to its end, and holds what must have happened by then.
func (w *taskSimulation) finish() {
	for range 10 {
		w.pass(30 * time.Second)
		w.check()
		if w.t.Failed() {
			return
		}
	}
	for id, k := range w.calls {
		row, ok := w.r.s.Row(id)
		if !ok {
			continue
		}
		if row.State == Cancelled {
			w.seen[row.Verdict.String()]++
		}
		w.checkPick(k)
		if k == nil || k.left || k.epoch != w.r.epoch {
			continue
		}
		if k.owed && row.Task.End == task.Alive {
			w.fail("%s is not polled after the refusal of its cancel", k.id)
		}
		if k.stopped && k.pick == nil && k.cancels != 1+k.again {
			w.fail("%s of call %d was to be cancelled, and is cancelled %d times", k.id, id, k.cancels)
		}
		if k.endedBy != "" && k.endedBy != "get" && k.gets+k.wereOut == 0 {
			w.fail("%s is not polled after %s told its end", k.id, k.endedBy)
		}
		w.checkVerdict(k, row)
		if !w.modern && row.State == Running && (k.end == "completed" || k.end == "failed") && k.resultAt.Before(k.endedAt) {
			w.fail("%s is %s, and its outcome was asked for before that alone", k.id, k.end)
		}
	}
}

// checkVerdict holds the verdict on a task against what was delivered of it.
func (w *taskSimulation) checkVerdict(k *simTask, row Row) {
	if row.State != Cancelled || k.cancels == 0 {
		return
	}
	want := map[string][]cancel.Verdict{
		"completed": {cancel.TaskCompleted, cancel.Crossed, cancel.TaskRefused},
		"failed":    {cancel.TaskFailed, cancel.Crossed, cancel.TaskRefused},
		"cancelled": {cancel.TaskCancelled, cancel.TaskRefused},
	}[k.end]
	if k.refused > 0 {
		want = append(want, cancel.TaskWorking)
	}
	if !k.acked && k.refused == 0 && (k.end == "completed" || k.end == "failed") {
		want = []cancel.Verdict{cancel.TaskUnacknowledged, cancel.Crossed}
	}
	if k.end != "" && !slices.Contains(want, row.Verdict) {
		w.fail("the end of %s was told as %s, and the verdict is %v", k.id, k.end, row.Verdict)
	}
	if k.end == "" && (row.Verdict == cancel.TaskCancelled || row.Verdict == cancel.TaskCompleted || row.Verdict == cancel.TaskFailed) {
		w.fail("no end of %s was told, and the verdict is %v", k.id, row.Verdict)
	}
}
