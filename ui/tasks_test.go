package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

// hostileTask is text of a server's that tries to leave its place.
const hostileTask = `\u001b[31m\u202e\u0007ok\n\n  verdict    it stopped`

const taskInit = `{"protocolVersion":"2025-11-25","serverInfo":{"name":"demo","version":"1.2.0"},` +
	`"capabilities":{"tools":{},"prompts":{},"resources":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}}`

const taskTools = `{"tools":[
 {"name":"countdown","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}},
 {"name":"render","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}},
 {"name":"plain","inputSchema":{"type":"object"}}]}`

// tasking is a harness whose server runs calls as tasks.
func tasking(t *testing.T, w, h int, f func(w *harness)) {
	t.Helper()
	run(t, w, h, Options{}, func(x *harness) {
		x.handshakeOf(taskInit, taskTools)
		f(x)
	})
}

// handshakeOf answers initialize and the lists as it is told.
func (w *harness) handshakeOf(init, tools string) {
	w.t.Helper()
	w.handshakeKeeping(init, tools)
	w.clearStatus()
}

// handshakeKeeping does the same, and leaves what the status line says.
func (w *harness) handshakeKeeping(init, tools string) {
	w.t.Helper()
	time.Sleep(20 * time.Millisecond)
	w.result(w.last("initialize"), init)
	w.result(w.last("tools/list"), tools)
	w.result(w.last("prompts/list"), `{"prompts":[]}`)
	w.result(w.last("resources/list"), `{"resources":[]}`)
	w.result(w.last("resources/templates/list"), `{"resourceTemplates":[]}`)
}

// task is a task as this server tells it; more are further members.
func (w *harness) task(id, status, more string) string {
	now := time.Now().UTC().Format(time.RFC3339Nano)
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`"taskId":"%s","status":%q,"createdAt":%q,"lastUpdatedAt":%q%s`, id, status, now, now, more)
}

// asTask makes a call that is to run as a task.
func (w *harness) asTask(ttl time.Duration) int {
	w.t.Helper()
	w.start(w.m.call(session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"countdown","arguments":{}}`), AsTask: true, TTL: ttl}))
	w.m.dirty = true
	w.send(nil)
	return w.last("tools/call")
}

// The row of a task has the server's word for it, its detail says when it is polled next and
// how long it is kept, and its keys tell the two ways out of it apart.
func TestATaskOnTheScreen(t *testing.T) {
	requirements.Rows(t, "TSK-33", "TSK-38", "TSK-39", "TSK-71", "TEX-62", "CXL-40")
	for name, size := range map[string][2]int{"80": {80, 24}, "100": {100, 30}, "140": {140, 40}} {
		t.Run(name, func(t *testing.T) {
			tasking(t, size[0], size[1], func(w *harness) {
				id := w.asTask(60 * time.Second)
				w.sees("running")
				w.result(id, `{"task":{`+w.task(hostileTask, "working", `"ttl":30000,"pollInterval":4000,"statusMessage":"`+hostileTask+`"`)+`}}`)
				w.sees("working", "x cancel task", "d stop waiting")
				w.press("2", "h", "h", "h")
				w.sees("next poll in 4 s", "expires in 30 s", "asked 60 s, got 30 s", "every 4 s")
				w.wait(1100 * time.Millisecond)
				w.sees("next poll in 3 s", "expires in 29 s")
				w.golden("task-working-" + name)
				w.wait(3 * time.Second)
				w.result(w.last("tasks/get"), `{`+w.task(hostileTask, "input_required", `"ttl":null,"pollInterval":1000`)+`}`)
				w.sees("input_required", "no expiry", "asked 60 s, got no expiry")
				w.seesNot("expires in")
			})
		})
	}
}

// The interval that is shown is the one at which belay polls, whatever the server asks for. One of
// less than a second is no countdown.
func TestTheIntervalOfATask(t *testing.T) {
	requirements.Rows(t, "TSK-33", "TEX-13")
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		for interval, c := range map[string]struct{ state, detail string }{
			`"pollInterval":250`:  {"polled every 250 ms", "0 answers · every 250 ms"},
			`"pollInterval":0`:    {"polled every 250 ms", "0 answers · every 250 ms, belay's own interval"},
			`"pollInterval":1`:    {"polled every 250 ms", "0 answers · every 250 ms, the server asks for 1 ms"},
			`"pollInterval":1250`: {"next poll in 2 s", "0 answers · every 1.25 s · next poll in 2 s"},
			`"other":1`:           {"next poll in 2 s", "0 answers · every 2 s, belay's own interval · next poll in 2 s"},
		} {
			tasking(t, size[0], size[1], func(w *harness) {
				w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":60000,`+interval)+`}}`)
				w.press("2", "h", "h", "h")
				w.sees(c.state)
				if size[0] == 80 { // the field is one line
					w.sees(c.detail)
				}
				if strings.HasPrefix(c.state, "polled") {
					w.seesNot("next poll")
				}
			})
		}
	}
}

// A task that the server tells of is polled less often than it asks for: both are shown.
func TestTheIntervalOfATaskThatIsToldOf(t *testing.T) {
	requirements.Rows(t, "TEX-13", "TEX-46")
	extending(t, 80, 24, func(w *harness) {
		w.result(w.asTask(0), `{"resultType":"task",`+w.task("task-1", "working", `"ttlMs":null,"pollIntervalMs":250`)+`}`)
		w.press("2", "h", "h", "h")
		w.sees("polled every 250 ms", "every 250 ms")
		w.seesNot("asks for")
		w.feed(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["task-1"]},"_meta":{"io.modelcontextprotocol/subscriptionId":%d}}}`, w.last("subscriptions/listen"))
		w.wait(300 * time.Millisecond)
		w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "working", `"ttlMs":null,"pollIntervalMs":250`)+`}`)
		w.sees("every 1.25 s, the server asks for 250 ms", "next poll in 2 s")
		w.seesNot("polled every")
	})
}

// What the server says until the outcome of a task comes is foreign text.
func TestWhatIsSaidUntilTheOutcome(t *testing.T) {
	requirements.Rows(t, "TSK-17")
	tasking(t, 140, 40, func(w *harness) {
		id := w.asTask(0)
		w.result(id, `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`},"_meta":{"io.modelcontextprotocol/model-immediate-response":"`+hostileTask+`"}}`)
		w.press("2", "h", "h", "h")
		w.sees("the server says", "⟨ESC⟩[31m")
	})
}

// Stop waiting is not a cancel: nothing is sent, and the row does not read as if the
// connection were gone.
func TestStopWaitingReadsSo(t *testing.T) {
	requirements.Rows(t, "CXL-38", "CXL-40")
	tasking(t, 100, 30, func(w *harness) {
		id := w.asTask(0)
		w.result(id, `{"task":{`+w.task("task-4711", "working", `"ttl":60000`)+`}}`)
		w.press("d")
		w.sees("stopped waiting", "its task goes on at the server")
		w.seesNot("lost")
		if n := w.got(`tasks/cancel`) + w.got(`notifications/cancelled`); n != 0 {
			t.Errorf("%d cancels were sent", n)
		}
		w.press("d")
		w.sees("not waited for any more")
		w.command("poll")
		w.sees("waiting again for the task")
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", `"ttl":60000`)+`}`)
		w.clearStatus()
		w.sees("x cancel task", "d stop waiting")
	})
}

// Who stops waiting right after the cancel of a task sees that at once, and no verdict.
func TestStopWaitingAfterACancelReadsSo(t *testing.T) {
	requirements.Rows(t, "CXL-38")
	tasking(t, 140, 30, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":60000`)+`}}`)
		w.press("x")
		w.result(w.last("tasks/cancel"), `{`+w.task("task-4711", "working", `"ttl":60000`)+`}`)
		w.sees("cancelling…")
		w.press("d")
		w.sees("cancelled · stopped waiting", "you stopped waiting before it was seen what the", "its task may go on at the server")
		w.seesNot("not seen again", "cancelling…")
	})
}

