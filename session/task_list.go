package session

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
	"belay/session/task"
)

const (
	// maxListed bounds the tasks of a server that are kept of its list, and listedBytes
	// their text.
	maxListed   = 10_000
	listedBytes = 8 << 20
	// crowdedPage is how many tasks on one page are told (TSK-55; basic/utilities/tasks).
	crowdedPage = 1000
	// maxTwice bounds the IDs that are told as listed twice.
	maxTwice = 100
)

// ListTasks fetches the first page of the server's tasks, or with More the page after the last one
// that came. Only 2025-11-25 has the method (TSK-05, TSK-54; basic/utilities/tasks).
type ListTasks struct {
	More bool `json:"more,omitempty"`
}

func (in ListTasks) check(s *Session) error {
	l, unready := &s.tasks.listed, unready(s.conn.phase, s.cfg.Transport)
	switch {
	case unready != nil:
		return unready
	case s.conn.taskProtocol() != task.Core:
		return refuse(RefuseUnsupported, "in %s no request lists the tasks", s.conn.rev)
	case !s.conn.server.Has.TaskLists:
		return refuse(RefuseUndeclared, "the server does not declare tasks.list")
	case l.isLoading():
		return refuse(RefuseParams, "tasks/list is out already")
	case in.More && l.next == nil:
		return refuse(RefuseParams, "there is no further page")
	}
	return nil
}

func (in ListTasks) apply(s *Session) Reply {
	l := &s.tasks.listed
	spec := CallSpec{Method: methodTaskList, Origin: FromBelay, NoProgress: true, Idle: pollLimit, Max: pollLimit}
	if in.More {
		spec.Params = append(append([]byte(`{"cursor":`), l.next...), '}') // to the letter (TSK-56; basic/utilities/tasks)
	} else {
		*l = taskList{at: map[string]listedAt{}}
	}
	l.problem = ""
	l.call = s.newCall(spec, nil)
	return Reply{Call: l.call.id}
}

// ListedTask is a task as the server lists it. Its text is foreign.
type ListedTask struct {
	ID, Status, Message string
	Created             time.Time // zero: the server does not say
	TTL                 mcp.Millis
	End                 task.End  // how a poll since the list came saw the task end, its terminal status aside
	Told                time.Time // when its status was told: its page came, or what belay has seen since

	Past task.Status // in which belay had seen it end before its page came; no terminal one: belay had not
}

// TaskListView is what is known of the server's own list of its tasks.
type TaskListView struct {
	Tasks   []ListedTask // in the order in which they came, each ID once; not to be changed
	Asked   bool         // the list was asked for in this connection
	Loading bool
	Stops   bool      // … and its request is being cancelled
	More    bool      // there is a further page
	Pages   int       // that came
	Came    time.Time // when the last of these did
	Problem string    // why the last page did not come, or what is wrong; may hold foreign text
	Missing []string  // IDs of tasks that tasks/get finds and the whole list lacks (TSK-57; basic/utilities/tasks)
	Twice   []string  // IDs that one page lists more than once: what came last is shown
}

// taskList is what came of tasks/list.
//
//shape:part of tasks
type taskList struct {
	call    *call // of the page that is out, or came last; nil: none was asked for
	tasks   []ListedTask
	bytes   int
	next    []byte      // the cursor of the page after the last one that came, raw; nil: there is none
	used    []cursorSum // of the cursors that were sent back
	pages   int
	came    time.Time // the last of them
	problem string
	odd     string // what is wrong with the tasks of a page
	missing []string
	at      map[string]listedAt
	twice   []string
}

// cursorSum is a digest of a cursor: of each page one is kept.
type cursorSum [sha256.Size]byte

// listedAt is where an ID of the list was listed last.
//
//shape:part of tasks
type listedAt struct {
	index, page int
	came        time.Time // its page
	again       bool      // it stands in twice
}

func (l *taskList) isLoading() bool { return l.call != nil && !l.call.state.IsTerminal() }

