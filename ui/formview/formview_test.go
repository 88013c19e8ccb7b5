package formview

import (
	"image"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"belay/internal/form"
	"belay/internal/form/edit"
	"belay/internal/requirements"
	"belay/internal/safe"
	"belay/ui/canvas"
	"belay/ui/keymap"
	"belay/ui/theme"
)

// open makes the form of a schema.
func open(schema string, use form.Use) *View {
	return New(form.New(form.ParseSchema([]byte(schema)).For(use)), theme.Looks{Styles: theme.NewStyles(true), Glyphs: theme.Unicode})
}

// frame is what a view drew.
type frame struct {
	lines  []string
	cursor *image.Point
	spots  []Spot
}

func draw(f *View, w, h int) (r frame) {
	c := canvas.New(theme.NewPalette(true, true), false)
	c.Reset(w, h)
	r.cursor, r.spots = f.Draw(c.All())
	r.lines = strings.Split(ansi.Strip(c.String()), "\n")
	return r
}

// find is where a text stands first.
func (r frame) find(t *testing.T, text string) image.Point {
	t.Helper()
	for y, l := range r.lines {
		if before, _, ok := strings.Cut(l, text); ok {
			return image.Pt(safe.Width(safe.Line(before)), y)
		}
	}
	t.Fatalf("%q is not in\n%s", text, strings.Join(r.lines, "\n"))
	return image.Point{}
}

// click does what a click on a text does.
func (r frame) click(t *testing.T, text string) {
	t.Helper()
	at := r.find(t, text)
	for _, s := range r.spots {
		if at.In(s.At) {
			s.Do()
		}
	}
}

func typed(f *View, text string) {
	for _, r := range text {
		f.Key(edit.Key{Name: string(r), Text: string(r)})
	}
}

func want(t *testing.T, f *View, json string) {
	t.Helper()
	if got := string(f.Form().JSON()); got != json {
		t.Errorf("got %s, want %s", got, json)
	}
}

const everyKind = `{"properties":{"text":{"type":"string"},"n":{"type":"integer"},"pet":{"enum":["cat","dog"]},` +
	`"only":{"const":1},"tags":{"type":"array","items":{"enum":["A","B"]}},"list":{"type":"array","items":{"type":"string"}},` +
	`"who":{"type":"object","properties":{"name":{"type":"string"}}},"kind":{"oneOf":[{"type":"string"},{"type":"integer"}]},"any":{}},` +
	`"additionalProperties":{"type":"string"}}`

// What a key does in a field, and what it can do there, is told by its kind.
func TestKeysAndScopes(t *testing.T) {
	f := open(everyKind, form.Arguments)
	const field = InFields | InStops | InGrowing // the whole can be added to
	for i, tt := range []struct {
		name  string
		scope keymap.Scope
		taken bool
		why   safe.Text
	}{
		{"text", field | InLines, true, ""},
		{"n", field, true, ""},
		{"pet", field | InChoosing | InTurning | InJumping, true, ""},
		{"only", field | InChoosing | InTurning, false, "nothing is typed here: → chooses the only value"},
		{"tags", field | InChoosing | InTicking | InJumping, true, ""},
		{"list", field | InAdding | InOpening, false, "nothing is typed here: space adds to it"},
		{"who", field | InOpening | InFilling, false, "nothing is typed here: → fills it in"},
		{"kind", field | InChoosing | InTurning, false, "nothing is typed here: ← → choose what it is"},
		{"any", field | InLines, true, ""},
		{"", field | InAdding, false, "nothing is typed here: space adds a member"},
	} {
		if i > 0 && !f.Next(1) {
			t.Fatalf("there is no field %q", tt.name)
		}
		if got := f.Focus().Node.Name; got != tt.name {
			t.Fatalf("the focus is on %q, not on %q", got, tt.name)
		}
		if got := f.Scope(); got != tt.scope {
			t.Errorf("%s: scope %b, want %b", tt.name, got, tt.scope)
		}
		if f.Scope()&InJumping != 0 { // where text is for Jump
			continue
		}
		if taken, why := f.Key(edit.Key{Name: "7", Text: "7"}); taken != tt.taken || why != tt.why {
			t.Errorf("%s: taken %v, %q", tt.name, taken, why)
		}
	}
	if f.Next(1) {
		t.Error("there is a field behind the last")
	}
	want(t, f, `{"text":"7","n":7,"any":7}`)
	if taken, why := f.Key(edit.Key{Name: "f9"}); taken || why != "" {
		t.Errorf("of a key that is no text: %v, %q", taken, why)
	}
}

