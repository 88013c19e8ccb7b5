package session

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/secret"
)

// Record is one line of the journal: an input of the core, or an output that
// it gave, for comparison. Replaying the inputs in order gives the same states.
// The first line is the input "new" and holds the configuration.
//
// In the file, the bytes of a message are the member text, or b64 when they are
// not UTF-8.
type Record struct {
	Seq  uint64        `json:"seq"`
	T    time.Duration `json:"t"` // monotonic, since the session was made, in nanoseconds
	Wall time.Time     `json:"wall"`
	Op   string        `json:"op"`
	Ago  time.Duration `json:"ago,omitempty"` // of a message: how long before T its first byte came, or of what was sent, its last byte was written

	NoSession bool `json:"no_session,omitempty"` // of a message: it says that the server does not know the session, in words that may be masked

	Epoch  Epoch  `json:"epoch,omitempty"`
	Stream uint64 `json:"stream,omitempty"`

	Bytes []byte `json:"-"` // of a message, a line of stderr, an answer

	Out     uint64      `json:"out,omitempty"`
	Call    CallID      `json:"call,omitempty"`
	Prompt  PromptID    `json:"prompt,omitempty"`
	As      PromptState `json:"as,omitempty"`
	Code    int64       `json:"code,omitempty"`
	Reason  string      `json:"reason,omitempty"`
	Failed  bool        `json:"failed,omitempty"`
	Spec    *CallSpec   `json:"spec,omitempty"`
	Roots   []Root      `json:"roots,omitempty"`
	Config  *Config     `json:"config,omitempty"`
	Close   *Close      `json:"close,omitempty"`
	Over    *Over       `json:"over,omitempty"`
	Head    *Head       `json:"head,omitempty"`
	Event   *Event      `json:"event,omitempty"`
	End     *End        `json:"end,omitempty"`
	Version int         `json:"version,omitempty"` // of the format, in the first line

	Schema *SchemaReport `json:"schema,omitempty"`
}

// Over is what was found in a message over the limit, or in one that has not
// ended.
type Over struct {
	ID      string `json:"id,omitempty"`
	Method  string `json:"method,omitempty"`
	Answer  bool   `json:"answer,omitempty"`
	IsError bool   `json:"error,omitempty"`
	Size    int    `json:"size"`
	Kept    bool   `json:"kept,omitempty"` // it has not ended, and is not over the limit yet

	Still time.Duration `json:"still,omitempty"` // of one that has not ended: how long before T its latest bytes came
}

// JournalVersion is the version of the format that is written. The one before it
// is read as well: it does not tell when the first byte of a message came, which
// counts as having come with its end.
const (
	JournalVersion       = 3
	oldestJournalVersion = 2
)

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
	opRetry      = "retry"
	opAnswer     = "answer"
	opRefuse     = "refuse"
	opPin        = "pin"
	opRoots      = "roots"
	opQuit       = "quit"
	opDisconnect = "disconnect"
	opReload     = "reload"
	opChecked    = "checked"
	opSent       = "sent"
	opTick       = "tick"
	opClosed     = "closed"
	opWrite      = "write" // an output
	opClose      = "close" // an output

	opUnfinished = "unfinished"

	opStarted  = "started"
	opOpened   = "opened"
	opEvent    = "event"
	opEnded    = "ended"
	opRemark   = "remark"
	opLoggedIn = "logged-in"
	opLogout   = "logged-out"
	opOldToken = "not-renewed"
	opLogin    = "login" // an output
	opOpen     = "open"  // an output
	opAbort    = "abort" // an output

	opCheckRoots   = "check-roots" // an output
	opRootsChecked = "roots-checked"
	opNotStarted   = "not-started"
	opLook         = "look"
	opLogLevel     = "log-level"
)

// journal gives away the inputs of the core.
type journal struct {
	origin time.Time
	seq    uint64
	sink   func(Record)
}

// SetJournal makes the session hand every input and output to sink. It is
// called under the lock: it must not block, and it does not encode, as that can
// take long ([Record.Append]). Of the record only Bytes is changed after sink
// returns; whoever keeps the record copies them. A journal can be replayed only
// from the start, so it must be set before the first input.
func (s *Session) SetJournal(sink func(Record)) {
	s.journal.sink = sink
	cfg := s.cfg
	s.journal.put(s.now, Record{Op: opNew, Config: &cfg, Version: JournalVersion})
}

