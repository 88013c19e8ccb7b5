package cli

import (
	"testing"

	"github.com/spf13/pflag"
)

func TestTheLocaleDecidesWhetherUTF8IsWritten(t *testing.T) {
	for _, tt := range []struct {
		env  map[string]string
		want bool
	}{
		{nil, true},
		{map[string]string{"LANG": "en_US.UTF-8"}, true},
		{map[string]string{"LANG": "en_US.utf8"}, true},
		{map[string]string{"LANG": "C.UTF-8"}, true},
		{map[string]string{"LANG": "de_DE"}, true},
		{map[string]string{"LC_CTYPE": "UTF-8"}, true}, // as macOS has it
		{map[string]string{"LANG": "C"}, false},
		{map[string]string{"LANG": "POSIX"}, false},
		{map[string]string{"LANG": "de_DE.ISO-8859-1"}, false},
		{map[string]string{"LANG": "de_DE.ISO-8859-15@euro"}, false},
		{map[string]string{"LANG": "ja_JP.eucJP"}, false},
		{map[string]string{"LANG": "C", "LC_CTYPE": "en_US.UTF-8"}, true},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "C"}, false},
		{map[string]string{"LC_ALL": "", "LC_CTYPE": "C", "LANG": "en_US.UTF-8"}, false},
	} {
		if got := spellsUTF8(func(name string) string { return tt.env[name] }); got != tt.want {
			t.Errorf("%v: %v", tt.env, got)
		}
	}
}

// What the user says of ASCII goes before what the locale says.
func TestASCIIByItself(t *testing.T) {
	for _, tt := range []struct {
		locale string
		args   []string
		want   bool
	}{
		{"C.UTF-8", nil, false},
		{"C.UTF-8", []string{"--ascii"}, true},
		{"C", nil, true},
		{"C", []string{"--ascii=false"}, false},
	} {
		t.Setenv("LC_ALL", tt.locale)
		var l looks
		set := pflag.NewFlagSet("belay", pflag.ContinueOnError)
		l.add(set)
		if err := set.Parse(tt.args); err != nil {
			t.Fatal(err)
		}
		if o, err := l.options(false); err != nil || o.ASCII != tt.want {
			t.Errorf("%s %v: %v, %v", tt.locale, tt.args, o.ASCII, err)
		}
	}
}
