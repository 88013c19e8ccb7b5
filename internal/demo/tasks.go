package demo

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The bounds of tasks.
const (
	maxTasks    = 500 // kept at a time, whatever their status
	minTTL      = time.Second
	maxTTL      = time.Hour // whatever a client asks for
	defaultTTL  = 5 * time.Minute
	expiringTTL = 5 * time.Second
	stuckTTL    = time.Minute
	tasksPage   = 5 // few, so that a list of a handful has pages
)

// The names by which tasks are spoken of.
const (
	withTasks       = "2025-11-25"                    // the revision that has them in the core
	extensionTasks  = "io.modelcontextprotocol/tasks" // the extension of 2026-07-28
	metaRelatedTask = "io.modelcontextprotocol/related-task"
)

// taskTool is how a tool runs as a task.
type taskTool struct {
	required bool          // it cannot run otherwise
	ttl      time.Duration // of its tasks
	fixed    bool          // whatever the client asks for
	ignores  bool          // a cancel is acknowledged, and changes nothing
}

// support is the word for it in a list of tools.
func (t taskTool) support() string {
	if t.required {
		return "required"
	}
	return "optional"
}

// taskTools are the tools that run as tasks. Where a revision has no tasks, they
// are not there.
var taskTools = map[string]taskTool{
	"task_ask":       {ttl: defaultTTL, required: true},
	"task_countdown": {ttl: defaultTTL},
	"task_expires":   {ttl: expiringTTL, fixed: true, required: true},
	"task_stubborn":  {ttl: defaultTTL, ignores: true, required: true},
	"task_stuck":     {ttl: stuckTTL, ignores: true, required: true},
}

// lifetime is the ttl of a task for which a client asks for so many
// milliseconds; nil: it does not say.
func (t taskTool) lifetime(asked *float64) time.Duration {
	if asked == nil || t.fixed {
		return t.ttl
	}
	return time.Duration(min(max(*asked, float64(minTTL.Milliseconds())), float64(maxTTL.Milliseconds()))) * time.Millisecond
}

// tasks are all tasks of a server, also those of sessions that have ended: who
// has the ID of a task, which cannot be guessed, may ask for it. There is no
// other authorization. What is kept is bounded by [maxTasks], and each task by
// [maxTTL].
type tasks struct {
	life context.Context // of the server

	mu   sync.Mutex
	all  map[string]*task
	made int
}

func newTasks(life context.Context) *tasks { return &tasks{life: life, all: map[string]*task{}} }

// create makes a task for a call that runs by work. It returns the task as it
// begins, whatever the work has made of it by then.
func (s *tasks) create(t *task, work func(*task) (mcp.Result, error)) (taskView, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for id, old := range s.all {
		if old.isExpired(now) {
			delete(s.all, id)
		}
	}
	if len(s.all) >= maxTasks {
		return taskView{}, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("there are %d tasks, and no more are kept: wait until some have expired", maxTasks)}
	}
	s.made++
	t.id, t.seq, t.created, t.updated = rand.Text(), s.made, now, now
	t.status = taskWorking
	life, stop := context.WithTimeout(s.life, t.ttl)
	t.life = life
	t.cancelled, t.over, t.streams = make(chan struct{}), make(chan struct{}), make(chan taskStream)
	t.replies = map[string]chan *mcp.ElicitResult{}
	t.owners, t.watchers = map[*mcp.ServerSession]bool{}, map[chan struct{}]bool{}
	s.all[t.id] = t
	begun, _ := t.view()
	go func() {
		defer stop()
		res, err := work(t)
		if t.life.Err() != nil {
			return // it was abandoned, and nobody asks any more
		}
		called, _ := res.(*mcp.CallToolResult)
		if err == nil && called == nil {
			err = fmt.Errorf("the call came to nothing")
		}
		t.finish(called, err)
	}()
	return begun, nil
}

func (t *task) isExpired(now time.Time) bool { return now.Sub(t.created) >= t.ttl }

// find returns a task of one of the two protocols; they know nothing of each
// other's.
func (s *tasks) find(id string, extension bool) (*task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.all[id]
	if t == nil || t.extension != extension || t.isExpired(time.Now()) {
		return nil, errNoTask(id)
	}
	return t, nil
}

func errNoTask(id string) error {
	return invalidParams("there is no task %q: it has expired, or never was", id)
}

// page returns the tasks of 2025-11-25 that a session knows, in the order of
// their creation, from the cursor on, and the cursor of what is left.
func (s *tasks) page(session *mcp.ServerSession, cursor string) (page []*task, next string, err error) {
	after := 0
	if cursor != "" {
		b, err := base64.RawURLEncoding.DecodeString(cursor)
		if err != nil || json.Unmarshal(b, &after) != nil || after <= 0 {
			return nil, "", invalidParams("the cursor is none that this server gave")
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for _, t := range s.all {
		if !t.extension && t.seq > after && !t.isExpired(now) && t.isKnown(session) {
			page = append(page, t)
		}
	}
	slices.SortFunc(page, func(a, b *task) int { return cmp.Compare(a.seq, b.seq) })
	if len(page) > tasksPage {
		page = page[:tasksPage]
		next = base64.RawURLEncoding.EncodeToString(fmt.Append(nil, page[tasksPage-1].seq))
	}
	return page, next, nil
}
