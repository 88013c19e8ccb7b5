package safe

import "testing"

// A line of the log of a CI run holds no command to its runner, and is itself otherwise.
func TestALineHoldsNoCommandToARunner(t *testing.T) {
	for line, want := range map[Text]Text{
		"::error::x":            "· ::error::x",
		" \t::add-mask::x":      "·  \t::add-mask::x",
		"a ::error::x":          "a ::error::x",
		":error:":               ":error:",
		"a ##[error]b ##[c]":    "a ##⟨[⟩error]b ##⟨[⟩c]",
		"::stop-commands::##[x": "· ::stop-commands::##⟨[⟩x",
		"## [x]":                "## [x]",
		"":                      "",
	} {
		if got := Inert(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
