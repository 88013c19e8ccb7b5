package cli

import (
	"testing"

	"github.com/spf13/pflag"
)

// In GNU screen the mouse is the terminal's, unless the user wants it otherwise.
func TestTheMouseIsLeftToTheTerminalInScreen(t *testing.T) {
	for _, x := range []struct {
		sty  string
		args []string
		want bool
	}{
		{"", nil, false},
		{"", []string{"--no-mouse"}, true},
		{"22923.pts-1", nil, true},
		{"22923.pts-1", []string{"--no-mouse=false"}, false},
	} {
		t.Setenv("STY", x.sty)
		var l looks
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		l.add(set)
		if err := set.Parse(x.args); err != nil {
			t.Fatal(err)
		}
		opts, err := l.options(false)
		if err != nil || opts.NoMouse != x.want {
			t.Errorf("STY=%q %q: the mouse is left to the terminal: %t, want %t (%v)", x.sty, x.args, opts.NoMouse, x.want, err)
		}
	}
}
