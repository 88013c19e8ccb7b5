package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"belay/session"
	"belay/session/rawjson"
	"belay/session/secret"
)

// Version is the version of the format that is written. Those from oldest on are read: what
// they lack is never there; [idleFromReady] is the one change of meaning.
const Version = 9

// oldest is the version before processes were sampled; from idleFromReady on their idle use is
// measured from when a connection is ready, and not from its beginning.
const (
	oldest        = 4
	idleFromReady = 9
)

// Record is one line of a journal, before it is encoded.
type Record struct {
	Seq  uint64        // counts the lines, from 1
	T    time.Duration // since the session was made; monotonic
	Wall time.Time     // by the clock on the wall, in UTC

	Plain bool // of the first line that was read: secrets are kept in all of them

	// One of these is there.
	Config *session.Config // of the first line
	Input  session.Input
	Output *session.Output
}

// head is what every line begins with.
type head struct {
	Seq  uint64        `json:"seq"`
	T    time.Duration `json:"t"` // in nanoseconds
	Wall time.Time     `json:"wall"`
	Op   string        `json:"op"`
}

// opNew is the name of the first line.
const opNew = "new"

// start is the rest of the first line.
type start struct {
	Version  int             `json:"version"`
	Config   *session.Config `json:"config"`
	Masked   *secret.Counts  `json:"masked,omitempty"` // how many values are masked from the beginning on, and how
	Unmasked bool            `json:"unmasked,omitempty"`
}

// output is the rest of a line that holds an output.
type output struct {
	session.ExchangeID
	Out  uint64         `json:"out,omitempty"`
	Call session.CallID `json:"call,omitempty"`
	Raw  session.Bytes  `json:"raw,omitempty"`
}

// outputNames are the names of the lines that hold outputs.
var outputNames = map[session.Op]string{
	session.OpWrite: "write", session.OpClose: "close", session.OpAbort: "abort",
	session.OpOpen: "open", session.OpLogin: "login", session.OpRoots: "checkRoots",
}

// Attach has every step of a session handed to sink as a record, after the first line.
// The session must be new, and origin the time it was made at; or it is about to be told
// of a connection, and origin is the time of that: then the journal is that of a session
// which goes on from there. What [session.Journal.Hand] says holds for sink.
func Attach(s *session.Session, origin time.Time, sink func(Record)) {
	var seq uint64
	begun := s.Status().Begun
	stopped := begun.Stopped // for so long belay did not run: only the clock on the wall went on
	put := func(at time.Time, r Record) {
		seq++
		r.Seq, r.T, r.Wall = seq, at.Sub(origin), at.Add(stopped).UTC().Round(0)
		sink(r)
	}
	cfg := s.Config()
	if begun.Epoch > 0 {
		cfg.Begun = &begun
	}
	put(origin, Record{Config: &cfg})
	s.Journal().Hand(func(step session.Step) {
		if step.Input != nil {
			if in, ok := step.Input.(session.Suspended); ok {
				stopped += in.For
			}
			put(step.At, Record{Input: step.Input})
			return
		}
		out := step.Output
		put(step.At, Record{Output: &out})
	})
}

// Bytes are those of the message or line in the record. They may belong to somebody
// who changes them.
func (r Record) Bytes() []byte {
	switch in := r.Input.(type) {
	case session.Received:
		return in.Raw
	case session.Stderr:
		return in.Line
	}
	if r.Output != nil {
		return r.Output.Data
	}
	return nil
}

// WithBytes is the record with b in the place of its Bytes.
func (r Record) WithBytes(b []byte) Record {
	switch in := r.Input.(type) {
	case session.Received:
		in.Raw = b
		r.Input = in
	case session.Stderr:
		in.Line = b
		r.Input = in
	}
	if r.Output != nil {
		out := *r.Output
		out.Data = b
		r.Output = &out
	}
	return r
}

