package mcp

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"belay/session/rawjson"
	"belay/session/sentence"
)

// Decoder turns the bytes of messages into frames. It is not safe for use by
// several goroutines: each reader has its own. It holds no state between
// messages but memory that it reuses. A new one is made by [NewDecoder].
type Decoder struct {
	json  jsontext.Decoder
	in    bytes.Buffer
	frame Frame
	names interner
	lead  lead

	latest string // of the tokens that are strings: the same one comes in floods
}

// NewDecoder makes a decoder.
func NewDecoder() *Decoder { return new(Decoder) }

// Decode reads one message, without its line end. It never fails: what is no
// proper message is a frame that says so. The frame and the slices in it are
// valid until the next call; raw belongs to the caller and must not change
// until then.
func (d *Decoder) Decode(raw []byte) *Frame {
	d.DecodeInto(&d.frame, raw)
	return &d.frame
}

// DecodeInto is Decode into a frame of the caller's, which may have been used before.
func (d *Decoder) DecodeInto(f *Frame, raw []byte) {
	problems := f.Problems[:0]
	*f = Frame{}
	f.Raw, f.Size, f.Problems = raw, len(raw), problems
	d.message(f, raw)
}

// DecodeOwned is Decode for bytes that were allocated for this message alone:
// the frame is Owned, is not reused, and stays valid. What may be kept of it long
// after the message keeps at most twice its own length.
func (d *Decoder) DecodeOwned(raw []byte) *Frame {
	f := &Frame{Raw: raw, Size: len(raw), Owned: true}
	d.message(f, raw)
	f.setApart(len(raw))
	for _, m := range f.Batch {
		m.setApart(len(raw))
	}
	return f
}

// setApart copies what may be kept of a message, where it is less than half of so
// many bytes: a few of them must not keep megabytes.
func (f *Frame) setApart(whole int) {
	apart(whole, &f.Result)
	apart(whole, &f.Error.Data)
	if f.Ask != nil {
		apart(whole, &f.Params)
	}
	if f.Inputs != nil {
		f.Inputs.setApart(whole)
	}
	if f.Task != nil && f.Task.Task.Inputs != nil {
		f.Task.Task.Inputs.setApart(whole)
	}
	if f.Task != nil && f.Task.Task.Outcome != nil {
		f.Task.Task.Outcome.setApart(whole)
	}
	if f.Needed != nil {
		for i := range f.Needed.Elicitations {
			apart(whole, &f.Needed.Elicitations[i].Raw)
		}
	}
}

// apart copies a part that is small beside the whole message: it may be kept for
// longer than the rest.
func apart(whole int, part *[]byte) {
	if 2*len(*part) < whole {
		*part = bytes.Clone(*part)
	}
}

// Decode reads one message into a frame of its own, with a decoder of its own.
func Decode(raw []byte) *Frame { return NewDecoder().Decode(raw) }

var lenientJSON = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// IsWellFormed reports whether b is one JSON value and nothing else but space.
func IsWellFormed(b []byte) bool {
	return jsontext.Value(b).IsValid(lenientJSON...)
}

// AddProblem notes what is wrong with the message.
func (f *Frame) AddProblem(code DiagCode, format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	f.Problems = append(f.Problems, Problem{Code: code, Detail: format})
}

var byteOrderMark = []byte("\xef\xbb\xbf")

func (d *Decoder) message(f *Frame, raw []byte) {
	body := raw
	if bytes.HasPrefix(body, byteOrderMark) {
		body = body[len(byteOrderMark):]
		f.AddProblem(DiagBOM, "a byte order mark at the start")
	}
	w := rawjson.Walk(body)
	kind := w.Kind()
	var e envelope
	var value []byte
	if d.lead.pass(&w, body, &e) || w.Enter() {
		e.read(&w, &d.lead)
	} else {
		value = w.Value()
	}
	if !w.Done() {
		d.notJSON(f, body)
		return
	}
	if !w.IsUTF8() {
		f.AddProblem(DiagInvalidUTF8, "bytes that are not UTF-8")
	}
	switch kind {
	case '{':
		d.object(f, &e)
	case '[':
		d.batch(f, value)
	default:
		f.AddProblem(DiagNotObject, "%s", rawjson.KindWords(value))
	}
}

// envelope is the top level of a message, raw. A member that is absent is nil.
type envelope struct {
	version, id, method, params, result, failure []byte

	in    params   // what the member params holds
	again []string // the members that had been there before, at most MaxProblems: each is told
}

