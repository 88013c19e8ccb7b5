package tasks

import (
	"image"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/rawjson"
	"belay/session/task"
	"belay/ui/canvas"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/row"
	"belay/ui/scope"
)

// rowsMost bounds the tasks of this run that the list shows: of those that have ended, see
// [session.Session.TaskRows].
const rowsMost = 200

// List is the panel of the tasks: first those of this run, then what else the server lists.
type List struct {
	t   *Tasks
	all []entry // as they were drawn last
	at  int     // the chosen one

	top    int
	height int
	chosen string // the ID of the chosen entry, which stays when others come

	calledBy session.CallID // whose arguments were read last …
	called   safe.Text      // … and what they are, in words
}

// entry is one line of the list.
type entry struct {
	id     string              // foreign
	row    *session.TaskRow    // nil: it is no row of this run
	listed *session.ListedTask // as the server lists it; nil: it does not
	kept   *session.KeptTask   // of an earlier run
}

// Running counts the calls that run as tasks.
func (t *Tasks) Running() (n int) {
	t.host.View(func(s *session.Session) {
		for _, r := range s.TaskRows(nil, rowsMost) {
			if r.State == session.Running {
				n++
			}
		}
	})
	return n
}

// open lays the list over the panes, and asks the server for its own where that is possible.
func (t *Tasks) open() tea.Cmd {
	l := &List{t: t}
	l.pull(t.host.Screen().Status)
	t.host.Push(l)
	if s := t.host.Screen().Status; l.noList(s) == "" && !s.TaskList.Asked {
		return l.fetch(false)
	}
	return nil
}

// entries are the lines, as of now.
func (l *List) entries(s *session.Status) (all []entry) {
	var rows []*session.TaskRow
	l.t.host.View(func(core *session.Session) { rows = core.TaskRows(nil, rowsMost) })
	own := map[string]int{} // from 1
	for _, r := range rows {
		if own[r.Task.ID] == 0 {
			all = append(all, entry{id: r.Task.ID, row: r})
			own[r.Task.ID] = len(all)
		}
	}
	for _, k := range l.t.before() {
		if own[k.ID] == 0 {
			all = append(all, entry{id: k.ID, kept: &k})
			own[k.ID] = len(all)
		}
	}
	for i := range s.TaskList.Tasks {
		t := &s.TaskList.Tasks[i]
		if at := own[t.ID]; at > 0 {
			all[at-1].listed = t
			continue
		}
		all = append(all, entry{id: t.ID, listed: t})
	}
	return all
}

// current is the chosen entry, and false where there is none.
func (l *List) current() (entry, bool) {
	if l.at >= len(l.all) {
		return entry{}, false
	}
	l.know(l.all[l.at : l.at+1])
	return l.all[l.at], true
}

// know has entries that only the server lists tell what belay itself knows of their tasks: of those
// of this run that have ended no more than [rowsMost] are looked through beforehand.
func (l *List) know(some []entry) {
	l.t.host.View(func(s *session.Session) {
		for i := range some {
			if e := &some[i]; e.row == nil && e.listed != nil {
				e.row = s.TaskRow(e.id)
			}
		}
	})
}

// pull takes the lines as they are now. The choice stays on its task when others come
// before it.
func (l *List) pull(s *session.Status) {
	l.all = l.entries(s)
	for i := range l.all {
		if l.chosen != "" && l.all[i].id == l.chosen {
			l.at = i
			break
		}
	}
	l.move(0)
}

func (l *List) move(n int) {
	if l.at = max(0, min(l.at+n, len(l.all)-1)); l.at < len(l.all) {
		l.chosen = l.all[l.at].id
	}
}

// Scope is where its keys work.
func (l *List) Scope() keymap.Scope { return scope.Tasks }

// Key takes none: what can be done are bindings.
func (l *List) Key(k tea.KeyPressMsg) tea.Cmd { return l.t.host.Want(panel.PaneKey{Key: k}) }

// Paste takes nothing.
func (l *List) Paste(string) tea.Cmd { return nil }

// Close changes nothing about the tasks.
func (l *List) Close() tea.Cmd {
	l.t.host.Pop(l)
	return nil
}

