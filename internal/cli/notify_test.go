package cli

import (
	"strings"
	"testing"

	"belay/internal/safe"
)

// Each terminal gets the one sequence that it knows, and those behind a multiplexer get it wrapped;
// the words cannot end it, nor be a command of ConEmu's, which are digits behind OSC 9.
func TestNotificationsOfTerminals(t *testing.T) {
	const nine, sevens = "\x1b]9;belay: slow done\x07", "\x1b]777;notify;belay;slow done\x07"
	for name, c := range map[string]struct {
		env  map[string]string
		want string
	}{
		"any":     {map[string]string{"TERM": "xterm-256color"}, nine},
		"rxvt":    {map[string]string{"TERM": "rxvt-unicode-256color"}, sevens},
		"foot":    {map[string]string{"TERM": "foot"}, sevens},
		"VTE":     {map[string]string{"TERM": "xterm-256color", "VTE_VERSION": "7600"}, sevens},
		"Konsole": {map[string]string{"TERM": "xterm-256color", "KONSOLE_VERSION": "240800"}, sevens},
		"tmux":    {map[string]string{"TERM": "tmux-256color", "TMUX": "/run/tmux"}, "\x1bPtmux;\x1b" + nine + "\x1b\\"},
		"screen":  {map[string]string{"TERM": "screen", "STY": "1.pts"}, "\x1bP" + nine + "\x1b\\"},
	} {
		notify := notifier(func(name string) string { return c.env[name] })
		if got := notify("belay: slow done"); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
		if got := notify(safe.Text("belay: a\x1b]0;x\a\u009c\nb")); strings.Count(got, "\a") != 1 || strings.ContainsAny(got, "\n\u009c") {
			t.Errorf("%s: %q", name, got)
		}
	}
}
