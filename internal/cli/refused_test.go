package cli

import (
	"slices"
	"testing"

	"belay/internal/headless"
	"belay/session"
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