// noList says why the server's own list cannot be asked for.
func (l *List) noList(s *session.Status) safe.Text {
	switch {
	case l.t.host.Screen().Recorded:
		return "a recording: of these tasks it tells, up to here"
	case s.Phase != session.Ready:
		return "not connected: belay knows of these tasks"
	case s.Revision.IsModern():
		return "this revision lists no tasks: belay knows of these tasks"
	case !s.HasTasks():
		return "the server declares no tasks"
	case !s.Server.Has.TaskLists:
		return "the server does not declare tasks.list: belay knows of these tasks"
	}
	return ""
}

// fetch asks for the first page of the server's list, or the next one.
func (l *List) fetch(more bool) tea.Cmd {
	if _, err := l.t.host.Do(session.ListTasks{More: more}); err != nil {
		return l.t.host.Say(panel.Error(err))
	}
	return nil
}

// Draw draws the list.
func (l *List) Draw(f *panel.Frame) *image.Point {
	l.pull(f.Status)
	all := l.all
	w := min(120, f.Layout.Body.Dx()-4)
	notes := wrapped(l.notes(f), w-4, f.Layout.Body.Dy()/4)
	g := f.Box(w, min(f.Layout.Body.Dy()-2, max(1, len(all))+len(notes)+3), "Tasks", f.Styles.FrameFocus)
	g = g.Sub(1, 0, g.W()-2, g.H())
	rows := g.Sub(0, 1, g.W(), max(0, g.H()-len(notes)-3))
	l.height = rows.H()
	l.top = max(0, min(max(min(l.top, l.at), l.at-rows.H()+1), len(all)-rows.H()))
	shown := all[l.top:min(l.top+rows.H(), len(all))]
	l.know(shown)
	lines := make([][6]safe.Text, len(shown))
	for i := range shown {
		lines[i] = l.words(f, &shown[i])
	}
	room := g.W() - 1
	if len(all) > rows.H() { // the thumb stands at the edge
		room -= 2
	}
	c := columnsOf(room, lines)
	c.put(g.Row(0), heads, f.Styles.Muted)
	for y := range lines {
		lines[y][0] = safe.QuotedCutMiddle(shown[y].id, min(c[0], idMost))
		c.put(rows.Row(y), lines[y], f.Styles.Text)
		if l.top+y == l.at {
			f.Select(rows.Row(y), true)
		}
	}
	f.Thumb(rows, l.top, len(all))
	if len(all) == 0 && rows.H() > 0 {
		rows.Put(1, 0, l.noneWords(f.Status), f.Styles.Muted)
	}
	for i, n := range notes {
		g.Put(0, g.H()-1-len(notes)+i, safe.Cut(n.Text, g.W()), n.Style)
	}
	f.Hint(g.Row(g.H()-1), 0, scope.Tasks)
	return nil
}

// noneWords stand where there is no task to show: of a server whose list has not come as a whole, it
// is not known that there is none.
func (l *List) noneWords(s *session.Status) safe.Text {
	list := &s.TaskList
	if l.noList(s) == "" && (list.Loading || list.More || list.Problem != "") {
		return "no task is known so far"
	}
	return "no tasks"
}

// wrapped breaks what is said below the list into at most so many lines in all, as far as each
// segment has one.
func wrapped(notes []panel.Segment, width, most int) (lines []panel.Segment) {
	spare := max(0, most-len(notes))
	for _, n := range notes {
		broken := safe.Wrap(n.Text, width, 1+spare)
		spare -= max(0, len(broken)-1)
		for _, text := range broken {
			lines = append(lines, panel.Segment{Text: text, Style: n.Style})
		}
	}
	return lines
}

