package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func facts(env map[string]string) Facts {
	return Facts{
		Env:  func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		Home: "/home/ann", Dir: "/start/here",
		Input: func(in Input) (string, error) { return "answer to " + in.ID, nil },
	}
}

func TestReferences(t *testing.T) {
	env := map[string]string{"A": "one", "EMPTY": "", "NESTED": "${A}"}
	for _, tt := range []struct{ raw, want string }{
		{"plain", "plain"},
		{"${A}", "one"},
		{"<${A}${A}>", "<oneone>"},
		{"${env:A}", "one"},
		{"${EMPTY}", ""},
		{"${EMPTY:-x}", "x"},
		{"${MISSING:-x y}", "x y"},
		{"${MISSING:-}", ""},
		{"${env:MISSING:-x}", "x"},
		{"${A:-x}", "one"},
		{"${NESTED}", "${A}"},
		{"${userHome}/x", "/home/ann/x"},
		{"${workspaceFolder}/x", "/p/x"},
		{"${workspaceFolderBasename}", "p"},
		{"a${pathSeparator}b${/}c", "a" + string(filepath.Separator) + "b" + string(filepath.Separator) + "c"},
		{"${input:k}", "answer to k"},
		{"$A", "$A"},
	} {
		f := mustParse(t, `{"inputs": [{"id": "k", "type": "promptString"}], "servers": {"x": {"command": "c", "args": ["`+tt.raw+`"], "env": {"V": "`+tt.raw+`"}}}}`)
		l, err := resolved(f.Servers[0], facts(env))
		if err != nil {
			t.Errorf("%s: %v", tt.raw, err)
			continue
		}
		if l.Command[1] != tt.want || l.Env[0] != "V="+tt.want {
			t.Errorf("%s becomes %q and %q, want %q", tt.raw, l.Command[1], l.Env[0], tt.want)
		}
	}
}

// What only looks like a reference stays in a command, which may be a line for a
// shell. Anywhere else it is wrong, and not repeated.
func TestWhatOnlyLooksLikeAReference(t *testing.T) {
	for raw, want := range map[string]string{
		"${A": "a ${ has no } behind it", "$A ${A": "a ${ has no } behind it", "${MISSING:-x} ${": "a ${ has no } behind it",
		"${}": "a ${…} is none that belay knows", "echo ${f%.*} $(x)": "a ${…} is none that belay knows", "${A-x}": "a ${…} is none that belay knows",
	} {
		for entry, key := range map[string]string{
			`"command": "c", "env": {"V": "%s"}`:              "env.V",
			`"command": "c", "cwd": "%s"`:                     "cwd",
			`"command": "c", "envFile": "%s"`:                 "envFile",
			`"url": "http://h/%s"`:                            "url",
			`"url": "http://h/", "headers": {"V": "%s"}`:      "headers.V",
			`"command": "c", "args": ["-c", "%s"]`:            "",
			`"command": "%s"`:                                 "",
			`"command": "c", "args": [], "description": "%s"`: "",
		} {
			f := mustParse(t, `{"servers": {"x": {`+strings.Replace(entry, "%s", canary+raw, 1)+`}}}`)
			l, err := resolved(f.Servers[0], facts(map[string]string{"A": "one"}))
			switch {
			case key == "" && (err != nil || strings.Contains(entry, "-c") && l.Command[2] != canary+strings.Replace(raw, "${MISSING:-x}", "x", 1)):
				t.Errorf("%s: %q, %v", entry, l.Command, err)
			case key != "" && (err == nil || !strings.Contains(err.Error(), "servers.x."+key+": "+want) || strings.Contains(err.Error(), canary)):
				t.Errorf("%s with %s: %v, want %q", entry, raw, err, want)
			}
		}
	}
}

func TestReferencesToNothing(t *testing.T) {
	for _, tt := range []struct{ raw, want string }{
		{"${TOKEN}", `/p/mcp.json:3:12: servers.x.env.V: the environment has no variable "TOKEN"; set it, or give a default: ${TOKEN:-…}`},
		{"${env:TOKEN}", `/p/mcp.json:3:12: servers.x.env.V: the environment has no variable "TOKEN"`},
		{"${input:none}", `servers.x.env.V: the file defines no input "none"`},
		{"${input:cmd}", `servers.x.env.V: the input "cmd" cannot be asked for: it is the answer of a command of the editor`},
		{"${input:odd}", `servers.x.env.V: the input "odd" cannot be asked for: its type is none`},
		{"${command:x.y}", `servers.x.env.V: ${command:x.y} is known to an editor only`},
		{"${config:x}", `${config:x} is known to an editor only`},
		{"${fileDirname}", `${fileDirname} is known to an editor only`},
		{"${workspaceFolder:web}", `${workspaceFolder:web} is known to an editor only`},
	} {
		f := mustParse(t, `{"inputs": [{"id": "cmd", "type": "command"}, {"id": "odd", "type": "odd"}],
"servers": {"x": {"command": "c", "env": {
      "V": "`+canary+tt.raw+`"}}}}`)
		_, err := resolved(f.Servers[0], facts(nil))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s:\n got %v\nwant %s", tt.raw, err, tt.want)
		} else if strings.Contains(err.Error(), canary) {
			t.Errorf("a value is in the error: %v", err)
		}
	}
}

