package sampling

import (
	"strconv"
	"unicode/utf8"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session/mcp"
)

// TooLong says that a text is longer than the request wants, as far as that can be
// estimated; empty: it is not.
func TooLong(text string, r mcp.Sampling) safe.Text {
	n := tokens(text)
	if r.MaxTokens <= 0 || int64(n) <= r.MaxTokens {
		return ""
	}
	return "the answer is about " + wording.Thousands(n) + " tokens; the server wants at most " + MaxTokens(r)
}

// TooLong says of the text what [TooLong] does. Of raw JSON it says nothing.
func (v *View) TooLong() safe.Text {
	if v.rawOn {
		return ""
	}
	return TooLong(v.text.String(), v.req)
}

// MaxTokens writes how many tokens the server wants at most.
func MaxTokens(r mcp.Sampling) safe.Text { return safe.Text(strconv.FormatInt(r.MaxTokens, 10)) }

// tokens estimates how many tokens a text is: four letters each, and one for
// every character beyond ASCII. Models differ by a third and more.
func tokens(text string) int {
	ascii, other := 0, 0
	for i := range len(text) {
		if text[i] < utf8.RuneSelf {
			ascii++
		}
	}
	other = utf8.RuneCountInString(text) - ascii
	return (ascii+3)/4 + other
}
