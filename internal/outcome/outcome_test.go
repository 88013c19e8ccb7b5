package outcome

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"belay/internal/requirements"
	"belay/internal/wording"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	sessiontask "belay/session/task"
)

func done(result string) *Outcome {
	return &Outcome{Tool: "t", Call: session.Detail{Row: session.Row{State: session.Done, Created: time.Unix(1, 0), Ended: time.Unix(2, 0)}, Result: []byte(result)}}
}

// The texts of a result stand as they are, in their order, and what is no text is named.
func TestTheTextOfAResult(t *testing.T) {
	for result, want := range map[string]string{
		`{"content":[]}`: "",
		`{"content":[{"type":"text","text":"a\n\tb\r\nc"},{"type":"text","text":""},{"type":"text","text":"d\n"}]}`: "a\n\tb\nc\nd\n",
		`{"content":[{"type":"image","mimeType":"image/png","data":"AAAA"}]}`:                                       "[image, image/png, 3 B]\n",
		`{"content":[{"type":"resource_link","name":"n","uri":"file:///x"}]}`:                                       "[resource_link, n, file:///x]\n",
		`{"content":[{"type":"resource","resource":{"uri":"file:///x","text":"inside"}}]}`:                          "inside\n",
		`{"content":[],"structuredContent":{"a":1}}`:                                                                "{\n  \"a\": 1\n}\n",
		`{"content":[{"type":"text","text":"⟨\u001b[2J\u202e"}]}`:                                                   "⟨⟨ESC⟩[2J⟨U+202E⟩\n",
		`{"content":[{"type":"text","text":"::error::x"}]}`:                                                         "::error::x\n",
	} {
		if got := done(result).Result(); got != want {
			t.Errorf("%s: %q, not %q", result, got, want)
		}
	}
	failed := done(`{"content":[{"type":"text","text":"no"}],"isError":true}`)
	failed.Call.State, failed.Call.ToolError = session.Failed, true
	if failed.Result() != "" || !slices.Contains(failed.Remarks(), "  no") {
		t.Errorf("%q, %q", failed.Result(), failed.Remarks())
	}
}

// A program reads what the server wrote, and nothing that a terminal obeys is in between.
func TestTheDocumentIsFaithfulAndSafe(t *testing.T) {
	requirements.Rows(t, "SEC-19")
	const text = "\x1b[2J\u009b\u202e\u2028\U000e0041\x7f é ☃ 👍 \"\\ ##[error]x"
	quoted, _ := json.Marshal(text)
	o := done(`{"content":[{"type":"text","text":` + string(quoted) + `}],"n":1.50}`)
	o.Arguments, o.Tool = []byte(`{"a":[1.0,null]}`), text
	raw := o.JSON()
	for _, r := range string(raw) {
		if r != '\n' && r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u2028' || r == 0xe0041 {
			t.Errorf("%q is in it", r)
		}
	}
	if bytes.Contains(raw, []byte("##[")) {
		t.Error("it holds a command to the runner of a CI")
	}
	var got struct {
		Tool      string
		Arguments json.RawMessage
		Result    struct {
			Content []struct{ Text string }
			N       json.Number
		}
	}
	if err := json.Unmarshal(raw, &got); err != nil || got.Tool != text || got.Result.Content[0].Text != text || got.Result.N != "1.50" {
		t.Errorf("%v: %q", err, got)
	}
	for _, broken := range []string{"{\"content\":\"\xff\"}", `{"content":[`, "\xff\xfe"} {
		if raw := done(broken).JSON(); !json.Valid(raw) || !utf8.Valid(raw) {
			t.Errorf("%q: %q", broken, raw)
		}
	}
}

