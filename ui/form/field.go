package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"unicode/utf8"

	"belay/ui/edit"
)

// Field is one field of a form and what was typed into it.
type Field struct {
	Spec
	Input edit.Line // of Text, Number and Integer
	set   bool
	pick  int    // of Boolean and Enum: which option
	held  []byte // a value that the field cannot show; it stays as it is
}

// booleans are the options of a Boolean.
var booleans = []string{"true", "false"}

func newField(s Spec) Field {
	f := Field{Spec: s}
	f.Input.Breaks = true
	if s.Required && s.Default != nil {
		f.take(s.Default)
	}
	if s.Kind == Boolean {
		f.Options = booleans
		f.values = [][]byte{[]byte("true"), []byte("false")}
	}
	return f
}

// Choice says whether the field is one of options rather than text.
func (f *Field) Choice() bool { return f.Kind == Boolean || f.Kind == Enum }

// Set says whether the field has a value. Unset is not empty: it is left out.
func (f *Field) Set() bool { return f.set || f.held != nil }

// Held says whether the field holds a value that only the raw JSON can show.
func (f *Field) Held() bool { return f.held != nil }

// Picked is the option that is chosen, and false when none is.
func (f *Field) Picked() (string, bool) {
	if !f.set || f.pick >= len(f.Options) {
		return "", false
	}
	return f.Options[f.pick], true
}

// Raw is a value that the field cannot show.
func (f *Field) Raw() []byte { return f.held }

// Typed tells that the text was changed.
func (f *Field) Typed() { f.set, f.held = true, nil }

// Unset takes the value away.
func (f *Field) Unset() {
	f.set, f.held, f.pick = false, nil, 0
	f.Input.Set("")
}

// Turn goes n options on. Before the first and behind the last is "unset",
// unless the field is required.
func (f *Field) Turn(n int) {
	at := f.pick
	if !f.set {
		at = -1
		if n < 0 {
			at = len(f.Options)
		}
	}
	f.held = nil
	at += n
	if at < 0 || at >= len(f.Options) {
		if !f.Required {
			f.Unset()
			return
		}
		at = (at + len(f.Options)) % len(f.Options)
	}
	f.set, f.pick = true, at
}

// Pick chooses the next option that begins with the text.
func (f *Field) Pick(text string) {
	for i := range f.Options {
		at := (f.pick + i) % len(f.Options)
		if f.set && i == 0 {
			continue
		}
		if len(f.Options[at]) >= len(text) && equalFold(f.Options[at][:len(text)], text) {
			f.set, f.held, f.pick = true, nil, at
			return
		}
	}
}

func equalFold(a, b string) bool {
	return bytes.EqualFold([]byte(a), []byte(b))
}

// take shows a JSON value, or holds it when the field cannot.
func (f *Field) take(raw []byte) {
	f.Unset()
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0:
		return
	case f.Kind == Other:
	case f.Choice():
		for i, v := range f.values {
			if sameJSON(v, raw) {
				f.set, f.pick = true, i
				return
			}
		}
	case f.Kind == Text && raw[0] == '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			f.Input.Set(s)
			f.set = true
			return
		}
	case (f.Kind == Number || f.Kind == Integer) && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'):
		f.Input.Set(string(raw))
		f.set = true
		return
	}
	f.held = raw
}

// sameJSON compares two scalars by their value.
func sameJSON(a, b []byte) bool {
	a, b = bytes.TrimSpace(a), bytes.TrimSpace(b)
	if len(a) > 0 && len(b) > 0 && a[0] == '"' && b[0] == '"' {
		return scalarText(a) == scalarText(b)
	}
	return bytes.Equal(a, b)
}

// value is the JSON of the field, nil when it is unset.
func (f *Field) value() []byte {
	switch {
	case f.held != nil:
		return f.held
	case !f.set:
		return nil
	case f.Choice():
		return f.values[f.pick]
	case f.Kind == Text:
		return Quote(f.Input.String())
	}
	if b := []byte(f.Input.String()); json.Valid(b) && len(b) > 0 {
		return b
	}
	return Quote(f.Input.String()) // not sent: Problem says that it is no number
}

// Problem says in plain words what is wrong with the field, or "".
func (f *Field) Problem() string {
	switch {
	case f.held != nil:
		return ""
	case f.Kind == Other && f.Required:
		return "required; write it as JSON"
	case !f.set && f.Required:
		return "required"
	case !f.set, f.Choice():
		return ""
	case f.Kind == Text:
		return f.textProblem(f.Input.String())
	}
	return f.numberProblem(f.Input.String())
}

func (f *Field) textProblem(s string) string {
	n := utf8.RuneCountInString(s)
	switch {
	case f.MinLength != nil && n < *f.MinLength:
		return fmt.Sprintf("at least %s; this has %d", plural(*f.MinLength, "character"), n)
	case f.MaxLength != nil && n > *f.MaxLength:
		return fmt.Sprintf("at most %s; this has %d", plural(*f.MaxLength, "character"), n)
	}
	if f.Pattern != "" {
		// A pattern of JavaScript's that Go does not know is for the server to check.
		if re, err := regexp.Compile(f.Pattern); err == nil && !re.MatchString(s) {
			return "does not match the pattern " + f.Pattern
		}
	}
	return ""
}

func (f *Field) numberProblem(s string) string {
	v, err := strconv.ParseFloat(s, 64)
	if s == "" || err != nil || !json.Valid([]byte(s)) {
		if f.Kind == Integer {
			return "a whole number, such as 42"
		}
		return "a number, such as 4.2"
	}
	switch {
	case f.Kind == Integer && v != math.Trunc(v):
		return "a whole number, such as 42"
	case f.Min != nil && v < *f.Min:
		return "at least " + floatText(*f.Min)
	case f.AboveMin != nil && v <= *f.AboveMin:
		return "more than " + floatText(*f.AboveMin)
	case f.Max != nil && v > *f.Max:
		return "at most " + floatText(*f.Max)
	case f.BelowMax != nil && v >= *f.BelowMax:
		return "less than " + floatText(*f.BelowMax)
	}
	return ""
}

func floatText(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Words are the kind and its limits: "whole number, 1 to 10".
func (s Spec) Words() string {
	words := [...]string{Text: "text", Number: "number", Integer: "whole number", Boolean: "true or false", Enum: "one of " + strconv.Itoa(len(s.Options)), Other: s.Nested}[s.Kind]
	switch {
	case s.Min != nil && s.Max != nil:
		words += ", " + floatText(*s.Min) + " to " + floatText(*s.Max)
	case s.Min != nil:
		words += ", at least " + floatText(*s.Min)
	case s.Max != nil:
		words += ", at most " + floatText(*s.Max)
	}
	if s.AboveMin != nil {
		words += ", more than " + floatText(*s.AboveMin)
	}
	if s.BelowMax != nil {
		words += ", less than " + floatText(*s.BelowMax)
	}
	switch {
	case s.MinLength != nil && s.MaxLength != nil:
		words += fmt.Sprintf(", %d to %s", *s.MinLength, plural(*s.MaxLength, "character"))
	case s.MinLength != nil:
		words += ", at least " + plural(*s.MinLength, "character")
	case s.MaxLength != nil:
		words += ", at most " + plural(*s.MaxLength, "character")
	}
	return words
}
