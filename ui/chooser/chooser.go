// Package chooser lets the user choose one of many things before there is a session:
// the entry of a config file that is to run. What is typed finds names as the list of
// what can be called does.
//
// The list of Bubbles was weighed and not taken. Its items are styled strings, where names
// of a file are to be [safe.Text] to the last cell. Its filter has one text for each
// item, where a name counts more here than its description. And it goes by pages of items of
// one height, where this list has headings between them.
package chooser

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/rank"
	"belay/ui/theme"
)

// Choice is a thing that can be chosen.
type Choice struct {
	Name  string    // of anybody's
	About safe.Text // what it is, in a line that may be cut
	Group safe.Text // the heading that it stands under
	From  safe.Text // where it stands
}

// Options are what a list is shown with.
type Options struct {
	Title   safe.Text
	Notes   []safe.Text // that stand below the list, such as what could not be read
	ASCII   bool
	Suspend func() tea.ExecCommand // gives the terminal to the shell for a while
}

// List is the list on a screen of its own. Make one with [New].
type List struct {
	opts    Options
	choices []Choice
	texts   []rank.Text
	names   int // columns of the longest name
	abouts  int // … and of the longest text beside a name

	text  edit.Line
	order []int  // of choices, best first
	lines []line // what is listed: order, with headings while nothing is typed
	at    int    // the position in order of what would be taken
	top   int    // the first of lines that is seen

	w, h   int
	height int // of the list
	canvas *canvas.Canvas
	styles theme.Styles
	glyphs theme.Glyphs

	ended       bool
	taken       bool
	interrupted bool
}

// line is a heading, or the choice at a position of the order.
type line struct {
	heading safe.Text
	pos     int
}

// namesUsual bounds the column of the names where what is beside them needs the room, and
// namesMost in any case.
const (
	namesUsual = 40
	namesMost  = 256
)

// New makes a list of choices, which are grouped already. It draws with attributes
// only: so it can be read on any background, and needs not ask for it.
func New(choices []Choice, o Options) *List {
	l := &List{opts: o, choices: choices, w: 80, h: 24, styles: theme.NewStyles(true), glyphs: theme.Unicode}
	if o.ASCII {
		l.glyphs = theme.ASCII
	}
	l.canvas = canvas.New(theme.NewPalette(true, true), o.ASCII)
	for i := range choices {
		c := &choices[i]
		l.names = max(l.names, safe.Width(wording.NameIn(c.Name, namesMost)))
		l.abouts = max(l.abouts, safe.Width(c.About))
		l.texts = append(l.texts, rank.Of(c.Name, "", string(c.About), ""))
	}
	l.find()
	return l
}

// Chosen is the position of what was chosen; not ok: nothing was.
func (l *List) Chosen() (i int, ok bool) {
	if !l.taken {
		return 0, false
	}
	return l.order[l.at], true
}

// WasInterrupted reports whether the list was left by ctrl+c.
func (l *List) WasInterrupted() bool { return l.interrupted }

// find lists what fits what was typed.
func (l *List) find() {
	l.order = rank.Order(l.text.String(), l.texts)
	l.lines = l.lines[:0]
	for pos, i := range l.order {
		c := &l.choices[i]
		if l.text.Empty() && c.Group != "" && (pos == 0 || c.Group != l.choices[l.order[pos-1]].Group) {
			l.lines = append(l.lines, line{heading: c.Group, pos: -1})
		}
		l.lines = append(l.lines, line{pos: pos})
	}
	l.at, l.top = 0, 0
}

func (l *List) move(n int) { l.at = max(0, min(l.at+n, len(l.order)-1)) }

func (l *List) page(n int) { l.move(n * max(1, l.height-1)) }

func (l *List) take() tea.Cmd {
	if len(l.order) == 0 {
		return nil
	}
	l.taken = true
	return l.leave()
}

func (l *List) leave() tea.Cmd {
	l.ended = true
	return tea.Quit
}

// clear takes back what was typed.
func (l *List) clear() {
	l.text = edit.Line{}
	l.find()
}

func (l *List) interrupt() tea.Cmd {
	l.interrupted = true
	return l.leave()
}

func (l *List) suspend() tea.Cmd {
	if l.opts.Suspend == nil {
		return nil
	}
	return tea.Exec(l.opts.Suspend(), func(error) tea.Msg { return nil })
}

// Init does nothing.
func (l *List) Init() tea.Cmd { return nil }

// Update takes what the terminal says. Nothing that comes after the end is heard: it
// was typed before the next question could be read.
func (l *List) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		l.w, l.h = msg.Width, msg.Height
	case tea.PasteMsg:
		head, _, _ := strings.Cut(strings.TrimLeft(msg.Content, "\r\n"), "\n")
		l.text.Insert(strings.TrimSuffix(head, "\r"))
		l.find()
	case tea.KeyPressMsg:
		if l.ended {
			return l, nil
		}
		return l, l.press(msg)
	}
	return l, nil
}

func (l *List) press(k tea.KeyPressMsg) tea.Cmd {
	if b, ok := keys().Find(l.scope(), k.String()); ok {
		return b.Run(l, "")
	}
	if _, changed := l.text.Key(panel.FieldKey(k)); changed {
		l.find()
	}
	return nil
}

// Where keys work: while nothing is typed, and while something is.
const (
	plain keymap.Scope = 1 << iota
	typed
	where = plain | typed
)

// scope is where keys work now.
func (l *List) scope() keymap.Scope {
	if l.text.Empty() {
		return plain
	}
	return typed
}
