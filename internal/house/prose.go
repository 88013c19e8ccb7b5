package house

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"
)

// A doc sentence of fewer than shortSentence words with chainLength or more of
// these words leaves the nouns to the reader.
const (
	shortSentence = 25
	chainLength   = 4
)

var (
	chainWord   = regexp.MustCompile(`(?i)\b(of it|of them|that|what|which|who|one|it)\b`)
	sentenceEnd = regexp.MustCompile(`[.:;](\s|$)`)
	sayWhether  = regexp.MustCompile(`\b(says|tells) whether\b`)
)

// Chains returns the doc sentences of f that are hard to read, one line each with
// the position: pronouns chained in place of nouns, and predicates that do not
// begin with "reports whether".
func Chains(f File) (found []string) {
	if f.Test || f.Generated {
		return nil
	}
	for _, d := range f.AST.Decls {
		var docs []*ast.CommentGroup
		switch d := d.(type) {
		case *ast.FuncDecl:
			docs = append(docs, d.Doc)
		case *ast.GenDecl:
			docs = append(docs, d.Doc)
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					docs = append(docs, s.Doc)
				case *ast.ValueSpec:
					docs = append(docs, s.Doc)
				}
			}
		}
		for _, doc := range docs {
			if doc == nil {
				continue
			}
			for _, sentence := range sentenceEnd.Split(strings.Join(strings.Fields(doc.Text()), " "), -1) {
				if isChain(sentence) {
					found = append(found, fmt.Sprintf("%s:%d: %s", f.Path, f.Fset.Position(doc.Pos()).Line, strings.TrimSpace(sentence)))
				}
			}
		}
	}
	return found
}

func isChain(sentence string) bool {
	return sayWhether.MatchString(sentence) ||
		len(strings.Fields(sentence)) < shortSentence && len(chainWord.FindAllString(sentence, -1)) >= chainLength
}
