package form

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// listed writes n things, with commas between them.
func listed(n int, one func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(one(i))
	}
	return b.String()
}

// property is a schema with this one property, which is required.
func property(schema string) string {
	return `{"type":"object","required":["a"],"properties":{"a":` + schema + `}}`
}

// big are schemas that are large in one way each, of about so many bytes.
var huge = map[string]func(bytes int) string{
	"values": func(n int) string {
		return property(`{"type":"string","enum":[` + listed(n/9, func(i int) string { return fmt.Sprintf(`"%d"`, i) }) + `]}`)
	},
	"one value many times": func(n int) string {
		return property(`{"enum":[` + listed(n/4, func(int) string { return `"x"` }) + `]}`)
	},
	"values that are called like others": func(n int) string {
		values := listed(n/16, func(i int) string { return fmt.Sprintf(`"%d"`, i) })
		titles := listed(n/16, func(i int) string { return fmt.Sprintf(`"\"%d\""`, max(0, i-1)) })
		return property(`{"enum":[` + values + `],"enumNames":[` + titles + `]}`)
	},
	"values to tick": func(n int) string {
		return property(`{"type":"array","items":{"enum":[` + listed(n/9, func(i int) string { return fmt.Sprintf(`"%d"`, i) }) + `]}}`)
	},
	"titled values": func(n int) string {
		return property(`{"oneOf":[` + listed(n/32, func(i int) string { return fmt.Sprintf(`{"const":"%d","title":"t%d"}`, i, i) }) + `]}`)
	},
	"properties": func(n int) string {
		return `{"type":"object","properties":{` + listed(n/26, func(i int) string { return fmt.Sprintf(`"p%d":{"type":"string"}`, i) }) + `}}`
	},
	"required properties": func(n int) string {
		return `{"type":"object","required":[` + listed(n/36, func(i int) string { return fmt.Sprintf(`"p%d"`, i) }) + `],"properties":{` +
			listed(n/36, func(i int) string { return fmt.Sprintf(`"p%d":{"type":"object"}`, i) }) + `}}`
	},
	"nesting": func(n int) string {
		deep := min(n/56, 4000)
		return strings.Repeat(`{"type":"object","required":["a"],"properties":{"a":`, deep) + `{}` + strings.Repeat(`}}`, deep)
	},
	"nesting around much": func(n int) string {
		return strings.Repeat(`{"type":"object","required":["a"],"properties":{"a":`, 300) + `{"title":"` + strings.Repeat("y", n) + `"}` + strings.Repeat(`}}`, 300)
	},
	"references": func(n int) string {
		return `{"type":"object","$defs":{"x":{"type":"string"}},"properties":{` + listed(n/36, func(i int) string { return fmt.Sprintf(`"p%d":{"$ref":"#/$defs/x"}`, i) }) + `}}`
	},
	"references to much": func(n int) string {
		return `{"type":"object","properties":{` + listed(2000, func(i int) string { return fmt.Sprintf(`"p%d":{"$ref":"#/$defs/x%d"}`, i, i) }) + `},"$defs":{` +
			listed(n/32, func(i int) string { return fmt.Sprintf(`"x%d":{"type":"string"}`, i) }) + `}}`
	},
	"anchors": func(n int) string {
		return `{"type":"object","properties":{` + listed(2000, func(i int) string { return fmt.Sprintf(`"p%d":{"$ref":"#x%d"}`, i, i) }) + `},"$defs":{` +
			listed(n/32, func(i int) string { return fmt.Sprintf(`"x%d":{"$anchor":"x%d"}`, i, i) }) + `}}`
	},
	"parts of one": func(n int) string {
		return `{"type":"object","allOf":[` + listed(n/32, func(i int) string { return fmt.Sprintf(`{"properties":{"a%d":{}}}`, i) }) + `]}`
	},
	"variants": func(n int) string {
		return property(`{"anyOf":[` + listed(n/64, func(i int) string { return fmt.Sprintf(`{"type":"object","properties":{"a%d":{"const":%d}}}`, i, i) }) + `]}`)
	},
	"large variants": func(n int) string {
		return property(`{"anyOf":[` + listed(900, func(i int) string {
			return fmt.Sprintf(`{"type":"object","description":"%s","properties":{"a%d":{}}}`, strings.Repeat("q", n/900), i)
		}) + `]}`)
	},
	"patterns": func(n int) string {
		return `{"type":"object","properties":{` + listed(min(n/56, 3000), func(i int) string { return fmt.Sprintf(`"p%d":{"type":"string","pattern":"^[a-z]{1,999}$"}`, i) }) + `}}`
	},
	"a pattern": func(n int) string {
		return property(`{"type":"string","pattern":"` + strings.Repeat("(a|b)", n/5) + `"}`)
	},
	"a pattern of repeats": func(int) string {
		return property(`{"type":"string","pattern":"` + strings.Repeat("[a-z]{1,999}", 300) + `"}`)
	},
	"patterns of names": func(n int) string {
		return `{"type":"object","properties":{"a":{}},"patternProperties":{` + listed(n/32, func(i int) string { return fmt.Sprintf(`"^[a-z]{1,999}%d$":{}`, i) }) + `}}`
	},
	"a description": func(n int) string {
		return property(`{"type":"string","description":"` + strings.Repeat("wo rd ", n/6) + `"}`)
	},
	"a title": func(n int) string {
		return property(`{"type":"string","title":"` + strings.Repeat("wo rd ", n/6) + `"}`)
	},
	"a name": func(n int) string {
		return `{"type":"object","properties":{"` + strings.Repeat("wo rd ", n/6) + `":{"type":"string"}}}`
	},
	"a value":   func(n int) string { return property(`{"enum":["` + strings.Repeat("wo rd ", n/6) + `","b"]}`) },
	"a default": func(n int) string { return property(`{"type":"string","default":"` + strings.Repeat(`\n`, n/2) + `"}`) },
	"a list as the default": func(n int) string {
		return property(`{"type":"array","items":{"type":"string"},"default":[` + listed(n/4, func(int) string { return `"a"` }) + `]}`)
	},
	"ticks as the default": func(n int) string {
		values := listed(n/18, func(i int) string { return fmt.Sprintf(`"%d"`, i) })
		return property(`{"type":"array","items":{"enum":[` + values + `]},"default":[` + values + `]}`)
	},
	"defaults with a pattern": func(n int) string {
		return `{"type":"object","properties":{` + listed(min(n/2100, 900), func(i int) string {
			return fmt.Sprintf(`"p%d":{"type":"string","pattern":"^(a|b|c|d|e){1,300}$","default":"%s"}`, i, strings.Repeat("ab", 1000))
		}) + `}}`
	},
	"a limit": func(n int) string { return property(`{"type":"number","minimum":` + strings.Repeat("9", n) + `}`) },
	"an exponent": func(int) string {
		return property(`{"type":"number","minimum":1e999999999,"multipleOf":1e-99999999,"default":1e999999}`)
	},
	"what is none": func(n int) string {
		return `{"type":"object","x":[` + listed(n/3, func(int) string { return `{}` }) + `],"properties":{"a":{}}}`
	},
	"no schema": func(n int) string { return `[` + listed(n/3, func(int) string { return `{}` }) + `]` },
	"types": func(n int) string {
		return property(`{"type":[` + listed(n/9, func(i int) string { return fmt.Sprintf(`"%d"`, i) }) + `]}`)
	},
	"first items": func(n int) string {
		return property(`{"type":"array","prefixItems":[` + listed(n/3, func(int) string { return `{}` }) + `],"items":{}}`)
	},
	"dependencies": func(n int) string {
		return `{"type":"object","properties":{"a":{}},"dependentRequired":{` + listed(n/16, func(i int) string { return fmt.Sprintf(`"%d":["a"]`, i) }) + `}}`
	},
	"what is never said twice": func(n int) string { return `{` + listed(n/13, func(int) string { return `"title":"a"` }) + `}` },
}

