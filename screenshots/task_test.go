//go:build unix

package main

import (
	"strings"
	"testing"

	"belay/internal/termtest"
)

// The ID of a task is the same in every picture, also where it is cut, and so is the time of
// its end.
func TestSteadyTask(t *testing.T) {
	for id, clock := range map[string]string{strings.Repeat("A", 26): "00:00:00.0", strings.Repeat("Z", 26): "23:59:59.9"} {
		text := "a task \"" + id + "\"\r\nand \"" + id[:12] + "… NO TASK ABCDEFGHIJ\r\n" +
			"it is completed, since " + clock + " UTC by the server's clock"
		term, err := termtest.Start(nil, termtest.Options{Argv: []string{"sh", "-c", `printf '%s' "$1"; read -r _`, "sh", text}, Cols: 70, Rows: 4})
		if err != nil {
			t.Fatal(err)
		}
		if err := term.WaitText("the server's clock"); err != nil {
			t.Fatal(err)
		}
		got, err := steadyTask(term.Screen())
		_, _ = term.Close()
		for _, want := range []string{
			"a task \"" + shownID + "\"", "and \"" + shownID[:12] + "… NO TASK ABCDEFGHIJ",
			"since " + shownTime + " UTC",
		} {
			if err != nil || !strings.Contains(got.String(), want) {
				t.Errorf("%v: it lacks %q\n%s", err, want, got.Framed())
			}
		}
	}
}
