package form

import (
	"strings"
	"testing"

	"belay/internal/requirements"
)

const flat = `{"type":"object","required":["name","n","mode"],"properties":{
	"name":{"type":"string","minLength":2,"maxLength":4},
	"n":{"type":"integer","minimum":1,"maximum":10,"default":3},
	"ratio":{"type":["number","null"],"exclusiveMinimum":0},
	"sure":{"type":"boolean"},
	"mode":{"enum":["fast","slow",3]},
	"size":{"oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}]},
	"code":{"type":"string","pattern":"^[a-z]+$"}}}`

func TestUnsetIsNotEmpty(t *testing.T) {
	requirements.Rows(t, "ELI-61")
	f := of(flat)
	f.means(t, `{"n":3}`) // the default of what is required, and nothing else
	code := f.at(t, "code").typeIn("")
	f.means(t, `{"n":3,"code":""}`)
	code.Unset()
	f.means(t, `{"n":3}`)
	f.at(t, "n").Unset() // a cleared default stays cleared
	f.means(t, `{}`)
	f.load(t, string(f.JSON()))
	f.means(t, `{}`)
}

// An optional field that had a default and was cleared is left out of an answer,
// also after a look at the raw JSON.
func TestAClearedDefaultStaysCleared(t *testing.T) {
	requirements.Rows(t, "ELI-61")
	s := ParseSchema([]byte(`{"properties":{"a":{"type":"string","default":"x"},"b":{"type":"boolean","default":true}}}`)).For(Answer)
	f := New(s)
	f.means(t, `{"a":"x","b":true}`)
	f.at(t, "a").Unset()
	f.means(t, `{"b":true}`)
	f.load(t, string(f.JSON()))
	f.means(t, `{"b":true}`)
	if f.at(t, "b").IsPreset() {
		t.Error("what was read from JSON is marked as a default")
	}
}

func TestDefaults(t *testing.T) {
	requirements.Rows(t, "ELI-29", "ELI-30", "ELI-33")
	s := ParseSchema([]byte(`{"required":["must"],"properties":{
		"must":{"type":"string","default":"m"},
		"text":{"type":"string","default":"t"},
		"n":{"type":"integer","default":9007199254740993},
		"yes":{"type":"boolean","default":true},
		"one":{"oneOf":[{"const":"#FF0000","title":"Red"},{"const":"#00FF00","title":"Green"}],"default":"#FF0000"},
		"title":{"oneOf":[{"const":"#FF0000","title":"Red"}],"default":"Red"},
		"some":{"type":"array","items":{"enum":["a","b"]},"default":["b"]},
		"kind":{"type":"integer","default":"seven"},
		"least":{"type":"integer","minimum":5,"default":1},
		"mail":{"type":"string","format":"email","default":"nobody"}}}`))
	for use, want := range map[Use]string{
		Arguments:      `{"must":"m"}`,
		Answer:         `{"must":"m","text":"t","n":9007199254740993,"yes":true,"one":"#FF0000","some":["b"]}`,
		AnswerJune2025: `{"yes":true}`,
	} {
		f := New(s.For(use))
		f.means(t, want)
		each(f.Root, func(n *Node) {
			if n != f.Root && n.IsPreset() != n.IsSet() {
				t.Errorf("use %d: %s is marked as a default: %v; it is set: %v", use, n.Name, n.IsPreset(), n.IsSet())
			}
		})
	}
	f := New(s.For(Answer))
	for _, name := range []string{"title", "kind", "least", "mail"} {
		if n := f.at(t, name); n.IsSet() || n.DoesDefaultFit() {
			t.Errorf("the default of %s, which does not fit, is taken: %v", name, n.IsSet())
		}
	}
	f.at(t, "text").typeIn("T")
	if f.at(t, "text").IsPreset() {
		t.Error("what was typed over is still marked as a default")
	}
}

// Nothing is chosen that the user did not choose: no option, no text, no branch.
func TestNothingIsChosenForTheUser(t *testing.T) {
	f := of(`{"required":["e","s","b","l","v","o"],"properties":{"e":{"enum":["only"]},"s":{"type":"string"},"b":{"type":"boolean"},
		"l":{"type":"array","items":{"type":"string"},"minItems":1},"v":{"oneOf":[{"type":"string"},{"type":"number"}]},
		"o":{"type":"object","required":["e"],"properties":{"e":{"enum":["x","y"]}}}}}`)
	f.means(t, `{"o":{}}`)
	if n, why := f.Problem(); n == nil || n.Name != "e" || why != "required" {
		t.Errorf("problem %q at %v", why, n)
	}
	// A constant is no choice for a call; for an answer it is one.
	s := ParseSchema([]byte(`{"required":["c"],"properties":{"c":{"const":"agreed"}}}`))
	New(s).means(t, `{"c":"agreed"}`)
	New(s.For(Answer)).means(t, `{}`)
}