func TestHTTPEntriesAreResolvedToo(t *testing.T) {
	f := mustParse(t, `{"servers": {"x": {"url": "${U}/mcp", "headers": {"Authorization": "Bearer ${T}"}}}}`)
	l, err := resolved(f.Servers[0], facts(map[string]string{"U": "https://x", "T": "t"}))
	if err != nil || l.URL != "https://x/mcp" || len(l.Headers) != 1 || l.Headers[0] != (Header{"Authorization", "Bearer t"}) {
		t.Errorf("%+v, %v", l, err)
	}
}

// Inputs are asked for once each, only those that the entry uses, and not at
// all when the entry cannot be run anyway.
func TestInputsAreAskedForWhenNeeded(t *testing.T) {
	f := mustParse(t, `{"inputs": [
  {"id": "a", "type": "promptString", "description": "An A", "password": true},
  {"id": "b", "type": "pickString", "options": ["x", {"label": "Y!", "value": "y"}], "default": "y"},
  {"id": "unused", "type": "promptString"}],
"servers": {
  "ok": {"command": "c", "args": ["${input:b}", "${input:a}", "${input:a}"], "env": {"A": "${input:a}"}},
  "lacks": {"command": "${MISSING}", "args": ["${input:a}"]}}}`)
	var asked []Input
	what := facts(nil)
	what.Input = func(in Input) (string, error) {
		asked = append(asked, in)
		return "<" + in.ID + ">", nil
	}
	l, err := resolved(f.Servers[0], what)
	if err != nil || strings.Join(l.Command, " ") != "c <b> <a> <a>" || l.Env[0] != "A=<a>" {
		t.Errorf("%+v, %v", l, err)
	}
	if len(asked) != 2 || asked[0].ID != "b" || asked[1].ID != "a" {
		t.Fatalf("asked for %v", asked)
	}
	if a := asked[1]; !a.Password || a.Description != "An A" || a.HasDefault {
		t.Errorf("%+v", a)
	}
	if b := asked[0]; b.Password || b.Default != "y" || !slices.Equal(b.Options, []Option{{"x", "x"}, {"Y!", "y"}}) {
		t.Errorf("%+v", b)
	}
	asked = nil
	if _, err := resolved(f.Servers[1], what); err == nil || len(asked) > 0 {
		t.Errorf("%v, and asked for %v", err, asked)
	}
	gone := errors.New("the user went away")
	what.Input = func(Input) (string, error) { return "", gone }
	if _, err := resolved(f.Servers[0], what); !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
}

