package session

// Resending is why the body of an exchange is written once more; zero: it is not.
type Resending uint8

// The reasons for that.
const (
	Redirected Resending = iota + 1 // the server led it elsewhere
	Renewed                         // the server refused its token, which could be renewed
	Refused                         // HTTP/2: RST_STREAM with REFUSED_STREAM, or GOAWAY
)

var resendingWords = [...]string{
	Redirected: "the server led it to another address",
	Renewed:    "the server refused its token, which was renewed",
	Refused:    "HTTP/2: the server says that it did not begin with it",
}

func (r Resending) String() string {
	if int(r) < len(resendingWords) {
		return resendingWords[r]
	}
	return ""
}

// mayResend reports whether the body of an exchange that was begun may be written once
// more. That of a call whose cancel is wanted may not: the cancel may have been read, and
// would not stop what came after it.
func (e *exchange) mayResend() bool {
	return e.req == nil || e.req.call == nil || e.req.call.state != Cancelling || e.p.cancels != nil
}
