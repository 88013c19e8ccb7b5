package form

import (
	"bytes"
	"context"
)

// Report is what the check of a value by a schema came to. Its words may quote
// both.
type Report struct {
	Findings  []Finding
	More      bool     // there may be others
	Refused   string   // why the value was not checked; empty when it was
	Unchecked []string // parts of the schema that cannot be checked
}

// Finding is what is wrong with a value, and where in the whole; an empty Where
// is the whole itself.
type Finding struct{ Where, Why string }

const (
	// checkMost is the size of a value that is checked, in bytes: read whole, it
	// takes many times as much.
	checkMost = 4 << 20
	// checkSteps are those that the check of a whole value may take beside the screen.
	checkSteps = 2_000_000
)

// Check checks any value by a schema, as a server's result is by the schema of a
// tool's output. It takes bounded time and memory, though too much of both for
// each frame, and ends when nobody waits for it. A format is no more than a remark
// there, as JSON Schema has it.
func Check(ctx context.Context, schema, value []byte) Report {
	schema = bytes.TrimSpace(schema)
	switch kindOf(schema) {
	case 't': // or false
	case '{':
	default:
		return Report{Refused: jsonWords(schema[:min(len(schema), 200)]) + " is no schema"}
	}
	if len(schema) > SchemaMost {
		return Report{Refused: "a schema of more than 1 MB is too much to check by"}
	}
	d := newDocument(schema, &effort{left: Beside, stop: ctx})
	if _, err := d.members(schema); kindOf(schema) == '{' && err != nil {
		return Report{Refused: "the schema is broken: " + err.Error()}
	}
	if _, refused := d.dialect(); refused != "" {
		return Report{Refused: refused}
	}
	if len(value) > checkMost {
		return Report{Refused: "a value of more than 4 MB is too much to check"}
	}
	v, err := readDatum(value)
	if err != nil {
		return Report{Refused: "the value cannot be read: " + err.Error()}
	}
	rules := &rules{doc: d, remarks: true}
	root := rules.get()
	j := &judge{effort: &effort{left: checkSteps, stop: ctx}, tracks: rules.tracks}
	var found []fault
	if j.check(root, v, nil, 0, &found); j.over {
		return Report{Refused: "a value that is this large, or this deep, against this schema"}
	}
	r := Report{Unchecked: rules.unchecked, More: len(found) >= faultsMost}
	for _, f := range found {
		r.Findings = append(r.Findings, Finding{stepWords(f.at), f.why})
	}
	return r
}
