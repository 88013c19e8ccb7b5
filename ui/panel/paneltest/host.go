// Package paneltest is a screen for the tests of a panel: the session behind it is
// real, its server is the test, and what the panel asks of its host is written down.
package paneltest

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/keymap"
	"belay/ui/layout"
	"belay/ui/panel"
	"belay/ui/statusline"
	"belay/ui/theme"
	"belay/ui/write"
)

// Host is the screen that a panel under test lies on. Make one with [Run].
type Host struct {
	T *testing.T

	W, H   int            // the size of the terminal
	Busy   bool           // something else is in use: no panel may open by itself
	Chosen session.CallID // the call that is selected in the table

	Stack  []panel.Panel // what lies over the panes, the uppermost last
	Wishes []panel.Wish  // what panels had the screen do
	Inputs []session.Input
	Wrote  []string     // the messages that the server got
	Hinted keymap.Scope // whose keys the last frame listed
	Cursor *image.Point // where the last frame has the cursor

	// Update takes what the commands of a panel bring; nil: nothing does.
	Update func(msg tea.Msg) (cmd tea.Cmd, taken bool)
	// Frame tells the panel what is new, before each frame; nil: nothing is.
	Frame func() tea.Cmd

	session *session.Session
	decoder *mcp.Decoder
	epoch   session.Epoch
	line    statusline.Line
	msgs    chan tea.Msg
}

// Run runs a test with a screen of a size, in a bubble of synctest: time passes when
// the test says so. The session has connected, and its server has answered nothing.
func Run(t *testing.T, w, h int, cfg session.Config, f func(h *Host)) {
	t.Helper()
	cfg.ClientName, cfg.ClientVersion, cfg.SamplingTools, cfg.CheckRoots = "belay", "test", true, true
	if cfg.DiscoverLimit == 0 {
		cfg.DiscoverLimit = -1
	}
	synctest.Test(t, func(t *testing.T) {
		x := &Host{T: t, W: w, H: h, session: session.New(cfg, time.Now()), decoder: mcp.NewDecoder(), msgs: make(chan tea.Msg, 1000)}
		x.epoch = x.session.Tell(time.Now(), session.Connect{}).Epoch
		x.Settle()
		f(x)
		time.Sleep(time.Minute) // timers that are out come home
	})
}

// Do gives the session an input.
func (h *Host) Do(in session.Input) (session.Reply, error) {
	h.Inputs = append(h.Inputs, in)
	return h.session.Handle(time.Now(), in)
}

// View calls f with the session.
func (h *Host) View(f func(*session.Session)) { f(h.session) }

// Screen is the screen as it is now.
func (h *Host) Screen() panel.Screen {
	status := h.session.Status()
	l := layout.Compute(layout.Input{W: h.W, H: h.H})
	return panel.Screen{
		Looks: theme.Looks{Styles: theme.NewStyles(true), Glyphs: theme.Unicode}, Status: &status, Now: time.Now(), W: h.W, H: h.H, Layout: l,
		Spin: theme.Unicode.Still(), Top: h.Top(), Told: h.line.Notice(), Number: h.line.Number(),
		Free: !h.Busy && len(h.Stack) == 0 && l.Mode != layout.Tiny, Chosen: h.Chosen,
	}
}

// Top is the uppermost panel, or nil.
func (h *Host) Top() panel.Panel {
	if len(h.Stack) == 0 {
		return nil
	}
	return h.Stack[len(h.Stack)-1]
}

// Say shows a sentence in the status line.
func (h *Host) Say(n panel.Notice) tea.Cmd { return h.line.Say(n) }

// Said is the sentence that stands in the status line.
func (h *Host) Said() string { return string(h.line.Notice().Text) }

// Push lays a panel over everything else.
func (h *Host) Push(p panel.Panel) { h.Stack = append(h.Stack, p) }

// Pop takes a panel away, wherever it is.
func (h *Host) Pop(p panel.Panel) { h.Stack = panel.Without(h.Stack, p) }

// Want writes down what a panel has the screen do.
func (h *Host) Want(w panel.Wish) tea.Cmd {
	h.Wishes = append(h.Wishes, w)
	return nil
}

// Wished takes the wishes of a type.
func Wished[W panel.Wish](h *Host) (found []W) {
	for _, w := range h.Wishes {
		if w, ok := w.(W); ok {
			found = append(found, w)
		}
	}
	return found
}

// Run runs a command as Bubble Tea does, and lets everything settle.
func (h *Host) Run(cmd tea.Cmd) {
	h.start(cmd)
	h.Settle()
}

func (h *Host) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, cmd := range msg {
				h.start(cmd)
			}
		default:
			h.msgs <- msg
		}
	}()
}

// Settle lets the session, its server and the commands do what they can without time
// passing, and tells the panel what is new.
func (h *Host) Settle() {
	for {
		h.pump()
		if h.Frame != nil {
			h.start(h.Frame())
		}
		h.pump()
		h.Paint(h.drawStack) // as in each frame: what was not seen cannot be acted on
		synctest.Wait()
		select {
		case msg := <-h.msgs:
			h.take(msg)
		default:
			return
		}
	}
}

func (h *Host) take(msg tea.Msg) {
	if done, ok := msg.(panel.Done); ok {
		switch {
		case done.Err != nil:
			h.start(h.Say(panel.Error(done.Err)))
		case done.Say != "":
			h.start(h.Say(panel.Said(done.Say)))
		}
		if done.Then != nil {
			h.start(done.Then())
		}
		return
	}
	if cmd, taken := h.line.Update(msg); taken {
		h.start(cmd)
		return
	}
	if h.Update != nil {
		cmd, _ := h.Update(msg)
		h.start(cmd)
	}
}

