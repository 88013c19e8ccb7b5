package form

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

const flat = `{"type":"object","required":["name","n","mode"],"properties":{
	"name":{"type":"string","minLength":2,"maxLength":4},
	"n":{"type":"integer","minimum":1,"maximum":10,"default":3},
	"ratio":{"type":["number","null"],"exclusiveMinimum":0},
	"sure":{"type":"boolean"},
	"mode":{"enum":["fast","slow",3]},
	"size":{"oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}]},
	"code":{"type":"string","pattern":"^[a-z]+$"}}}`

func newFlat(t *testing.T) *Form {
	t.Helper()
	s := ParseSchema([]byte(flat))
	if s.Nested != "" || len(s.Fields) != 7 {
		t.Fatalf("schema: %d fields, nested: %q", len(s.Fields), s.Nested)
	}
	return New(s)
}

func (f *Form) typed(name, text string) *Field {
	x := &f.Fields[f.index(name)]
	x.Input.Set(text)
	x.Typed()
	return x
}

func TestUnsetIsNotEmpty(t *testing.T) {
	f := newFlat(t)
	if got, want := string(f.JSON()), `{"n":3}`; got != want {
		t.Errorf("untouched: %s, want %s: the default of what is required, and nothing else", got, want)
	}
	f.typed("code", "")
	if got, want := string(f.JSON()), `{"n":3,"code":""}`; got != want {
		t.Errorf("emptied: %s, want %s", got, want)
	}
	f.Fields[f.index("code")].Unset()
	if got, want := string(f.JSON()), `{"n":3}`; got != want {
		t.Errorf("unset again: %s, want %s", got, want)
	}
}

func TestProblemsInPlainWords(t *testing.T) {
	f := newFlat(t)
	for _, tt := range []struct{ field, text, want string }{
		{"name", "a", "at least 2 characters; this has 1"},
		{"name", "日本語日本", "at most 4 characters; this has 5"},
		{"name", "日本", ""},
		{"n", "0", "at least 1"},
		{"n", "11", "at most 10"},
		{"n", "2.5", "a whole number, such as 42"},
		{"n", "", "a whole number, such as 42"},
		{"n", "1e1", ""},
		{"n", "007", "a whole number, such as 42"},
		{"ratio", "0", "more than 0"},
		{"ratio", "NaN", "a number, such as 4.2"},
		{"ratio", "0x10", "a number, such as 4.2"},
		{"ratio", "1e-3", ""},
		{"code", "A1", "does not match the pattern ^[a-z]+$"},
	} {
		if got := f.typed(tt.field, tt.text).Problem(); got != tt.want {
			t.Errorf("%s = %q: %q, want %q", tt.field, tt.text, got, tt.want)
		}
	}
	if got := newFlat(t).Fields[0].Problem(); got != "required" {
		t.Errorf("an unset field that is required: %q", got)
	}
}