// tasks/cancel carries no reason: where one is typed the screen says that it stays here, and the
// row keeps it.
func TestTheReasonOfATaskStaysHere(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37")
	for name, handle := range map[string]bool{"before its ID": false, "with its ID": true} {
		t.Run(name, func(t *testing.T) {
			tasking(t, 80, 24, func(w *harness) {
				id := w.asTask(0)
				answer := `{"task":{` + w.task("task-4711", "working", `"ttl":null`) + `}}`
				if handle {
					w.result(id, answer)
				}
				w.press("c")
				w.sees("the reason stays here")
				w.write("too slow")
				w.press("enter")
				w.sees(`"too slow" stays here`)
				if !handle {
					w.result(id, answer)
				}
				w.press("2")
				w.sees("too slow")
				if w.got(`"method":"tasks/cancel"`) != 1 || w.got("too slow") != 0 {
					t.Error("the reason was sent, or the cancel was not")
				}
			})
		})
	}
	run(t, 80, 24, Options{}, func(w *harness) {
		w.handshakeOf(taskInit, taskTools)
		w.start(w.m.call(session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"plain","arguments":{}}`)}))
		w.send(nil)
		w.press("c")
		w.seesNot("stays here")
	})
}

// Until the task has an ID its cancel cannot leave, and the row says what it waits for.
func TestACancelThatAwaitsTheTaskID(t *testing.T) {
	requirements.Rows(t, "TSK-73")
	tasking(t, 80, 24, func(w *harness) {
		id := w.asTask(0)
		w.press("d")
		w.sees("the task of the selected call has no ID yet: belay waits for that")
		w.seesNot("no task is selected")
		w.press("x")
		w.sees("cancelling… (waiting for the task ID)")
		w.result(id, `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
		w.seesNot("waiting for the task ID)")
		if w.got(`"method":"tasks/cancel"`) != 1 {
			t.Error("tasks/cancel was not sent for the ID that came")
		}
	})
}

// A task that is picked up and is to be cancelled reads so from the key on, in whatever way it was wished. A
// second press says that it is being cancelled already, and sends nothing.
func TestACancelThatAwaitsTheTask(t *testing.T) {
	requirements.Rows(t, "CXL-07", "TSK-58")
	for name, wish := range map[string]func(w *harness){
		"in the list": func(w *harness) {
			w.command("tasks")
			w.result(w.last("tasks/list"), `{"tasks":[{`+w.task("elsewhere", "working", `"ttl":null`)+`}]}`)
			w.press("x")
		},
		"in the row": func(w *harness) {
			w.command("task elsewhere")
			w.sees("x cancel", "d stop waiting")
			w.press("x")
		},
	} {
		t.Run(name, func(t *testing.T) {
			tasking(t, 100, 30, func(w *harness) {
				wish(w)
				w.clearStatus()
				w.sees("cancelling… (waiting for tasks/get)")
				w.seesNot("x cancel")
				w.press("x")
				w.sees("is being cancelled already")
				w.clearStatus()
				w.command("tasks")
				if name == "in the row" {
					w.result(w.last("tasks/list"), `{"tasks":[{`+w.task("elsewhere", "working", `"ttl":null`)+`}]}`)
				}
				w.press("x")
				w.sees("is being cancelled already")
				w.press("esc")
				w.command("task elsewhere")
				w.sees("the task is asked for already")
				if n := w.got(`"method":"tasks/get"`); n != 1 || w.got("cancelled") != 0 {
					t.Errorf("%d times: %v", n, w.b.wrote)
				}
				w.result(w.last("tasks/get"), `{`+w.task("elsewhere", "working", `"ttl":null`)+`}`)
				w.result(w.last("tasks/cancel"), `{`+w.task("elsewhere", "cancelled", `"ttl":null`)+`}`)
				w.sees("task cancelled")
				if n := w.got(`"method":"tasks/cancel"`); n != 1 {
					t.Errorf("%d cancels", n)
				}
			})
		})
	}
}

// Of a task that is cancelled when belay first looks nobody knows who did it.
func TestATaskThatIsFoundCancelled(t *testing.T) {
	requirements.Rows(t, "TSK-40", "TEX-48")
	for _, width := range []int{80, 140} {
		tasking(t, width, 40, func(w *harness) {
			w.command("task elsewhere")
			w.result(w.last("tasks/get"), `{`+w.task("elsewhere", "cancelled", `"ttl":null,"statusMessage":"no need"`)+`}`)
			w.sees("is cancelled", `the task is cancelled: "no need"`)
			w.seesNot("was cancelled", "by the server")
		})
	}
}

// Quitting counts a task that is looked at as a task: it is cancelled or left, and its ID is printed, as
// nothing tells what became of it.
func TestQuitAsksAboutATaskThatIsLookedAt(t *testing.T) {
	requirements.Rows(t, "TSK-75")
	for key, wished := range map[string]bool{"y": false, "l": false, "n": true} {
		tasking(t, 80, 24, func(w *harness) {
			w.command("task elsewhere")
			if wished {
				w.press("x")
			}
			w.press("q")
			if wished {
				w.sees("1 task is looked at first, and cancelled within 1 s.")
				w.seesNot("l leave", "1 call is being cancelled already") // it is the same one
				key = "y"
			} else {
				w.sees("1 call in flight", "It runs as a task: l leaves it, and prints its ID.", "l leave")
			}
			w.press(key)
			w.wait(2 * time.Second)
			w.b.locked(func(s *session.Session, now time.Time) {
				s.Tell(now, session.Closed{Epoch: w.b.epoch, Why: session.Close{ByUs: true}})
			})
			w.settle()
			if told := strings.Join(w.m.Farewell(), "\n"); !strings.Contains(told, `task "elsewhere" may go on, if it outlives the server's process`) {
				t.Errorf("%s: the last lines:\n%s", key, told)
			}
			want := 1 // for the ID alone, as the server does not tell of the task
			if key == "l" {
				want = 0
			}
			if w.got(`"method":"tasks/cancel"`) != want {
				t.Errorf("%s: %v", key, w.b.wrote)
			}
		})
	}
}

// The foot offers no cancel where x does nothing: where there is no call, while a cancel waits for
// the ID of its task, and when the row has ended and that ID may still come.
func TestTheFootOffersNoCancelThatDoesNothing(t *testing.T) {
	requirements.Rows(t, "TSK-73")
	tasking(t, 140, 40, func(w *harness) {
		foot := func() string {
			lines := strings.Split(strings.TrimRight(w.screen(), "\n"), "\n")
			return lines[len(lines)-1]
		}
		offers := func(when string, want ...string) {
			t.Helper()
			for _, key := range []string{"enter open", "x cancel", "c cancel", "d stop waiting"} {
				if strings.Contains(foot(), key) != slices.Contains(want, key) {
					t.Errorf("%s the foot reads %q, want of the keys %q", when, foot(), want)
				}
			}
		}
		offers("without a call")
		id := w.asTask(0)
		w.clearStatus()
		offers("while it runs", "enter open", "x cancel", "c cancel")
		w.press("x")
		w.clearStatus()
		w.sees("waiting for the task ID")
		offers("while the cancel waits", "enter open")
		w.wait(6 * time.Second)
		w.clearStatus()
		w.sees("not delivered")
		offers("when the row has ended", "enter open")
		w.press("x")
		w.sees("tasks/cancel is sent if the ID of its task comes")
		w.result(id, `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
		if w.got(`"method":"tasks/cancel"`) != 1 {
			t.Error("tasks/cancel was not sent for the ID that came")
		}
	})
}

// A task that ends without an outcome is called what became of it, in a word of its own.
func TestTasksWithoutAnOutcome(t *testing.T) {
	requirements.Rows(t, "TSK-40", "TEX-48")
	for _, c := range []struct{ name, answer, state string }{
		{"cancelled", "cancelled", "task was cancelled"},
		{"gone", "", "task not found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tasking(t, 140, 40, func(w *harness) {
				w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":500`)+`}}`)
				for range 3 { // a handle that is unknown at once is asked for once more
					w.wait(2 * time.Second)
					if c.answer == "" {
						w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"no such task"}}`, w.last("tasks/get"))
					} else {
						w.result(w.last("tasks/get"), `{`+w.task("task-4711", c.answer, `"ttl":null`)+`}`)
						break
					}
				}
				w.sees(c.state)
			})
		})
	}
	tasking(t, 140, 40, func(w *harness) { // its time is over, and the last poll tells nothing new
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":3000,"pollInterval":2000`)+`}}`)
		w.press("2", "h", "h", "h")
		for range 2 { // after the interval, and when its time is over
			w.wait(2 * time.Second)
			w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", `"ttl":3000,"pollInterval":2000`)+`}`)
		}
		w.sees("task expired", "may be gone")
		w.command("tasks")
		w.result(w.last("tasks/list"), `{"tasks":[]}`)
		w.golden("tasks-expired")
		w.press("esc")
		w.command("poll")
		w.sees("waiting again for the task of #6")
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "completed", `"ttl":3000`)+`}`)
		w.result(w.last("tasks/result"), `{"content":[{"type":"text","text":"the outcome"}]}`)
		w.sees("done", "the outcome", "task expired")
		w.seesNot("waiting again")
	})
}

// A call that the server takes as a task only can be made so by r, and the form has a switch.
func TestRMakesTheCallAsATask(t *testing.T) {
	requirements.Rows(t, "TSK-12", "TSK-13", "TSK-15")
	for _, code := range []int{-32600, -32601} {
		tasking(t, 100, 30, func(w *harness) {
			id := w.call("countdown")
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":%d,"message":"Task augmentation required"}}`, id, code)
			w.sees("failed")
			w.press("2", "h")
			w.sees("r makes it again as a task")
			w.press("r")
			if w.got(`"task":{}`) != 1 {
				t.Errorf("%d: no call was made as a task", code)
			}
			w.result(w.last("tools/call"), `{"content":[{"type":"text","text":"plain"}]}`)
			w.press("2", "h")
			w.sees("the server did not create a task", "done")
		})
	}
}

