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

// figures are the numbers of progress.
//
//shape:part of call
type figures struct{ value, total float64 }

// figures are its numbers; without a total, that is 0.
func (p *progress) figures() figures {
	if !p.hasTotal {
		return figures{value: p.value}
	}
	return figures{p.value, p.total}
}

// text is the numbers alone: "3/8".
func (f figures) text() string { return progressText(f.value, f.total, f.total > 0, nil) }

// progressWords is progress within a sentence: "3/8 "compiling"".
func progressWords(n *mcp.ProgressNote) string {
	text := progressText(n.Value, n.Total, n.HasTotal, nil)
	if len(n.Message) > 0 {
		text += " " + sentence.Quoted(unquoted(shortString(n.Message)))
	}
	return text
}
