package rawjson

import (
	"encoding/json"
	"errors"
	"testing"
)

// What is wrong with JSON is told in plain words, and in none of encoding/json's.
func TestAFaultIsToldInPlainWords(t *testing.T) {
	type record struct {
		Time int    `json:"t"`
		Op   string `json:"op"`
	}
	for text, want := range map[string]string{
		`hello`:           "it is no JSON",
		`{"t":1`:          "it is no JSON",
		``:                "it is no JSON",
		`[1]`:             "it is no object",
		`{"t":"x"}`:       `the value of its member "t" is of another kind`,
		`{"op":{"a":[]}}`: `the value of its member "op" is of another kind`,
	} {
		err := json.Unmarshal([]byte(text), &record{})
		if err == nil {
			t.Fatalf("%s is taken", text)
		}
		if got := Fault(err); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := Fault(errors.New("json: something else")); got != "a value in it is none that belay writes" {
		t.Errorf("%q", got)
	}
}