// allocated is how many bytes f takes of memory, freed or not: work that nobody
// counts shows there, on a busy machine as on any other.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Whatever the shape of a schema, reading it between two keys costs no more than is
// allowed for that, and beside them it comes to an end.
func TestAnySchemaIsReadInSteps(t *testing.T) {
	requirements.Rows(t, "SEC-16")
	const most = 1000 * AtOnce // bytes; a step takes some hundred of them
	sizes := []int{20_000, SchemaMost - 30_000, 2 * SchemaMost}
	if raceDetector {
		sizes = []int{20_000, 200_000, 2 * SchemaMost}
	}
	for name, schema := range huge {
		t.Run(name, func(t *testing.T) {
			for _, size := range sizes {
				raw := []byte(schema(size))
				var err error
				var f *Form
				if got := allocated(func() { f, err = Read(t.Context(), raw, Answer, AtOnce) }); got > most {
					t.Errorf("%d bytes of schema take %d bytes of memory between two keys, more than %d", len(raw), got, most)
				}
				if f != nil && f.effort.spent > AtOnce {
					t.Errorf("%d bytes of schema took %d steps", len(raw), f.effort.spent)
				}
				if err != nil && len(raw) > SchemaMost {
					t.Errorf("%d bytes of schema are not refused at once: %v", len(raw), err)
				}
				if err == nil {
					continue
				}
				if f, err = Read(t.Context(), raw, Answer, Beside); err != nil {
					t.Fatal(err)
				}
				if f.effort.spent > Beside {
					t.Errorf("%d bytes of schema took %d steps beside the screen", len(raw), f.effort.spent)
				}
				turns(t, f)
			}
		})
	}
}

