package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/commands"
	"belay/ui/dialog"
	"belay/ui/keymap"
	"belay/ui/layout"
	"belay/ui/panel"
	"belay/ui/question"
	"belay/ui/row"
	"belay/ui/scope"
	"belay/ui/tasks"
)

// hints are the keys that work in a place, as far as they are worth the room. A
// question of the server's offers only what can be done: the room is short, and a
// server must not get a key pressed that leads nowhere.
func (m *Model) hints(where keymap.Scope) []*binding {
	hints := m.keys.Footer(where)
	if where&(scope.Ask|scope.Login|scope.Page|scope.Recording) != 0 {
		hints = slices.DeleteFunc(hints, func(b *binding) bool { return b.Reason(m) != "" })
	}
	hints = slices.DeleteFunc(hints, func(b *binding) bool { return b.Shy && b.Reason(m) != "" })
	if p, ok := m.modal().(*commands.Palette); ok {
		hints = slices.DeleteFunc(hints, func(b *binding) bool {
			return p.IsIdle() && b.Name == "take the command" || p.Empty() && b.Name == "complete the command"
		})
	}
	r, ok := m.target()
	waited := ok && (row.IsPolledOn(r) || r.WaitsOnly || tasks.IsAskedFor(r))
	if !ok || where&scope.Detail != 0 {
		hints = slices.DeleteFunc(hints, func(b *binding) bool { return b.Name == "open" && b.Reason(m) != "" })
	}
	hints = slices.DeleteFunc(hints, func(b *binding) bool { return isHidden(m.keys, b, where, waited) })
	filtered := where&scope.Calls != 0 && !m.calls.Filter().Empty() && len(m.calls.Marked()) == 0 || where&scope.Wire != 0 && !m.wire.Filter().Empty()
	if back, ok := m.keys.Named("back"); ok && filtered && m.zoom == layout.Normal {
		hints = withAll(hints, back)
	}
	if before, ok := m.keys.Named("hit before"); ok && where&scope.Detail != 0 {
		hints = withHits(hints, before)
	}
	if !ok || r.Task != nil || r.WaitsOnly || r.Follows || r.State.IsTerminal() || row.IsCancelKept(r) { // of which no way out is offered that is none
		outs, kept := []string{"cancel request", "cancel with a reason", "stop waiting"}, ok && row.IsCancelKept(r)
		hints = slices.DeleteFunc(hints, func(b *binding) bool { return slices.Contains(outs, b.Name) && (kept || b.Reason(m) != "") })
	}
	if row.RefusesCancel(r) {
		hints = slices.DeleteFunc(hints, func(b *binding) bool { return b.Name == "cancel request" || b.Name == "cancel with a reason" })
	}
	if ok && wording.IsReadyToRetry(r) && where&(scope.Calls|scope.Detail) != 0 {
		resend, _ := m.keys.Named("resend")
		hints = withGoOn(hints, resend)
	}
	if m.replay.Plays() {
		hints = withPause(hints)
	}
	return hints
}

// drawHints lists the keys that work here, as far as there is room; the last
// one, which leads to all others, is kept. What is disabled is grey; the key
// itself says why.
func (m *Model) drawHints(g canvas.Region, x int, where keymap.Scope) {
	hints := fitted(m.hints(where), g.W()-x, where&scope.Ask != 0)
	for _, b := range hints {
		keyStyle, wordStyle := m.styles.KeyName, m.styles.Muted
		if b.Reason(m) != "" {
			keyStyle, wordStyle = m.styles.KeyOff, m.styles.KeyOff
		}
		from := x
		for i, key := range strings.Fields(string(footerKey(b))) {
			if i > 0 && key[0] < 0x80 { // arrows are told apart without it
				x = g.Put(x, 0, "/", wordStyle)
			} else if i > 0 {
				x++
			}
			x = g.Put(x, 0, safe.Text(key), keyStyle)
		}
		x++
		x = g.Put(x, 0, safe.Text(b.Key.Help().Desc), wordStyle) + 2
		if where&(scope.Ask|scope.Login) == 0 { // a stray click must not answer
			m.frame.OnClick(g.Sub(from, 0, x-2-from, 1).Bounds(), func() tea.Cmd { return m.press(b) })
		}
	}
}

// drawNoHints stands for drawHints where something else has the focus.
func drawNoHints(canvas.Region, int, keymap.Scope) {}

// forField is the place in the footer of a key that the field with the focus alone has, and of more
// important ones.
const forField = 2

