package detail

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session/mcp"
	"belay/ui/doc"
	"belay/ui/write"
)

// audienceMost is how many are named for whom a part is; the specification has two.
const audienceMost = 4

// partDoc shows one part of a result.
func partDoc(d *write.Writer, p *mcp.Part) {
	st := d.Styles
	switch {
	case !p.Known:
		d.Add(0, doc.Span{Text: "an unknown type of content: ", Style: st.Warn}, doc.Span{Text: safe.QuotedCut(p.Type, 40), Style: st.Text})
		d.JSON(p.Raw)
	case p.HasText:
		if p.Type != "text" {
			d.Add(2, doc.Span{Text: partName(p), Style: st.Muted})
		}
		d.Quote(p.Text)
	case blobDoc(d, p):
	case p.Binary && !p.Sound:
		d.Add(2, doc.Span{Text: partWords(p), Style: st.Bad})
	case p.Binary || p.URI != "":
		d.Add(2, doc.Span{Text: partWords(p), Style: st.Info})
	default:
		d.JSON(p.Raw)
	}
	if t := annotationWords(p); t != "" {
		d.Add(2, doc.Span{Text: "  " + t, Style: st.Muted})
	}
}

// partName says what a part is, where it is no plain text.
func partName(p *mcp.Part) safe.Text {
	t := wording.Join(wording.NameIn(p.Type, 40), wording.NameIn(p.MIME, 60))
	if p.Name != "" {
		t = wording.Join(t, safe.QuotedCut(p.Name, 60))
	}
	return wording.Join(t, wording.NameIn(p.URI, 400))
}

// partWords are the name of a part, and the size of what it holds.
func partWords(p *mcp.Part) safe.Text {
	switch {
	case p.Binary && !p.Sound:
		return partName(p) + " · not base64"
	case p.Binary:
		return partName(p) + " · " + wording.Size(p.Size)
	}
	return partName(p)
}

// annotationWords are what the server says about a part, which decides nothing (SRV-24;
// server/resources).
func annotationWords(p *mcp.Part) safe.Text {
	var t safe.Text
	add := func(word, value safe.Text) {
		if value == "" {
			return
		}
		if t != "" {
			t += " · "
		}
		t += word + value
	}
	var audience safe.Text
	for i, role := range p.Audience[:min(len(p.Audience), audienceMost)] {
		if i > 0 {
			audience += " and "
		}
		audience += wording.NameIn(role, 20)
	}
	if more := len(p.Audience) - audienceMost; more > 0 {
		audience += " and " + wording.Thousands(more) + " more"
	}
	add("for ", audience)
	add("priority ", wording.NameIn(p.Priority, 60))
	add("changed ", wording.NameIn(p.Modified, 60))
	return t
}
