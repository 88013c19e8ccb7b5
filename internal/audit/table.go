package audit

import (
	"fmt"
	"strings"

	"belay/session/mcp"
)

// Table is the table of the checks in Markdown, as docs/audit.md has it, and below it what
// each of the claims stands on.
func Table() string {
	var b strings.Builder
	b.WriteString("| Check | Claim | up to 2025-11-25 | 2026-07-28 | seen over |\n| --- | --- | --- | --- | --- |\n")
	last := Situation(0)
	for _, c := range Checks() {
		situation := ""
		if c.Situation != last {
			situation, last = c.Situation.String(), c.Situation
		}
		fmt.Fprintf(&b, "| %s | [%s](#%s) | %s | %s | %s |\n", situation, claims[c.Claim].name, anchor(claims[c.Claim].name),
			cite(c, mcp.Rev20251125), cite(c, mcp.Rev20260728), seenOver(c))
	}
	for _, cl := range claims[1:] {
		fmt.Fprintf(&b, "\n### %s\n\n- **pass**: %s.\n- **fail**: %s.\n- **cannot be seen**: %s.\n", cl.name, cl.pass, cl.fail, cl.unseen)
		for _, d := range []struct {
			mcp.Revision
			Duty
		}{{mcp.Rev20251125, cl.old}, {mcp.Rev20260728, cl.modern}} {
			if d.Level > None {
				fmt.Fprintf(&b, "- %s: %s.\n", linked(fmt.Sprintf("%s, %s", d.Revision, d.Page), d.Address(d.Revision)), d.Rule)
			}
		}
	}
	return b.String()
}

func anchor(name string) string { return strings.ReplaceAll(name, " ", "-") }

func cite(c Check, r mcp.Revision) string {
	d := c.Duty(r)
	return linked(d.Level.String(), d.Address(r))
}

// linked is a text that leads to an address, where there is one.
func linked(text, address string) string {
	if address == "" {
		return text
	}
	return "[" + text + "](" + address + ")"
}

func seenOver(c Check) string {
	cl := &claims[c.Claim]
	var all []string
	if cl.stdio {
		all = append(all, "stdio")
	}
	if cl.http {
		all = append(all, "HTTP up to 2025-11-25")
	}
	if cl.modernHTTP && !c.Situation.IsWrong() {
		all = append(all, "HTTP 2026-07-28")
	}
	return strings.Join(all, ", ")
}
