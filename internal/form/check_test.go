package form

import (
	"strings"
	"testing"

	"belay/internal/requirements"
)

func TestProblemsInPlainWords(t *testing.T) {
	requirements.Rows(t, "ELI-25", "ELI-26", "ELI-27")
	const whole, number = "a whole number, such as 42", "a number, such as 4.2"
	for _, tt := range []struct{ schema, text, want string }{
		{`{"type":"string","minLength":2}`, "a", "at least 2 characters; this has 1"},
		{`{"type":"string","minLength":1}`, "", "at least 1 character; this has 0"},
		{`{"type":"string","maxLength":4}`, "日本語日本", "at most 4 characters; this has 5"},
		{`{"type":"string","maxLength":4}`, "日本語🙂", ""},
		{`{"type":"string","pattern":"^[a-z]+$"}`, "A1", "does not match the pattern ^[a-z]+$"},
		{`{"type":"string","pattern":"b"}`, "abc", ""}, // not anchored
		{`{"type":"string","pattern":"^(?=x)y"}`, "anything", ""},

		{`{"type":"integer","minimum":1,"maximum":10}`, "0", "at least 1"},
		{`{"type":"integer","minimum":1,"maximum":10}`, "1", ""},
		{`{"type":"integer","minimum":1,"maximum":10}`, "10", ""},
		{`{"type":"integer","minimum":1,"maximum":10}`, "11", "at most 10"},
		{`{"type":"integer"}`, "2.5", whole},
		{`{"type":"integer"}`, "1.0", ""},
		{`{"type":"integer"}`, "1e1", ""},
		{`{"type":"integer"}`, "15e-1", whole},
		{`{"type":"integer"}`, "-0", ""},
		{`{"type":"integer"}`, "007", whole},
		{`{"type":"integer"}`, "", "required"}, // it is left out
		{`{"type":"integer"}`, "1 2", whole},
		{`{"type":"integer","maximum":9007199254740992}`, "9007199254740993", "at most 9007199254740992"},
		{`{"type":"number","exclusiveMinimum":0}`, "0", "more than 0"},
		{`{"type":"number","exclusiveMinimum":0}`, "1e-300", ""},
		{`{"type":"number","exclusiveMaximum":1}`, "1.0", "less than 1"},
		{`{"type":"number","minimum":0,"exclusiveMinimum":true}`, "0", "more than 0"},
		{`{"type":"number","multipleOf":0.1}`, "0.3", ""},
		{`{"type":"number","multipleOf":0.1}`, "0.35", "a multiple of 0.1"},
		{`{"type":"number","multipleOf":3}`, "1e999999999", ""}, // too long to divide
		{`{"type":"number","maximum":5}`, "1e999999999", "at most 5"},
		{`{"type":"number","minimum":-5}`, "-1e99999999999999999999", "at least -5"},
		{`{"type":"number"}`, "NaN", number},
		{`{"type":"number"}`, "0x10", number},
		{`{"type":"number"}`, "1e-3", ""},
	} {
		n := props(`"x":`+tt.schema, "x").at(t, "x")
		if got := n.typeIn(tt.text).Problem(); got != tt.want {
			t.Errorf("%s: %q: %q, want %q", tt.schema, tt.text, got, tt.want)
		}
	}
	if got := of(flat).at(t, "name").Problem(); got != "required" {
		t.Errorf("an unset field that is required: %q", got)
	}
	if note := props(`"x":{"type":"string","pattern":"^(?=x)y"}`).at(t, "x").Note; note != "not checked here: the pattern ^(?=x)y" {
		t.Errorf("nothing tells that the pattern is not checked: %q", note)
	}
}

func TestFormats(t *testing.T) {
	requirements.Rows(t, "ELI-25")
	for format, texts := range map[string]struct{ good, bad string }{
		"email": {
			"ann@example.com a.b+c@x.co ü@bücher.example ann@localhost 日本@例え.jp",
			"ann @x ann@ a@b@c a..b@x.com .a@x.com ann@-x.com ann@x..com a,b@x.com <ann@x.com>",
		},
		"uri": {
			"https://example.com/a?b#c mailto:ann@example.com urn:isbn:123 file:///etc/hosts http://[::1]:80/",
			"example.com /path https:// http://a|b http://[:: https://a^b",
		},
		"date": {
			"2026-02-28 2024-02-29 2000-02-29 0001-01-01",
			"2026-02-29 1900-02-29 2026-13-01 2026-00-10 2026-1-1 28.02.2026 2026-02-28T00:00:00Z",
		},
		"date-time": {
			"2026-02-28T18:30:00Z 2024-02-29T00:00:00.123456789+05:45 2026-02-28t18:30:00z 2016-12-31T23:59:60Z 2026-01-01T00:00:00-00:00",
			"2026-02-29T18:30:00Z 2026-02-28T18:30:00 2026-02-28T24:00:00Z 2026-02-28T18:30Z 2026-02-28T18:30:00+25:00 2026-02-28 2026-02-28T18:30:00,5Z 2026-02-28T18:59:60Z",
		},
	} {
		n := props(`"x":{"type":"string","format":"`+format+`"}`, "x").at(t, "x")
		for s := range strings.FieldsSeq(texts.good) {
			if why := n.typeIn(s).Problem(); why != "" {
				t.Errorf("%s %q: %s", format, s, why)
			}
		}
		for s := range strings.FieldsSeq(texts.bad) {
			if n.typeIn(s).Problem() == "" {
				t.Errorf("%q is taken for a %s", s, format)
			}
		}
	}
	if why := props(`"x":{"type":"string","format":"of a server's own"}`).at(t, "x").typeIn("?").Problem(); why != "" {
		t.Errorf("an unknown format: %s", why)
	}
}

