package house

import "testing"

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
