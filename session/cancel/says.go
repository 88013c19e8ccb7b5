package cancel

import (
	"slices"
	"strings"
)

// codeRequestCancelled is the code that the Language Server Protocol and the
// Agent Client Protocol have for a cancelled request. MCP has none, and servers
// borrow it. It says so whatever its message says, which the evidence quotes.
const codeRequestCancelled = -32800

// maxSaying bounds the text, in bytes, in which a saying is looked for: a longer
// one says more than that the call was cancelled.
const maxSaying = 200

// sayings are whole texts by which servers and their libraries say that a call
// was cancelled, in lower case, with "cancelled" and "canceled" as one, without
// an article at the beginning and a full stop at the end. [subjects], [ends] and
// [agents] make more of them.
var sayings = alsoMade(map[string]bool{
	"context cancelled":                       true, // Go
	"signal is aborted":                       true,
	"signal is aborted without reason":        true, // browsers' AbortSignal
	"signal was aborted":                      true,
	"user aborted a request":                  true, // node-fetch
	"cancelled on client":                     true, // gRPC for Node
	"task was cancelled":                      true, // .NET, Python
	"task cancelled":                          true,
	"task aborted":                            true,
	"job was cancelled":                       true, // Kotlin, of its coroutines
	"parent job is cancelling":                true,
	"standalonecoroutine was cancelled":       true,
	"deferredcoroutine was cancelled":         true,
	"supervisorcoroutine was cancelled":       true,
	"scopecoroutine was cancelled":            true,
	"canceling statement due to user request": true, // PostgreSQL
	"client cancelled":                        true,
	"client cancelled request":                true,
	"client cancelled the request":            true,
	"user cancelled":                          true,
	"user cancelled request":                  true,
	"user cancelled the request":              true,
	"user requested cancellation":             true, // the specification's own example of a reason, handed back
})

// What a saying is made of: the call, in the words of servers, and that it ended before its time, and by
// whose wish. An order or a payment is no call; of a job only Kotlin's own sentence counts.
var (
	subjects = []string{"operation", "request", "call", "execution", "tool call", "tool execution", "tool"}
	ends     = []string{"cancelled", "aborted"}
	agents   = []string{"", " by user", " by the user", " by client", " by the client"}
)

func alsoMade(all map[string]bool) map[string]bool {
	for _, end := range ends {
		for _, by := range agents {
			all[end+by] = true
			for _, subject := range subjects {
				for _, verb := range []string{" ", " was ", " has been "} {
					all[subject+verb+end+by] = true
				}
			}
		}
	}
	return all
}

// cancelNames are the classes and codes of errors that are about nothing but that something was
// cancelled: each is a saying, and may stand before one, also with the modules that it is in.
var cancelNames = []string{
	"cancellederror", "aborterror", "abortederror", "cancellationerror", "cancellationexception",
	"cancelledexception", "operationcancellederror", "operationcancelledexception", "operationabortederror", "requestcancellederror",
	"requestabortederror", "taskcancelledexception", "jobcancellationexception", "toolcancellederror", "apiuseraborterror",
	"abort_err", "err_cancelled", "ecancelled",
}

// errorNames are the classes of errors that name no thing of the server's business, unlike
// "OrderError: cancelled", which tells of an order.
var errorNames = []string{
	"runtimeerror", "runtimeexception", "ioexception", "oserror", "baseexception",
	"mcperror", "mcpexception", "toolerror", "toolexception", "toolexecutionerror", "toolexecutionexception", "toolcallerror",
	"rpcerror", "jsonrpcerror", "internalerror", "servererror", "requesterror", "executionerror", "executionexception",
	"domexception", "connecterror", "statusexception", "statusruntimeexception", "querycancelled", "querycancellederror",
}

// plainNames stand before a text without a module: "order.cancelled" is what became of an order.
var plainNames = []string{"cancelled", "error", "exception", "failure", "fatal"}

// IsCancelledText reports whether a server's text, as a whole, says that a call
// was cancelled: one of the sayings, in any case, behind at most three prefixes,
// one of which may be the name of the tool that was called. A text that only talks
// of cancelling ("the order was cancelled", "OrderFailed: cancelled") does not.
func IsCancelledText(text, tool string) bool {
	if len(text) > maxSaying {
		return false
	}
	text = inOneSpelling(text)
	tool = inOneSpelling(tool)
	for range 4 {
		if isSaying(text) {
			return true
		}
		rest, ok := withoutPrefix(text, tool)
		if !ok {
			return false
		}
		text = rest
	}
	return false
}

