// Package theme holds what belay looks like: a few color tokens for dark and
// light backgrounds, the styles that are made of them, and the glyphs that
// stand beside the words.
//
// The spinners are two of Bubbles. Package ui has one spinner.Model for the whole
// screen, however many rows are in flight, and steps it by the clock of the screen,
// which stands still while nothing moves. The pace of a spinner (FPS) is not used.
package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"belay/ui/canvas"
)

// The tokens. Everything on the screen takes its color from one of these.
const (
	Default canvas.Color = iota // the terminal's own
	Ink                         // text that matters most
	Muted                       // labels, times, what is over
	Faint                       // frames and rules
	Accent                      // belay itself: focus, keys, its name
	OK
	Info   // in flight
	Warn   // asks for attention
	Bad    // failed, refused
	Stop   // the cancel and everything after it
	Key    // names in JSON
	Str    // strings in JSON
	Shade  // what lies behind a dialog
	Chosen // background of the selected row
	Rested // the same in a pane that has not the keys
	Field  // background of an input
	numTokens
)

// tokens gives each token its color on a light and on a dark background.
var tokens = [numTokens]struct{ light, dark string }{
	Ink:    {"#1B2733", "#E6EDF3"},
	Muted:  {"#5B6B7B", "#8B9BAB"},
	Faint:  {"#B4C0CB", "#3D4B59"},
	Accent: {"#0B7285", "#5CCFE6"},
	OK:     {"#2B7A3D", "#87D787"},
	Info:   {"#1C5FBF", "#78B8FF"},
	Warn:   {"#9A6200", "#FFCC66"},
	Bad:    {"#B3261E", "#FF7B72"},
	Stop:   {"#8A3FA0", "#D8A6F0"},
	Key:    {"#1C5FBF", "#8CC8FF"},
	Str:    {"#2B7A3D", "#A8D8A0"},
	Shade:  {"#9AA7B3", "#55636F"},
	Chosen: {"#DCEBF2", "#1D3346"},
	Rested: {"#EDF2F6", "#1A242E"},
	Field:  {"#EDF2F6", "#1A242E"},
}

// basics are the tokens of a terminal of 16 colors, where the nearest colors would make one of what
// is in flight and what is cancelled, and of what asks and what failed. The grey of frames is no
// color for words: some terminals have it for their background. A token that is not here has the
// terminal's own color: a bar marks the selected row, and any background of those would be a loud one.
var basics = [numTokens]struct{ light, dark color.Color }{
	Ink:    {lipgloss.Black, lipgloss.BrightWhite},
	Muted:  {lipgloss.BrightBlack, lipgloss.White},
	Faint:  {lipgloss.White, lipgloss.BrightBlack},
	Accent: {lipgloss.Cyan, lipgloss.BrightCyan},
	OK:     {lipgloss.Green, lipgloss.BrightGreen},
	Info:   {lipgloss.Blue, lipgloss.BrightBlue},
	Warn:   {lipgloss.Yellow, lipgloss.BrightYellow},
	Bad:    {lipgloss.Red, lipgloss.BrightRed},
	Stop:   {lipgloss.Magenta, lipgloss.BrightMagenta},
	Key:    {lipgloss.Blue, lipgloss.BrightBlue},
	Str:    {lipgloss.Green, lipgloss.BrightGreen},
	Shade:  {lipgloss.White, lipgloss.BrightBlack},
	Field:  {lipgloss.BrightWhite, lipgloss.Black},
}

// greys are the backgrounds of selected rows where there are 256 colors, which have them
// exactly.
var greys = map[canvas.Color]struct{ light, dark string }{
	Chosen: {"#E4E4E4", "#303030"},
	Rested: {"#EEEEEE", "#262626"},
}

// NewPalette gives the tokens their colors. Without color only attributes are
// left (bold, faint, reverse), which every state survives because it has a
// glyph and a word as well.
func NewPalette(dark, noColor bool) *canvas.Palette {
	return PaletteOf(dark, noColor, colorprofile.TrueColor)
}

