package cancel

import (
	"slices"
	"strings"
)

// codeRequestCancelled is the code that the Language Server Protocol and the
// Agent Client Protocol have for a cancelled request. MCP has none, and servers
// borrow it.
const codeRequestCancelled = -32800

// maxSaying bounds the text, in bytes, in which a saying is looked for: a longer
// one says more than that the call was cancelled.
const maxSaying = 200

// sayings are whole texts by which servers and their libraries say that a call
// was cancelled, in lower case, with "cancelled" and "canceled" as one, without
// an article at the beginning and a full stop at the end.
var sayings = map[string]bool{
	"cancelled": true, "aborted": true, "aborterror": true, "cancellederror": true, "cancellationerror": true,
	"context cancelled":                   true, // Go
	"this operation was aborted":          true, // Node's AbortError
	"signal is aborted":                   true,
	"signal is aborted without reason":    true, // browsers' AbortSignal
	"signal was aborted":                  true,
	"user aborted a request":              true, // node-fetch
	"task was cancelled":                  true, // .NET, Python
	"a task was cancelled":                true,
	"task cancelled":                      true,
	"task aborted":                        true,
	"operation was cancelled":             true, // .NET
	"operation cancelled":                 true,
	"operation was aborted":               true,
	"operation aborted":                   true,
	"operation was cancelled by user":     true,
	"operation cancelled by user":         true,
	"request cancelled":                   true, // Python SDK
	"request was cancelled":               true,
	"request has been cancelled":          true,
	"request aborted":                     true,
	"request was aborted":                 true,
	"request cancelled by client":         true,
	"request was cancelled by client":     true,
	"request was cancelled by the client": true,
	"request cancelled by the client":     true,
	"request cancelled by user":           true,
	"request was cancelled by the user":   true,
	"call cancelled":                      true,
	"call was cancelled":                  true,
	"call aborted":                        true,
	"tool call cancelled":                 true,
	"tool call was cancelled":             true,
	"tool call aborted":                   true,
	"tool execution cancelled":            true,
	"tool execution was cancelled":        true,
	"tool execution aborted":              true,
	"tool execution was aborted":          true,
	"execution cancelled":                 true,
	"execution was cancelled":             true,
	"execution aborted":                   true,
	"cancelled by client":                 true,
	"cancelled by the client":             true,
	"cancelled by user":                   true,
	"cancelled by the user":               true,
	"aborted by client":                   true,
	"aborted by user":                     true,
	"aborted by the user":                 true,
	"client cancelled":                    true,
	"client cancelled request":            true,
	"user cancelled":                      true,
	"user requested cancellation":         true, // the specification's own example of a reason, handed back
}

// IsCancelledText reports whether a server's text, as a whole, says that a call
// was cancelled: one of the sayings, in any case, behind at most three prefixes,
// one of which may be the name of the tool that was called. A text that only talks
// of cancelling ("the order was cancelled") does not.
func IsCancelledText(text, tool string) bool {
	if len(text) > maxSaying {
		return false
	}
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	text = strings.ReplaceAll(text, "canceled", "cancelled")
	tool = strings.ToLower(tool) + ": "
	for range 4 {
		bare := strings.TrimPrefix(strings.TrimRight(strings.Trim(text, `"'`), ".! "), "the ")
		if sayings[bare] {
			return true
		}
		rest := strings.TrimPrefix(text, tool)
		if rest == text {
			rest = withoutPrefix(text)
		}
		if rest == text {
			return false
		}
		text = rest
	}
	return false
}

// withoutReason is a text without the reason of a cancel that it repeats at its end.
func withoutReason(text, reason string) string {
	if reason == "" {
		return text
	}
	return strings.TrimSuffix(text, ": "+reason)
}

// grpcPrefix stands before the text of an error of gRPC, behind "rpc error: ".
const grpcPrefix = "code = cancelled desc = "

// withoutPrefix is a text without what tools and libraries put before the text of
// an error: a word for an error with its code, the name of an exception, or the
// tool that failed.
func withoutPrefix(text string) string {
	if rest, ok := strings.CutPrefix(text, grpcPrefix); ok {
		return rest
	}
	head, rest, ok := strings.Cut(text, ": ")
	if ok && isErrorPrefix(strings.Fields(head)) {
		return rest
	}
	return text
}

// isErrorPrefix reports whether words are such a prefix.
func isErrorPrefix(words []string) bool {
	in := func(word string, of ...string) bool { return slices.Contains(of, word) }
	is := func(i int, of ...string) bool { return i < len(words) && in(words[i], of...) }
	switch n := len(words); {
	case n == 0:
		return false
	case n == 1 && strings.Trim(words[0], "abcdefghijklmnopqrstuvwxyz0123456789_.$") == "":
		return isErrorName(words[0])
	case is(0, "failed") && is(1, "to") && is(2, "execute", "call", "run"):
		return n == 4 || n == 5 && is(3, "tool")
	case is(0, "error", "failure", "exception") && is(1, "executing", "calling", "running", "in"):
		return n == 3 || n == 4 && is(2, "tool")
	case is(n-1, "failed", "error") && is(0, "tool", "execution", "request", "call", "operation"):
		return n == 2 || n == 3 && is(1, "call", "execution")
	case n > 1 && strings.Trim(words[n-1], "()-0123456789") == "": // the code of an error
		return isErrorPrefix(words[:n-1])
	}
	return len(words) == 2 && is(0, "mcp", "internal", "server", "rpc", "jsonrpc", "json-rpc") && isErrorName(words[1])
}

// isErrorName reports whether a word names errors, or one kind of them.
func isErrorName(word string) bool {
	for _, end := range []string{"error", "exception", "failure", "failed", "fatal", "cancelled"} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}
