package demo

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

const core = `,"task":{}`

func TestTasksAreOfferedWhereTheRevisionHasThem(t *testing.T) {
	for revision, want := range map[string]bool{"2024-11-05": false, "2025-03-26": false, "2025-06-18": false, "2025-11-25": true} {
		t.Run(revision, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				c := &tasker{peer: begin(t, revision), last: 100}
				c.ping(1)
				offered := decode[struct {
					Capabilities struct {
						Tools, Logging json.RawMessage
						Extensions     json.RawMessage
						Tasks          *struct {
							List, Cancel *struct{}
							Requests     struct{ Tools struct{ Call *struct{} } }
						}
					}
				}](t, c.answer(`"hello"`).Result).Capabilities
				if got := offered.Tasks; (got != nil) != want || want && (got.List == nil || got.Cancel == nil || got.Requests.Tools.Call == nil) {
					t.Errorf("tasks: %+v", got)
				}
				if offered.Tools == nil || offered.Logging == nil || offered.Extensions != nil {
					t.Errorf("the other capabilities: %+v", offered)
				}
				support := map[string]string{}
				for _, tool := range decode[struct {
					Tools []struct {
						Name, Description string
						InputSchema       json.RawMessage
						Execution         struct{ TaskSupport string }
					}
				}](t, c.ask("tools/list", "").Result).Tools {
					if strings.HasPrefix(tool.Name, "task_") || tool.Execution.TaskSupport != "" {
						support[tool.Name] = tool.Execution.TaskSupport
					}
					if tool.Description == "" || tool.InputSchema == nil {
						t.Errorf("%s lacks something", tool.Name)
					}
				}
				wantSupport := map[string]string{}
				if want {
					wantSupport = map[string]string{"task_ask": "required", "task_countdown": "optional", "task_stubborn": "required", "task_stuck": "required", "task_expires": "required"}
				}
				if fmt.Sprint(support) != fmt.Sprint(wantSupport) {
					t.Errorf("%v, want %v", support, wantSupport)
				}
				if !want {
					refuses(t, c.about("tasks/get", "x"), -32601)
					refuses(t, c.ask("tasks/list", ""), -32601)
					refuses(t, c.ask("tools/call", `"name":"task_stuck","arguments":{}`+core), -32602)
					if m := c.ask("tools/call", `"name":"echo","arguments":{"text":"ahoy"}`+core); m.tool(t).Content[0].Text != "ahoy" {
						t.Errorf("the parameter was not ignored: %s", m.line)
					}
				}
			})
		})
	}
}

func TestATaskRunsToItsEnd(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withCore(t, `{}`)
		made := c.create("task_countdown", `{"from":3}`, `,"task":{"ttl":60000},"_meta":{"progressToken":"p"}`)
		if made.TTL == nil || *made.TTL != 60000 || made.PollInterval == nil || *made.PollInterval != 1000 || made.CreatedAt != made.LastUpdatedAt || made.CreatedAt.IsZero() {
			t.Errorf("%+v", made)
		}
		id := made.TaskID
		waiting := c.begin("tasks/result", fmt.Sprintf(`"taskId":%q,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"another"}}`, id))
		pass(1500 * time.Millisecond)
		now := c.get(id)
		if now.Status != "working" || now.StatusMessage != "2 to go" || !now.LastUpdatedAt.After(now.CreatedAt) || now.Meta != nil {
			t.Errorf("%+v", now)
		}
		if got := c.answers(fmt.Sprint(waiting)); len(got) != 0 {
			t.Errorf("a result before the end: %s", got[0].line)
		}
		pass(1500 * time.Millisecond)
		for _, m := range []message{c.answer(fmt.Sprint(waiting)), c.about("tasks/result", id)} {
			if got := m.tool(t); got.IsError || got.Content[0].Text != "Counted down from 3 to 0." || !strings.Contains(m.line, `"io.modelcontextprotocol/related-task":{"taskId":"`+id+`"}`) {
				t.Errorf("%s", m.line)
			}
		}
		if now := c.get(id); now.Status != "completed" {
			t.Errorf("%+v", now)
		}
		if got := c.progress(`"p"`); len(got) != 3 || got[2].Message != "0 to go" || got[2].Total != 3 {
			t.Errorf("progress: %+v", got)
		}
		for _, m := range c.all() {
			if m.Method == "notifications/progress" && !strings.Contains(m.line, `"io.modelcontextprotocol/related-task":{"taskId":"`+id+`"}`) {
				t.Errorf("it does not name its task: %s", m.line)
			}
		}
		same(t, "statuses", c.heard("notifications/tasks/status", id), "completed")
		refuses(t, c.about("tasks/cancel", id), -32602)
		pass(57 * time.Second) // its ttl, to the moment
		for _, method := range []string{"tasks/get", "tasks/result", "tasks/cancel"} {
			refuses(t, c.about(method, id), -32602)
		}
	})
}

