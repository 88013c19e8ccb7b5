package demo

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// about asks about a task in a session.
func (h *handshaken) about(method, members string) *exchange {
	h.t.Helper()
	h.nextID++
	return h.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, h.nextID, method, members))
}

// create calls a tool as a task.
func (h *handshaken) create(tool string) (id string) {
	h.t.Helper()
	m := h.about("tools/call", fmt.Sprintf(`"name":%q,"arguments":{},"task":{},"_meta":{"progressToken":"p"}`, tool)).result()
	if m.Error != nil {
		h.t.Fatalf("%s", m.line)
	}
	return decode[struct{ Task aTask }](h.t, m.Result).Task.TaskID
}

func named(id string) string { return fmt.Sprintf(`"taskId":%q`, id) }

func TestATaskOverHTTP(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		h := s.shakeHands("2025-11-25", `{"elicitation":{}}`)
		stream := h.do("GET", pathMCP, "", h.headers()...)
		id, counts := h.create("task_ask"), h.create("task_countdown")
		pass(2 * time.Second)
		get := func(id string) aTask {
			t.Helper()
			return decode[aTask](t, h.about("tasks/get", named(id)).result().Result)
		}
		if now := get(id); now.Status != "input_required" {
			t.Fatalf("%+v", now)
		}
		for method, want := range map[string]string{"tasks/get": "application/json", "tasks/list": "application/json", "tasks/cancel": "application/json", "tasks/result": "text/event-stream"} {
			x := h.about(method, named("nobody's"))
			if m := x.result(); x.header.Get("Content-Type") != want || m.Result == nil && m.Error == nil {
				t.Errorf("%s is answered by %s: %s", method, x.header.Get("Content-Type"), m.line)
			}
		}
		waiting := h.about("tasks/result", named(id))
		asked := waiting.got()
		if len(asked) != 1 || asked[0].Method != "elicitation/create" || !strings.Contains(asked[0].line, id) {
			t.Fatalf("the stream of its result has no question: %+v", asked)
		}
		if status := h.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"decline"}}`, asked[0].ID)).answered(); status != http.StatusAccepted {
			t.Fatalf("the answer: status %d", status)
		}
		pass(time.Second)
		if got := waiting.result().tool(t); got.Content[0].Text != "You declined." {
			t.Errorf("%+v", got)
		}
		if now := decode[aTask](t, h.about("tasks/cancel", named(counts)).result().Result); now.Status != "cancelled" {
			t.Errorf("%+v", now)
		}
		second := h.create("task_ask")
		waiting = h.about("tasks/result", named(second))
		pass(2 * time.Second)
		h.about("tasks/cancel", named(second)).result()
		var came []string
		for _, m := range waiting.got() {
			came = append(came, m.Method)
		}
		same(t, "a question of a task that is cancelled", came, "elicitation/create", "notifications/cancelled", "")
		refuses(t, waiting.result(), -32603)
		// The rest has no request to come with.
		statuses, progress := map[string][]string{}, 0
		for _, m := range stream.got() {
			switch m.Method {
			case "notifications/tasks/status":
				told := decode[aTask](t, m.Params)
				statuses[told.TaskID] = append(statuses[told.TaskID], told.Status)
			case "notifications/progress":
				progress++
			}
		}
		same(t, "statuses", statuses[id], "input_required", "working", "completed")
		same(t, "statuses of the other", statuses[counts], "cancelled")
		if progress != 3 { // of the countdown
			t.Errorf("%d times progress", progress)
		}
	})
}

// A task outlives its session. Whoever has its ID can have it, and sees it listed
// from then on.
func TestATaskOutlivesItsSession(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		first := s.shakeHands("2025-11-25", `{}`)
		id := first.create("task_countdown")
		if status := first.do("DELETE", pathMCP, "", first.headers()...).answered(); status != http.StatusNoContent {
			t.Fatalf("status %d", status)
		}
		second := s.shakeHands("2025-11-25", `{}`)
		list := func() (ids []string) {
			t.Helper()
			for _, one := range decode[struct{ Tasks []aTask }](t, second.about("tasks/list", "").result().Result).Tasks {
				ids = append(ids, one.TaskID)
			}
			return ids
		}
		same(t, "listed before", list())
		pass(time.Second)
		if now := decode[aTask](t, second.about("tasks/get", named(id)).result().Result); now.Status != "working" || now.StatusMessage != "19 to go" {
			t.Errorf("%+v", now)
		}
		same(t, "listed after", list(), id)
		refuses(t, s.manage("tasks/get", id, declaring).error(), -32602) // another protocol
		refuses(t, second.about("tasks/get", `"taskId":7`).result(), -32602)
		refuses(t, second.about("tasks/update", named(id)).result(), -32601)
		pass(19 * time.Second)
		if got := second.about("tasks/result", named(id)).result().tool(t); got.Content[0].Text != "Counted down from 20 to 0." {
			t.Errorf("%+v", got)
		}
	})
}

// manage asks about a task in 2026-07-28; more headers overrule those that there
// are.
func (s *site) manage(method, task, capabilities string, headers ...string) *exchange {
	s.t.Helper()
	return s.perRequest(method, named(task)+`,"inputResponses":{}`, capabilities, append([]string{"Mcp-Name: " + task}, headers...)...)
}

// perRequest sends a request of 2026-07-28 whose params have these members.
func (s *site) perRequest(method, members, capabilities string, headers ...string) *exchange {
	s.t.Helper()
	s.nextID++
	return s.do("POST", pathMCP, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s,"_meta":{%s,"io.modelcontextprotocol/clientCapabilities":%s}}}`,
		s.nextID, method, members, modernMeta, capabilities),
		append([]string{headerRevision + ": 2026-07-28", "Mcp-Method: " + method}, headers...)...)
}