// Wait lets time pass.
func (h *Host) Wait(d time.Duration) {
	time.Sleep(d)
	h.session.Tell(time.Now(), session.Tick{})
	h.Settle()
}

// pump writes to the server what the session has for it.
func (h *Host) pump() {
	for {
		out, ok := h.session.Next(time.Now())
		if !ok {
			return
		}
		switch out.Op {
		case session.OpWrite:
			h.Wrote = append(h.Wrote, string(out.Data))
			h.session.Tell(time.Now(), session.Sent{Seq: out.Seq})
		case session.OpClose:
			h.session.Tell(time.Now(), session.Closed{Epoch: h.epoch, Why: session.Close{ByUs: true}})
		case session.OpRoots:
			h.session.Tell(time.Now(), session.RootsChecked{Seq: out.Seq})
		case session.OpLogin, session.OpOpen, session.OpAbort:
		}
	}
}

// Draw draws a panel and returns the screen without its styles. Whatever the panel
// shows, no line is wider than the terminal, and nothing in it is a control character.
func (h *Host) Draw(p panel.Panel) string {
	h.T.Helper()
	return h.Paint(func(f *panel.Frame) *image.Point { return p.Draw(f) })
}

// Paint is [Host.Draw] for what is drawn in another way.
func (h *Host) Paint(draw func(f *panel.Frame) *image.Point) string {
	h.T.Helper()
	c := canvas.New(theme.NewPalette(true, true), false)
	c.Reset(h.W, h.H)
	for y := range max(h.H, 0) {
		c.All().Row(y).Repeat(0, 0, h.W, string(Behind), canvas.Style{})
	}
	h.Hinted = 0
	h.Cursor = draw(&panel.Frame{
		Screen: h.Screen(), Canvas: c,
		Hint: func(_ canvas.Region, _ int, where keymap.Scope) { h.Hinted = where },
		Keys: func(where keymap.Scope) safe.Text {
			h.Hinted = where
			return ""
		},
		LayOut: h.layOut,
	})
	text := ansi.Strip(c.String())
	for line := range strings.SplitSeq(text, "\n") {
		if w := safe.Width(safe.Text(line)); w > h.W || strings.ContainsFunc(line, unicode.IsControl) {
			h.T.Errorf("a line of %d columns on a screen of %d: %q", w, h.W, line)
		}
	}
	if at := h.Cursor; at != nil && !at.In(image.Rect(0, 0, h.W, h.H)) {
		h.T.Errorf("the cursor is at %v, the screen is %d×%d", *at, h.W, h.H)
	}
	return text
}

// Behind is what stands in each cell before a panel draws: what the panel does not
// cover.
const Behind = '░'

func (h *Host) layOut(_ any, width int, build panel.Build) *doc.Doc {
	d := doc.New(width, write.MaxLines)
	on := h.Screen()
	build(write.To(d, on.Looks, nil), on)
	return d
}

func (h *Host) drawStack(f *panel.Frame) (cursor *image.Point) {
	for _, p := range h.Stack {
		cursor = p.Draw(f)
	}
	return cursor
}

// Shows fails unless the panel shows each of the texts.
func (h *Host) Shows(p panel.Panel, texts ...string) {
	h.T.Helper()
	screen := h.Draw(p)
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			h.T.Errorf("the panel lacks %q:\n%s", text, screen)
			return
		}
	}
}

// ShowsNot fails if the panel shows one of the texts.
func (h *Host) ShowsNot(p panel.Panel, texts ...string) {
	h.T.Helper()
	screen := h.Draw(p)
	for _, text := range texts {
		if strings.Contains(screen, text) {
			h.T.Errorf("the panel has %q:\n%s", text, screen)
			return
		}
	}
}

// Says fails unless the sentence in the status line has the text.
func (h *Host) Says(text string) {
	h.T.Helper()
	if !strings.Contains(h.Said(), text) {
		h.T.Errorf("the status line says %q, want %q", h.Said(), text)
	}
}

// Lies fails unless exactly the panel lies over the panes; nil: none does.
func (h *Host) Lies(p panel.Panel) {
	h.T.Helper()
	if p == nil && len(h.Stack) > 0 || p != nil && (len(h.Stack) != 1 || h.Stack[0] != p) {
		h.T.Errorf("over the panes lie %d panels, the uppermost a %T; want %T", len(h.Stack), h.Top(), p)
	}
}

// Resize gives the terminal another size.
func (h *Host) Resize(width, height int) {
	h.W, h.H = width, height
	h.Settle()
}

// Sizes are terminals of the least size with a frame, of the usual one, of one line,
// and of nothing to speak of.
func Sizes() []image.Point {
	return []image.Point{{X: 140, Y: 40}, {X: 80, Y: 24}, {X: layout.MinWidth, Y: layout.MinHeight}, {X: 40, Y: 8}, {X: 12, Y: 1}, {X: 1, Y: 1}}
}

// Got counts the messages with a text that the server got.
func (h *Host) Got(text string) (n int) {
	for _, m := range h.Wrote {
		if strings.Contains(m, text) {
			n++
		}
	}
	return n
}

// Gets fails unless the server got exactly one message with each of the texts.
func (h *Host) Gets(texts ...string) {
	h.T.Helper()
	for _, text := range texts {
		if n := h.Got(text); n != 1 {
			h.T.Errorf("the server got %d messages with %s, want 1:\n%s", n, text, strings.Join(h.Wrote, "\n"))
		}
	}
}

// Feed is a message of the server's.
func (h *Host) Feed(format string, args ...any) {
	raw := format
	if len(args) > 0 {
		raw = fmt.Sprintf(format, args...)
	}
	h.session.Receive(time.Now(), session.ExchangeID{Epoch: h.epoch}, h.decoder.Decode([]byte(raw)))
	h.Settle()
}