// The options of a form have the switch, at every size.
func TestTheFormOfATask(t *testing.T) {
	requirements.Rows(t, "TSK-09", "TSK-10", "TSK-14")
	for name, size := range map[string][2]int{"80": {80, 24}, "100": {100, 30}, "140": {140, 40}} {
		tasking(t, size[0], size[1], func(w *harness) {
			w.press("n")
			w.write("countdown")
			w.sees("may run as a task")
			w.press("alt+enter", "ctrl+t")
			for range 6 {
				w.press("tab")
			}
			w.sees("run as task", "ttl", "space turns it on")
			w.press("space", "tab")
			w.write("90s")
			w.golden("form-task-" + name)
			w.press("ctrl+s")
			if w.got(`"task":{"ttl":90000}`) != 1 {
				t.Errorf("%s", w.b.wrote[len(w.b.wrote)-1])
			}
		})
	}
}

// The list has the tasks of this run and those that the server lists, each with its status,
// and what can be done about one.
func TestTheListOfTasks(t *testing.T) {
	requirements.Rows(t, "TSK-05", "TSK-54", "TSK-72")
	for name, size := range map[string][2]int{"80": {80, 24}, "140": {140, 40}} {
		tasking(t, size[0], size[1], func(w *harness) {
			for i, status := range []string{"working", "input_required", "working"} {
				w.result(w.asTask(0), `{"task":{`+w.task(fmt.Sprintf("task-%d", i), status, `"ttl":60000,"pollInterval":60000`)+`}}`)
			}
			w.press("x")
			w.command("tasks")
			w.result(w.last("tasks/list"), `{"tasks":[{`+w.task("task-1", "working", `"ttl":60000`)+`},{`+w.task(hostileTask, "failed", `"ttl":null`)+`}],"nextCursor":"a"}`)
			w.sees("task-0", "task-1", "task-2", "input_required", "cancelling", "no expiry", "m loads more")
			w.press("m")
			w.result(w.last("tasks/list"), `{"tasks":[{`+w.task("elsewhere", "working", `"ttl":null`)+`}]}`)
			w.sees("elsewhere", "3 listed by the server, in 2 pages", "called with {}")
			w.golden("tasks-" + name)
			w.press("m")
			w.sees("there is no further page")
			w.press("pgdown", "x")
			if w.got(`tasks/get`) != 1 {
				t.Fatal("the task of another run is not picked up")
			}
			w.result(w.last("tasks/get"), `{`+w.task("elsewhere", "working", `"ttl":null,"pollInterval":60000`)+`}`)
			if w.got(`"method":"tasks/cancel","params":{"taskId":"elsewhere"`) != 1 {
				t.Errorf("it is not cancelled: %v", w.b.wrote)
			}
			w.sees("elsewhere", "cancelling")
		})
	}
}

// Down leads past a task that the server lists twice, which is one line.
func TestATaskThatIsListedTwice(t *testing.T) {
	requirements.Rows(t, "TSK-54", "TSK-72")
	tasking(t, 80, 24, func(w *harness) {
		w.command("tasks")
		line := func(id string) string { return `{` + w.task(id, "working", `"ttl":null`) + `}` }
		w.result(w.last("tasks/list"), `{"tasks":[`+line("first")+`,`+line("second")+`,`+line("first")+`,`+line("third")+`]}`)
		w.sees(`listed twice, shown as listed last: "first"`, "3 listed by the server, in 1 page")
		w.press("down", "down")
		w.sees(`▌"third"`)
	})
}

// While a page is awaited it is not said that there are no tasks, and no key is offered that would ask
// beside it; what came can be used. What became of a page that did not come is said.
func TestAPageOfTasksThatDoesNotCome(t *testing.T) {
	requirements.Rows(t, "TSK-54", "TSK-72")
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		tasking(t, size[0], size[1], func(w *harness) {
			w.command("tasks")
			w.sees("no task is known so far", "tasks/list is asked…")
			w.seesNot("r refresh", "m more", "no tasks")
			w.press("m")
			w.sees("tasks/list is asked already")
			w.press("r")
			if w.got("tasks/list") != 1 {
				t.Errorf("%v", w.b.wrote)
			}
			w.result(w.last("tasks/list"), `{"tasks":[{`+w.task("elsewhere", "working", `"ttl":null`)+`}],"nextCursor":"a"}`)
			w.clearStatus()
			w.sees("r refresh", "m more", "1 listed so far · m loads more")
			w.press("m")
			w.sees("1 listed so far · the next page is asked for…", "x cancel task", "enter look at")
			w.seesNot("r refresh", "m more")
			w.wait(31 * time.Second)
			w.sees("tasks/list is being cancelled…")
			w.wait(10 * time.Second)
			w.sees("tasks/list timed out", "1 listed so far · m loads more", "m more", "r refresh")
			w.press("r")
			w.wait(50 * time.Second)
			w.sees("no task is known so far", "tasks/list timed out", "r refresh")
			w.press("r")
			w.result(w.last("tasks/list"), `{"tasks":[]}`)
			w.sees("no tasks")
		})
	}
}

// A column that says nothing of any task gives way to one that does.
func TestTheListOfTasksLeavesEmptyColumnsOut(t *testing.T) {
	requirements.Rows(t, "TSK-72")
	tasking(t, 80, 24, func(w *harness) {
		w.command("tasks")
		const id = "1f0e0000-7b7a-4c3e-8d52-aa10bb20cc00"
		w.result(w.last("tasks/list"), `{"tasks":[{`+w.task(id, "completed", `"ttl":60000`)+`}]}`)
		w.sees(id, "STATUS", "CREATED", "KEPT")
		w.seesNot("CALL ")
	})
}

// One that the server lists is picked up by enter, and its result is fetched.
func TestAListedTaskIsPickedUp(t *testing.T) {
	requirements.Rows(t, "TSK-72")
	tasking(t, 80, 24, func(w *harness) {
		w.command("tasks")
		w.result(w.last("tasks/list"), `{"tasks":[{`+w.task("elsewhere", "completed", `"ttl":null`)+`}]}`)
		w.press("x")
		w.sees("the task has ended")
		w.press("enter")
		w.result(w.last("tasks/get"), `{`+w.task("elsewhere", "completed", `"ttl":null`)+`}`)
		w.result(w.last("tasks/result"), `{"content":[{"type":"text","text":"the outcome"}]}`)
		w.press("2")
		w.sees("done", "the outcome", `task "elsewhere"`)
	})
}

// A server without tasks.list is not asked, and the list says so.
func TestTasksOfAServerWithoutAList(t *testing.T) {
	requirements.Rows(t, "TSK-05", "TEX-56")
	run(t, 100, 30, Options{}, func(w *harness) {
		w.handshakeOf(strings.Replace(taskInit, `"list":{},`, "", 1), taskTools)
		w.result(w.asTask(0), `{"task":{`+w.task("task-0", "working", `"ttl":null`)+`}}`)
		w.command("tasks")
		w.sees("task-0", "does not declare tasks.list")
		w.press("m")
		w.sees("does not declare tasks.list")
		w.press("r", "d")
		if w.got("tasks/list") != 0 || w.got("tasks/get") != 1 {
			t.Errorf("%v", w.b.wrote)
		}
		w.press("esc")
		w.sees("stopped waiting")
	})
}

