package remedy

import (
	"strings"
	"testing"

	"belay/session"
	"belay/session/mcp"
)

// All that the session knows to help has its words: options can be given when belay
// is started again, keys and commands only while it runs.
func TestWords(t *testing.T) {
	for k := session.RemedyKind(1); k < session.NumRemedies; k++ {
		r := session.Remedy{Kind: k, Revision: mcp.Rev20250618}
		words := string(Words(r))
		if words == "" || strings.Contains(words, "REVISION") || strings.Contains(string(all[k].words), "REVISION") != strings.Contains(words, "2025-06-18") {
			t.Errorf("remedy %d: %q", k, words)
		}
		if option := strings.Contains(words, "--"); option == IsHere(r) {
			t.Errorf("%q: while belay runs %v", words, IsHere(r))
		}
	}
}

// On the screen of a recording nothing is left to be done but to read what came.
func TestWhatIsLeftInARecording(t *testing.T) {
	for k := session.RemedyKind(0); k < session.NumRemedies; k++ {
		r := session.Remedy{Kind: k, Revision: mcp.Rev20250618}
		if Left(r, false) != r || (Left(r, true) == r) != (k == 0 && r.Revision == "" || k == session.RemedyWire) {
			t.Errorf("remedy %d: %+v, and in a recording %+v", k, Left(r, false), Left(r, true))
		}
		if words := Words(Left(r, true)); words != "" && k != session.RemedyWire {
			t.Errorf("remedy %d: a recording advises %q", k, words)
		}
	}
}

func TestWith(t *testing.T) {
	pin := session.Remedy{Kind: session.RemedyPin}
	const words = "try --protocol with a revision that both sides speak"
	if a, b, c := With("a", session.Remedy{}), With("", pin), With("a", pin); a != "a" || b != words || c != "a; "+words {
		t.Errorf("%q, %q, %q", a, b, c)
	}
}
