package termtest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// syncLimit is how long a program may hold back a frame with synchronized
// output before the half drawn one is shown, as terminals do. It begins when the
// beginning is drawn, up to patience late.
const syncLimit = time.Second

// emulator is the screen behind the pty: x/vt, and what it does not keep. It is
// not safe for concurrent use, except for replies.
type emulator struct {
	vt    *vt.Emulator
	theme Theme

	title     string
	clipboard string
	bells     int
	hidden    bool // the cursor
	shape     CursorShape
	modes     map[int]bool
	kitty     map[bool][]int // flags that were pushed, of the alternate screen and of the other

	frame   *Screen // what was shown when a synchronized update began
	frameAt time.Time
	whole   bool    // what is written now ends outside of such an update
	drawn   *Screen // what has been drawn; nil: not looked at since
}

func newEmulator(cols, rows int, theme Theme, plain bool) *emulator {
	e := &emulator{
		vt:    vt.NewEmulator(cols, rows),
		theme: theme,
		kitty: map[bool][]int{},
		modes: map[int]bool{int(ansi.ModeAutoWrap): true, int(ansi.ModeTextCursorEnable): true},
	}
	e.vt.SetDefaultForegroundColor(theme.Foreground)
	e.vt.SetDefaultBackgroundColor(theme.Background)
	if !plain {
		// A mode that has been reset once is reported as known when the program
		// asks for it; one that was never touched is reported as unknown.
		_, _ = e.vt.Write([]byte(ansi.ResetModeSynchronizedOutput + ansi.ResetModeUnicodeCore))
		e.keepKitty()
	}
	e.vt.SetCallbacks(vt.Callbacks{
		Bell:             func() { e.bells++ },
		CursorVisibility: func(visible bool) { e.hidden = !visible },
		CursorStyle:      func(style vt.CursorStyle, _ bool) { e.shape = CursorShape(style) },
		EnableMode:       func(m ansi.Mode) { e.setMode(m, true) },
		DisableMode:      func(m ansi.Mode) { e.setMode(m, false) },
	})
	// x/vt drops a title that holds a semicolon.
	for _, cmd := range []int{0, 2} {
		e.vt.RegisterOscHandler(cmd, func(data []byte) bool {
			_, e.title, _ = strings.Cut(string(data), ";")
			return true
		})
	}
	e.vt.RegisterOscHandler(52, func(data []byte) bool {
		fields := strings.SplitN(string(data), ";", 3)
		if len(fields) == 3 {
			if text, err := base64.StdEncoding.DecodeString(fields[2]); err == nil {
				e.clipboard = string(text)
			}
		}
		return true
	})
	return e
}

// keepKitty keeps the flags of the kitty keyboard protocol, a stack for each screen.
func (e *emulator) keepKitty() {
	on := func(prefix byte, do func(stack []int, params ansi.Params) []int) {
		e.vt.RegisterCsiHandler(ansi.Command(prefix, 0, 'u'), func(params ansi.Params) bool {
			alt := e.vt.IsAltScreen()
			e.kitty[alt] = do(e.kitty[alt], params)
			return true
		})
	}
	on('>', func(stack []int, params ansi.Params) []int {
		flags, _, _ := params.Param(0, 0)
		return append(stack, flags)
	})
	on('<', func(stack []int, params ansi.Params) []int {
		n, _, _ := params.Param(0, 1)
		return stack[:max(0, len(stack)-max(1, n))]
	})
	on('=', func(stack []int, params ansi.Params) []int { // the other modes, which add flags and take some away, nobody uses
		flags, _, _ := params.Param(0, 0)
		return append(stack[:max(0, len(stack)-1)], flags)
	})
	on('?', func(stack []int, _ ansi.Params) []int {
		_, _ = io.WriteString(e.vt.InputPipe(), fmt.Sprintf("\x1b[?%du", e.kittyFlags()))
		return stack
	})
}

func (e *emulator) kittyFlags() int {
	stack := e.kitty[e.vt.IsAltScreen()]
	if len(stack) == 0 {
		return 0
	}
	return stack[len(stack)-1]
}

