package secret

import (
	"encoding/json"
	"html"
	"strconv"
	"strings"
	"testing"
)

// masked is a mask that knows values, the short ones by their names.
var masked = unkeyed.With(
	Value{"DB_PIN", "1234"}, Value{"STAGE", "blue"}, Value{"ON", "true"}, Value{"ACCOUNT_NO", "20261127"}, Value{"ODD", `a<b & "c'd"`}, Value{"PLAIN", "hunter2-x"},
)

// What an object calls by a name in one member has its value in another.
func TestValuesBesideTheMemberWithTheirName(t *testing.T) {
	for _, tt := range []struct{ object, want string }{
		{`{"name":"API_KEY","value":"ab"}`, `{"name":"API_KEY","value":"**"}`},
		{`{"value":"ab","name":"API_KEY"}`, `{"value":"**","name":"API_KEY"}`},
		{`{"key":"password","type":"x","value":"ab"}`, `{"key":"password","type":"x","value":"**"}`},
		{`{"Name":"Secret","x":{"name":"a","value":"ab"},"Value":"cd"}`, `{"Name":"Secret","x":{"name":"a","value":"ab"},"Value":"**"}`},
		{`{"Key":"API_KEY","Value":123}`, `{"Key":"API_KEY","Value":"*"}`},
		{`{"name":"DB_PIN","value":"1234"}`, `{"name":"DB_PIN","value":"****"}`},
		{`{"name":"db-pin","value":1234}`, `{"name":"db-pin","value":"**"}`},
		{`{"name":"stage","value":"blue"}`, `{"name":"stage","value":"****"}`},
		{`{"name":"ON","value":true}`, `{"name":"ON","value":"**"}`},
		{`[{"name":"HOME","value":"ab"},{"name":"API_KEY","value":"cd"}]`, `[{"name":"HOME","value":"ab"},{"name":"API_KEY","value":"**"}]`},
		{`{ "name" : "API_KEY" ,` + "\n\t" + ` "value" : "ab" }`, `{ "name" : "API_KEY" ,` + "\n\t" + ` "value" : "**" }`},
		{`{"value":"a{b","name":"API_KEY"}`, `{"value":"***","name":"API_KEY"}`},
		{`{"value":"a}b","name":"API_KEY"}`, `{"value":"***","name":"API_KEY"}`},
		{`{"value":"{","name":"API_KEY"}`, `{"value":"*","name":"API_KEY"}`},
		{`{"value":"ab","x":"{","name":"API_KEY"}`, `{"value":"**","x":"{","name":"API_KEY"}`},
		{`{"value":"ab","x":{"y":"}}"},"name":"API_KEY","z":["]","{"]}`, `{"value":"**","x":{"y":"}}"},"name":"API_KEY","z":["]","{"]}`},
		{`{"name":"API_KEY","x":["]",{"y":"{"}],"value":"ab"}`, `{"name":"API_KEY","x":["]",{"y":"{"}],"value":"**"}`},
		{`{"name":"API_KEY","value":"ab","value":"cd"}`, `{"name":"API_KEY","value":"**","value":"**"}`},
		{`{"Value":"ab","name":"API_KEY","value":12,"value":"cd"}`, `{"Value":"**","name":"API_KEY","value":"","value":"**"}`},

		{`{"value":"ab","x":{"name":"API_KEY"}}`, ""},
		{`{"x":{"value":"a{b"},"name":"API_KEY"}`, ""},
		{`{"name":"stage","value":"green"}`, ""},
		{`{"name":"STAGE_2","value":"blue"}`, ""},
		{`{"name":"API_KEY","default":"ab"}`, ""},
		{`{"title":"API_KEY","value":"ab"}`, ""},
		{`{"name":"token","value":"next"}`, ""},
		{`{"name":"maxTokens","value":"ab"}`, ""},
		{`{"name":"API_KEY","x":{"value":"ab"}}`, ""},
		{`{"name":"x","value":"ab","also":["API_KEY"]}`, ""},
		{`[{"name":"API_KEY"},{"value":"ab"}]`, ""},
	} {
		want := tt.want
		if want == "" {
			want = tt.object
		}
		for how, whole := range map[string]func(string) string{
			"as a result": func(object string) string {
				return `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"env":` + object + `}}}`
			},
			"as a text": func(object string) string {
				return `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` + quotePlain(object) + `}]}}`
			},
			"in a text of a text": func(object string) string {
				return `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` + quotePlain(`{"a":`+quotePlain("so: "+object)+`}`) + `}]}}`
			},
			"on stderr": func(object string) string { return "env is " + object },
			"in HTML":   func(object string) string { return "<p>" + html.EscapeString(object) + "</p>" },
		} {
			object, wanted := tt.object, want
			switch how { // a literal stays JSON where it can be told for one
			case "as a text":
				wanted = strings.NewReplacer(`"Value":"*"`, `"Value":0.0`, `"value":""`, `"value":-0`, `"db-pin","value":"**"`, `"db-pin","value":""`, `"ON","value":"**"`, `"ON","value":""`).Replace(wanted)
			case "in a text of a text":
				wanted = strings.NewReplacer(`"Value":"*"`, `"Value":0.0`, `"value":""`, `"value":-0`, `"db-pin","value":"**"`, `"db-pin","value":0.00`, `"ON","value":"**"`, `"ON","value":null`).Replace(wanted)
			case "in HTML":
				wanted = strings.NewReplacer(`"Value":"*"`, `"Value":***`, `"value":""`, `"value":**`, `"db-pin","value":"**"`, `"db-pin","value":****`, `"ON","value":"**"`, `"ON","value":****`).Replace(wanted)
			}
			if got := masked.RedactText(whole(object)); got != whole(wanted) {
				t.Errorf("%s, %s:\n%s\nwant\n%s", tt.object, how, got, whole(wanted))
			}
		}
	}
}

