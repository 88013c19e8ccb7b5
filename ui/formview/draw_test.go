package formview

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"belay/internal/form"
	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/doc"
)

// The form of every schema that was taken from a server is drawn in a small room:
// what has the focus is in view wherever it goes, also in what is opened on the
// way, and the cursor is in its value.
func TestTheFormsOfTheCorpus(t *testing.T) {
	files, err := filepath.Glob("../../internal/form/testdata/schemas/*/*/*.json")
	made, _ := filepath.Glob("../../internal/form/testdata/schemas/made/*.json")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d schemas: %v", len(files), err)
	}
	const w, h = 74, 12
	for _, file := range append(files, made...) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f := open(string(raw), form.Arguments)
		const most = 60 // of the rows that are walked through
		for i := range most {
			if i > 0 && !f.Next(1) {
				break
			}
			n := f.focus.Node
			if n == nil {
				break
			}
			if f.Scope()&InOpening != 0 && f.Form().Rows()[f.at()].Depth < 6 {
				f.Open()
			}
			r := draw(f, w, h)
			if r.cursor == nil || r.cursor.X < f.Column() || r.cursor.X >= w || r.cursor.Y < 0 || r.cursor.Y >= h {
				t.Fatalf("%s: the cursor is at %v, the values at %d", file, r.cursor, f.Column())
			}
			above := strings.Join(r.lines[:r.cursor.Y+1], "\n")
			if name := string(label(f.focus, labelMost)); !strings.Contains(above, ansi.Truncate(name, 3, "")) {
				t.Errorf("%s: %q is not in view:\n%s", file, name, strings.Join(r.lines, "\n"))
			}
		}
	}
}

// In the height that a form asks for all of it is seen.
func TestHeight(t *testing.T) {
	for _, w := range []int{40, 60, 100} {
		f := open(everyKind, form.Arguments)
		h := f.Height(w, 100)
		r := draw(f, w, h)
		for _, row := range f.Form().Rows() {
			r.find(t, string(label(row, labelMost)))
		}
		if got := draw(f, w, h+5).lines; strings.TrimSpace(strings.Join(got[h:], "")) != "" {
			t.Errorf("more than %d rows at %d columns:\n%s", h, w, strings.Join(got, "\n"))
		}
	}
}

// Names that are too long are cut where they can still be told apart, and one that
// is blank is seen.
func TestNamesOfFields(t *testing.T) {
	f := open(`{"properties":{"maximum_number_of_tokens":{"type":"string"},"maximum_number_of_tokens_per_url":{"type":"string"},"":{"type":"string"}," ":{}}}`, form.Arguments)
	r := draw(f, 74, 12)
	for _, name := range []string{"maximum_num…r_of_tokens ", "maximum_num…ens_per_url ", `"" `, `" " `} {
		r.find(t, name)
	}
}

// How many options are found never runs into the last of them.
func TestTheCountOfManyOptions(t *testing.T) {
	all := make([]string, 10_000)
	for i := range all {
		all[i] = `"v` + string(wording.Thousands(i)) + `"`
	}
	r := draw(open(`{"properties":{"e":{"enum":[`+strings.Join(all, ",")+`]}}}`, form.Arguments), 74, 8)
	at := r.find(t, "10,000 found")
	if line := r.lines[at.Y]; !strings.Contains(line, "  10,000 found") {
		t.Errorf("the list runs into its count: %q", line)
	}
}

// What a server gives as a default that is none is quoted as the JSON that it is.
func TestAWrongDefaultIsQuotedOnce(t *testing.T) {
	r := draw(open(`{"properties":{"a":{"type":"integer","default":"abc"},"b":{"type":"string","default":12}}}`, form.Arguments), 74, 8)
	r.find(t, `the server's default "abc" does not fit`)
	r.find(t, `the server's default 12 does not fit`)
}

func TestATitleThatSaysNoMoreIsNotRepeated(t *testing.T) {
	for _, tt := range []struct {
		title, name string
		same        bool
	}{{"Name", "name", true}, {"Sails at", "sails_at", true}, {"Sails-At", "sails at", true}, {"Signal flags", "flags", false}, {"", "x", false}} {
		if got := hasSameWords(tt.title, tt.name); got != tt.same {
			t.Errorf("%q and %q: %v", tt.title, tt.name, got)
		}
	}
}