func TestATaskStopsWhenItIsCancelled(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withCore(t, `{}`)
		id := c.create("task_countdown", `{}`, core+`,"_meta":{"progressToken":1}`).TaskID
		waiting := c.begin("tasks/result", fmt.Sprintf(`"taskId":%q`, id))
		pass(2500 * time.Millisecond)
		if now := c.task(c.about("tasks/cancel", id)); now.TaskID != id || now.Status != "cancelled" || now.TTL == nil {
			t.Errorf("%+v", now)
		}
		refuses(t, c.answer(fmt.Sprint(waiting)), -32603)
		refuses(t, c.about("tasks/cancel", id), -32602)
		refuses(t, c.about("tasks/result", id), -32603)
		pass(time.Minute)
		if now := c.get(id); now.Status != "cancelled" {
			t.Errorf("%+v", now)
		}
		if got := c.progress("1"); len(got) != 2 {
			t.Errorf("progress went on: %+v", got)
		}
		same(t, "statuses", c.heard("notifications/tasks/status", id), "cancelled")
	})
}

// This breaks a rule of 2025-11-25 on purpose, by which the task would be
// cancelled before the answer: that is what there is to see.
func TestATaskCompletesAllTheSame(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withCore(t, `{}`)
		id := c.create("task_stubborn", `{"seconds":5}`, core).TaskID
		pass(2 * time.Second)
		for range 2 { // it is not over, so a second cancel is acknowledged as well
			if now := c.task(c.about("tasks/cancel", id)); now.Status != "working" {
				t.Errorf("%+v", now)
			}
		}
		pass(3 * time.Second)
		if now := c.get(id); now.Status != "completed" {
			t.Errorf("%+v", now)
		}
		if got := c.about("tasks/result", id).tool(t); !strings.Contains(got.Content[0].Text, "although I was told to stop") {
			t.Errorf("%+v", got)
		}
		refuses(t, c.about("tasks/cancel", id), -32602)
	})
}

func TestATaskStaysWorkingUntilItsTTL(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withCore(t, `{}`)
		id := c.create("task_stuck", `{}`, core).TaskID
		waiting := c.begin("tasks/result", fmt.Sprintf(`"taskId":%q`, id))
		pass(time.Second)
		c.about("tasks/cancel", id)
		pass(58 * time.Second)
		if now := c.get(id); now.Status != "working" || *now.TTL != 60000 || !strings.Contains(now.StatusMessage, "although I was told to stop") {
			t.Errorf("%+v", now)
		}
		pass(time.Second)
		refuses(t, c.about("tasks/get", id), -32602)
		refuses(t, c.answer(fmt.Sprint(waiting)), -32602)
		same(t, "statuses", c.heard("notifications/tasks/status", id))
	})
}

func TestATaskExpires(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withCore(t, `{}`)
		made := c.create("task_expires", `{}`, `,"task":{"ttl":60000}`)
		if *made.TTL != 5000 {
			t.Errorf("the ttl is %d", *made.TTL)
		}
		pass(5*time.Second - time.Millisecond)
		if now := c.get(made.TaskID); now.Status != "working" {
			t.Errorf("%+v", now)
		}
		pass(time.Millisecond)
		refuses(t, c.about("tasks/get", made.TaskID), -32602)
		refuses(t, c.about("tasks/cancel", made.TaskID), -32602)
		if got := decode[struct{ Tasks []aTask }](t, c.ask("tasks/list", "").Result).Tasks; len(got) != 0 {
			t.Errorf("it is listed: %+v", got)
		}
		if again := c.create("task_expires", `{}`, core); c.task(c.about("tasks/cancel", again.TaskID)).Status != "cancelled" {
			t.Error("it cannot be cancelled before")
		}
	})
}

