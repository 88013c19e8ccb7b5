package mcp

import (
	"fmt"
	"strings"

	"belay/session/rawjson"
	"belay/session/sentence"
)

// ErrorText is the meaning of an error for a method, in plain words of the
// revision that it came in. It may hold text of the server's (ERR-01 … ERR-11).
func ErrorText(e *RPCError, method string, rev Revision) string {
	switch e.Code {
	case -32700:
		return "the server could not parse the request"
	case -32600:
		return "the server calls the request invalid"
	case CodeMethodNotFound:
		return "the server does not know this method"
	case CodeOldNotFound:
		return "resource not found"
	case CodeURLRequired:
		return "the server wants you to visit a URL first"
	case CodeInvalidParams:
		if text, ok := invalidParams[method]; ok {
			return text
		}
		return "invalid parameters"
	case CodeInternal:
		return "internal error of the server"
	}
	if text := modernText(e); text != "" && rev.Modern() {
		return text
	}
	switch {
	case e.Code <= -32000 && e.Code >= -32019:
		return "implementation-defined error"
	case e.Code <= -32020 && e.Code >= -32099:
		return "a code that this revision does not define"
	}
	return fmt.Sprintf("application error %d", e.Code)
}

// modernText are the meanings that only the modern era has.
func modernText(e *RPCError) string {
	switch e.Code {
	case CodeHeaderMismatch:
		return "the HTTP headers of the request do not say what its body says"
	case CodeMissingCapability:
		if need, ok := rawjson.Lookup(e.Data, "requiredCapabilities"); ok {
			return "the server needs a capability that belay did not declare: " + sentence.Clip(string(need))
		}
		return "the server needs a capability that belay did not declare"
	case CodeUnsupportedVersion:
		if list := rawjson.Strings(e.Data, "supported"); len(list) > 0 {
			return "the server does not speak this revision; it supports " + sentence.Clip(strings.Join(list, ", "))
		}
		return "the server does not speak this revision"
	}
	return ""
}

// invalidParams are the meanings of -32602 where a method gives it one.
var invalidParams = map[string]string{
	"resources/read":      "resource not found",
	"tools/call":          "unknown tool, or invalid arguments",
	"prompts/get":         "unknown prompt, or a missing argument",
	"completion/complete": "unknown reference, or a missing argument",
}
