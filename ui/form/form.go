package form

import "slices"

// Form is the fields of a schema, and the members that have no field.
type Form struct {
	Schema Schema
	Fields []Field
	order  []string // of the members, as the raw JSON had them
	extra  map[string][]byte
}

// New makes a form with the defaults of what is required.
func New(s Schema) *Form {
	f := &Form{Schema: s, extra: map[string][]byte{}}
	for _, spec := range s.Fields {
		f.Fields = append(f.Fields, newField(spec))
	}
	return f
}

// JSON is the object that the form means. Members without a field are in it as
// they were given, and those that came in an order keep it.
func (f *Form) JSON() []byte {
	var members []Member
	done := map[string]bool{}
	add := func(name string, value []byte) {
		if value != nil && !done[name] {
			done[name] = true
			members = append(members, Member{name, value})
		}
	}
	for _, name := range f.order {
		if i := f.index(name); i >= 0 {
			add(name, f.Fields[i].value())
		} else {
			add(name, f.extra[name])
		}
	}
	for i := range f.Fields {
		add(f.Fields[i].Name, f.Fields[i].value())
	}
	return AppendObject(nil, members)
}

func (f *Form) index(name string) int {
	return slices.IndexFunc(f.Fields, func(x Field) bool { return x.Name == name })
}

// SetJSON takes an object over. What a field cannot show is kept and sent as it
// is. An object that a form could not give back as it was (a member twice, no
// JSON) is refused, and the form stays as it is.
func (f *Form) SetJSON(raw []byte) error {
	members, err := ParseObject(raw)
	if err != nil {
		return err
	}
	for i := range f.Fields {
		f.Fields[i].Unset()
	}
	f.order, f.extra = nil, map[string][]byte{}
	for _, m := range members {
		f.order = append(f.order, m.Name)
		if i := f.index(m.Name); i >= 0 {
			f.Fields[i].take(m.Value)
		} else {
			f.extra[m.Name] = m.Value
		}
	}
	return nil
}

// Extra counts the members that have no field, or a value that no field can
// show.
func (f *Form) Extra() int {
	n := len(f.extra)
	for i := range f.Fields {
		if f.Fields[i].Held() {
			n++
		}
	}
	return n
}

// Problem is the first field that has something wrong, and what; -1 when the
// form can be sent.
func (f *Form) Problem() (int, string) {
	for i := range f.Fields {
		if p := f.Fields[i].Problem(); p != "" {
			return i, p
		}
	}
	return -1, ""
}