// An action does nothing where its key does not work.
func TestActionsStayInTheirScopes(t *testing.T) {
	actions := map[string]struct {
		in keymap.Scope
		do func(*View)
	}{
		"turn": {InChoosing, func(f *View) { f.Turn(1) }}, "tick": {InTicking, (*View).Tick}, "find": {InFinding, func(f *View) { f.Find("d") }},
		"jump": {InJumping, func(f *View) { f.Jump("d") }}, "unset": {InUnsetting, (*View).Unset}, "open": {InOpening, (*View).Open},
		"break": {InLines, (*View).BreakLine}, "add": {InGrowing, (*View).Add}, "remove": {InItem, (*View).Remove}, "shift": {InItem, func(f *View) { f.Shift(1) }},
	}
	rows := len(open(everyKind, form.Arguments).Form().Rows())
	for name, a := range actions {
		for i := range rows + 2 {
			f := open(everyKind, form.Arguments)
			switch i {
			case rows:
				f.Leave()
			case rows + 1:
				f.Flip()
			default:
				f.Next(i)
			}
			before, focus := string(f.Form().JSON()), f.Focus()
			works := f.Scope()&a.in != 0
			a.do(f)
			if changed := string(f.Form().JSON()) != before || f.Focus() != focus; changed && !works {
				t.Errorf("%s changes field %d: %s", name, i, f.Form().JSON())
			}
		}
	}
}

// An item that was added has the focus where it can be filled in.
func TestAnAddedItemIsTypedInto(t *testing.T) {
	f := open(`{"properties":{"p":{"type":"array","items":{"type":"object","required":["who"],"properties":{
		"who":{"type":"object","properties":{"name":{"type":"string"}}},"age":{"type":"integer"}}}}}}`, form.Arguments)
	f.Add()
	typed(f, "Ann")
	f.Add()
	typed(f, "Bob")
	want(t, f, `{"p":[{"who":{"name":"Ann"}},{"who":{"name":"Bob"}}]}`)
	f.Next(1)
	f.Add()
	f.Next(1)
	typed(f, "7")
	want(t, f, `{"p":[{"who":{"name":"Ann"}},{"who":{"name":"Bob"}},{"who":{},"age":7}]}`)
	f.Shift(-1)
	want(t, f, `{"p":[{"who":{"name":"Ann"}},{"who":{},"age":7},{"who":{"name":"Bob"}}]}`)
	f.Remove()
	want(t, f, `{"p":[{"who":{"name":"Ann"}},{"who":{"name":"Bob"}}]}`)
	if f.Focus().Node == nil {
		t.Error("nothing has the focus")
	}
}

// A yes-or-no has three states unless it is required.
func TestBooleans(t *testing.T) {
	requirements.Rows(t, "ELI-28")
	f := open(`{"required":["must"],"properties":{"may":{"type":"boolean"},"yes":{"type":"boolean","default":true},"must":{"type":"boolean"}}}`, form.Answer)
	f.Next(2)
	for _, line := range []string{"may       [unset]  true   false", "yes        unset  [true]  false", "must*     [unset]  true   false"} {
		draw(f, 60, 12).find(t, line)
	}
	if _, problem, _ := f.Value(); problem != `"must": required` {
		t.Errorf("problem %q", problem)
	}
	f.Turn(-1)
	draw(f, 60, 12).find(t, "must*      true  [false]")
	if got, problem, _ := f.Value(); string(got) != `{"yes":true,"must":false}` || problem != "" {
		t.Errorf("%s, %q", got, problem)
	}
}