// What was filled in can be read whole, line by line.
func TestWrite(t *testing.T) {
	f := open(`{"properties":{"text":{"type":"string"},"pet":{"enum":["cat","dog"]},"tags":{"type":"array","items":{"enum":["A","B"]}},"n":{"type":"integer"}}}`, form.Arguments)
	if err := f.Load([]byte(`{"text":"one\ntwo three fourteen","pet":"dog","tags":["A","B"]}`)); err != nil {
		t.Fatal(err)
	}
	d := doc.New(24, 20)
	f.Writing()(d)
	var lines []string
	for _, l := range d.Lines {
		lines = append(lines, strings.TrimRight(l.String(), " "))
	}
	const all = "text     one\n         two three\n         fourteen\npet      dog\ntags     A, B\nn        unset"
	if got := strings.Join(lines, "\n"); got != all {
		t.Errorf("got\n%s\nwant\n%s", got, all)
	}
	f.Flip()
	d = doc.New(24, 20)
	f.Writing()(d)
	if len(d.Lines) == 0 || d.Lines[0].String() != "{" {
		t.Errorf("the raw side is %v", d.Lines)
	}
}

// What is taken of a form stays as it was, so that it can be written beside the screen.
func TestWhatIsTakenOfAFormStays(t *testing.T) {
	f := open(`{"properties":{"text":{"type":"string"},"pet":{"enum":["cat","dog"]},"list":{"type":"array","items":{"type":"string"}}}}`, form.Arguments)
	if err := f.Load([]byte(`{"text":"one","pet":"dog","list":["x"]}`)); err != nil {
		t.Fatal(err)
	}
	written := func(write func(d *doc.Doc)) string {
		d := doc.New(24, 20)
		write(d)
		return fmt.Sprint(d.Lines)
	}
	write := f.Writing()
	before := written(write)
	typed(f, " and more")
	_, _, put := f.Outside()
	put("two")
	if now := written(write); now != before || now == written(f.Writing()) {
		t.Errorf("got\n%s\nwant\n%s", now, before)
	}
	if err := f.Load([]byte(`{"pet":"cat","list":["y","z"]}`)); err != nil {
		t.Fatal(err)
	}
	if now := written(write); now != before {
		t.Errorf("another value is written:\n%s", now)
	}
	f.Flip()
	write = f.Writing()
	before = written(write)
	put("no JSON")
	if now := written(write); now != before {
		t.Errorf("got\n%s\nwant\n%s", now, before)
	}
}

// Of a form no more is read at once than a document takes.
func TestWhatIsReadOfAFormIsBounded(t *testing.T) {
	const many = 100
	var names, props, values []string
	for i := range many {
		names = append(names, fmt.Sprintf(`"%d %s"`, i, strings.Repeat("wo rd ", 200)))
		props = append(props, fmt.Sprintf(`"p%d":{"enum":[%s]}`, i, names[i]))
		values = append(values, fmt.Sprintf(`"p%d":%s`, i, names[i]))
	}
	f := open(`{"properties":{"all":{"type":"array","items":{"enum":[`+strings.Join(names, ",")+`]}},`+strings.Join(props, ",")+`}}`, form.Arguments)
	for _, value := range []string{`{"all":[` + strings.Join(names, ",") + `]}`, `{` + strings.Join(values, ",") + `}`} {
		if err := f.Load([]byte(value)); err != nil {
			t.Fatal(err)
		}
		write := f.Writing()
		looked := func(bound int) (n int) {
			d := doc.New(80, 5000)
			d.Bound(bound)
			safe.Looked = func(bytes int) { n += bytes }
			defer func() { safe.Looked = nil }()
			if write(d); d.IsCut() != (bound < many*1000) {
				t.Errorf("%.6s: of %d bytes it is cut: %v", value, bound, d.IsCut())
			}
			return n
		}
		if some, all := looked(many*100), looked(many*2000); 3*some > all {
			t.Errorf("%.6s: %d bytes are looked at of a tenth, %d of all", value, some, all)
		}
	}
}

