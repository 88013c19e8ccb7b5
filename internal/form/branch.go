package form

import (
	"strconv"
	"strings"
)

// branchName returns the name of a variant: its title, its constant, the name of
// its reference, its enumerated values, or its type.
func (d *document) branchName(raw []byte, n int) string {
	k, err := d.keywords(raw, 0)
	if err != nil {
		return "variant " + strconv.Itoa(n)
	}
	if title := stringOf(k.get("title")); title != "" {
		return title
	}
	if members, err := d.members(k.get("properties")); err == nil {
		for _, m := range members {
			if !d.effort.take(1) {
				break
			}
			kp, err := d.keywords(m.Value, 0)
			if err == nil && kp.has("const") {
				return scalarText(kp.get("const"))
			}
		}
	}
	if ref, ok := d.pureRef(raw); ok {
		return ref[strings.LastIndex(ref, "/")+1:]
	}
	if name := d.byMembers(k); name != "" {
		return name
	}
	if options, _ := d.enumerated(k, fewMost+1); len(options) > 0 {
		titles := make([]string, len(options))
		for i, o := range options {
			titles[i] = o.Title
		}
		return few(titles)
	}
	types, _ := d.typesOf(k)
	if len(types) == 1 {
		if item, err := d.keywords(k.get("items"), 0); err == nil {
			if of, _ := d.typesOf(item); len(of) == 1 {
				if many := (&Type{Kind: kindNames[of[0]]}).plainWords(); many != "" {
					return typeWords[types[0]] + " of " + many
				}
			}
		}
		return typeWords[types[0]]
	}
	return "variant " + strconv.Itoa(n)
}

// byMembers names an object after its required members, or else after its
// optional ones.
func (d *document) byMembers(k *keywords) string {
	names := d.names(k.get("required"))
	if len(names) == 0 {
		members, _ := d.members(k.get("properties"))
		for _, m := range members[:min(len(members), fewMost+1)] {
			names = append(names, m.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "with " + few(names)
}

// fewMost is how many names stand for a variant.
const fewMost = 3

// few are the first of some names.
func few(names []string) string {
	if len(names) > fewMost {
		names = append(names[:fewMost:fewMost], "…")
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