func TestOptions(t *testing.T) {
	requirements.Rows(t, "ELI-31")
	f := of(flat)
	mode, size, sure := f.at(t, "mode"), f.at(t, "size"), f.at(t, "sure")
	mode.Turn(1)
	mode.Turn(-1) // required: goes round and never unset
	size.Turn(1)
	size.Turn(1)
	sure.Turn(1)
	f.means(t, `{"n":3,"sure":true,"mode":3,"size":"l"}`)
	sure.Turn(-1)
	size.Turn(1)
	mode.Jump("s")
	f.means(t, `{"n":3,"mode":"slow"}`)

	f = props(`"a":{"enum":["r","g"],"enumNames":["Red","Green"]},"b":{"enum":["r","g"],"enumNames":["Red"]},"c":{"enum":["r","r","g"]}`)
	for path, want := range map[string]string{"a": "Red Green", "b": "r g", "c": "r g"} {
		var titles []string
		for _, o := range f.at(t, path).Options {
			titles = append(titles, o.Title)
		}
		if got := strings.Join(titles, " "); got != want {
			t.Errorf("%s: options %s, want %s", path, got, want)
		}
	}
	if f.at(t, "c").Note == "" {
		t.Error("nothing tells of the option that is there twice")
	}
	f.at(t, "a").Jump("g")
	f.means(t, `{"a":"g"}`)
}

// An optional yes-or-no has three states.
func TestABooleanMayBeUnset(t *testing.T) {
	f := props(`"b":{"type":"boolean"},"must":{"type":"boolean"}`, "must")
	b, must := f.at(t, "b"), f.at(t, "must")
	for _, want := range []string{`{}`, `{"b":true}`, `{"b":false}`, `{}`} {
		f.means(t, want)
		b.Turn(1)
	}
	b.Unset()
	if n, why := f.Problem(); n != must || why != "required" {
		t.Errorf("problem %q", why)
	}
	must.Turn(-1)
	f.means(t, `{"must":false}`)
	must.Turn(1)
	must.Turn(1)
	f.means(t, `{"must":false}`)
}

func TestMultipleChoice(t *testing.T) {
	requirements.Rows(t, "ELI-32")
	f := props(`"c":{"type":"array","minItems":1,"maxItems":2,"items":{"anyOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"},{"const":"b","title":"Blue"}]}}`, "c")
	c := f.at(t, "c")
	if c.Kind != Many || c.Problem() != "required" {
		t.Fatalf("kind %d, problem %q", c.Kind, c.Problem())
	}
	c.Turn(2)
	c.Toggle()
	c.Jump("r")
	c.Toggle()
	f.means(t, `{"c":["b","r"]}`)
	c.Turn(1)
	c.Toggle()
	if got := c.Problem(); got != "at most 2 options; this has 3" {
		t.Errorf("problem %q", got)
	}
	for range 3 {
		c.Toggle()
		c.Turn(1)
	}
	f.means(t, `{"c":[]}`)
	if got := c.Problem(); got != "at least 1 option; this has 0" {
		t.Errorf("problem %q", got)
	}
	f.load(t, `{"c":["g","g"]}`) // which boxes cannot show
	if !f.at(t, "c").AsJSON() {
		t.Error("a list with an option twice is shown as boxes")
	}
	f.means(t, `{"c":["g","g"]}`)
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
		`{"\u006eame":"\u0061"}`,
	} {
		f := of(flat).load(t, raw)
		f.means(t, raw)
		f.forget()
		if got, want := exact(t, f.JSON()), exact(t, []byte(raw)); got != want {
			t.Errorf("written anew: %s, want %s", got, want)
		}
	}
}

