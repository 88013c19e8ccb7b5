package demo

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestTheExtensionIsDiscovered(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withExtension(t, undeclaring)
		offered := decode[struct {
			Capabilities map[string]json.RawMessage
		}](t, c.ask("server/discover", "").Result).Capabilities
		if got := string(offered["extensions"]); got != `{"io.modelcontextprotocol/tasks":{}}` || offered["tasks"] != nil {
			t.Errorf("extensions %s, tasks %s", got, offered["tasks"])
		}
		if m := c.ask("tools/list", ""); !strings.Contains(m.line, `"task_stuck"`) || strings.Contains(m.line, `"execution"`) {
			t.Errorf("%.300s", m.line)
		}
	})
}

func TestAHandleThatNobodyAskedFor(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withExtension(t, declaring)
		c.meta += `,"progressToken":"p"` // which tasks have no use for
		// A parameter that the older protocol has is ignored.
		made := c.create("task_countdown", `{"from":3}`, `,"task":{"ttl":1000}`)
		if made.ResultType != "task" || made.TTLMs == nil || *made.TTLMs != 300000 || made.PollIntervalMs == nil || *made.PollIntervalMs != 1000 || made.TTL != nil || made.PollInterval != nil {
			t.Errorf("%+v", made)
		}
		pass(1500 * time.Millisecond)
		if now := c.get(made.TaskID); now.ResultType != "complete" || now.Status != "working" || now.Result != nil || now.StatusMessage != "2 to go" {
			t.Errorf("%+v", now)
		}
		pass(1500 * time.Millisecond)
		now := c.get(made.TaskID)
		if now.ResultType != "complete" || now.Status != "completed" || now.Result == nil || now.Result.Content[0].Text != "Counted down from 3 to 0." {
			t.Errorf("%+v", now)
		}
		for _, m := range c.all() {
			if strings.HasPrefix(m.Method, "notifications/") {
				t.Errorf("nobody listens: %s", m.line)
			}
		}
		pass(297 * time.Second)
		refuses(t, c.about("tasks/get", made.TaskID), -32602)
	})
}

// acknowledges fails the test unless m is an empty result.
func acknowledges(t *testing.T, m message) {
	t.Helper()
	got := decode[map[string]json.RawMessage](t, m.Result)
	delete(got, "_meta")
	if len(got) != 1 || string(got["resultType"]) != `"complete"` {
		t.Errorf("no empty acknowledgement: %s", m.line)
	}
}

func TestACancelIsAcknowledgedByTheExtension(t *testing.T) {
	for tool, want := range map[string]struct{ then, later string }{
		"task_countdown": {"cancelled", "cancelled"},
		"task_expires":   {"cancelled", ""},
		"task_stubborn":  {"working", "completed"},
		"task_stuck":     {"working", "working"},
	} {
		t.Run(tool, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				c := withExtension(t, declaring)
				id := c.create(tool, `{}`, "").TaskID
				pass(1500 * time.Millisecond)
				for range 2 { // again, also where it is over
					acknowledges(t, c.about("tasks/cancel", id))
				}
				if now := c.get(id); now.Status != want.then || now.Result != nil || now.Error != nil {
					t.Errorf("%+v", now)
				}
				pass(20 * time.Second)
				if want.later == "" {
					refuses(t, c.about("tasks/get", id), -32602)
					refuses(t, c.about("tasks/cancel", id), -32602)
					return
				}
				now := c.get(id)
				if now.Status != want.later || (now.Result != nil) != (want.later == "completed") {
					t.Errorf("%+v", now)
				}
				if now.Result != nil && !strings.Contains(now.Result.Content[0].Text, "although I was told to stop") {
					t.Errorf("%+v", now.Result)
				}
				acknowledges(t, c.about("tasks/cancel", id))
			})
		})
	}
}

