//go:build unix

package main

import (
	"strings"
	"testing"

	"belay/internal/termtest"
)

// The ID of a task is the same in every picture, also where it is cut.
func TestSteadyTask(t *testing.T) {
	for _, id := range []string{strings.Repeat("A", 26), strings.Repeat("Z", 26)} {
		text := "a task \"" + id + "\"\r\nand \"" + id[:12] + "… NO TASK ABCDEFGHIJ"
		term, err := termtest.Start(nil, termtest.Options{Argv: []string{"sh", "-c", `printf '%s' "$1"; read -r _`, "sh", text}, Cols: 60, Rows: 4})
		if err != nil {
			t.Fatal(err)
		}
		if err := term.WaitText("ABCDEFGHIJ"); err != nil {
			t.Fatal(err)
		}
		got, err := steadyTask(term.Screen())
		_, _ = term.Close()
		if want := "a task \"" + shownID + "\""; err != nil || !strings.Contains(got.String(), want) || !strings.Contains(got.String(), "and \""+shownID[:12]+"… NO TASK ABCDEFGHIJ") {
			t.Errorf("%v\n%s", err, got.Framed())
		}
	}
}
