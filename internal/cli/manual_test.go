package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Each flag stands on both pages once, in a chapter of its own.
func TestThePagesHaveEveryFlagOnce(t *testing.T) {
	root, of := manual()
	page, man := FlagsPage(), ManPage()
	root.Flags().VisitAll(func(f *pflag.Flag) {
		d := describe(f)
		if n := strings.Count(page, "| `"+d.name+"` |"); n != 1 {
			t.Errorf("%s stands %d times in flags.md", d.name, n)
		}
		if n := strings.Count(man, ".B "+roff(d.name)+"\n"); n != 1 {
			t.Errorf("%s stands %d times in the page of man", d.name, n)
		}
	})
	for _, d := range of["Others"] {
		t.Errorf("no chapter has %s", d.name)
	}
}

func TestAFlagInWords(t *testing.T) {
	root, _ := manual()
	for name, want := range map[string]described{
		"config":      {name: "-c, --config FILE"},
		"env":         {name: "--env NAME=value"},
		"max-timeout": {name: "--max-timeout TIME", value: "1h"},
		"grace":       {name: "--grace TIME", value: "5s"},
		"ping-every":  {name: "--ping-every TIME"},
		"protocol":    {name: "--protocol REVISION", value: "auto"},
		"reason":      {name: "--reason TEXT", value: "User requested cancellation"},
		"trust":       {name: "--trust"},
	} {
		got := describe(root.Flags().Lookup(name))
		if got.name != want.name || got.value != want.value || strings.Contains(got.usage, "`") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// What begins with a dot or a quote would be a request of troff's.
func TestTextIsNoRequestOfTroffs(t *testing.T) {
	for text, want := range map[string]string{
		".mcp.json": `\&.mcp.json`,
		"a\n.b":     "a\n" + `\&.b`,
		"'x' -c":    `\(aqx\(aq \-c`,
		`C:\dir`:    `C:\edir`,
	} {
		if got := roff(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// completed are the lines that a script of a shell gets for a command line.
func completed(t *testing.T, args ...string) []string {
	t.Helper()
	root := newRoot(std{os.Stdin, os.Stdout, os.Stderr})
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&bytes.Buffer{})
	root.SetArgs(append([]string{"__completeNoDesc"}, args...))
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

func TestAShellCompletes(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mcp.json")
	err := os.WriteFile(file, []byte(`{"mcpServers":{"files":{"command":"true"},"two words":{"command":"true"},"$(reboot)":{"command":"true"},"--yes":{"command":"true"},"-c":{"command":"true"}}}`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{[]string{"--no-s"}, []string{"--no-sampling", "--no-sse", ":4"}},
		{[]string{"--confirm", ""}, []string{"never", "destructive", "unknown", "always", ":4"}},
		{[]string{"--protocol", ""}, append(append([]string{"auto"}, revisions()...), ":4")},
		{[]string{"-c", file, "-s", ""}, []string{"files", ":4"}},
		{[]string{"--root", ""}, []string{":16"}},
		{[]string{"--grace", ""}, []string{":4"}},
		{[]string{"--record", ""}, []string{":0"}},
		{[]string{"dem"}, []string{"demo", ":4"}},
	} {
		if got := completed(t, tt.args...); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.args, got, tt.want)
		}
	}
}

func TestEachShellHasAScript(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		root := newRoot(std{os.Stdin, os.Stdout, os.Stderr})
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetArgs([]string{"completion", shell})
		if err := root.Execute(); err != nil || !strings.Contains(out.String(), "belay") || !strings.Contains(out.String(), "__complete") {
			t.Errorf("%s: %v\n%.200s", shell, err, out.String())
		}
	}
}

// Each command that stands among the forms of the command line is listed in the help, too.
func TestTheHelpListsTheCommandsOfItsForms(t *testing.T) {
	root, _ := manual()
	for _, f := range forms {
		name, _, _ := strings.Cut(f.args, " ")
		if !('a' <= name[0] && name[0] <= 'z') {
			continue
		}
		cmd, _, err := root.Find([]string{name})
		if err != nil || cmd == root || !cmd.IsAvailableCommand() {
			t.Errorf("the help lists no command %q", name)
		}
	}
}
