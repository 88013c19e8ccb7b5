package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

const wishTools = `{"name":"optional","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}},
 {"name":"required","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}},
 {"name":"forbidden","inputSchema":{"type":"object"},"execution":{"taskSupport":"forbidden"}},
 {"name":"silent","inputSchema":{"type":"object"}}`

// wishing is a session whose server declares so much of tasks, and has a tool of each kind.
func wishing(t *testing.T, rev mcp.Revision, declares string) *rig {
	t.Helper()
	r := serving(t, rev, declares)
	r.answerList(mcp.Tools, fresh, wishTools)
	r.lines = nil
	return r
}

// A call has the member task where the user wishes it, the server takes calls as tasks and
// the tool does not forbid it; and without a wish where the tool requires it.
func TestWhichCallsAreMadeAsTasks(t *testing.T) {
	requirements.Rows(t, "TSK-02", "TSK-03", "TSK-04", "TSK-07", "TSK-08", "TSK-09", "TSK-10", "TSK-14", "TSK-20", "TEX-53")
	const noCalls = `{"tools":{},"tasks":{"list":{},"cancel":{}}}`
	for _, c := range []struct {
		name, declares string
		rev            mcp.Revision
		spec           CallSpec
		tool           string
		task           string // the member; empty: there is none
	}{
		{"no wish", coreTasks, mcp.Rev20251125, CallSpec{}, "optional", ""},
		{"wish", coreTasks, mcp.Rev20251125, CallSpec{AsTask: true}, "optional", `{}`},
		{"wish for so long", coreTasks, mcp.Rev20251125, CallSpec{AsTask: true, TTL: 90 * time.Second}, "optional", `{"ttl":90000}`},
		{"required", coreTasks, mcp.Rev20251125, CallSpec{}, "required", `{}`},
		{"required, by hand", coreTasks, mcp.Rev20251125, CallSpec{Raw: true}, "required", ""},
		{"required, no calls as tasks", noCalls, mcp.Rev20251125, CallSpec{}, "required", ""},
		{"wish, no calls as tasks", noCalls, mcp.Rev20251125, CallSpec{AsTask: true}, "optional", ""},
		{"wish, no tasks", `{"tools":{}}`, mcp.Rev20251125, CallSpec{AsTask: true}, "optional", ""},
		{"forbidden", coreTasks, mcp.Rev20251125, CallSpec{AsTask: true}, "forbidden", ""},
		{"silent", coreTasks, mcp.Rev20251125, CallSpec{AsTask: true}, "silent", ""},
		{"not listed", coreTasks, mcp.Rev20251125, CallSpec{AsTask: true}, "other", ""},
		{"older", coreTasks, mcp.Rev20250618, CallSpec{AsTask: true}, "optional", ""},
		{"modern", extensionTasks, mcp.Rev20260728, CallSpec{AsTask: true}, "required", ""},
		{"a prompt", coreTasks, mcp.Rev20251125, CallSpec{AsTask: true, Method: "prompts/get"}, "optional", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := wishing(t, c.rev, c.declares)
			c.spec.Params = []byte(`{"name":"` + c.tool + `","arguments":{}}`)
			if c.spec.Method == "" {
				c.spec.Method = "tools/call"
			}
			preview, err := r.s.Preview(c.spec)
			if err != nil {
				t.Fatal(err)
			}
			id, _ := r.made(c.spec)
			line := r.lines[len(r.lines)-1]
			want := `"task":` + c.task
			if has := strings.Contains(line, `"task":`); has != (c.task != "") || !strings.Contains(line, want) && has {
				t.Errorf("sent %s", line)
			}
			if has := strings.Contains(string(preview.Message), `"task":`); has != (c.task != "") {
				t.Errorf("previewed %s", preview.Message)
			}
			if dropped := c.spec.AsTask && c.task == "" && c.spec.Method == "tools/call"; dropped != r.noted(id, "sent without the wish to run as a task") {
				t.Errorf("whether the wish was dropped is told wrongly: %v", dropped)
			}
		})
	}
}

