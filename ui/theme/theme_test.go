package theme

import (
	"fmt"
	"image/color"
	"reflect"
	"strings"
	"testing"

	"belay/internal/safe"
	"belay/ui/canvas"

	"charm.land/bubbles/v2/spinner"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

func TestEveryTokenHasItsColors(t *testing.T) {
	for i := Default + 1; i < numTokens; i++ {
		for _, hex := range []string{tokens[i].light, tokens[i].dark} {
			if _, none := lipgloss.Color(hex).(lipgloss.NoColor); none || len(hex) != 7 {
				t.Errorf("token %d: %q is no color", i, hex)
			}
		}
	}
}

// contrast is the contrast of two colors as WCAG defines it, from 1 to 21.
func contrast(a, b color.Color) float64 {
	la, lb := luminance(a)+0.05, luminance(b)+0.05
	return max(la, lb) / min(la, lb)
}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	lin := func(v uint32) float64 {
		x := float64(v) / 0xffff
		return x * x * (0.3 + 0.7*x) // close to the curve of sRGB
	}
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}

// Words can be read on the backgrounds that they are drawn on.
func TestContrast(t *testing.T) {
	for _, bg := range []struct {
		dark  bool
		color string
	}{{true, "#000000"}, {true, "#1E1E2E"}, {true, tokens[Chosen].dark}, {false, "#FFFFFF"}, {false, tokens[Chosen].light}} {
		for i := Ink; i < Shade; i++ {
			if i == Faint {
				continue // frames, no words
			}
			hex := tokens[i].light
			if bg.dark {
				hex = tokens[i].dark
			}
			if got := contrast(lipgloss.Color(hex), lipgloss.Color(bg.color)); got < 3.5 {
				t.Errorf("token %d, %s on %s: contrast %.1f", i, hex, bg.color, got)
			}
		}
	}
}

func TestGlyphsAreOneColumnAndASCIIIsASCII(t *testing.T) {
	for name, set := range map[string]Glyphs{"unicode": Unicode, "ascii": ASCII} {
		check := func(field string, g string) {
			if safe.Width(safe.Text(g)) != 1 && field != "Dots" {
				t.Errorf("%s %s: %q is %d columns wide", name, field, g, safe.Width(safe.Text(g)))
			}
			for _, r := range g {
				if name == "ascii" && r >= 0x80 {
					t.Errorf("%s %s: %q is not ASCII", name, field, g)
				}
			}
		}
		v := reflect.ValueOf(set)
		for i := range v.NumField() {
			switch f := v.Field(i).Interface().(type) {
			case safe.Text:
				check(v.Type().Field(i).Name, string(f))
			case spinner.Spinner:
				for _, g := range f.Frames {
					check("Spin", g)
				}
			case canvas.Border:
				b := reflect.ValueOf(f)
				for j := range b.NumField() {
					check("Border", b.Field(j).String())
				}
			}
		}
	}
}

// Without color every state still differs, by attributes; none has a color.
func TestWithoutColor(t *testing.T) {
	s := NewStyles(true)
	if s.Selected.Attr == 0 || s.Selected == s.SelectedDim {
		t.Error("the selected row cannot be told")
	}
	c := canvas.New(NewPalette(true, true), false)
	c.Reset(4, 1)
	c.All().Put(0, 0, "word", s.Bad)
	if got := c.String(); got != "\x1b[mword\x1b[m" {
		t.Errorf("a word without color is drawn as %q", got)
	}
}

// Where there are few colors, the selected row is grey or has no background, and no color
// of its own, whether its pane has the keys or not.
func TestTheSelectionIsCalmInFewColors(t *testing.T) {
	for _, hex := range []string{greys[Chosen].light, greys[Chosen].dark, greys[Rested].light, greys[Rested].dark} {
		r, g, b, _ := colorprofile.ANSI256.Convert(lipgloss.Color(hex)).RGBA()
		if r != g || g != b {
			t.Errorf("%s is %d %d %d among 256 colors", hex, r>>8, g>>8, b>>8)
		}
	}
	for profile, want := range map[colorprofile.Profile][2]string{
		colorprofile.ANSI256: {"48;2;48;48;48", "48;2;38;38;38"}, colorprofile.ANSI: {}, colorprofile.TrueColor: {"48;2;29;51;70", "48;2;26;36;46"},
	} {
		for i, look := range []canvas.Style{NewStyles(false).Selected, NewStyles(false).SelectedDim} {
			c := canvas.New(PaletteOf(true, false, profile), false)
			c.Reset(1, 1)
			c.All().Fill(look)
			if got, want := c.String(), want[i]; want != "" && !strings.Contains(got, want) || want == "" && strings.Contains(got, "48;") {
				t.Errorf("%v: %q", profile, got)
			}
		}
	}
}

// Of 16 colors, what the words tell apart is told apart as well: what is in flight, what was
// cancelled, what asks, what failed and what went right. They are the terminal's own, and none is
// close to its background.
func TestStatesDifferInSixteenColors(t *testing.T) {
	for _, dark := range []bool{true, false} {
		s := NewStyles(false)
		seen := map[color.Color]string{}
		for name, look := range map[string]canvas.Style{"ok": s.OK, "info": s.Info, "warn": s.Warn, "bad": s.Bad, "stop": s.Stop, "accent": s.Accent, "muted": s.Muted} {
			c := canvas.New(PaletteOf(dark, false, colorprofile.ANSI), false)
			c.Reset(1, 1)
			c.All().Put(0, 0, "x", look)
			var code int
			if _, err := fmt.Sscanf(c.String(), "\x1b[;%dmx", &code); err != nil || code < 30 || code > 97 {
				t.Fatalf("%s is drawn as %q", name, c.String())
			}
			basic := ansi.BasicColor(code % 10)
			if code >= 90 {
				basic += 8
			}
			if other, is := seen[basic]; is {
				t.Errorf("dark %t: %s is %v, and so is %s", dark, name, basic, other)
			}
			seen[basic] = name
			r, g, b, _ := basic.RGBA()
			r, g, b = r>>8, g>>8, b>>8
			if luma := (299*int(r) + 587*int(g) + 114*int(b)) / 1000; dark && luma < 25 || !dark && luma > 190 {
				t.Errorf("dark %t: %s is %d of 255 bright", dark, name, luma)
			}
		}
	}
}
