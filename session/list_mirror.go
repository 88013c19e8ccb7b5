package session

import (
	"fmt"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// mirrors is what the tools of the latest list want in the head.
//
//shape:part of catalog
type mirrors struct {
	of  map[string][]mcp.Mirror // by the name of the tool
	out map[string]string       // tools that must not be called over HTTP, and why
}

// mayMirror reports whether parameters are repeated in the head: only over HTTP, and in a revision
// that has it (HTM-35; basic/transports/streamable-http).
func (g *catalog) mayMirror() bool { return g.cfg.Transport == mcp.HTTP && g.conn.rev.IsModern() }

// learnTools takes what calls need of the tools of a page: the rest of their list
// may never come. What this connection does not repeat in the head is left out of
// them.
func (g *catalog) learnTools(l *list, page []mcp.Item) {
	g.learnOutputs(page)
	switch m := &g.mirrors; {
	case g.mayMirror():
		for i := range page {
			m.learn(&page[i])
		}
		return
	case g.conn.rev.IsModern():
		g.diagnoseUnfit(l, page)
	}
	for i := range page {
		page[i].Mirrors, page[i].Secrets, page[i].Unfit = nil, 0, ""
	}
}

func (m *mirrors) learn(it *mcp.Item) {
	if m.of == nil {
		*m = mirrors{of: map[string][]mcp.Mirror{}, out: map[string]string{}}
	}
	delete(m.of, it.Name)
	delete(m.out, it.Name)
	switch {
	case it.Unfit != "":
		m.out[it.Name] = it.Unfit
	case len(it.Mirrors) > 0:
		m.of[it.Name] = it.Mirrors
	}
}

// sortTools keeps the tools of a list that may be called, and sets the others apart (HTM-33,
// HTM-34, HTM-40; basic/transports/streamable-http).
func (g *catalog) sortTools(l *list) {
	if !g.mayMirror() {
		if l.unfit > unfitTold {
			g.event(fmt.Sprintf("%d more tools would be left out over HTTP", l.unfit-unfitTold))
		}
		return
	}
	g.mirrors = mirrors{of: map[string][]mcp.Mirror{}, out: map[string]string{}}
	kept := l.Items[:0]
	l.Excluded = nil
	secrets := 0
	for _, it := range l.Items {
		if it.Unfit != "" {
			l.Excluded = append(l.Excluded, it)
			g.mirrors.out[it.Name] = it.Unfit
			if len(l.Excluded) <= unfitTold {
				g.diagnose(mcp.DiagToolHeader, 0, sentence.Clip(it.Name)+"\x00"+it.Unfit, sentence.Name(it.Name)+": "+it.Unfit)
			}
			continue
		}
		kept = append(kept, it)
		if len(it.Mirrors) == 0 {
			continue
		}
		g.mirrors.of[it.Name] = it.Mirrors
		for _, m := range it.SecretMirrors(secretsTold - secrets) {
			what := fmt.Sprintf("%s of %s goes out as %s", sentence.Name(m.Name()), sentence.Name(it.Name), sentence.Name(m.Header))
			g.diagnose(mcp.DiagMirrorSecret, 0, sentence.Clip(it.Name)+"\x00"+m.Header, what)
		}
		secrets += int(it.Secrets)
	}
	clear(l.Items[len(kept):])
	l.Items = kept
	if more := len(l.Excluded) - unfitTold; more > 0 {
		g.event(sentence.Count(more, "more tool is left out", "more tools are left out"))
	}
	if more := secrets - secretsTold; more > 0 {
		g.event(sentence.Count(more, "more parameter that looks like a secret is", "more parameters that look like secrets are") + " to be sent in the head, too")
	}
}

// Of the tools of a list so many are told of, and the others are counted: a server may list
// thousands.
const (
	unfitTold   = 5  // tools that are left out over HTTP, or would be
	secretsTold = 20 // parameters that look like secrets
)

// diagnoseUnfit tells of tools that HTTP would leave out: stdio has no head.
func (g *catalog) diagnoseUnfit(l *list, page []mcp.Item) {
	for i := range page {
		it := &page[i]
		if it.Unfit == "" {
			continue
		}
		if l.unfit++; l.unfit <= unfitTold {
			g.event(fmt.Sprintf("%s would be left out over HTTP: %s", sentence.Name(it.Name), it.Unfit))
		}
	}
}

// exclusionOf says why a call of a tool is refused. What the user typed as a
// request goes out as it was typed.
func (g *catalog) exclusionOf(spec *CallSpec) string {
	if spec.Method != "tools/call" || spec.Raw || len(g.mirrors.out) == 0 {
		return ""
	}
	return g.mirrors.out[targetOf(spec.Method, spec.Params)]
}

// paramHeaders are the fields for the parameters of a call, by the schema that was fetched last,
// and why some do not go out; a tool that was not listed has none (HTM-40, HTM-41;
// basic/transports/streamable-http).
func (g *catalog) paramHeaders(spec *CallSpec, tool string) (fields []Header, omitted []string) {
	list := g.mirrors.of[tool]
	if len(list) == 0 {
		return nil, nil
	}
	arguments, _ := rawjson.Lookup(spec.Params, "arguments")
	return mirrored(list, arguments)
}
