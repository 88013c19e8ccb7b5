package session

import (
	"encoding/json"
	"time"
	"unicode/utf8"
)

// Record is one line of the journal: an input of the core, or an output that
// it gave, for comparison. Replaying the inputs in order gives the same states.
// The first line is the input "new" and holds the configuration.
type Record struct {
	Seq  uint64        `json:"seq"`
	T    time.Duration `json:"t"` // monotonic, since the session was made, in nanoseconds
	Wall time.Time     `json:"wall"`
	Op   string        `json:"op"`

	Epoch  Epoch  `json:"epoch,omitempty"`
	Stream uint64 `json:"stream,omitempty"`

	Text string `json:"text,omitempty"` // the bytes, when they are UTF-8
	B64  []byte `json:"b64,omitempty"`  // otherwise

	Out     uint64      `json:"out,omitempty"`
	Call    CallID      `json:"call,omitempty"`
	Prompt  PromptID    `json:"prompt,omitempty"`
	As      PromptState `json:"as,omitempty"`
	Code    int64       `json:"code,omitempty"`
	Reason  string      `json:"reason,omitempty"`
	Failed  bool        `json:"failed,omitempty"`
	Spec    *Call       `json:"spec,omitempty"`
	Config  *Config     `json:"config,omitempty"`
	Close   *Close      `json:"close,omitempty"`
	Over    *Over       `json:"over,omitempty"`
	Version int         `json:"version,omitempty"` // of the format, in the first line
}

// Over is what was found in a message over the limit.
type Over struct {
	ID     string `json:"id,omitempty"`
	Method string `json:"method,omitempty"`
	Answer bool   `json:"answer,omitempty"`
	Size   int    `json:"size"`
}

// JournalVersion is the version of the format that is written.
const JournalVersion = 1

// The operations of the journal.
const (
	opNew        = "new"
	opConnect    = "connect"
	opReceive    = "receive"
	opStderr     = "stderr"
	opCall       = "call"
	opNotify     = "notify"
	opCancel     = "cancel"
	opCancelAll  = "cancel-all"
	opExtend     = "extend"
	opAnswer     = "answer"
	opRefuse     = "refuse"
	opPin        = "pin"
	opQuit       = "quit"
	opDisconnect = "disconnect"
	opReload     = "reload"
	opSent       = "sent"
	opTick       = "tick"
	opClosed     = "closed"
	opWrite      = "write" // an output
	opClose      = "close" // an output
)

// journal writes the inputs of the core, one JSON line each.
type journal struct {
	origin time.Time
	seq    uint64
	sink   func(line []byte)
	redact bool
}

// SetJournal makes the session hand every input and output to sink, one JSON
// line each, without a line end; the line is not changed afterwards. It is
// called under the lock and must not block. Redacted lines have the same
// structure, with what looks like a secret replaced by asterisks. A journal can
// be replayed only from the start, so it must be set before the first input.
func (s *Session) SetJournal(sink func(line []byte), redact bool) {
	s.journal.sink, s.journal.redact = sink, redact
	cfg := s.cfg
	s.journal.put(s.now, Record{Op: opNew, Config: &cfg, Version: JournalVersion})
}

func (j *journal) put(now time.Time, r Record) {
	if j.sink == nil {
		return
	}
	j.seq++
	r.Seq, r.T, r.Wall = j.seq, now.Sub(j.origin), now.UTC().Round(0)
	if j.redact {
		r.redact()
	}
	line, err := json.Marshal(r)
	if err != nil {
		// Only a raw message that is no JSON could do that, and those are kept as
		// text; the reader is told rather than the line lost.
		line = quote([]byte(`{"op":"lost","text":`), err.Error())
		line = append(line, '}')
	}
	j.sink(line)
}

