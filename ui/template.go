package ui

import (
	"encoding/json"
	"fmt"

	"github.com/yosida95/uritemplate/v3"

	"belay/ui/form"
)

// templateSchema has a field for each variable of a URI template (RFC 6570).
func templateSchema(uri string) form.Schema {
	t, err := uritemplate.New(uri)
	if err != nil {
		return form.Schema{}
	}
	var s form.Schema
	for _, name := range t.Varnames() {
		s.Fields = append(s.Fields, form.Spec{Name: name, Required: true})
	}
	return s
}

// expand makes the parameters of resources/read from a template and its
// variables.
func expand(uri string, args []byte) ([]byte, error) {
	t, err := uritemplate.New(uri)
	if err != nil {
		return nil, fmt.Errorf("the server's URI template is broken: %w", err)
	}
	var vars map[string]string
	if err := json.Unmarshal(args, &vars); err != nil {
		return nil, fmt.Errorf("the variables of a URI template are text: %w", err)
	}
	values := uritemplate.Values{}
	for name, v := range vars {
		values.Set(name, uritemplate.String(v))
	}
	out, err := t.Expand(values)
	if err != nil {
		return nil, fmt.Errorf("the URI template cannot be filled in: %w", err)
	}
	return uriParams(out), nil
}
