package cli

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"belay/internal/safe"
	"belay/ui/attention"
)

// notifier makes the sequences by which the terminal shows notifications. There are two of them,
// and some terminals would show both: rxvt, foot, Contour, Konsole and those with VTE know OSC 777,
// and OSC 9 is what the others know, such as iTerm2, kitty, Ghostty, WezTerm and Warp. A terminal
// that knows neither shows nothing. tmux and screen hand on what is wrapped for them, tmux with its
// option allow-passthrough.
func notifier(env func(string) string) attention.Notify {
	titled := env("VTE_VERSION") != "" || env("KONSOLE_VERSION") != ""
	for _, t := range []string{"rxvt", "foot", "contour"} {
		titled = titled || strings.HasPrefix(env("TERM"), t)
	}
	return func(words safe.Text) string {
		text := strings.Map(func(r rune) rune {
			if r < ' ' || r >= 0x7f && r <= 0x9f {
				return -1
			}
			return r
		}, string(words))
		seq := ansi.Notify(text)
		if titled {
			title, body, _ := strings.Cut(text, ": ")
			seq = "\x1b]777;notify;" + title + ";" + body + "\x07"
		}
		switch {
		case env("TMUX") != "":
			return ansi.TmuxPassthrough(seq)
		case env("STY") != "":
			return ansi.ScreenPassthrough(seq, 0)
		}
		return seq
	}
}
