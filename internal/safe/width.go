package safe

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// ellipsis ends what was cut.
const ellipsis = "…"

// Width returns the columns that t takes at most, in any terminal.
//
// Terminals count in one of two ways, by character or (DEC mode 2027) by
// grapheme cluster. Bubble Tea draws in the first way and changes to the
// second when the terminal says that it can; Lip Gloss always measures in the
// second. For most text the two agree. Where they do not (Devanagari, Khmer,
// conjoining Hangul), the wider count is taken: a row may then end a few
// columns early, and never late.
func Width(t Text) int {
	if n, ok := simpleWidth(string(t)); ok {
		return n
	}
	return max(ansi.StringWidth(string(t)), ansi.StringWidthWc(string(t)))
}

// simpleWidth counts the characters of a text in which each takes one column, and joins with no
// other, in either way of counting. It is many times faster than measuring, and most texts are such.
func simpleWidth(s string) (n int, ok bool) {
	looks(len(s))
	for _, r := range s {
		if r >= utf8.RuneSelf && !isSimple(r) {
			return 0, false
		}
		n++
	}
	return n, true
}

// isSimple reports whether a character beyond ASCII takes one column, and joins with no other of
// them, in either way of counting: Latin letters, and what belay itself draws with.
func isSimple(r rune) bool {
	switch {
	case r < 0x300:
		return r > 0xa0 && r != 0xad
	case r < 0x2500:
		return r >= 0x2010 && r <= 0x2027 || r >= 0x2190 && r <= 0x2193 || r >= 0x2200 && r <= 0x22ff // dots and quotes, arrows, mathematics
	}
	return r <= 0x25fc || r >= 0x2713 && r <= 0x2718 || r >= 0x2800 && r <= 0x28ff // lines and shapes, ticks, spinners
}

// SimpleHead returns how many bytes the first character of s takes if that is known, without
// measuring, to take one column and to join with nothing behind it; 0 otherwise.
func SimpleHead(s string) int {
	size := simpleSize(s)
	if size == 0 || size < len(s) && simpleSize(s[size:]) == 0 {
		return 0
	}
	return size
}

// simpleSize is how many bytes the first character of s takes; 0: it is not simple, or there is none.
func simpleSize(s string) int {
	if s == "" {
		return 0
	}
	if s[0] < utf8.RuneSelf {
		return 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if !isSimple(r) {
		return 0
	}
	return size
}

// fits reports whether a text of simple characters has room in so many columns. It is false of other
// texts, and of longer ones without looking at them.
func fits(t Text, width int) bool {
	if len(t) > width*utf8.UTFMax {
		return false
	}
	n, ok := simpleWidth(string(t))
	return ok && n <= width
}

// Cut returns t in at most width columns, ending in … if something is
// missing. It does not break a cluster, and looks at no more than the part that it
// returns and four bytes for each column. With width < 1 it returns nothing.
func Cut(t Text, width int) Text {
	if width < 1 {
		return ""
	}
	if fits(t, width) {
		return t
	}
	r := ruler{rest: string(t)}
	kept := 0 // bytes that leave room for the ellipsis
	for r.next() {
		if r.width() > width {
			return t[:kept] + ellipsis
		}
		if r.width() < width {
			kept = r.end
		}
	}
	return t
}

// CutMiddle is [Cut] for names: what is missing is missing in the middle, for
// names that begin alike end differently.
func CutMiddle(t Text, width int) Text {
	const least = 7
	if width < least || fits(t, width) {
		return Cut(t, width)
	}
	whole := ruler{rest: string(t)}
	for whole.next() {
	}
	if whole.width() <= width {
		return t
	}
	head := ruler{rest: string(t)}
	for more := true; more && whole.without(head) > (width-1)/2; {
		more = head.next()
	}
	return Cut(t[:head.end], width-whole.without(head)) + t[head.end:]
}

// Pad returns t with spaces behind it, up to width columns. It never cuts.
func Pad(t Text, width int) Text {
	missing := width - Width(t)
	if missing <= 0 {
		return t
	}
	return t + Text(strings.Repeat(" ", missing))
}

// PadLeft returns t with spaces before it, up to width columns. It never cuts.
func PadLeft(t Text, width int) Text {
	missing := width - Width(t)
	if missing <= 0 {
		return t
	}
	return Text(strings.Repeat(" ", missing)) + t
}

// Wrap returns t in lines of at most width columns, broken behind spaces
// where there are any and anywhere between clusters where there are none. The
// lines one after the other are t, less spaces at the breaks. With
// maxLines > 0 there are at most so many, and the last ends in … if something
// is missing. A cluster that is wider than width by itself becomes … With
// width < 1 there are no lines; an empty t is one empty line.
func Wrap(t Text, width, maxLines int) []Text {
	if width < 1 {
		return nil
	}
	var lines []Text
	for {
		if len(lines)+1 == maxLines {
			return append(lines, Cut(t, width))
		}
		line, rest := wrapOnce(t, width)
		lines = append(lines, line)
		if rest == "" {
			return lines
		}
		t = rest
	}
}

// wrapOnce splits the first line off t.
func wrapOnce(t Text, width int) (line, rest Text) {
	r := ruler{rest: string(t)}
	space := 0 // end of the last space
	for {
		start := r.end
		if !r.next() {
			return t, ""
		}
		if r.width() > width {
			switch {
			case r.cluster == " ":
				return t[:start], t[r.end:]
			case space > 0:
				return t[:space], t[space:]
			case start == 0:
				return ellipsis, t[r.end:]
			}
			return t[:start], t[start:]
		}
		if r.cluster == " " {
			space = r.end
		}
	}
}

// ruler measures a text cluster by cluster, in both ways of counting.
type ruler struct {
	rest    string
	cluster string // the last one read
	end     int    // bytes read

	graphemes, characters int // columns read, in either way
}

func (r *ruler) next() bool {
	if r.rest == "" {
		return false
	}
	if n := SimpleHead(r.rest); n > 0 {
		r.cluster, r.rest = r.rest[:n], r.rest[n:]
		r.end += n
		r.graphemes++
		r.characters++
		return true
	}
	var columns int
	r.cluster, columns = ansi.FirstGraphemeCluster(r.rest, ansi.GraphemeWidth)
	r.rest = r.rest[len(r.cluster):]
	r.end += len(r.cluster)
	r.graphemes += columns
	r.characters += ansi.StringWidthWc(r.cluster)
	return true
}

func (r *ruler) width() int { return max(r.graphemes, r.characters) }

// without returns the width of what r has read less the head that another has.
func (r *ruler) without(head ruler) int {
	return max(r.graphemes-head.graphemes, r.characters-head.characters)
}