// What became of a cancel is told in both forms, with its evidence.
func TestACancelIsTold(t *testing.T) {
	o := done("")
	c := &o.Call
	c.State, c.Initiator, c.Reason, c.Verdict = session.Cancelled, cancel.ByUser, "of a test", cancel.AnsweredLate
	c.Evidence = []cancel.Evidence{{At: time.Unix(1, 5e8), After: 100 * time.Millisecond, Text: "an answer \x1b[2J"}}
	c.Late = &session.LateAnswer{After: time.Second, Result: []byte(`{"content":[]}`)}
	lines := strings.Join(o.Remarks(), "\n")
	for _, want := range []string{"cancelled · answered late", "0.500s", "an answer ⟨ESC⟩[2J"} {
		if !strings.Contains(lines, want) {
			t.Errorf("%q is not in\n%s", want, lines)
		}
	}
	var got struct {
		State  string
		Cancel struct {
			By, Verdict string
			Evidence    []struct {
				AtSeconds, AfterCancelSeconds float64
				Text                          string
			}
			Late struct{ Result json.RawMessage }
		}
	}
	if err := json.Unmarshal(o.JSON(), &got); err != nil || got.Cancel.By != "user" || got.Cancel.Verdict != "answered late" || got.Cancel.Evidence[0].AfterCancelSeconds != 0.1 || got.Cancel.Evidence[0].Text != "an answer ⟨ESC⟩[2J" || len(got.Cancel.Late.Result) == 0 {
		t.Errorf("%v: %+v", err, got)
	}
	c.Task = &session.TaskView{View: sessiontask.View{ID: "t\x07-1", Status: sessiontask.Working}}
	for over, want := range map[mcp.Transport]string{
		mcp.Stdio: `task "t⟨BEL⟩-1" may go on, if it outlives the server's process`,
		mcp.HTTP:  `task "t⟨BEL⟩-1" may go on at the server`,
	} {
		o.Status.Transport, c.Task.CutByUs = over, true
		if lines := strings.Join(o.Remarks(), "\n"); !strings.Contains(lines, want) || strings.Count(lines, "may go on") != 1 {
			t.Errorf("over %v the task that goes on is not named once:\n%s", over, lines)
		}
		nameless := *o
		nameless.Call.Task, nameless.Call.UnnamedTask = nil, true
		nameless.Call.Note = string(wording.UnnamedTaskGoesOn(over, "", false))
		if lines := strings.Join(nameless.Remarks(), "\n"); strings.Count(lines, "may go on") != 1 {
			t.Errorf("over %v the task without an ID is not told of once:\n%s", over, lines)
		}
		nameless.Call.Note = ""
		if lines := strings.Join(nameless.Remarks(), "\n"); strings.Count(lines, "may go on") != 1 {
			t.Errorf("over %v the task without an ID is not told of:\n%s", over, lines)
		}
	}
	c.Task.CutByUs, c.Left, c.Note = false, true, "you stopped waiting"
	for over, ends := range map[mcp.Transport]bool{mcp.Stdio: true, mcp.HTTP: false} {
		o.Status.Transport = over
		if lines := strings.Join(o.Remarks(), "\n"); strings.Contains(lines, "belay ends the server") != ends {
			t.Errorf("over %v, of a task that was left:\n%s", over, lines)
		}
	}
	o.Status.Transport, c.Left, c.Note = mcp.HTTP, false, ""
	c.Task.Unknown = true
	if lines := strings.Join(o.Remarks(), "\n"); strings.Contains(lines, "go on at the server") {
		t.Errorf("a task that the server does not know is said to go on:\n%s", lines)
	}
	c.Task.Unknown, c.Task.Status = false, sessiontask.Completed
	if lines := strings.Join(o.Remarks(), "\n"); strings.Contains(lines, "go on at the server") {
		t.Errorf("a task that is over goes on:\n%s", lines)
	}
	c.Task.Status = sessiontask.InputRequired
	for _, outcome := range []struct {
		state session.State
		err   *mcp.RPCError
		fails bool
	}{{session.Done, nil, false}, {session.Failed, &mcp.RPCError{}, false}, {session.Failed, nil, true}} {
		c.State, c.Err, c.ToolError = outcome.state, outcome.err, outcome.fails
		if lines := strings.Join(o.Remarks(), "\n"); strings.Contains(lines, "go on at the server") {
			t.Errorf("a task whose outcome has come goes on:\n%s", lines)
		}
	}
	if c.Err, c.ToolError = nil, false; !strings.Contains(strings.Join(o.Remarks(), "\n"), "go on at the server") {
		t.Error("a task without an outcome is not said to go on")
	}
	c.Task = nil
	c.State, c.Err = session.Failed, &mcp.RPCError{Code: -32603, CodeRaw: []byte("-32603"), Message: "it\x07 broke"}
	if lines := strings.Join(o.Remarks(), "\n"); !strings.Contains(lines, `-32603: "it⟨BEL⟩ broke"`) {
		t.Error(lines)
	}
}

