package cli

import (
	"slices"
	"strings"
	"testing"

	"belay/internal/headless"
	"belay/session"
	"belay/session/mcp"
)

// A second start that ends in a refusal is told, once.
func TestTheStartsOfARefusedConnectionAreTold(t *testing.T) {
	const starts = "the server was started twice: first it did not answer"
	for _, x := range []struct {
		text, starts string
		want         []string
	}{
		{"no", "", []string{"no"}},
		{"no", starts, []string{"no", starts}},
		{"no; " + starts, starts, []string{"no; " + starts}},
	} {
		if got := refusedWords(&headless.ConnectError{Failure: &session.Failure{Text: x.text}}, x.starts); !slices.Equal(got, x.want) {
			t.Errorf("%q, not %q", got, x.want)
		}
	}
}

// Without a screen there is no key to go on with: what helps is named with its flag.
func TestARefusedConnectionSaysWhatToDoNext(t *testing.T) {
	for _, x := range []struct {
		name    string
		failure session.Failure
		want    string
	}{
		{"a revision that both speak", session.Failure{Text: "no", Remedy: session.Remedy{Kind: session.RemedyPin, Revision: mcp.Rev20250618}}, "no\ntry --protocol 2025-06-18"},
		{"none that belay speaks", session.Failure{Text: "no", Hint: "none of them"}, "no\nnone of them"},
		{"with a hint", session.Failure{Text: "no", Hint: "it is older", Remedy: session.Remedy{Kind: session.RemedyAuto}}, "no\nit is older; --protocol auto finds out what it speaks"},
		{"a key of the screen", session.Failure{Text: "no", Remedy: session.Remedy{Kind: session.RemedyRestart}}, "no"},
	} {
		err := unconnected(target{}, true, "", &headless.ConnectError{Failure: &x.failure})
		if got := err.Error(); strings.TrimSpace(got) != x.want {
			t.Errorf("%s: %q, not %q", x.name, got, x.want)
		}
	}
}