func (j *journal) put(now time.Time, r Record) {
	if j.sink == nil {
		return
	}
	j.seq++
	r.Seq, r.T, r.Wall = j.seq, now.Sub(j.origin), now.UTC().Round(0)
	j.sink(r)
}

// line is a record as it stands in the file.
type line struct {
	Record
	Text string `json:"text,omitempty"`
	B64  []byte `json:"b64,omitempty"`

	// Of the first line: how many values are masked from the beginning on, and how;
	// or that none is.
	Masked   *secret.Counts `json:"masked,omitempty"`
	Unmasked bool           `json:"unmasked,omitempty"`
}

// Append appends the record to dst as a line of JSON, without a line end. A
// mask replaces what is secret by asterisks, and the structure stays (LOG-13);
// nil hides nothing. The first line says which. What the record shares with others is not changed.
func (r Record) Append(dst []byte, mask *secret.Mask) []byte {
	if mask != nil {
		r.redact(mask)
	}
	l := line{Record: r}
	if utf8.Valid(r.Bytes) {
		l.Text = string(r.Bytes)
	} else {
		l.B64 = r.Bytes
	}
	if r.Op == opNew {
		if l.Unmasked = mask == nil; mask != nil {
			counts := mask.Counts()
			l.Masked = &counts
		}
	}
	text, err := json.Marshal(l)
	if err != nil {
		// Only a raw message that is no JSON could do that, and those are kept as
		// text; the reader is told rather than the line lost.
		dst = append(dst, `{"op":"lost","text":`...)
		return append(rawjson.AppendQuote(dst, err.Error()), '}')
	}
	return append(dst, text...)
}

// parseRecord reads a line of the journal.
func parseRecord(text []byte) (*Record, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, err
	}
	if l.Bytes = l.B64; l.B64 == nil {
		l.Bytes = []byte(l.Text)
	}
	return &l.Record, nil
}

func (j *journal) connect(now time.Time, _ Config) { j.put(now, Record{Op: opConnect}) }

// receive writes a message, and how long its first byte had come before it.
func (j *journal) receive(now time.Time, ago time.Duration, x ExchangeID, f *mcp.Frame) {
	if j.sink == nil {
		return
	}
	r := Record{Op: opReceive, Ago: ago, Epoch: x.Epoch, Stream: x.N, Bytes: f.Raw, NoSession: deniesSession(f)}
	if f.Kind == mcp.FrameOversize {
		r.Over = &Over{ID: string(f.IDRaw), Method: f.Method, Answer: f.Answer, IsError: f.IsError, Size: f.Size}
	}
	j.put(now, r)
}

func (j *journal) stderr(now time.Time, x ExchangeID, line []byte) {
	j.put(now, Record{Op: opStderr, Epoch: x.Epoch, Bytes: line})
}

func (j *journal) call(now time.Time, spec CallSpec) { j.put(now, Record{Op: opCall, Spec: &spec}) }

func (j *journal) notify(now time.Time, method string, params []byte) {
	j.put(now, Record{Op: opNotify, Spec: &CallSpec{Method: method, Params: params}})
}

func (j *journal) cancel(now time.Time, id CallID, reason string) {
	j.put(now, Record{Op: opCancel, Call: id, Reason: reason})
}

func (j *journal) cancelAll(now time.Time, reason string) {
	j.put(now, Record{Op: opCancelAll, Reason: reason})
}

func (j *journal) extend(now time.Time, id CallID) { j.put(now, Record{Op: opExtend, Call: id}) }

func (j *journal) retry(now time.Time, id CallID) { j.put(now, Record{Op: opRetry, Call: id}) }

func (j *journal) answer(now time.Time, id PromptID, result []byte, as PromptState) {
	j.put(now, Record{Op: opAnswer, Prompt: id, As: as, Bytes: result})
}

func (j *journal) refuse(now time.Time, id PromptID, code int64, message string, as PromptState) {
	j.put(now, Record{Op: opRefuse, Prompt: id, Code: code, Reason: message, As: as})
}

func (j *journal) pin(now time.Time, rev mcp.Revision) {
	j.put(now, Record{Op: opPin, Reason: string(rev)})
}

