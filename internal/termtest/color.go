package termtest

import (
	"fmt"
	"image/color"

	"github.com/charmbracelet/x/ansi"
)

// Color is the colour of a cell as the program asked for it, or what it
// resolves to. The zero value is the terminal's default. Colors are comparable
// with ==.
type Color struct {
	kind    colorKind
	index   uint8
	r, g, b uint8
}

type colorKind uint8

const (
	colorDefault colorKind = iota
	colorIndexed
	colorRGB
)

// Indexed is palette entry n: 0–15 are the theme's, 16–231 the 6×6×6 cube,
// 232–255 the greys.
func Indexed(n uint8) Color { return Color{kind: colorIndexed, index: n} }

// RGB is a truecolor value.
func RGB(r, g, b uint8) Color { return Color{kind: colorRGB, r: r, g: g, b: b} }

// String is "default", "index 12" or "#rrggbb".
func (c Color) String() string {
	switch c.kind {
	case colorIndexed:
		return fmt.Sprintf("index %d", c.index)
	case colorRGB:
		return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b)
	default:
		return "default"
	}
}

// RGBA makes a Color usable as an [image/color.Color]; indexed colours are
// those of the xterm palette and the default is opaque black.
func (c Color) RGBA() (r, g, b, a uint32) {
	if c.kind == colorIndexed {
		return ansi.IndexedColor(c.index).RGBA()
	}
	return color.RGBA{R: c.r, G: c.g, B: c.b, A: 0xff}.RGBA()
}

// colorOf takes a colour over from the emulator.
func colorOf(c color.Color) Color {
	switch c := c.(type) {
	case nil:
		return Color{}
	case Color:
		return c
	case ansi.BasicColor:
		return Indexed(uint8(c))
	case ansi.IndexedColor:
		return Indexed(uint8(c))
	default:
		r, g, b, _ := c.RGBA()
		return RGB(uint8(r>>8), uint8(g>>8), uint8(b>>8))
	}
}

// mix is c with the given share (0–100) of it kept and the rest taken from
// base; both must be RGB.
func (c Color) mix(base Color, keep int) Color {
	blend := func(a, b uint8) uint8 { return uint8((int(a)*keep + int(b)*(100-keep)) / 100) }
	return RGB(blend(c.r, base.r), blend(c.g, base.g), blend(c.b, base.b))
}

// Theme is what the terminal itself brings: its default colours, which a
// program can ask for (OSC 10, OSC 11), and the first 16 of its palette.
type Theme struct {
	Foreground, Background Color // RGB
	Palette                [16]Color
}

// resolve turns any colour into RGB; fallback is what the default stands for.
func (t *Theme) resolve(c, fallback Color) Color {
	switch {
	case c.kind == colorRGB:
		return c
	case c.kind == colorIndexed && c.index < 16:
		return t.Palette[c.index]
	case c.kind == colorIndexed:
		r, g, b, _ := c.RGBA()
		return RGB(uint8(r>>8), uint8(g>>8), uint8(b>>8))
	default:
		return fallback
	}
}

// Dark is a terminal with a dark background, the default.
func Dark() Theme {
	return Theme{
		Foreground: RGB(0xd6, 0xda, 0xe0),
		Background: RGB(0x12, 0x16, 0x1c),
		Palette: [16]Color{
			RGB(0x2a, 0x30, 0x39), RGB(0xe0, 0x6c, 0x75), RGB(0x8f, 0xc0, 0x7a), RGB(0xe2, 0xbd, 0x70),
			RGB(0x6c, 0xa8, 0xe8), RGB(0xc4, 0x8a, 0xdc), RGB(0x5f, 0xba, 0xc2), RGB(0xc3, 0xc8, 0xd0),
			RGB(0x6b, 0x74, 0x82), RGB(0xf0, 0x8a, 0x90), RGB(0xaa, 0xd8, 0x96), RGB(0xf2, 0xd2, 0x8e),
			RGB(0x8f, 0xc1, 0xf5), RGB(0xd8, 0xa8, 0xec), RGB(0x82, 0xd3, 0xda), RGB(0xf4, 0xf6, 0xf9),
		},
	}
}

// Light is a terminal with a light background.
func Light() Theme {
	return Theme{
		Foreground: RGB(0x24, 0x29, 0x2f),
		Background: RGB(0xfd, 0xfd, 0xfb),
		Palette: [16]Color{
			RGB(0x24, 0x29, 0x2f), RGB(0xbf, 0x2f, 0x3a), RGB(0x2f, 0x7a, 0x2b), RGB(0x8f, 0x63, 0x00),
			RGB(0x1f, 0x62, 0xb8), RGB(0x8a, 0x3d, 0xa8), RGB(0x10, 0x73, 0x7d), RGB(0x8b, 0x92, 0x9b),
			RGB(0x6a, 0x72, 0x7c), RGB(0xd9, 0x4a, 0x55), RGB(0x3f, 0x94, 0x3a), RGB(0xa8, 0x78, 0x10),
			RGB(0x37, 0x7d, 0xd4), RGB(0xa3, 0x58, 0xc0), RGB(0x1c, 0x8d, 0x98), RGB(0xf3, 0xf4, 0xf5),
		},
	}
}
