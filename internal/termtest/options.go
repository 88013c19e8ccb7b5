package termtest

import (
	"strings"
	"time"
)

// Options says what to start and in which kind of terminal.
type Options struct {
	Argv []string // the program and its arguments; required
	Dir  string   // its working directory; "" is the caller's

	// Env is added to the caller's environment: "KEY=value" sets, "KEY" alone
	// removes. What tells one terminal from another (TERM_PROGRAM, NO_COLOR,
	// SSH_TTY, the locale and the like) is not inherited; TERM=xterm-256color,
	// COLORTERM=truecolor and LANG=C.UTF-8 are set first.
	Env []string

	Cols, Rows int // size in cells; 0 is 80×24

	Theme *Theme // nil is [Dark]
	Plain bool   // an older terminal: no synchronized output, no grapheme clusters

	Mute bool          // a terminal that answers no query
	Late time.Duration // … that answers each query so much later

	Timeout  time.Duration // of waits that name none of their own; 0 is a minute, which bounds a hang and measures nothing
	RawLimit int           // bytes of output to keep for RawOutput; 0 is 8 MiB
}

// markerName is the variable by which a process is known to belong to a
// terminal, even when it has left the session.
const markerName = "TERMTEST_TERMINAL"

// environment is the environment of the program: base without what describes
// another terminal, then this terminal's own, then extra.
func environment(base []string, marker string, extra []string) []string {
	env := make([]string, 0, len(base)+len(extra)+5)
	for _, kv := range base {
		if name, _, _ := strings.Cut(kv, "="); !describesTerminal(name) {
			env = append(env, kv)
		}
	}
	env = append(env,
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
		// A program built with -race otherwise sleeps for a second at its end.
		"GORACE=atexit_sleep_ms=0",
		markerName+"="+marker,
	)
	for _, kv := range extra {
		name, _, sets := strings.Cut(kv, "=")
		env = dropVariable(env, name)
		if sets {
			env = append(env, kv)
		}
	}
	return env
}

func dropVariable(env []string, name string) []string {
	kept := env[:0]
	for _, kv := range env {
		if n, _, _ := strings.Cut(kv, "="); n != name {
			kept = append(kept, kv)
		}
	}
	return kept
}

func describesTerminal(name string) bool {
	switch name {
	case "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORFGBG",
		"COLUMNS", "LINES", "TMUX", "TMUX_PANE", "STY", "SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT",
		"WT_SESSION", "VTE_VERSION", "LANG", "LANGUAGE", "CI", "GORACE", markerName:
		return true
	}
	for _, prefix := range []string{"LC_", "TERM_", "KITTY_", "WEZTERM_", "ITERM_", "ALACRITTY_", "GHOSTTY_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// withDefaults fills in what was left out.
func (o Options) withDefaults() Options {
	if o.Cols == 0 {
		o.Cols = 80
	}
	if o.Rows == 0 {
		o.Rows = 24
	}
	if o.Theme == nil {
		dark := Dark()
		o.Theme = &dark
	}
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	if o.RawLimit <= 0 {
		o.RawLimit = 8 << 20
	}
	return o
}
