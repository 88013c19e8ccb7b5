package session

import (
	"belay/session/rawjson"
	"belay/session/sentence"
)

// Compared is a field of the head of a request, beside what its body says in the
// place that the field repeats.
type Compared struct {
	Field string
	Head  string // as it was sent
	Body  string // as JSON, cut when it is long; empty: it says nothing there
}

// compare sets the head of a request that went out over HTTP beside its body, for an error that
// says that they differ (ERR-07; basic).
func (g *catalog) compare(r *request) (list []Compared) {
	if r.out == nil {
		return nil
	}
	body := r.out.Data
	params := rawjson.At(body, "params")
	for _, h := range r.out.Header {
		var said []byte
		switch h.Name {
		case headerVersion:
			said = rawjson.At(rawjson.At(params, "_meta"), metaVersion)
		case headerMethod:
			said = rawjson.At(body, "method")
		case headerName:
			if said = rawjson.At(params, "name"); r.method == "resources/read" {
				said = rawjson.At(params, "uri")
			}
		default:
			said = g.mirroredValue(params, h.Name)
		}
		list = append(list, Compared{Field: h.Name, Head: h.Value, Body: sentence.Clip(string(said))})
	}
	return list
}

// mirroredValue is the parameter that a field repeats, by the tools that were
// listed last.
func (g *catalog) mirroredValue(params []byte, field string) []byte {
	name, _ := rawjson.TextAt(params, "name")
	for _, m := range g.mirrors.of[name] {
		if m.Header != field {
			continue
		}
		value := rawjson.At(params, "arguments")
		for _, step := range m.Path {
			value = rawjson.At(value, step)
		}
		return value
	}
	return nil
}
