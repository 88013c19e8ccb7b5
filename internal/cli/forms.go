package cli

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"belay/internal/safe"
)

// useForm is one of the forms of the command line.
type useForm struct{ args, about string }

// forms are all of them, as they stand in the help and on both pages.
var forms = []useForm{
	{"[flags]", "its own demo server"},
	{"[flags] ADDRESS", "a server over HTTP"},
	{"[flags] -s [NAME] [-c FILE]", "one of a config file, or choose"},
	{"[flags] -- COMMAND ARGS…", "a server that belay runs"},
	{"call [ADDRESS] TOOL [--arg k=v]…", "one call, for scripts"},
	{"ls [ADDRESS] [tools|prompts|…]", "what a server offers"},
	{"audit [ADDRESS] --tool TOOL", "how well a server cancels"},
	{"replay [--follow] FILE", "what --record wrote"},
	{"report FILE [ID…] [-o FILE]", "what became of its calls"},
	{"demo [--http ADDRESS [--login]]", "the demo server by itself"},
	{"completion bash|zsh|fish|powershell", "completions for a shell"},
	{"man", "this as a page of man(1)"},
}

// usesMark stands for the forms in the usage line of the root command: fang sets no more
// than one line there.
const usesMark = "@uses@"

// usesWriter is the terminal, or file, that the help goes to. It puts the forms in the
// place of the line with the mark.
type usesWriter struct {
	*os.File // for its descriptor: whether it has colors is asked of it
	kept     *keptOutput
	width    int
}

func (w usesWriter) Write(p []byte) (int, error) {
	at := bytes.Index(p, []byte(usesMark))
	if at < 0 {
		return w.kept.Write(p)
	}
	from := bytes.LastIndexByte(p[:at], '\n') + 1
	to := len(p)
	if n := bytes.IndexByte(p[at:], '\n'); n >= 0 {
		to = at + n
	}
	const margin = 4
	text := strings.TrimRight(string(p[:from]), " ") + strings.Join(usesOf(w.width-margin, strings.Repeat(" ", margin)), "\n") + string(p[to:])
	if _, err := w.kept.Write([]byte(text)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// WriteString is the same: that of the file would be taken in its place.
func (w usesWriter) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

// usesOf are the forms in so many columns, with what each runs where there is room.
func usesOf(width int, margin string) (lines []string) {
	column := 0
	for _, f := range forms {
		column = max(column, safe.Width(safe.Text("belay "+f.args)))
	}
	for _, f := range forms {
		line := fmt.Sprintf("%-*s  %s", column, "belay "+f.args, f.about)
		if safe.Width(safe.Text(line)) > width {
			line = "belay " + f.args
		}
		lines = append(lines, margin+line)
	}
	return lines
}