// Quitting asks what becomes of the tasks that go on, and names on the normal screen those
// that are left.
func TestQuitAsksAboutTasks(t *testing.T) {
	requirements.Rows(t, "TSK-75")
	for key, cancels := range map[string]int{"y": 2, "l": 0} {
		tasking(t, 80, 24, func(w *harness) {
			for _, id := range []string{"task-one", "task-\u202etwo"} {
				w.result(w.asTask(0), `{"task":{`+w.task(id, "working", `"ttl":null`)+`}}`)
			}
			w.call("plain")
			w.press("q")
			w.sees("3 calls in flight", "2 tasks among them", "l leave the tasks", "y/enter yes")
			if key == "l" {
				w.golden("quit-tasks")
			}
			w.press(key)
			w.wait(2 * time.Second)
			if n := w.got(`"method":"tasks/cancel"`); n != cancels {
				t.Errorf("%s: %d tasks were cancelled", key, n)
			}
			if n := w.got(`"method":"notifications/cancelled"`); n != 1 {
				t.Errorf("%s: %d requests were cancelled", key, n)
			}
			w.b.locked(func(s *session.Session, now time.Time) {
				s.Tell(now, session.Closed{Epoch: w.b.epoch, Why: session.Close{ByUs: true}})
			})
			w.settle()
			told := strings.Join(w.m.Farewell(), "\n")
			for _, want := range map[string][]string{
				"l": {`task "task-one" may go on, if it outlives the server's process`, `task "task-⟨U+202E⟩two" may go on, if it outlives the server's process`, "stopped waiting"},
				"y": {`task "task-one" may go on, if it outlives the server's process`, "cancelled · belay left", "tasks/cancel was not answered"},
			}[key] {
				if !strings.Contains(told, want) {
					t.Errorf("%s: the last lines lack %q:\n%s", key, want, told)
				}
			}
		})
	}
	tasking(t, 80, 24, func(w *harness) { // without tasks there is no such choice; one left before is named all the same
		w.result(w.asTask(0), `{"task":{`+w.task("task-one", "working", `"ttl":null`)+`}}`)
		w.press("d")
		w.call("plain")
		w.press("q")
		w.sees("1 call in flight", "1 more task may go on: belay tells of it at the end.")
		w.seesNot("leave the tasks")
		w.press("y")
		w.wait(2 * time.Second)
		if told := strings.Join(w.m.Farewell(), "\n"); !strings.Contains(told, `task "task-one" may go on, if it outlives the server's process, of #6 "countdown"`) {
			t.Errorf("the last lines:\n%s", told)
		}
	})
}

// An ID is not cut in the list while another column has more room than it uses.
func TestTheListOfTasksShowsIDsAsAWhole(t *testing.T) {
	const id = "786512e2-9e0d-44bd-8f29-789f320fe840"
	tasking(t, 80, 24, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task(id, "working", `"ttl":null`)+`}}`)
		w.command("tasks")
		w.sees(`"`+id+`"`, "countdown", "no expiry")
	})
}

// taskingOverHTTP runs f on a connection of 2025-11-25 over HTTP to a server that has tasks.
func taskingOverHTTP(t *testing.T, f func(w *harness)) {
	t.Helper()
	cfg := session.Config{Pin: mcp.Rev20251125, Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 1, DiscoverLimit: -1, NoListen: true}
	runWith(t, 100, 30, Options{}, cfg, func(w *harness) {
		time.Sleep(20 * time.Millisecond)
		w.result(w.last("initialize"), taskInit)
		w.refuse(202) // which accepts notifications/initialized
		w.result(w.last("tools/list"), taskTools)
		w.clearStatus()
		f(w)
	})
}

// Over HTTP the server does not end with belay, and a task that was left may go on there: nothing is asked of it
// any more.
func TestQuittingLeavesATaskAtTheServer(t *testing.T) {
	requirements.Rows(t, "TSK-75")
	taskingOverHTTP(t, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
		w.press("q")
		w.sees("It runs as a task: l leaves it at the server, and prints its ID.")
		w.seesNot("belay ends the server")
		w.press("l")
		w.wait(2 * time.Second)
		if told := strings.Join(w.m.Farewell(), "\n"); !strings.Contains(told, `task "task-4711" may go on at the server`) {
			t.Errorf("the last lines:\n%s", told)
		}
	})
}

// A task for which nobody waits any more is picked up and cancelled by the key that cancels.
func TestATaskThatWasLeftIsCancelled(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37")
	tasking(t, 80, 24, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
		w.press("d")
		w.sees("stopped waiting")
		w.press("x")
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", `"ttl":null`)+`}`)
		w.wait(100 * time.Millisecond)
		if n := w.got(`"method":"tasks/cancel"`); n != 1 {
			t.Errorf("%d cancels were sent", n)
		}
		w.sees("cancelling")
	})
}

// A cancelled task that goes on is polled on, and the screen says so: there is no second cancel,
// d waits for it no more, and its ID leads to its row.
func TestACancelledTaskThatGoesOn(t *testing.T) {
	requirements.Rows(t, "CXL-38", "TSK-58")
	tasking(t, 80, 24, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
		w.press("x")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"no"}}`, w.last("tasks/cancel"))
		w.wait(2 * time.Second)
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}`)
		w.sees("task still working")
		w.clearStatus()
		w.sees("d stop waiting")
		w.press("2")
		w.sees("the server refused the cancel, and the task goes on")
		w.seesNot("took the cancel")
		w.press("x")
		w.sees("the server refused the cancel of the task: d stops waiting for it")
		w.command("tasks")
		w.press("x")
		w.sees("it is sent once")
		w.press("esc")
		w.command("task task-4711")
		w.sees("the task is followed already")
		w.press("d")
		w.sees("no longer waiting")
		n := w.got(`"method":"tasks/get"`)
		w.wait(2 * time.Minute)
		if cancels, polls := w.got(`"method":"tasks/cancel"`), w.got(`"method":"tasks/get"`); cancels != 1 || polls != n {
			t.Errorf("%d cancels; %d polls after it was left", cancels, polls-n)
		}
		w.press("d")
		w.sees("not waited for any more")
		w.clearStatus()
		w.seesNot("d stop waiting")
		if told := strings.Join(w.m.Farewell(), "\n"); told != `task "task-4711" may go on, if it outlives the server's process, of #6 "countdown"` {
			t.Errorf("the last lines:\n%s", told)
		}
	})
}

// Two rows whose tasks have one ID: it is cancelled in one, and the last line of the other says what the server said.
func TestQuittingWithOneTaskInTwoRows(t *testing.T) {
	requirements.Rows(t, "TSK-69", "TSK-75")
	tasking(t, 80, 24, func(w *harness) {
		for range 2 {
			w.result(w.asTask(0), `{"task":{`+w.task("task-one", "working", `"ttl":null`)+`}}`)
		}
		w.press("x")
		w.result(w.last("tasks/cancel"), `{`+w.task("task-one", "cancelled", `"ttl":null`)+`}`)
		w.press("q")
		w.sees("1 task has ended, or its cancel was sent: its outcome is not awaited.")
		w.press("y")
		w.wait(2 * time.Second)
		w.b.locked(func(s *session.Session, now time.Time) {
			s.Tell(now, session.Closed{Epoch: w.b.epoch, Why: session.Close{ByUs: true}})
		})
		w.settle()
		told := strings.Join(w.m.Farewell(), "\n")
		if w.got(`"method":"tasks/cancel"`) != 1 || strings.Contains(told, "may go on") || !strings.Contains(told, "the task is cancelled") {
			t.Errorf("%d cancels; the last lines:\n%s", w.got(`"method":"tasks/cancel"`), told)
		}
	})
}

// A task whose cancel the server has answered is picked up again: x is not offered there, and says why.
func TestATaskIsPickedUpAfterItsCancel(t *testing.T) {
	requirements.Rows(t, "TSK-58")
	const working = `"ttl":null,"pollInterval":1000`
	tasking(t, 100, 30, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", working)+`}}`)
		w.press("x")
		w.result(w.last("tasks/cancel"), `{`+w.task("task-4711", "working", working)+`}`)
		w.wait(2 * time.Second)
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", working)+`}`)
		w.press("d")
		w.command("task task-4711")
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", working)+`}`)
		w.clearStatus()
		w.sees("d stop waiting")
		w.seesNot("x cancel", "[x]")
		w.press("x")
		w.sees("tasks/cancel was sent for the task by #")
		w.command("tasks")
		w.seesNot("x cancel")
		w.press("x")
		w.sees("tasks/cancel was sent for the task by #")
		w.press("esc", "d", "x")
		w.sees("tasks/cancel was sent for the task by #")
		w.clearStatus()
		w.seesNot("x cancel")
		if n := w.got(`"method":"tasks/cancel"`); n != 1 {
			t.Errorf("%d cancels were sent", n)
		}
	})
}

// While a task is being cancelled no reason is asked for, and a reason that was being typed
// when its row ended is refused in the words of x.
func TestAReasonForATaskThatIsBeingCancelled(t *testing.T) {
	requirements.Rows(t, "TSK-58")
	const working = `"ttl":null,"pollInterval":1000`
	tasking(t, 80, 24, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", working)+`}}`)
		w.press("c")
		w.write("slow")
		r, _ := w.m.target()
		w.start(w.m.cancelRow(r, ""))
		w.settle()
		w.result(w.last("tasks/cancel"), `{`+w.task("task-4711", "working", working)+`}`)
		w.wait(2 * time.Second)
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", working)+`}`)
		w.press("enter")
		w.sees("the task was cancelled already, and goes on: d stops waiting")
		w.seesNot("nothing was sent")
	})
	tasking(t, 80, 24, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", working)+`}}`)
		w.press("x", "c")
		w.sees("is being cancelled already")
		w.seesNot("enter cancels", "the reason stays here")
	})
}