// Whatever breaks the schema is found before an answer is sent, in a value that
// was typed as in one that was written as JSON.
func TestAnAnswerKeepsTheSchema(t *testing.T) {
	requirements.Rows(t, "ELI-34", "ELI-35")
	s := ParseSchema([]byte(`{"type":"object","required":["s"],"properties":{
		"s":{"type":"string","minLength":1,"maxLength":3},"mail":{"type":"string","format":"email"},
		"n":{"type":"number","minimum":1,"maximum":2},"i":{"type":"integer"},"b":{"type":"boolean"},
		"e":{"enum":["x","y"]},"c":{"oneOf":[{"const":"x","title":"X"}]},
		"m":{"type":"array","minItems":1,"maxItems":2,"items":{"enum":["a","b","c"]}}}}`))
	for _, use := range []Use{Answer, AnswerJune2025} {
		f := New(s.For(use))
		f.load(t, `{"s":"ok","mail":"a@b.c","n":1.5,"i":1.0,"b":false,"e":"y","c":"x","m":["c","a"],"more":1}`)
		if n, why := f.Problem(); n != nil {
			t.Errorf("a good answer: %s %s", n.Name, why)
		}
		for _, bad := range []string{
			`{}`, `{"s":null}`, `{"s":""}`, `{"s":"four"}`, `{"s":1}`,
			`{"s":"x","mail":"x"}`, `{"s":"x","n":0.9}`, `{"s":"x","n":3}`, `{"s":"x","n":"1"}`, `{"s":"x","i":1.5}`, `{"s":"x","i":true}`,
			`{"s":"x","b":"true"}`, `{"s":"x","b":0}`, `{"s":"x","e":"z"}`, `{"s":"x","c":"X"}`,
			`{"s":"x","m":[]}`, `{"s":"x","m":["a","b","c"]}`, `{"s":"x","m":["d"]}`, `{"s":"x","m":"a"}`,
		} {
			if n, _ := f.load(t, bad).Problem(); n == nil {
				t.Errorf("%s is taken for an answer", bad)
			}
		}
	}
	f := New(s).load(t, `{"s":17}`)
	if n, why := f.Problem(); n != f.at(t, "s") || why != "must be text" || !n.IsByHand() {
		t.Errorf("an argument that was written as another kind of value: %q", why)
	}
}

func TestTheOrderOfProblems(t *testing.T) {
	f := props(`"o":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}},"l":{"type":"array","items":{"type":"integer"},"maxItems":1},"z":{"type":"string"}`, "o", "z")
	first := func(want string) {
		t.Helper()
		n, why := f.Problem()
		if n == nil || n.Name+": "+why != want {
			t.Errorf("the first problem is %v %q, want %q", n, why, want)
		}
	}
	first("a: required")
	f.at(t, "o.a").typeIn("x")
	first("z: required")
	l := f.at(t, "l")
	l.Add(l).typeIn("1")
	l.Add(l).typeIn("x")
	first(": a whole number, such as 42")
	l.Kids()[1].typeIn("2")
	first("l: at most 1 item; this has 2")
}

func TestDecimals(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"1", "1.0", 0},
		{"1e2", "100", 0},
		{"0.001e5", "100.000", 0},
		{"-0", "0", 0},
		{"9007199254740993", "9007199254740992", 1},
		{"-2", "-1", -1},
		{"1e400", "1e399", 1},
		{"-1e400", "1e-400", -1},
		{"0.1", "0.10000000000000000001", -1},
		{"10", "9", 1},
	} {
		a, b := parseDecimal(tt.a), parseDecimal(tt.b)
		if got := a.cmp(b); got != tt.want || b.cmp(a) != -tt.want {
			t.Errorf("%s to %s: %d and %d, want %d", tt.a, tt.b, got, b.cmp(a), tt.want)
		}
		if (a.String() == b.String()) != (tt.want == 0) {
			t.Errorf("%s is written %s, %s is written %s", tt.a, a, tt.b, b)
		}
	}
	for text, want := range map[string]string{"0.10": "0.1", "1e3": "1000", "-1.50e1": "-15", "1e-9": "1e-9", "123e30": "1.23e32", "0e5": "0", "0.00001": "0.00001"} {
		if got := parseDecimal(text).String(); got != want {
			t.Errorf("%s is written %s, want %s", text, got, want)
		}
	}
}
