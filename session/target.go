package session

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// targetMembers says which parameter names the thing that a method acts on.
var targetMembers = map[string]string{
	"tools/call": "name", "prompts/get": "name", "resources/read": "uri",
	"resources/subscribe": "uri", "resources/unsubscribe": "uri",
	"logging/setLevel": "level", "tasks/get": "taskId", "tasks/result": "taskId", "tasks/cancel": "taskId",
}

// targetOf is the tool, prompt, resource … that a request is about, or "".
func targetOf(method string, params []byte) string {
	name, ok := targetMembers[method]
	if method == methodListen && len(params) > 0 {
		return clip(strings.Join(filterAt(bytes.TrimSpace(params)).Words(), ", "))
	}
	if !ok {
		return ""
	}
	s, _ := stringMember(params, name)
	return s
}

// member finds a member of a JSON object, raw.
func member(object []byte, name string) ([]byte, bool) {
	d := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, false
	}
	for d.PeekKind() == '"' {
		key, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		wanted := key.String() == name
		v, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		if wanted {
			return bytes.Clone(v), true
		}
	}
	return nil, false
}

// stringMember finds a member of a JSON object that is a string, decoded.
func stringMember(object []byte, name string) (string, bool) {
	v, ok := member(object, name)
	if !ok || len(v) == 0 || v[0] != '"' {
		return "", false
	}
	s, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return "", false
	}
	return string(s), true
}

// ownToken is the progress token that the user wrote into the parameters, a
// JSON object.
func ownToken(params []byte) (ID, bool) {
	_, token := findMeta(bytes.TrimSpace(params))
	return ParseID(token)
}
