package report

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"belay/internal/safe"
	"belay/internal/wording"
)

// Markdown writes the report as GitHub and its like read it: the messages are drawn by
// Mermaid, and what others have said stands in code, where nothing of it is markup, a
// link or a mention.
func (r *Report) Markdown() []byte {
	w := &markdown{}
	w.line("# " + r.Title())
	w.line("")
	for _, f := range r.Environment.facts() {
		w.fact(f)
	}
	for i := range r.Calls {
		w.call(&r.Calls[i])
	}
	w.line("")
	if t := r.LeftCalls(); t != "" {
		w.line(string(t) + ".")
		w.line("")
	}
	w.line(r.Environment.Masked())
	return []byte(w.b.String())
}

// markdown is a text that is being written.
type markdown struct{ b strings.Builder }

func (w *markdown) line(format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	w.b.WriteString(format)
	w.b.WriteByte('\n')
}

func (w *markdown) fact(f fact) {
	text := string(f.Text)
	if f.code {
		text = code(f.Text)
	}
	w.line("- **%s**: %s", f.Name, text)
}

func (w *markdown) call(c *Call) {
	name, state := c.heading()
	w.line("\n## %s: %s\n", code(name), words(state))
	if m := c.meaning(); m != "" {
		w.line("> %s.\n", words(capital(m)))
	}
	for _, f := range c.facts() {
		w.fact(f)
	}
	w.line("\n```mermaid")
	w.b.WriteString(mermaid(c))
	w.line("```")
	if len(c.Evidence) > 0 {
		w.line("\n### What was seen\n")
		lines := make([]safe.Text, len(c.Evidence))
		for i, e := range c.Evidence {
			lines[i] = safe.PadLeft(wording.Precise(e.At), 8) + "  " + e.Text
		}
		w.block("text", lines)
	}
	w.processes(c)
	if k := c.Cancel; k != nil && k.Rule.Text != "" {
		w.line("\n### What the specification says\n")
		where := code(k.Rule.Where())
		if k.Rule.Address != "" {
			where = "[" + string(k.Rule.Where()) + "](" + k.Rule.Address + ")"
		}
		if k.Rule.Level != "" {
			where = "**" + string(k.Rule.Level) + "**, " + where
		}
		w.line("%s: %s.", where, words(k.Rule.Text))
	}
	if len(c.Params) > 0 {
		w.line("\n### What was called\n")
		w.block("json", c.Params)
	}
	w.excerpt(&c.Wire)
}

// processes writes the figures of processes as a table, and what they do not tell as code.
func (w *markdown) processes(c *Call) {
	p := c.Processes
	if p == nil && c.Unseen == "" {
		return
	}
	w.line("\n### What the processes of the server used\n")
	if p == nil {
		w.line("%s", c.Unseen)
		return
	}
	for i := range p.Figures {
		g := &p.Figures[i]
		heads := g.Heads()
		w.line("| | %s | %s | %s |", heads.Before, heads.At, heads.After)
		if i == 0 {
			w.line("| --- | ---: | ---: | ---: |")
		}
		for _, f := range g.Figures {
			w.line("| %s | %s | %s | %s |", f.Name, figure(f.Before), figure(f.At), figure(f.After))
		}
	}
	if all := p.Words(); len(all) > 0 {
		w.line("")
		w.block("text", all)
	}
}

// figure is one of belay's own numbers in a table.
func figure(t safe.Text) string { return strings.ReplaceAll(string(t), ">", "&gt;") }

func (w *markdown) excerpt(x *Excerpt) {
	if len(x.Lines) == 0 {
		return
	}
	w.line("\n<details><summary>On the wire: %s</summary>\n", x.Shown())
	var lines []safe.Text
	for i := range x.Lines {
		l := &x.Lines[i]
		if l.Before > 0 {
			lines = append(lines, "… "+left(l.Before))
		}
		lines = append(lines, safe.Text(l.Time.Format("15:04:05.000"))+" "+arrows[l.Way]+" "+l.Caption())
		if l.Gone {
			lines = append(lines, "  its bytes are no longer kept")
		} else {
			lines = append(lines, "  "+l.Message)
		}
	}
	if x.Behind > 0 {
		lines = append(lines, "… "+left(x.Behind))
	}
	w.block("text", lines)
	w.line("\n</details>")
}

var arrows = [...]safe.Text{Here: "·", Out: "→", In: "←"}

// block writes lines as code. The fence is longer than any run of backticks in them.
func (w *markdown) block(language string, lines []safe.Text) {
	longest := 2
	for _, l := range lines {
		longest = max(longest, ticks(string(l)))
	}
	fence := strings.Repeat("`", longest+1)
	w.line("%s", fence+language)
	for _, l := range lines {
		w.line("%s", l)
	}
	w.line("%s", fence)
}

// code is a text as code within a line: nothing of it is markup there, no link and no
// mention of anybody.
func code(t safe.Text) string {
	s := string(t)
	if s == "" {
		return ""
	}
	fence := strings.Repeat("`", ticks(s)+1)
	// A blank on both sides is taken away again by who reads it.
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") && strings.Trim(s, " ") != "" {
		s = " " + s + " "
	}
	return fence + s + fence
}

// ticks is the length of the longest run of backticks in a text.
func ticks(s string) (longest int) {
	for run := 0; len(s) > 0; s = s[1:] {
		if run++; s[0] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// prose is text in which no reader of Markdown finds anything but text: words with a
// blank between them, and no character that could be markup, a link or a mention.
var prose = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\pL\pN](?:[\pL\pN]|[,;:·…'()/-]|[.] | )*[.]?$`)
})

// item is how an item of a list begins.
var item = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9]+[.)]`)
})

// words is a text of belay's own, or one that may have somebody else's words in it: then
// it stands as code.
func words(t safe.Text) string {
	s := string(t)
	if prose().MatchString(s) && !item().MatchString(s) && !strings.Contains(s, "//") && !strings.Contains(s, "  ") {
		return s
	}
	return code(t)
}

// capital is a sentence that begins as one.
func capital(t safe.Text) safe.Text {
	if t == "" {
		return ""
	}
	return safe.Text(strings.ToUpper(string(t[:1]))) + t[1:]
}
