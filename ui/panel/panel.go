// Package panel is the common part of the panels, which lie over the panes. The
// screen calls a [Panel], a panel calls its [Host], and a [Frame] is drawn around
// the panel. A panel knows no model: it returns a [Wish], which the screen routes.
package panel

import (
	"errors"
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/session"
	"belay/ui/formview"
	"belay/ui/keymap"
	"belay/ui/layout"
	"belay/ui/remedy"
	"belay/ui/theme"
)

// ErrExists means: a file of this name exists, and was not replaced.
var ErrExists = errors.New("the file exists already")

// Panel is something that lies over the panes and takes the keys.
type Panel interface {
	// Scope is where its keys work.
	Scope() keymap.Scope
	// Draw draws it and returns where the cursor is, or nil.
	Draw(f *Frame) *image.Point
	// Key takes a key that no binding took.
	Key(k tea.KeyPressMsg) tea.Cmd
	// Paste takes pasted text. It is text and never a key (SEC-30).
	Paste(text string) tea.Cmd
	// Close is esc.
	Close() tea.Cmd
}

// Host is the screen that a panel lies on, as far as a panel knows it.
type Host interface {
	// Do gives the session an input. The error is a *[session.Refusal].
	Do(in session.Input) (session.Reply, error)
	// View calls f with the session under its lock. f reads and returns soon.
	View(f func(*session.Session))
	// Screen is the screen as it is now.
	Screen() Screen
	// Say shows a sentence in the status line; an empty one changes nothing.
	Say(n Notice) tea.Cmd
	// Push lays a panel over everything else.
	Push(p Panel)
	// Pop takes a panel away, wherever it is.
	Pop(p Panel)
	// Want has the screen do what is beyond the panel.
	Want(w Wish) tea.Cmd
}

// Screen is what a panel may know of the screen. What it points to never changes.
type Screen struct {
	theme.Looks
	Status *session.Status // as of the last frame
	Now    time.Time       // of the last frame
	W, H   int
	Layout layout.Layout
	Spin   safe.Text // the spinner as it stands

	Top         Panel          // what lies uppermost over the panes; nil: nothing does
	Told        Notice         // what the status line says
	Number      int            // of that notice: another one has another number
	Free        bool           // nothing is in use: a panel may open by itself (SEC-32)
	Chosen      session.CallID // the call that is selected
	AwaitsRetry bool           // … which goes on when the user says so
}

// IsTiny reports whether there is room for one line only.
func (s Screen) IsTiny() bool { return s.Layout.Mode == layout.Tiny }

// IsSized reports whether the terminal has said how large it is.
func (s Screen) IsSized() bool { return s.W > 0 && s.H > 0 }

// Shows reports whether ! is the key that shows what waits for the user: elsewhere
// it is text, or nothing.
func (s Screen) Shows() bool { return s.Top == nil && !s.IsTiny() }

// Wish is one of the types below: something that the screen is to do for a panel.
type Wish interface{ wish() }

type (
	// Cancel cancels a call, with the default reason.
	Cancel struct{ Row session.Row }
	// Repeat makes a call again.
	Repeat struct{ Call session.Detail }
	// Call makes a call, when the user has agreed to it where belay asks. Made is told
	// once it is made, and not where it is refused. After is run then; nil: nothing is.
	Call struct {
		Spec  session.CallSpec
		Made  func()
		After tea.Cmd
	}
	// Subscribe hears of the changes of a resource.
	Subscribe struct{ URI string }
	// Choose selects a call in the table.
	Choose struct{ Call session.CallID }
	// Copy gives a value to the terminal's clipboard.
	Copy struct{ Value }
	// Save writes a value to a new file.
	Save struct{ Value }
	// Edit gives a text to the user's editor. Take gets what became of it, if that is
	// another text.
	Edit struct {
		Text, Ending string
		Take         func(after string) tea.Cmd
	}
	// PaneKey is a key that may be one of the panes below. If so, that is told.
	PaneKey struct{ Key tea.KeyPressMsg }
	// Unused is a key that does nothing in the panel. What it does elsewhere is told.
	Unused struct{ Key tea.KeyPressMsg }
)