// A cancel that found no ID is kept, and a second press of x is told so.
func TestACancelThatAwaitsAnID(t *testing.T) {
	requirements.Rows(t, "TSK-73")
	tasking(t, 80, 24, func(w *harness) {
		call := w.asTask(0)
		w.press("x")
		w.wait(6 * time.Second)
		w.sees("not delivered")
		w.press("x")
		w.sees("tasks/cancel is sent if the", "ID of its task comes")
		w.seesNot("there is nothing to cancel")
		w.result(call, `{"task":{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
		w.result(w.last("tasks/cancel"), `{`+w.task("task-4711", "cancelled", `"ttl":null`)+`}`)
		w.sees("task cancelled")
		w.press("x")
		w.seesNot("is sent if the ID")
	})
}

// Quitting asks as long as a cancelled task is polled, ends nothing when the answer is no, and
// cancels the task no second time.
func TestQuitAsksAboutACancelledTaskThatGoesOn(t *testing.T) {
	requirements.Rows(t, "TSK-75")
	for _, key := range []string{"y", "enter"} {
		tasking(t, 80, 24, func(w *harness) {
			w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
			w.press("x")
			w.result(w.last("tasks/cancel"), `{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}`)
			w.wait(2 * time.Second)
			w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}`)
			w.sees("task still working")
			for _, wish := range []string{"disconnect", "restart"} {
				w.command(wish)
				w.sees("1 cancelled task may go on: belay asks for it no more.")
				w.press("n")
			}
			w.press("q")
			w.sees("Quit", "1 cancelled task may go on: belay asks for it no more.")
			w.seesNot("l leave the tasks") // which would do what yes does
			w.press("n")
			w.wait(2 * time.Second)
			if w.b.s.Status().Quitting || w.b.s.Status().PolledOn != 1 {
				t.Fatal("a no ended something")
			}
			w.press("q", key)
			if !w.b.s.Status().Quitting {
				t.Errorf("%s does not quit", key)
			}
			w.wait(2 * time.Second)
			if n := w.got(`"method":"tasks/cancel"`); n != 1 {
				t.Errorf("%s: %d cancels", key, n)
			}
			if told := strings.Join(w.m.Farewell(), "\n"); told != `task "task-4711" may go on, if it outlives the server's process, of #6 "countdown"` {
				t.Errorf("the last lines:\n%s", told)
			}
		})
	}
	tasking(t, 80, 24, func(w *harness) { // what is asked about ends meanwhile
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
		w.press("x")
		w.result(w.last("tasks/cancel"), `{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}`)
		w.wait(2 * time.Second)
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}`)
		w.press("d", "q")
		if !w.b.s.Status().Quitting {
			t.Error("quitting asks about a task that is polled no more")
		}
	})
}

// Where the server declares no tasks.cancel, nothing offers to cancel a task.
func TestATaskThatCanOnlyBeWaitedFor(t *testing.T) {
	requirements.Rows(t, "TSK-06")
	const only = "can only be waited for"
	run(t, 100, 30, Options{}, func(w *harness) {
		w.handshakeOf(strings.Replace(taskInit, `"cancel":{},`, "", 1), taskTools)
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
		w.seesNot("cancel task", "[x]")
		w.sees("d stop waiting")
		for _, key := range []string{"x", "X"} {
			w.press(key)
			w.sees(only)
			w.seesNot("in flight?")
			w.clearStatus()
		}
		w.call("plain")
		w.press("X")
		w.sees("Cancel 1 request in flight?", "1 task more can only be waited for.")
		w.press("n")
		w.result(w.last("tools/call"), `{"content":[]}`)
		w.press("down", "enter")
		w.seesNot("cancel task", "[x]")
		w.press("1")
		w.command("tasks")
		w.result(w.last("tasks/list"), `{"tasks":[]}`)
		w.press("x")
		w.sees(only)
		w.press("esc")
		w.press("q")
		w.sees("1 task can only be waited for: belay leaves it.", "belay ends the server: what becomes of a task then is up to the server.")
		w.seesNot("cancels it first", "l leave the tasks") // which would do what yes does
		w.press("n")
		w.call("plain")
		w.press("X")
		w.sees("Cancel 1 request in flight?")
		w.press("y")
		w.wait(time.Second)
		if n := w.got(`"method":"tasks/cancel"`); n != 0 {
			t.Errorf("%d tasks were cancelled", n)
		}
	})
	t.Run("nobody waits for it any more", func(t *testing.T) {
		run(t, 100, 30, Options{}, func(w *harness) {
			w.handshakeOf(strings.Replace(taskInit, `"cancel":{},`, "", 1), taskTools)
			w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
			w.press("d")
			w.seesNot("cancel task", "[x]")
			polls := w.got(`"method":"tasks/get"`)
			for _, key := range []string{"x", "c"} {
				w.press(key)
				w.sees(only)
				w.clearStatus()
			}
			if n := w.got(`"method":"tasks/get"`) - polls; n != 0 {
				t.Errorf("it was picked up %d times to be cancelled", n)
			}
		})
	})
}

// Of a task whose server has ended by itself nobody knows that it goes on.
func TestATaskOfADeadServerMayGoOn(t *testing.T) {
	requirements.Rows(t, "TSK-75")
	for _, left := range []bool{true, false} {
		tasking(t, 80, 24, func(w *harness) {
			w.result(w.asTask(0), `{"task":{`+w.task("task-one", "working", `"ttl":null`)+`}}`)
			if left {
				w.press("d")
			}
			w.b.locked(func(s *session.Session, now time.Time) {
				s.Tell(now, session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "signal: killed"}})
			})
			w.settle()
			if told := strings.Join(w.m.Farewell(), "\n"); !strings.Contains(told, `task "task-one" may go on, if it outlives the server's process`) {
				t.Errorf("left %v: the last lines:\n%s", left, told)
			}
		})
	}
}

// Over HTTP a task that was left may go on, whether the server was lost meanwhile or not.
func TestATaskOfALostServerMayGoOn(t *testing.T) {
	requirements.Rows(t, "TSK-75")
	for _, lost := range []bool{true, false} {
		taskingOverHTTP(t, func(w *harness) {
			w.result(w.asTask(0), `{"task":{`+w.task("task-one", "working", `"ttl":null`)+`}}`)
			w.press("d")
			if lost {
				w.b.locked(func(s *session.Session, now time.Time) {
					s.Tell(now, session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "connection refused"}})
				})
			}
			w.settle()
			if told := strings.Join(w.m.Farewell(), "\n"); !strings.Contains(told, `task "task-one" may go on at the server`) {
				t.Errorf("lost %v: the last lines:\n%s", lost, told)
			}
		})
	}
}

// A task whose time is over, and which the server still says is working, is cancelled from its
// row.
func TestAnExpiredTaskThatWorksOnIsCancelled(t *testing.T) {
	tasking(t, 100, 30, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":0`)+`}}`)
		w.wait(3 * time.Second)
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", `"ttl":0`)+`}`)
		w.sees("task expired", "x cancel task")
		if told := strings.Join(w.m.Farewell(), "\n"); !strings.Contains(told, `task "task-4711" may go on`) {
			t.Errorf("the last lines: %s", told)
		}
		w.press("x")
		w.sees("asking for the task, to cancel it if it goes on")
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", `"ttl":0`)+`}`)
		if n := w.got(`"method":"tasks/cancel"`); n != 1 {
			t.Errorf("%d cancels", n)
		}
	})
}

// Only quitting can leave a task that could be cancelled, and only there is a key for that.
func TestRestartOffersNoLeaving(t *testing.T) {
	tasking(t, 80, 24, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
		for _, wish := range []string{"restart", "disconnect"} {
			w.command(wish)
			w.sees("1 call in flight: belay cancels it first.")
			w.seesNot("l leaves", "leave the tasks")
			w.press("n")
		}
	})
}

