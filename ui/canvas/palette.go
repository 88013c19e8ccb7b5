package canvas

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const reset = "\x1b[m"

// Palette gives the indexes of [Color] their meaning. It caches the escape
// sequences of the styles in use, and is not safe for concurrent use.
type Palette struct {
	fg, bg []string
	cache  map[Style]string
	recent [32]styled // in front of the cache: the last style of each color of text, modulo 32
}

// styled is a style with its sequence.
type styled struct {
	style Style
	seq   string // empty: there is none yet
}

// NewPalette makes a palette: colors[i] is what Color(i) looks like, and
// colors[0] is not looked at. A nil color is the terminal's own, so that a
// palette of nils draws with attributes only; an [ansi.BasicColor] is what the terminal makes of it.
func NewPalette(colors []color.Color) *Palette {
	p := &Palette{cache: map[Style]string{}}
	for i, c := range colors {
		var fg, bg string
		if basic, is := c.(ansi.BasicColor); is && i > 0 {
			fg, bg = strconv.Itoa(basicCode(basic)), strconv.Itoa(basicCode(basic)+10)
		} else if c != nil && i > 0 {
			r, g, b, _ := c.RGBA()
			rgb := fmt.Sprintf("2;%d;%d;%d", r>>8, g>>8, b>>8)
			fg, bg = "38;"+rgb, "48;"+rgb
		}
		p.fg, p.bg = append(p.fg, fg), append(p.bg, bg)
	}
	return p
}

// basicCode is the parameter that selects one of the 16 colors for what is written.
func basicCode(c ansi.BasicColor) int {
	const bright = 8
	if c >= bright {
		return 90 + int(c) - bright
	}
	return 30 + int(c)
}

var attrCodes = [...]struct {
	attr Attr
	code string
}{{Bold, "1"}, {Faint, "2"}, {Italic, "3"}, {Underline, "4"}, {Reverse, "7"}, {Strike, "9"}}

// sgr is the sequence that makes everything after it look like s.
func (p *Palette) sgr(s Style) string {
	r := &p.recent[int(s.FG)%len(p.recent)]
	if r.seq == "" || r.style != s {
		*r = styled{s, p.sequence(s)}
	}
	return r.seq
}

func (p *Palette) sequence(s Style) string {
	if seq, ok := p.cache[s]; ok {
		return seq
	}
	parts := []string{""} // an empty parameter resets what was before
	for _, a := range attrCodes {
		if s.Attr&a.attr != 0 {
			parts = append(parts, a.code)
		}
	}
	if int(s.FG) < len(p.fg) && p.fg[s.FG] != "" {
		parts = append(parts, p.fg[s.FG])
	}
	if int(s.BG) < len(p.bg) && p.bg[s.BG] != "" {
		parts = append(parts, p.bg[s.BG])
	}
	seq := "\x1b[" + strings.Join(parts, ";") + "m"
	p.cache[s] = seq
	return seq
}
