package mcp

import (
	"bytes"
	"strings"

	"belay/session/rawjson"
	"belay/session/sentence"
)

// What a Skim keeps of a message, in bytes.
const (
	skimHead   = 1 << 10
	skimID     = 1 << 10
	skimMethod = 256
	skimName   = 64
)

// Skim reads a message that is too long to be kept, chunk by chunk and in
// constant memory. It finds what must be known of it even so: the ID, the
// method, and whether it is an answer, wherever in the message they are, since
// real servers put them last. It follows strings and brackets exactly but
// checks no grammar below the top level. The zero Skim is ready; it must not be
// copied after the first Write.
type Skim struct {
	size  int
	head  []byte
	depth int
	state skimState

	inString, escaped bool

	member   skimMember // whose value is being read
	token    []byte     // the name or value being read, up to limit
	limit    int
	overflow bool // it was longer
	id       []byte
	method   []byte
	has      [skimError + 1]bool
}

// skimState is where in the top level of the message the next byte is.
type skimState uint8

const (
	skimStart  skimState = iota // before the object
	skimFirst                   // before a name, or the end of an empty object
	skimNext                    // before a name
	skimColon                   // after a name
	skimValue                   // before a value
	skimNested                  // in an array or object, or a string
	skimScalar                  // in a number or a literal
	skimComma                   // after a value
	skimEnd                     // after the object
	skimBroken                  // it is no JSON object
)

type skimMember uint8

const (
	skimOther skimMember = iota
	skimIDMember
	skimMethodMember
	skimParams
	skimResult
	skimError
)

var skimNames = map[string]skimMember{
	"id": skimIDMember, "method": skimMethodMember, "params": skimParams, "result": skimResult, "error": skimError,
}

// Write reads the next bytes of the message. It never fails.
func (s *Skim) Write(p []byte) (int, error) {
	if room := skimHead - len(s.head); room > 0 {
		s.head = append(s.head, p[:min(room, len(p))]...)
	}
	s.scan(p)
	s.size += len(p)
	return len(p), nil
}

func (s *Skim) scan(p []byte) {
	for i := 0; i < len(p); i++ {
		switch {
		case s.state == skimNested && s.limit == 0:
			i = s.skip(p, i)
		case s.inString:
			s.stringByte(p[i])
		case s.state == skimStart && s.size+i < len(byteOrderMark) && p[i] == byteOrderMark[s.size+i]:
		default:
			s.plainByte(p[i])
		}
	}
}

// skip is the fast way through values that nobody asks for. It returns the
// index of the last byte that it used up.
func (s *Skim) skip(p []byte, i int) int {
	for ; i < len(p); i++ {
		c := p[i]
		switch {
		case s.escaped:
			s.escaped = false
		case s.inString:
			switch c {
			case '\\':
				s.escaped = true
			case '"':
				s.inString = false
				if s.depth == 1 {
					s.endValue()
					return i
				}
			}
		case c == '"':
			s.inString = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth--; s.depth == 1 {
				s.endValue()
				return i
			}
		}
	}
	return i
}

// stringByte reads a byte of a name, or of a string that is kept.
func (s *Skim) stringByte(c byte) {
	s.keep(c)
	switch {
	case s.escaped:
		s.escaped = false
	case c == '\\':
		s.escaped = true
	case c == '"':
		s.inString = false
		if s.state == skimColon {
			s.member = skimOther
			if !s.overflow {
				s.member = skimNames[string(rawjson.Unescaped(s.token))]
			}
		} else if s.depth == 1 {
			s.endValue()
		}
	}
}

// plainByte reads a byte outside of strings.
func (s *Skim) plainByte(c byte) {
	space := c == ' ' || c == '\t' || c == '\n' || c == '\r'
	switch s.state {
	case skimScalar:
		switch {
		case space:
			s.endValue()
		case c == ',' || c == '}':
			s.endValue()
			s.plainByte(c)
		default:
			s.keep(c)
		}
		return
	case skimNested:
		s.keep(c)
		switch c {
		case '"':
			s.inString = true
		case '{', '[':
			s.depth++
		case '}', ']':
			if s.depth--; s.depth == 1 {
				s.endValue()
			}
		}
		return
	default:
	}
	if space {
		return
	}
	switch {
	case s.state == skimStart && c == '{':
		s.depth, s.state = 1, skimFirst
	case (s.state == skimFirst || s.state == skimComma) && c == '}':
		s.depth, s.state = 0, skimEnd
	case (s.state == skimFirst || s.state == skimNext) && c == '"':
		s.begin(skimName)
		s.inString, s.state = true, skimColon
		s.keep(c)
	case s.state == skimColon && c == ':':
		s.state = skimValue
	case s.state == skimComma && c == ',':
		s.state = skimNext
	case s.state == skimValue:
		s.beginValue(c)
	default:
		s.state = skimBroken
	}
}

func (s *Skim) begin(limit int) {
	s.token, s.limit, s.overflow = s.token[:0], limit, false
}

func (s *Skim) keep(c byte) {
	if len(s.token) < s.limit {
		s.token = append(s.token, c)
	} else {
		s.overflow = true
	}
}

func (s *Skim) beginValue(c byte) {
	s.has[s.member] = true
	limit := 0
	switch s.member {
	case skimIDMember:
		limit = skimID
	case skimMethodMember:
		limit = skimMethod
	default: // only that it is there
	}
	s.begin(limit)
	s.keep(c)
	switch c {
	case '"':
		s.inString, s.state = true, skimNested
	case '{', '[':
		s.depth, s.state = 2, skimNested
	case ',', ':', '}', ']':
		s.state = skimBroken
	default:
		s.state = skimScalar
	}
}

// endValue takes the value over. The last one of a name wins, as in [Decode].
func (s *Skim) endValue() {
	token := s.token
	if s.overflow {
		token = nil
	}
	switch s.member {
	case skimIDMember:
		s.id = append(s.id[:0], token...)
	case skimMethodMember:
		s.method = append(s.method[:0], token...)
	default:
	}
	s.state = skimComma
}

// Size is the number of bytes so far.
func (s *Skim) Size() int { return s.size }

// Reset makes the Skim ready for another message.
func (s *Skim) Reset() {
	*s = Skim{head: s.head[:0], token: s.token[:0], id: s.id[:0], method: s.method[:0]}
}

// Frame is what was found, as a frame of its own, after the last byte of the
// message. Raw is its first KiB. Batches, and what is no JSON object or was cut
// off, have no ID and no method.
func (s *Skim) Frame() *Frame {
	f := &Frame{Kind: FrameOversize, Raw: bytes.Clone(s.head), Owned: true, Size: s.size}
	f.AddProblem(DiagOversize, "a message of %s", sentence.Size(s.size))
	if s.state != skimEnd {
		return f
	}
	if IsWellFormed(s.method) {
		f.Method, _ = rawjson.Text(s.method)
	}
	f.Answer = !s.has[skimMethodMember] && (s.has[skimResult] || s.has[skimError])
	f.IsError = f.Answer && !s.has[skimResult]
	if len(s.id) > 0 && !strings.HasPrefix(f.Method, "notifications/") {
		if id, ok := ParseID(s.id); ok {
			f.ID, f.IDRaw = id, bytes.Clone(s.id)
		}
	}
	return f
}
