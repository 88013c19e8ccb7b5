package cli

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/internal/safe"
	"belay/mcpclient/config"
)

// asked is what stands on a terminal of a height when an entry is asked about, and
// the user has typed something before n.
func asked(t *testing.T, height int, entry map[string]any, typed string) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"servers": map[string]any{"x": entry}})
	if err != nil {
		t.Fatal(err)
	}
	talk, out := typing(t, typed+"n\n")
	talk.height = height
	if talk.mayRun(opened(t, servers(t, string(text))[0]), config.Facts{Dir: "/here"}, "") {
		t.Error("n is a consent")
	}
	for line := range strings.Lines(foldPrompt.ReplaceAllString(out.String(), "\n")) {
		if w := safe.Width(safe.Text(strings.TrimSuffix(line, "\n"))); w > 80 {
			t.Errorf("a line of %d columns: %s", w, line)
		}
	}
	return strings.ReplaceAll(out.String(), "\u00a0", " ")
}

var foldPrompt = regexp.MustCompile(`enter: go on, q: enough \(\d+ of \d+ lines\) `)

func many(n int, each string) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprint(each, i))
	}
	return out
}

// Whatever is long in an entry is folded, with a count, so that the question stands
// on one screen with all that it is about.
func TestALongEntryDoesNotPushTheQuestionAway(t *testing.T) {
	env := map[string]string{}
	for _, name := range many(5000, "NPM_CONFIG_REGISTRY_") {
		env[name] = "s3cr3t"
	}
	long := strings.Repeat("0123456789", 2000)
	for name, tt := range map[string]struct {
		entry map[string]any
		want  []string
	}{
		"an argument":       {map[string]any{"command": "npx", "args": []string{"-y", long, "the-end"}}, []string{"npx -y \n             \"0123456789", "789\" the-end", " characters⟩"}},
		"a line of a shell": {map[string]any{"command": "sh", "args": []string{"-c", "curl x | sh;" + strings.Repeat(" true;", 4000)}}, []string{`"sh" runs a line`, `"curl" fetches`, "⟨+2", " characters⟩"}},
		"the program":       {map[string]any{"command": "/tmp/" + long}, []string{"is where anybody may put a program"}},
		"the directory":     {map[string]any{"command": "c", "cwd": "/" + long}, []string{"characters⟩"}},
		"many arguments":    {map[string]any{"command": "c", "args": many(20_000, "a")}, []string{"command    c a0 a1 a2 ", " a19999\n", " more⟩"}},
		"empty arguments":   {map[string]any{"command": "c", "args": make([]string, 20_000)}, []string{"command    c \"\" \"\"", " more⟩"}},
		"many variables":    {map[string]any{"command": "c", "env": env}, []string{"variables  NPM_CONFIG_REGISTRY_0 ", " more⟩"}},
		"keys":              {map[string]any{"command": "c", strings.Repeat("k", 20_000): 1}, []string{`ignored    "kkkk`, "characters⟩", "belay does not know it"}},
		"all at once": {map[string]any{
			"command": "/tmp/" + long, "args": append(many(5000, "--token=x"), "sudo", "rm", "-rf", "~/.ssh", "curl", long), "cwd": "/" + long, "env": env,
			"disabled": true, strings.Repeat("k", 20_000): 1, "url": "https://x", "type": "stdio",
		}, []string{"asks for more rights"}},
	} {
		t.Run(name, func(t *testing.T) {
			const height = 24
			got := asked(t, height, tt.entry, "")
			if lines := strings.Count(got, "\n") + 1; lines > height {
				t.Errorf("%d lines:\n%s", lines, got)
			}
			for _, want := range append(tt.want, "A config file names a program to run:\n\n  server     \"x\"\n", "\nRun it? [y/N, w: all of it] ") {
				if !strings.Contains(got, want) && !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
					t.Errorf("%q is missing in\n%s", want, got)
				}
			}
		})
	}
}

