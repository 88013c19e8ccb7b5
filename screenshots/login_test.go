//go:build unix

package main

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/termtest"
)

// A panel is the same in every picture, whatever chance has put into it, and
// wherever its lines break.
func TestSteady(t *testing.T) {
	panel := func(port, back, challenge, state string) string {
		address := "http://127.0.0.1:" + port + "/authorize?code_challenge=" + challenge + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A" + back +
			"%2Fcallback&resource=http%3A%2F%2F127.0.0.1%3A" + port + "%2Fmcp&state=" + state
		title := " http://127.0.0.1:" + port + "/mcp wants you to log in "
		lines := []string{
			"outside 127.0.0.1:" + port + "/mcp",
			" ╭" + title + strings.Repeat("─", 64-len(title)) + "╮",
		}
		for len(address) > 0 {
			n := min(60, len(address))
			lines = append(lines, fmt.Sprintf(" │ %-62s │", address[:n]))
			address = address[n:]
		}
		lines = append(lines, fmt.Sprintf(" │ %-62s │", "http://127.0.0.1:"+back+"/callback"), " ╰"+strings.Repeat("─", 64)+"╯")
		return strings.Join(lines, "\n")
	}
	show := func(text string) termtest.Screen {
		term, err := termtest.Start(nil, termtest.Options{Argv: []string{"sh", "-c", `printf '%s' "$1"; read -r _`, "sh", text}, Cols: 70, Rows: 12})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _, _ = term.Close() }()
		last := text[strings.LastIndex(text, "\n")+1:]
		if err := term.WaitText(strings.TrimSpace(last)); err != nil {
			t.Fatal(err)
		}
		return term.Screen()
	}
	a, err := steady(show(panel("33001", "44001", strings.Repeat("a", 43), strings.Repeat("A", 26))))
	if err != nil {
		t.Fatal(err)
	}
	b, err := steady(show(panel("33002", "44002", strings.Repeat("b", 43), strings.Repeat("B", 26))))
	if err != nil {
		t.Fatal(err)
	}
	want := panel("48080", "40001", chance[0].as, chance[1].as)
	for i, s := range []termtest.Screen{a, b} {
		outside := fmt.Sprintf("outside 127.0.0.1:3300%d/mcp", i+1)
		if got := s.String(); got != strings.Replace(want, "outside 127.0.0.1:48080/mcp", outside, 1) {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	if _, err := steady(show("nothing to log in to\nhere")); err == nil || !strings.Contains(err.Error(), "no login panel") {
		t.Errorf("without a panel: %v", err)
	}
	if _, err := steady(show(" ╭ http://127.0.0.1:33001/mcp ╮\n │ no page                     │\n ╰─────────────────────────────╯")); err == nil || !strings.Contains(err.Error(), "does not show") {
		t.Errorf("without a page: %v", err)
	}
}
