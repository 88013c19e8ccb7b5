// Package safe turns text that comes from outside into text that a terminal
// can be given. Whatever a server, a child process, a file or a link says
// (names, ids, reasons, results, stderr, paths, JSON) reaches the screen as a
// [Text], and nothing else does: views take foreign text only in this type.
// (SEC-19 to SEC-23, CXS-23, BASE-18; basic/transports.)
//
// # Notation
//
// Nothing is dropped and nothing acts. What a reader could not see, or what a
// terminal would obey, is written out between ⟨ and ⟩:
//
//	⟨ESC⟩ ⟨BEL⟩ ⟨CR⟩ ⟨DEL⟩   a C0 control or DEL, by its ASCII name
//	⏎ ⇥                      newline and tab where they are not layout
//	⟨U+009B⟩ ⟨U+202E⟩        every other control, format, invisible,
//	                         private-use or unassigned character
//	⟨0xFF⟩                   a byte that is not UTF-8
//	⟨+9 marks⟩               combining marks beyond four on one character
//	⟨+812 bytes⟩ ⟨+3 lines⟩  what a limit left out
//
// A combining mark that has no character of the same text to sit on is given
// a dotted circle, so that it cannot decorate belay's frame.
//
// The one thing left out is inside well-formed emoji: joiners, presentation
// selectors and skin tones, about whose width terminals disagree, are omitted
// and the emoji's parts stand side by side, as Unicode (UTS #51) describes for
// systems that lack the joined picture. Anywhere else they are written out.
//
// # Width
//
// See [Width]: a text is never wider than it was asked to be, whichever of the
// two ways of counting the terminal uses.
package safe

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Text is text that is safe to write to a terminal: valid UTF-8, of one line,
// without control, format or invisible characters. Only the functions of this
// package make a Text out of foreign bytes; converting a constant of belay's
// own is the only other way in.
type Text string

// String returns the text as a plain string, for the call that writes it.
func (t Text) String() string { return string(t) }

// Combining marks that one character may carry. Scripts in use need up to
// three that stack and two that stand beside the character.
const (
	maxStacked = 4
	maxMarks   = 8
)

// noLimit is the limit of texts that are already bounded by their caller.
const noLimit = int(^uint(0) >> 1)

// Looked is told how many bytes of a text are looked at. Tests set it, to count what is
// done between two keys; it is nil otherwise.
var Looked func(bytes int)

func looks(bytes int) {
	if Looked != nil {
		Looked(bytes)
	}
}

// Line returns s as one line. Newlines and tabs are shown, not obeyed. It is
// idempotent: Line(string(Line(s))) == Line(s).
func Line(s string) Text { return LineN(s, noLimit) }

// LineN is [Line] for at most maxRunes characters of s. What is left out is
// named at the end, as ⟨+N bytes⟩, and is not looked at: the cost depends on
// maxRunes, not on the length of s. A byte that is not UTF-8 counts as a
// character. With maxRunes < 1 nothing of s is shown but its length.
func LineN(s string, maxRunes int) Text {
	if isPlain(s, maxRunes) {
		return Text(s)
	}
	var e escaper
	rest := e.text(s, maxRunes)
	if rest > 0 {
		e.count(rest, "byte")
	}
	return e.done()
}

// BytesN is [LineN] for raw bytes, for example a message as it came. It copies no more of b than it shows.
func BytesN(b []byte, maxRunes int) Text {
	if maxRunes < 1 || len(b)/utf8.UTFMax <= maxRunes {
		return LineN(string(b), maxRunes)
	}
	head := string(b[:maxRunes*utf8.UTFMax])
	var e escaper
	rest := e.text(head, maxRunes) + len(b) - len(head)
	e.count(rest, "byte")
	return e.done()
}

