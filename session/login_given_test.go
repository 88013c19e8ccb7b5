package session

import (
	"strings"
	"testing"

	"belay/session/cancel"
	"belay/session/mcp"
)

// Credentials that the user gave and the server refuses are named as what was
// refused: belay does not log in beside them.
func TestGivenCredentialsAreRefused(t *testing.T) {
	const words = "the Authorization that you gave was refused"
	for _, tt := range []struct {
		challenge []string
		login     bool
		says      string
	}{
		{nil, false, words + "; without it belay logs in"},
		{[]string{`Bearer realm="x"`}, false, words + "; without it belay logs in"},
		{[]string{`Basic realm="x"`}, false, words},
		{[]string{`Basic realm="x"`}, true, ""}, // nothing was given: see TestBasicIsNamed
	} {
		h := Head{Status: 401, Challenge: tt.challenge}
		w := readyWeb(t, mcp.Rev20251125, func(c *Config) { c.Login = tt.login })
		for _, refuse := range []func(x ExchangeID){
			func(x ExchangeID) { w.refuse(x, h) },
			func(x ExchangeID) { w.opened(x, h); w.ended(x, End{}) },
		} {
			a, out := w.tool("a")
			refuse(out.X)
			w.want(a, Failed, cancel.NoVerdict)
			if note := w.note(a); strings.Contains(note, words) != (tt.says != "") || !strings.HasPrefix(note, tt.says) {
				t.Errorf("%q, login %v: %q", tt.challenge, tt.login, note)
			}
		}

		w = newWebRig(t, func(c *Config) { c.Login, c.DiscoverLimit = tt.login, -1 })
		w.refuse(w.outs[0].X, h)
		f := w.s.Status().Failure
		switch {
		case f == nil || f.Kind != FailHTTP || strings.Contains(f.Text, words):
			t.Errorf("%q, login %v: %+v", tt.challenge, tt.login, f)
		case tt.says != "" && f.Hint != tt.says, (f.Remedy.Kind == RemedyBasic) != (tt.says == ""):
			t.Errorf("%q, login %v: %q, %v", tt.challenge, tt.login, f.Hint, f.Remedy)
		}
	}
}

// A server that wants credentials which no login gets is answered with what to
// give, whether its refusal holds a message or not.
func TestBasicIsNamed(t *testing.T) {
	for challenge, says := range map[string]RemedyKind{`Basic realm="x"`: RemedyBasic, "Negotiate": RemedyHeader} {
		h := Head{Status: 401, Challenge: []string{challenge}}
		w := readyWeb(t, mcp.Rev20251125, withLogin)
		for _, refuse := range []func(x ExchangeID){
			func(x ExchangeID) { w.refuse(x, h) },
			func(x ExchangeID) { w.opened(x, h); w.ended(x, End{}) },
		} {
			a, out := w.tool("a")
			refuse(out.X)
			w.want(a, Failed, cancel.NoVerdict)
			if got := w.row(a).Remedy.Kind; got != says {
				t.Errorf("%q: %q, %d", challenge, w.note(a), got)
			}
		}
		w = newWebRig(t, withLogin, func(c *Config) { c.DiscoverLimit = -1 })
		w.refuse(w.outs[0].X, h)
		if f := w.s.Status().Failure; f == nil || f.Remedy.Kind != says {
			t.Errorf("%q: %+v", challenge, f)
		}
	}
}
