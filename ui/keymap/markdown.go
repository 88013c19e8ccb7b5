package keymap

import (
	"fmt"
	"strings"
)

// Markdown writes the bindings as tables, one a group, for docs/keys.md.
func (m *Map[S]) Markdown() string {
	var b strings.Builder
	for _, g := range m.Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n| Key | Command | Does |\n| --- | --- | --- |\n", g)
		for _, bind := range m.all {
			if bind.Group == g {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", codes(bind.KeyText()), command(bind), escape(bind.Help))
			}
		}
	}
	return b.String()
}

func codes(keys string) string {
	var out []string
	for k := range strings.FieldsSeq(keys) {
		if k == "|" {
			k = `\|`
		}
		out = append(out, "`"+k+"`")
	}
	return strings.Join(out, " ")
}

func command[S any](b *Binding[S]) string {
	if b.Command == "" {
		return ""
	}
	return "`:" + strings.TrimSpace(b.Command+" "+b.Arg) + "`"
}

func escape(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
