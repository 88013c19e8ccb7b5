package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"belay/internal/safe"
	"belay/internal/wording"
)

// reader is somebody else's reader of Markdown, with what GitHub adds to it.
var reader = goldmark.New(goldmark.WithExtensions(extension.GFM))

// specification is where the links of a report lead.
const specification = "https://modelcontextprotocol.io/specification/"

// markup is all that a reader of Markdown finds in a text besides text: what somebody
// might have smuggled in. Ours are the links to the specification and the two lines of HTML
// around the excerpt.
func markup(t testing.TB, source []byte) (found []string, headings int) {
	t.Helper()
	root := reader.Parser().Parse(text.NewReader(source))
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			headings++
		case *ast.Link:
			if !strings.HasPrefix(string(n.Destination), specification) {
				found = append(found, "link to "+string(n.Destination))
			}
		case *ast.AutoLink:
			found = append(found, "link "+string(n.URL(source)))
		case *ast.Image, *ast.RawHTML, *ast.ThematicBreak:
			found = append(found, n.Kind().String())
		case *ast.HTMLBlock:
			whole := string(n.Lines().Value(source))
			if whole != "</details>\n" && !regexp.MustCompile(`^<details><summary>On the wire: [0-9, a-z]+</summary>\n$`).MatchString(whole) {
				found = append(found, "HTML "+whole)
			}
		case *ast.Emphasis:
			if n.Level != 2 {
				found = append(found, "emphasis")
			}
		default:
			if kind := n.Kind().String(); strings.HasPrefix(kind, "Table") || kind == "Strikethrough" || kind == "TaskCheckBox" {
				found = append(found, kind)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found, headings
}

// To somebody else's reader of Markdown, hostile text is text: no link, no HTML, no
// heading but belay's.
func TestHostileTextInMarkdown(t *testing.T) {
	benign := late(t, "deploy").report()
	_, want := markup(t, benign.Markdown())
	for _, text := range hostile {
		r := late(t, text).report()
		got := r.Markdown()
		found, headings := markup(t, got)
		if len(found) > 0 || headings != want {
			t.Errorf("of %q is made %q, %d headings:\n%s", text, found, headings, got)
		}
		quoted(t, text, got)
	}
}

// Backticks end no code but belay's own.
func TestBackticks(t *testing.T) {
	for _, text := range []string{"```", "a ````` b", "`", "``` \n"} {
		w := &markdown{}
		w.block("text", []safe.Text{safe.Line(text), "# no heading"})
		w.line("%s and %s", code(safe.Line(text)), words(safe.Line(text)))
		if found, headings := markup(t, []byte(w.b.String())); len(found) > 0 || headings > 0 {
			t.Errorf("of %q is made %q, %d headings", text, found, headings)
		}
	}
}

// mermaidLine is each line that a diagram may have.
var mermaidLine = regexp.MustCompile(`^(sequenceDiagram|    participant [CS] as [a-z]+|    (C->>S|C-xS|S-->>C|S--xC|Note over C,S): (?:[A-Za-z0-9 .,/_()·…\x{3041}-\x{30ff}\x{4e00}-\x{9fff}\x{ac00}-\x{d7a3}-]|#[0-9]+;|<br/>)*)$`)

// Whatever a server says, a diagram has the statements of belay alone.
func TestHostileTextInMermaid(t *testing.T) {
	for _, text := range hostile {
		r := late(t, text).report()
		for line := range strings.Lines(mermaid(&r.Calls[0])) {
			if !mermaidLine.MatchString(strings.TrimSuffix(line, "\n")) {
				t.Errorf("of %q is made %q", text, line)
			}
		}
	}
}

// A label is as long as what a note tells of a process may be, in lines; what is longer says so.
func TestLongTextInMermaid(t *testing.T) {
	note := func(command string) []string {
		c := Call{Steps: []Step{{Text: safe.Quoted(command) + " (pid 4711) was gone: it was seen last 3.20 s after the cancel"}}}
		_, label, _ := strings.Cut(strings.TrimSuffix(mermaid(&c), "\n"), "Note over C,S: ")
		return strings.Split(label, "<br/>")
	}
	lines := note("sh -c node worker " + strings.Repeat("step ", 20))
	if text := strings.Join(lines, " "); len(lines) != 3 || !strings.HasSuffix(text, "3.20 s after the cancel") || !strings.Contains(text, "(pid 4711)") {
		t.Errorf("%q", lines)
	}
	if lines := note(strings.Repeat("x", 1000)); len(lines) != labelMost || !strings.HasSuffix(lines[labelMost-1], "…") {
		t.Errorf("%q", lines)
	}
	if lines := note("x<br/>y"); len(lines) != 2 {
		t.Errorf("%q", lines)
	}
}

// elements are those that a page may have, with the attributes of each.
var elements = map[string]string{
	"html": "lang", "head": "", "body": "", "meta": "charset http-equiv content name", "title": "", "style": "", "main": "", "header": "class",
	"footer": "class", "p": "class", "h1": "", "h2": "", "h3": "", "dl": "class", "div": "class", "dt": "", "dd": "", "article": "", "figure": "", "section": "",
	"table": "", "thead": "", "tbody": "", "tr": "", "th": "scope", "td": "", "ul": "class",
	"ol": "class", "li": "class", "time": "", "span": "", "blockquote": "", "strong": "", "a": "href rel", "pre": "", "details": "", "summary": "", "code": "",
	"svg": "class viewbox width height role aria-label", "text": "x y text-anchor class", "rect": "class x y width height rx", "path": "class d", "circle": "class cx cy r",
}

// alien is what a page has that it must not have, and the text on it.
func alien(t testing.TB, page []byte) (found []string, words string) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for n := range root.Descendants() {
		switch n.Type {
		case html.TextNode:
			all.WriteString(n.Data)
		case html.ElementNode:
			may, ok := elements[n.Data]
			if !ok {
				found = append(found, "<"+n.Data+">")
			}
			for _, a := range n.Attr {
				if !strings.Contains(" "+may+" ", " "+strings.ToLower(a.Key)+" ") {
					found = append(found, n.Data+" "+a.Key)
				}
				if a.Key == "href" && !strings.HasPrefix(a.Val, specification) {
					found = append(found, "link to "+a.Val)
				}
			}
		case html.CommentNode:
			found = append(found, "comment "+n.Data)
		default:
		}
	}
	return found, all.String()
}

