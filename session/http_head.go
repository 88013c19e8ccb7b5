package session

import (
	"strconv"
	"strings"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
)

// Header is one header field of a request.
type Header struct{ Name, Value string }

// Head is the head of an HTTP answer, as far as it matters here.
type Head struct {
	Status      int
	Media       string   `json:",omitempty"` // the media type in lower case, without parameters
	Session     string   `json:",omitempty"` // Mcp-Session-Id: a secret, masked wherever it is shown
	Sessions    int      `json:",omitempty"` // how many different ones it has, where there are more
	Challenge   []string `json:",omitempty"` // the values of WWW-Authenticate
	Retry       string   `json:",omitempty"` // Retry-After as it was sent, cut when it is long; foreign text
	Credentials bool     `json:",omitempty"` // the request carried some, or fields of the user's that may be some
	Unbuffered  bool     `json:",omitempty"` // X-Accel-Buffering: no, which has those in between pass everything on at once
	Packed      string   `json:",omitempty"` // how the body is compressed, which belay does not read; foreign text
	At          string   `json:",omitempty"` // the address that answered, when a redirection led there; cut when it is long
}

// clipped is a head whose texts may stand in sentences, which rows keep: a header field may have a megabyte.
func (h Head) clipped() Head {
	h.Media, h.Retry, h.Packed, h.At = sentence.Clip(h.Media), sentence.Clip(h.Retry), sentence.Clip(h.Packed), sentence.Clip(h.At)
	return h
}

// isSuccess reports whether the status is one of success.
func (h Head) isSuccess() bool { return h.Status/100 == 2 }

// retryAfter is how long a server that does not serve the request wants no other one, in seconds or
// as a date (RFC 9110, section 10.2.3); 0: it does not say so, or not in a way that belay can read.
func (h Head) retryAfter(now time.Time) time.Duration {
	if !isPassing(h.Status) {
		return 0
	}
	if n, err := strconv.ParseUint(h.Retry, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	at, err := time.Parse("Mon, 02 Jan 2006 15:04:05 GMT", h.Retry)
	if err != nil {
		return 0
	}
	return max(0, at.Sub(now))
}

// retryWords is when the server says to try again: a number is one of seconds, a date is quoted, as is
// what is neither.
func (h Head) retryWords() string {
	if n, err := strconv.ParseUint(h.Retry, 10, 31); err == nil {
		return strconv.FormatUint(n, 10) + " s"
	}
	return sentence.Quoted(h.Retry)
}

// streams reports whether the body is a stream of events.
func (h Head) streams() bool { return h.Media == mediaStream }

// The two media types that a body may have (HTL-11, HTM-06; basic/transports,
// basic/transports/streamable-http).
const (
	mediaJSON   = "application/json"
	mediaStream = "text/event-stream"
)

// Event is what an event of a stream says besides its message. The message
// itself, if it holds one, follows with Receive.
type Event struct {
	Name  string        `json:",omitempty"` // empty for the ordinary "message"
	ID    *string       `json:",omitempty"` // nil when it has none
	Retry time.Duration `json:",omitempty"` // how long to wait before taking the stream up again; negative: none given
	Data  string        `json:",omitempty"` // only of an event whose name is not "message"; cut when it is long
	Odd   string        `json:",omitempty"` // not of an event: the beginning of a line that is neither a field of one nor a comment
}

// End is how an exchange ended. Every exchange that was handed out ends once, also
// after an abort and when it could not begin.
type End struct {
	Err  string `json:",omitempty"` // what broke it, in words; empty when it ended in order
	Hint string `json:",omitempty"` // what to do about it
	Body string `json:",omitempty"` // the beginning of a body that was no message; foreign text
}

// packedWords name the compression of a body that was to come without one.
func (h Head) packedWords() string {
	return "compressed with " + sentence.Name(h.Packed) + ", though belay asked for none (Accept-Encoding: identity)"
}

// wantsLogin reports whether a login could mend a refusal: one that asks for
// another kind of credentials, such as Basic, could not.
func (h Head) wantsLogin() bool {
	words := strings.ToLower(strings.Join(h.Challenge, ","))
	if h.Status == statusUnauthorized {
		return len(h.Challenge) == 0 || strings.Contains(words, bearer)
	}
	return h.Status == statusForbidden && strings.Contains(words, insufficientScope)
}

// masked is a head without the session's ID and the parameters of a challenge,
// which may be secrets. What is left decides the same: a redacted recording is
// replayed to the same states.
func (h Head) masked() Head {
	if h.Session != "" {
		odd := []rune(oddInSession(h.Session))
		h.Session = masked + string(odd[:min(len(odd), 1)])
	}
	all := h.Challenge
	h.Challenge = nil
	for _, c := range all {
		kept := masked
		for _, word := range []string{bearer, basic, insufficientScope} {
			if strings.Contains(strings.ToLower(c), word) {
				kept += " " + word
			}
		}
		h.Challenge = append(h.Challenge, kept)
	}
	return h
}

// wantsCredentials is what to do about a server that refuses a request for
// credentials which no login gets; none: it does not.
func (c Config) wantsCredentials(e *exchange) Remedy {
	switch {
	case !c.Login || e == nil || !e.opened || e.head.Status != statusUnauthorized || e.head.wantsLogin():
		return Remedy{}
	case strings.Contains(strings.ToLower(strings.Join(e.head.Challenge, ",")), basic):
		return Remedy{Kind: RemedyBasic}
	}
	return Remedy{Kind: RemedyHeader}
}

// givenRefused tells that the server refuses the credentials that the user gave,
// with which belay does not log in; empty: that is not so.
func (c Config) givenRefused(e *exchange) string {
	const words = "the Authorization that you gave was refused"
	switch {
	case c.Login || e == nil || !e.opened || e.head.Status != statusUnauthorized:
		return ""
	case e.head.wantsLogin():
		return words + "; without it belay logs in"
	}
	return words
}

// refusedBy is what to say of an error on an exchange, where the server refuses the
// credentials of a request, or wants such as no login gets.
func (c Config) refusedBy(e *exchange) rowNote {
	return advising(c.givenRefused(e), c.wantsCredentials(e)) // never both
}

// oddInSession is the ID of a session from the first character on that it must
// not hold; empty: it holds none.
func oddInSession(id string) string {
	return strings.TrimLeftFunc(id, func(r rune) bool { return r >= 0x21 && r <= 0x7e })
}

// unknownSession is what servers on the TypeScript SDK say, with HTTP 400, to an
// exchange that names a session which they do not know: they were started again.
// The specification wants 404.
const (
	unknownSession     = "No valid session ID provided"
	unknownSessionCode = -32000
)

// deniesSession reports whether a message says that the server does not know the
// session.
func deniesSession(f *mcp.Frame) bool {
	if f.NoSession || f.Kind != mcp.FrameError || f.Error.Code != unknownSessionCode {
		return f.NoSession
	}
	said := f.Error.Message // which may be as long as a message is
	return strings.Contains(said[:min(len(said), sentence.Limit)], unknownSession)
}