func TestATaskAsksOnTheStreamOfItsResult(t *testing.T) {
	const form = `{"elicitation":{}}`
	question := func(c *tasker) message {
		c.t.Helper()
		for _, m := range c.all() {
			if m.Method == "elicitation/create" {
				return m
			}
		}
		c.t.Fatal("it does not ask")
		return message{}
	}
	t.Run("answered", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			c := withCore(t, form)
			id := c.create("task_ask", `{}`, core).TaskID
			pass(2 * time.Second)
			if now := c.get(id); now.Status != "input_required" {
				t.Fatalf("%+v", now)
			}
			for _, m := range c.all() {
				if m.Method == "elicitation/create" {
					t.Fatal("it asks where nobody awaits its result")
				}
			}
			waiting := c.begin("tasks/result", fmt.Sprintf(`"taskId":%q`, id))
			asked := question(c)
			if !strings.Contains(asked.line, `"io.modelcontextprotocol/related-task":{"taskId":"`+id+`"}`) {
				t.Errorf("it does not name its task: %s", asked.line)
			}
			c.send(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"port":"Nantucket"}}}`, asked.ID)
			pass(0)
			if now := c.get(id); now.Status != "working" {
				t.Errorf("%+v", now)
			}
			pass(time.Second)
			if got := c.answer(fmt.Sprint(waiting)).tool(t); got.Content[0].Text != `You answered {"port":"Nantucket"}` {
				t.Errorf("%+v", got)
			}
			same(t, "statuses", c.heard("notifications/tasks/status", id), "input_required", "working", "completed")
		})
	})
	t.Run("cancelled", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			c := withCore(t, form)
			id := c.create("task_ask", `{}`, core).TaskID
			waiting := c.begin("tasks/result", fmt.Sprintf(`"taskId":%q`, id)) // also before it asks
			pass(2 * time.Second)
			asked := question(c)
			if now := c.task(c.about("tasks/cancel", id)); now.Status != "cancelled" {
				t.Errorf("%+v", now)
			}
			refuses(t, c.answer(fmt.Sprint(waiting)), -32603)
			withdrawn, answered := -1, -1
			for i, m := range c.all() {
				switch {
				case m.Method == "notifications/cancelled" && strings.Contains(m.line, `"requestId":`+string(asked.ID)):
					withdrawn = i
				case string(m.ID) == fmt.Sprint(waiting) && m.Method == "":
					answered = i
				}
			}
			if withdrawn < 0 || answered < withdrawn {
				t.Errorf("the question was withdrawn by line %d, and its task answered by line %d", withdrawn, answered)
			}
			same(t, "statuses", c.heard("notifications/tasks/status", id), "input_required", "cancelled")
		})
	})
	t.Run("cancelled before anybody awaits its result", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			c := withCore(t, form)
			id := c.create("task_ask", `{}`, core).TaskID
			pass(3 * time.Second)
			if now := c.task(c.about("tasks/cancel", id)); now.Status != "cancelled" {
				t.Errorf("%+v", now)
			}
		})
	})
	t.Run("nobody can be asked", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			c := withCore(t, `{}`)
			id := c.create("task_ask", `{}`, core).TaskID
			waiting := c.begin("tasks/result", fmt.Sprintf(`"taskId":%q`, id))
			pass(2 * time.Second)
			if now := c.get(id); now.Status != "failed" || now.StatusMessage == "" {
				t.Errorf("%+v", now)
			}
			if got := c.answer(fmt.Sprint(waiting)).tool(t); !got.IsError {
				t.Errorf("%+v", got)
			}
		})
	})
}

// Whoever stops waiting is not answered, and the task lives on.
func TestAWaitForAResultIsCancelled(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withCore(t, `{}`)
		id := c.create("task_countdown", `{"from":2}`, core).TaskID
		waiting := c.begin("tasks/result", fmt.Sprintf(`"taskId":%q`, id))
		c.cancel(waiting, "no longer")
		pass(2 * time.Second)
		if got := c.answers(fmt.Sprint(waiting)); len(got) != 0 {
			t.Errorf("%s", got[0].line)
		}
		if now := c.get(id); now.Status != "completed" {
			t.Errorf("%+v", now)
		}
	})
}

// The cancel of a request does nothing to the task that it has become.
func TestARequestThatBecameATaskCannotBeCancelled(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withCore(t, `{}`)
		id := c.create("task_countdown", `{"from":2}`, core).TaskID
		c.cancel(c.last, "the wrong way")
		pass(2 * time.Second)
		if now := c.get(id); now.Status != "completed" {
			t.Errorf("%+v", now)
		}
	})
}

func TestTasksAreListedInPages(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withCore(t, `{}`)
		var made, listed []string
		for range 12 {
			made = append(made, c.create("task_stuck", `{}`, core).TaskID)
		}
		pages, cursor := 0, ""
		for {
			m := c.ask("tasks/list", cursor)
			page := decode[struct {
				Tasks      []aTask
				NextCursor *string
			}](t, m.Result)
			for _, one := range page.Tasks {
				if one.Status != "working" || one.TTL == nil || one.PollInterval == nil || one.LastUpdatedAt.IsZero() {
					t.Errorf("%+v", one)
				}
				listed = append(listed, one.TaskID)
			}
			pages++
			if page.NextCursor == nil {
				break
			}
			cursor = fmt.Sprintf(`"cursor":%q`, *page.NextCursor)
		}
		same(t, "all pages", listed, made...)
		if pages != 3 {
			t.Errorf("%d pages", pages)
		}
		for _, bad := range []string{`"cursor":"nothing"`, `"cursor":"LTE"`, `"cursor":7`} {
			refuses(t, c.ask("tasks/list", bad), -32602)
		}
	})
}

func TestWhatIsNoTaskIsRefused(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withCore(t, `{}`)
		for _, method := range []string{"tasks/get", "tasks/result", "tasks/cancel"} {
			refuses(t, c.about(method, "nobody's"), -32602)
			refuses(t, c.ask(method, `"taskId":7`), -32602)
			refuses(t, c.ask(method, ""), -32602)
		}
		refuses(t, c.ask("tasks/update", `"taskId":"x","inputResponses":{}`), -32601)
		for code, calls := range map[int][]string{
			-32601: {`"name":"echo","arguments":{"text":"x"},"task":{}`, `"name":"task_stuck","arguments":{}`, `"name":"task_expires","arguments":{}`, `"name":"task_ask","arguments":{}`, `"name":"task_stubborn","arguments":{}`},
			-32602: {`"name":"task_stuck","arguments":{},"task":7`, `"name":"task_stuck","arguments":{},"task":{"ttl":"long"}`},
		} {
			for _, call := range calls {
				refuses(t, c.ask("tools/call", call), code)
			}
		}
		if got := decode[struct{ Tasks []aTask }](t, c.ask("tasks/list", "").Result).Tasks; got == nil || len(got) != 0 {
			t.Errorf("%+v", got)
		}
	})
}

func TestTheTTLHasBounds(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withCore(t, `{}`)
		for asked, want := range map[string]int{`{}`: 60000, `{"ttl":30000}`: 30000, `{"ttl":0}`: 1000, `{"ttl":-5}`: 1000, `{"ttl":1e300}`: 3600000, `{"ttl":1500.7}`: 1500, `{"ttl":null}`: 60000} {
			if made := c.create("task_stuck", `{}`, `,"task":`+asked); *made.TTL != want {
				t.Errorf("%s: %d, want %d", asked, *made.TTL, want)
			}
		}
	})
}

// Arguments that are wrong are found by the call, so its task has failed.
func TestATaskFailsWithItsCall(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withCore(t, `{}`)
		var id string
		for range 100 { // each begins as working, however soon it has failed
			id = c.create("task_countdown", `{"from":0}`, core).TaskID
		}
		if now := c.get(id); now.Status != "failed" || now.StatusMessage == "" {
			t.Errorf("%+v", now)
		}
		if got := c.about("tasks/result", id).tool(t); !got.IsError {
			t.Errorf("%+v", got)
		}
		refuses(t, c.about("tasks/cancel", id), -32602)
	})
}

func TestAToolThatMayBeATaskCanBeCalledWithout(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withCore(t, `{}`)
		id := c.begin("tools/call", `"name":"task_countdown","arguments":{"from":2},"_meta":{"progressToken":"p"}`)
		pass(2 * time.Second)
		if m := c.answer(fmt.Sprint(id)); m.tool(t).Content[0].Text != "Counted down from 2 to 0." || strings.Contains(m.line, "related-task") {
			t.Errorf("%s", m.line)
		}
		if got := c.progress(`"p"`); len(got) != 2 {
			t.Errorf("%+v", got)
		}
		if got := decode[struct{ Tasks []aTask }](t, c.ask("tasks/list", "").Result).Tasks; len(got) != 0 {
			t.Errorf("it is a task: %+v", got)
		}
		id = c.begin("tools/call", `"name":"task_countdown","arguments":{"from":2}`)
		c.cancel(id, "enough")
		pass(2 * time.Second)
		if got := c.answers(fmt.Sprint(id)); len(got) != 0 {
			t.Errorf("it does not go quiet: %s", got[0].line)
		}
	})
}

func TestThereIsABoundOnTasks(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := withCore(t, `{}`)
		for range maxTasks {
			c.create("task_expires", `{}`, core)
		}
		refuses(t, c.ask("tools/call", `"name":"task_stuck","arguments":{}`+core), -32603)
		pass(5 * time.Second)
		c.create("task_stuck", `{}`, core)
	})
}