// The page tells of every field of the document.
func TestThePageTellsOfEachField(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "call.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, told, _ := strings.Cut(string(page), "\n## The document of `belay call -o json`\n")
	told, _, _ = strings.Cut(told, "\n## ")
	for _, of := range []any{document{}, Server{}, fault{}, structured{}, session.SchemaFault{}, progress{}, task{}, cancelled{}, evidence{}, late{}, Question{}, wrong{}} {
		for i := range reflect.TypeOf(of).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(of).Field(i).Tag.Get("json"), ",")
			if !strings.Contains(told, "`"+name+"`") {
				t.Errorf("docs/call.md does not tell of %q, a field of %T", name, of)
			}
		}
	}
}

// A result without the structured content that its tool promises is told in both forms.
func TestMissingStructuredContentIsTold(t *testing.T) {
	o := done(`{"content":[{"type":"text","text":"a"}]}`)
	if lines := o.Remarks(); len(lines) > 0 || bytes.Contains(o.JSON(), []byte(`"structured"`)) {
		t.Errorf("of a tool that promises none: %q\n%s", lines, o.JSON())
	}
	o.Status.Revision = mcp.Rev20251125
	o.Unstructured = &session.Diagnostic{Code: mcp.DiagNoStructured}
	const want = "the answer is a result without structuredContent, although its tool has an outputSchema (2025-11-25, server/tools: "
	if lines := o.Remarks(); len(lines) != 1 || !strings.HasPrefix(lines[0], want) {
		t.Errorf("%q", lines)
	}
	var got struct {
		Structured struct {
			Conforms *bool
			Missing  bool
		}
	}
	if err := json.Unmarshal(o.JSON(), &got); err != nil || got.Structured.Conforms != nil || !got.Structured.Missing {
		t.Errorf("%v: %+v", err, got)
	}
}

// Where a part of the schema was not checked, nobody knows whether the content conforms; what breaks the rest breaks it.
func TestASchemaThatWasCheckedInPart(t *testing.T) {
	blind := []string{"the pattern ^(?!foo)"}
	for to, want := range map[session.Conformity]string{session.Conforms: `"conforms": null`, session.Breaks: `"conforms": false`} {
		o := done(`{"content":[],"structuredContent":{"a":1}}`)
		o.Call.Conformity, o.Call.Schema = to, session.SchemaReport{Blind: blind}
		if raw := string(o.JSON()); !strings.Contains(raw, want) || !strings.Contains(raw, `"notChecked": [`) || !strings.Contains(raw, blind[0]) {
			t.Errorf("%v: %s", to, raw)
		}
		if lines := o.Remarks(); !slices.Contains(lines, "of the output schema this was not checked: "+blind[0]) {
			t.Errorf("%v: %q", to, lines)
		}
		o.Call.Schema.Blind = nil
		if raw := string(o.JSON()); to == session.Conforms && !strings.Contains(raw, `"conforms": true`) || strings.Contains(raw, "notChecked") {
			t.Errorf("%v, as a whole: %s", to, raw)
		}
	}
}

// A time in the document has no digits beyond the microsecond, which a sum of seconds and their
// fraction would have.
func TestTimesInTheDocumentAreShort(t *testing.T) {
	d := session.Detail{Row: session.Row{State: session.Cancelled, Verdict: cancel.TaskCompleted, Initiator: cancel.ByUser, Task: &session.TaskView{}}, TaskEndAfter: 4579717 * time.Microsecond}
	o := Outcome{Call: d}
	if raw := string(o.JSON()); !strings.Contains(raw, `"afterCancelSeconds": 4.579717`+"\n") {
		t.Error(raw)
	}
}

// What came where no cancel had left is no time after it.
func TestAnAnswerWithoutACancelHasNoTimeAfterIt(t *testing.T) {
	d := session.Detail{Row: session.Row{State: session.Cancelled, Verdict: cancel.NothingRunning, Initiator: cancel.ByUser}, Late: &session.LateAnswer{Result: []byte(`{"content":[]}`)}}
	if raw := string((&Outcome{Call: d}).JSON()); strings.Contains(raw, "afterCancelSeconds") || !strings.Contains(raw, `"late": {`) {
		t.Error(raw)
	}
}

