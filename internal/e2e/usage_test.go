package e2e

import (
	"os/exec"
	"strings"
	"testing"

	"belay/internal/safe"
)

func TestCommandLinesThatAreWrong(t *testing.T) {
	for _, tt := range []struct {
		args string
		want string
	}{
		{"--no-such-flag", "no-such-flag"},
		{"--timeout abc", "abc"},
		{"--trust=maybe", "--trust=maybe: it is on or off: --trust, or --trust=false"},
		{"demo --login=maybe", "--login=maybe: it is on or off"},
		{"--root= -- true", "belay: --root takes a directory"},
		{"--protocol 1.0 -- true", "no revision that belay speaks"},
		{"npx server", "belay -- npx server"},
		{"--", "no command behind --"},
		{"https://example.com/mcp more", "more behind the address"},
		{"http://", "names no host"},
		{"--header X:y -- true", "servers over HTTP"},
		{"--client-id x -- true", "servers over HTTP"},
		{"--client-credentials", "needs a client ID"},
		{"--client-metadata http://x http://127.0.0.1/", "no client ID metadata address"},
		{"--client-redirect http://example.com http://127.0.0.1/", "no redirect address"},
		{"--record= -- true", "--record is empty"},
		{"--cwd / https://example.com/mcp", "reached over HTTP"},
		{"--watch / https://example.com/mcp", "--watch is for servers that belay runs; this one is reached over HTTP"},
		{"--watch= -- true", "--watch is empty"},
		{"--watch /no/such/file -- true", `--watch: there is no file "/no/such/file"`},
		{"--header nocolon https://example.com/mcp", "Name: value"},
		{"audit --tool x --record doc.go", `cannot record to "doc.go": the file exists already`},
		{"audit --tool x -o text -o json=doc.go", `cannot write "doc.go": the file exists already; --force replaces it`},
		{"demo extra", "belay: what is \"extra\" to be? The demo server takes flags only"},
		{"report", "belay: which recording? belay report FILE [ID…]; one is written by --record FILE\n       belay report --help shows how it is called"},
		{"replay", "belay: which recording? belay replay FILE"},
		{"replay a b", "belay: there is more behind the recording: \"b\""},
		{"ls --bogus", "belay: unknown flag: --bogus\n       belay ls --help shows how it is called"},
		{"call", "belay: which tool? belay call [ADDRESS] TOOL; belay ls lists the tools\n       belay call --help shows"},
		{"--bogus", "       belay --help shows how it is called"},
		{"completion foo", `belay: there are no completions for "foo"; there are some for bash, fish, powershell, zsh`},
		{"completion", "belay: which shell? belay completion bash|fish|powershell|zsh"},
		{"help extra", `no help on "extra"`},
	} {
		t.Run(tt.args, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(belay, strings.Fields(tt.args)...)
			out, err := cmd.CombinedOutput()
			if err == nil || cmd.ProcessState.ExitCode() != 2 {
				t.Errorf("%v, want exit status 2", err)
			}
			if !strings.Contains(string(out), tt.want) {
				t.Errorf("want %q in\n%s", tt.want, out)
			}
		})
	}
}

// Where there is no terminal the help is 80 columns wide: every line ends at a
// word, and no paragraph is broken twice.
func TestTheHelpFitsTheTerminal(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"--help", "help", "demo --help", "help demo", "completion --help"} {
		out, err := exec.Command(belay, strings.Fields(args)...).Output()
		if err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		for line := range strings.Lines(string(out)) {
			if line = strings.TrimRight(line, " \n"); safe.Width(safe.Text(line)) > 80 || strings.Contains(line, "`") {
				t.Errorf("%s: %q", args, line)
			}
		}
	}
	out, err := exec.Command(belay, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(string(out)), " ")
	for _, whole := range []string{
		"USAGE belay [flags] its own demo server belay [flags] ADDRESS a server over HTTP belay [flags] -s [NAME] [-c FILE] one of a config file",
		"belay [flags] -- COMMAND ARGS… a server that belay runs belay call [ADDRESS] TOOL", "belay replay [--follow] FILE what --record wrote", "its ID comes (5m)", "(1h)",
		"shows every request in flight, stops any of them", "(repeatable)", "for the specified shell", "mcp.json or .mcp.json", "Default reason of a cancel (User requested cancellation)",
	} {
		if !strings.Contains(words, whole) {
			t.Errorf("%q is not in\n%s", whole, out)
		}
	}
	for _, not := range []string{"0s)", "@"} {
		if strings.Contains(strings.ReplaceAll(words, "@modelcontextprotocol", ""), not) {
			t.Errorf("%q is in\n%s", not, out)
		}
	}
}
