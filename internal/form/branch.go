package form

import (
	"encoding/json"
	"strconv"
	"strings"
)

// branchName is what a variant is called: its title, the constant that marks it,
// the name of what it refers to, what it enumerates, or its type.
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
	if options, _ := d.enumerated(k); len(options) > 0 {
		titles := make([]string, len(options))
		for i, o := range options {
			titles[i] = o.Title
		}
		return few(titles)
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
	var names []string
	if json.Unmarshal(k.get("required"), &names) != nil || len(names) == 0 {
		names = nil
		members, _ := ParseObject(k.get("properties"))
		for _, m := range members {
			names = append(names, m.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "with " + few(names)
}

// few are the first of some names.
func few(names []string) string {
	const most = 3
	if len(names) > most {
		names = append(names[:most:most], "…")
	}
	return strings.Join(names, ", ")
}

// number tells variants of the same name apart by their places.
func number(branches []Branch) {
	count, place := map[string]int{}, map[string]int{}
	for _, b := range branches {
		count[b.Name]++
	}
	for i := range branches {
		if name := branches[i].Name; count[name] > 1 {
			place[name]++
			branches[i].Name += " " + strconv.Itoa(place[name])
		}
	}
}