// How late a cancelled task ended is told before its outcome has come, as text and in the document.
func TestALateTaskIsToldBeforeItsOutcome(t *testing.T) {
	d := session.Detail{Row: session.Row{State: session.Cancelled, Verdict: cancel.TaskCompleted, Initiator: cancel.ByUser, Task: &session.TaskView{View: sessiontask.View{ID: "t", Status: sessiontask.Completed}}}, TaskEndAfter: 9 * time.Second}
	o := Outcome{Call: d}
	if raw := string(o.JSON()); !strings.Contains(raw, `"afterCancelSeconds": 9`) {
		t.Error(raw)
	}
	if lines := strings.Join(o.Remarks(), "\n"); !strings.Contains(lines, "first seen 9.00s after the cancel") {
		t.Error(lines)
	}
}

// That the outcome of a task was asked for and has not come is told, as text and in the document.
func TestAnOutcomeThatHasNotComeIsTold(t *testing.T) {
	for what, view := range map[string]*session.TaskView{"": {}, "is out": {OutcomeOut: true}, "the connection has ended": {OutcomeLeft: true}} {
		out := what != ""
		view.View = sessiontask.View{ID: "t", Status: sessiontask.Completed}
		o := Outcome{Call: session.Detail{Row: session.Row{State: session.Cancelled, Verdict: cancel.TaskCompleted, Initiator: cancel.ByUser, Task: view}}}
		if raw := string(o.JSON()); strings.Contains(raw, `"outcomeNotCome": true`) != out {
			t.Error(raw)
		}
		if lines := strings.Join(o.Remarks(), "\n"); strings.Contains(lines, "the outcome of the task had not come when belay left") != out {
			t.Error(lines)
		}
	}
}

// An outcome whose task was not told to have ended is told as that, unless the call was cancelled: then
// the verdict tells of the task.
func TestAnOutcomeThatIsAheadOfTheStatusIsTold(t *testing.T) {
	for state, want := range map[session.State]bool{session.Done: true, session.Failed: true, session.Cancelled: false} {
		for _, ahead := range []bool{false, true} {
			view := &session.TaskView{View: sessiontask.View{ID: "t", Status: sessiontask.Working, OutcomeAhead: ahead}}
			o := Outcome{Call: session.Detail{Row: session.Row{State: state, Task: view}}}
			if raw := string(o.JSON()); strings.Contains(raw, `"endNotTold": true`) != (ahead && want) {
				t.Error(raw)
			}
			if lines := strings.Join(o.Remarks(), "\n"); strings.Contains(lines, "the outcome has come, and the task was working, as the server had told last") != (ahead && want) {
				t.Error(lines)
			}
		}
	}
}

// What the server says of a task with its last status is told, as text that the terminal cannot obey and in
// the document.
func TestTheMessageOfATaskIsTold(t *testing.T) {
	requirements.Rows(t, "TSK-66", "TEX-51", "TEX-62")
	for _, message := range []string{"", "disk \x1b[31mfull"} {
		view := &session.TaskView{View: sessiontask.View{ID: "t", Status: sessiontask.Failed, Message: message}}
		o := Outcome{Call: session.Detail{Row: session.Row{State: session.Failed, Task: view}}}
		if lines := strings.Join(o.Remarks(), "\n"); strings.Contains(lines, "the server says of the task, which is failed: \"disk") != (message != "") || strings.Contains(lines, "\x1b") {
			t.Errorf("%q", lines)
		}
		if raw := string(o.JSON()); strings.Contains(raw, `"statusMessage": "disk \u001b[31mfull"`) != (message != "") {
			t.Error(raw)
		}
	}
}

// The error of a task that the server cancelled may come in place of the note that has the message.
func TestTheMessageOfATaskIsToldOnce(t *testing.T) {
	for _, note := range []string{"", `the task was cancelled, but not by way of this call: "no room"`} {
		view := &session.TaskView{View: sessiontask.View{ID: "t", Status: sessiontask.Cancelled, Message: "no room"}}
		o := Outcome{Call: session.Detail{Row: session.Row{State: session.Failed, Note: note, Task: view}, Err: &mcp.RPCError{CodeRaw: []byte("-32603")}}}
		if lines := strings.Join(o.Remarks(), "\n"); strings.Count(lines, "no room") != 1 {
			t.Errorf("with the note %q: %s", note, lines)
		}
	}
}