// fitted are the hints that have room in a width. The last hint is always among them. A question also shows
// the key of the field with the focus, as nothing else says that this key exists. For it the last hint loses
// its word, and a wider hint is left out.
func fitted(hints []*binding, width int, isQuestion bool) []*binding {
	if len(hints) < 2 {
		return hints
	}
	last := hints[len(hints)-1]
	wordless := calling(last, "")
	kept, skipped := []*binding{}, false
	for _, b := range hints[:len(hints)-1] {
		more, needed := append(kept, b), isQuestion && b.Footer == forField
		switch {
		case skipped && !needed:
		case hintsWidth(append(more, last)) <= width:
			kept = more
			continue
		case needed && hintsWidth(append(more, wordless)) <= width:
			kept, last = more, wordless
			continue
		}
		skipped = true
	}
	return append(kept, last)
}

// isHidden reports whether a hint is not for what is selected: its key does something else
// there, or it is about a task and none is selected. A task's cancel carries no reason. Waited says
// that the row is none of a task that can be cancelled, and that a task is waited for there.
func isHidden(keys *keymap.Map[*Model], b *binding, where keymap.Scope, waited bool) bool {
	onTask := where&scope.Task != 0
	if own := b.Key.Keys(); len(own) > 0 && !b.In(scope.Recording|scope.Seeking) {
		if first, ok := keys.Find(where, own[0]); ok && first != b {
			return true
		}
	}
	return b.Name == "stop waiting" && !onTask && !waited || b.Name == "cancel with a reason" && (onTask || waited)
}

// keyWords are the keys that do something in a place, with their words.
func (m *Model) keyWords(where keymap.Scope) safe.Text {
	var keys []string
	for _, b := range m.keys.Footer(where) {
		if b.Reason(m) == "" {
			keys = append(keys, string(footerKey(b))+" "+b.Key.Help().Desc)
		}
	}
	return safe.Line(strings.Join(keys, "  "))
}

// withGoOn puts the key with which a held call goes on in the place of the one
// that cancels it with a reason, which would go nowhere: nothing is in flight.
func withGoOn(hints []*binding, resend *binding) []*binding {
	i := slices.IndexFunc(hints, func(b *binding) bool { return b.Name == "cancel with a reason" })
	if resend == nil || i < 0 {
		return hints
	}
	hints = slices.Clone(hints)
	hints[i] = calling(resend, "go on")
	return hints
}

// withPause names what the key that plays a recording does while it plays.
func withPause(hints []*binding) []*binding {
	i := slices.IndexFunc(hints, func(b *binding) bool { return b.Name == "play" })
	if i < 0 {
		return hints
	}
	hints = slices.Clone(hints)
	hints[i] = calling(hints[i], "pause")
	return hints
}

// withAll names the key that ends a filter, before the hints that give way where there is little room.
func withAll(hints []*binding, back *binding) []*binding {
	i := slices.IndexFunc(hints, func(b *binding) bool { return b.Name == "cancel with a reason" || b.Name == "filter" })
	if i < 0 {
		return hints
	}
	return slices.Insert(slices.Clone(hints), i, calling(back, "show all"))
}

// withHits names the keys of a search in the place of the one that opens something, which goes
// from place to place there.
func withHits(hints []*binding, before *binding) []*binding {
	i := slices.IndexFunc(hints, func(b *binding) bool { return b.Name == "open" })
	if i < 0 {
		return hints
	}
	return slices.Concat(hints[:i], []*binding{calling(hints[i], "next"), calling(before, "before")}, hints[i+1:])
}

func hintsWidth(hints []*binding) int {
	n := -2
	for _, b := range hints {
		n += safe.Width(footerKey(b)) + 2
		if word := b.Key.Help().Desc; word != "" {
			n += 1 + safe.Width(safe.Text(word))
		}
	}
	return n
}

// calling is a hint like b with another word for what it does.
func calling(b *binding, word string) *binding {
	hint := *b
	hint.Key.SetHelp(b.Key.Help().Key, word)
	return &hint
}

// footerKey is the key of a hint: the first of a binding that does not say how its keys
// are written.
func footerKey(b *keymap.Binding[*Model]) safe.Text {
	if keys := b.Key.Keys(); len(keys) > 0 && b.Key.Help().Key == "" {
		return safe.Text(keys[0])
	}
	return safe.Text(b.KeyText())
}

