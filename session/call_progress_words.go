package session

import (
	"belay/session/mcp"
	"belay/session/sentence"
)

// progressText is progress in a word or two: "3/8 compiling".
func progressText(value, total float64, hasTotal bool, message []byte) string {
	text := number(value)
	if hasTotal {
		text += "/" + number(total)
	}
	if len(message) > 0 {
		text += " " + unquoted(shortString(message))
	}
	return text
}

// progressWords is progress within a sentence: "3/8 "compiling"".
func progressWords(n *mcp.ProgressNote) string {
	text := progressText(n.Value, n.Total, n.HasTotal, nil)
	if len(n.Message) > 0 {
		text += " " + sentence.Quoted(unquoted(shortString(n.Message)))
	}
	return text
}
