package session

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// targetMembers says which parameter names the thing that a method acts on.
var targetMembers = map[string]string{
	"tools/call": "name", "prompts/get": "name", "resources/read": "uri",
	"resources/subscribe": "uri", "resources/unsubscribe": "uri",
	"logging/setLevel": "level", "tasks/get": "taskId", "tasks/result": "taskId", "tasks/cancel": "taskId", "tasks/update": "taskId",
}

// targetOf is the tool, prompt, resource … that a request is about, or "".
func targetOf(method string, params []byte) string {
	name, ok := targetMembers[method]
	if method == methodListen && len(params) > 0 {
		f := mcp.FilterAt(bytes.TrimSpace(params))
		return sentence.List(f.All(), f.Count())
	}
	if !ok {
		return ""
	}
	s, _ := stringMember(params, name)
	return s
}

// stringMember finds a member of a JSON object that is a string, decoded.
func stringMember(object []byte, name string) (string, bool) {
	v, ok := rawjson.Lookup(object, name)
	if !ok || len(v) == 0 || v[0] != '"' {
		return "", false
	}
	s, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return "", false
	}
	return string(s), true
}

// uriParams are parameters that name one resource.
func uriParams(uri string) []byte { return append(rawjson.AppendQuote([]byte(`{"uri":`), uri), '}') }
