package mcp

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"time"

	"belay/session/rawjson"
	"belay/session/sentence"
)

// The metadata that binds a message to a task (2025-11-25, basic/utilities/tasks).
const metaRelatedTask = "io.modelcontextprotocol/related-task"

// metaImmediate is the metadata of the answer that creates a task, with which the server tells
// a model what to go on with meanwhile (2025-11-25, provisional).
const metaImmediate = "io.modelcontextprotocol/model-immediate-response"

// TasksExtension is the identifier of the extension that tasks are since 2026-07-28.
const TasksExtension = "io.modelcontextprotocol/tasks"

// ResultTask is the resultType of an answer that is the handle of a task (TEX-08; extensions/tasks).
const ResultTask = "task"

const (
	// MaxTaskID bounds the ID of a task, in bytes.
	MaxTaskID = 1024
	// MaxTasks bounds the tasks that are read of one page of tasks/list.
	MaxTasks = 10_000
	// longestTask bounds ttl and poll interval: a longer time is for ever.
	longestTask = 100 * 365 * 24 * time.Hour
)

// TaskNote is what Decode found of tasks in a result, or in the parameters of a
// notification about one.
type TaskNote struct {
	// Task is the task itself, and Nested tells that it is the member task of the
	// result, as in the answer that creates a task in 2025-11-25.
	Task   Task
	Nested bool

	List  []Task // the page of a list; nil: none
	Count int    // how many it holds
	Next  []byte // the cursor of the page after it, to the letter; nil: there is none
	Is    bool   // Task is one

	// Related is the ID of the task that the metadata of the message names; HasRelated
	// tells that there is such metadata.
	Related    string
	HasRelated bool

	// Immediate is what the server says until the outcome comes; empty: nothing.
	Immediate string
}

// Task is what a message says of one task, in either of the two protocols. All its
// text is foreign.
type Task struct {
	ID      string
	Wrong   string // why the ID is none; empty: it is one
	Long    bool   // … that is, for belay: no rule bounds its length
	Status  string // the word, perhaps an unknown one
	Message string // statusMessage

	Created, Updated time.Time // zero: absent or unreadable

	TTL      Millis // from its creation
	Interval Millis // of the polls

	// Of the extension: what its call itself would have been answered with, a result or
	// an error (nil: it has none), and what it asks for (nil: nothing).
	Outcome *Frame
	Inputs  *InputNote

	result []byte
	err    *RPCError

	// Lacks names what ought to be there and is not, or is malformed.
	Lacks []string
}

// Millis is a time that is given as a number of milliseconds.
type Millis struct {
	D         time.Duration
	Given     bool // a proper number
	Unlimited bool // null
	Odd       bool // something else
}

func millis(value []byte) (m Millis) {
	switch rawjson.Kind(value) {
	case 0:
		return m
	case 'n':
		m.Unlimited = true
		return m
	}
	n, ok := rawInteger(value)
	if m.Odd = !ok || n < 0; m.Odd {
		return m
	}
	m.Given = true
	m.D = time.Duration(min(n, int64(longestTask/time.Millisecond))) * time.Millisecond
	return m
}

// oddTime says what is wrong with a number that is no proper time. Of any other value that is not
// known here.
func oddTime(value []byte, other string) string {
	switch {
	case rawjson.Kind(value) != '0':
		return " " + other
	case value[0] == '-':
		return " is negative"
	}
	if id, _ := ParseID(value); id.IsInteger() {
		return " is too large a number"
	}
	return " is no whole number of milliseconds"
}

// readTask reads one task. The extension writes ttlMs and pollIntervalMs; what a
// task lacks is told by the names of its own protocol.
func readTask(object []byte) (t Task, has taskMembers) {
	if rawjson.Kind(object) != '{' {
		t.Wrong = "the task is " + rawjson.KindWords(object) + ", not an object"
		return t, has
	}
	for m := rawjson.MembersOf(object); ; {
		name, value, ok := m.Next()
		if !ok {
			break
		}
		t.member(&has, string(name), value)
	}
	t.check(has)
	return t, has
}

// taskMembers are the members of a task that were there.
type taskMembers struct{ id, status, created, updated, ttl, extension bool }

// isTask reports whether an object is meant as a task.
func (has taskMembers) isTask() bool { return has.id && has.status }