func TestWhereAnEntryRuns(t *testing.T) {
	for _, tt := range []struct{ folder, cwd, want string }{
		{"/p", "", "/p"},
		{"", "", ""},
		{"/p", "sub", "/p/sub"},
		{"", "sub", "/start/here/sub"},
		{"/p", "/abs", "/abs"},
		{"/p", "${workspaceFolder}/web", "/p/web"},
		{"", "${workspaceFolder}", "/start/here"},
		{"/p", "${D}", "/d"},
	} {
		f, err := Parse(Place{Path: "/p/mcp.json", Folder: tt.folder}, []byte(`{"servers": {"x": {"command": "c", "cwd": "`+tt.cwd+`"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		l, err := resolved(f.Servers[0], facts(map[string]string{"D": "/d"}))
		if err != nil || l.Dir != tt.want {
			t.Errorf("%+v: in %q, %v", tt, l.Dir, err)
		}
	}
}

// What is shown has the folders in it, and of all else the names only.
func TestWhatIsShownHoldsNoValues(t *testing.T) {
	f := mustParse(t, `{"inputs": [{"id": "k", "type": "promptString"}],
"servers": {"x": {"command": "${BIN}/run", "args": ["--root", "${workspaceFolder}", "--key=${input:k}", "${env:T}", "${M:-d}"], "cwd": "${D}"}}}`)
	what := facts(map[string]string{"BIN": canary, "T": canary, "M": canary, "D": canary})
	what.Input = func(Input) (string, error) { t.Error("asked"); return "", nil }
	argv, dir := f.Servers[0].Shown(what)
	if got, want := strings.Join(argv, " "), "${BIN}/run --root /p --key=${input:k} ${env:T} ${M:-d}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if dir != "${D}" {
		t.Errorf("in %s", dir)
	}
}

// Of an entry over HTTP is shown that its address has a query, and whose values
// it takes; none of the values.
func TestWhatAnEntryOverHTTPTakes(t *testing.T) {
	f := mustParse(t, `{"servers": {
"x": {"url": "https://${HOST:-`+canary+`}/mcp?key=`+canary+`&t=${input:t}", "headers": {"A": "Bearer ${env:TOK}", "B": "${HOST} ${TOK} ${x%.*}", "C": "${userHome}"}},
"plain": {"url": "https://u:`+canary+`@h/mcp#`+canary+`", "headers": {"A": "`+canary+`"}},
"run": {"command": "${BIN}"}}}`)
	what := facts(nil)
	for i, want := range []struct{ shown, refs string }{
		{"https://${HOST:-" + canary + "}/mcp?…", "${HOST} ${input:t} ${env:TOK} ${TOK}"},
		{"https://h/mcp", ""},
		{"${BIN}", ""},
	} {
		shown, _ := f.Servers[i].Shown(what)
		if got := strings.Join(shown, " "); got != want.shown {
			t.Errorf("%s, want %s", got, want.shown)
		}
		if got := strings.Join(f.Servers[i].References(), " "); got != want.refs {
			t.Errorf("takes %s, want %s", got, want.refs)
		}
	}
}

// What was put in is told by name, wherever it went, so that it can be masked.
func TestWhatWasPutInIsTold(t *testing.T) {
	f := mustParse(t, `{"inputs": [{"id": "k", "type": "promptString"}, {"id": "p", "type": "promptString", "password": true}],
"servers": {
"run": {"command": "c", "args": ["--key=${input:k}", "${env:T}", "${userHome}", "${M:-fallback}"], "env": {"E": "${input:p}"}},
"web": {"url": "https://h/${T}", "headers": {"A": "Bearer ${input:p}"}}}}`)
	what := facts(map[string]string{"T": "t-value"})
	what.Input = func(in Input) (string, error) { return "typed for " + in.ID, nil }
	for i, want := range [][]string{
		{"k=typed for k", "T=t-value", "password=typed for p"},
		{"T=t-value", "password=typed for p"},
	} {
		l, err := resolved(f.Servers[i], what)
		if err != nil || !slices.Equal(l.Taken, want) {
			t.Errorf("%q, %v, want %q", l.Taken, err, want)
		}
	}
}

// resolved opens an entry and makes of it what can be run.
func resolved(s *Server, f Facts) (Launch, error) {
	o, err := s.Open(f)
	if err != nil {
		return Launch{}, err
	}
	return o.Resolve()
}

func TestEnvFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, ".env"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Parse(Place{Path: filepath.Join(dir, "mcp.json"), Folder: dir}, []byte(`{"servers": {"x": {"command": "c", "envFile": "${workspaceFolder}/.env", "env": {"B": "from env"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	s := f.Servers[0]
	if _, err := resolved(s, facts(nil)); err == nil || !strings.Contains(err.Error(), "mcp.json:1:47: servers.x.envFile: there is no such file") {
		t.Errorf("no file: %v", err)
	}
	write("\xef\xbb\xbf# comment\r\n\r\nA=one two # three\nexport B = \"x\\ny \\\"z\\\"\" # w\nC='$A \\n'\nD=\nE=a=b#c\n")
	l, err := resolved(s, facts(nil))
	want := []string{"A=one two", "B=x\ny \"z\"", "C=$A \\n", "D=", "E=a=b#c", "B=from env"}
	if err != nil || !slices.Equal(l.Env, want) {
		t.Errorf("%q, %v, want %q", l.Env, err, want)
	}
	for _, tt := range []struct{ text, want string }{
		{"A=1\n" + canary + "\n", ".env:2:1: this line is not of the form NAME=value"},
		{"A=1\n\n1A=" + canary, ".env:3:1: this line is not"},
		{"A=\"" + canary, ".env:1:1: A: a quote is missing at the end"},
		{"A=\"" + canary + "\\\"", ".env:1:1: A: a quote is missing at the end"},
		{"A='" + canary, ".env:1:1: A: a quote is missing"},
		{"A=" + canary + "\x00", ".env:1:1: A: this holds a NUL"},
	} {
		write(tt.text)
		_, err := resolved(s, facts(nil))
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), canary) {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.want)
		}
	}
}