// Where belay ended the connection before a poll told what the cancel of a task did, that is what is
// told, and not that the task was not seen again.
func TestATaskThatBelayLeftIsTold(t *testing.T) {
	for what, view := range map[string]session.TaskView{
		"belay left: belay ended the connection before": {CutOff: true, CutByUs: true},
		"connection ended: the connection ended before": {CutOff: true},
		"stopped waiting: you stopped waiting before":   {LeftCancelling: true},
	} {
		o := Outcome{Call: session.Detail{Row: session.Row{State: session.Cancelled, Verdict: cancel.TaskUnseen, Initiator: cancel.ByUser, Task: &view}}}
		if lines := strings.Join(o.Remarks(), "\n"); !strings.Contains(lines, "cancelled · "+what) {
			t.Errorf("%q is not in\n%s", what, lines)
		}
		word, _, _ := strings.Cut(what, ":")
		if raw := string(o.JSON()); !strings.Contains(raw, `"verdict": "`+word+`"`) || strings.Contains(raw, "not seen again") {
			t.Error(raw)
		}
	}
}

// A wrong cancel that was not sent stands in the document, with the reason.
func TestAWrongCancelThatWasNotSentIsInTheDocument(t *testing.T) {
	o := done(`{"content":[]}`)
	o.Wrong = []session.WrongView{{Kind: session.WrongUnknown, ID: "7", Sent: time.Unix(1, 0)}}
	o.Unsent = []Unsent{{Kind: string(session.WrongTwice), Why: "the call was not cancelled"}}
	var got struct {
		WrongCancels []struct {
			Kind, ID, Why string
			Sent          *bool
		}
	}
	if err := json.Unmarshal(o.JSON(), &got); err != nil || len(got.WrongCancels) != 2 {
		t.Fatalf("%v: %+v", err, got)
	}
	sent, unsent := got.WrongCancels[0], got.WrongCancels[1]
	if sent.Sent == nil || !*sent.Sent || sent.ID != "7" || unsent.Sent == nil || *unsent.Sent || unsent.Kind != "twice" || unsent.Why != "the call was not cancelled" {
		t.Errorf("%s", o.JSON())
	}
}

// The document has both names that a server gives itself: the name, which stays, and the title,
// by which the screen calls it.
func TestTheDocumentHasTheNamesOfTheServer(t *testing.T) {
	var st session.Status
	st.Server.Name, st.Server.Title, st.Server.Version = "ship-1", "The Ship", "2.0"
	o := done(`{"content":[]}`)
	o.Status = st
	var doc struct{ Server map[string]string }
	if err := json.Unmarshal(o.JSON(), &doc); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"name": "ship-1", "title": "The Ship", "version": "2.0"} {
		if doc.Server[name] != want {
			t.Errorf("%s is %q, want %q", name, doc.Server[name], want)
		}
	}
}

// A task that the server calls failed is no success: its result stands among the remarks, and not where
// that of a tool that did its work does.
func TestTheResultOfAFailedTask(t *testing.T) {
	requirements.Rows(t, "TSK-66", "TSK-67")
	for status, first := range map[sessiontask.Status]session.State{sessiontask.Failed: session.Failed, sessiontask.Cancelled: session.Done} {
		o := done(`{"content":[{"type":"text","text":"42"}]}`)
		o.Call.State, o.Call.Denied, o.Call.Note = first, first == session.Done, "the two disagree"
		o.Call.Task = &session.TaskView{View: sessiontask.View{ID: "x", Status: status, Message: "the disk is full"}}
		got := strings.Join(o.Remarks(), "\n")
		want := "the call failed, by what the server says of its task; the result:\n  42\nthe two disagree\nthe server says of the task, which is " + status.String() + ": \"the disk is full\""
		if o.Result() != "" || got != want {
			t.Errorf("%q, %s", o.Result(), got)
		}
		if raw := string(o.JSON()); !strings.Contains(raw, `"state": "failed"`) {
			t.Error(raw)
		}
	}
}

