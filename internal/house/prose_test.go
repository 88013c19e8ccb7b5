package house

import (
	"go/parser"
	"go/token"
	"testing"
)

func TestDocSentencesHaveNouns(t *testing.T) {
	_, files := tree(t)
	for _, f := range files {
		for _, s := range Chains(f) {
			t.Error(s + ": name the nouns")
		}
	}
}

func TestChainsAreSeen(t *testing.T) {
	for sentence, want := range map[string]bool{
		"subscribed finds the row of the user's that subscribes to all that a call is to subscribe to, so that there is one": true,
		"subscribed returns the user's row that already covers everything spec would subscribe to, or nil":                   false,
		"as what it takes of it is that which was read":                                                                      true,
		"Logout reports the token that belay has deleted, and whether it was revoked":                                        false,
		"live says whether x belongs to the connection":                                                                      true,
		"live reports whether x belongs to the connection":                                                                   false,
		"noneOfThese whichever, item, itself and others that begin alike: onerous, whatever, whoever, somewhat":              false,
	} {
		if got := isChain(sentence); got != want {
			t.Errorf("%v: %s", got, sentence)
		}
	}
}

func TestEveryDocIsRead(t *testing.T) {
	const chain = "// as what it takes of it is that which was read\n"
	for name, source := range map[string]string{
		"a package":             chain + "package a",
		"a function":            "package a\n" + chain + "func f() {}",
		"a type":                "package a\n" + chain + "type t int",
		"a type of a list":      "package a\ntype (\n" + chain + "t int\n)",
		"a constant":            "package a\nconst (\n" + chain + "c = 1\n)",
		"a field":               "package a\ntype t struct {\n" + chain + "f int\n}",
		"a method":              "package a\ntype t interface {\n" + chain + "m()\n}",
		"a field of a variable": "package a\nvar v struct {\n" + chain + "f int\n}",
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "a.go", source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if found := Chains(File{Path: "a.go", AST: file, Fset: fset}); len(found) != 1 {
			t.Errorf("%s: %q", name, found)
		}
	}
}