// noted reports whether the timeline of a call tells something.
func (r *rig) noted(id CallID, text string) bool {
	d, _ := r.s.Detail(id)
	for _, m := range d.Timeline {
		if strings.Contains(m.Text, text) {
			return true
		}
	}
	return false
}

// What a server answers instead of making a task, or of a result, is told with what it may
// mean and with what helps.
func TestAnswersAboutTasksThatAreNone(t *testing.T) {
	requirements.Rows(t, "TSK-11", "TSK-12", "TSK-13", "TSK-15", "TSK-18")
	const result = `"result":{"content":[]}`
	for _, c := range []struct {
		name, declares, tool, answer string
		spec                         CallSpec
		state                        State
		note                         string
		remedy                       RemedyKind
	}{
		{"forbidden", coreTasks, "optional", `"error":{"code":-32601,"message":"no"}`, CallSpec{AsTask: true}, Failed, "does not run as a task", 0},
		{"required", coreTasks, "required", `"error":{"code":-32601,"message":"no"}`, CallSpec{Raw: true}, Failed, "must run as a task", RemedyAsTask},
		{"augmentation required", coreTasks, "optional", `"error":{"code":-32600,"message":"Task augmentation required"}`, CallSpec{}, Failed, "as a task only", RemedyAsTask},
		{"another error", coreTasks, "optional", `"error":{"code":-32602,"message":"no"}`, CallSpec{}, Failed, "", 0},
		{"a tool that takes none", coreTasks, "silent", `"error":{"code":-32601,"message":"no"}`, CallSpec{}, Failed, "", 0},
		{"a server that takes none", `{"tools":{}}`, "optional", `"error":{"code":-32601,"message":"no"}`, CallSpec{}, Failed, "", 0},
		{"required, and the server declares none", `{"tools":{}}`, "required", `"error":{"code":-32601,"message":"no"}`, CallSpec{}, Failed, "the tool is marked as required to run as a task, and the server declares no tasks", 0},
		{"required, and no calls as tasks", `{"tools":{},"tasks":{"list":{}}}`, "required", `"error":{"code":-32601,"message":"no"}`, CallSpec{}, Failed, "and the server does not declare tasks.requests.tools.call", 0},
		{"answered plainly", coreTasks, "optional", result, CallSpec{AsTask: true}, Done, "the server did not create a task", 0},
		{"answered plainly, by a failure", coreTasks, "optional", `"result":{"content":[],"isError":true}`, CallSpec{AsTask: true}, Failed, "the server did not create a task", 0},
		{"a plain call", coreTasks, "optional", result, CallSpec{}, Done, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := wishing(t, mcp.Rev20251125, c.declares)
			c.spec.Method, c.spec.Params = "tools/call", []byte(`{"name":"`+c.tool+`","arguments":{}}`)
			id, wire := r.made(c.spec)
			r.recv(`{"jsonrpc":"2.0","id":%v,%s}`, wire, c.answer)
			row := r.row(id)
			if row.State != c.state || row.Remedy.Kind != c.remedy || !strings.Contains(row.Note, c.note) || c.note == "" && row.Note != "" {
				t.Errorf("%v, note %q, remedy %v", row.State, row.Note, row.Remedy)
			}
		})
	}
}

// The handle of a task in the answer to a plain call is no result of it, and the task that runs is named.
func TestAHandleThatNobodyAskedFor(t *testing.T) {
	requirements.Rows(t, "TSK-08", "TSK-44")
	for _, declares := range []string{coreTasks, `{"tools":{}}`} {
		r := wishing(t, mcp.Rev20251125, declares)
		id, wire := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"silent","arguments":{}}`)})
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"task":{"taskId":"task-4711","status":"working","createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:00Z","ttl":null}}}`, wire)
		if row := r.row(id); row.Task != nil {
			t.Errorf("it runs as a task: %+v", row.Task)
		}
		r.wantDiag(mcp.DiagResultShape, 1)
		if d := r.s.Diagnostics(); d[len(d)-1].Detail != `no content, but the handle of task "task-4711", which was not asked for` {
			t.Errorf("%+v", d)
		}
		r.wait(time.Minute)
		if n := r.sent("tasks/"); n != 0 {
			t.Errorf("%d requests about a task that nobody asked for", n)
		}
	}
}
