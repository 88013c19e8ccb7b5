package repocheck

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

func TestDenseSentences(t *testing.T) {
	_, files := tree(t)
	for _, f := range files {
		for _, s := range Dense(f) {
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
	for sentence, want := range map[string]bool{
		"refusedClient adds to a refusal what it means for who belay is there: a client that belay has registered, and that is not known any more, is registered anew by the next login": true,
		"refusedClient explains invalid_client: a client that belay registered and the authorization server has forgotten is registered again at the next login":                         false,

		"diagnoseAcceptStatus tells of a success that is not the one there is for what awaits no answer (HTL-09)":                                       true,
		"diagnoseAcceptStatus diagnoses a 2xx other than 202 Accepted in answer to a notification or a response (HTL-09; 2025-11-25, basic/transports)": false,

		"On stdio nothing says so, but since 2026-07-28 it can only be one that asks for them, so that it is known where that is one alone (LOG-06)": true,
		"Since 2026-07-28 a server may log only for requests that set a level; if exactly one such request is in flight, the message is its own":     false,

		"Whether there are roots is all the news of them that there is in the modern era; it reports whether they are declared":      true,
		"redeclare rebuilds the capabilities that are sent with every request from now on, and reports whether roots are among them": false,

		"leaveOut counts what an error lists, and what cannot be shown of it: who has a call that failed for want of it must learn why nothing can be visited": true,
		"leaveOut counts an address of error -32042 that cannot be shown, so that the user learns why a failed call offers nothing to open":                    false,
	} {
		if got := isDense(sentence); got != want {
			t.Errorf("dense %v: %s", got, sentence)
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