func (j *journal) roots(now time.Time, roots []Root) {
	j.put(now, Record{Op: opRoots, Roots: slices.Clone(roots)})
}

func (j *journal) quit(now time.Time) { j.put(now, Record{Op: opQuit}) }
func (j *journal) disconnect(now time.Time, reason string) {
	j.put(now, Record{Op: opDisconnect, Reason: reason})
}
func (j *journal) look(now time.Time) { j.put(now, Record{Op: opLook}) }

func (j *journal) logLevel(now time.Time, level string) {
	j.put(now, Record{Op: opLogLevel, Reason: level})
}

func (j *journal) reload(now time.Time, kinds []mcp.ListKind) {
	var names []string
	for _, k := range kinds {
		names = append(names, k.String())
	}
	j.put(now, Record{Op: opReload, Reason: strings.Join(names, " ")})
}

func (j *journal) tick(now time.Time) { j.put(now, Record{Op: opTick}) }

func (j *journal) sent(now time.Time, seq uint64, at time.Time) {
	j.put(now, Record{Op: opSent, Ago: now.Sub(at), Out: seq})
}

func (j *journal) sendFailed(now time.Time, seq uint64, reason string) {
	j.put(now, Record{Op: opSent, Out: seq, Reason: reason, Failed: true})
}

func (j *journal) closed(now time.Time, e Epoch, why Close) {
	j.put(now, Record{Op: opClosed, Epoch: e, Close: &why})
}

func (j *journal) unfinished(now time.Time, x ExchangeID, part Part) {
	r := Record{Op: opUnfinished, Epoch: x.Epoch, Stream: x.N, Over: &Over{Size: part.Size, Kept: part.Kept}}
	if part.Size > 0 {
		r.Ago, r.Over.Still = now.Sub(part.Began), now.Sub(part.Last)
	}
	j.put(now, r)
}

func (j *journal) started(now time.Time, x ExchangeID) {
	j.put(now, Record{Op: opStarted, Epoch: x.Epoch, Stream: x.N})
}

func (j *journal) opened(now time.Time, x ExchangeID, h Head) {
	j.put(now, Record{Op: opOpened, Epoch: x.Epoch, Stream: x.N, Head: &h})
}

func (j *journal) event(now time.Time, x ExchangeID, ev Event) {
	j.put(now, Record{Op: opEvent, Epoch: x.Epoch, Stream: x.N, Event: &ev})
}

func (j *journal) ended(now time.Time, x ExchangeID, end End) {
	j.put(now, Record{Op: opEnded, Epoch: x.Epoch, Stream: x.N, End: &end})
}

func (j *journal) loggedIn(now time.Time, seq uint64, failure string) {
	j.put(now, Record{Op: opLoggedIn, Out: seq, Reason: failure})
}

func (j *journal) notRenewed(now time.Time, seq uint64, why string) {
	j.put(now, Record{Op: opOldToken, Out: seq, Reason: why})
}

func (j *journal) loggedOut(now time.Time) { j.put(now, Record{Op: opLogout}) }

func (j *journal) remark(now time.Time, text string) {
	j.put(now, Record{Op: opRemark, Reason: text})
}

func (j *journal) rootsChecked(now time.Time, seq uint64, gone []Root, failure string) {
	j.put(now, Record{Op: opRootsChecked, Out: seq, Roots: slices.Clone(gone), Reason: failure})
}

func (j *journal) checked(now time.Time, id CallID, report SchemaReport) {
	j.put(now, Record{Op: opChecked, Call: id, Schema: &report})
}

func (j *journal) notStarted(now time.Time, why string) {
	j.put(now, Record{Op: opNotStarted, Reason: why})
}

// outputOps are the operations of the journal that outputs are.
var outputOps = map[Op]string{OpWrite: opWrite, OpClose: opClose, OpAbort: opAbort, OpOpen: opOpen, OpLogin: opLogin, OpRoots: opCheckRoots}

func (j *journal) output(now time.Time, out Output) {
	if j.sink == nil {
		return
	}
	j.put(now, Record{Op: outputOps[out.Op], Out: out.Seq, Epoch: out.X.Epoch, Stream: out.X.N, Call: out.Call, Bytes: out.Data})
}
