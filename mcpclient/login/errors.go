package login

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/oauth2"

	"belay/session"
)

// Step is a part of a login, in words that follow "the login failed while".
type Step string

// The steps in the order in which an attempt takes them.
const (
	StepResource Step = "asking the server who gives access to it"
	StepChoice   Step = "choosing the authorization server"
	StepIssuer   Step = "reading what the authorization server offers"
	StepClient   Step = "registering belay with the authorization server"
	StepProof    Step = "proving to the authorization server who belay is" // as the client that the user gave
	StepPage     Step = "waiting for the login page"
	StepAnswer   Step = "checking the answer of the login page"
	StepToken    Step = "fetching the access token from the authorization server"
	StepRefresh  Step = "renewing the access token at the authorization server"
	StepStore    Step = "keeping the access token"
)

// Error says at which step a login failed. Its text is of one line, bounded,
// and free of secrets; what a server said in it is foreign text.
type Error struct {
	Step Step
	Err  error
}

func (e *Error) Error() string {
	return "the login failed while " + string(e.Step) + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Remedy is what the user can do about it; none where only another login helps.
func (e *Error) Remedy() session.Remedy {
	switch e.Step {
	case StepResource, StepIssuer:
		return session.Remedy{Kind: session.RemedyToken}
	case StepClient:
		return session.Remedy{Kind: session.RemedyClient}
	case StepProof:
		return session.Remedy{Kind: session.RemedyOwnClient}
	case StepChoice, StepPage, StepAnswer, StepToken, StepRefresh, StepStore:
	}
	return session.Remedy{}
}

// ErrAbandoned ends an attempt that the user gave up.
var ErrAbandoned = errors.New("the login was abandoned")

// ErrNoLogin is the answer of [Login.Begin] to a refusal that no login can
// mend: another status than 401 and 403, or a 403 that is not about scopes.
var ErrNoLogin = errors.New("a login would not change this answer")

// failed wraps what went wrong at a step.
func failed(step Step, err error) error {
	if err == nil || errors.Is(err, ErrAbandoned) {
		return err
	}
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	return &Error{step, err}
}

// cause is what went wrong at a step, without the words for that step.
func cause(err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

const longestText = 300 // bytes of foreign text in an error

// bounded returns foreign text as one line of at most longestText bytes.
func bounded(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if len(text) <= longestText {
		return text
	}
	cut := longestText
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// quoted are words of a server among belay's own, each with its marks.
func quoted(words []string) string {
	marked := make([]string, min(len(words), mostQuoted))
	for i := range marked {
		marked[i] = strconv.Quote(bounded(words[i]))
	}
	list := strings.Join(marked, ", ")
	if more := len(words) - len(marked); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// mostQuoted is how many of them are shown.
const mostQuoted = 5

// answered puts an OAuth error (RFC 6749, 5.2 and 4.1.2.1) of who into words. What
// was sent in confidence does not come back in it.
func answered(who, code, description string, secrets ...string) error {
	code, description = without(code, secrets...), without(description, secrets...)
	if description == "" {
		return fmt.Errorf("%s answered %q", who, bounded(code))
	}
	return fmt.Errorf("%s answered %q: %q", who, bounded(code), bounded(description))
}

// tokenFault turns the error of a token request into words. The errors of
// oauth2 quote the whole answer, which may hold what was sent or given.
func tokenFault(err error, secrets ...string) error {
	var refusal *oauth2.RetrieveError
	if errors.As(err, &refusal) {
		status := 200
		if refusal.Response != nil {
			status = refusal.Response.StatusCode
		}
		var fault error
		switch {
		case refusal.ErrorCode != "":
			fault = &oauthError{refusal.ErrorCode, answered("it", refusal.ErrorCode, refusal.ErrorDescription, secrets...)}
		case status/100 != 2:
			fault = fmt.Errorf("it answered with the status %d and no reason", status)
		}
		if fault != nil && status/100 == 5 {
			return &unanswered{fault}
		}
		if fault != nil {
			return fault
		}
	}
	if plain := networkFault(err); plain != nil {
		var guarded *guardError
		if errors.As(plain, &guarded) || errors.Is(plain, context.Canceled) {
			return plain
		}
		return &unanswered{plain}
	}
	return errors.New("its answer holds no token that could be read")
}

// unanswered is a request to which there was no answer, or none but that the server
// is in trouble: the same request may fare better a moment later.
type unanswered struct{ error }

// Unwrap returns what there was instead.
func (u *unanswered) Unwrap() error { return u.error }

func isUnanswered(err error) bool {
	var u *unanswered
	return errors.As(err, &u)
}

// oauthError is an answer with an OAuth error code.
type oauthError struct {
	code string
	error
}

// isOAuthError reports whether err is an answer with one of the codes.
func isOAuthError(err error, codes ...string) bool {
	var r *oauthError
	if !errors.As(err, &r) {
		return false
	}
	for _, c := range codes {
		if r.code == c {
			return true
		}
	}
	return false
}

// networkFault is what went wrong on the way, or nil if it was something else.
func networkFault(err error) error {
	var guarded *guardError
	var way *wayError
	var onTheWay *url.Error
	var dial *net.OpError
	switch {
	case errors.As(err, &guarded):
		return guarded
	case errors.As(err, &way):
		return way
	case errors.Is(err, context.DeadlineExceeded) && errors.As(err, &onTheWay): // the limit was over before the request was made
		return &wayError{shownText(onTheWay.URL) + " did not answer in time"}
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("it did not answer in time")
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.As(err, &onTheWay):
		return errors.New(bounded(onTheWay.Err.Error()))
	case errors.As(err, &dial):
		return errors.New(bounded(dial.Error()))
	}
	return nil
}