// notes are what is said below the list.
func (l *List) notes(f *panel.Frame) (notes []panel.Segment) {
	s, list := f.Status, &f.Status.TaskList
	say := func(text safe.Text, style canvas.Style) {
		notes = append(notes, panel.Segment{Text: text, Style: style})
	}
	if words := l.calledWith(); words != "" {
		say(words, f.Styles.Text)
	}
	why := l.noList(s)
	switch {
	case why != "":
		say(why, f.Styles.Muted)
	case list.Stops:
		say("tasks/list is being cancelled"+f.Glyphs.Dots, f.Styles.Muted)
	case list.Loading && list.Pages > 0:
		say(wording.Thousands(len(list.Tasks))+" listed so far · the next page is asked for"+f.Glyphs.Dots, f.Styles.Muted)
	case list.Loading:
		say("tasks/list is asked"+f.Glyphs.Dots, f.Styles.Muted)
	case list.More:
		say(wording.Thousands(len(list.Tasks))+" listed so far · m loads more", f.Styles.Muted)
	case list.Problem == "" && list.Asked:
		text := wording.Thousands(len(list.Tasks)) + " listed by the server, in " + wording.Count(list.Pages, "page")
		if age := f.Now.Sub(list.Came); age >= oldList {
			text += ", " + row.Span(age.Truncate(time.Second)) + " ago · r asks anew"
		}
		say(text, f.Styles.Muted)
	}
	if list.Problem != "" {
		say(safe.LineN(list.Problem, 300), f.Styles.Warn)
	}
	if n := len(list.Twice); n > 0 {
		say("listed twice, shown as listed last: "+safe.QuotedCut(list.Twice[0], 60)+more(n-1), f.Styles.Warn)
	}
	if n := len(list.Missing); n > 0 {
		say("not listed, although tasks/get finds it: "+safe.QuotedCut(list.Missing[0], 60)+more(n-1), f.Styles.Warn)
	}
	return notes
}

// oldList is from when on the age of the server's list is told: others may have begun tasks since.
const oldList = 10 * time.Second

// argumentsMost bounds what is read of the arguments of the chosen task.
const argumentsMost = 300

// calledWith tells the arguments by which the chosen task is told from others of its tool; empty:
// none is chosen.
func (l *List) calledWith() safe.Text {
	const unknown = "what it was called with is not known"
	e, ok := l.current()
	switch {
	case !ok:
		return ""
	case e.row == nil || e.row.Made == 0:
		return unknown
	case e.row.Made != l.calledBy:
		l.calledBy, l.called = e.row.Made, unknown
		l.t.host.View(func(s *session.Session) {
			d, ok := s.Detail(e.row.Made)
			if args := rawjson.At(d.Params, "arguments"); ok && len(args) > 0 {
				l.called = "called with " + safe.LineN(string(args[:min(len(args), argumentsMost)]), argumentsMost)
			}
		})
	}
	return l.called
}

func more(n int) safe.Text {
	if n == 0 {
		return ""
	}
	return " and " + wording.Thousands(n) + " more"
}

// idMost bounds the ID of a task in the list. It is cut in its middle, as the IDs of a server often
// begin alike.
const idMost = 60

// words are the cells of an entry.
func (l *List) words(f *panel.Frame, e *entry) [6]safe.Text {
	id := safe.QuotedCutMiddle(e.id, idMost)
	if t := e.listed; t != nil && e.row == nil {
		kept, tool := safe.Text(""), ""
		if e.kept != nil {
			tool = e.kept.Tool
		}
		switch {
		case t.TTL.Unlimited:
			kept = "no expiry"
		case t.TTL.Given && !t.Created.IsZero():
			kept = until(t.Created.Add(t.TTL.D), f.Now)
		}
		status := wording.NameIn(t.Status, 14)
		switch {
		case e.listed.Past.IsTerminal():
			status = safe.Text(e.listed.Past.String())
		case isOver(t.End):
			status = endWord(t.End)
		case !hasEnded(t.Status):
			status += aged(f.Now.Sub(t.Told))
		}
		return [...]safe.Text{id, toolName(tool), "", status, created(t.Created), kept}
	}
	if t := e.kept; t != nil {
		kept := safe.Text("")
		if !t.Expires.IsZero() {
			kept = until(t.Expires, f.Now)
		}
		return [...]safe.Text{id, toolName(t.Tool), "", "kept from before", dated(t.Made, f.Now), kept}
	}
	t := &e.row.Task
	kept := safe.Text("")
	switch {
	case t.Unlimited:
		kept = "no expiry"
	case !t.Expires.IsZero():
		kept = until(t.Expires, f.Now)
	}
	status := safe.Text(t.Status.String())
	if !t.IsTold() {
		status = "not told"
	}
	switch {
	case t.Status.IsTerminal() && e.isListedOtherwise():
		status += "; listed: " + wording.NameIn(e.listed.Status, 14)
	case t.Status.IsTerminal() && t.SaidSince != "":
		status += ", then " + safe.LineN(t.SaidSince, 14)
	case t.Status.IsTerminal():
	case t.IsOdd && t.End == task.Alive && (e.row.State == session.Running || t.GoesOn):
		status = wording.OddStatus(t.Odd)
	case isOver(t.End):
		status = endWord(t.End)
	case e.row.State == session.Cancelling:
		status += ", cancelling"
	case !t.GoesOn:
		at := t.Seen
		if e.listed != nil && e.listed.Told.After(at) { // which tells of it since
			status, at = wording.NameIn(e.listed.Status, 14), e.listed.Told
		}
		switch {
		case t.End == task.Left:
			status += ", left"
		case e.row.State == session.Lost, t.CutOff:
			status += ", lost"
		}
		if !at.IsZero() && (e.listed == nil || !hasEnded(e.listed.Status) || at.Equal(t.Seen)) {
			status += aged(f.Now.Sub(at))
		}
	}
	return [...]safe.Text{
		id, toolName(e.row.Tool), "#" + safe.Line(e.row.Wire.String()),
		status, created(e.row.Created), kept,
	}
}