// A secret is not shown while it is typed, whatever tells that the field is one. A key shows it, until the
// focus leaves the field. What is sent is what was typed.
func TestASecretIsNotShown(t *testing.T) {
	const schema = `{"properties":{%s,"note":{"type":"string"}}}`
	for name, field := range map[string]string{
		"its name":          `"api_key":{"type":"string"}`,
		"its title":         `"p":{"type":"string","title":"Your password"}`,
		"its format":        `"p":{"type":"string","format":"password"}`,
		"it is for writing": `"p":{"type":"string","writeOnly":true}`,
		"a number":          `"pin":{"type":"integer"}`,
	} {
		const value = "4711002"
		f := open(fmt.Sprintf(schema, field), form.Arguments)
		if f.Scope()&InSecret == 0 {
			t.Errorf("%s: the key does not work", name)
		}
		typed(f, value)
		r := draw(f, 60, 12)
		if all := strings.Join(r.lines, "\n"); strings.Contains(all, value) || strings.Contains(all, value[:3]) || !strings.Contains(all, " ••••••• ") {
			t.Errorf("%s:\n%s", name, all)
		}
		if at := r.find(t, "•••••••"); *r.cursor != at.Add(image.Pt(len(value), 0)) {
			t.Errorf("%s: the cursor is at %v, behind %v", name, r.cursor, at)
		}
		f.Bare()
		draw(f, 60, 12).find(t, value)
		if f.Scope()&(InSecret|InBared) != InBared {
			t.Errorf("%s: it is shown, and to be shown", name)
		}
		f.Hide()
		draw(f, 60, 12).find(t, "•••••••")
		f.Bare()
		f.Next(1)
		if f.Scope()&(InSecret|InBared) != 0 {
			t.Errorf("%s: the key works in another field", name)
		}
		typed(f, "plain")
		r = draw(f, 60, 12)
		r.find(t, "plain")
		r.find(t, "•••••••")
		f.Next(-1)
		draw(f, 60, 12).find(t, "•••••••")
		if got := string(f.Form().JSON()); !strings.Contains(got, value) || !strings.Contains(got, "plain") {
			t.Errorf("%s: %s", name, got)
		}
		d := doc.New(24, 20)
		f.Writing()(d)
		for _, l := range d.Lines {
			if strings.Contains(l.String(), value) {
				t.Errorf("%s: to be read is %q", name, l.String())
			}
		}
	}
}

// What is in a list of secrets is one, also where it is written as JSON, and what is wrong with it
// does not tell it.
func TestTheItemsOfASecretAreNotShown(t *testing.T) {
	f := open(`{"properties":{"passwords":{"type":"array","items":{"type":"string","minLength":20}}}}`, form.Arguments)
	f.Add()
	typed(f, "hunter22")
	if _, problem, _ := f.Value(); problem == "" {
		t.Error("it is long enough")
	}
	sees := func() {
		t.Helper()
		if all := strings.Join(draw(f, 60, 12).lines, "\n"); strings.Contains(all, "hunter22") || !strings.Contains(all, "••••••••") {
			t.Errorf("it shows\n%s", all)
		}
	}
	sees()
	f.FlipField()
	sees()
}

// The option that belay adds is not what a server's option is called.
func TestAnOptionThatIsCalledUnset(t *testing.T) {
	for name, want := range map[string]string{"unset": `"unset"`, "Unset": `"Unset"`, "yes": "yes", "no one": `"no one"`} {
		if got := string(optionText(name, 30)); got != want {
			t.Errorf("%s is written as %s, want %s", name, got, want)
		}
	}
}

