package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page is made of two files
	"encoding/base64"
	"html/template"
	"sync"

	"belay/internal/safe"
	"belay/internal/wording"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
)

// htmlPage is the page. html/template escapes what is put into it by where it stands.
var htmlPage = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report").Funcs(htmlFuncs).Parse(pageText))
})

var htmlFuncs = template.FuncMap{
	"style":   func() template.CSS { return template.CSS(pageStyle) },
	"policy":  policy,
	"facts":   func(e *Environment) []fact { return e.facts() },
	"of":      func(c *Call) []fact { return c.facts() },
	"wide":    func(c *Call) template.HTML { return template.HTML(svg(c, wide)) },
	"narrow":  func(c *Call) template.HTML { return template.HTML(svg(c, narrow)) },
	"precise": wording.Precise,
	"arrow":   func(w Way) safe.Text { return arrows[w] },
	"way":     func(w Way) string { return [...]string{Here: "here", Out: "out", In: "in"}[w] },
	"left":    left,
	"capital": capital,
}

// policy is what a browser may do with the page: draw it with its own style.
func policy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// HTML writes the report as one page that needs nothing else. Nothing in it runs, and
// nothing is fetched for it.
func (r *Report) HTML() []byte {
	var b bytes.Buffer
	if err := htmlPage().Execute(&b, leafOf(r)); err != nil {
		return []byte("<!doctype html><title>belay</title><p>The report could not be written: " + template.HTMLEscapeString(err.Error()))
	}
	return b.Bytes()
}

// leaf is what the page is made of: the methods of its parts are those of pointers.
type leaf struct {
	*Report
	Environment *Environment
	Pointers    []*Call
}

func leafOf(r *Report) leaf {
	l := leaf{Report: r, Environment: &r.Environment}
	for i := range r.Calls {
		l.Pointers = append(l.Pointers, &r.Calls[i])
	}
	return l
}