// Append appends the record to dst as a line of JSON, without a line end. A mask replaces what is
// secret by asterisks, and the structure stays (LOG-13; server/utilities/logging); nil hides
// nothing. The first line says which. What the record shares with others is not changed.
func (r Record) Append(dst []byte, mask *secret.Mask) []byte {
	h, rest, err := r.parts(mask)
	var line []byte
	if err == nil {
		line, err = h.append(dst)
	}
	if err != nil { // the reader is told rather than the line lost
		dst = append(dst, `{"op":"lost","text":`...)
		return append(rawjson.AppendQuote(dst, err.Error()), '}')
	}
	if len(rest) > len("{}") {
		line = append(append(line, ','), rest[1:len(rest)-1]...)
	}
	return append(line, '}')
}

// append appends the head as JSON, without the end of the object. The library would take longer for it than the
// session for a message.
func (h *head) append(dst []byte) (_ []byte, err error) {
	dst = strconv.AppendUint(append(dst, `{"seq":`...), h.Seq, 10)
	dst = strconv.AppendInt(append(dst, `,"t":`...), int64(h.T), 10)
	if dst, err = h.Wall.AppendText(append(dst, `,"wall":"`...)); err != nil {
		return dst, err
	}
	return rawjson.AppendQuote(append(dst, `","op":`...), h.Op), nil
}

// parts are the two objects whose members make the line.
func (r Record) parts(mask *secret.Mask) (h head, rest []byte, err error) {
	h = head{Seq: r.Seq, T: r.T, Wall: r.Wall}
	switch {
	case r.Config != nil:
		h.Op = opNew
		cfg := session.MaskedConfig(*r.Config, mask)
		s := start{Version: Version, Config: &cfg, Unmasked: mask == nil}
		if mask != nil {
			counts := mask.Counts()
			s.Masked = &counts
		}
		rest, err = json.Marshal(s)
	case r.Output != nil:
		h.Op = outputNames[r.Output.Op]
		out := session.MaskedOutput(*r.Output, mask)
		rest, err = json.Marshal(output{ExchangeID: out.X, Out: out.Seq, Call: out.Call, Raw: out.Data})
	default:
		h.Op, rest, err = session.EncodeInput(session.Masked(r.Input, mask))
	}
	return h, rest, err
}

// VersionError says that a recording has a format that is not read.
type VersionError struct{ Is int }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the recording has format %d; this belay reads formats %d to %d", e.Is, oldest, Version)
}

// FiguresError says that a recording begins late, after what cannot have been.
type FiguresError struct{ What string }

func (e *FiguresError) Error() string {
	return "the recording begins with figures that cannot be: " + e.What + "; the file is damaged, or not belay's"
}

// Parse reads a line. Errors say what is wrong with it.
func Parse(line []byte) (Record, error) {
	var h head
	if err := json.Unmarshal(line, &h); err != nil {
		return Record{}, fmt.Errorf("it is no record, and was left out: %s", rawjson.Fault(err))
	}
	r := Record{Seq: h.Seq, T: h.T, Wall: h.Wall}
	if h.Op == opNew {
		var format struct{ Version int }
		if err := json.Unmarshal(line, &format); err == nil && (format.Version < oldest || format.Version > Version) {
			return Record{}, &VersionError{format.Version}
		}
		var s start
		if err := json.Unmarshal(line, &s); err != nil {
			return Record{}, fmt.Errorf("it is no record, and was left out: %s", rawjson.Fault(err))
		}
		r.Plain = s.Unmasked
		if r.Config = s.Config; r.Config == nil {
			return Record{}, errors.New("it has no configuration")
		}
		if begun := r.Config.Begun; begun != nil {
			if what := begun.Impossible(); what != "" {
				return Record{}, &FiguresError{what}
			}
		}
		r.Config.StartIsIdle = s.Version < idleFromReady
		return r, nil
	}
	for op, name := range outputNames {
		if name == h.Op {
			var out output
			if err := json.Unmarshal(line, &out); err != nil {
				return r, fmt.Errorf("it is no record, and was left out: %s", rawjson.Fault(err))
			}
			r.Output = &session.Output{Op: op, Seq: out.Out, X: out.ExchangeID, Call: out.Call, Data: out.Raw}
			return r, nil
		}
	}
	var err error
	r.Input, err = session.DecodeInput(h.Op, line)
	return r, err
}