// toolName is the tool of a task, where belay knows the tool.
func toolName(tool string) safe.Text {
	if tool == "" {
		return "-"
	}
	return wording.NameIn(tool, 40)
}

// isOver reports whether the server knows a task no more.
func isOver(end task.End) bool { return end == task.Gone || end == task.Expired }

func endWord(end task.End) safe.Text {
	if end == task.Expired {
		return "expired"
	}
	return "not found"
}

// aged says how old a status is that may have changed since; empty: it is new.
func aged(age time.Duration) safe.Text {
	if age < time.Minute {
		return ""
	}
	return ", " + wording.Ago(age)
}

// hasEnded reports whether a status word is that of a task that has ended.
func hasEnded(word string) bool { return task.ParseStatus(word).IsTerminal() }

func created(at time.Time) safe.Text {
	if at.IsZero() {
		return "-"
	}
	return safe.Text(at.Local().Format(time.TimeOnly))
}

// dated is when a task of an earlier run was made: its date, where that was not today.
func dated(at, now time.Time) safe.Text {
	if at.Local().Format(time.DateOnly) != now.Local().Format(time.DateOnly) {
		return safe.Text(at.Local().Format("02 Jan"))
	}
	return created(at)
}

func until(at, now time.Time) safe.Text {
	if !at.After(now) {
		return "may be gone"
	}
	return row.Span(at.Sub(now).Truncate(time.Second) + time.Second)
}

// columns are the widths of the cells; 0 leaves one out.
type columns [6]int

// heads are what stands above the cells.
var heads = [...]safe.Text{"TASK", "TOOL", "CALL", "STATUS", "CREATED", "KEPT"}

// columnsOf divides the width among the cells of lines: no column has more room than its words
// take, and the ID has what is left. A column without a word, then CREATED and CALL give way to an ID of
// usual length; KEPT, then TOOL, to a part of one by which it can be told from others.
func columnsOf(w int, lines [][6]safe.Text) columns {
	c := columns{idMost, 14, 6, 26, 8, 11}
	for i, most := range c {
		c[i] = min(most, safe.Width(heads[i]))
		for _, cells := range lines {
			c[i] = min(most, max(c[i], safe.Width(cells[i])))
		}
	}
	least := min(c[0], 40) // quoted, a UUID has 38
	for _, i := range []int{2, 5, 1, 4} {
		empty := !slices.ContainsFunc(lines, func(cells [6]safe.Text) bool { return cells[i] != "" && cells[i] != "-" })
		if len(lines) > 0 && empty && w-c.sum() < least {
			c[i] = 0
		}
	}
	for _, drop := range []int{4, 2, 5, 1} {
		if drop == 5 {
			least = min(least, 20)
		}
		if w-c.sum() < least {
			c[drop] = 0
		}
	}
	c[0] = max(8, w-c.sum())
	return c
}

func (c columns) sum() (n int) {
	for _, w := range c[1:] {
		if w > 0 {
			n += w + 2
		}
	}
	return n
}

func (c columns) put(g canvas.Region, cells [6]safe.Text, style canvas.Style) {
	x := 1
	for i, w := range c {
		if w > 0 {
			g.Put(x, 0, safe.Cut(cells[i], w), style)
			x += w + 2
		}
	}
}