// Blanks between the parts are not part of a value: what is sent is one line.
func TestTheJSONIsOnOneLine(t *testing.T) {
	f := of(flat).load(t, "{\n  \"n\": 1.0 ,\n  \"x\": [ 1 , {\"a\" : null} ]\n}\n")
	f.means(t, `{"n":1.0,"x":[1,{"a":null}]}`)
	f.at(t, "n").typeIn("2")
	f.means(t, `{"n":2,"x":[1,{"a":null}]}`)
}

func TestAnEditKeepsWhatTheFormCannotShow(t *testing.T) {
	f := of(flat).load(t, `{"x":{"y":1.0},"name":[1],"n":2}`)
	if !f.at(t, "name").AsJSON() || f.at(t, "name").Input.String() != "[1]" {
		t.Errorf("name is not shown as JSON but as %q", f.at(t, "name").Input.String())
	}
	f.at(t, "n").typeIn("5")
	f.means(t, `{"x":{"y":1.0},"name":[1],"n":5}`)
	f.at(t, "name").typeIn("[1, 2]")
	f.means(t, `{"x":{"y":1.0},"name":[1,2],"n":5}`)
	f.at(t, "name").typeIn(`"abc"`)
	if !f.at(t, "name").Flip() || f.at(t, "name").AsJSON() {
		t.Error("text is not shown as text")
	}
	f.means(t, `{"x":{"y":1.0},"name":"abc","n":5}`)
}

// Any field can be written as JSON: that is how null, or a value of another kind,
// is sent.
func TestAFieldAsJSON(t *testing.T) {
	f := props(`"s":{"type":["string","null"]},"o":{"type":"object","properties":{"a":{"type":"integer"}}},"l":{"type":"array","items":{"type":"string"}}`)
	s := f.at(t, "s")
	s.Flip()
	f.means(t, `{}`)
	s.typeIn("null")
	f.means(t, `{"s":null}`)
	if why := s.Problem(); why != "" {
		t.Errorf("null where it is allowed: %q", why)
	}
	if s.Flip() {
		t.Error("null is shown as text")
	}
	s.typeIn("nul")
	if s.Flip() || s.Problem() != "this is no JSON; text stands in double quotes" {
		t.Errorf("no JSON: %q", s.Problem())
	}
	s.typeIn("")
	if !s.Flip() || s.AsJSON() || s.IsSet() {
		t.Error("an empty field is not unset again")
	}
	f.load(t, `{"o":{"a":1.0,"b":[null]},"l":["x"]}`)
	for _, path := range []string{"o", "l"} {
		f.at(t, path).Flip()
		f.at(t, path).Flip()
	}
	f.means(t, `{"o":{"a":1.0,"b":[null]},"l":["x"]}`)
	if f.at(t, "o").AsJSON() || len(f.at(t, "o").Kids()) != 2 {
		t.Error("the object is not shown with its members again")
	}
}

func TestWhatIsNoObjectIsRefusedAndChangesNothing(t *testing.T) {
	for raw, want := range map[string]string{
		`[1]`:                   "this must be a JSON object",
		"{\n\"a\":1,\n\"a\":2}": "line 3: a member occurs twice",
		"{\n\"a\": }":           "line 2: this is no JSON",
		`{"a":{"b":1,"b":2}}`:   "a member occurs twice",
		`{"a":1`:                "something is missing at the end",
		`{"a":1} x`:             "behind the object",
		`nonsense`:              "this is no JSON",
	} {
		f := of(flat)
		f.at(t, "name").typeIn("abc")
		err := f.SetJSON([]byte(raw))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want …%s…", raw, err, want)
		}
		f.means(t, `{"name":"abc","n":3}`)
	}
}

// A number whose digits were all deleted is left out, without another key; a text is empty
// then.
func TestANumberWithoutADigitIsLeftOut(t *testing.T) {
	f := of(`{"type":"object","properties":{"i":{"type":"integer","default":3},"n":{"type":"number"},"s":{"type":"string"}}}`)
	for _, name := range []string{"i", "n", "s"} {
		f.at(t, name).typeIn("5")
	}
	f.means(t, `{"i":5,"n":5,"s":"5"}`)
	for _, name := range []string{"i", "n", "s"} {
		f.at(t, name).typeIn("")
	}
	f.means(t, `{"s":""}`)
	if n := f.at(t, "i"); n.IsSet() || n.Problem() != "" {
		t.Errorf("set: %v, %q", n.IsSet(), n.Problem())
	}
	f.at(t, "n").typeIn("7")
	f.means(t, `{"n":7,"s":""}`)
}
