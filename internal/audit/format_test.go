package audit

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// hostile is what a server may say.
const hostile = "x\n::error::owned\r##[error]owned %0A::warning::no | `a` | <script>alert(1)</script> [l](javascript:1) @everyone https://e.vil www.e.vil ]]> \x1b[31m\x00\u009b\u202e\xff --> #1"

func hostileReport() *Report {
	o := seen(heard(func(c *Call) { c.Answer, c.After, c.Said = Failure, 5*second, hostile }))
	o.Server, o.Tool, o.Stopped, o.Notes = hostile, hostile, hostile, []string{hostile}
	return Judge(o)
}

// Nothing that a server says acts where a report is read: on a terminal, in the log of a CI,
// in Markdown, HTML, XML or JSON.
func TestNothingOfAServerActsInAReport(t *testing.T) {
	requirements.Rows(t, "SEC-19")
	r := hostileReport()
	all := map[string][]byte{"annotations": r.Annotations(OnUnseen)}
	for i, name := range Formats() {
		all[name] = r.As(Format(i), OnShould, 60)
	}
	command := regexp.MustCompile(`(?m)^\s*::`)
	for name, text := range all {
		s := string(text)
		if !utf8.Valid(text) || strings.ContainsAny(s, "\x1b\x00\r\u009b\u202e") {
			t.Errorf("%s holds characters that act:\n%q", name, s)
		}
		if strings.Contains(s, "##[") {
			t.Errorf("%s holds a command of a runner", name)
		}
		if name != "annotations" && command.MatchString(s) {
			t.Errorf("%s begins a line with a command:\n%s", name, s)
		}
		if (name == "html" || name == "markdown" || name == "junit") && strings.Contains(s, "<script") {
			t.Errorf("%s holds a script", name)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(string(all["annotations"])), "\n") {
		if !strings.HasPrefix(line, "::error title=belay audit") {
			t.Errorf("a line of the server's among the annotations: %q", line)
		}
	}
	md := string(all["markdown"])
	for _, s := range []string{"`", "](javascript", "@everyone", "https://e.vil", "www.e.vil", "#1"} {
		if strings.Contains(strings.ReplaceAll(strings.ReplaceAll(md, "`--fail-on should`", ""), "&#1", ""), s) {
			t.Errorf("Markdown holds %q:\n%s", s, md)
		}
	}
	for _, line := range strings.Split(md, "\n") {
		if strings.HasPrefix(line, "|") && strings.Count(line, "|") != 6 {
			t.Errorf("a row with other cells: %s", line)
		}
	}
	if !strings.Contains(string(all["html"]), "default-src &#39;none&#39;") {
		t.Error("the page has no policy")
	}
}

// What is JSON, XML or HTML is read as such.
func TestReportsAreWellFormed(t *testing.T) {
	r := hostileReport()
	var d struct {
		Format, Grade         string
		Version, Schema, Exit int
		Notes                 []string
		Checks                []struct{ ID, Outcome, Level, Why string }
	}
	if err := json.Unmarshal(r.As(JSON, OnShould, 0), &d); err != nil || d.Format != "belay-audit" || d.Version != 1 || d.Schema != 1 || len(d.Notes) != 1 || d.Exit != ExitFailed || len(d.Checks) != len(Checks()) {
		t.Errorf("%v: %+v", err, d)
	}
	var x suites
	if err := xml.Unmarshal(r.As(JUnit, OnShould, 0), &x); err != nil || x.Tests != len(Checks())+1 {
		t.Errorf("%v: %+v", err, x)
	}
	strict := xml.NewDecoder(strings.NewReader(string(r.As(JUnit, OnShould, 0))))
	for {
		if _, err := strict.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// What is to be said besides the checks is said in every format, and for people that a server
// gives no name.
func TestNotesAreInEveryFormat(t *testing.T) {
	o := seen(heard(nil))
	o.Notes = []string{"entry 7 of the list"}
	for i, name := range Formats() {
		text := string(Judge(o).As(Format(i), OnShould, 100))
		if !strings.Contains(text, "entry 7 of the list") {
			t.Errorf("%s has no note:\n%s", name, text)
		}
		if Format(i) != JSON && !strings.Contains(text, "it gives no name") {
			t.Errorf("%s does not say that the server gives no name:\n%s", name, text)
		}
	}
}

// The page tells of every field of the document.
func TestThePageTellsOfEachField(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "audit.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, told, _ := strings.Cut(string(page), "\n## The document of `-o json`\n")
	told, _, _ = strings.Cut(told, "\n## ")
	for _, of := range []any{document{}, countsJSON{}, checkJSON{}} {
		for i := range reflect.TypeOf(of).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(of).Field(i).Tag.Get("json"), ",")
			if !strings.Contains(told, "`"+name+"`") {
				t.Errorf("docs/audit.md does not tell of %q", name)
			}
		}
	}
}

// What JUnit's XML may hold: the elements that Jenkins' schema knows, each with its attributes
// and with what may be in it.
var junitParts = map[string]struct{ must, may, within string }{
	"testsuites": {"", "name time tests failures errors", ""},
	"testsuite":  {"name tests failures errors", "time skipped timestamp hostname id package", "testsuites"},
	"properties": {"", "", "testsuite"},
	"property":   {"name value", "", "properties"},
	"testcase":   {"name", "time classname", "testsuite"},
	"failure":    {"", "type message", "testcase"},
	"error":      {"", "type message", "testcase"},
	"skipped":    {"", "type message", "testcase"},
	"system-out": {"", "", "testcase"},
}

func TestJUnitHoldsWhatItsReadersKnow(t *testing.T) {
	text := hostileReport().As(JUnit, OnShould, 0)
	var within []string
	seen := map[string]bool{}
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.EndElement:
			within = within[:len(within)-1]
		case xml.StartElement:
			name, parent := x.Name.Local, ""
			if len(within) > 0 {
				parent = within[len(within)-1]
			}
			within = append(within, name)
			seen[name] = true
			part, known := junitParts[name]
			if !known || part.within != parent {
				t.Errorf("<%s> in <%s>", name, parent)
			}
			has := map[string]bool{}
			for _, a := range x.Attr {
				has[a.Name.Local] = true
				if !slices.Contains(strings.Fields(part.must+" "+part.may), a.Name.Local) {
					t.Errorf("<%s> has the attribute %s, which its readers do not know", name, a.Name.Local)
				}
			}
			for _, a := range strings.Fields(part.must) {
				if !has[a] {
					t.Errorf("<%s> lacks the attribute %s", name, a)
				}
			}
		}
	}
	for name := range junitParts {
		if !seen[name] {
			t.Errorf("no <%s> was written", name)
		}
	}
}