func (Cancel) wish()    {}
func (Repeat) wish()    {}
func (Call) wish()      {}
func (Subscribe) wish() {}
func (Choose) wish()    {}
func (Copy) wish()      {}
func (Save) wish()      {}
func (Edit) wish()      {}
func (PaneKey) wish()   {}
func (Unused) wish()    {}

// Value is something that can be copied or saved.
type Value struct {
	Data []byte
	What safe.Text // "the result"
	Name string    // of the file

	Coded bool // Data is base64; what it stands for is saved
}

// Done tells how something ended that was done outside of Update.
type Done struct {
	Say  safe.Text
	Err  error
	Then func() tea.Cmd
}

// Kind is what a notice tells of.
type Kind uint8

// The kinds of notices.
const (
	IsSaid    Kind = iota // something was done
	IsRefused             // something cannot be done; nothing was
	IsFailed              // something went wrong
)

// Notice is one sentence for the status line. Refusals are told there and never in
// a dialog.
type Notice struct {
	Text safe.Text
	Kind Kind

	Clears bool // there is nothing to be said any more
	Stays  bool // it takes the place of the sentence that is there, for as long as that

	Aside    bool // it tells of a question that is not open, and would seem to tell of one that opens
	Answered bool // it names the question that was answered just now

	// Until reports whether the sentence is out of date, and returns the sentence in its
	// place; nil: the sentence stays true.
	Until func(*session.Session) (instead safe.Text, over bool)
}

// Said tells of something that was done.
func Said(text safe.Text) Notice { return Notice{Text: text} }

// Refused tells why something was not done.
func Refused(why safe.Text) Notice { return Notice{Text: why, Kind: IsRefused} }

// Failed tells of something that went wrong.
func Failed(text safe.Text) Notice { return Notice{Text: text, Kind: IsFailed} }

// Silence ends the sentence that is there.
func Silence() Notice { return Notice{Clears: true} }

// Instead replaces the present sentence, and stays for as long as that one would.
func Instead(text safe.Text) Notice { return Notice{Text: text, Stays: true} }

// Error tells why something was refused or failed. The sentences of the core are
// belay's own, but may hold names of the server's.
func Error(err error) Notice {
	var r *session.Refusal
	if errors.As(err, &r) {
		return Refused(ErrorWords(err))
	}
	return Failed(ErrorWords(err))
}

// ErrorWords say why something was refused or failed.
func ErrorWords(err error) safe.Text {
	var r *session.Refusal
	if errors.As(err, &r) {
		return remedy.With(safe.Line(r.Text), r.Remedy)
	}
	return safe.Line(err.Error())
}

// FieldKey is a key as the fields take it.
func FieldKey(k tea.KeyPressMsg) edit.Key {
	typed := k.Text
	if k.Mod&(tea.ModCtrl|tea.ModAlt) != 0 {
		typed = ""
	}
	return edit.Key{Name: k.String(), Text: typed}
}

// Beside is the notice as one of a question that is not open.
func (n Notice) Beside() Notice {
	n.Aside = true
	return n
}

// While is the notice until over says so.
func (n Notice) While(over func(*session.Session) (instead safe.Text, over bool)) Notice {
	n.Until = over
	return n
}

// TypeInto gives a form a key that no binding took. One that does nothing says why.
func TypeInto(h Host, v *formview.View, k tea.KeyPressMsg) tea.Cmd {
	taken, why := v.Key(FieldKey(k))
	if !taken && why == "" {
		return h.Want(Unused{Key: k})
	}
	return h.Say(Refused(why))
}

// Without is a stack of panels less one of them, wherever it lies. The stack given stays as it is.
func Without(stack []Panel, p Panel) []Panel {
	for i := range stack {
		if stack[i] == p {
			return append(stack[:i:i], stack[i+1:]...)
		}
	}
	return stack
}