// What is looked for beside a name is bounded: no object and no text takes longer for each of
// its names. What is too much to look at is taken, to the end of the text.
func TestPairsAreBounded(t *testing.T) {
	for _, tt := range []struct {
		text    string
		tooMuch bool
	}{
		{strings.Repeat(`{"name":"API_KEY",`, 1<<13), false},
		{`{"value":` + strings.Repeat(`[{"name":"API_KEY",`, 1<<13), false},
		{"{" + strings.Repeat(`"name":"API_KEY",`, 1<<13), true},
		{strings.Repeat(`"name":"API_KEY",`, 1<<13), true},
		{"}" + strings.Repeat(`"name":"API_KEY",`, 1<<13), true},
		{strings.Repeat(`{"a":{"a":{"a":1}}},"name":"API_KEY",`, 1<<13), true},
		{strings.Repeat(`{"a":"`+strings.Repeat("{", 1000)+`","name":"API_KEY"}`, 1<<8), false},
	} {
		r := masked.newReader([]byte(tt.text))
		most := r.steps
		r.likely()
		if r.steps < -pairBehind || r.steps == most || tt.tooMuch != (r.steps < 0) {
			t.Errorf("%d of %d steps are left of %.20s…", r.steps, most, tt.text)
		}
		isTaken := len(r.pieces) > 0 && r.pieces[len(r.pieces)-1].to == len(tt.text)
		if isTaken != tt.tooMuch || len(r.pieces) > 3 {
			t.Errorf("%.20s…: %v are taken", tt.text, r.pieces)
		}
	}
	long := masked.newReader([]byte(`{"x":"` + strings.Repeat("x", 900) + `","name":"API_KEY","value":"` + strings.Repeat("y", 3000) + `"}`))
	most := long.steps
	long.likely()
	if used := most - long.steps; used < 2*900+3000 { // back to the brace, and forth
		t.Errorf("%d steps are counted of those through a long object", used)
	}
	for _, text := range []string{`so: {"name":"API_KEY","value":"ab"}`, `so: {"value":"ab","name":"API_KEY"}`, `so: "name":"API_KEY","value":"ab"}`} {
		r := masked.newReader([]byte(text))
		r.steps = 0
		r.likely()
		if n := len(r.pieces); n == 0 || r.pieces[0].from < 4 || r.pieces[0].from > strings.Index(text, "ab") || r.pieces[0].to != len(text) {
			t.Errorf("%s: %v are taken where there are no steps", text, r.pieces)
		}
	}
}

