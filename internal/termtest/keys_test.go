package termtest

import (
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
)

// Every key must be read back as itself by the decoder that belay's interface
// reads its keys with.
func TestEveryKeyIsReadBack(t *testing.T) {
	keys := []string{
		"a", "X", "é", "日", "?", "!", "+", "/", ":", "ctrl+a", "ctrl+x", "ctrl+z", "alt+a", "alt+enter", "ctrl+alt+x",
		"enter", "tab", "shift+tab", "esc", "space", "ctrl+space", "backspace",
		"up", "down", "left", "right", "home", "end", "pgup", "pgdown", "insert", "delete",
		"shift+up", "alt+left", "ctrl+right", "ctrl+shift+end", "ctrl+delete", "shift+pgup", "ctrl+alt+down",
		"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12", "shift+f1", "ctrl+f5",
	}
	for _, key := range keys {
		for _, application := range []bool{false, true} {
			seq, err := EncodeKey(key, application)
			if err != nil {
				t.Errorf("%s: %v", key, err)
				continue
			}
			var decoder uv.EventDecoder
			n, event := decoder.Decode([]byte(seq))
			press, ok := event.(uv.KeyPressEvent)
			if !ok || n != len(seq) {
				t.Errorf("%s is sent as %q and read as %T after %d bytes", key, seq, event, n)
				continue
			}
			if got := press.Keystroke(); got != key && !(key == "X" && got == "shift+x") {
				t.Errorf("%s is sent as %q and read as %s", key, seq, got)
			}
		}
	}
}

func TestKeysThatNoTerminalSends(t *testing.T) {
	for _, key := range []string{"", "nokey", "ctrl+", "ctrl+enter", "shift+enter", "ctrl+tab", "shift+a", "ctrl+é", "meta+a", "ab"} {
		if seq, err := EncodeKey(key, false); err == nil {
			t.Errorf("%q is sent as %q", key, seq)
		}
	}
}
