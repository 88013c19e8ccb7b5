package mcp

import (
	"fmt"
	"slices"
	"testing"
)

// What is said of a time that is none is true of what is given.
func TestTimesOfATaskThatAreNone(t *testing.T) {
	for value, want := range map[string][2]string{ // of ttl, of pollInterval
		"1500":      {"", ""},
		"0":         {"", ""},
		"-0":        {"", ""},
		"-5":        {"ttl is negative", "pollInterval is negative"},
		"-1.5":      {"ttl is negative", "pollInterval is negative"},
		"1.5":       {"ttl is no whole number of milliseconds", "pollInterval is no whole number of milliseconds"},
		"1e400":     {"ttl is too large a number", "pollInterval is too large a number"},
		`"soon"`:    {"ttl is neither a number nor null", "pollInterval is no number of milliseconds"},
		"true":      {"ttl is neither a number nor null", "pollInterval is no number of milliseconds"},
		"{\"a\":1}": {"ttl is neither a number nor null", "pollInterval is no number of milliseconds"},
		"null":      {"", "pollInterval is no number of milliseconds"},
	} {
		const dates = `"createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:00Z"`
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"taskId":"t","status":"working",%s,"ttl":%s,"pollInterval":%s}}`, dates, value, value)
		got := Decode([]byte(line)).Task.Task.Lacks
		all := slices.DeleteFunc([]string{want[1], want[0]}, func(s string) bool { return s == "" })
		if !slices.Equal(got, all) {
			t.Errorf("%s: %q, want %q", value, got, all)
		}
	}
}