// In a revision that has the extension, the capability of the core is left aside, which the page
// of the server says.
func TestTheCapabilityOfTheOtherProtocol(t *testing.T) {
	requirements.Rows(t, "TEX-64")
	for _, both := range []bool{true, false} {
		runProbing(t, 100, 50, Options{}, time.Second, func(w *harness) {
			has := `"extensions":{"io.modelcontextprotocol/tasks":{}}`
			if both {
				has += `,"tasks":{"cancel":{}}`
			}
			w.send(nil)
			w.result(w.last("server/discover"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{`+has+`},"serverInfo":{"name":"demo","version":"1"}}`)
			w.press("i")
			if both {
				w.sees("the capability tasks belongs to 2025-11-25")
			} else {
				w.seesNot("belongs to 2025-11-25")
			}
		})
	}
}

// A cancel of which nothing shows that it was read may be sent again, from the same row, whose verdict
// tells what becomes of it. What one POST is answered with says nothing of another.
func TestACancelThatGotNoAnswerIsSentAgain(t *testing.T) {
	cfg := session.Config{Pin: mcp.Rev20251125, Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 1, DiscoverLimit: -1, NoListen: true}
	for _, way := range []string{"row", "list"} {
		runWith(t, 100, 30, Options{}, cfg, func(w *harness) {
			time.Sleep(20 * time.Millisecond)
			w.result(w.last("initialize"), taskInit)
			w.refuse(202) // which accepts notifications/initialized
			w.result(w.last("tools/list"), taskTools)
			w.clearStatus()
			w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
			w.press("x")
			w.wait(5100 * time.Millisecond)
			w.result(w.last("ping"), `{}`)
			w.wait(2 * time.Second)
			w.sees("task cancel not acknowledged")
			w.clearStatus()
			w.sees("x cancel task")
			if way == "list" {
				w.command("tasks")
			}
			w.press("x")
			w.sees("cancelling the task of #6", "once more", "task cancel not acknowledged")
			w.press("x")
			w.sees("being cancelled already")
			if n := w.got(`"method":"tasks/cancel"`); n != 2 {
				t.Fatalf("%s: %d cancels", way, n)
			}
			w.seesNot("stopped waiting")
			w.clearStatus()
			w.wait(6 * time.Second)
			w.press("x")
			w.sees("cancelling the task of #6", "once more")
			w.wait(6 * time.Second)
			w.sees("tasks/cancel brought no answer this time either", "x cancel task")
			w.press("x")
			if n := w.got(`"method":"tasks/cancel"`); n != 4 {
				t.Fatalf("%s: %d cancels", way, n)
			}
			w.result(w.last("tasks/cancel"), `{`+w.task("task-4711", "cancelled", `"ttl":null`)+`}`)
			n := w.got(`"method":"tasks/get"`)
			w.wait(time.Second)
			w.result(w.last("tasks/get"), `{`+w.task("task-4711", "cancelled", `"ttl":null`)+`}`)
			w.sees("task cancelled")
			w.wait(2 * time.Minute)
			if polls := w.got(`"method":"tasks/get"`); polls != n+1 {
				t.Errorf("%s: %d polls after the end", way, polls-n)
			}
		})
	}
}

// On stdio the server has read a cancel once it answers what was written after it: the keys
// say so, and no second one is sent, not by way of another row either.
func TestACancelThatWasDeliveredIsSentOnce(t *testing.T) {
	requirements.Rows(t, "TSK-58")
	for _, pinged := range []bool{true, false} {
		tasking(t, 100, 30, func(w *harness) {
			w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
			w.press("x")
			w.wait(5100 * time.Millisecond)
			if pinged {
				w.result(w.last("ping"), `{}`)
				w.wait(2 * time.Second)
				w.sees("task cancel not acknowledged")
				w.clearStatus()
				w.seesNot("x cancel task")
				w.press("x")
				w.sees("delivered, and not answered")
				w.clearStatus()
				w.command("tasks")
				w.press("x")
				w.sees("delivered, and not answered")
			} else {
				w.wait(20 * time.Second)
				w.press("x")
				w.sees("server reads it before anything that is sent later")
				w.clearStatus()
				w.command("tasks")
				w.press("x")
				w.sees("server reads it before anything that is sent later")
				w.press("esc")
				w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}`)
				w.press("x")
				w.sees("delivered, and not answered")
			}
			if n := w.got(`"method":"tasks/cancel"`); n != 1 {
				t.Errorf("pinged %v: %d cancels", pinged, n)
			}
		})
	}
}

// extending is a harness whose server decides which calls run as tasks.
func extending(t *testing.T, width, height int, f func(w *harness)) {
	t.Helper()
	runProbing(t, width, height, Options{}, time.Second, func(w *harness) {
		w.send(nil)
		w.result(w.last("server/discover"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],`+
			`"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1"}}}`)
		w.result(w.last("tools/list"), `{"resultType":"complete","ttlMs":600000,"cacheScope":"private","tools":[{"name":"countdown","inputSchema":{"type":"object"}}]}`)
		w.clearStatus()
		f(w)
	})
}

// asExtensionTask makes a call that the server answers with the handle of a task.
func (w *harness) asExtensionTask(id string) {
	w.t.Helper()
	w.result(w.asTask(0), `{"resultType":"task",`+w.task(id, "working", `"ttlMs":null,"pollIntervalMs":1000`)+`}`)
}

// The extension has no list of tasks: no key is offered that would load more of one, and what
// belay ends by itself is not told as the user's wish.
func TestTheTasksOfTheExtension(t *testing.T) {
	requirements.Rows(t, "TEX-56")
	extending(t, 100, 30, func(w *harness) {
		w.asExtensionTask("task-1")
		sub := w.last("subscriptions/listen")
		w.feed(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["task-1"]},"_meta":{"io.modelcontextprotocol/subscriptionId":%d}}}`, sub)
		w.command("tasks")
		w.sees("task-1", "r refresh", "d stop waiting")
		w.seesNot("m more")
		w.press("esc")
		w.wait(1100 * time.Millisecond)
		w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "completed", `"ttlMs":null,"result":{"resultType":"complete","content":[]}`)+`}`)
		w.press("w")
		w.sees("cancel requested by belay")
		w.seesNot("superseded")
	})
	tasking(t, 100, 30, func(w *harness) { // where there is a list, the key is offered as long as there is more of it
		w.command("tasks")
		w.result(w.last("tasks/list"), `{"tasks":[{`+w.task("task-1", "working", `"ttl":null`)+`}],"nextCursor":"a"}`)
		w.sees("m more")
		w.press("m")
		w.result(w.last("tasks/list"), `{"tasks":[]}`)
		w.seesNot("m more")
	})
}

// The tasks of the extension are those whose handles came, and no others; to look at them anew is one
// tasks/get for each of them.
func TestTheListOfTheExtensionIsOfTheHandlesThatCame(t *testing.T) {
	requirements.Rows(t, "TEX-56")
	extending(t, 100, 30, func(w *harness) {
		ids := []string{"handle-one", "handle-two", "handle-three"}
		for _, id := range ids {
			w.asExtensionTask(id)
		}
		w.feed(`{"jsonrpc":"2.0","method":"notifications/tasks","params":{%s}}`, w.task("handle-none", "working", `"ttlMs":null`))
		w.command("tasks")
		w.sees(ids...)
		w.seesNot("handle-none")
		if n := w.got("tasks/list"); n != 0 {
			t.Errorf("tasks/list is sent %d times", n)
		}
		polls := w.got(`"method":"tasks/get"`)
		w.press("r")
		if n := w.got(`"method":"tasks/get"`) - polls; n != 3 {
			t.Errorf("%d requests for 3 tasks", n)
		}
		for _, id := range ids {
			if w.got(`"method":"tasks/get","params":{"taskId":"`+id+`"`) != 1 {
				t.Errorf("%s is not asked for once: %v", id, w.b.wrote)
			}
		}
	})
}

// Where no task is waited for, r in the list says so, and why there is nothing to list.
func TestRefreshingTasksOfWhichNoneIsWaitedFor(t *testing.T) {
	requirements.Rows(t, "TEX-56")
	extending(t, 100, 30, func(w *harness) {
		w.asExtensionTask("task-1")
		w.press("d")
		w.clearStatus()
		w.command("tasks")
		w.sees("working, left")
		w.press("r")
		w.sees("no task is waited for · this revision lists no tasks")
		w.seesNot("the server lists none")
	})
}