// error is an answer that is one, with the status of its code.
func (x *exchange) error() message {
	x.t.Helper()
	status := x.answered()
	if strings.HasPrefix(x.text(), "event:") {
		x.t.Fatalf("status %d, and a stream of events: %s", status, x.text())
	}
	m := decode[message](x.t, []byte(x.text()))
	m.line = x.text()
	if m.Error == nil {
		x.t.Fatalf("no error: %s", m.line)
	}
	want := http.StatusBadRequest
	if m.Error.Code == -32601 {
		want = http.StatusNotFound
	}
	if status != want {
		x.t.Errorf("status %d: %s", status, m.line)
	}
	return m
}

func TestTheExtensionOverHTTP(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		create := func(tool string) string {
			t.Helper()
			m := s.modern(tool, `{}`, declaring, "").result()
			made := decode[aTask](t, m.Result)
			if made.ResultType != "task" || made.Status != "working" {
				t.Fatalf("%s", m.line)
			}
			return made.TaskID
		}
		id := create("task_ask")
		refuses(t, s.modern("task_stuck", `{}`, undeclaring, "").error(), -32021)
		for _, method := range extensionMethods {
			refuses(t, s.manage(method, id, undeclaring).error(), -32021)
			refuses(t, s.manage(method, id, declaring, "Mcp-Name: another").error(), -32020)
			refuses(t, s.manage(method, id, declaring, "Mcp-Name: ").error(), -32020)
			refuses(t, s.manage(method, "nobody's", declaring).error(), -32602)
			// A name that a header cannot have is encoded, and means nobody.
			refuses(t, s.manage(method, "größer", declaring, "Mcp-Name: =?base64?"+base64.StdEncoding.EncodeToString([]byte("größer"))+"?=").error(), -32602)
		}
		refuses(t, s.perRequest("tasks/get", `"taskId":7`, declaring).error(), -32602)
		refuses(t, s.manage("tasks/result", id, declaring).error(), -32601)
		refuses(t, s.manage("tasks/list", id, declaring).error(), -32601)
		pass(2 * time.Second)
		if now := decode[aTask](t, s.manage("tasks/get", id, declaring).result().Result); now.Status != "input_required" || now.InputRequests["question-1"].Method != "elicitation/create" {
			t.Errorf("%+v", now)
		}
		acknowledges(t, s.perRequest("tasks/update", named(id)+`,"inputResponses":{"question-1":{"action":"decline"}}`, declaring, "Mcp-Name: "+id).result())
		pass(time.Second)
		if now := decode[aTask](t, s.manage("tasks/get", id, declaring).result().Result); now.Status != "completed" || now.Result.Content[0].Text != "You declined." {
			t.Errorf("%+v", now)
		}
		id = create("task_countdown")
		acknowledges(t, s.manage("tasks/cancel", id, declaring).result())
		if now := decode[aTask](t, s.manage("tasks/get", id, declaring).result().Result); now.Status != "cancelled" {
			t.Errorf("%+v", now)
		}
		h := s.shakeHands("2025-11-25", `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`)
		refuses(t, h.about("tasks/get", named(id)).result(), -32602) // another protocol
	})
}

func TestListeningToATaskOverHTTP(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		id := decode[aTask](t, s.modern("task_countdown", `{"from":3}`, declaring, "").result().Result).TaskID
		listen := func(members, capabilities string) *exchange {
			return s.perRequest("subscriptions/listen", `"notifications":{`+members+`}`, capabilities)
		}
		refuses(t, listen(fmt.Sprintf(`"taskIds":[%q]`, id), undeclaring).error(), -32021)
		alone := listen(fmt.Sprintf(`"taskIds":[%q,"nobody's"]`, id), declaring)
		both := listen(fmt.Sprintf(`"taskIds":[%q],"resourceSubscriptions":["demo://bell"]`, id), declaring)
		left := listen(fmt.Sprintf(`"taskIds":[%q]`, id), declaring)
		if status := left.answered(); status != http.StatusOK {
			t.Fatalf("status %d", status)
		}
		left.cancel()
		s.modern("strike_bell", `{"times":1}`, declaring, "").result()
		pass(3 * time.Second)
		for name, x := range map[string]*exchange{"alone": alone, "both": both} {
			var methods, statuses []string
			for _, m := range x.got() {
				methods = append(methods, m.Method)
				if m.Method == "notifications/tasks" {
					told := decode[aTask](t, m.Params)
					if statuses = append(statuses, told.Status); told.TaskID != id || string(told.Meta["io.modelcontextprotocol/subscriptionId"]) == "" {
						t.Errorf("%s", m.line)
					}
				}
			}
			same(t, "statuses "+name, slices.Compact(statuses), "working", "completed")
			if methods[0] != "notifications/subscriptions/acknowledged" || slices.Contains(methods, "notifications/resources/updated") != (name == "both") {
				t.Errorf("%s: %q", name, methods)
			}
			if !strings.Contains(x.got()[0].line, fmt.Sprintf(`"taskIds":[%q]`, id)) || strings.Contains(x.got()[0].line, "nobody's") {
				t.Errorf("%s: %s", name, x.got()[0].line)
			}
			if x.ended() {
				t.Errorf("%s: it ended", name)
			}
		}
		if got := len(left.got()); got > 2 {
			t.Errorf("whoever has left was told %d things", got)
		}
	})
}
