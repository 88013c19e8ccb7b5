package keymap

import (
	"fmt"
	"slices"
	"strings"
)

// Markdown writes the bindings as tables, one a group, for docs/keys.md.
func (m *Map[S]) Markdown() string {
	var b strings.Builder
	for _, g := range m.Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n| Key | Command | Does |\n| --- | --- | --- |\n", g)
		for _, r := range m.rows(g) {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", codes(r.keys), r.command, strings.Join(r.help, "<br>"))
		}
	}
	return b.String()
}

// row is a line of a table: what keys do, in one place or another.
type row struct {
	keys, command string
	help          []string
}

// rows are the lines of a group. Bindings with the same keys share one, at the place of the
// first of them.
func (m *Map[S]) rows(group string) (out []row) {
	for _, bind := range m.all {
		if bind.Group != group {
			continue
		}
		r := row{keys: bind.KeyText(), command: command(bind)}
		i := slices.IndexFunc(out, func(o row) bool { return r.keys != "" && o.keys == r.keys && (o.command == "" || r.command == "") })
		if i < 0 {
			i, out = len(out), append(out, r)
		}
		out[i].command = max(out[i].command, r.command)
		out[i].help = append(out[i].help, escape(bind.Help))
	}
	return out
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