// What the server says of a task that has ended otherwise is told beside the status that stays, as text that
// the terminal cannot obey and in the document. In text the evidence of a cancel has it.
func TestWhatIsToldOtherwiseOfATask(t *testing.T) {
	requirements.Rows(t, "TSK-25")
	view := &session.TaskView{View: sessiontask.View{
		ID: "t", Status: sessiontask.Completed, By: sessiontask.FromNotice,
		Otherwise: sessiontask.Otherwise{Status: sessiontask.Failed, By: sessiontask.FromGet, Message: "disk \x1b[31mfull"},
	}}
	const says = "the server said that the task is completed, in a notification, and then that it is failed, in tasks/get: \"disk ⟨ESC⟩[31mfull\": the first status stays"
	for _, x := range []struct {
		state   session.State
		verdict cancel.Verdict
		told    bool
	}{
		{session.Done, cancel.NoVerdict, true},
		{session.Cancelled, cancel.NotDelivered, true},
		{session.Cancelled, cancel.TaskCompleted, false},
	} {
		o := Outcome{Call: session.Detail{Row: session.Row{State: x.state, Verdict: x.verdict, Initiator: cancel.ByUser, Task: view}}}
		if told := slices.Contains(o.Remarks(), says); told != x.told {
			t.Errorf("%v, %v: %q", x.state, x.verdict, o.Remarks())
		}
		var doc struct {
			Task struct{ Otherwise json.RawMessage }
		}
		var got bytes.Buffer
		const want = `{"status":"failed","by":"tasks/get","statusMessage":"disk \u001b[31mfull"}`
		if err := errors.Join(json.Unmarshal(o.JSON(), &doc), json.Compact(&got, doc.Task.Otherwise)); err != nil || got.String() != want {
			t.Errorf("%v: %s, want %s", err, got.String(), want)
		}
	}
}

// Why a call is lost is told: by the failure of the connection, or by the note where another one has begun.
func TestWhyACallIsLostIsTold(t *testing.T) {
	d := session.Detail{Row: session.Row{State: session.Lost, Note: "the connection ended: the server ended the session (HTTP 404)"}}
	if got := (&Outcome{Call: d}).Remarks(); !slices.Contains(got, "the call is lost: "+d.Note) {
		t.Errorf("%q", got)
	}
	o := &Outcome{Call: d, Status: session.Status{Failure: &session.Failure{Text: "exit status 3"}}}
	if got := o.Remarks(); !slices.Contains(got, "the connection was lost before an answer came") || !slices.Contains(got, "exit status 3") {
		t.Errorf("%q", got)
	}
}

// An error without a code is told as that.
func TestAnErrorWithoutACode(t *testing.T) {
	for raw, want := range map[string]string{"": "without a code", "-32603": "-32603"} {
		d := session.Detail{Row: session.Row{State: session.Failed}, Err: &mcp.RPCError{CodeRaw: []byte(raw), Message: "it failed"}}
		if got := (&Outcome{Call: d}).Remarks(); !slices.Contains(got, "the server answered with the error "+want+`: "it failed"`) {
			t.Errorf("%q", got)
		}
	}
}

// That no poll has told of the end of a task which something else has told is said, as text and in the document.
func TestAnEndThatIsNotConfirmedIsTold(t *testing.T) {
	for _, unconfirmed := range []bool{false, true} {
		view := &session.TaskView{View: sessiontask.View{ID: "t", Status: sessiontask.Completed, By: sessiontask.FromNotice, Unconfirmed: unconfirmed}}
		o := Outcome{Call: session.Detail{Row: session.Row{State: session.Done, Task: view}}}
		if raw := string(o.JSON()); strings.Contains(raw, `"endNotConfirmed": true`) != unconfirmed {
			t.Error(raw)
		}
		if told := slices.Contains(o.Remarks(), "the task is completed, in a notification; no tasks/get has told of it since"); told != unconfirmed {
			t.Errorf("%q", o.Remarks())
		}
	}
}

// A message of the server's stands with the word that it came with, and not with the status of before.
func TestAMessageOfATaskStandsWithItsWord(t *testing.T) {
	requirements.Rows(t, "TEX-62", "TSK-66")
	for want, view := range map[string]sessiontask.View{
		`{"id":"x","status":"failed","statusMessage":"hm"}`:                               {Status: sessiontask.Failed, Message: "hm"},
		`{"id":"x","status":"working","noStatus":{"word":"paused","statusMessage":"hm"}}`: {Status: sessiontask.Working, IsOdd: true, Odd: "paused", Message: "hm"},
		`{"id":"x","status":"working","noStatus":{"word":""}}`:                            {Status: sessiontask.Working, IsOdd: true},
	} {
		view.ID = "x"
		o := done(`{}`)
		o.Call.Task = &session.TaskView{View: view}
		var doc struct{ Task json.RawMessage }
		var got bytes.Buffer
		if err := errors.Join(json.Unmarshal(o.JSON(), &doc), json.Compact(&got, doc.Task)); err != nil || got.String() != want {
			t.Errorf("%v: %s, want %s", err, got.String(), want)
		}
	}
}