// missedWords say why the page that was asked for last did not come; empty: it came, or may still
// come. It is told by what became of its request, and an answer after that is not taken.
func (l *taskList) missedWords() string {
	c := l.call
	if c == nil || !c.state.IsTerminal() || c.state == Done {
		return ""
	}
	words := "tasks/list is " + c.state.String()
	if c.stop != nil && c.stop.By == cancel.ByTimeout {
		words = "tasks/list timed out"
	}
	if c.remark.text != "" {
		words += ": " + c.remark.text
	}
	if c.late != nil {
		words += ", and its answer came too late"
	}
	return words
}

// view is what is shown of the list.
func (l *taskList) view() TaskListView {
	return TaskListView{
		Tasks: slices.Clip(l.tasks), Missing: l.missing, Pages: l.pages, Came: l.came, More: l.next != nil,
		Asked: l.call != nil, Loading: l.isLoading(), Stops: l.isLoading() && l.call.state == Cancelling,
		Problem: cmp.Or(l.problem, l.missedWords(), l.odd), Twice: l.twice,
	}
}

// onList takes the answer to the request for a page of tasks, over HTTP with its exchange.
func (t *tasks) onList(c *call, f *mcp.Frame, via *exchange) {
	l := &t.listed
	if l.call != c {
		return
	}
	switch {
	case f.Kind == mcp.FrameError && f.Error.Code == mcp.CodeInvalidParams && l.pages > 0:
		l.next, l.problem = nil, fmt.Sprintf("the server rejected its own cursor after page %d", l.pages)
	case f.Kind == mcp.FrameError:
		l.problem = "refused: " + f.Error.Words()
	case f.Kind != mcp.FrameResult || f.Task == nil || f.Task.List == nil:
		l.next, l.problem = nil, "the answer is no list of tasks"
	default:
		t.onListPage(c, f.Task)
		if via != nil && !via.head.Credentials {
			t.tellOpenList(f.Task)
		}
	}
}

// onListPage takes a page.
func (t *tasks) onListPage(c *call, n *mcp.TaskNote) {
	l := &t.listed
	l.pages, l.came = l.pages+1, t.now
	if n.Count > crowdedPage {
		t.note(c, fmt.Sprintf("%d tasks on one page: the list ought to come in smaller ones", n.Count))
	}
	rest, wrong, long := n.Count-len(n.List), 0, 0
	l.tasks = slices.Clone(l.tasks) // what the screen has of them stays as it is
	for i := range n.List {
		told := &n.List[i]
		if told.Long {
			long++
		} else if told.Wrong != "" {
			wrong++
		} else if !l.add(told, t.now, t.ids[told.ID].status) {
			rest += len(n.List) - i
			break
		}
	}
	if words := oddTasks(wrong, long); words != "" {
		l.odd = fmt.Sprintf("of %d on page %d, %s", n.Count, l.pages, words)
	}
	if n.Next == nil {
		l.missing = t.unlisted()
	}
	why := l.goOn(n.Next)
	if rest > 0 {
		l.next, why = nil, fmt.Sprintf("more than belay lists: %d tasks of page %d are left out", rest, l.pages)
	}
	if why != "" {
		l.problem = why
	}
}

// goOn takes the cursor of the page after the last one, and says why that page will not be asked for; empty: it may
// be, or there is none.
func (l *taskList) goOn(next []byte) (why string) {
	if l.next = nil; next == nil {
		return ""
	}
	if len(next) > maxCursor {
		return fmt.Sprintf("the cursor of page %d takes %s; belay sends at most %s back", l.pages+1, sentence.Size(len(next)), sentence.Size(maxCursor))
	}
	cursor, _ := rawjson.Text(next)
	sum := cursorSum(sha256.Sum256([]byte(cursor)))
	if slices.Contains(l.used, sum) {
		return fmt.Sprintf("the pages go round in circles: page %d names a cursor of before", l.pages)
	}
	if l.used = append(l.used, sum); len(l.used) > maxListed { // pages without tasks
		return fmt.Sprintf("belay stopped after page %d", l.pages)
	}
	l.next = slices.Clone(next)
	return ""
}