// isPlain reports whether s is printable ASCII of at most n characters.
func isPlain(s string, n int) bool {
	if len(s) > n {
		return false
	}
	looks(len(s))
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// escaper writes safe text. The zero value is ready.
type escaper struct {
	b strings.Builder

	last    rune // the last character of the input that was written as itself, else 0
	stacked int  // marks of last that stack
	marks   int  // all marks of last
	extra   int  // marks of last that were not written
	styled  bool // a presentation selector of last was left out
	toned   bool // a skin tone of last was left out
}

// text appends at most limit characters of s and returns how many bytes of s
// it left out.
func (e *escaper) text(s string, limit int) (rest int) {
	looks(max(0, min(len(s)/utf8.UTFMax, limit)) * utf8.UTFMax)
	for i := 0; i < len(s); limit-- {
		if limit < 1 {
			return len(s) - i
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			e.note(fmt.Sprintf("⟨0x%02X⟩", s[i]))
		} else {
			e.rune(r, s[i+size:])
		}
		i += size
	}
	return 0
}

// rune appends r; after is the input behind it.
func (e *escaper) rune(r rune, after string) {
	switch {
	case r == '\n':
		e.note("⏎")
	case r == '\t':
		e.note("⇥")
	case r < 0x20:
		e.note("⟨" + c0[r] + "⟩")
	case r == 0x7f:
		e.note("⟨DEL⟩")
	case r < 0x7f:
		e.char(r)
	case e.omits(r, after):
	case isHidden(r), isSkinTone(r):
		e.note(fmt.Sprintf("⟨U+%04X⟩", r))
	case unicode.Is(unicode.M, r):
		e.mark(r)
	default:
		e.char(r)
	}
}

// char appends a character that stands for itself.
func (e *escaper) char(r rune) {
	e.end()
	e.b.WriteRune(r)
	e.last = r
}

// note appends words of the notation. A mark that follows them must not sit
// on them.
func (e *escaper) note(s string) {
	e.end()
	e.b.WriteString(s)
}

// count appends ⟨+n words⟩.
func (e *escaper) count(n int, word string) {
	e.note(counted(n, word))
}

func counted(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("⟨+%d %s⟩", n, word)
}

// mark appends a combining mark, if its character can take one more.
func (e *escaper) mark(r rune) {
	if e.last == 0 {
		e.char('◌')
	}
	stacks := !unicode.Is(unicode.Mc, r)
	if e.marks == maxMarks || stacks && e.stacked == maxStacked {
		e.extra++
		return
	}
	e.marks++
	if stacks {
		e.stacked++
	}
	e.b.WriteRune(r)
}

// end closes the last character: what follows has nothing to do with it.
func (e *escaper) end() {
	if e.extra > 0 {
		e.b.WriteString(counted(e.extra, "mark"))
	}
	e.last, e.stacked, e.marks, e.extra = 0, 0, 0, 0
	e.styled, e.toned = false, false
}

func (e *escaper) done() Text {
	e.end()
	return Text(e.b.String())
}

// omits reports whether r is a part of a well-formed emoji that is left out.
func (e *escaper) omits(r rune, after string) bool {
	if e.last == 0 || e.marks > 0 {
		return false
	}
	switch {
	case r == 0xfe0e || r == 0xfe0f:
		if e.styled || e.toned {
			return false
		}
		keycap := strings.ContainsRune("0123456789#*", e.last) && strings.HasPrefix(after, "\u20e3")
		e.styled = keycap || isPictograph(e.last)
		return e.styled
	case isSkinTone(r):
		if e.toned || !isPictograph(e.last) {
			return false
		}
		e.toned = true
		return true
	case r == 0x200d:
		next, _ := utf8.DecodeRuneInString(after)
		return isPictograph(e.last) && isPictograph(next) && !isHidden(next)
	}
	return false
}

// isSkinTone reports whether r changes the emoji before it and does not stand
// for itself.
func isSkinTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// isPictograph reports whether r is what emoji are made of (the property
// Extended_Pictographic). Only of such characters does a joiner between two
// make one cluster, which is how it is found out here without another table.
func isPictograph(r rune) bool {
	if r < 0xa9 || unicode.In(r, unicode.L, unicode.M) {
		return false
	}
	joined := string([]rune{r, 0x200d, r})
	cluster, _ := ansi.FirstGraphemeCluster(joined, ansi.GraphemeWidth)
	return cluster == joined
}

// isHidden reports whether r must be written out: it is not a letter, mark,
// number, punctuation, symbol or space, or it is one of those that Unicode
// lets a font show as nothing.
func isHidden(r rune) bool {
	switch {
	case r > 0xa0 && r < 0x250:
		return r == 0xad
	case r >= 0x3041 && r <= 0x30ff, r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3:
		// Kana, Han and Hangul blocks are full of ordinary characters;
		// the two that are not assigned (U+3097, U+3098) fall through.
		if r != 0x3097 && r != 0x3098 {
			return false
		}
	}
	return !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// c0 names the first 32 characters as ASCII does.
var c0 = [32]string{
	"NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL",
	"BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI",
	"DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB",
	"CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
}
