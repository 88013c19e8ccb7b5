package compose

import (
	"encoding/json"
	"errors"
	"fmt"

	"belay/internal/form"
	"belay/internal/uritemplate"
)

// templateMost is the length of a template, in bytes, that is read.
const templateMost = 16 << 10

func parseTemplate(uri string) (uritemplate.Template, error) {
	if len(uri) > templateMost {
		return uritemplate.Template{}, errors.New("it is longer than 16 kB")
	}
	return uritemplate.Parse(uri)
}

// templateSchema has a field for each variable of a URI template.
func templateSchema(uri string) form.Schema {
	t, err := parseTemplate(uri)
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
	t, err := parseTemplate(uri)
	if err != nil {
		return nil, fmt.Errorf("the server's URI template is broken: %w", err)
	}
	var vars map[string]string
	if err := json.Unmarshal(args, &vars); err != nil {
		return nil, fmt.Errorf("the variables of a URI template are text: %w", err)
	}
	return URIParams(t.Expand(vars)), nil
}
