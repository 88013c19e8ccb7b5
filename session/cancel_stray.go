package session

import (
	"fmt"
	"slices"
	"strings"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// What comes and answers nothing that belay asked may still be meant for a call that is
// being cancelled, or about it. It is never believed as its answer, and the server has not
// been silent.

// strayOf describes a message that answers no request, and returns the request whose ID the
// message has as a string; nil: none.
func (o *outgoing) strayOf(f *mcp.Frame) (stray cancel.Stray, named *request) {
	switch {
	case f.Kind == mcp.FrameInvalid && slices.ContainsFunc(f.Problems, isNoJSON):
		return cancel.Stray{What: "something that is not JSON", Detail: excerpt(f.Raw)}, nil
	case f.Kind == mcp.FrameInvalid || f.Kind == mcp.FrameBatch:
		return cancel.Stray{What: "something that is no message of JSON-RPC", Detail: excerpt(f.Raw)}, nil
	case f.ID.IsZero() && f.Kind == mcp.FrameOversize:
		return cancel.Stray{What: fmt.Sprintf("a message over the limit (%s, no ID found)", sentence.Size(f.Size))}, nil
	case f.ID.IsZero():
		words := f.Error.CodeWords() + " " + sentence.Quoted(sentence.Clip(f.Error.Message))
		return cancel.Stray{What: "an error that names no request", Detail: words}, nil
	}
	text, isText := f.ID.Text()
	if id, ok := mcp.ParseID([]byte(text)); isText && ok {
		if r := o.named(id); r != nil && r.begun {
			return cancel.Stray{What: "an answer with its ID as a string", Detail: f.ID.String() + ", where it was sent as a number"}, r
		}
	}
	return cancel.Stray{What: "an answer with an ID that belay sent no request with", Detail: sentence.Clip(f.ID.String())}, nil
}

// reasonWords is the server's reason in quotes; empty: it gave none.
func reasonWords(reason string) string {
	if reason == "" {
		return ""
	}
	return sentence.Quoted(heardReason(reason))
}

// strayBody is a body of success that is no message.
func strayBody(end End) cancel.Stray {
	return cancel.Stray{What: "a body that is no message", Detail: sentence.Quoted(end.Body)}
}

func isNoJSON(p mcp.Problem) bool { return p.Code == mcp.DiagNotJSON || p.Code == mcp.DiagMultiline }

// excerpt is the beginning of a message, in quotes.
func excerpt(raw []byte) string {
	if len(raw) == 0 {
		return "an empty line"
	}
	const most = sentence.Limit / 2
	text := strings.ToValidUTF8(string(raw[:min(len(raw), most)]), "\uFFFD")
	if len(raw) > most {
		text += "…"
	}
	return sentence.Quoted(text)
}