// The raw side says why it cannot become fields, and has the focus until then.
func TestTheRawSide(t *testing.T) {
	f := open(`{"required":["n"],"properties":{"n":{"type":"integer"},"s":{"type":"string"}}}`, form.Arguments)
	f.Next(1)
	typed(f, "x")
	if why := f.Flip(); why != "" || !f.IsRaw() || f.Scope() != InRaw || f.Focus().Node != nil || f.Next(1) {
		t.Errorf("%q, raw: %v, scope %b", why, f.IsRaw(), f.Scope())
	}
	typed(f, "{")
	if why := f.Flip(); why != "not shown as a form: line 1: this is no JSON" || !f.IsRaw() {
		t.Errorf("%q, raw: %v", why, f.IsRaw())
	}
	if got, problem, _ := f.Value(); got != nil || problem != "line 1: this is no JSON" {
		t.Errorf("%s, %q", got, problem)
	}
	f.Key(edit.Key{Name: "backspace"})
	if _, problem, byHand := f.Value(); problem != `"n": required` || !byHand {
		t.Errorf("%q, by hand: %v", problem, byHand)
	}
	draw(f, 40, 8).find(t, `"n": required`)
	if why := f.Flip(); why != "" || f.IsRaw() || f.Focus().Node.Name != "n" {
		t.Errorf("%q, the focus is on %v", why, f.Focus().Node)
	}
	want(t, f, `{"s":"x"}`)
}

// The editor gets what has the focus, and what it makes of it is taken over; JSON
// that is none is kept to be repaired.
func TestOutside(t *testing.T) {
	f := open(`{"properties":{"s":{"type":"string"},"n":{"type":"integer"}}}`, form.Arguments)
	typed(f, "one")
	text, ending, take := f.Outside()
	if text != "one" || ending != ".txt" || take("one\ntwo") != "" {
		t.Errorf("%q, %s", text, ending)
	}
	want(t, f, `{"s":"one\ntwo"}`)
	f.Next(1)
	text, ending, take = f.Outside()
	if text != "{\n  \"s\": \"one\\ntwo\"\n}" || ending != ".json" || take(`{"n":1.0}`) != "" || f.IsRaw() {
		t.Errorf("%q, %s, raw: %v", text, ending, f.IsRaw())
	}
	want(t, f, `{"n":1.0}`)
	_, _, take = f.Outside()
	if why := take("{oops"); why != "not shown as a form: line 1: this is no JSON" || !f.IsRaw() {
		t.Errorf("%q, raw: %v", why, f.IsRaw())
	}
	if text, _, _ = f.Outside(); text != "{oops" {
		t.Errorf("lost: %q", text)
	}
}

// The owner may have the focus; a click gives it back.
func TestTheFocusGoesToTheOwnerAndBack(t *testing.T) {
	f := open(`{"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, form.Arguments)
	f.Leave()
	if r := draw(f, 40, 6); r.cursor != nil || !f.IsAway() || f.Focus().Node != nil || f.Scope() != InFields|InStops {
		t.Errorf("the cursor is at %v, scope %b", r.cursor, f.Scope())
	}
	typed(f, "x")
	f.Paste("y")
	want(t, f, `{}`)
	f.Return()
	typed(f, "1")
	f.Leave()
	draw(f, 40, 6).click(t, "b ")
	typed(f, "2")
	want(t, f, `{"a":"1","b":"2"}`)
}

// A click chooses what it hits.
func TestClicks(t *testing.T) {
	f := open(everyKind, form.Arguments)
	const w, h = 60, 24
	draw(f, w, h).click(t, "dog")
	draw(f, w, h).click(t, "[ ] B")
	draw(f, w, h).click(t, "[ ] A")
	draw(f, w, h).click(t, "[x] B")
	want(t, f, `{"pet":"dog","tags":["A"]}`)
	if f.Focus().Node.Name != "tags" {
		t.Errorf("the focus is on %q", f.Focus().Node.Name)
	}
}

// Without color a field is seen by the line under it, which is not broken where an option is
// chosen or a tick has the focus.
func TestTheLineUnderAFieldIsWhole(t *testing.T) {
	f := open(`{"properties":{"pets":{"type":"array","items":{"enum":["cat","dog"]}},"loud":{"type":"boolean"}}}`, form.Arguments)
	f.Tick()
	const w, h = 60, 12
	c := canvas.New(theme.NewPalette(true, true), true)
	c.Reset(w, h)
	f.Draw(c.All())
	underlined := regexp.MustCompile(`\x1b\[(?:\d*;)*4m$`)
	for _, chosen := range []string{"[unset]", "[x]", "cat"} {
		before, _, found := strings.Cut(c.String(), chosen)
		if !found || !underlined.MatchString(before) {
			t.Errorf("%s has no line under it:\n%q", chosen, c.String())
		}
	}
}
