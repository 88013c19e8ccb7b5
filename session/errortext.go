package session

import "fmt"

// ErrorText is the meaning of an error code for a method, in plain words
// (ERR-01, ERR-02, ERR-10).
func ErrorText(code int64, method string) string {
	switch code {
	case -32700:
		return "the server could not parse the request"
	case -32600:
		return "the server calls the request invalid"
	case codeMethodNotFound:
		return "the server does not know this method"
	case -32002:
		return "resource not found"
	case -32042:
		return "the server wants you to visit a URL first"
	case codeInvalidParams:
		if text, ok := invalidParams[method]; ok {
			return text
		}
		return "invalid parameters"
	case codeInternal:
		return "internal error of the server"
	}
	switch {
	case code <= -32000 && code >= -32019:
		return "implementation-defined error"
	case code <= -32020 && code >= -32099:
		return "a code that this revision does not define"
	}
	return fmt.Sprintf("application error %d", code)
}

// invalidParams are the meanings of -32602 where a method gives it one.
var invalidParams = map[string]string{
	"resources/read":      "resource not found",
	"tools/call":          "unknown tool, or invalid arguments",
	"prompts/get":         "unknown prompt, or a missing argument",
	"completion/complete": "unknown reference, or a missing argument",
}
