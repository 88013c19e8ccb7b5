package login

import (
	"belay/internal/safe"
	"belay/session"
)

// Status is what is known of the login at the server. Its texts are foreign.
type Status struct {
	Able  bool // belay logs in where the server wants it
	Token bool // there is a token that can be forgotten

	Seq      uint64 // tells one login from the next; 0: there was none on this connection
	Phase    Phase
	URL      string // the login page, in Page
	Issuer   string // who gives access, by its own name; empty until that is known
	Redirect string // where the page leads back to, in Page

	More       bool   // there is a login, and the server wants more than that gave
	Scopes     string // … which it names so; empty: it does not
	Again      bool   // … although the last login was for the same
	NotRenewed string // why the token that there was is not renewed; empty: nobody has tried to
	Stray      bool   // an answer came to Redirect that belongs to another login

	NoListener string // why nobody listens there; empty: somebody does
	Failure    string // why there is no token, in Over; empty: there is one
	Ended      bool   // … because the user gave it up, or with its connection
	NotKept    string // why the token is for this run only; empty: it was kept

	Remedy session.Remedy // what can be done about a failure
}

// Logout reports whether the authorization server revoked the token that belay has
// just deleted.
type Logout struct {
	Revoked bool   // it is of no use to anybody any more
	Gone    bool   // there was none any more: the issuer had refused to renew it
	Failure string // why it was not revoked; empty without the two: the issuer has no way to do so
}

// Phase is how far a login is.
type Phase uint8

// The phases, in their order.
const (
	Finding  Phase = iota // who gives access is being found out
	Page                  // the user has to open a page
	Fetching              // the page has answered, the token is being fetched
	Over
)

// Waits reports whether a login is under way.
func (l *Status) Waits() bool { return l.Seq != 0 && l.Phase != Over }

// HasFailed reports whether the last login failed, and was not given up.
func (l *Status) HasFailed() bool {
	return l.Seq != 0 && l.Phase == Over && l.Failure != "" && !l.Ended
}

// Words tell what became of the token.
func (l Logout) Words() safe.Text {
	const here = "the token is forgotten, here and in its file"
	switch {
	case l.Revoked:
		return here + ", and revoked"
	case l.Gone:
		return "what was left of the login is forgotten · its token was good no more: who gave it had refused to renew it"
	case l.Failure != "":
		return here + " · elsewhere it may be good until it ends: " + safe.LineN(l.Failure, 300)
	}
	return here + " · elsewhere it may be good until it ends: who gave it names no way to revoke it"
}