// A value of digits is one as a number, too.
func TestNumbersThatAreKnown(t *testing.T) {
	for object, want := range map[string]string{
		`{"no":20261127}`: `{"no":"******"}`, `{"no":[1,20261127]}`: `{"no":[1,"******"]}`, `{"no":-20261127}`: `{"no":"*******"}`, `{"no":20261127.0}`: `{"no":"********"}`,
		`{"no":"20261127"}`: `{"no":"********"}`, `{"no":20261128}`: "", `{"no":120261127}`: "", `{"no":20261127.5}`: "", `{"no":1234}`: "",
	} {
		if want == "" {
			want = object
		}
		line := func(object string) string {
			return `{"jsonrpc":"2.0","id":20261127,"result":{"structuredContent":` + object + `}}`
		}
		if got := masked.RedactText(line(object)); got != line(want) {
			t.Errorf("%s: %s", object, got)
		}
	}
}

// A value is found in HTML and XML, however that writes it.
func TestValuesInMarkup(t *testing.T) {
	numbered := func(format func(r rune) string) string {
		var out strings.Builder
		for _, r := range `a<b & "c'd"` {
			out.WriteString(format(r))
		}
		return out.String()
	}
	for _, text := range []string{
		`a&lt;b &amp; &quot;c&#x27;d&quot;`, `a&lt;b &amp; &#34;c&#39;d&#34;`, `a&LT;b &AMP; &quot;c&apos;d&quot;`, `a&#60;b&#32;&#x26; &#x0022;c&#0039;d"`,
		numbered(func(r rune) string { return "&#" + strconv.Itoa(int(r)) + ";" }),
		numbered(func(r rune) string { return "&#X" + strconv.FormatInt(int64(r), 16) + ";" }),
		html.EscapeString(html.EscapeString(`a<b & "c'd"`)),
		`hunter2&#45;x`, `hunter2&#x2d;x`,
		`a&ltb &amp &quotc&#39d&quot`, `a&LTb &AMP &QUOTc&#x0027;d&quot`, `a&#60b&#32&#x26 &#34c&#039d"`,
		numbered(func(r rune) string { return "&#" + strconv.Itoa(int(r)) }),
		`hunter2&#45x`, `hunter2&#x2dx`, `hunter2&amp#45x`, `hunter2&amp;#45x`, `hunter2&amp#45;x`,
	} {
		for how, whole := range map[string]func(string) string{
			"on stderr": func(text string) string { return "<a x='" + text + "'>&amp;</a>" },
			"as a result": func(text string) string {
				return `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` + quotePlain("<b>"+text+"</b>") + `}]}}`
			},
			"as JSON of Go": func(text string) string {
				line, _ := json.Marshal(map[string]string{"text": "<b>" + text + "</b>"})
				return string(line)
			},
		} {
			got := masked.RedactText(whole(text))
			if len(got) != len(whole(text)) || strings.Contains(got, whole(text)) || !strings.Contains(got, "******") || html.UnescapeString(html.UnescapeString(got)) == got && strings.Contains(got, "hunter2") {
				t.Errorf("%s, %s: %s", text, how, got)
			}
		}
	}
	const inMarkup = `<pre>{&quot;apiKey&quot;:&quot;ab&quot;}</pre>`
	if got := masked.RedactText(inMarkup); got != strings.ReplaceAll(inMarkup, "ab", "**") {
		t.Errorf("behind a name: %s", got)
	}
	const inLooseMarkup = `<pre>{&quotapiKey&quot:&quotab&quot}</pre>`
	if got := masked.RedactText(inLooseMarkup); got != strings.ReplaceAll(inLooseMarkup, "ab", "**") {
		t.Errorf("behind a name, without semicolons: %s", got)
	}
	mixed := unkeyed.With(values(`a&copyb"c`)...) // only the marks were written as entities
	if got := mixed.RedactText(`x a&copyb&quot;c x`); got != "x ************** x" {
		t.Errorf("with what looks like an entity: %s", got)
	}
	for _, text := range []string{`a&lt;b`, `a&ltb`, `?a=1&copy=2&reg&ampx&#9`, `?a=1&b=2;c`, `AT&T; &unknown; &#; &#xzz; &`, `hunter2&hyphen;`} {
		if got := masked.RedactText(text); got != text {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := masked.RedactText(`<p>hunter2&#4…`); strings.Contains(got, "hunter2") {
		t.Errorf("before a cut: %s", got)
	}
}