func TestOptions(t *testing.T) {
	f := newFlat(t)
	mode, size, sure := &f.Fields[f.index("mode")], &f.Fields[f.index("size")], &f.Fields[f.index("sure")]
	mode.Turn(1)
	mode.Turn(-1) // required: goes round and never unset
	size.Turn(1)
	size.Turn(1)
	sure.Turn(1)
	if got, want := string(f.JSON()), `{"n":3,"sure":true,"mode":3,"size":"l"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	sure.Turn(-1)
	size.Turn(1)
	mode.Pick("s")
	if got, want := string(f.JSON()), `{"n":3,"mode":"slow"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What was written as JSON comes back as it was, whether the form can show it
// or not.
func TestTheRawSideIsLossless(t *testing.T) {
	for _, raw := range []string{
		`{}`,
		`{"extra":{"deep":[1,2,{"x":null}]},"name":"abc","n":1e0}`,
		`{"n":"not a number","name":17,"sure":"yes","mode":"unknown","ratio":null}`,
		`{"ratio":0.10,"n":9007199254740993}`,
		`{"name":"two\nlines\u202e","zzz":1,"sure":false,"aaa":2}`,
		`{"size":"l","":0}`,
		`{"name":null}`,
	} {
		f := newFlat(t)
		if err := f.SetJSON([]byte(raw)); err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		got := f.JSON()
		if !equalJSON(got, []byte(raw)) {
			t.Errorf("%s came back as %s", raw, got)
		}
		if i, j := strings.Index(string(got), "zzz"), strings.Index(string(got), "aaa"); i > j {
			t.Errorf("%s: the order is lost: %s", raw, got)
		}
	}
}

func equalJSON(a, b []byte) bool {
	var x, y any
	da, db := json.NewDecoder(strings.NewReader(string(a))), json.NewDecoder(strings.NewReader(string(b)))
	da.UseNumber()
	db.UseNumber()
	return da.Decode(&x) == nil && db.Decode(&y) == nil && reflect.DeepEqual(x, y)
}

func TestAnEditKeepsWhatTheFormCannotShow(t *testing.T) {
	f := newFlat(t)
	if err := f.SetJSON([]byte(`{"x":{"y":1},"name":[1],"n":2}`)); err != nil {
		t.Fatal(err)
	}
	if f.Extra() != 2 || !f.Fields[0].Held() {
		t.Errorf("%d extra members, name held: %v", f.Extra(), f.Fields[0].Held())
	}
	f.typed("n", "5")
	if got, want := string(f.JSON()), `{"x":{"y":1},"name":[1],"n":5}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	f.typed("name", "abc")
	if got, want := string(f.JSON()), `{"x":{"y":1},"name":"abc","n":5}`; got != want {
		t.Errorf("typed over a held value: %s, want %s", got, want)
	}
}

func TestWhatIsNoObjectIsRefusedAndChangesNothing(t *testing.T) {
	for raw, want := range map[string]string{
		`[1]`:                   "this must be a JSON object",
		"{\n\"a\":1,\n\"a\":2}": "line 3: a member occurs twice",
		"{\n\"a\": }":           "line 2: this is no JSON",
		`{"a":1`:                "something is missing at the end",
		`{"a":1} x`:             "behind the object",
		`nonsense`:              "this is no JSON",
	} {
		f := newFlat(t)
		before := string(f.JSON())
		err := f.SetJSON([]byte(raw))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want …%s…", raw, err, want)
		}
		if string(f.JSON()) != before {
			t.Errorf("%q changed the form", raw)
		}
	}
}

func TestNestedSchemasGetASkeleton(t *testing.T) {
	s := ParseSchema([]byte(`{"properties":{
		"who":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name"]},
		"tags":{"type":"array"},"level":{"enum":["low","high"]},"opt":{"type":"string"}},"required":["who","tags","level"]}`))
	if s.Nested != `"who" is an object` {
		t.Errorf("nested: %q", s.Nested)
	}
	if got, want := string(s.Skeleton()), "{\n  \"who\": {\n    \"name\": \"\"\n  },\n  \"tags\": [],\n  \"level\": \"low\"\n}"; got != want {
		t.Errorf("skeleton:\n%s\nwant\n%s", got, want)
	}
	for _, raw := range []string{``, `null`, `[]`, `{"properties":[]}`, `{"properties":{"a":true}}`, `{"properties":{"a":{"$ref":"#/x"}}}`, `{`} {
		s := ParseSchema([]byte(raw))
		if got := string(New(s).JSON()); got != "{}" {
			t.Errorf("%s: %s", raw, got)
		}
	}
}

func FuzzSetJSON(f *testing.F) {
	f.Add(`{"name":"x","n":1,"other":[null,{"a":"\ud800"}]}`)
	f.Add(`{"sure":true,"mode":3,"size":"s","ratio":-0}`)
	f.Fuzz(func(t *testing.T, raw string) {
		form := New(ParseSchema([]byte(flat)))
		if form.SetJSON([]byte(raw)) != nil {
			return
		}
		if got := form.JSON(); strings.TrimSpace(raw) != "" && json.Valid([]byte(raw)) && !equalJSON(got, []byte(raw)) {
			t.Errorf("%q came back as %q", raw, got)
		}
	})
}
