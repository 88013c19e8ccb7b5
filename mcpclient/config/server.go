package config

import (
	"net/url"

	"belay/mcpclient/address"
)

// Transport is how a server is spoken to.
type Transport uint8

// The transports that files know.
const (
	Stdio Transport = iota + 1 // a program that is run
	HTTP                       // Streamable HTTP
	SSE                        // HTTP+SSE, of revision 2024-11-05
)

func (t Transport) String() string {
	switch t {
	case Stdio:
		return "stdio"
	case HTTP:
		return "HTTP"
	case SSE:
		return "HTTP+SSE"
	default:
		return "unknown"
	}
}

// Server is an entry of a file, as the file has it: what ${…} stands for is put
// in by [Opened.Resolve]. What Value.Raw holds of Env and Headers may be secret
// and is not for the screen.
type Server struct {
	Name      string
	File      *File
	Transport Transport // zero when Err says why there is none

	// Of stdio.
	Command Value
	Args    []Value
	Env     []Pair
	EnvFile Value // a file of NAME=value lines; Raw is empty without one
	Dir     Value // Raw is empty where the file names none

	// Of HTTP.
	URL     Value
	Headers []Pair

	// Disabled is what some clients write of an entry that they do not start by
	// themselves. It can be run all the same.
	Disabled bool

	// Ignored are the keys of the entry that belay does not know, in the file's
	// order. They may be misspelt, or another client's.
	Ignored []Ignored

	// Err is what makes the entry unusable; other entries of the file are not
	// touched by it. Nil when the entry is sound.
	Err *Error

	at  position
	raw []byte // the entry as written, without comments
}

// Ignored is a key that belay does not know.
type Ignored struct {
	Name string
	Near string // the key that it may have been meant for; empty: none
}

// Line is the line of the file in which the entry stands, from 1.
func (s *Server) Line() int {
	line, _ := s.File.lineColumn(s.at.offset)
	return line
}

// Value is a text of a file.
type Value struct {
	Raw string
	at  position
}

// Problem says that something is wrong with the value, where it stands.
func (v Value) Problem(words string) *Error { return v.at.problem("%s", words) }

// Pair is a variable or a header.
type Pair struct {
	Name  string
	Value Value
}

// Origin is where an HTTP server is, see [address.Shown]. It is empty for an
// address that is not sound.
func (s *Server) Origin() string {
	u, err := url.Parse(s.URL.Raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return address.Shown(s.URL.Raw)
}

// Input is a value that the user is asked for (VS Code's inputs).
type Input struct {
	ID          string
	Description string
	Password    bool     // not to be shown while it is typed
	Options     []Option // to choose from; nil for free text
	Default     string
	HasDefault  bool

	problem string // why belay cannot ask for it; empty when it can
}

// Option is a choice of an [Input].
type Option struct{ Label, Value string }