// The note of a row without the focus is whole where there is room for all rows, and one
// line where there is not.
func TestNotesUseTheRoomThereIs(t *testing.T) {
	const words = "A description that is longer than one line of a form of forty columns, and says this last."
	f := open(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string","description":"`+words+`"}}}`, form.Arguments)
	for _, tt := range []struct {
		h     int
		whole bool
	}{{20, true}, {3, false}} {
		if h := f.Height(60, tt.h); tt.whole && h > tt.h {
			t.Fatalf("it asks for %d rows of %d", h, tt.h)
		}
		r := draw(f, 60, tt.h)
		if got := strings.Join(strings.Fields(strings.Join(r.lines, " ")), " "); strings.Contains(got, "says this last.") != tt.whole {
			t.Errorf("%d rows:\n%s", tt.h, strings.Join(r.lines, "\n"))
		}
	}
}

// Where there is no room for the notes of all rows, that of the row with the focus is whole, with
// a part of the others in view, and shows that it is cut where it is longer than the form.
func TestTheNoteOfTheFocusIsWholeWhereThereIsRoom(t *testing.T) {
	words := strings.Repeat("Words that say what the field is for. ", 12) + "This is the last."
	field := `{"type":"string","description":"` + words + `"}`
	f := open(`{"type":"object","properties":{"a":`+field+`,"b":`+field+`,"c":`+field+`,"d":`+field+`}}`, form.Arguments)
	for range 4 {
		for h := 3; h <= 20; h++ {
			f.Height(60, h)
			r := draw(f, 60, h)
			got := strings.Join(strings.Fields(strings.Join(r.lines, " ")), " ")
			lines := strings.Count(strings.Join(r.lines, "\n"), "Words that")
			switch whole := strings.Contains(strings.ReplaceAll(got, "┃ ", ""), "This is the last."); {
			case h >= 15 && !whole:
				t.Fatalf("%d rows: the note of the focus is cut:\n%s", h, strings.Join(r.lines, "\n"))
			case !whole && !strings.Contains(got, "…"):
				t.Fatalf("%d rows: nothing says that it is cut:\n%s", h, strings.Join(r.lines, "\n"))
			case lines == 0:
				t.Fatalf("%d rows: nothing of it is seen:\n%s", h, strings.Join(r.lines, "\n"))
			}
		}
		f.Next(1)
	}
}

// What the server proposes for a secret is not shown either, wherever it would stand, before the key is
// pressed in its field.
func TestTheDefaultOfASecretIsNotShown(t *testing.T) {
	for name, tt := range map[string]struct {
		field, secret string
		required      bool
	}{
		"unset":                       {`"api_key":{"type":"string","default":"hunter22"}`, "hunter22", false},
		"filled in":                   {`"api_key":{"type":"string","default":"hunter22"}`, "hunter22", true},
		"a number":                    {`"pin":{"type":"integer","default":471100}`, "471100", false},
		"one that does not fit":       {`"api_key":{"type":"string","minLength":20,"default":"hunter22"}`, "hunter22", false},
		"an option":                   {`"password":{"enum":["hunter22","hunter23"],"default":"hunter22"}`, "hunter2", false},
		"an option that is chosen":    {`"password":{"enum":["hunter22","hunter23"],"default":"hunter22"}`, "hunter2", true},
		"options":                     {`"passwords":{"type":"array","items":{"enum":["hunter22","hunter23"]},"default":["hunter22"]}`, "hunter2", true},
		"a constant":                  {`"password":{"const":"hunter22"}`, "hunter22", true},
		"a list":                      {`"passwords":{"type":"array","items":{"type":"string"},"default":["hunter22"]}`, "hunter22", false},
		"a member of an object":       {`"auth":{"type":"object","properties":{"p":{"type":"string","format":"password"}},"default":{"p":"hunter22"}}`, "hunter22", false},
		"a member of anything":        {`"auth":{"default":{"api_key":"hunter22"}}`, "hunter22", false},
		"one that is filled in there": {`"auth":{"default":{"api_key":"hunter22"}}`, "hunter22", true},
	} {
		t.Run(name, func(t *testing.T) {
			schema := `{"properties":{` + tt.field + `,"note":{"type":"string","default":"plain words"}}}`
			if tt.required {
				before, _, _ := strings.Cut(tt.field, ":")
				schema = schema[:len(schema)-1] + `,"required":[` + before + `]}`
			}
			f := open(schema, form.Arguments)
			hides := func() {
				t.Helper()
				all := strings.Join(draw(f, 100, 20).lines, "\n")
				if strings.Contains(all, tt.secret) || !strings.Contains(all, "plain words") {
					t.Errorf("it shows\n%s", all)
				}
				d := doc.New(80, 20)
				f.Writing()(d)
				for _, l := range d.Lines {
					if strings.Contains(l.String(), tt.secret) {
						t.Errorf("to be read is %q", l.String())
					}
				}
			}
			hides()
			if f.Scope()&InSecret == 0 {
				t.Error("the key does not work")
			}
			f.Bare()
			draw(f, 100, 20).find(t, tt.secret)
			if f.Scope()&InBared == 0 {
				t.Error("it cannot be hidden again")
			}
			f.Hide()
			hides()
			f.Bare()
			f.Next(1)
			hides()
		})
	}
}

// The keys that choose do nothing among options that are not shown, and say why. What is no secret but
// has the name of one is shown.
func TestHiddenOptionsAreNotChosen(t *testing.T) {
	var many []string
	for i := range 40 {
		many = append(many, fmt.Sprintf(`"hunter%d"`, i))
	}
	for _, options := range []string{`"hunter22","hunter23"`, strings.Join(many, ",")} {
		f := open(`{"properties":{"password":{"enum":[`+options+`]}}}`, form.Arguments)
		f.Turn(1)
		f.Paste("hunter2")
		if _, why := f.Key(edit.Key{Name: "h", Text: "h"}); !strings.Contains(string(why), "alt+s shows") {
			t.Errorf("a letter says %q", why)
		}
		want(t, f, `{}`)
		draw(f, 80, 10).find(t, "unset · alt+s shows the options")
		f.Bare()
		f.Turn(1)
		if got := string(f.Form().JSON()); got == `{}` {
			t.Error("an option that is shown is not chosen")
		}
		f.Hide()
		draw(f, 80, 10).find(t, "•••••••• · alt+s shows the options")
		f.Unset()
		want(t, f, `{}`)
	}
	f := open(`{"properties":{"save_password":{"type":"boolean","default":true}}}`, form.Arguments)
	draw(f, 80, 10).find(t, "the server's default is true")
	f.Turn(1)
	draw(f, 80, 10).find(t, "[true]")
}