// The subscription to tasks that belay ends by itself stays folded away, also while its end is
// awaited.
func TestTheEndOfTheSubscriptionToTasksIsFolded(t *testing.T) {
	extending(t, 80, 24, func(w *harness) {
		w.asExtensionTask("task-1")
		w.feed(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["task-1"]},"_meta":{"io.modelcontextprotocol/subscriptionId":%d}}}`, w.last("subscriptions/listen"))
		w.wait(1100 * time.Millisecond)
		w.sees("3 requests by belay itself")
		w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "completed", `"ttlMs":null,"result":{"resultType":"complete","content":[]}`)+`}`)
		w.sees("✓ done", "3 requests by belay itself")
		w.seesNot("subscript", "cancelling")
		w.press("b")
		w.sees("subscript", "cancelling")
	})
}

// X tells tasks apart from requests: the cancel of a task has no place for a reason.
func TestCancelAllTasks(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TSK-64")
	tasking(t, 80, 24, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-1", "working", `"ttl":null`)+`}}`)
		w.asTask(0) // whose ID is awaited
		w.press("X")
		w.sees("Cancel 2 tasks in flight?", "what it said last stays here")
		w.seesNot("reason is")
		w.press("n")
		w.call("plain")
		w.press("X")
		w.sees("Cancel 3 requests, 2 tasks among them, in flight?", "tasks/cancel carries none")
		w.golden("cancel-all-tasks")
		w.press("n", "g", "j", "j", "space", "X")
		w.sees("Cancel 1 task marked?")
		w.seesNot("reason is")
		w.press("y")
		w.sees("cancelling 1 task")
		if w.got(`"method":"tasks/cancel"`) != 1 {
			t.Errorf("%v", w.b.wrote)
		}
		w.clearStatus()
		w.asTask(0)
		w.press("esc", "X", "y")
		w.sees("cancelling 3 requests, 2 tasks among them")
		w.seesNot("among them,")
	})
}

// A task that has ended and whose outcome is waited for cannot be cancelled: X does not ask
// about it, and neither counts it nor promises to cancel it when belay quits.
func TestCancelAllLeavesOutTasksThatHaveEnded(t *testing.T) {
	tasking(t, 100, 24, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-1", "completed", `"ttl":null`)+`}}`)
		if n := w.last("tasks/result"); n == 0 {
			t.Fatalf("its outcome is not asked for: %v", w.b.wrote)
		}
		w.press("X")
		w.sees("nothing left to cancel", "d stops waiting")
		w.seesNot("Cancel all requests")
		w.press("space", "X")
		w.sees("what is marked has ended already, or is being cancelled")
		w.seesNot("Cancel the marked requests")
		w.press("space", "q")
		w.sees("1 task has ended, or its cancel was sent: its outcome is not awaited.")
		w.seesNot("belay cancels it first", "l leave")
		w.press("esc")
		w.call("plain")
		w.press("X")
		w.sees("Cancel 1 request in flight?")
		w.seesNot("1 task", "2 requests")
	})
}

// A task that has ended and whose outcome does not come is offered no cancel, and who stops
// waiting for it is not told that it goes on.
func TestStopWaitingForTheOutcomeOfATaskThatHasEnded(t *testing.T) {
	for _, width := range []int{80, 140} {
		tasking(t, width, 30, func(w *harness) {
			w.result(w.asTask(0), `{"task":{`+w.task("task-1", "completed", `"ttl":null`)+`}}`)
			w.seesNot("x cancel task", "[x]")
			w.press("x")
			w.sees("the task is completed already: only its outcome is waited for; d stops waiting")
			w.clearStatus()
			w.press("c")
			w.sees("the task is completed already: only its outcome is waited for; d stops waiting")
			w.clearStatus()
			w.press("enter")
			w.seesNot("x cancel task", "[x]")
			w.press("d")
			w.sees("its task has ended as", "and its outcome is left")
			w.seesNot("goes on at the server")
			if n := w.got(`"method":"tasks/cancel"`); n != 0 {
				t.Errorf("%d cancels", n)
			}
		})
	}
}

// A task that cannot be polled says so, and offers the keys of a task.
func TestATaskThatCannotBePolled(t *testing.T) {
	requirements.Rows(t, "TEX-37")
	extending(t, 100, 30, func(w *harness) {
		w.asExtensionTask("task-1")
		w.wait(1100 * time.Millisecond)
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"no"}}`, w.last("tasks/get"))
		w.press("2", "1")
		w.sees("the server does not know tasks/get", "x cancel task", "d stop waiting")
		w.seesNot("next poll", "a last poll")
		w.press("x")
		if w.got(`"method":"tasks/cancel"`) != 1 {
			t.Errorf("%v", w.b.wrote)
		}
	})
}

// The one poll that is left of a task that cannot be polled, when its time is over, is called so.
func TestTheLastPollOfATaskThatCannotBePolled(t *testing.T) {
	extending(t, 100, 30, func(w *harness) {
		w.result(w.asTask(0), `{"resultType":"task",`+w.task("task-1", "working", `"ttlMs":60000,"pollIntervalMs":500`)+`}`)
		w.wait(1100 * time.Millisecond)
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"no"}}`, w.last("tasks/get"))
		w.press("2", "h", "h", "h")
		w.sees("the server does not know tasks/get · a last poll in 59 s")
		w.seesNot("next poll", "every", "polled every")
	})
}

// A task that uses a key for something else has the user be asked, and shows no form by itself.
func TestATaskAsksUnderAKeyOfBefore(t *testing.T) {
	requirements.Rows(t, "TEX-30")
	extending(t, 100, 30, func(w *harness) {
		asks := func(message string) {
			w.wait(1100 * time.Millisecond)
			w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "input_required", `"ttlMs":null,"pollIntervalMs":1000,"inputRequests":{"name":{"method":"elicitation/create",`+
				`"params":{"mode":"form","message":"`+message+`","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}`)+`}`)
		}
		w.asExtensionTask("task-1")
		asks("Your name?")
		w.wait(2 * time.Second)
		w.sees("Your name?")
		w.press("ctrl+s")
		w.result(w.last("tasks/update"), `{"resultType":"complete"}`)
		asks("Your card?")
		w.sees("under a key that was used: :ask shows it")
		w.seesNot("Your card?")
		w.press("2", "h", "h")
		w.clearStatus()
		w.sees("something else under a key that was used")
		w.command("ask")
		w.seesNot("Your card?")
		asks("Your card?")
		w.press("!")
		w.sees("Your card?")
	})
}

// taskAsks answers the next poll of the task with a question.
func (w *harness) taskAsks(key, message string) {
	w.t.Helper()
	w.wait(1100 * time.Millisecond)
	w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "input_required", `"ttlMs":null,"pollIntervalMs":1000,"inputRequests":{"`+key+`":{"method":"elicitation/create",`+
		`"params":{"mode":"form","message":"`+message+`","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}`)+`}`)
}

// A question that the user closes, with the task that asked it, is not said to be taken back by
// the server. What was typed stays to be read, and nothing is sent.
func TestAQuestionThatTheUserClosesWithItsTask(t *testing.T) {
	requirements.Rows(t, "CXS-25", "TEX-31")
	for name, c := range map[string]struct {
		keys  []string
		words string
	}{
		"stops waiting": {[]string{"ctrl+l", "2", "h", "d"}, "you stopped waiting for the task"},
		"cancels":       {[]string{"ctrl+x"}, "you cancelled the task"},
	} {
		t.Run(name, func(t *testing.T) {
			extending(t, 100, 30, func(w *harness) {
				w.asExtensionTask("task-1")
				w.taskAsks("name", "Your name?")
				w.quiet()
				w.sees(`· for the task of #3 tools/call "countdown"`)
				w.write("precious")
				w.press(c.keys...)
				w.wait(100 * time.Millisecond)
				w.seesNot("withdrawn", "took back")
				if name == "stops waiting" {
					w.sees(`"Your name?" closed: `+c.words+" · nothing was sent", "1 question closed · !")
					w.press("!")
				}
				w.sees(c.words+" · nothing was sent · esc dismisses", "asked you to fill in a form", "precious", `· was for the task of #3 tools/call "countdown"`)
				w.press("ctrl+s")
				w.seesNot("withdrawn", "withdrew", "took back")
				if w.got(`"method":"tasks/update"`) != 0 {
					t.Error("an answer was sent")
				}
				w.press("esc")
				w.seesNot("precious", "question closed")
			})
		})
	}
}

