package session

import (
	"bytes"
	"strings"
)

// results bounds the bytes of the results that rows keep for the detail pane:
// half of what the history may hold. The oldest go first; their rows then say
// how much is gone.
type results struct {
	held  []*call
	bytes int
}

// keepResult takes the result of a frame into the keeping of a row.
func (s *Session) keepResult(c *call, f *Frame) []byte {
	raw := keep(f, f.Result)
	s.results.held = append(s.results.held, c)
	s.results.bytes += len(raw)
	for s.results.bytes > s.cfg.HistoryBytes/2 && len(s.results.held) > 1 {
		old := s.results.held[0]
		s.results.held[0] = nil
		s.results.held = s.results.held[1:]
		s.results.bytes -= old.forgetResult()
	}
	return raw
}

// forgetResult drops the bytes of a result and says how many they were.
func (c *call) forgetResult() int {
	n := len(c.result)
	c.result = nil
	if c.late != nil && c.late.Result != nil {
		n += len(c.late.Result)
		late := *c.late // views share it
		late.Result = nil
		c.late = &late
	}
	c.dropped = n
	return n
}

func cloneError(f *Frame) *RPCError {
	e := f.Error
	e.CodeRaw = bytes.Clone(e.CodeRaw)
	e.Data = keep(f, e.Data)
	return &e
}

func problemWords(f *Frame) string {
	if f.Kind == FrameOversize {
		return "the answer is over the limit for one message"
	}
	var words []string
	for _, p := range f.Problems {
		words = append(words, diagTexts[p.Code].words)
	}
	return strings.Join(words, "; ")
}

// resultMembers are the members that the result of a method must have, and of
// which JSON kind.
var resultMembers = map[string]struct {
	member Member
	kind   byte
	name   string
}{
	"tools/call":               {MemContent, '[', "content"},
	"tools/list":               {MemTools, '[', "tools"},
	"prompts/list":             {MemPrompts, '[', "prompts"},
	"prompts/get":              {MemMessages, '[', "messages"},
	"resources/list":           {MemResources, '[', "resources"},
	"resources/templates/list": {MemTemplates, '[', "resourceTemplates"},
	"resources/read":           {MemContents, '[', "contents"},
	"completion/complete":      {MemCompletion, '{', "completion"},
}

// checkShape diagnoses a result that is not what its method promises.
func (s *Session) checkShape(c *call, f *Frame) {
	if f.Kind != FrameResult {
		return
	}
	if f.Shape.Kind != '{' {
		s.diagnose(DiagResultShape, c.id, "", "the result is not an object")
		return
	}
	want, ok := resultMembers[c.Method]
	if !ok || f.Shape.Members[want.member] == want.kind {
		return
	}
	detail := "no " + want.name
	if f.Shape.Members[want.member] != 0 {
		detail = want.name + " is of the wrong type"
	}
	s.diagnose(DiagResultShape, c.id, "", detail)
}

// rootsResult is the answer to roots/list.
func rootsResult(roots []Root) []byte {
	b := []byte(`{"roots":[`)
	for i, r := range roots {
		if i > 0 {
			b = append(b, ',')
		}
		b = quote(append(b, `{"uri":`...), r.URI)
		if r.Name != "" {
			b = quote(append(b, `,"name":`...), r.Name)
		}
		b = append(b, '}')
	}
	return append(b, "]}"...)
}