func TestATaskAsksThroughItsStatus(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withExtension(t, declaring)
		id := c.create("task_ask", `{}`, "").TaskID
		update := func(responses string) message {
			t.Helper()
			return c.ask("tasks/update", fmt.Sprintf(`"taskId":%q,"inputResponses":%s`, id, responses))
		}
		acknowledges(t, update(`{"question-1":{"action":"decline"}}`)) // which was not asked yet
		pass(2 * time.Second)
		for range 2 {
			now := c.get(id)
			q, ok := now.InputRequests["question-1"]
			if now.Status != "input_required" || !ok || len(now.InputRequests) != 1 || q.Method != "elicitation/create" || q.Params.Mode != "form" || q.Params.Message == "" {
				t.Fatalf("%+v", now)
			}
		}
		refuses(t, update(`{"question-1":{"role":"assistant","model":"m","content":{"type":"text","text":"x"}}}`), -32602)
		refuses(t, update(`{"question-1":7}`), -32602)
		refuses(t, update(`{"question-1":{"action":"hesitate"}}`), -32602)
		refuses(t, update(`[]`), -32602)
		acknowledges(t, update(`{"foreign":{"action":"decline"},"another":{"ignored":true},"third":7}`))
		if now := c.get(id); now.Status != "input_required" {
			t.Errorf("%+v", now)
		}
		acknowledges(t, update(`{"question-1":{"action":"accept","content":{"port":"Rokovoko"}}}`))
		acknowledges(t, update(`{"question-1":{"action":"decline"}}`)) // answered already
		if now := c.get(id); now.Status != "working" || now.InputRequests != nil {
			t.Errorf("%+v", now)
		}
		pass(time.Second)
		if now := c.get(id); now.Status != "completed" || now.Result.Content[0].Text != `You answered {"port":"Rokovoko"}` {
			t.Errorf("%+v", now)
		}
		for _, m := range c.all() {
			if m.Method == "elicitation/create" {
				t.Errorf("a request of its own: %s", m.line)
			}
		}

		id = c.create("task_ask", `{}`, "").TaskID
		pass(2 * time.Second)
		acknowledges(t, c.about("tasks/cancel", id))
		if now := c.get(id); now.Status != "cancelled" || now.InputRequests != nil {
			t.Errorf("%+v", now)
		}
		acknowledges(t, update(`{"question-1":{"action":"decline"}}`)) // too late
		if now := c.get(id); now.Status != "cancelled" {
			t.Errorf("%+v", now)
		}
		refuses(t, c.ask("tasks/update", `"taskId":"nobody's","inputResponses":{}`), -32602)
	})
}

func TestATaskThatCannotAskFails(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withExtension(t, `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`)
		id := c.create("task_ask", `{}`, "").TaskID
		pass(2 * time.Second)
		if now := c.get(id); now.Status != "failed" || now.StatusMessage == "" || now.Error == nil || now.Error.Code != -32021 || now.Result != nil {
			t.Errorf("%+v", now)
		}
		// An error of the tool's own is a result.
		id = c.create("task_countdown", `{"from":0}`, "").TaskID
		if now := c.get(id); now.Status != "completed" || now.Result == nil || !now.Result.IsError || now.Error != nil {
			t.Errorf("%+v", now)
		}
	})
}

func TestWithoutTheExtensionThereAreNoTasks(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		declares := withExtension(t, declaring)
		id := declares.create("task_stuck", `{}`, "").TaskID
		// The same client, in a request that does not declare it.
		c := &tasker{peer: declares.peer, last: 500, meta: modernMeta + `,"io.modelcontextprotocol/clientCapabilities":` + undeclaring}
		for _, m := range []message{
			c.about("tasks/get", id), c.about("tasks/cancel", id),
			c.ask("tasks/update", fmt.Sprintf(`"taskId":%q,"inputResponses":{}`, id)),
			c.ask("tools/call", `"name":"task_stuck","arguments":{}`), c.ask("tools/call", `"name":"task_expires","arguments":{}`),
			c.ask("subscriptions/listen", fmt.Sprintf(`"notifications":{"taskIds":[%q]}`, id)),
		} {
			refuses(t, m, -32021)
			if !strings.Contains(m.line, `"data":{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`) {
				t.Errorf("it does not say what is lacking: %s", m.line)
			}
		}
		direct := c.begin("tools/call", `"name":"task_countdown","arguments":{"from":1}`)
		pass(time.Second)
		if m := c.answer(fmt.Sprint(direct)); m.tool(t).Content[0].Text != "Counted down from 1 to 0." || !strings.Contains(m.line, `"resultType":"complete"`) {
			t.Errorf("%s", m.line)
		}
		for _, method := range []string{"tasks/result", "tasks/list"} {
			refuses(t, declares.about(method, id), -32601)
		}
	})
}

