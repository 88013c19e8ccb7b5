package mcp

import (
	"fmt"
	"strings"

	"belay/session/rawjson"
	"belay/session/sentence"
)

// say takes the message of an error, of any type.
func (e *RPCError) say(raw []byte) {
	text, ok := rawjson.Text(raw)
	if e.Bare = !ok && raw != nil; e.Bare {
		text = strings.ToValidUTF8(string(raw), "\uFFFD")
	}
	e.Message = text
}

// CodeWords is the code as it was written, or that there is none. What is no number
// is foreign text, in quotes.
func (e *RPCError) CodeWords() string {
	switch {
	case len(e.CodeRaw) > 0:
		return sentence.JSON(e.CodeRaw)
	case e.Code != 0:
		return fmt.Sprint(e.Code)
	}
	return "without a code"
}

// Words are the error for a sentence of belay's: the code and, in quotes, the message,
// which is foreign text (SEC-23).
func (e *RPCError) Words() string {
	return "error " + e.CodeWords() + ": " + sentence.Quoted(sentence.Clip(e.Message))
}

// Beside is what the data of an error hold beside its message: a text, clipped, or nothing; whole says
// that this is all of it.
func (e *RPCError) Beside() (texts []string, whole bool) {
	switch kind := rawjson.Kind(e.Data); {
	case len(e.Data) > 6*sentence.Limit: // more than a text has with each character escaped
		return nil, false
	case len(e.Data) == 0, kind == 'n', isEmptyObject(e.Data):
		return nil, true
	case kind != '"':
		return nil, false
	}
	text, ok := rawjson.Text(e.Data)
	if strings.TrimSpace(text) == "" {
		return nil, ok
	}
	return []string{sentence.Clip(text)}, ok && len(text) <= sentence.Limit
}

// ErrorText is the meaning of an error for a method, in plain words of the revision that it came
// in. It may hold text of the server's (ERR-01 … ERR-11; basic).
func ErrorText(e *RPCError, method string, rev Revision) string {
	switch e.Code {
	case 0:
		if _, ok := rawInteger(e.CodeRaw); !ok {
			return "an error " + e.codeTrouble()
		}
	case -32700:
		return "the server could not parse the request"
	case CodeInvalidRequest:
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
	if text := modernText(e); text != "" && (rev.IsModern() || method == "server/discover") { // which only the modern era has
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

// codeTrouble is what is wrong with a code that is no integer.
func (e *RPCError) codeTrouble() string {
	if len(e.CodeRaw) == 0 {
		return "without a code"
	}
	return "whose code is no integer: " + e.CodeWords()
}

// modernText are the meanings that only the modern era has.
func modernText(e *RPCError) string {
	switch e.Code {
	case CodeHeaderMismatch:
		return "the HTTP headers of the request do not say what its body says"
	case CodeMissingCapability:
		if needs := e.Needs(); needs != "" {
			return "the server says that the request lacks a capability: " + needs
		}
		return "the server says that the request lacks a capability"
	case CodeUnsupportedVersion:
		if list := e.Supported(); len(list) > 0 {
			return "the server does not speak this revision; it supports " + sentence.QuotedList(list)
		}
		return "the server does not speak this revision"
	}
	return ""
}

// invalidParams are the meanings of -32602 where a method gives it one.
var invalidParams = map[string]string{
	"resources/read":      "resource not found",
	"tasks/get":           "task not found",
	"tasks/result":        "task not found, or it has no result",
	"tasks/update":        "task not found, or not what it asks for",
	"tasks/cancel":        "task not found, or it has ended already",
	"tools/call":          "unknown tool, or invalid arguments",
	"prompts/get":         "unknown prompt, or a missing argument",
	"completion/complete": "unknown reference, or a missing argument",
}