// PaletteOf is the same for a terminal with few colors. The nearest to the background of
// a selected row would be a loud one: of 256 it is a grey.
func PaletteOf(dark, noColor bool, profile colorprofile.Profile) *canvas.Palette {
	colors := make([]color.Color, numTokens)
	if noColor {
		return canvas.NewPalette(colors)
	}
	pick := lipgloss.LightDark(dark)
	for i, t := range tokens {
		switch grey, isGrey := greys[canvas.Color(i)]; {
		case t.light == "":
			continue
		case profile == colorprofile.ANSI:
			if b := basics[i]; b.light != nil {
				colors[i] = pick(b.light, b.dark)
			}
			continue
		case profile == colorprofile.ANSI256 && isGrey:
			t = grey
		}
		colors[i] = pick(lipgloss.Color(t.light), lipgloss.Color(t.dark))
	}
	return canvas.NewPalette(colors)
}

// Looks are what a part of the screen needs to be drawn.
type Looks struct {
	Styles Styles
	Glyphs Glyphs

	Recorded bool // the screen shows a recording: nothing can be asked of a server, and nothing of that is advised
}

// Styles are the looks of the parts of the screen.
type Styles struct {
	Text, Strong, Muted, Faint         canvas.Style
	Accent, OK, Info, Warn, Bad, Stop  canvas.Style
	Brand, KeyName, KeyOff             canvas.Style
	Frame, FrameFocus, Title, TitleOn  canvas.Style
	Head, Tab, TabOn                   canvas.Style
	Selected, SelectedDim, Mark, Match canvas.Style
	Input, Placeholder, Button, Behind canvas.Style
	JSONKey, JSONString, JSONNumber    canvas.Style
	JSONLiteral, JSONPunct             canvas.Style
}

// NewStyles makes the styles. They are the same for light and dark; only the
// palette differs. Without color, reverse video takes the place of background
// colors.
func NewStyles(noColor bool) Styles {
	fg := func(c canvas.Color) canvas.Style { return canvas.Style{FG: c} }
	bold := func(c canvas.Color) canvas.Style { return canvas.Style{FG: c, Attr: canvas.Bold} }
	s := Styles{
		Text: fg(Default), Strong: bold(Ink), Muted: fg(Muted), Faint: fg(Faint),
		Accent: fg(Accent), OK: fg(OK), Info: fg(Info), Warn: fg(Warn), Bad: fg(Bad), Stop: fg(Stop),
		Brand: bold(Accent), KeyName: bold(Accent), KeyOff: fg(Faint),
		Frame: fg(Faint), FrameFocus: fg(Accent), Title: fg(Muted), TitleOn: bold(Accent),
		Head: fg(Muted), Tab: fg(Muted), TabOn: canvas.Style{FG: Accent, Attr: canvas.Bold | canvas.Underline},
		Selected: canvas.Style{BG: Chosen}, SelectedDim: canvas.Style{BG: Rested},
		Mark: bold(Warn), Match: canvas.Style{FG: Warn, Attr: canvas.Underline},
		Input: canvas.Style{BG: Field}, Placeholder: canvas.Style{FG: Muted, BG: Field},
		Button: fg(Stop), Behind: fg(Shade),
		JSONKey: fg(Key), JSONString: fg(Str), JSONNumber: fg(Info), JSONLiteral: fg(Warn), JSONPunct: fg(Muted),
	}
	if noColor {
		s.Selected = canvas.Style{Attr: canvas.Reverse}
		s.SelectedDim = canvas.Style{Attr: canvas.Bold}
		s.Muted.Attr, s.Faint.Attr, s.Frame.Attr = canvas.Faint, canvas.Faint, canvas.Faint
		s.FrameFocus.Attr = canvas.Bold
		s.Input.Attr, s.Placeholder.Attr = canvas.Underline, canvas.Underline|canvas.Faint
		s.KeyOff.Attr, s.Behind.Attr = canvas.Faint, canvas.Faint
	}
	return s
}