// turns does with a form what keys do, each in a turn.
func turns(t *testing.T, f *Form) {
	t.Helper()
	const most = 1000 * turnSteps
	turn := func(what string, do func()) {
		t.Helper()
		if got := allocated(func() {
			f.Turn()
			do()
			f.JSON()
			f.Whole()
			for i, r := range f.Rows() {
				if i == 40 {
					break
				}
				r.Node.Problem()
				r.Node.Words()
				r.Node.DoesDefaultFit()
			}
		}); got > most {
			t.Errorf("%s takes %d bytes of memory, more than %d", what, got, most)
		}
	}
	turn("a frame", func() {})
	value := f.JSON()
	turn("to take the value over", func() { _ = f.SetJSON(value) })
	for i, r := range f.Rows() {
		if i == 3 {
			break
		}
		n := r.Node
		turn("to open", n.Open)
		turn("to turn", func() { n.Turn(1) })
		turn("to choose the last", func() { n.Choose(max(len(n.Options), len(n.Variants)) - 1) })
		turn("to find", func() {
			n.Filter.Set("9")
			n.Filtered()
		})
		turn("to tick", n.Toggle)
		turn("to add", func() {
			if to := n.Adds(); to != nil {
				to.Add(n)
			}
		})
		turn("to see the JSON", func() { n.Flip() })
		turn("to see what it is", func() { n.Flip() })
	}
	turn("to be sent", func() {
		if !f.IsUnjudged() {
			f.Problem()
		}
	})
}

// calls is a context that ends when it was asked so many times.
type calls struct {
	context.Context
	left int
}

func (c *calls) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// A reading that nobody waits for any more ends, wherever it is.
func TestAReadingIsGivenUp(t *testing.T) {
	raw := []byte(huge["values to tick"](SchemaMost - 100))
	whole, err := Read(t.Context(), raw, Answer, Beside)
	if err != nil || whole.effort.spent < 100*stopEvery {
		t.Fatalf("%v; %d steps, too few for this test", err, whole.effort.spent)
	}
	for _, after := range []int{0, 1, 20, 90} {
		if f, err := Read(&calls{t.Context(), after}, raw, Answer, Beside); f != nil || err == nil {
			t.Errorf("given up after %d looks, it was read to its end", after)
		}
	}
	f := of(`{"properties":{"l":{"items":{"anyOf":[{"const":"x"},{"type":"number"}]}}}}`).load(t, `{"l":[`+strings.Repeat(`"x",`, 20_000)+`1]}`)
	if j := f.Judging()(&calls{t.Context(), 3}); !j.over {
		t.Error("a value is judged to its end though nobody waits")
	}
}

