package repocheck

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

// A whole doc sentence, with its clauses, is dense when so many of its words stand for nouns:
// fewer than five and a half words to each, from fewChained of them on, and fewer than five
// to each of four.
const fewChained = 5

var (
	chainWord   = regexp.MustCompile(`(?i)\b(of it|of them|that|what|which|who|one|it)\b`)
	sentenceEnd = regexp.MustCompile(`[.:;](\s|$)`)
	denseWord   = regexp.MustCompile(`(?i)\b(of it|of them|that|what|which|who|one|it|them|there)\b`)
	fullStop    = regexp.MustCompile(`\.(\s|$)`)
	sayWhether  = regexp.MustCompile(`\b(says|tells) whether\b`)
)

// Chains returns the doc sentences of f that are hard to read, one line each with
// the position: pronouns chained in place of nouns, and predicates that do not
// begin with "reports whether".
func Chains(f File) []string { return sentences(f, sentenceEnd, isChain) }

// Dense returns the doc sentences of f in which too many words stand for nouns, one line
// each with the position.
func Dense(f File) []string { return sentences(f, fullStop, isDense) }

func sentences(f File, end *regexp.Regexp, is func(string) bool) (found []string) {
	if f.Test || f.Generated {
		return nil
	}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		for _, sentence := range end.Split(strings.Join(strings.Fields(docOf(n).Text()), " "), -1) {
			if is(sentence) {
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

func isDense(sentence string) bool {
	words, chained := len(strings.Fields(sentence)), len(denseWord.FindAllString(sentence, -1))
	return chained >= fewChained && 2*words <= 11*chained || chained == fewChained-1 && 2*words < 10*chained
}