func (t *Task) member(has *taskMembers, name string, value []byte) {
	switch name {
	case "taskId":
		has.id = true
		id, ok := rawjson.Text(value)
		switch {
		case !ok:
			t.Wrong = "taskId is " + rawjson.KindWords(value) + ", not a string"
		case id == "":
			t.Wrong = "taskId is empty"
		case len(id) > MaxTaskID:
			t.Wrong, t.Long = fmt.Sprintf("taskId has %d bytes; belay takes %d at most", len(id), MaxTaskID), true
		default:
			t.ID = id
		}
	case "status":
		word, _ := rawjson.Text(value)
		has.status, t.Status = true, sentence.Clip(word)
	case "statusMessage":
		message, _ := rawjson.Text(value)
		t.Message = sentence.Clip(message)
	case "createdAt":
		t.Created, has.created = t.date(name, value), true
	case "lastUpdatedAt":
		t.Updated, has.updated = t.date(name, value), true
	case "ttl", "ttlMs":
		has.ttl, has.extension = true, has.extension || name == "ttlMs"
		if t.TTL = millis(value); t.TTL.Odd {
			t.Lacks = append(t.Lacks, name+oddTime(value, "is neither a number nor null"))
		}
	case "pollInterval", "pollIntervalMs":
		has.extension = has.extension || name == "pollIntervalMs"
		if t.Interval = millis(value); t.Interval.Odd || t.Interval.Unlimited {
			t.Lacks = append(t.Lacks, name+oddTime(value, "is no number of milliseconds"))
		}
	case "result":
		t.result = value
	case "error":
		if rawjson.Kind(value) == '{' {
			t.err = taskError(value)
		}
	case "inputRequests":
		t.Inputs = new(InputNote)
		t.Inputs.asks(value)
	}
}

// date reads a date of ISO 8601, as far as RFC 3339 has it.
func (t *Task) date(name string, value []byte) time.Time {
	text, _ := rawjson.Text(value)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Lacks = append(t.Lacks, name+" is no date of ISO 8601")
		return time.Time{}
	}
	return at
}

func (t *Task) check(has taskMembers) {
	ttl := "ttl"
	if has.extension {
		ttl = "ttlMs"
	}
	for _, m := range []struct {
		there bool
		name  string
	}{{has.id, "taskId"}, {has.status, "status"}, {has.created, "createdAt"}, {has.updated, "lastUpdatedAt"}, {has.ttl, ttl}} {
		if !m.there {
			t.Lacks = append(t.Lacks, m.name+" is missing")
		}
	}
	if t.Wrong == "" && t.ID == "" {
		t.Wrong = "taskId is missing"
	}
	slices.Sort(t.Lacks)
	t.Lacks = slices.Compact(t.Lacks)
}

// taskError reads the error that a task failed with, which is that of JSON-RPC.
func taskError(object []byte) *RPCError {
	e := new(RPCError)
	e.CodeRaw = rawjson.At(object, "code")
	e.Code, _ = rawInteger(e.CodeRaw)
	e.Message, _ = rawjson.TextAt(object, "message")
	e.Data = rawjson.At(object, "data")
	e.says = errorDataOf(e.Data)
	return e
}

// outcome reads what a task has ended with, as the answer that it stands for. Within it no
// task is looked for.
func (d *Decoder) outcome(f *Frame) {
	if f.Task == nil {
		return
	}
	t := &f.Task.Task
	defer func() { t.result, t.err = nil, nil }() // they lie in the message, which what is kept of the task would keep
	if !f.Task.Is {
		return
	}
	inner := &Frame{Raw: f.Raw, Owned: f.Owned, Size: f.Size, Began: f.Began}
	switch {
	case t.Status == "failed" && t.err != nil, t.Status == "completed" && t.result == nil && t.err != nil:
		inner.Kind, inner.Error = FrameError, *t.err
		if t.Status == "completed" { // of which it is no outcome either, but it is what came
			t.Lacks = append(t.Lacks, "it is completed, with an error in the place of a result")
		}
	case (t.Status == "completed" || t.Status == "failed") && t.result != nil:
		inner.Kind, inner.Result = FrameResult, t.result
		d.result(inner)
		inner.Task, inner.Inputs = nil, nil
		switch { // of a failed task it is no outcome, but it is what came (TEX-21; extensions/tasks)
		case t.Status == "failed" && inner.Shape.IsError: // the error of a tool is what the task is completed with
			t.Lacks = append(t.Lacks, "it is failed for the error of a tool")
		case t.Status == "failed":
			t.Lacks = append(t.Lacks, "it is failed, with a result in the place of an error")
		}
	default:
		return
	}
	t.Outcome = inner
}

