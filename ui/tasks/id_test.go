package tasks

import (
	"testing"

	"belay/internal/requirements"
	"belay/internal/safe"
	"belay/session/sentence"
)

// An ID is taken as it is typed, or between quotes, as the screen shows it.
func TestTheIDThatIsTyped(t *testing.T) {
	requirements.Rows(t, "TSK-72")
	for typed, want := range map[string]string{
		"task-4711": "task-4711",
		`  a b  `:   "a b",
		`"a b"`:     "a b",
		` " a" `:    " a",
		`'a b'`:     "a b",
		"`a`":       "a",
		"“a b”":     "a b",
		"„a“":       "a",
		`"a\"b\\c"`: `a"b\c`,
		`a"b`:       `a"b`,
		`"\"a\""`:   `"a"`,
	} {
		if got, why := idOf(typed); got != want || why != "" {
			t.Errorf("%s: %q, %q, want %q", typed, got, why, want)
		}
	}
	for _, wrong := range []string{"", "  ", `"`, `""`, `"a`, `"a\"`, `"a"b`, `"a" b"`, `'a" `} {
		if got, why := idOf(wrong); got != "" || why == "" {
			t.Errorf("%s is %q", wrong, got)
		}
	}
	for _, id := range []string{`a "b" c`, `\`, "“x”", "task 1"} {
		for _, shown := range []string{string(safe.Quoted(id)), sentence.Quoted(id)} {
			if got, why := idOf(shown); got != id {
				t.Errorf("%s is read as %q: %s", shown, got, why)
			}
		}
	}
}
