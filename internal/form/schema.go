// Package form is the form for a value that a JSON schema describes: the fields of
// the schema, the text typed into them, the faults of that text, and the resulting
// JSON. It draws nothing.
//
// A schema is a tree of [Type]s and the value a tree of [Node]s. A node that
// nobody touched keeps the JSON that it was loaded from, to the digit. A value
// that its type cannot show, and a type that belay does not know, are shown as
// JSON in the place where they are; everything around them stays a form.
//
// A type is what of its schema a field can show, and finds wrong what a field can
// say by itself. Whether the whole value keeps to the whole schema is judged by
// its rules, which know nothing of fields; the two meet in [Node.Problem]. Nothing
// that a schema refers to elsewhere is ever fetched.
//
// Two validators were weighed and not taken, github.com/google/jsonschema-go and
// github.com/santhosh-tekuri/jsonschema: they check a value whose numbers are float64 already,
// name the place of a fault and no field, give up the whole schema for one pattern that Go's
// regexp does not know, and have no bound for the work that a hostile schema makes.
package form

import (
	"bytes"
	"regexp"
)

// Use is what the value of a form is for.
type Use uint8

const (
	// Arguments are those of a call: defaults are filled in where something is
	// required, and a value of the wrong kind that was written as JSON may be
	// sent, to see what the server makes of it.
	Arguments Use = iota
	// Answer is one to a question of the server's: every default is filled in,
	// and nothing that breaks the schema passes as right.
	Answer
	// AnswerJune2025 is an answer of revision 2025-06-18, in which only booleans
	// have defaults.
	AnswerJune2025
)

// Schema is what a form asks for: an object, or one of several.
type Schema struct {
	root   *Type
	rules  *rules
	use    Use
	effort *effort
}

// ParseSchema reads the schema of an object. Of one that is missing or cannot be
// understood no field is shown, and a note says why; members can still be
// written as JSON.
func ParseSchema(raw []byte) Schema {
	e := &effort{left: Beside, turn: Beside}
	return parseSchema(raw, e)
}

func parseSchema(raw []byte, e *effort) Schema {
	if len(raw) > SchemaMost {
		return Schema{root: &Type{Kind: Object, Note: TooLarge}, effort: e}
	}
	d := newDocument(raw, e)
	return Schema{root: d.rootType(), rules: &rules{doc: d}, effort: e}
}

// NotShown begins the note about what is too much for fields.
const NotShown = "not shown here: "

// TooLarge is the note about a schema that is not read, as it is too large.
const TooLarge = "the schema is too large to be shown as a form"

// For returns the same schema for another use.
func (s Schema) For(u Use) Schema {
	s.use = u
	return s
}

// TextField is a field of [Texts]. All but Required is foreign text.
type TextField struct {
	Name, Title, About string
	Required           bool
}

// Texts is a schema of nothing but texts, as the arguments of a prompt are.
func Texts(fields []TextField) Schema {
	t := &Type{Kind: Object}
	if len(fields) > propsMost {
		t.Note, fields = tooManyProps, nil
	}
	for _, f := range fields {
		text := &Type{Kind: Text, Title: clipTo(f.Title, shownMost), About: clipTo(f.About, shownMost)}
		t.Props = append(t.Props, Prop{Name: f.Name, Required: f.Required, typ: text})
	}
	return Schema{root: t, effort: &effort{left: Beside, turn: Beside}}
}

// Kind is what a node holds.
type Kind uint8

// The kinds.
const (
	JSON    Kind = iota // whatever is written: the schema says nothing that a form could show
	Text                // may have several lines
	Number              //
	Integer             //
	Choice              // one of some options
	Many                // any of some options, each once
	List                // items of one type, in an order
	Object              // members
	Variant             // a value of one of several types
)

// Option is one of the values of a Choice or of Many. Title is foreign.
type Option struct {
	Title string
	Value []byte // raw JSON
	canon string
	lower string
}

// Type is what a schema says about a value. Title, About, Pattern, Format and the
// names of members and variants are foreign text.
type Type struct {
	Kind         Kind
	Title, About string
	Default      []byte // raw JSON; nil: none
	Nullable     bool
	Secret       bool   // the schema says that it is one: writeOnly, or the format password
	Fixed        bool   // a Choice that has one option because it is a constant
	Note         string // what of the schema belay cannot heed, in words; may quote the schema
	tried, fits  bool   // whether the default was looked at, and is a value of the schema
	never        bool   // no value is right, as the note says

	Min, Max           *decimal
	AboveMin, BelowMax *decimal // exclusive
	Multiple           *decimal
	MinLength          *int
	MaxLength          *int
	Pattern            string
	Format             string
	re                 *regexp.Regexp
	size               int // of the pattern, in steps

	Options []Option
	places  map[string]int // of the options, by their values
	inline  bool           // the options fit in a row

	MinItems, MaxItems *int
	Unique             bool
	items              *lazy
	prefix             []*lazy // of the first items, where they have types of their own

	Props []Prop
	other *lazy // of members that have no property; nil: none may be added
	free  bool  // the schema of the object names no members at all

	Variants []Branch
}

// Prop is a property of an object.
type Prop struct {
	Name     string
	Required bool
	typ      *Type
	lazy     *lazy
}

// Type is the type of the property.
func (p *Prop) Type() *Type {
	if p.typ == nil {
		p.typ = p.lazy.get()
	}
	return p.typ
}

// Branch is one of the types that a Variant can have.
type Branch struct {
	Name string
	lazy *lazy
}

// lazy is a type that is read when it is needed: schemas may contain themselves.
type lazy struct {
	doc *document
	raw []byte
	typ *Type
}

// get is the type. One that would take too much effort now is read another time.
func (l *lazy) get() *Type {
	if l.typ == nil {
		t := l.doc.parse(l.raw)
		if l.doc.effort.isOver() {
			return &Type{Note: errTooMuch.Error()}
		}
		l.typ = t
	}
	return l.typ
}

// itemType is the type of the item at i.
func (t *Type) itemType(i int) *Type {
	if i < len(t.prefix) {
		return t.prefix[i].get()
	}
	if t.items == nil {
		return &Type{}
	}
	return t.items.get()
}

// Extends reports whether an object takes members that have no property.
func (t *Type) Extends() bool { return t.Kind == Object && t.other != nil }

// Empty reports whether there is nothing to fill in.
func (f *Form) Empty() bool {
	t := f.Root.Type
	return t.Kind == Object && len(t.Props) == 0 && t.Note == "" && (t.other == nil || t.other.isAny())
}

// isAny reports whether the type is that of any value.
func (l *lazy) isAny() bool {
	raw := string(bytes.TrimSpace(l.raw))
	return raw == "true" || raw == "{}"
}
