package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"belay/ui/asking"
	"belay/ui/attention"
	"belay/ui/beside"
	"belay/ui/calls"
	"belay/ui/canvas"
	"belay/ui/compose"
	"belay/ui/detail"
	"belay/ui/keymap"
	"belay/ui/layout"
	"belay/ui/login"
	"belay/ui/panel"
	"belay/ui/question"
	"belay/ui/rebuild"
	"belay/ui/replay"
	"belay/ui/reports"
	"belay/ui/roots"
	"belay/ui/statusline"
	"belay/ui/tasks"
	"belay/ui/theme"
	"belay/ui/wire"
	"belay/ui/write"
)

// Model is the screen. Make one with [New] and run it as a [tea.Program].
type Model struct {
	backend Backend
	opts    Options
	keys    *keymap.Map[*Model]

	styles theme.Styles
	glyphs theme.Glyphs
	canvas *canvas.Canvas

	light   bool // the terminal's background
	profile colorprofile.Profile

	w, h  int
	lay   layout.Layout
	focus layout.Pane
	zoom  layout.Zoom
	wired layout.Wish

	parts
	snap snapshot

	stack   []panel.Panel // dialogs and lines of input, the uppermost last
	status  statusline.Line
	clock   clock
	leave   leave
	parting *parting
	input   inputs
	exec    func(tea.ExecCommand, tea.ExecCallback) tea.Cmd // gives the terminal to another program

	printed write.Printed
	beside  backgroundWork
	nearby  nearby
	renewed renewal // sessions that the server has ended, of which the user was told
	subs    int     // the same of subscriptions

	unrecorded string // why the recording stopped, as it was told last
	minded     int    // how many of the sentences that the user must not miss were told

	dirty bool
	frame *panel.Frame // the last one that was drawn
	seen  tea.View     // … as the terminal gets it
}

// New makes the screen of a session.
func New(b Backend, o Options) *Model {
	looks := o.looks()
	m := &Model{backend: b, opts: o, keys: bindings(), styles: looks.Styles, glyphs: looks.Glyphs, beside: newBackground()}
	m.status.Frozen = o.Frozen
	m.canvas = canvas.New(theme.NewPalette(o.Background != Light, o.NoColor), o.ASCII)
	m.light = o.Background == Light
	m.parting = new(parting)
	m.host = host{m}
	m.detail = detail.New(m.host)
	m.reports = reports.New(m.host, b)
	m.asker = asking.New(m.host, o.Confirm, o.Trusted)
	m.roots = roots.New(m.host, b)
	m.tasks = tasks.New(m.host)
	m.rebuilt = rebuild.New(m.host)
	m.teller = attention.New(m.host, o.Notify)
	m.replay = replay.NewControls(m.host, o.Replay)
	m.login = login.New(m.host, b)
	m.calls = calls.New()
	m.wire = wire.New(m.looks())
	m.values = beside.NewValues(m.beside.ctx, m.host, b)
	m.compose = compose.New(m.host, m.values, b)
	m.questions = question.New(m.host, b, m.values)
	m.printed = write.Printed{}
	m.exec = tea.Exec
	m.clock.begin(m.glyphs.Spin, o.NoMotion || o.Frozen)
	return m
}

// Init starts waiting for news, and asks the terminal for its background, and whether it shows
// the state of programs.
func (m *Model) Init() tea.Cmd {
	m.dirty = true
	cmds := []tea.Cmd{m.waitForNews(), tea.RequestProgramStatusSupport, m.nearby.look(m.opts.Nearby)}
	if m.opts.Background == Auto && !m.opts.NoColor {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// View returns the frame that the last Update drew.
func (m *Model) View() tea.View { return m.seen }

// Update takes one message, and draws anew if it changed something. A terminal
// that says it has no size is drawn nothing on, but its keys work.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.handle(msg)
	if m.dirty {
		m.dirty = false
		cmd = tea.Batch(cmd, m.sync())
		m.keyed.Follow(m.fields())
		if m.w <= 0 || m.h <= 0 {
			return m, cmd
		}
		m.seen = m.draw()
		cmd = tea.Batch(cmd, m.layOutRest(), m.beside.search())
	}
	return m, tea.Batch(cmd, m.tick())
}

// resize takes over the size of the terminal. A question that thereby comes into
// view takes no key for a moment, like a question that opens by itself.
func (m *Model) resize(w, h int) tea.Cmd {
	m.w, m.h, m.dirty = w, h, true
	if m.lay.Mode == layout.Tiny && w >= layout.MinWidth && h >= layout.MinHeight {
		m.status.Clear() // it may say that there is no room
		return m.questions.HoldAnew()
	}
	return nil
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return m.resize(msg.Width, msg.Height)
	case tea.BackgroundColorMsg:
		m.light = !msg.IsDark()
		m.canvas.SetPalette(theme.PaletteOf(!m.light, m.opts.NoColor, m.profile))
	case tea.ColorProfileMsg:
		m.profile = msg.Profile
		m.canvas.SetPalette(theme.PaletteOf(!m.light, m.opts.NoColor, m.profile))
	case tea.KeyPressMsg:
		m.dirty = true
		return m.key(msg)
	case tea.PasteMsg:
		m.dirty = true
		return m.paste(msg.Content)
	case tea.MouseClickMsg:
		m.dirty = true
		return m.click(msg.Mouse())
	case tea.MouseWheelMsg:
		m.dirty = true
		return m.wheel(msg.Mouse())
	case newsMsg:
		m.dirty = true
		return m.pauseNews(msg)
	case newsPausedMsg:
		return m.waitForNews()
	case clockMsg:
		m.clock.ticked()
	case panel.KeyGuardMsg:
		m.dirty = true
		return m.onKeyGuard()
	case formMsg:
		m.dirty = true
		return m.onForm(msg)
	case laidOutMsg:
		m.onLaidOut(msg)
	case soughtMsg:
		m.dirty = true
		m.beside.onSought(msg, m.styles.Warn)
	case panel.Done:
		m.dirty = true
		return m.finished(msg)
	case Mind:
		m.opts.Minds = append(slices.Clip(m.opts.Minds), string(msg))
	default:
		for _, part := range []interface {
			Update(msg tea.Msg) (tea.Cmd, bool)
		}{m.detail, m.questions, m.compose, m.values, m.rebuilt, m.teller, &m.nearby, &m.status} {
			if cmd, taken := part.Update(msg); taken {
				m.dirty = true
				return cmd
			}
		}
		return nil
	}
	m.dirty = true
	return nil
}