// inOneSpelling is a text in lower case, with one blank between words and one spelling of "cancelled".
func inOneSpelling(text string) string {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	return strings.ReplaceAll(text, "canceled", "cancelled")
}

// isSaying reports whether a text without its prefixes says that a call was cancelled.
func isSaying(text string) bool {
	if head, job, ok := strings.Cut(text, "; job="); ok && strings.Contains(job, "}@") && !strings.Contains(job, " ") {
		text = head // Kotlin names the coroutine behind it
	}
	text = strings.TrimSuffix(text, " (sqlstate 57014)")
	bare := strings.TrimRight(strings.Trim(text, `"'`), ".:! ")
	for _, article := range []string{"the ", "this ", "a "} {
		if rest, ok := strings.CutPrefix(bare, article); ok {
			return sayings[rest]
		}
	}
	return sayings[bare] || isOfClass(strings.TrimSuffix(bare, "()"), cancelNames) || isScope(bare)
}

// isScope reports whether a text is what a cancelled task of Python's anyio raises, with the address
// of its scope.
func isScope(text string) bool {
	for _, how := range []string{"by", "via"} {
		if scope, ok := strings.CutPrefix(text, "cancelled "+how+" cancel scope "); ok {
			return scope != "" && strings.Trim(scope, "0123456789abcdefx") == ""
		}
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

// withoutPrefix is a text without what tools and libraries put before the text of
// an error, if something of the kind is there: a word for an error with its code, the class of an
// error, or the tool that failed.
func withoutPrefix(text, tool string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(text, "code = cancelled desc = "); ok { // gRPC for Go, behind "rpc error: "
		return rest, true
	}
	if rest, ok = strings.CutPrefix(text, tool+": "); ok && tool != "" {
		return rest, true
	}
	head, rest, ok := strings.Cut(text, ": ")
	return rest, ok && isErrorPrefix(strings.Fields(head), tool)
}

// isErrorPrefix reports whether words are such a prefix.
func isErrorPrefix(words []string, tool string) bool {
	is := func(i int, of ...string) bool { return i < len(words) && slices.Contains(of, words[i]) }
	isTool := func(from int) bool { // "tool", or the name of the tool, or both
		name := strings.Trim(strings.Join(words[from:], " "), "`'\"()")
		return name == "tool" || tool != "" && name == tool || len(words) == from+2 && is(from, "tool")
	}
	switch n := len(words); {
	case n == 0:
		return false
	case n == 1:
		return slices.Contains(plainNames, words[0]) || isOfClass(words[0], errorNames, cancelNames)
	case n == 2 && isBracketed(words[1]) && isErrorPrefix(words[:1], ""): // Node: "DOMException [AbortError]"
		return isOfClass(strings.Trim(words[1], "[]()"), cancelNames)
	case n == 2 && is(0, "1") && is(1, "cancelled"): // gRPC for Node
		return true
	case n == 2 && is(0, "get", "post", "put", "patch", "head", "delete") && strings.HasPrefix(words[1], `"http`): // Go's net/http
		return true
	case strings.Trim(words[n-1], "()-0123456789") == "": // the code of an error
		return isErrorPrefix(words[:n-1], tool)
	case is(0, "failed") && is(1, "to") && is(2, "execute", "call", "run", "invoke"):
		return n > 3 && isTool(3)
	case is(0, "error", "failure", "exception") && is(1, "executing", "calling", "running", "invoking", "in"):
		return n > 2 && isTool(2)
	case n > 4 && is(0, "an") && is(1, "error") && is(2, "occurred") && is(3, "invoking", "executing", "calling"): // the C# SDK
		return isTool(4)
	case is(n-1, "failed", "error") && is(0, "tool", "execution", "request", "call", "operation"):
		return n == 2 || n == 3 && (is(1, "call", "execution") || words[1] == tool)
	case n == 2 && words[0] == tool:
		return is(1, "failed", "error")
	case n == 2 && is(0, "mcp", "internal", "server", "rpc", "jsonrpc", "json-rpc", "unhandled", "uncaught"):
		return is(1, "error", "exception", "failure")
	}
	return len(words) == 3 && is(0, "internal") && is(1, "server") && is(2, "error")
}

func isBracketed(word string) bool {
	return strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]")
}

// isOfClass reports whether a word is the name of one of these classes, with or without the modules
// that it is in.
func isOfClass(word string, classes ...[]string) bool {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789_.$") != "" {
		return false
	}
	name := word[strings.LastIndexAny(word, ".$")+1:]
	return slices.ContainsFunc(classes, func(all []string) bool { return slices.Contains(all, name) })
}
