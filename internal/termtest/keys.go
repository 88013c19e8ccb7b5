package termtest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The modifiers of a key, with the bits that xterm encodes them by.
const (
	modShift = 1 << iota
	modAlt
	modCtrl
)

// keyShape is how a named key is sent: ESC [ letter, or ESC [ number ~.
type keyShape struct {
	letter byte
	number int
	ss3    bool // sent as ESC O letter without modifiers
}

var namedKeys = map[string]keyShape{
	"up": {letter: 'A'}, "down": {letter: 'B'}, "right": {letter: 'C'}, "left": {letter: 'D'},
	"home": {letter: 'H'}, "end": {letter: 'F'},
	"insert": {number: 2}, "delete": {number: 3}, "pgup": {number: 5}, "pgdown": {number: 6},
	"f1": {letter: 'P', ss3: true}, "f2": {letter: 'Q', ss3: true}, "f3": {letter: 'R', ss3: true}, "f4": {letter: 'S', ss3: true},
	"f5": {number: 15}, "f6": {number: 17}, "f7": {number: 18}, "f8": {number: 19},
	"f9": {number: 20}, "f10": {number: 21}, "f11": {number: 23}, "f12": {number: 24},
}

// plainKeys are sent as one byte, to which only alt can be added.
var plainKeys = map[string]string{
	"enter": "\r", "tab": "\t", "esc": "\x1b", "space": " ", "backspace": "\x7f",
}

// EncodeKey is what a terminal sends for a key: "a", "X", "é", "ctrl+x",
// "alt+enter", "shift+tab", "up", "ctrl+right", "f1", "esc", "space",
// "pgdown" and so on; modifiers come first, in any order. With application set
// (DEC mode 1) the cursor keys are sent in their other form. A key that a
// terminal without an extended keyboard protocol cannot send is an error.
func EncodeKey(key string, application bool) (string, error) {
	name, mods := splitModifiers(key)
	impossible := fmt.Errorf("the key %q cannot be sent by a terminal without an extended keyboard protocol", key)
	if shape, ok := namedKeys[name]; ok {
		return shape.encode(mods, application), nil
	}
	if seq, ok := plainKeys[name]; ok {
		switch {
		case name == "tab" && mods == modShift:
			return "\x1b[Z", nil
		case name == "space" && mods&^modAlt == modCtrl:
			seq = "\x00"
		case mods&^modAlt != 0:
			return "", impossible
		}
		return withAlt(seq, mods), nil
	}
	r, size := utf8.DecodeRuneInString(name)
	if size == 0 || size != len(name) || r == utf8.RuneError {
		return "", fmt.Errorf("there is no key %q", key)
	}
	switch {
	case mods&modShift != 0:
		return "", fmt.Errorf("write %q as the character it types", key)
	case mods&modCtrl != 0:
		c, ok := controlByte(r)
		if !ok {
			return "", impossible
		}
		return withAlt(string(rune(c)), mods), nil
	default:
		return withAlt(name, mods), nil
	}
}

func splitModifiers(key string) (name string, mods int) {
	for {
		mod, rest, found := strings.Cut(key, "+")
		if !found || rest == "" {
			return key, mods
		}
		switch mod {
		case "shift":
			mods |= modShift
		case "alt":
			mods |= modAlt
		case "ctrl":
			mods |= modCtrl
		default:
			return key, mods
		}
		key = rest
	}
}

func (k keyShape) encode(mods int, application bool) string {
	switch {
	case k.number != 0 && mods == 0:
		return fmt.Sprintf("\x1b[%d~", k.number)
	case k.number != 0:
		return fmt.Sprintf("\x1b[%d;%d~", k.number, mods+1)
	case mods != 0:
		return fmt.Sprintf("\x1b[1;%d%c", mods+1, k.letter)
	case k.ss3 || application:
		return "\x1bO" + string(k.letter)
	default:
		return "\x1b[" + string(k.letter)
	}
}

func withAlt(seq string, mods int) string {
	if mods&modAlt != 0 {
		return "\x1b" + seq
	}
	return seq
}

// controlByte is the byte that ctrl makes of a character.
func controlByte(r rune) (byte, bool) {
	switch {
	case r >= 'a' && r <= 'z':
		return byte(r) - 'a' + 1, true
	case r >= '[' && r <= '_', r == '@':
		return byte(r) - '@', true
	case r == '?':
		return 0x7f, true
	default:
		return 0, false
	}
}