// In JUnit no check passes that did not: what cannot be seen is skipped, with its reason, and
// so is a failure below the level.
func TestJUnitTellsWhatWasSeen(t *testing.T) {
	r := Judge(seen(heard(func(c *Call) { c.Answer, c.After, c.Digest = Result, 5*second, "same" })))
	for _, x := range []struct {
		on               FailOn
		failures, passed int
	}{{OnMust, 0, 2}, {OnShould, 2, 2}, {OnUnseen, 2, 2}} {
		var s suites
		if err := xml.Unmarshal(r.As(JUnit, x.on, 0), &s); err != nil {
			t.Fatal(err)
		}
		passed := 0
		for i, c := range s.Suite.Cases {
			switch l := r.Lines[i]; {
			case c.Failure == nil && c.Skipped == nil:
				passed++
				if l.Outcome != Pass {
					t.Errorf("--fail-on %v: %s passes, and is %v", x.on, c.Name, l.Outcome)
				}
			case l.Outcome == Pass:
				t.Errorf("--fail-on %v: %s passed, and is none", x.on, c.Name)
			}
		}
		if s.Failures != x.failures || s.Tests != passed+s.Failures+s.Suite.Skipped || passed < x.passed {
			t.Errorf("--fail-on %v: %d failures, %d passed, %d skipped of %d", x.on, s.Failures, passed, s.Suite.Skipped, s.Tests)
		}
	}
}

// Every check has words for each outcome, an ID of its own, and where the specification asks
// for something, a page of it.
func TestTheTableIsWhole(t *testing.T) {
	ids := map[string]bool{}
	for _, c := range Checks() {
		cl := claims[c.Claim]
		if ids[c.ID] || c.Situation.String() == "" || situationNames[c.Situation] == "" || cl.judge == nil || cl.pass == "" || cl.fail == "" || cl.unseen == "" {
			t.Errorf("%+v: %+v", c, cl)
		}
		ids[c.ID] = true
		for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
			if d := c.Duty(rev); (d.Level > None) != (d.Page != "" && d.Rule != "") {
				t.Errorf("%s, %s: %+v", c.ID, rev, d)
			}
		}
	}
}