func TestAClientListensToItsTasks(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withExtension(t, declaring)
		id := c.create("task_ask", `{}`, "").TaskID
		other := c.create("task_countdown", `{"from":1}`, "").TaskID
		listen := c.begin("subscriptions/listen", fmt.Sprintf(`"notifications":{"taskIds":[%q,"nobody's",%[1]q],"resourceSubscriptions":["demo://bell"]}`, id))
		for _, m := range c.all() {
			if m.Method == "notifications/subscriptions/acknowledged" {
				got := decode[struct {
					Notifications struct{ TaskIDs, ResourceSubscriptions []string }
				}](t, m.Params).Notifications
				same(t, "agreed on tasks", got.TaskIDs, id)
				same(t, "agreed on resources", got.ResourceSubscriptions, "demo://bell")
			}
		}
		pass(2 * time.Second)
		c.ask("tasks/update", fmt.Sprintf(`"taskId":%q,"inputResponses":{"question-1":{"action":"decline"}}`, id))
		pass(time.Second)
		same(t, "statuses", c.heard("notifications/tasks", id), "working", "input_required", "working", "completed")
		same(t, "statuses of another", c.heard("notifications/tasks", other))
		first, last := true, message{}
		for _, m := range c.all() {
			if m.Method == "notifications/subscriptions/acknowledged" {
				first = false
			}
			if m.Method != "notifications/tasks" {
				continue
			}
			if last = m; first {
				t.Error("it came before the acknowledgement")
			}
			told := decode[aTask](t, m.Params)
			if string(told.Meta["io.modelcontextprotocol/subscriptionId"]) != fmt.Sprint(listen) || told.TTLMs == nil || (told.InputRequests != nil) != (told.Status == "input_required") {
				t.Errorf("%s", m.line)
			}
		}
		if told := decode[aTask](t, last.Params); told.Result == nil || told.Result.Content[0].Text != "You declined." {
			t.Errorf("%s", last.line)
		}
		c.ask("tools/call", `"name":"strike_bell","arguments":{"times":1}`)
		if got := c.heard("notifications/resources/updated", ""); len(got) != 1 {
			t.Errorf("%d strokes were told", len(got))
		}
		count := len(c.all())
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, listen)
		pass(0)
		c.create("task_countdown", `{"from":1}`, "")
		pass(time.Second)
		for _, m := range c.all()[count:] {
			if strings.HasPrefix(m.Method, "notifications/") {
				t.Errorf("it is still told: %s", m.line)
			}
		}
	})
}

// A client that hears of tasks only is told until it stops.
func TestAClientListensToNothingButATask(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withExtension(t, declaring)
		id := c.create("task_countdown", `{"from":2}`, "").TaskID
		listen := c.begin("subscriptions/listen", fmt.Sprintf(`"notifications":{"taskIds":[%q]}`, id))
		pass(2 * time.Second)
		// What changes twice in a moment may be told once.
		same(t, "statuses", slices.Compact(c.heard("notifications/tasks", id)), "working", "completed")
		if got := c.answers(fmt.Sprint(listen)); len(got) != 0 {
			t.Errorf("%s", got[0].line)
		}
		nobody := c.begin("subscriptions/listen", `"notifications":{"taskIds":["nobody's"]}`)
		if got := c.answers(fmt.Sprint(nobody)); len(got) != 1 || got[0].Error != nil {
			t.Errorf("%v", got)
		}
	})
}

// A task may have two questions. Each answer is taken when it comes, and the work
// goes on with the last.
func TestATaskHasTwoQuestions(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newTasks(t.Context())
		two := &task{extension: true, ttl: time.Minute, notify: func(taskView) {}}
		begun, err := s.create(two, func(two *task) (mcp.Result, error) {
			c := &call{params: new(mcp.CallToolParamsRaw), capabilities: &mcp.ClientCapabilities{Elicitation: new(mcp.ElicitationCapabilities)}}
			answers := make(chan string, 2)
			for _, name := range []string{"from", "to"} {
				go func() {
					got, taken, err := two.elicit(two.life, c, question("Which?", name, name))
					if err != nil {
						t.Error(err)
					}
					answers <- outcomeOf(got, taken)
				}()
			}
			return text(<-answers, <-answers), nil
		})
		if err != nil || begun.Status != taskWorking {
			t.Fatal(begun, err)
		}
		pass(0)
		answer := func(key string) {
			if err := two.reply(map[string]json.RawMessage{key: json.RawMessage(`{"action":"decline"}`)}); err != nil {
				t.Error(err)
			}
			pass(0)
		}
		if v, _ := two.view(); v.Status != taskInputRequired || len(v.InputRequests) != 2 {
			t.Fatalf("%+v", v)
		}
		answer("question-2")
		if v, _ := two.view(); v.Status != taskInputRequired || len(v.InputRequests) != 1 || v.InputRequests["question-1"] == nil {
			t.Fatalf("%+v", v)
		}
		answer("question-1")
		if v, _ := two.view(); v.Status != taskCompleted || len(v.Result.Content) != 2 {
			t.Errorf("%+v", v)
		}
	})
}
