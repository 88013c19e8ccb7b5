package form

import (
	"encoding/json"
	"strconv"
	"strings"
)

// branchName is what a variant is called: its title, the constant that marks it,
// the name of what it refers to, or its type.
func (d *document) branchName(raw []byte, n int) string {
	k, err := d.keywords(raw, 0)
	if err != nil {
		return "variant " + strconv.Itoa(n)
	}
	if title := stringOf(k.get("title")); title != "" {
		return title
	}
	if members, err := ParseObject(k.get("properties")); err == nil {
		for _, m := range members {
			kp, err := d.keywords(m.Value, 0)
			if err == nil && kp.has("const") {
				return scalarText(kp.get("const"))
			}
		}
	}
	if ref, ok := pureRef(raw); ok {
		return ref[strings.LastIndex(ref, "/")+1:]
	}
	if name := byMembers(k); name != "" {
		return name
	}
	types, _ := typesOf(k)
	if len(types) == 1 {
		if item, err := d.keywords(k.get("items"), 0); err == nil {
			if of, _ := typesOf(item); len(of) == 1 {
				if many := (&Type{Kind: kindNames[of[0]]}).plainWords(); many != "" {
					return typeWords[types[0]] + " of " + many
				}
			}
		}
		return typeWords[types[0]]
	}
	if options, _ := d.enumerated(k); len(options) > 0 {
		return "one of " + strconv.Itoa(len(options))
	}
	return "variant " + strconv.Itoa(n)
}

func oneOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// byMembers tells an object from others by what it must have, or else by what it
// may have.
func byMembers(k *keywords) string {
	const most = 3
	var names []string
	if json.Unmarshal(k.get("required"), &names) != nil || len(names) == 0 {
		names = nil
		members, _ := ParseObject(k.get("properties"))
		for _, m := range members {
			names = append(names, m.Name)
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case len(names) > most:
		names = append(names[:most:most], "…")
	}
	return "with " + strings.Join(names, ", ")
}