// The page has no script, no link to elsewhere, nothing that is fetched, and hostile text
// stands on it as text.
func TestHostileTextInHTML(t *testing.T) {
	for _, text := range hostile {
		r := late(t, text).report()
		page := r.HTML()
		found, words := alien(t, page)
		if len(found) > 0 {
			t.Errorf("of %q is made %q", text, found)
		}
		if !strings.Contains(words, string(safe.Line(text))) {
			t.Errorf("%q is not on the page as it is", text)
		}
		if !strings.Contains(string(page), "default-src &#39;none&#39;") || strings.Contains(pageStyle, "url(") || strings.Contains(pageStyle, "@import") {
			t.Error("the page may fetch something")
		}
		quoted(t, text, page)
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := safe.LineN(text, 2000)
		w := &markdown{}
		w.line("# heading\n\n- **name**: %s\n\n> %s.\n", code(line), words(line))
		w.line("%s\n", words(line))
		w.block("text", []safe.Text{line, "  " + line})
		w.line("\nthe end")
		got := w.b.String()
		if found, headings := markup(t, []byte(got)); len(found) > 0 || headings != 1 {
			t.Errorf("of %q is made %q, %d headings:\n%s", text, found, headings, got)
		}
		if !strings.HasSuffix(got, "\nthe end\n") {
			t.Errorf("%q ends nothing:\n%s", text, got)
		}
	})
}

func FuzzMermaid(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := safe.LineN(text, 200)
		c := Call{Steps: []Step{{Text: line}, {Text: line, Way: In}}, State: line, Cancel: &Cancel{Verdict: line}}
		for line := range strings.Lines(mermaid(&c)) {
			if !mermaidLine.MatchString(strings.TrimSuffix(line, "\n")) {
				t.Errorf("of %q is made %q", text, line)
			}
		}
	})
}

func FuzzHTML(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := safe.LineN(text, 300)
		r := Report{
			Environment: Environment{Server: Server{Name: line}, Belay: line},
			Calls: []Call{{
				ID: line, Method: line, Target: line, State: line, Note: line, Params: []safe.Text{line},
				Cancel:   &Cancel{By: "user", Reason: line, Verdict: line, Meaning: line, Rule: Rule{Text: line, Page: line}},
				Steps:    []Step{{Text: line}, {Text: line, Way: In, Kind: Stop}},
				Evidence: []Evidence{{Text: line}},
				Processes: &Processes{
					Figures: []wording.FigureGroup{{Figures: []wording.Figure{{Name: "CPU time", Before: "?", At: ">1", After: "2"}}}},
					Began:   []Begun{{Name: line, Fate: line}}, Unseen: []safe.Text{line},
				},
				Wire: Excerpt{Count: 1, Lines: []Line{{Label: line, Message: line}}},
			}},
		}
		if found, _ := alien(t, r.HTML()); len(found) > 0 {
			t.Errorf("of %q is made %q", text, found)
		}
	})
}