// oddTasks say how many of what is listed are no tasks, and how many have IDs that cannot be used; empty: none.
func oddTasks(wrong, long int) string {
	var all []string
	switch {
	case wrong == 1:
		all = append(all, "1 is no task")
	case wrong > 1:
		all = append(all, fmt.Sprintf("%d are no tasks", wrong))
	}
	switch {
	case long == 1:
		all = append(all, "1 has an ID that is too long to be used")
	case long > 1:
		all = append(all, fmt.Sprintf("%d have IDs that are too long to be used", long))
	}
	return strings.Join(all, ", and ")
}

// tellOpenList tells of a server that lists what others have begun for a client that has shown no
// identity: it lists the tasks of this client for others as well (TSK-70; basic/utilities/tasks).
func (t *tasks) tellOpenList(n *mcp.TaskNote) {
	own, unnamed := map[string]bool{}, t.handles.unnamedOnes()
	for _, other := range t.rows.tasks { // those of earlier connections as well
		own[other.task().ID] = true
	}
	for i := range n.List {
		id := n.List[i].ID
		_, here := t.ids[id]
		_, kept := t.kept.held[id]
		switch {
		case n.List[i].Wrong != "" || here || kept || own[id]:
		case unnamed > 0: // it may be one of these
			unnamed--
		default:
			t.diagnose(mcp.DiagTaskLists, 0, "", sentence.Name(id)) // of no call: each page is one
			return
		}
	}
}

// add keeps a task of the list, and reports whether there is room. One that is listed again, as is
// usual where the list has grown between two pages, takes the place of what came before. Past is the
// status in which belay has seen it end.
func (l *taskList) add(t *mcp.Task, now time.Time, past task.Status) bool {
	n := len(t.ID) + len(t.Status) + len(t.Message)
	at, again := l.at[t.ID]
	if l.bytes+n > listedBytes || !again && len(l.tasks) == maxListed {
		return false
	}
	l.bytes += n
	listed := ListedTask{ID: t.ID, Status: t.Status, Message: t.Message, Created: t.Created, TTL: t.TTL, Told: now, Past: past}
	if !again {
		at.index = len(l.tasks)
		l.tasks = append(l.tasks, listed)
	}
	if again && at.page == l.pages && !at.again && len(l.twice) < maxTwice {
		at.again = true
		l.twice = append(slices.Clip(l.twice), t.ID)
	}
	at.page, at.came = l.pages, now
	l.at[t.ID], l.tasks[at.index] = at, listed
	return true
}

// takeOverSeen has the list tell what belay has seen of a task since the list came, or that it has ended:
// the row that told so is shown there no more.
func (l *taskList) takeOverSeen(id string, rows []*call, epoch Epoch) {
	at, here := l.at[id]
	if !here {
		return
	}
	listed, seen := l.tasks[at.index], at.came
	for _, c := range slices.Backward(rows) {
		v := c.task().View()
		later := v.Seen.After(seen) && !task.ParseStatus(listed.Status).IsTerminal()
		if v.ID == id && c.epoch == epoch && c.ended.After(at.came) && (v.End == task.Gone || v.End == task.Expired) {
			listed.End = v.End
		}
		if v.ID != id || c.epoch != epoch || !v.Status.IsTerminal() && !later {
			continue
		}
		listed.Status, listed.Message, seen = v.Status.String(), v.Message, v.Seen
		listed.Told = seen
	}
	l.tasks = slices.Clone(l.tasks) // what the screen has of them stays as it is
	l.tasks[at.index] = listed
}

// unlisted are the tasks that the whole list lacks, although the last poll found them.
func (t *tasks) unlisted() (ids []string) {
	listed := make(map[string]bool, len(t.listed.tasks))
	for i := range t.listed.tasks {
		listed[t.listed.tasks[i].ID] = true
	}
	for _, k := range t.all {
		if !listed[k.ID] && k.IsFound() && len(ids) < 100 {
			ids = append(ids, k.ID)
		}
	}
	return ids
}