// drawTiny is the whole screen where there is no room for one: the selected
// call, how many are in flight, and the keys that still work. The less room
// there is, the less it says of the call. Lines below it say why there is no more.
func (m *Model) drawTiny(g canvas.Region) {
	why, lines := m.styles.Muted, tooSmall(m.w, m.h)
	if saysTooSmall(m.modal(), m.status.Notice(), lines) {
		why = m.styles.Warn
	}
	for i, text := range lines {
		g.Put(0, 1+i, text, why)
	}
	left, right := m.tinyWords(), []panel.Segment{}
	if _, chosen := m.calls.Selected(); !chosen && g.H() < 2 {
		left[tinyNeeds].Text = panel.NeedsWords() + " "
	}
	if n := m.snap.status.InFlight; n > 0 {
		right = append(right, panel.Segment{Text: wording.Thousands(n) + " in flight  ", Style: m.styles.Info})
	}
	asks := -1
	if n := m.snap.status.Waiting; n > 0 {
		asks = len(right)
		right = append(right, panel.Segment{Text: asksWords(n) + " · " + panel.NeedsWords() + "  ", Style: m.styles.Warn})
	}
	keys := panel.Segment{Text: "q quit", Style: m.styles.Muted}
	short := safe.Text("q")
	r, _ := m.target()
	if x, ok := m.keys.Find(m.scope(), "x"); ok && x.Reason(m) == "" && !row.RefusesCancel(r) {
		keys.Text, short = "x cancel  "+keys.Text, "x q"
	}
	if m.replay.IsRecorded() {
		keys.Text = m.replay.Status().Words(m.glyphs.Play) + "  q quit"
	} else if panel.SegmentsWidth(left)+panel.SegmentsWidth(right)+safe.Width(keys.Text) > g.W() {
		keys.Text = short
	}
	right = append(right, keys)
	for _, drop := range []int{tinyBrand, tinyTime, tinyTarget} {
		if panel.SegmentsWidth(left)+panel.SegmentsWidth(right) > g.W() {
			left[drop].Text = ""
		}
	}
	if asks >= 0 && panel.SegmentsWidth(left)+panel.SegmentsWidth(right) > g.W() {
		right[asks].Text = asksWords(m.snap.status.Waiting) + "  "
		if panel.SegmentsWidth(left)+panel.SegmentsWidth(right) > g.W() {
			left = nil
		}
	}
	x := 0
	for _, p := range left {
		x = p.Draw(g, x)
	}
	if x = g.W() - panel.SegmentsWidth(right); x < panel.SegmentsWidth(left) {
		return
	}
	for _, p := range right {
		x = p.Draw(g, x)
	}
}

// tooSmall are the lines below the tiny one of a screen of this size.
func tooSmall(w, h int) []safe.Text {
	return safe.Wrap(safe.Text(panel.TooSmall), max(1, w), max(0, h-1))
}

// saysTooSmall reports whether the status line of a tiny screen would say what the lines below
// the tiny one say already.
func saysTooSmall(over panel.Panel, said panel.Notice, lines []safe.Text) bool {
	return over == nil && said.Text == safe.Text(panel.TooSmall) && len(lines) > 0
}

// The pieces of the tiny line that make room for others.
const (
	tinyBrand  = 0
	tinyTarget = 2
	tinyNeeds  = 3 // where no call is chosen
	tinyTime   = 4
)

// tinyWords are the program's name and the selected call, or the state of the
// connection while there is none.
func (m *Model) tinyWords() []panel.Segment {
	words := make([]panel.Segment, tinyTime+1)
	words[tinyBrand] = panel.Segment{Text: "belay ", Style: m.styles.Brand}
	if r, ok := m.calls.Selected(); ok {
		s := m.words().State(r)
		words[1] = panel.Segment{Text: "#" + safe.Line(r.Wire.String()) + " ", Style: m.styles.Text}
		if target := row.TargetIn(r, 12); target != "" {
			words[tinyTarget] = panel.Segment{Text: target + " ", Style: m.styles.Text}
		}
		words[3] = panel.Segment{Text: s.Text(false) + " ", Style: s.Style}
		words[tinyTime] = panel.Segment{Text: m.words().Time(r) + " ", Style: m.styles.Muted}
	} else if m.snap.status.Phase != session.Ready {
		words[1] = panel.Segment{Text: safe.Text(m.snap.status.Phase.String()) + " ", Style: m.styles.Muted}
	}
	return words
}

// drawStatus draws the status line: beside the keys or at the foot of the lowest pane, and
// below a dialog, but not over what is being typed on a line of its own. Where that is all
// that lies over the panes, the sentence stands above it, at the foot of the lowest pane: what
// comes while somebody types would else never be seen.
func (m *Model) drawStatus() {
	tiny := m.lay.Mode == layout.Tiny
	switch {
	case tiny && saysTooSmall(m.modal(), m.status.Notice(), tooSmall(m.w, m.h)): // it stands there
	case !tiny && (m.modal() == nil || typesOnly(m.stack)):
		m.status.DrawBeside(m.frame)
	case isStatusSeen(m.modal(), tiny):
		m.status.Draw(m.frame, tiny)
	}
}

// typesOnly reports whether a line of input is all that lies on a stack of panels.
func typesOnly(stack []panel.Panel) bool {
	if len(stack) != 1 {
		return false
	}
	_, line := stack[0].(*dialog.Line)
	return line
}

// isStatusSeen reports whether the status line has a place besides what lies over the panes.
func isStatusSeen(top panel.Panel, tiny bool) bool {
	switch top.(type) {
	case *dialog.Line, *commands.Palette:
		return false
	case nil, *question.Panel:
		return true
	}
	return !tiny
}
