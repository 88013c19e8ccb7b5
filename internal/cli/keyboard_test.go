package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// decoded are the events of what a terminal sends.
func decoded(t *testing.T, input string) (all []uv.Event) {
	t.Helper()
	events := make(chan uv.Event)
	over := make(chan error, 1)
	go func() {
		defer close(events)
		over <- uv.NewTerminalReader(strings.NewReader(input), "xterm-256color").StreamEvents(context.Background(), events)
	}()
	for ev := range events {
		all = append(all, ev)
	}
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	return all
}

// ctrl+c counts however a terminal sends it, and only as the key: what is pasted
// is text, and another key between two of them says that the first was not meant
// to end belay.
func TestCtrlCInARow(t *testing.T) {
	const kitty, kittyCaps, kittyRussian, other = "\x1b[99;5u", "\x1b[99;69u", "\x1b[1089::99;5u", "\x1b[27;5;99~"
	for name, tt := range map[string]struct {
		input string
		want  int // of the last ctrl+c; 0: there is none
	}{
		"none":                     {"abc", 0},
		"once":                     {"\x03", 1},
		"twice":                    {"\x03\x03", 2},
		"kitty":                    {kitty + kitty, 2},
		"kitty, caps lock":         {kittyCaps + kittyCaps, 2},
		"kitty, another layout":    {kittyRussian + kittyRussian, 2},
		"kitty, with releases":     {"\x1b[99;5:1u\x1b[99;5:3u\x1b[99;5:1u\x1b[99;5:3u", 2},
		"modifyOtherKeys":          {other + other, 2},
		"one of each":              {"\x03" + kitty + other, 3},
		"a key between":            {"\x03n\x03", 1},
		"esc between":              {"\x03\x1b[27u\x03", 1},
		"ctrl+d between":           {"\x03\x04\x03", 1},
		"a click between":          {"\x03\x1b[<0;5;5M\x03", 1},
		"the mouse moves between":  {"\x03\x1b[<35;5;5M\x03", 2},
		"the focus goes and comes": {"\x03\x1b[O\x1b[I\x03", 2},
		"a reply of the terminal":  {"\x03\x1b[?2026;2$y\x03", 2},
		"pasted":                   {"\x1b[200~a\x03\x03b\x1b[201~", 0},
		"a paste between":          {"\x03\x1b[200~\x03\x1b[201~\x03", 1},
		"shift as well":            {"\x1b[99;6u\x1b[99;6u", 0},
		"alt as well":              {"\x1b\x03\x1b\x03", 0},
	} {
		t.Run(name, func(t *testing.T) {
			var row interrupts
			got := 0
			for _, ev := range decoded(t, tt.input) {
				if n := row.pressed(ev); n > 0 {
					got = n
				}
			}
			if got != tt.want {
				t.Errorf("%q: %d in a row, want %d: %#v", tt.input, got, tt.want, decoded(t, tt.input))
			}
		})
	}
}

// The modes of a terminal that was given back are the shell's: what belay is about to set them
// with has no terminal any more, and is waited for.
func TestTheModesOfATerminalThatWasGivenBack(t *testing.T) {
	tty, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tty.Close() }()
	k := newKeyboard(tty, func(uv.Event) {}, func(error) {})
	k.stop() // nothing is read of it
	if k.Fd() != tty.Fd() {
		t.Error("what sets the modes has no terminal")
	}
	k.keep(0)
	if k.Fd() == tty.Fd() {
		t.Error("what sets the modes still has the terminal")
	}
	waited := make(chan struct{})
	go func() {
		defer close(waited)
		k.keep(time.Hour)
	}()
	for range 2 {
		if _, err := k.Read(nil); !errors.Is(err, io.EOF) {
			t.Error(err)
		}
	}
	<-waited
}

// The end of what a terminal sends is the end of the terminal, unless nobody wants to read it any more.
func TestATerminalThatIsGone(t *testing.T) {
	for name, tt := range map[string]struct {
		end  func(k *keyboard, sends *os.File)
		want error
	}{
		"it hung up":         {func(_ *keyboard, sends *os.File) { _ = sends.Close() }, io.EOF},
		"an editor takes it": {func(k *keyboard, _ *os.File) { k.pause() }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			tty, sends, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _, _ = tty.Close(), sends.Close() }()
			lost := make(chan error, 1)
			k := newKeyboard(tty, func(uv.Event) {}, func(err error) { lost <- err })
			k.begin()
			ended := k.ended
			tt.end(k, sends)
			<-ended
			if tt.want == nil {
				lost <- nil // which is the first, as the reader has ended
			}
			if err := <-lost; !errors.Is(err, tt.want) {
				t.Errorf("the loss is %v, want %v", err, tt.want)
			}
		})
	}
}