// What is too much for fields is said in words, at the field that it is about, and
// can be written as JSON.
func TestWhatIsTooMuchIsSaid(t *testing.T) {
	const around = `"b":{"type":"string"}`
	values := func(n int) string { return `[` + listed(n, func(i int) string { return fmt.Sprint(i) }) + `]` }
	for _, tt := range []struct{ name, schema, note string }{
		{"values", `{"enum":` + values(optionsMost+1) + `}`, tooManyOptions},
		{"values to tick", `{"type":"array","items":{"enum":` + values(optionsMost+1) + `}}`, ""},
		{"titled values", `{"oneOf":[` + listed(optionsMost+1, func(i int) string { return fmt.Sprintf(`{"const":%d}`, i) }) + `]}`, tooManyOptions},
		{"properties", `{"type":"object","properties":{` + listed(propsMost+1, func(i int) string { return fmt.Sprintf(`"%d":{}`, i) }) + `}}`, tooManyProps},
		{"required names", `{"type":"object","required":[` + listed(propsMost+1, func(i int) string { return fmt.Sprintf(`"%d"`, i) }) + `]}`, tooManyProps},
		{"a pattern", `{"type":"string","pattern":"` + strings.Repeat("ab", patternMost) + `"}`, "not checked here: the pattern ab"},
		{"repeats", `{"type":"string","pattern":"` + strings.Repeat("a{900}", 9) + `"}`, "not checked here: the pattern a{900}"},
	} {
		f := props(`"a":`+tt.schema+`,`+around, "a")
		a := f.at(t, "a")
		if !strings.HasPrefix(a.Note, tt.note) {
			t.Errorf("%s: noted %q, want %q", tt.name, a.Note, tt.note)
		}
		if b := f.at(t, "b"); b.Kind != Text {
			t.Errorf("%s: the field beside it is no field any more", tt.name)
		}
	}
	for kind, schema := range map[Kind]string{
		Choice: `{"enum":` + values(optionsMost) + `}`, Many: `{"type":"array","items":{"enum":` + values(optionsMost) + `}}`,
		Object: `{"type":"object","properties":{` + listed(propsMost, func(i int) string { return fmt.Sprintf(`"%d":{}`, i) }) + `}}`,
	} {
		if a := props(`"a":`+schema, "a").at(t, "a"); a.Kind != kind || a.Note != "" {
			t.Errorf("what is just not too much is of kind %d: %q", a.Kind, a.Note)
		}
	}

	f := of(huge["values"](2 * SchemaMost))
	if f.Root.Note != TooLarge || len(f.Rows()) > 0 || f.Empty() {
		t.Errorf("a schema that is too large: %q, %d rows", f.Root.Note, len(f.Rows()))
	}
	f.load(t, `{"a":"7"}`).means(t, `{"a":"7"}`)
	if n, why := f.Problem(); n != nil {
		t.Errorf("it is found wrong without being checked: %s", why)
	}
}

// A default that is too long to be shown in a field is not filled in.
func TestALongDefaultIsLeftOut(t *testing.T) {
	long := strings.Repeat("x", presetMost)
	f := New(ParseSchema([]byte(`{"properties":{"a":{"type":"string","default":"` + long + `"},"b":{"type":"string","default":"b"}}}`)).For(Answer))
	f.means(t, `{"b":"b"}`)
	if a := f.at(t, "a"); !a.IsDefaultTooLong() || a.DoesDefaultFit() {
		t.Error("nothing says that the default is too long")
	}
	half := strings.Repeat("x", presetMost/2)
	f = New(ParseSchema([]byte(`{"properties":{"a":{"type":"string","default":"` + half + `"},"b":{"type":"string","default":"` + half + `"},"c":{"type":"string","default":"c"}}}`)).For(Answer))
	f.means(t, `{"a":"`+half+`","c":"c"}`)
}

// A value that takes long to be judged is judged elsewhere, and what is found holds
// for that value only.
func TestAValueIsJudgedElsewhere(t *testing.T) {
	value := `{"l":[` + strings.Repeat(`"x",`, 20_000) + `1]}`
	f := of(`{"properties":{"l":{"items":{"anyOf":[{"const":"x"},{"type":"number","minimum":2}]}},"s":{"type":"string"}}}`)
	if f.IsUnjudged() {
		t.Error("a small value is left to be judged elsewhere")
	}
	f.load(t, value)
	if !f.IsUnjudged() {
		t.Fatal("a large value is judged between two keys")
	}
	j := f.Judging()(t.Context())
	f.at(t, "s").typeIn("x")
	if f.Judged(j) {
		t.Error("a judgement is taken for that of another value")
	}
	if !f.Judged(f.Judging()(t.Context())) || f.IsUnjudged() {
		t.Error("a judgement is not taken over")
	}
	if n, why := f.Problem(); n == nil || why != `"l" > 20001: must be "x" or a number` && !strings.Contains(why, "at least 2") {
		t.Errorf("what is wrong is not found: %q", why)
	}
}
