package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/session/mcp"
)

// Messages of a server. Their verbs take IDs and tokens as they are written.
const (
	okAnswer       = `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`
	errorAnswer    = `{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"broken"}}`
	progressNote   = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%v,"progress":%v}}`
	cancelledNote  = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%v,"reason":"changed my mind"}}`
	samplingAsk    = `{"jsonrpc":"2.0","id":%v,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`
	elicitationAsk = `{"jsonrpc":"2.0","id":%v,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`
)

// token is the progress token of a request, as it is written.
func token(wire mcp.ID) string { return `"` + tokenPrefix + wire.String() + `"` }

// diag is how often something was found wrong.
func (r *rig) diag(code mcp.DiagCode) int {
	n := 0
	for _, d := range r.s.Diagnostics() {
		if d.Code == code {
			n += d.Count
		}
	}
	return n
}

// wantDiag fails unless something was found wrong that often.
func (r *rig) wantDiag(code mcp.DiagCode, n int) {
	r.t.Helper()
	if got := r.diag(code); got != n {
		r.t.Errorf("%q was found %d times, want %d", Diagnostic{Code: code}.Describe(), got, n)
	}
}

// wantLines fails unless the server has read exactly these lines since the
// last look.
func (r *rig) wantLines(want ...string) {
	r.t.Helper()
	if strings.Join(r.lines, "\n") != strings.Join(want, "\n") {
		r.t.Errorf("written:\n%s\nwant:\n%s", strings.Join(r.lines, "\n"), strings.Join(want, "\n"))
	}
	r.lines = nil
}

// closed ends the connection; the server did it, with a status.
func (r *rig) closed() {
	r.t.Helper()
	r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 3"}})
	r.check()
}

// reconnect begins the next epoch and makes it ready.
func (r *rig) reconnect(rev mcp.Revision) {
	r.t.Helper()
	r.connect()
	r.agree(rev, logging)
	r.lines = nil
}

// questions are the states of the questions, oldest first.
func (r *rig) questions() []QuestionState {
	var all []QuestionState
	for _, p := range r.s.Questions() {
		all = append(all, p.State)
	}
	return all
}

// wantQuestion fails unless the latest question is in a state.
func (r *rig) wantQuestion(want QuestionState) QuestionView {
	r.t.Helper()
	all := r.s.Questions()
	if len(all) == 0 || all[len(all)-1].State != want {
		r.t.Fatalf("questions %v, want the last one %v", r.questions(), want)
	}
	return all[len(all)-1]
}

// read decodes what belay wrote, by other code than belay's.
func read(t testing.TB, line string) (m struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
},
) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		t.Fatalf("belay wrote %q: %v", line, err)
	}
	return m
}

// events are the notes of belay's in the history that hold a word.
func (r *rig) events(word string) (found []string) {
	first, last := r.s.HistorySpan()
	for q := first; q <= last; q++ {
		if e, ok := r.s.Entry(q); ok && e.Kind == EntEvent && strings.Contains(string(e.Raw), word) {
			found = append(found, string(e.Raw))
		}
	}
	return found
}

// made makes a request of any method.
func (r *rig) made(spec CallSpec) (CallID, mcp.ID) {
	r.t.Helper()
	id, err := madeBy(r.s.Handle(r.now, StartCall{Spec: spec}))
	if err != nil {
		r.t.Fatal(err)
	}
	r.pull()
	return id, r.row(id).Wire
}

// within makes time pass in steps, doing something before each.
func (r *rig) within(d, step time.Duration, f func(i int)) {
	r.t.Helper()
	for i := range int(d / step) {
		f(i)
		r.wait(step)
	}
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }

// feed is recv without a look at the invariants, for what comes in thousands.
func (r *rig) feed(format string, args ...any) {
	r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, mcp.Decode(fmt.Appendf(nil, format, args...)))
	r.pull()
}