// TaskRows appends the rows of this run that are, or were, tasks, newest first: all that are in flight, or
// whose task is not known to have ended, and of the others the newest, at most limit of them; below
// 0: all. One of a task that the user has forgotten is a row of the past, and no more than that.
func (l *log) TaskRows(dst []*TaskRow, limit int) []*TaskRow {
	newer := map[string]bool{} // the IDs of tasks that a newer row tells of
	for _, c := range slices.Backward(l.rows.tasks) {
		if l.rows.get(c.id) != c || c.task().forgotten {
			continue
		}
		v := c.task().View()
		isOpen := !c.state.IsTerminal() || !newer[v.ID] && !v.IsKnownOver()
		newer[v.ID] = true
		if !isOpen && limit == 0 {
			continue
		}
		if !isOpen {
			limit--
		}
		dst = append(dst, l.taskRowOf(c))
	}
	return dst
}

func (l *log) taskRowOf(c *call) *TaskRow {
	made := CallID(0)
	if maker := l.makerOf(c); maker != nil {
		made = maker.id
	}
	return &TaskRow{
		Call: c.id, Made: made, Wire: c.wire(), Tool: l.toolOf(c), Created: l.madeAt(c),
		State: c.state, Adrift: l.isAdrift(c), Task: *l.taskView(c),
	}
}

// TaskRow is the newest row of a task, by its ID; nil: none is remembered.
func (l *log) TaskRow(id string) *TaskRow {
	for _, c := range slices.Backward(l.rows.tasks) {
		if k := c.task(); k.ID == id && !k.forgotten && l.rows.get(c.id) == c {
			return l.taskRowOf(c)
		}
	}
	return nil
}

// madeAt is when the task of a call was made. Of a task that was picked up the server says it, or the
// call that made the task, or what an earlier run has kept; zero: it is not known (TSK-36;
// basic/utilities/tasks).
func (l *log) madeAt(c *call) time.Time {
	maker := l.makerOf(c)
	switch at := c.task().View().Created; {
	case maker == c:
		return c.created
	case !at.IsZero():
		return at
	case maker != nil:
		return maker.created
	}
	return l.kept.made[c.target]
}

// TaskRow is a row that is, or was, a task.
type TaskRow struct {
	Call    CallID
	Made    CallID // the call that made the task; 0: that is not known
	Wire    mcp.ID
	Tool    string // that it runs; empty: it is not known; foreign text
	State   State
	Created time.Time // when the task was made: see [log.madeAt]
	Adrift  bool      // its connection has ended before the task, as far as is known: [PollTask] takes it up over this one
	Task    TaskView
}

// maxTaskRows bounds the rows that are remembered as tasks, those in flight aside.
const maxTaskRows = 1000

// onTask remembers a row as one of a task. The one that gives way has a task that is known to have ended, if
// there is such a row, and is in flight in no case.
func (r *rows) onTask(c *call) {
	if len(r.tasks) >= maxTaskRows {
		over := func(other *call) bool { v := other.task().View(); return v.IsKnownOver() && other.state.IsTerminal() }
		at := slices.IndexFunc(r.tasks, over)
		if at < 0 {
			at = slices.IndexFunc(r.tasks, func(other *call) bool { return other.state.IsTerminal() })
		}
		if at >= 0 {
			r.tasks = slices.Delete(r.tasks, at, at+1)
		}
	}
	r.tasks = append(r.tasks, c)
}

// KeptBefore are the tasks of an earlier run that may go on at this server, and that this run does
// not follow: those of the protocol of the connection whose time is not over (TEX-63;
// extensions/tasks).
func (l *log) KeptBefore(now time.Time) (tasks []KeptTask) {
	for _, id := range l.kept.before {
		t := l.kept.held[id]
		if l.conn.phase == Ready && t.Protocol == l.conn.taskProtocol() && (t.Expires.IsZero() || t.Expires.After(now)) {
			tasks = append(tasks, t)
		}
	}
	return tasks
}
