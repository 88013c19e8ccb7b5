package session

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"

	"belay/session/rawjson"
)

// inputNames are the inputs by the names that they have in JSON.
var inputNames = map[string]reflect.Type{
	"answer":        reflect.TypeFor[Answer](),
	"cancel":        reflect.TypeFor[Cancel](),
	"cancelAll":     reflect.TypeFor[CancelAll](),
	"closed":        reflect.TypeFor[Closed](),
	"connect":       reflect.TypeFor[Connect](),
	"disconnect":    reflect.TypeFor[Disconnect](),
	"ended":         reflect.TypeFor[Ended](),
	"event":         reflect.TypeFor[EventReceived](),
	"extend":        reflect.TypeFor[Extend](),
	"forgetTask":    reflect.TypeFor[ForgetTask](),
	"hearTasks":     reflect.TypeFor[SubscribeToTasks](),
	"listTasks":     reflect.TypeFor[ListTasks](),
	"loggedIn":      reflect.TypeFor[LoggedIn](),
	"loggedOut":     reflect.TypeFor[LoggedOut](),
	"look":          reflect.TypeFor[Look](),
	"notify":        reflect.TypeFor[Notify](),
	"notRenewed":    reflect.TypeFor[NotRenewed](),
	"notStarted":    reflect.TypeFor[NotStarted](),
	"opened":        reflect.TypeFor[Opened](),
	"pollTask":      reflect.TypeFor[PollTask](),
	"processes":     reflect.TypeFor[ProcessSample](),
	"quit":          reflect.TypeFor[Quit](),
	"received":      reflect.TypeFor[Received](),
	"refuse":        reflect.TypeFor[Refuse](),
	"reload":        reflect.TypeFor[Reload](),
	"remark":        reflect.TypeFor[Remark](),
	"retry":         reflect.TypeFor[Retry](),
	"rootsChecked":  reflect.TypeFor[RootsChecked](),
	"schemaChecked": reflect.TypeFor[SchemaChecked](),
	"skipped":       reflect.TypeFor[Skipped](),
	"sendFailed":    reflect.TypeFor[SendFailed](),
	"sent":          reflect.TypeFor[Sent](),
	"setLogLevel":   reflect.TypeFor[SetLogLevel](),
	"setPin":        reflect.TypeFor[SetPin](),
	"setRoots":      reflect.TypeFor[SetRoots](),
	"startCall":     reflect.TypeFor[StartCall](),
	"started":       reflect.TypeFor[Started](),
	"stderr":        reflect.TypeFor[Stderr](),
	"stopped":       reflect.TypeFor[Suspended](),
	"stopWaiting":   reflect.TypeFor[StopWaiting](),
	"subscribe":     reflect.TypeFor[Subscribe](),
	"tick":          reflect.TypeFor[Tick](),
	"unfinished":    reflect.TypeFor[ReceivedPart](),
	"wrongCancel":   reflect.TypeFor[WrongCancel](),
}

var namesOfInputs = func() map[reflect.Type]string {
	names := make(map[reflect.Type]string, len(inputNames))
	for name, t := range inputNames {
		names[t] = name
	}
	return names
}()

// EncodeInput returns the name of an input and its JSON, from which [DecodeInput] makes
// it again.
func EncodeInput(in Input) (name string, text []byte, err error) {
	name, ok := namesOfInputs[reflect.TypeOf(in)]
	if !ok {
		return "", nil, fmt.Errorf("session: %T has no name", in)
	}
	if in, ok := in.(Received); ok {
		if text = in.text(); text != nil {
			return name, text, nil
		}
	}
	text, err = json.Marshal(in)
	return name, text, err
}

// text is the JSON of a message of UTF-8 of which all was kept; nil: it is another. Nearly all lines of a long
// recording are such messages, and what the library does for each, twice over all its bytes, is what bounds the pace
// of a recording.
func (in Received) text() []byte {
	if in.Over != nil || in.Hollow != nil || in.NoSession || in.Raw == nil || !utf8.Valid(in.Raw) {
		return nil
	}
	b := make([]byte, 0, len(`{"epoch":,"stream":,"ago":,"raw":""}`)+3*len("18446744073709551615")+len(in.Raw)+len(in.Raw)/4)
	b = strconv.AppendUint(append(b, `{"epoch":`...), uint64(in.Epoch), 10)
	if in.N > 0 {
		b = strconv.AppendUint(append(b, `,"stream":`...), in.N, 10)
	}
	if in.Ago != 0 {
		b = strconv.AppendInt(append(b, `,"ago":`...), int64(in.Ago), 10)
	}
	return append(rawjson.AppendQuote(append(b, `,"raw":`...), in.Raw), '}')
}

// DecodeInput makes an input of its name and its JSON. Errors say what is wrong with
// them.
func DecodeInput(name string, text []byte) (Input, error) {
	t, ok := inputNames[name]
	if !ok {
		return nil, fmt.Errorf("there is no input %q: the line was left out; another belay may know it", name)
	}
	in := reflect.New(t)
	if err := json.Unmarshal(text, in.Interface()); err != nil {
		return nil, fmt.Errorf("the input %q cannot be read, and was left out: %s", name, rawjson.Fault(err))
	}
	what := ""
	switch in := in.Interface().(type) {
	case *ProcessSample:
		what = in.Impossible()
	case *Skipped:
		if in.Rest != nil {
			what = in.Rest.impossible()
		}
	}
	if what != "" {
		return nil, fmt.Errorf("the input %q was left out: %s", name, what)
	}
	return in.Elem().Interface().(Input), nil
}

// Bytes are the bytes of a message, or of another text of others'. Their JSON is a
// string; where they are not UTF-8, an object with the member base64; null for nil.
type Bytes []byte

type base64Bytes struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON implements [json.Marshaler].
func (b Bytes) MarshalJSON() ([]byte, error) {
	switch {
	case b == nil:
		return []byte("null"), nil
	case utf8.Valid(b):
		return json.Marshal(string(b))
	}
	return json.Marshal(base64Bytes{b})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (b *Bytes) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		var raw base64Bytes
		err := json.Unmarshal(text, &raw)
		*b = raw.Base64
		return err
	}
	var s *string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	if *b = nil; s != nil {
		*b = Bytes(*s)
	}
	return nil
}
