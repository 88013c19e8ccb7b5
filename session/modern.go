package session

import (
	"fmt"
	"strings"
	"time"
)

// resultComplete is the type of a result in the modern era that is one. Besides,
// there is [resultInputRequired]; further ones belong to extensions that belay
// would have to declare (BASE-15, BASE-16).
const resultComplete = "complete"

// oddResult says why a result is no answer at all: in the modern era one of a
// type that nobody knows is invalid, and one without a type is complete; before,
// there are no types. Empty: it may be read.
func (s *Session) oddResult(f *Frame) string {
	kind := f.Shape.Members[MemResultType]
	if f.Kind != FrameResult || !s.conn.rev.Modern() || kind == 0 {
		return ""
	}
	if t := f.Shape.ResultType; kind == '"' && (t == resultComplete || t == resultInputRequired) {
		return ""
	}
	what := jsonKindWords[kind]
	if kind == '"' {
		what = inQuotes(clip(f.Shape.ResultType))
	}
	return "invalid response: resultType " + what + s.extensionWords()
}

// extensionWords name the extensions that the server lists, as one of them may
// have types of results of its own (BASE-17).
func (s *Session) extensionWords() string {
	var names []string
	if list := at(s.conn.server.Capabilities, "extensions"); jsonKind(list) == '{' {
		for m := membersOf(list); len(names) < 5; {
			name, _, ok := m.next()
			if !ok {
				break
			}
			names = append(names, clip(decodedName(name)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; the server has extensions that belay does not declare: " + strings.Join(names, ", ")
}

// checkModern tells what an answer lacks or has too much of in the modern era,
// and takes from it who the server says it is.
func (s *Session) checkModern(c *call, f *Frame) {
	switch f.Kind {
	case FrameError:
		s.checkCode(c, f.Error.Code)
	case FrameResult:
		s.checkResult(c, f)
	default:
	}
}

func (s *Session) checkResult(c *call, f *Frame) {
	if f.Shape.Kind != '{' {
		return
	}
	if f.Server != nil {
		s.claims(f.Server)
	}
	if odd := s.oddResult(f); odd != "" {
		s.diagnose(DiagResultType, c.id, "", odd)
		return
	}
	if hint := f.Cache; cacheable[c.Method] && hint.ttl == hintGood {
		c.cache = &hint
	}
	switch {
	case f.Shape.Members[MemResultType] == 0:
		s.diagnose(DiagResultType, 0, c.Method, "resultType is missing in the answer to "+named(c.Method)+", which is read as complete")
	case f.Shape.ResultType == resultComplete && cacheable[c.Method]:
		if wrong := f.Cache.wrong(); wrong != "" {
			s.diagnose(DiagCacheHint, 0, c.Method+wrong, named(c.Method)+": "+wrong)
		}
	}
}

// claims takes over who the server says it is, where it had not said so. It is
// its own word, and nothing is decided by it (VER-46, VER-47).
func (s *Session) claims(who *ServerInfo) {
	info := &s.conn.server
	if info.Name == "" && info.Version == "" {
		info.Name, info.Title, info.Version, info.Claimed = who.Name, who.Title, who.Version, who.Claimed
	}
}

// checkCode tells of error codes that the modern era does not use (ERR-05,
// ERR-11).
func (s *Session) checkCode(c *call, code int64) {
	switch {
	case code == codeOldNotFound || code == codeURLRequired:
		s.diagnose(DiagErrorOld, c.id, fmt.Sprint(code), fmt.Sprint(code))
	case code <= -32020 && code >= -32099 && code < codeUnsupportedVersion:
		s.diagnose(DiagErrorUndefined, c.id, fmt.Sprint(code), fmt.Sprint(code))
	}
}

// afterCancelled judges a message for a call whose cancel was written, lag ago:
// in the modern era there must be none, but for what was on its way (CXL-20).
func (s *Session) afterCancelled(c *call, what string) {
	st := c.stop
	if !s.conn.rev.Modern() || st.written.IsZero() {
		return
	}
	if lag := s.now.Sub(st.written); lag > s.bound() {
		s.diagnose(DiagAfterCancel, c.id, what, fmt.Sprintf("%s, %v after the cancel", what, lag.Round(time.Millisecond)))
	}
}