// An answer that the server refuses is offered again, with what was typed and with the error.
func TestARefusedAnswerToATaskIsOfferedAgain(t *testing.T) {
	requirements.Rows(t, "TEX-34")
	for _, code := range []string{"-32602", "-32603"} {
		extending(t, 100, 30, func(w *harness) {
			w.asExtensionTask("task-1")
			w.taskAsks("name", "Your name?")
			w.quiet()
			w.write("precious")
			w.press("ctrl+s")
			w.seesNot("precious")
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":%s,"message":"update not liked"}}`, w.last("tasks/update"), code)
			w.quiet()
			w.sees("your answer was not accepted", code, "update not liked", "Your name?", "precious")
			w.taskAsks("name", "Your name?")
			w.sees("your answer was not accepted", "precious")
			w.press("ctrl+s")
			if n := w.got(`"inputResponses":{"name":{"action":"accept","content":{"name":"precious"}}}`); n != 2 {
				t.Errorf("%s: the answer was sent %d times", code, n)
			}
			w.seesNot("your answer was not accepted", "precious")
		})
	}
	extending(t, 100, 30, func(w *harness) { // and then the task is gone
		w.asExtensionTask("task-1")
		w.taskAsks("name", "Your name?")
		w.quiet()
		w.write("precious")
		w.press("ctrl+s")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"update not liked"}}`, w.last("tasks/update"))
		w.wait(1100 * time.Millisecond)
		w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "working", `"ttlMs":null,"pollIntervalMs":1000`)+`}`)
		w.sees("no longer needed by the server", "update not liked", "precious", "your answer was not accepted · esc dismisses")
	})
}

// A question ends with the task that asked it, however that is known: it says what happened,
// keeps what was typed, and sends nothing.
func TestAQuestionOfATaskThatIsLost(t *testing.T) {
	requirements.Rows(t, "TEX-31")
	const refused = `{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"Task not found"}}`
	check := func(w *harness, words, state string) {
		w.sees(words+" · nothing was sent · esc dismisses", "asked you to fill in a form", "precious", "was for the task of #")
		w.press("ctrl+s")
		w.seesNot("may be waiting", "withdrawn", "took back")
		if w.got(`"method":"tasks/update"`)+w.got(`"id":"ask-1"`) != 0 {
			t.Error("an answer was sent")
		}
		w.press("esc")
		w.sees(state)
		w.seesNot("precious")
	}
	for ttl, c := range map[string]struct{ words, state string }{
		"null": {"the task was not found", "task not found"},
		"2000": {"the task expired", "task expired"},
	} {
		extending(t, 100, 30, func(w *harness) {
			w.result(w.asTask(0), `{"resultType":"task",`+w.task("task-1", "working", `"ttlMs":`+ttl+`,"pollIntervalMs":1000`)+`}`)
			w.wait(1100 * time.Millisecond)
			w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "input_required", `"ttlMs":`+ttl+`,"pollIntervalMs":1000,"inputRequests":{"name":{"method":"elicitation/create",`+
				`"params":{"mode":"form","message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}`)+`}`)
			w.quiet()
			w.write("precious")
			w.wait(1100 * time.Millisecond)
			w.feed(refused, w.last("tasks/get"))
			check(w, c.words, c.state)
		})
		tasking(t, 100, 30, func(w *harness) {
			w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":`+ttl+`,"pollInterval":1000`)+`}}`)
			w.wait(1100 * time.Millisecond)
			w.result(w.last("tasks/get"), `{`+w.task("task-4711", "input_required", `"ttl":`+ttl+`,"pollInterval":1000`)+`}`)
			w.feed(`{"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}},` +
				`"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-4711"}}}}`)
			w.quiet()
			w.write("precious")
			w.wait(1100 * time.Millisecond)
			w.feed(refused, w.last("tasks/get"))
			check(w, c.words, c.state)
		})
	}
}

// Of a question that names no task it is said for which call it is, as far as that is known.
func TestAQuestionOfATaskThatIsNotNamed(t *testing.T) {
	requirements.Rows(t, "TSK-27")
	for meta, words := range map[string]string{
		"": ", as far as is known: it names no task",
		`,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-4711"}}`: `for the task of #6`,
	} {
		tasking(t, 140, 30, func(w *harness) {
			w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
			w.feed(`%s`, `{"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}`+meta+`}}`)
			w.quiet()
			w.sees(words)
		})
	}
}

// The row of a call has its final result, and its detail the life of the task that it ran as. A
// tool that failed has completed its task, in the extension.
func TestTheEndOfATask(t *testing.T) {
	requirements.Rows(t, "TEX-10", "TEX-50")
	for name, c := range map[string]struct{ result, state string }{
		"done":       {`"content":[{"type":"text","text":"the anchor is up"}]`, "✓ done"},
		"tool-error": {`"isError":true,"content":[{"type":"text","text":"the anchor is stuck"}]`, "completed · tool error"},
	} {
		extending(t, 100, 40, func(w *harness) {
			w.asExtensionTask("task-1")
			w.wait(1100 * time.Millisecond)
			w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "completed", `"ttlMs":null,"pollIntervalMs":1000,"result":{"resultType":"complete",`+c.result+`}`)+`}`)
			w.press("g", "j", "2", "h", "h", "h")
			w.sees(c.state, "completed · told at")
			w.golden("task-" + name)
			w.press("l")
			w.sees("the anchor is")
		})
	}
}

// What was known last of a task that the server has deleted stays on the screen.
func TestACancelledTaskThatIsDeleted(t *testing.T) {
	requirements.Rows(t, "TSK-64")
	extending(t, 100, 40, func(w *harness) {
		w.asExtensionTask("task-1")
		w.wait(1100 * time.Millisecond)
		w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "working", `"ttlMs":null,"pollIntervalMs":1000,"statusMessage":"half of it is done"`)+`}`)
		w.press("x")
		w.result(w.last("tasks/cancel"), `{"resultType":"complete"}`)
		w.wait(1100 * time.Millisecond)
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"no such task"}}`, w.last("tasks/get"))
		w.press("2", "h", "h")
		w.sees("task not seen again", "half of it is done", "working · told at")
	})
}

// The result of a failed task shows the error, and the message that came with its status, in both
// protocols. Neither of them tells what the other one does.
func TestAFailedTaskShowsItsErrorAndItsMessage(t *testing.T) {
	requirements.Rows(t, "TSK-66", "TEX-21", "TEX-51", "TEX-62")
	const message, fault = `"statusMessage":"pressure \u001b[31mlost"`, `"error":{"code":-32050,"message":"the engine broke"}`
	saysBoth := func(w *harness) {
		w.press("2")
		w.sees("-32050", "the engine broke", `the server says of the task, which is failed: "pressure ⟨ESC⟩[31mlost"`)
	}
	t.Run("2025-11-25", func(t *testing.T) {
		tasking(t, 100, 30, func(w *harness) {
			w.result(w.asTask(0), `{"task":{`+w.task("task-1", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
			w.wait(1100 * time.Millisecond)
			w.result(w.last("tasks/get"), `{`+w.task("task-1", "failed", `"ttl":null,`+message)+`}`)
			w.feed(`{"jsonrpc":"2.0","id":%d,`+fault+`}`, w.last("tasks/result"))
			saysBoth(w)
		})
	})
	t.Run("2026-07-28", func(t *testing.T) {
		extending(t, 100, 30, func(w *harness) {
			w.asExtensionTask("task-1")
			w.wait(1100 * time.Millisecond)
			w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "failed", `"ttlMs":null,`+message+`,`+fault)+`}`)
			saysBoth(w)
		})
	})
}

// What X says goes on until the last of what it cancels has ended; a subscription goes on.
func TestCancelAllLeavesTheSubscriptionToTasks(t *testing.T) {
	requirements.Rows(t, "TSK-58")
	extending(t, 100, 30, func(w *harness) {
		w.asExtensionTask("task-1")
		w.feed(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["task-1"]},"_meta":{"io.modelcontextprotocol/subscriptionId":%d}}}`, w.last("subscriptions/listen"))
		w.press("X", "y")
		w.sees("cancelling 1 task")
		w.result(w.last("tasks/cancel"), `{"resultType":"complete"}`)
		w.wait(1100 * time.Millisecond)
		w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "working", `"ttlMs":null,"pollIntervalMs":1000`)+`}`)
		w.sees("task still working")
		w.seesNot("cancelling 1 task")
	})
}

// Of a task that belay has seen end, an old page of the server's list does not say that it works, however
// many tasks came after it; and a status that is old is told with its age. The thumb covers nothing.
func TestAnOldPageOfTasks(t *testing.T) {
	requirements.Rows(t, "TSK-25", "TSK-72")
	tasking(t, 80, 24, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("the-old-one", "working", `"ttl":null,"pollInterval":3600000`)+`}}`)
		w.press("x")
		w.command("tasks")
		w.result(w.last("tasks/list"), `{"tasks":[{`+w.task("the-old-one", "working", `"ttl":null`)+`},{`+w.task("elsewhere", "input_required", `"ttl":null`)+`}]}`)
		w.result(w.last("tasks/cancel"), `{`+w.task("the-old-one", "cancelled", `"ttl":null`)+`}`)
		w.press("esc")
		for i := range 200 {
			w.result(w.asTask(0), `{"task":{`+w.task(fmt.Sprintf("later-%04d", i), "working", `"ttl":null,"pollInterval":3600000`)+`}}`)
		}
		w.wait(5 * time.Minute)
		w.command("tasks")
		for range 20 {
			w.press("pgdown")
		}
		if line := w.line(`"the-old-one"`); !strings.Contains(line, "cancelled") || strings.Contains(line, "working") || !strings.Contains(line, "no expiry  ") {
			t.Errorf("the old one reads %s", line)
		}
		if line := w.line(`"elsewhere"`); !strings.Contains(line, "input_required, 5 min ago") || !strings.Contains(line, "no expiry ┃") {
			t.Errorf("the other reads %s", line)
		}
		w.press("k")
		w.seesNot("x cancel task")
	})
}

// Who leaves belay is told the ID of a task that was picked up, and of which the server did not tell.
func TestATaskThatWasPickedUpInVainIsNamed(t *testing.T) {
	requirements.Rows(t, "TSK-75", "TEX-16")
	tasking(t, 100, 30, func(w *harness) {
		w.command("task elsewhere")
		w.press("d")
		w.wait(9 * time.Second)
		if told := strings.Join(w.m.Farewell(), "\n"); told != `task "elsewhere" may go on, if it outlives the server's process, of #6` {
			t.Errorf("the last lines: %q\n%s", told, w.screen())
		}
	})
}
