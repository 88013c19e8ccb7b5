// Package edit holds the text fields: one line, and several. They keep what is
// typed, know where the cursor is, and take the editing keys of a shell. They
// draw nothing; what they hold is shown through package safe like everything
// else, because it may have been pasted.
//
// The fields of bubbles (textinput, textarea) return styled strings, and bring a
// clipboard, a blinking cursor and a theme of their own. Here a text and the cell
// of its cursor are needed, on a canvas that clips, by a form that knows no screen.
package edit

import (
	"strings"
	"unicode"

	"belay/internal/safe"
)

// Line is a field of one line. The zero Line is empty.
type Line struct {
	// Breaks keeps line breaks that are pasted or set, shown as ⏎; without it
	// they become blanks.
	Breaks bool

	text []rune
	at   int // the cursor, 0 … len(text)
}

// Set replaces the text and puts the cursor behind it.
func (l *Line) Set(s string) {
	l.text = []rune(l.clean(s))
	l.at = len(l.text)
}

// String is the text.
func (l *Line) String() string { return string(l.text) }

// Empty reports whether there is no text.
func (l *Line) Empty() bool { return len(l.text) == 0 }

// Insert puts s where the cursor is.
func (l *Line) Insert(s string) {
	in := []rune(l.clean(s))
	l.text = append(l.text[:l.at:l.at], append(in, l.text[l.at:]...)...)
	l.at += len(in)
}

var breaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

func (l *Line) clean(s string) string {
	if l.Breaks {
		return s
	}
	return breaks.Replace(s)
}

// Key acts on a key. The results report whether the field took the key, and whether
// the text has changed.
func (l *Line) Key(k Key) (taken, changed bool) {
	before := len(l.text)
	switch k.Name {
	case "left", "ctrl+b":
		l.at = max(0, l.at-1)
	case "right", "ctrl+f":
		l.at = min(len(l.text), l.at+1)
	case "home", "ctrl+a":
		l.at = 0
	case "end", "ctrl+e":
		l.at = len(l.text)
	case "alt+left", "ctrl+left", "alt+b":
		l.at = l.wordLeft()
	case "alt+right", "ctrl+right", "alt+f":
		l.at = l.wordRight()
	case "backspace", "ctrl+h":
		l.cut(max(0, l.at-1), l.at)
	case "delete", "ctrl+d":
		l.cut(l.at, min(len(l.text), l.at+1))
	case "ctrl+w", "alt+backspace":
		l.cut(l.wordLeft(), l.at)
	case "alt+d":
		l.cut(l.at, l.wordRight())
	case "ctrl+k":
		l.cut(l.at, len(l.text))
	case "ctrl+u":
		l.cut(0, l.at)
	default:
		if k.Text == "" {
			return false, false
		}
		l.Insert(k.Text)
	}
	return true, len(l.text) != before
}

func (l *Line) cut(from, to int) {
	l.text = append(l.text[:from:from], l.text[to:]...)
	l.at = from
}

func (l *Line) wordLeft() int {
	i := l.at
	for i > 0 && unicode.IsSpace(l.text[i-1]) {
		i--
	}
	for i > 0 && !unicode.IsSpace(l.text[i-1]) {
		i--
	}
	return i
}

func (l *Line) wordRight() int {
	i := l.at
	for i < len(l.text) && unicode.IsSpace(l.text[i]) {
		i++
	}
	for i < len(l.text) && !unicode.IsSpace(l.text[i]) {
		i++
	}
	return i
}

// View is the part of the text that is shown in width columns, and the column
// of the cursor in it, which is always less than width.
func (l *Line) View(width int) (shown safe.Text, cursor int) {
	if width < 1 {
		return "", 0
	}
	from := max(0, l.at-10*width) // a character has at most 9 runes that take no column
	for safe.Width(safe.Line(string(l.text[from:l.at]))) >= width {
		from += max(1, (l.at-from)/8)
	}
	before := safe.Line(string(l.text[from:l.at]))
	cursor = safe.Width(before)
	after := safe.LineN(string(l.text[l.at:]), width)
	return before + safe.Cut(after, width-cursor), cursor
}