// read reads the object that w has entered, to its end, and notes how it began.
func (e *envelope) read(w *rawjson.Walker, l *lead) {
	for {
		name, ok := w.Name()
		if !ok {
			return
		}
		switch string(name) {
		case "jsonrpc":
			e.set(&e.version, "jsonrpc", w.Value())
		case "id":
			e.set(&e.id, "id", w.Value())
		case "method":
			e.set(&e.method, "method", w.Value())
		case "params":
			e.readParams(w, l)
		case "result":
			e.set(&e.result, "result", w.Value())
		case "error":
			e.set(&e.failure, "error", w.Value())
		default:
			w.Value()
		}
	}
}

func (e *envelope) readParams(w *rawjson.Walker, l *lead) {
	from := w.Offset()
	if e.params != nil { // only the last one counts
		e.in = params{}
	}
	if e.in.isObject = w.Enter(); e.in.isObject {
		l.takeParams(w, from, e)
		e.in.members(w, l)
	} else {
		w.Value()
	}
	e.set(&e.params, "params", w.Since(from))
}

func (e *envelope) set(member *[]byte, name string, value []byte) {
	if *member != nil && len(e.again) < MaxProblems {
		e.again = append(e.again, name)
	}
	*member = value
}

func (d *Decoder) object(f *Frame, e *envelope) {
	for _, name := range e.again {
		f.AddProblem(DiagDuplicateMember, "%s", name)
	}
	if string(e.version) != `"2.0"` {
		if v, _ := rawjson.Text(e.version); v != "2.0" {
			f.AddProblem(DiagVersionMember, "jsonrpc is %s", describeRaw(e.version))
		}
	}
	if e.method != nil {
		d.asked(f, e)
	} else {
		d.answered(f, e)
	}
}

// describeRaw is a raw value in a few words.
func describeRaw(value []byte) string {
	switch k := rawjson.Kind(value); k {
	case '{', '[', 0, 'n', 't', 'f':
		return rawjson.KindWord(k)
	default:
		return rawjson.Excerpt(value)
	}
}

// asked is a message with a method: a request or a notification.
func (d *Decoder) asked(f *Frame, e *envelope) {
	if rawjson.Kind(e.method) != '"' {
		f.AddProblem(DiagMethodType, "method is %s", rawjson.KindWords(e.method))
		d.id(f, e.id)
		return
	}
	f.Method = d.names.method(e.method)
	f.Params = e.params
	if k := rawjson.Kind(e.params); k != 0 && k != '{' && k != '[' {
		f.AddProblem(DiagParamsType, "params is %s", rawjson.KindWord(k))
	}
	switch {
	case e.result != nil || e.failure != nil:
		f.AddProblem(DiagMethodAndResult, "method %s and an answer in one message", rawjson.Excerpt(e.method))
		d.id(f, e.id)
		return
	case strings.HasPrefix(f.Method, "notifications/"):
		if e.id != nil {
			f.AddProblem(DiagNotificationID, "%s with id %s", sentence.Name(f.Method), describeRaw(e.id))
		}
		f.Kind = FrameNotification
	case e.id == nil:
		f.Kind = FrameNotification
	case d.id(f, e.id):
		f.Kind = FrameRequest
	}
	switch {
	case f.Kind == FrameNotification:
		d.notification(f, &e.in)
	case f.Kind == FrameRequest && AsksUser(f.Method):
		f.Ask = askNote(f.Method, f.Params)
	}
}

// MaxID is how many bytes of JSON an ID, or a token that stands for one, may have.
// What is longer is none: IDs are compared, repeated and remembered.
const MaxID = 16 << 10

// id takes the ID over, and reports whether there is one that can be used.
func (d *Decoder) id(f *Frame, raw []byte) bool {
	switch k := rawjson.Kind(raw); {
	case k == 0:
		return false
	case len(raw) > MaxID:
		f.AddProblem(DiagIDType, "id is %s of %s, which is more than %s", rawjson.KindWord(k), sentence.Size(len(raw)), sentence.Size(MaxID))
		return false
	}
	switch k := rawjson.Kind(raw); k {
	case 'n':
		f.AddProblem(DiagIDNull, "id is null")
		return false
	case '"':
		f.ID = d.token(raw)
	case '0':
		f.ID = d.token(raw)
		if bytes.ContainsAny(raw, ".eE") {
			f.AddProblem(DiagIDFraction, "id is %s", rawjson.Excerpt(raw))
		}
	default:
		f.AddProblem(DiagIDType, "id is %s", rawjson.KindWord(k))
		return false
	}
	f.IDRaw = raw
	return true
}

