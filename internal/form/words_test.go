package form

import "testing"

// The bounds of what JavaScript counts exactly are left out of the words, and hold.
func TestBoundsThatMeanNothing(t *testing.T) {
	at := func(s string) *decimal {
		if s == "" {
			return nil
		}
		d := parseDecimal(s)
		return &d
	}
	const safe = "9007199254740991"
	for _, c := range []struct {
		kind     Kind
		min, max string
		want     string
	}{
		{Integer, "-" + safe, safe, "whole number"},
		{Integer, "0", safe, "whole number, at least 0"},
		{Integer, "-" + safe, "5", "whole number, at most 5"},
		{Integer, "-9007199254740992", "9.3e18", "whole number"},
		{Integer, "-9007199254740990", "9007199254740990", "whole number, -9007199254740990 to 9007199254740990"},
		{Number, "-" + safe, safe, "number"},
		{Number, "-" + safe, "0.5", "number, at most 0.5"},
		{Number, "-9007199254740990.5", "9007199254740991e0", "number, at least -9007199254740990.5"},
		{Number, "-1e18", "1e18", "number, -1000000000000000000 to 1000000000000000000"},
	} {
		typ := &Type{Kind: c.kind, Min: at(c.min), Max: at(c.max)}
		if got := typ.Words(); got != c.want {
			t.Errorf("%s to %s: %q, want %q", c.min, c.max, got, c.want)
		}
	}
	for schema, want := range map[string]string{
		`{"type":"number","exclusiveMinimum":-9007199254740991,"exclusiveMaximum":9007199254740991}`: "number",
		`{"type":"string","maxLength":9007199254740991}`:                                             "text",
		`{"type":"string","minLength":1,"maxLength":9007199254740991}`:                               "text, at least 1 character",
		`{"type":"string","maxLength":9007199254740990}`:                                             "text, at most 9007199254740990 characters",
		`{"type":"array","maxItems":9007199254740991}`:                                               "list",
		`{"type":"array","minItems":2,"maxItems":9007199254740991}`:                                  "list, at least 2 items",
		`{"type":"array","minItems":0,"maxItems":3}`:                                                 "list, 0 to 3 items",
		`{"type":"array","maxItems":9007199254740991,"items":{"enum":["a","b"]}}`:                    "any of 2",
	} {
		if got := of(`{"properties":{"x":`+schema+`}}`).at(t, "x").Words(); got != want {
			t.Errorf("%s: %q, want %q", schema, got, want)
		}
	}
}
