package form

// What the words of a note begin with.
const (
	brokenWords = "the schema is broken: "
	neverWords  = "the schema allows no value here"
)

// broken says in words what no schema may have, or "". It looks at the keywords of
// one schema whatever its type.
func (d *document) broken(k *keywords) string {
	for _, name := range []string{"enum", "anyOf", "oneOf", "type"} {
		raw := k.get(name)
		if raw == nil || name == "type" && kindOf(raw) == '"' {
			continue
		}
		switch parts, err := d.items(raw); {
		case err != nil:
			return brokenWords + name + " is no list"
		case len(parts) == 0 && name == "enum":
			return neverWords + ": enum is empty"
		case len(parts) == 0:
			return brokenWords + name + " is empty"
		}
	}
	for _, name := range []string{"pattern", "format"} {
		if raw := k.get(name); raw != nil && kindOf(raw) != '"' {
			return brokenWords + name + " is no text"
		}
	}
	for _, name := range []string{"minLength", "maxLength", "minItems", "maxItems"} {
		if raw := k.get(name); raw != nil && countOf(raw) == nil {
			return brokenWords + name + " is no count"
		}
	}
	for _, name := range numberLimits {
		raw := k.get(name)
		flag := kindOf(raw) == 't' && (name == "exclusiveMinimum" || name == "exclusiveMaximum") // draft 4
		if raw != nil && kindOf(raw) != '0' && !flag {
			return brokenWords + name + " is no number"
		}
	}
	if m := decimalOf(k.get("multipleOf")); m != nil && m.sign() <= 0 {
		return brokenWords + "multipleOf is not more than 0"
	}
	return ""
}

// isEmpty reports whether the values are enumerated, and there are none.
func (d *document) isEmpty(k *keywords) bool {
	parts, err := d.items(k.get("enum"))
	return err == nil && len(parts) == 0
}

// cross notes of limits that are the wrong way round that no value is within them.
func (t *Type) cross(k *keywords, low, high string) {
	least, most := decimalOf(k.get(low)), decimalOf(k.get(high))
	if least != nil && most != nil && least.cmp(*most) > 0 {
		t.never, t.Note = true, neverWords+": "+low+" is more than "+high
	}
}
