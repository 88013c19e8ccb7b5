package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// chapters are the flags by what they are about. A flag that none names stands in the
// last one.
var chapters = []struct {
	title string
	flags []string
}{
	{"The server", []string{"server", "config", "yes", "protocol", "cwd", "env", "env-file", "wrap", "root", "watch", "max-message"}},
	{"A server over HTTP", []string{
		"header", "client-id", "client-secret", "client-issuer", "client-redirect", "client-metadata", "client-credentials", "no-sse", "no-listen",
	}},
	{"Calls and cancels", []string{"reason", "timeout", "max-timeout", "grace", "no-probe", "no-witness", "ping-every", "confirm", "trust", "keep-tasks", "no-memory"}},
	{"What the server may ask", []string{"no-sampling", "sampling-tools", "no-elicitation", "no-forms", "no-urls", "strict-asks", "anonymous", "i-own-this-server"}},
	{"The recording", []string{"record", "record-unmasked"}},
	{"The screen", []string{"ascii", "no-motion", "no-mouse", "notify"}},
	{"Others", nil},
}

// readVariables are what belay reads of its environment.
var readVariables = [][2]string{
	{"NO_COLOR", "no colors, if it is not empty"},
	{"TERM, COLORTERM", "what the terminal can do; on TERM=dumb no screen is drawn"},
	{"LC_ALL, LC_CTYPE, LANG", "the locale, of which the first that is set decides; where it is C, POSIX, or one of another charset than UTF-8, belay draws in ASCII, as with --ascii; where none is set, in UTF-8"},
	{"VISUAL, EDITOR", "the editor that a long text is given to"},
	{"BROWSER", "the program that opens the address of a login, or one that a server asks for"},
}

// codes are the exit codes.
var codes = [][2]string{
	{"0", "you quit, or did not want to begin on the screen; call: the tool brought a result"},
	{"1", "call, ls: the server answered with an error, or the tool did, or the structured content breaks its schema, or not all of a list came"},
	{"2", "the command line is wrong, or there is no terminal"},
	{"3", "the server could not be reached, or was lost"},
	{"4", "call: the call was cancelled; audit: you stopped it; call, ls, audit: you did not want to begin, or gave up"},
	{"5", "audit: a check failed at the level of --fail-on or above"},
	{"6", "audit: nothing failed, and nothing that matters could be seen"},
	{"7", "the screen failed, or what was asked for could not be written to stdout, or not to the end of its file (a full disk, say)"},
}

// described is a flag in words.
type described struct {
	name  string // with its letter and what it takes, such as -c, --config FILE
	usage string
	value string // if it is left out; "" for what needs no words
}

func describe(f *pflag.Flag) described {
	takes, usage := pflag.UnquoteUsage(f)
	switch {
	case f.Value.Type() == "bool":
		takes = ""
	case f.Name == "confirm": // whose words are also those of a command of the screen
		takes = "WHEN"
	case takes == f.Value.Type(): // no word of its own
		takes = map[string]string{"duration": "TIME", "string": "TEXT"}[takes]
	}
	d := described{name: "--" + f.Name, usage: usage}
	if f.Shorthand != "" {
		d.name = "-" + f.Shorthand + ", " + d.name
	}
	if takes != "" {
		if !strings.Contains(takes, "=") {
			takes = strings.ToUpper(takes)
		}
		d.name += " " + takes
	}
	if !slices.Contains([]string{"", "false", "[]", "0s"}, f.DefValue) {
		d.value = shortTime(f)
	}
	return d
}

// shortTime is a default without the parts of a time that are zero.
func shortTime(f *pflag.Flag) string {
	if f.Value.Type() != "duration" {
		return f.DefValue
	}
	text := f.DefValue
	if short, ok := strings.CutSuffix(text, "m0s"); ok {
		text = short + "m"
	}
	if short, ok := strings.CutSuffix(text, "h0m"); ok {
		text = short + "h"
	}
	return text
}