func (e *emulator) setMode(m ansi.Mode, on bool) {
	if _, dec := m.(ansi.DECMode); !dec {
		return
	}
	if m == ansi.ModeSynchronizedOutput {
		e.frame = nil
		if on && !e.whole {
			s := e.look()
			e.frame, e.frameAt = &s, time.Now()
		}
	}
	if on {
		e.modes[m.Mode()] = true
	} else {
		delete(e.modes, m.Mode())
	}
}

// write draws the output p of the program. Replies must be read meanwhile.
func (e *emulator) write(p []byte) {
	// Nobody looks between two bytes of p: the screen before an update that ends
	// in p needs no copy.
	e.whole = bytes.LastIndex(p, []byte(ansi.ResetModeSynchronizedOutput)) > bytes.LastIndex(p, []byte(ansi.SetModeSynchronizedOutput))
	e.drawn = nil
	_, _ = e.vt.Write(p)
	e.whole = false
}

func (e *emulator) resize(cols, rows int) {
	e.frame, e.drawn = nil, nil
	e.vt.Resize(cols, rows)
}

// replies is what the terminal answers to the program's queries; it ends when
// closeReplies was called.
func (e *emulator) replies() io.Reader { return e.vt }

// closeReplies ends replies. The emulator's own Close does the same, but races
// with the read.
func (e *emulator) closeReplies() {
	if c, ok := e.vt.InputPipe().(io.Closer); ok {
		_ = c.Close()
	}
}

// screen is what is shown: the last whole frame while the program is in a
// synchronized update, else what has been drawn so far.
func (e *emulator) screen() Screen {
	if e.frame != nil && time.Since(e.frameAt) < syncLimit {
		return *e.frame
	}
	if e.drawn == nil {
		s := e.look()
		e.drawn = &s
	}
	return *e.drawn
}

// look copies the screen. With the race detector a copy would take as long as a frame takes to
// be drawn; the lock of the terminal is held, and what others do to cells the detector sees.
//
//go:norace
func (e *emulator) look() Screen {
	s := Screen{
		Cols: e.vt.Width(), Rows: e.vt.Height(),
		Title: e.title, Clipboard: e.clipboard, Bells: e.bells, Kitty: e.kittyFlags(),
		AltScreen: e.vt.IsAltScreen(),
		Theme:     e.theme,
	}
	at := e.vt.CursorPosition()
	s.Cursor = Cursor{X: at.X, Y: at.Y, Visible: !e.hidden, Shape: e.shape}
	s.Theme.Foreground = colorOf(e.vt.ForegroundColor())
	s.Theme.Background = colorOf(e.vt.BackgroundColor())
	for m := range e.modes {
		s.Modes = append(s.Modes, m)
	}
	slices.Sort(s.Modes)
	s.cells = make([]Cell, s.Cols*s.Rows)
	for y := range s.Rows {
		for x := range s.Cols {
			at := y*s.Cols + x
			c := &s.cells[at]
			c.take(e.vt.CellAt(x, y))
			if c.Width == 0 && x > 0 {
				// x/vt gives the right half of a wide character no style.
				c.Style, c.Link = s.cells[at-1].Style, s.cells[at-1].Link
			}
		}
	}
	return s
}

// take takes a cell over from the emulator, in place: see look.
//
//go:norace
func (c *Cell) take(from *uv.Cell) {
	if from == nil {
		c.Text, c.Width = " ", 1
		return
	}
	c.Text, c.Width = from.Content, from.Width
	style := &from.Style
	if style.Fg != nil {
		c.Style.Fg = colorOf(style.Fg)
	}
	if style.Bg != nil {
		c.Style.Bg = colorOf(style.Bg)
	}
	if style.UnderlineColor != nil {
		c.Style.UnderlineColor = colorOf(style.UnderlineColor)
	}
	c.Style.Attrs, c.Style.Underline = Attr(style.Attrs), Underline(style.Underline)
	c.Link = from.Link.URL
}
