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
		{Number, "", safe, "number, at most " + safe},
	} {
		typ := &Type{Kind: c.kind, Min: at(c.min), Max: at(c.max)}
		if got := typ.Words(); got != c.want {
			t.Errorf("%s to %s: %q, want %q", c.min, c.max, got, c.want)
		}
	}
}