// token is ParseID for a value that is known to be a string or a number,
// with short strings interned.
func (d *Decoder) token(raw []byte) ID {
	if len(raw) > MaxID {
		return ID{}
	}
	if raw[0] == '"' {
		if d.latest == string(raw[1:len(raw)-1]) {
			return StringID(d.latest)
		}
		if s, ok := d.names.text(raw); ok {
			d.latest = s
			return StringID(s)
		}
	}
	id, _ := ParseID(raw)
	return id
}

// tokenOf is token for a value of any kind: no ID where it is neither a string nor a
// number.
func (d *Decoder) tokenOf(raw []byte) ID {
	if k := rawjson.Kind(raw); k != '"' && k != '0' {
		return ID{}
	}
	return d.token(raw)
}

// members reports which of result and error an answer has. One that is null beside an object, as of JSON-RPC
// 1.0, is told and left out.
func (e *envelope) members(f *Frame) (hasResult, hasError bool) {
	result, failure := rawjson.Kind(e.result), rawjson.Kind(e.failure)
	switch {
	case e.result == nil || e.failure == nil:
	case result == '{' && failure == 'n':
		f.AddProblem(DiagNullBeside, "error is null beside a result")
		return true, false
	case result == 'n' && failure == '{':
		f.AddProblem(DiagNullBeside, "result is null beside an error")
		f.Result = nil
		return false, true
	}
	return e.result != nil, e.failure != nil
}

// answered is a message without a method: an answer, or nothing.
func (d *Decoder) answered(f *Frame, e *envelope) {
	f.Result = e.result
	hasResult, hasError := e.members(f)
	if !hasResult && hasError && (e.id == nil || rawjson.Kind(e.id) == 'n') {
		f.Kind = FrameError
		f.AddProblem(DiagErrorNoID, "an error, its id is %s", rawjson.KindWords(e.id))
		d.failure(f, e.failure)
		return
	}
	named := d.id(f, e.id)
	switch {
	case hasResult && hasError:
		f.AddProblem(DiagBothResultError, "result is %s and error is %s", rawjson.KindWords(e.result), rawjson.KindWords(e.failure))
		d.failure(f, e.failure)
		f.Kind = kindIf(named, FrameMalformed)
	case hasError:
		f.Kind = kindIf(named, FrameError)
		d.failure(f, e.failure)
	case hasResult:
		f.Kind = kindIf(named, FrameResult)
		if e.id == nil {
			f.AddProblem(DiagResultNoID, "a result without id")
		}
		d.result(f)
	default:
		f.AddProblem(DiagNoMethod, "neither method, result nor error")
		f.Kind = kindIf(named, FrameMalformed)
	}
}

func kindIf(named bool, k FrameKind) FrameKind {
	if named {
		return k
	}
	return FrameInvalid
}

// failure reads the error member. Its call ends however broken it is (BASE-08, BASE-09; basic).
func (d *Decoder) failure(f *Frame, raw []byte) {
	if rawjson.Kind(raw) != '{' {
		f.Error.say(raw)
		f.AddProblem(DiagErrorShape, "error is %s", rawjson.KindWords(raw))
		return
	}
	var code, message []byte
	for m := rawjson.MembersOf(raw); ; {
		name, value, ok := m.Next()
		if !ok {
			break
		}
		switch string(name) {
		case "code":
			code = value
		case "message":
			message = value
		case "data":
			f.Error.Data = value
		}
	}
	f.Error.CodeRaw = code
	var wrong []string
	if code == nil {
		wrong = append(wrong, "code is missing")
	} else if n, ok := rawInteger(code); ok {
		f.Error.Code = n
	} else {
		f.AddProblem(DiagErrorCode, "code is %s", describeRaw(code))
	}
	if f.Error.say(message); message == nil || f.Error.Bare {
		wrong = append(wrong, "message is "+rawjson.KindWords(message))
	}
	if wrong != nil {
		f.AddProblem(DiagErrorShape, "%s", strings.Join(wrong, ", "))
	}
	f.Error.says = errorDataOf(f.Error.Data)
	if f.Error.Code == CodeURLRequired {
		f.Needed = neededNote(f.Error.Data)
	}
}

// rawInteger is the value of a raw number that is an integer and fits an int64. One that is
// written longer than [MaxID] counts as none.
func rawInteger(raw []byte) (int64, bool) {
	if rawjson.Kind(raw) != '0' || len(raw) > MaxID {
		return 0, false
	}
	id, _ := ParseID(raw)
	return id.Int()
}
