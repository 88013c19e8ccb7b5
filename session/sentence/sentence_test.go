package sentence

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"tools/call":             "tools/call",
		"demo://a.b-c_d:9":       "demo://a.b-c_d:9",
		"echo":                   `"echo"`,
		"":                       `""`,
		"is done, ignore":        `"is done, ignore"`,
		"a\x1b[2Jb":              `"a\x1b[2Jb"`,
		strings.Repeat("x", 49):  `"` + strings.Repeat("x", 48) + `…"`,
		strings.Repeat("xé", 17): `"` + strings.Repeat("xé", 16) + `…"`,
	} {
		if got := Name(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// Each text of a list stands in quotes, and a long list is not told to its end.
func TestAListOfForeignTexts(t *testing.T) {
	ten := strings.Split("abcdefghij", "")
	for want, list := range map[string][]string{
		"":               nil,
		`"2025-06-18"`:   {"2025-06-18"},
		`"x", "y · now"`: {"x", "y · now"},
		`"a", "b", "c", "d", "e", "f", "g", "h" and 2 more`: ten,
		`"a", "b", "c", "d", "e", "f", "g", "h"`:            ten[:8],
	} {
		if got := QuotedList(list); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := QuotedList([]string{strings.Repeat("x", 1000)}); len(got) > Limit+10 {
		t.Errorf("a text of 1000 bytes is told by %d", len(got))
	}
}

// Of a list without quotes no more texts are looked at than fit, and the others are counted.
func TestAListThatIsCut(t *testing.T) {
	long := strings.Repeat("x", Limit+1)
	for want, list := range map[string][]string{
		"":                                     nil,
		"a":                                    {"a"},
		"a, b":                                 {"a", "b"},
		", b":                                  {"", "b"},
		Clip(long):                             {long},
		Clip(long) + " and 2 more":             {long, "a", "b"},
		Clip("a, "+long) + " and 1 more":       {"a", long, "b"},
		"a, " + long[4:]:                       {"a", long[4:]},
		long[1:] + ", … and 1 more":            {long[1:], "a", "b"},
		long[2:] + ", … and 1 more":            {long[2:], "a", "b"},
		Clip("1, 2, 3, "+long) + " and 7 more": append([]string{"1", "2", "3", long}, strings.Split("abcdefg", "")...),
	} {
		looked := 0
		got := List(func(yield func(string) bool) {
			for _, text := range list {
				if looked++; !yield(text) {
					return
				}
			}
		}, len(list))
		if got != want || looked != min(len(list), strings.Count(want, ",")+1) {
			t.Errorf("%d looked at: %q, want %q", looked, got, want)
		}
	}
}

// A text that is the words before it, said once more, is known as such, and no other.
func TestATextThatRepeatsTheWordsBeforeIt(t *testing.T) {
	for text, want := range map[string]bool{
		"Not Found": true, "not found": true, " NOT FOUND.\n": true, `"Not Found"`: true, "Not Found!": true,
		"": false, "Not": false, "Not Found: /mcp": false, "404 Not Found": false, "Not  Found": false,
		strings.Repeat(" ", 1000) + "Not Found": false, // nobody looks through that
	} {
		if got := Repeats(text, "Not Found"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// What stands without quotes is one word that cannot be taken for belay's.
func TestPlain(t *testing.T) {
	for name, want := range map[string]struct{ plain, inSentence bool }{
		"tools/call":              {true, true},
		"demo://files/{name}?a=1": {true, true},
		"text/html":               {true, true},
		"initialize":              {true, true},
		"ping":                    {true, true},
		"long_running":            {true, false}, // may be anybody's words
		"done":                    {true, false}, // says how a call is
		"Cancelled":               {true, false},
		"connected":               {true, false},
		"is_done":                 {true, false},
		"user@example.com":        {true, false},
		"2025-11-25":              {true, false},
		"Ping":                    {true, false},
		"/":                       {},
		"":                        {},
		"-":                       {}, // is belay's for nothing
		"...":                     {},
		"#7":                      {}, // begins as belay's name of a call
		"error:":                  {}, // ends as a label
		"done.":                   {}, // or a sentence
		"is it?":                  {},
		"✓":                       {},
		"✓done":                   {},
		"[x]":                     {},
		"a b":                     {},
		"a\u00a0b":                {},
		"a\nb":                    {},
		`a"b`:                     {},
		"a,b":                     {},
		"naïve":                   {}, // may look like another name
	} {
		if got := IsPlain(name); got != want.plain {
			t.Errorf("Plain(%q) = %v", name, got)
		}
		if got := IsPlainInSentence(name); got != want.inSentence {
			t.Errorf("InSentence(%q) = %v", name, got)
		}
	}
}

// Nothing ends a quotation that looks as if it did.
func TestLookalikes(t *testing.T) {
	for in, want := range map[string]string{
		"“done”": `"\“done\”"`,
		"a＂ ✓":   `"a\＂ ✓"`,
		"it’s":   `"it’s"`,
	} {
		if got := Quoted(in); got != want {
			t.Errorf("Quoted(%q) = %s, want %s", in, got, want)
		}
		if got := Name(in); got != want {
			t.Errorf("Name(%q) = %s, want %s", in, got, want)
		}
	}
}

// What is long is cut within its quotes, and not within a character; control characters are left.
func TestAQuotationThatIsCut(t *testing.T) {
	whole := strings.Repeat("0123456789", 5) + "1234567"
	for in, want := range map[string]string{
		"":           `""`,
		"/bin/true":  `"/bin/true"`,
		whole:        `"` + whole + `"`,
		whole + "é":  `"` + whole + `…"`,
		`a"` + "“\\": `"a\"\“\\"`,
	} {
		if got := QuotedCut(in); got != want {
			t.Errorf("QuotedCut(%q) = %q, want %q", in, got, want)
		}
	}
}

// Within a sentence, a value of JSON has no quotes but its own, and ends with them.
func TestAForeignValueOfJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"tasks":{}}`:      `{"tasks":{}}`,
		`"E1“; it is done"`: `"E1\“; it is done"`,
		`-32000`:            `-32000`,
	} {
		if got := JSON([]byte(in)); got != want {
			t.Errorf("JSON(%s) = %s, want %s", in, got, want)
		}
	}
	long := `{"` + strings.Repeat("a", Limit) + `":1}`
	if got, want := JSON([]byte(long)), `"{\"`+strings.Repeat("a", Limit-2)+`…"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestANumberWithItsWord(t *testing.T) {
	for n, want := range []string{"0 entries", "1 entry", "2 entries"} {
		if got := Count(n, "entry", "entries"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestForeignText(t *testing.T) {
	if got := Quoted(`say "no" \ ` + "\n"); got != `"say \"no\" \\ `+"\n"+`"` {
		t.Errorf("%q", got)
	}
	if whole := strings.Repeat("a", Limit); Clip(whole) != whole || Clip(whole+"b") != whole+"…" {
		t.Error("text is cut above the limit, and only there")
	}
	for n, want := range map[int]string{0: "0 bytes", 999: "999 bytes", 1500: "1.5 kB", 16 << 20: "16.8 MB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
