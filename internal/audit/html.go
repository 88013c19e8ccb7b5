package audit

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page is made of two files
	"encoding/base64"
	"html/template"
	"sync"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
)

// htmlPage is the page. html/template escapes what is put into it by where it stands.
var htmlPage = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("audit").Funcs(template.FuncMap{
		"style":   func() template.CSS { return template.CSS(pageStyle) },
		"policy":  policy,
		"mark":    func(o Outcome) string { return string(outcomeMarks[o]) },
		"class":   func(o Outcome) string { return outcomeIDs[o] },
		"tries":   func(l Line) string { return l.tries() },
		"address": func(r *Report, l Line) string { return l.Duty.Address(r.Observed.Revision) },
	}).Parse(pageText))
})

// policy is what a browser may do with the page: draw it with its own style.
func policy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// html writes the report as one page that needs nothing else. Nothing in it runs.
func (r *Report) html(on FailOn) []byte {
	var b bytes.Buffer
	err := htmlPage().Execute(&b, map[string]any{
		"R": r, "Lines": r.Lines, "Head": r.heading(), "Grade": r.Grade(), "Early": reason(r.Observed.Stopped),
		"Counts": r.Counts().String(), "On": on.String(), "Exit": r.Exit(on),
		"Worst": map[bool]string{true: "fail", false: "pass"}[r.Counts().FailedMust+r.Counts().FailedShould > 0],
	})
	if err != nil {
		return []byte("<!doctype html><title>belay</title><p>The report could not be written: " + template.HTMLEscapeString(err.Error()))
	}
	return silenced(b.Bytes(), "&#91;")
}
