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
	ast.Inspect(f.AST, func(n ast.Node) bool {
		for _, sentence := range sentenceEnd.Split(strings.Join(strings.Fields(docOf(n).Text()), " "), -1) {
			if isChain(sentence) {
				found = append(found, fmt.Sprintf("%s:%d: %s", f.Path, f.Fset.Position(n.Pos()).Line, strings.TrimSpace(sentence)))
			}
		}
		_, body := n.(*ast.BlockStmt)
		return !body
	})
	return found
}

// docOf returns the doc comment of a node: of a package, a declaration, a field or a
// method of an interface.
func docOf(n ast.Node) *ast.CommentGroup {
	switch n := n.(type) {
	case *ast.File:
		return n.Doc
	case *ast.FuncDecl:
		return n.Doc
	case *ast.GenDecl:
		return n.Doc
	case *ast.TypeSpec:
		return n.Doc
	case *ast.ValueSpec:
		return n.Doc
	case *ast.Field:
		return n.Doc
	}
	return nil
}

func isChain(sentence string) bool {
	return sayWhether.MatchString(sentence) ||
		len(strings.Fields(sentence)) < shortSentence && len(chainWord.FindAllString(sentence, -1)) >= chainLength
}
