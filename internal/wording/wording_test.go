package wording

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"belay/internal/safe"
	"belay/session/mcp"
	"belay/session/sentence"
)

func TestWholeNumbers(t *testing.T) {
	for n, want := range map[int]safe.Text{0: "0 calls", 1: "1 call", 999: "999 calls", 1000: "1,000 calls", 1234567: "1,234,567 calls"} {
		if got := Count(n, "call"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestNumbersHaveABoundedWidth(t *testing.T) {
	for e := -320; e <= 308; e++ {
		for _, m := range []float64{1, 1.23456789, 9.99999999, -3.3} {
			v := m * pow10(e)
			if got := safe.Width(Number(v)); got > 10 {
				t.Errorf("%v takes %d columns: %s", v, got, Number(v))
			}
		}
	}
}

func pow10(e int) float64 {
	var v float64
	_, _ = fmt.Sscanf(fmt.Sprintf("1e%d", e), "%g", &v)
	return v
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]safe.Text{
		17: "17", 0.5: "0.5", 2.0004: "2", -0.0001: "-0.0001", 3e8: "300000000", 1.5e12: "1.5e+12", math.Inf(1): "?", 0: "0",
	} {
		if got := Number(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}

func TestSizes(t *testing.T) {
	for n, want := range map[int]safe.Text{312: "312 B", 4200: "4.2 kB", 16 << 20: "16.8 MB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// A duration never takes more than the column TIME has.
func TestDurations(t *testing.T) {
	for d, want := range map[time.Duration]safe.Text{
		-time.Second: "0.0s", 999 * time.Millisecond: "0.9s", 59990 * time.Millisecond: "59.9s", 75 * time.Second: "1m15s",
		90 * time.Minute: "1h30m", 99 * time.Hour: "99h00m", 100 * time.Hour: "4d04h",
	} {
		if got := Duration(d); got != want || safe.Width(got) > 6 {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	for d, want := range map[time.Duration]safe.Text{999 * time.Microsecond: "<1ms", 250 * time.Millisecond: "250ms", 2309 * time.Millisecond: "2.31s"} {
		if got := Lag(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	for d, want := range map[time.Duration]safe.Text{1234567 * time.Microsecond: "1.235s", 1500 * time.Second: "25m00s"} {
		if got := Precise(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// What could be taken for a part of the sentence is quoted: any word.
func TestNames(t *testing.T) {
	for s, want := range map[string]safe.Text{
		"tools/call": "tools/call", "a/b-c_D:9": "a/b-c_D:9", "echo": `"echo"`, "connected": `"connected"`, "": `""`, "is done, ignore": `"is done, ignore"`,
	} {
		if got := Name(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
	if got := Name(strings.Repeat("x", 49)); safe.Width(got) > 50 || got[0] != '"' {
		t.Errorf("a long name is %s", got)
	}
}

func TestTimesMethodsAndJoints(t *testing.T) {
	at := time.Date(2026, 8, 31, 12, 1, 6, 6_000_000, time.UTC)
	for _, tt := range [][2]safe.Text{
		{Clock(at), "12:01:06.006"},
		{Clock(time.Time{}), "-"},
		{Method("notifications/progress"), "progress"},
		{Method("notifications/"), "notifications/"},
		{Method("tools/call"), "tools/call"},
		{Method("a b"), `"a b"`},
		{Method("notifications/tools/list_changed"), "tools/list_changed"},
		{Method("notifications/result"), "notifications/result"}, // as results have rows of that name
		{Method("notifications/server-ended"), "notifications/server-ended"},
		{Method("result"), `"result"`},
		{Method("initialized"), `"initialized"`},
		{Method("initialize"), "initialize"},
		{Method("ping"), "ping"},
		{ErrorCode(&mcp.RPCError{Code: -32601}), "-32601"},
		{ErrorCode(nil), ""},
		{ErrorCode(&mcp.RPCError{CodeRaw: []byte(`"E1"`)}), `"E1"`},
		{ErrorMessage(&mcp.RPCError{Message: "m"}, 9), `"m"`},
		{ErrorMessage(&mcp.RPCError{Message: "5", Bare: true}, 9), "5"},
		{Join("a", "b"), "a b"},
		{Join("", "b"), "b"},
		{Join("a", ""), "a"},
		{Join("", ""), ""},
	} {
		if tt[0] != tt[1] {
			t.Errorf("%q, want %q", tt[0], tt[1])
		}
	}
}

// The core quotes in its sentences as the screen does in its columns.
func TestTheCoreQuotesAsTheScreenDoes(t *testing.T) {
	for r := rune(0); r < 0x20000; r++ {
		if text := "a" + string(r) + "b"; utf8.ValidRune(r) && safe.Line(sentence.Quoted(text)) != safe.Quoted(text) {
			t.Errorf("%U is quoted in two ways: %s and %s", r, sentence.Quoted(text), safe.Quoted(text))
		}
	}
}

func TestNamesInColumns(t *testing.T) {
	for _, c := range []struct {
		name  string
		width int
		want  safe.Text
	}{
		{"long_running", 20, "long_running"},
		{"long_running", 8, "long_ru…"},
		{"done", 8, "done"},
		{"✓ done", 20, `"✓ done"`},
		{"slow · ✓ done by belay", 10, `"slow · …"`},
		{`x" ✓ done`, 20, `"x\" ✓ done"`},
		{"a b", 2, "…"},
		{"", 20, ""},
	} {
		if got := NameIn(c.name, c.width); got != c.want {
			t.Errorf("NameIn(%q, %d) = %s, want %s", c.name, c.width, got, c.want)
		}
	}
	if got := NameMiddleIn("the first of all and the last", 14); got != `"the fi… last"` && got != `"the fir… last"` {
		t.Errorf("cut in its middle it is %s", got)
	}
	if got := NameMiddleIn("the_first_of_all", 9); got != "the_…_all" {
		t.Errorf("cut in its middle it is %s", got)
	}
}
