package repocheck

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"unicode"
)

// beginnings are the words that a predicate may begin with, beside verbs in the third person.
var beginnings = []string{"is", "has", "have", "had", "can", "may", "must", "should", "will", "would", "could", "are", "was", "were", "did"}

// accustomed are names of predicates that the standard library has, and whoever writes Go knows.
var accustomed = []string{"Empty", "Equal", "Less", "Match", "Done", "In"}

// Adjectives returns the functions that only report whether something is so, by the first sentence of
// their doc comments, and whose names do not ask: such a name may be a state, a command or a noun as
// well. One line each.
func Adjectives(files []File) (found []string) {
	for _, f := range files {
		if f.Test || f.Generated {
			continue
		}
		for _, d := range f.AST.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(fn.Doc.Text(), fn.Name.Name+" reports whether") || asks(fn.Name.Name) {
				continue
			}
			found = append(found, fmt.Sprintf("%s:%d: %s", f.Path, f.Fset.Position(fn.Name.Pos()).Line, fn.Name.Name))
		}
	}
	slices.Sort(found)
	return found
}

// asks reports whether a name reads as a question: isOpen, mayAsk, holdsOne.
func asks(name string) bool {
	if slices.Contains(accustomed, name) {
		return true
	}
	word := name
	if end := strings.IndexFunc(name[1:], unicode.IsUpper); end >= 0 {
		word = name[:end+1]
	}
	word = strings.ToLower(word)
	return slices.Contains(beginnings, word) || strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss")
}

// questions are the words with which a name asks for a yes or a no.
var questions = []string{"is", "has", "had", "have", "can", "may", "was", "were", "are"}

// Unanswered returns the functions whose names ask a question, and which do not return a bool: a
// command, a handler or a reason that is called like a predicate. One line each.
func Unanswered(files []File) (found []string) {
	for _, f := range files {
		if f.Test || f.Generated {
			continue
		}
		for _, d := range f.AST.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !isQuestion(fn.Name.Name) || returnsBool(fn.Type) {
				continue
			}
			found = append(found, fmt.Sprintf("%s:%d: %s", f.Path, f.Fset.Position(fn.Name.Pos()).Line, fn.Name.Name))
		}
	}
	slices.Sort(found)
	return found
}

// isQuestion reports whether a name of several words begins with one of a question.
func isQuestion(name string) bool {
	end := strings.IndexFunc(name[1:], unicode.IsUpper)
	return end >= 0 && slices.Contains(questions, strings.ToLower(name[:end+1]))
}

func returnsBool(fn *ast.FuncType) bool {
	if fn.Results == nil {
		return false
	}
	return slices.ContainsFunc(fn.Results.List, func(r *ast.Field) bool {
		id, ok := r.Type.(*ast.Ident)
		return ok && id.Name == "bool"
	})
}