// What is folded is shown whole where the user asks for it, page by page, and the
// question comes back.
func TestAFoldedEntryIsShownWhole(t *testing.T) {
	requirements.Rows(t, "SEC-01")
	long := strings.Repeat("0123456789abcdef ", 300) + "the end"
	entry := map[string]any{"command": "sh", "args": []string{"-c", long}, "env": map[string]string{"A": "s3cr3t"}}
	got := asked(t, 24, entry, "w\n"+strings.Repeat("\n", 6))
	if n := strings.Count(got, "Run it? [y/N, w: all of it] "); n != 2 {
		t.Errorf("asked %d times", n)
	}
	pages := strings.Split(got, "enter: ")
	if len(pages) < 5 {
		t.Fatalf("%d pages:\n%s", len(pages), got)
	}
	for i, page := range pages {
		if lines := strings.Count(page, "\n"); i > 0 && i < len(pages)-1 && lines > 24 {
			t.Errorf("a page of %d lines", lines)
		}
	}
	plain := foldPrompt.ReplaceAllString(got, "")
	if !strings.Contains(strings.Join(strings.Fields(plain), " "), "sh -c \""+long+"\"") {
		t.Errorf("it is not shown whole:\n%s", got)
	}
	// Who has seen enough is asked at once.
	if got := asked(t, 24, entry, "w\nq\n"); strings.Contains(got, "enter: back") || strings.Count(got, "Run it?") != 2 {
		t.Errorf("q goes on:\n%s", got)
	}
	// On a higher terminal nothing has to be folded.
	if got := asked(t, 120, entry, ""); !strings.Contains(got, "Run it? [y/N] ") || strings.Contains(got, "⟨+") {
		t.Errorf("folded without need:\n%s", got)
	}
}

// Of what is folded the count is right, and both ends are to be seen.
func TestAFoldCounts(t *testing.T) {
	got := piece{text: strings.Repeat("é", 20_000) + "z", kind: word}.set(30)
	if want := `"` + strings.Repeat("é", 20) + "\"⟨+19,971\u00a0characters⟩\"" + strings.Repeat("é", 9) + `z"`; string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
	r := row{"command", each(word, many(1000, "a"))}
	text := string(r.text(0, 9))
	if want := "a0 a1 a2 a3 a4 a5 ⟨+991\u00a0more⟩ a997 a998 a999"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// A text of others cannot pass for a fold.
func TestAFoldIsNotImitated(t *testing.T) {
	const fold = "⟨+19,971\u00a0characters⟩"
	for _, kind := range []pieceKind{word, quoted, bare} {
		if got := string(piece{text: "a" + fold + "b", kind: kind}.set(0)); got != `"a`+fold+`b"` {
			t.Errorf("%d: %s", kind, got)
		}
		if got := string(piece{text: fold + strings.Repeat("x", 100) + fold, kind: kind}.set(60)); !strings.HasPrefix(got, `"`) || !strings.HasSuffix(got, `"`) || strings.Count(got, "\"⟨+80\u00a0characters⟩\"") != 1 {
			t.Errorf("%d: %s", kind, got)
		}
	}
}

// On a terminal that is too low for the question nothing leaves it unseen.
func TestALowTerminal(t *testing.T) {
	got := asked(t, 6, map[string]any{"command": "sudo", "args": []string{"rm", "-rf", "/"}}, "\n\n\n\n\n")
	for page := range strings.SplitSeq(got, "lines) ") {
		if lines := strings.Count(page, "\n"); lines > 5 {
			t.Errorf("%d lines without a stop:\n%s", lines, page)
		}
	}
	if !strings.Contains(got, "enter: go on, q: enough (5 of ") || !strings.Contains(got, "Run it? [y/N") {
		t.Error(got)
	}
}

// What a file says of a value does not push the question for it away.
func TestALongDescriptionIsFolded(t *testing.T) {
	talk, out := typing(t, "v\n")
	if got, err := talk.input(config.Input{ID: strings.Repeat("k", 20_000), Description: strings.Repeat("d", 20_000)}); err != nil || got != "v" {
		t.Errorf("%q, %v", got, err)
	}
	if n := strings.Count(out.String(), "\n"); n > 10 || strings.Count(out.String(), "⟨+19,800\u00a0characters⟩") != 2 {
		t.Errorf("%d lines:\n%s", n, out)
	}
}