// redact masks the secrets in a record before it is encoded, as some of its
// members are base64 in the line. What is shared with the core is not changed.
func (r *Record) redact() {
	text := func(s *string) { *s = string(Redact([]byte(*s))) }
	text(&r.Text)
	text(&r.Reason)
	r.B64 = Redact(r.B64)
	if r.Spec != nil {
		spec := *r.Spec
		spec.Params = Redact(spec.Params)
		text(&spec.Rules.Reason)
		r.Spec = &spec
	}
	if r.Close != nil {
		why := *r.Close
		text(&why.Status)
		text(&why.Err)
		text(&why.Stderr)
		r.Close = &why
	}
	if r.Over != nil {
		over := *r.Over
		over.ID = string(redactedID([]byte(over.ID)))
		r.Over = &over
	}
}

// bytesOf puts bytes of any quality into a record.
func bytesOf(r *Record, raw []byte) {
	if utf8.Valid(raw) {
		r.Text = string(raw)
	} else {
		r.B64 = raw
	}
}

// raw takes them out again.
func (r *Record) raw() []byte {
	if r.B64 != nil {
		return r.B64
	}
	return []byte(r.Text)
}

func (j *journal) connect(now time.Time, _ Config) { j.put(now, Record{Op: opConnect}) }

func (j *journal) receive(now time.Time, x Exchange, f *Frame) {
	if j.sink == nil {
		return
	}
	r := Record{Op: opReceive, Epoch: x.Epoch, Stream: x.N}
	bytesOf(&r, f.Raw)
	if f.Kind == FrameOversize {
		r.Over = &Over{ID: string(f.IDRaw), Method: f.Method, Answer: f.Answer, Size: f.Size}
	}
	j.put(now, r)
}

func (j *journal) stderr(now time.Time, x Exchange, line []byte) {
	if j.sink == nil {
		return
	}
	r := Record{Op: opStderr, Epoch: x.Epoch}
	bytesOf(&r, line)
	j.put(now, r)
}

func (j *journal) call(now time.Time, spec Call) { j.put(now, Record{Op: opCall, Spec: &spec}) }

func (j *journal) notify(now time.Time, method string, params []byte) {
	j.put(now, Record{Op: opNotify, Spec: &Call{Method: method, Params: params}})
}

func (j *journal) cancel(now time.Time, id CallID, reason string) {
	j.put(now, Record{Op: opCancel, Call: id, Reason: reason})
}

func (j *journal) cancelAll(now time.Time, reason string) {
	j.put(now, Record{Op: opCancelAll, Reason: reason})
}

func (j *journal) extend(now time.Time, id CallID) { j.put(now, Record{Op: opExtend, Call: id}) }

func (j *journal) answer(now time.Time, id PromptID, result []byte, as PromptState) {
	r := Record{Op: opAnswer, Prompt: id, As: as}
	bytesOf(&r, result)
	j.put(now, r)
}

func (j *journal) refuse(now time.Time, id PromptID, code int64, message string, as PromptState) {
	j.put(now, Record{Op: opRefuse, Prompt: id, Code: code, Reason: message, As: as})
}

func (j *journal) pin(now time.Time, rev Revision) {
	j.put(now, Record{Op: opPin, Reason: string(rev)})
}

func (j *journal) quit(now time.Time)       { j.put(now, Record{Op: opQuit}) }
func (j *journal) disconnect(now time.Time) { j.put(now, Record{Op: opDisconnect}) }
func (j *journal) reload(now time.Time)     { j.put(now, Record{Op: opReload}) }
func (j *journal) tick(now time.Time)       { j.put(now, Record{Op: opTick}) }

func (j *journal) sent(now time.Time, seq uint64) { j.put(now, Record{Op: opSent, Out: seq}) }

func (j *journal) sendFailed(now time.Time, seq uint64, reason string) {
	j.put(now, Record{Op: opSent, Out: seq, Reason: reason, Failed: true})
}

func (j *journal) closed(now time.Time, e Epoch, why Close) {
	j.put(now, Record{Op: opClosed, Epoch: e, Close: &why})
}

func (j *journal) output(now time.Time, out Output) {
	if j.sink == nil {
		return
	}
	r := Record{Op: opWrite, Out: out.Seq, Epoch: out.X.Epoch, Call: out.Call}
	if out.Op == OpClose {
		r.Op = opClose
	}
	bytesOf(&r, out.Data)
	j.put(now, r)
}
