// Package write puts fields, headings, a server's words and JSON into documents,
// in the looks of the screen.
package write

import (
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/theme"
)

const (
	// MaxLines bounds the lines of a document.
	MaxLines = 5_000
	// MaxBytes bounds the bytes of one text or one JSON value in a document.
	MaxBytes = 512 << 10
)

// Writer is a document that is being written. Make one with [To].
type Writer struct {
	*doc.Doc
	theme.Looks
	printed Printed
}

// To is a writer into d. Long JSON that is in printed is not printed again; nil
// remembers nothing.
func To(d *doc.Doc, looks theme.Looks, printed Printed) *Writer {
	return &Writer{Doc: d, Looks: looks, printed: printed}
}

// Printed are the lines of long JSON that was shown lately, so that a call
// whose progress changes sixty times a second does not print its arguments
// anew each time.
type Printed map[printedKey]*doc.Doc

// printedKey is where the JSON lies: what the core hands out never changes.
type printedKey struct {
	at       *byte
	n, width int
}

const (
	printedMost = 8
	printedFrom = 2 << 10 // bytes that are worth remembering
)

// Part is a writer into a document of its own, of the same width and at most so
// many lines.
func (w *Writer) Part(lines int) *Writer {
	return &Writer{Doc: doc.New(w.Width(), lines), Looks: w.Looks, printed: w.printed}
}

// Field writes one line "label  value".
func (w *Writer) Field(label, value safe.Text, style canvas.Style) {
	const column = 11
	w.Add(column, doc.Span{Text: safe.Pad(label, column), Style: w.Styles.Muted}, doc.Span{Text: value, Style: style})
}

// Heading writes a heading, below a blank line unless there is one.
func (w *Writer) Heading(text safe.Text) {
	if n := len(w.Lines); n > 0 && len(w.Lines[n-1]) > 0 {
		w.Blank()
	}
	w.Add(0, doc.Span{Text: text, Style: w.Styles.TitleOn})
}

// Upto takes n bytes of foreign text, and returns how many of them may be read: at most
// `most`, or all in a document that is only looked through.
func (w *Writer) Upto(n, most int) int {
	if w.IsWhole() {
		return n
	}
	return w.Read(min(n, most))
}

// JSON appends raw as indented JSON, as far as it is read.
func (w *Writer) JSON(raw []byte) {
	raw = raw[:w.Upto(len(raw), MaxBytes)]
	st := w.Styles
	styles := doc.JSONStyles{
		Key: st.JSONKey, String: st.JSONString, Number: st.JSONNumber, Literal: st.JSONLiteral, Punct: st.JSONPunct,
	}
	if len(raw) < printedFrom || w.printed == nil {
		w.Doc.JSON(raw, styles)
		return
	}
	key := printedKey{&raw[0], len(raw), w.Width()}
	part, ok := w.printed[key]
	if !ok {
		part = doc.New(w.Width(), MaxLines)
		part.JSON(raw, styles)
		if len(w.printed) >= printedMost {
			clear(w.printed)
		}
		w.printed[key] = part
	}
	w.Append(part)
}

// Quote writes a server's text line by line behind a bar, so that none of its
// lines can be taken for one of belay's (SEC-23). It is shown as far as it is read.
func (w *Writer) Quote(text string) {
	all := len(text)
	mark := doc.Span{Text: w.Glyphs.Quote + " ", Style: w.Styles.Faint}
	if w.IsWhole() {
		for l := range safe.Lines(text) {
			w.Text([]safe.Text{l}, mark, canvas.Style{})
			if w.IsFull() {
				break
			}
		}
		return
	}
	if n := w.Read(min(all, MaxBytes)); n < all {
		text = strings.ToValidUTF8(text[:n], "")
	}
	w.Text(safe.Block(text, MaxLines), mark, canvas.Style{})
	if all > MaxBytes {
		w.Add(0, doc.Span{Text: wording.Size(all-MaxBytes) + " more: o saves all of it", Style: w.Styles.Warn})
	}
}

// QuoteHead writes the first rows of a server's text as [Writer.Quote] does, and returns
// about how many bytes are left out.
func (w *Writer) QuoteHead(text string, rows int) (more int) {
	mark := w.Glyphs.Quote + " "
	n := w.Read(min(len(text), MaxBytes))
	head, more := Head(text, n, w.Width()-safe.Width(mark), rows)
	w.Text(head, doc.Span{Text: mark, Style: w.Styles.Faint}, canvas.Style{})
	return more
}

// OrNone is a text, or what stands for none.
func OrNone(t safe.Text) safe.Text {
	if t == "" {
		return "-"
	}
	return t
}