// taskValues are the raw values of a result that tell of tasks.
type taskValues struct {
	task, id, list, related, immediate []byte

	handle bool // the result says that it is the handle of a task
}

// note is what they tell; nil: nothing.
func (v taskValues) note(result []byte) *TaskNote {
	if v.task == nil && v.id == nil && v.list == nil && v.related == nil && !v.handle {
		return nil
	}
	n := new(TaskNote)
	switch {
	case rawjson.Kind(v.task) == '{':
		n.Task, _ = readTask(v.task)
		n.Nested, n.Is = true, true
	case v.id != nil || v.handle:
		var has taskMembers
		n.Task, has = readTask(result)
		n.Is = has.isTask()
	}
	n.list(v.list)
	n.relate(v.related)
	n.Immediate, _ = rawjson.Text(v.immediate)
	return n
}

func (n *TaskNote) list(list []byte) {
	if rawjson.Kind(list) != '[' {
		return
	}
	n.List = []Task{}
	for e := rawjson.ElementsOf(list); ; {
		value, ok := e.Next()
		if !ok {
			return
		}
		if n.Count++; len(n.List) < MaxTasks {
			t, _ := readTask(value)
			t.result, t.err = nil, nil // a list tells of no outcome
			n.List = append(n.List, t)
		}
	}
}

// cursor takes that of the next page.
func (n *TaskNote) cursor(raw []byte) {
	if _, ok := rawjson.Text(raw); ok {
		n.Next = bytes.Clone(raw)
	}
}

func (n *TaskNote) relate(related []byte) {
	if n.HasRelated = related != nil; n.HasRelated {
		id, _ := rawjson.TextAt(related, "taskId")
		if len(id) <= MaxTaskID {
			n.Related = id
		}
	}
}

// taskNotice reads the parameters of a notification about a task.
func taskNotice(params []byte) *TaskNote {
	if rawjson.Kind(params) != '{' {
		return nil
	}
	n := &TaskNote{Is: true}
	n.Task, _ = readTask(params)
	n.relate(rawjson.At(MetaOf(params), metaRelatedTask))
	return n
}

// RelatedTask is the ID of the task that the metadata of a request names.
func RelatedTask(params []byte) (id string, has bool) {
	var n TaskNote
	n.relate(rawjson.At(MetaOf(params), metaRelatedTask))
	return n.Related, n.HasRelated
}

// AppendRelated appends a result that names its task in its metadata, as an answer to a request
// that belongs to a task must (TSK-46; basic/utilities/tasks). Metadata that the result has
// already is kept.
func AppendRelated(dst, result []byte, id string) []byte {
	related := append(rawjson.AppendQuote([]byte(`{"taskId":`), id), '}')
	meta, ok := rawjson.Lookup(result, "_meta")
	if !ok || rawjson.Kind(meta) != '{' {
		meta = []byte("{}")
	}
	meta = rawjson.Without(meta, metaRelatedTask)
	meta = append(rawjson.AppendMember(rawjson.Unclosed(meta), rawjson.AppendQuote(nil, metaRelatedTask), related), '}')
	dst = append(dst, rawjson.Unclosed(rawjson.Without(result, "_meta"))...)
	return append(rawjson.AppendMember(dst, []byte(`"_meta"`), meta), '}')
}

// AppendTask appends the parameters of a call with the wish that it runs as a task, for so long; a
// ttl of zero names no time (TSK-14, TSK-20; basic/utilities/tasks).
func AppendTask(dst, params []byte, ttl time.Duration) []byte {
	wish := []byte("{}")
	if ttl > 0 {
		wish = append(strconv.AppendInt([]byte(`{"ttl":`), ttl.Milliseconds(), 10), '}')
	}
	dst = append(dst, rawjson.Unclosed(rawjson.Without(params, "task"))...)
	return append(rawjson.AppendMember(dst, []byte(`"task"`), wish), '}')
}

// WishesTask reports whether the parameters of a call ask for a task, and for how long; a ttl
// of zero: they name no time.
func WishesTask(params []byte) (ttl time.Duration, wishes bool) {
	wish := rawjson.At(params, "task")
	return millis(rawjson.At(wish, "ttl")).D, rawjson.Kind(wish) == '{'
}

// TaskParams are the parameters of a request about a task.
func TaskParams(id string) []byte {
	return append(rawjson.AppendQuote([]byte(`{"taskId":`), id), '}')
}
