package termtest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The DEC private modes that change what input looks like.
const (
	modeCursorKeys     = 1
	modeBracketedPaste = 2004
	modeMouseSGR       = 1006
)

// kittyEscape is the esc key in the kitty keyboard protocol.
const kittyEscape = "\x1b[27u"

// send queues input and returns at once. Input that a program no longer reads
// because it has ended is lost, as in any terminal.
func (t *Terminal) send(text string) error {
	t.mu.Lock()
	closing := t.closing
	t.mu.Unlock()
	if closing {
		return errClosed
	}
	t.input.add(text)
	return nil
}

// Type types text as a person would: a newline is the enter key. It does not
// wait for the program to read it.
func (t *Terminal) Type(text string) error {
	return t.send(strings.ReplaceAll(text, "\n", "\r"))
}

// Press presses keys one after the other; [EncodeKey] lists their names. A program
// that has asked for the kitty keyboard protocol gets esc in its form, which is
// nothing else; other keys it must know in the older form as well. Without the
// protocol only time tells esc from the beginning of a sequence: the terminal pauses
// before it sends anything else, which a program on a busy machine may read at once
// nevertheless.
func (t *Terminal) Press(keys ...string) error {
	screen := t.Screen()
	for _, key := range keys {
		seq, err := EncodeKey(key, screen.HasMode(modeCursorKeys))
		if err != nil {
			return fmt.Errorf("termtest: %w", err)
		}
		if key == "esc" && screen.Kitty&ansi.KittyDisambiguateEscapeCodes != 0 {
			seq = kittyEscape
		}
		if err := t.send(seq); err != nil {
			return err
		}
	}
	return nil
}

// Paste pastes text, bracketed if the program has turned that on. Like a
// terminal it leaves out what would end the bracket early.
func (t *Terminal) Paste(text string) error {
	if !t.Screen().HasMode(modeBracketedPaste) {
		return t.send(strings.ReplaceAll(text, "\n", "\r"))
	}
	text = strings.ReplaceAll(text, "\x1b[201~", "")
	return t.send("\x1b[200~" + text + "\x1b[201~")
}

// The buttons of SGR mouse reports.
const (
	buttonLeft      = 0
	buttonWheelUp   = 64
	buttonWheelDown = 65
)

// Click presses and releases the left button in column x of row y, counted
// from 0. It is an error if the program has not turned on SGR mouse reports.
func (t *Terminal) Click(x, y int) error {
	if err := t.mouse(buttonLeft, x, y, 'M'); err != nil {
		return err
	}
	return t.mouse(buttonLeft, x, y, 'm')
}

// Scroll turns the wheel at column x of row y by some notches: down, or up if
// notches is negative.
func (t *Terminal) Scroll(x, y, notches int) error {
	button := buttonWheelDown
	if notches < 0 {
		button, notches = buttonWheelUp, -notches
	}
	for range notches {
		if err := t.mouse(button, x, y, 'M'); err != nil {
			return err
		}
	}
	return nil
}

func (t *Terminal) mouse(button, x, y int, final byte) error {
	s := t.Screen()
	if !s.HasMode(modeMouseSGR) || !(s.HasMode(1000) || s.HasMode(1002) || s.HasMode(1003)) {
		return errors.New("termtest: the program has not turned on SGR mouse reports, so it cannot see a click")
	}
	if x < 0 || y < 0 || x >= s.Cols || y >= s.Rows {
		return fmt.Errorf("termtest: column %d of row %d is outside of the %d×%d screen", x, y, s.Cols, s.Rows)
	}
	return t.send(fmt.Sprintf("\x1b[<%d;%d;%d%c", button, x+1, y+1, final))
}
