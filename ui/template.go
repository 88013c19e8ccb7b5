package ui

import (
	"encoding/json"
	"fmt"

	"belay/internal/form"
	"belay/ui/uritmpl"
)

// templateSchema has a field for each variable of a URI template.
func templateSchema(uri string) form.Schema {
	t, err := uritmpl.Parse(uri)
	if err != nil {
		return form.Schema{}
	}
	var fields []form.TextField
	for _, name := range t.Names() {
		fields = append(fields, form.TextField{Name: name})
	}
	return form.Texts(fields)
}

// expand makes the parameters of resources/read from a template and its
// variables.
func expand(uri string, args []byte) ([]byte, error) {
	t, err := uritmpl.Parse(uri)
	if err != nil {
		return nil, fmt.Errorf("the server's URI template is broken: %w", err)
	}
	var vars map[string]string
	if err := json.Unmarshal(args, &vars); err != nil {
		return nil, fmt.Errorf("the variables of a URI template are text: %w", err)
	}
	return uriParams(t.Expand(vars)), nil
}