// manual is the command line as a value, from which its pages are made.
func manual() (root *cobra.Command, of map[string][]described) {
	root = newRoot(std{os.Stdin, os.Stdout, os.Stderr})
	root.InitDefaultCompletionCmd()
	of = map[string][]described{}
	known := map[string]bool{"help": true, "version": true}
	for _, c := range chapters {
		for _, name := range c.flags {
			of[c.title] = append(of[c.title], describe(root.Flags().Lookup(name)))
			known[name] = true
		}
	}
	last := chapters[len(chapters)-1].title
	root.Flags().VisitAll(func(f *pflag.Flag) {
		if !known[f.Name] && !f.Hidden {
			of[last] = append(of[last], describe(f))
		}
	})
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && root.Flags().Lookup(f.Name) == nil {
				of[cmd.Name()] = append(of[cmd.Name()], describe(f))
			}
		})
	}
	return root, of
}

// FlagsPage is the command line in Markdown.
func FlagsPage() string {
	root, of := manual()
	var b strings.Builder
	fmt.Fprintf(&b, "```\n%s\n```\n\n%s\n\n```\n%s\n```\n", strings.Join(usesOf(mostWidth, ""), "\n"), root.Long, root.Example)
	table := func(flags []described) {
		b.WriteString("\n| Flag | What it does | Default |\n| --- | --- | --- |\n")
		for _, d := range flags {
			value := d.value
			if value != "" {
				value = "`" + value + "`"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", d.name, cell(d.usage), value)
		}
	}
	for _, c := range chapters {
		if len(of[c.title]) > 0 {
			fmt.Fprintf(&b, "\n## %s\n", c.title)
			table(of[c.title])
		}
	}
	for _, cmd := range documented(root) {
		fmt.Fprintf(&b, "\n## belay %s\n\n%s\n", cmd.Name(), cmd.Long)
		if len(of[cmd.Name()]) > 0 {
			table(of[cmd.Name()])
		}
	}
	b.WriteString("\n## The environment\n\n| Variable | What it does |\n| --- | --- |\n")
	for _, v := range readVariables {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(v[0], ", ", "`, `"), v[1])
	}
	b.WriteString("\n## Exit codes\n\n| Code | When |\n| --- | --- |\n")
	for _, c := range codes {
		fmt.Fprintf(&b, "| %s | %s |\n", c[0], c[1])
	}
	return b.String()
}

// cell is a text within a table of Markdown.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", `\<`, "\n", " ").Replace(text)
}

// documented are the commands that the pages have besides belay itself.
func documented(root *cobra.Command) (out []*cobra.Command) {
	for _, cmd := range root.Commands() {
		if !cmd.Hidden && slices.Contains([]string{"audit", "call", "demo", "ls", "replay", "report"}, cmd.Name()) {
			out = append(out, cmd)
		}
	}
	return out
}

// ManPage is the command line as a page of man(1), with the macros of man(7).
func ManPage() string {
	root, of := manual()
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	list := func(flags []described) {
		for _, d := range flags {
			text := d.usage
			if d.value != "" {
				text += " (" + d.value + ")"
			}
			line(".TP\n.B %s\n%s", roff(d.name), roff(text))
		}
	}
	line(`.TH BELAY 1 "" "belay" "User Commands"`)
	line(".SH NAME\nbelay \\- %s", roff(root.Short))
	line(".SH SYNOPSIS")
	for _, f := range forms {
		line(".B belay\n%s\n.br", roff(f.args))
	}
	line(".SH DESCRIPTION")
	line("%s", paragraphs(root.Long))
	line(".SH EXAMPLES\n.nf\n%s\n.fi", roff(root.Example))
	for _, c := range chapters {
		if len(of[c.title]) > 0 {
			line(".SH %s", strings.ToUpper(roff(c.title)))
			list(of[c.title])
		}
	}
	for _, cmd := range documented(root) {
		line(".SH BELAY %s\n%s", strings.ToUpper(roff(cmd.Name())), paragraphs(cmd.Long))
		list(of[cmd.Name()])
	}
	line(".SH ENVIRONMENT")
	for _, v := range readVariables {
		line(".TP\n.B %s\n%s", roff(v[0]), roff(v[1]))
	}
	line(".SH EXIT STATUS")
	for _, c := range codes {
		line(".TP\n.B %s\n%s", c[0], roff(c[1]))
	}
	return b.String()
}

func paragraphs(text string) string {
	return strings.ReplaceAll(roff(text), "\n\n", "\n.PP\n")
}

// roff is a text that troff sets as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", `\&...`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

// newMan prints the page, so that a program that was fetched alone has it, too.
func newMan(s std) *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "The page of man(1), to be read with: belay man | man -l -", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return s.write([]byte(ManPage())) },
	}
}
