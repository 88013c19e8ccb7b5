package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/task"
)

// Tasks of an earlier run are offered once there is a connection: the list has them, and each
// is taken up, cancelled or forgotten there.
func TestTasksOfAnEarlierRun(t *testing.T) {
	requirements.Rows(t, "TEX-16", "TEX-41", "TSK-72")
	for name, size := range map[string][2]int{"80": {80, 24}, "140": {140, 40}} {
		cfg := session.Config{DiscoverLimit: -1, KeepTasks: true}
		for _, id := range []string{"first-0001", "second-0002", hostileTask} {
			cfg.Kept = append(cfg.Kept, session.KeptTask{ID: id, Tool: "countdown", Protocol: task.Core, Made: time.Date(1999, 12, 31, 20, 0, 0, 0, time.UTC)})
		}
		runWith(t, size[0], size[1], Options{}, cfg, func(w *harness) {
			w.handshakeKeeping(taskInit, taskTools)
			w.sees("3 tasks of an earlier run may still go on: :tasks shows them")
			if w.got("tasks/get") != 0 {
				t.Error("they are asked for by themselves")
			}
			w.command("tasks")
			w.result(w.last("tasks/list"), `{"tasks":[]}`)
			w.sees("first-0001", "second-0002", "kept from before")
			w.golden("tasks-kept-" + name)
			w.press("pgdown", "f")
			w.sees("forgotten")
			w.press("pgup", "enter")
			w.result(w.last("tasks/get"), `{`+w.task("first-0001", "working", `"ttl":null`)+`}`)
			w.clearStatus()
			w.sees("x cancel task", "first-0001")
			w.command("tasks")
			w.press("pgdown", "x")
			w.result(w.last("tasks/get"), `{`+w.task("second-0002", "working", `"ttl":null`)+`}`)
			if w.got(`"method":"tasks/cancel","params":{"taskId":"second-0002"`) != 1 {
				t.Errorf("it is not cancelled: %v", w.b.wrote)
			}
			w.command("tasks")
			w.seesNot("kept from before")
		})
	}
}

// One that the server lists as well keeps what belay knows of it, and can be forgotten.
func TestATaskOfAnEarlierRunThatIsListed(t *testing.T) {
	requirements.Rows(t, "TEX-16")
	cfg := session.Config{DiscoverLimit: -1, KeepTasks: true, Kept: []session.KeptTask{{ID: "first-0001", Tool: "countdown", Protocol: task.Core, Made: time.Date(1999, 12, 31, 20, 0, 0, 0, time.UTC)}}}
	runWith(t, 80, 24, Options{}, cfg, func(w *harness) {
		w.handshakeKeeping(taskInit, taskTools)
		w.clearStatus()
		w.command("tasks")
		w.result(w.last("tasks/list"), `{"tasks":[{`+w.task("first-0001", "working", `"ttl":null`)+`}]}`)
		if l := w.line("first-0001"); !strings.Contains(l, "countdown") || !strings.Contains(l, "working") {
			t.Errorf("the list says %s", l)
		}
		w.sees("f forget")
		w.press("f")
		w.sees("forgotten: the task goes on at the server")
		w.clearStatus()
		w.seesNot("countdown", "f forget")
		w.press("f")
		w.sees("it is the server that lists the task")
	})
}

// One that a poll does not find is listed as not found, also when its row is forgotten: the list is older.
func TestAForgottenTaskThatWasNotFound(t *testing.T) {
	requirements.Rows(t, "TEX-41")
	runWith(t, 140, 40, Options{}, session.Config{DiscoverLimit: -1}, func(w *harness) {
		w.handshakeKeeping(taskInit, taskTools)
		w.result(w.asTask(0), `{"task":{`+w.task("first-0001", "working", `"ttl":null`)+`}}`)
		w.command("tasks")
		w.result(w.last("tasks/list"), `{"tasks":[{`+w.task("first-0001", "working", `"ttl":null`)+`}]}`)
		w.wait(6 * time.Second)
		w.result(w.last("tasks/get"), `{`+w.task("first-0001", "working", `"ttl":null`)+`}`)
		w.wait(6 * time.Second)
		w.feed(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32602,"message":"no such task"}}`, w.last("tasks/get"))
		if l := w.line("first-0001"); !strings.Contains(l, "not found") {
			t.Errorf("the list says %s", l)
		}
		w.press("f")
		w.sees("forgotten: belay asks for the task no more")
		if l := w.line("first-0001"); !strings.Contains(l, "not found") {
			t.Errorf("the list says %s", l)
		}
		w.press("x")
		w.sees("the server does not know the task any more")
	})
}

// A task that was forgotten leaves the list and is not named when belay ends; its row of the past
// keeps the tool.
func TestAForgottenTaskLeavesTheList(t *testing.T) {
	requirements.Rows(t, "TEX-41")
	kept := session.KeptTask{ID: "first-0001", Tool: "countdown", Protocol: task.Core, Made: time.Date(1999, 12, 31, 20, 0, 0, 0, time.UTC)}
	for name, picked := range map[string]bool{"of this run": false, "picked up": true} {
		t.Run(name, func(t *testing.T) {
			cfg := session.Config{DiscoverLimit: -1, KeepTasks: true}
			if picked {
				cfg.Kept = []session.KeptTask{kept}
			}
			runWith(t, 140, 40, Options{}, cfg, func(w *harness) {
				w.handshakeKeeping(taskInit, taskTools)
				if picked {
					w.command("task first-0001")
					w.result(w.last("tasks/get"), `{`+w.task("first-0001", "working", `"ttl":null`)+`}`)
				} else {
					w.result(w.asTask(0), `{"task":{`+w.task("first-0001", "working", `"ttl":null`)+`}}`)
				}
				w.command("tasks")
				w.result(w.last("tasks/list"), `{"tasks":[]}`)
				w.sees("f forget")
				w.press("f")
				w.sees("forgotten: the task goes on at the server", "no tasks")
				w.seesNot("f forget")
				w.press("esc")
				w.sees("stopped waiting", "countdown")
				if told := strings.Join(w.m.Farewell(), "\n"); strings.Contains(told, "first-0001") {
					t.Errorf("the last lines:\n%s", told)
				}
			})
		})
	}
}

// What is wrong with the server's list is told whole below it, also on a narrow terminal.
func TestWhyTheListOfTasksDidNotCome(t *testing.T) {
	tasking(t, 80, 24, func(w *harness) {
		w.command("tasks")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"the database is down, and it will be down for as long as nobody repairs it; try again on Monday"}}`, w.last("tasks/list"))
		w.sees("for as", "long as nobody", "try again on Monday")
	})
}

// IDs that begin alike are told apart in a narrow list.
func TestTheIDsOfTasksThatBeginAlike(t *testing.T) {
	tasking(t, 80, 24, func(w *harness) {
		w.command("tasks")
		const id = "7c1e0b52-93d4-4f0a-8a6e-00000000000"
		w.result(w.last("tasks/list"), `{"tasks":[{`+w.task(id+"1", "working", `"ttl":null`)+`},{`+w.task(id+"2", "working", `"ttl":null`)+`}]}`)
		w.sees(`001"`, `002"`)
	})
}

// One is spoken of as one.
func TestATaskOfAnEarlierRun(t *testing.T) {
	cfg := session.Config{DiscoverLimit: -1, KeepTasks: true, Kept: []session.KeptTask{{ID: "first-0001", Protocol: task.Core}}}
	runWith(t, 80, 24, Options{}, cfg, func(w *harness) {
		w.handshakeKeeping(taskInit, taskTools)
		w.sees("1 task of an earlier run may still go on: :tasks shows it")
		w.command("tasks")
		w.result(w.last("tasks/list"), `{"tasks":[]}`)
		w.press("enter")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"no"}}`, w.last("tasks/get"))
		w.sees("task not found")
		w.seesNot("invalid parameters")
	})
}

// Where the server lists none, the list does not say that a task of an earlier run is of this one.
func TestTasksOfAnEarlierRunWithoutAList(t *testing.T) {
	requirements.Rows(t, "TEX-16", "TSK-05")
	cfg := session.Config{DiscoverLimit: -1, KeepTasks: true, Kept: []session.KeptTask{{ID: "first-0001", Tool: "countdown", Protocol: task.Core}}}
	runWith(t, 80, 24, Options{}, cfg, func(w *harness) {
		w.handshakeKeeping(strings.Replace(taskInit, `"list":{},`, "", 1), taskTools)
		w.command("tasks")
		w.sees("kept from before", "does not declare tasks.list: belay knows of these tasks")
		w.seesNot("of this run")
	})
}

// That IDs are not kept is told once for each reason.
func TestTasksThatAreNotKept(t *testing.T) {
	tasking(t, 100, 30, func(w *harness) {
		w.b.notKept = "the IDs of tasks are not kept: no space left on device"
		w.m.dirty = true
		w.send(nil)
		w.sees("no space left on device")
		w.clearStatus()
		w.m.dirty = true
		w.send(nil)
		w.seesNot("no space left on device")
	})
}

// A task whose connection was lost is offered when there is one again, and taken up from the list
// or from its row. On the normal screen it is told of once, as it is known last.
func TestATaskWhoseConnectionIsLost(t *testing.T) {
	requirements.Rows(t, "TSK-72")
	for name, size := range map[string][2]int{"80": {80, 24}, "140": {140, 40}} {
		tasking(t, size[0], size[1], func(w *harness) {
			lose := func() {
				w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 3"}})
				w.wait(100 * time.Millisecond)
			}
			again := func() {
				w.command("restart")
				w.wait(100 * time.Millisecond)
				w.handshakeKeeping(taskInit, taskTools)
			}
			w.start(w.m.call(session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"countdown","arguments":{"from":7}}`), AsTask: true}))
			w.m.dirty = true
			w.send(nil)
			w.result(w.last("tools/call"), `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
			lose()
			w.press("2", "h", "h", "h")
			w.sees("lost", "task may go on, if it", ":poll asks", "for it over")
			w.seesNot("next poll")
			w.golden("task-lost-" + name)
			w.command("poll")
			w.sees("not connected")
			again()
			w.sees("1 task of an earlier connection may still go on: :tasks shows it")
			if w.got("tasks/get") != 0 {
				t.Error("it is asked for by itself")
			}
			w.command("tasks")
			w.result(w.last("tasks/list"), `{"tasks":[]}`)
			w.sees("working, lost", `{"from":7}`)
			w.golden("tasks-lost-" + name)
			w.press("enter")
			w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", `"ttl":null`)+`}`)
			w.sees("x cancel task")
			w.command("tasks")
			w.sees(`{"from":7}`)
			w.seesNot("working, lost")
			w.press("esc")

			lose()
			again()
			w.command("poll")
			w.sees("waiting again for")
			w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", `"ttl":null`)+`}`)
			w.press("q")
			w.sees("It runs as a task: l leaves it, and prints its ID", "belay ends the server: what becomes of a task then is up to the server.")
			w.press("l")
			w.wait(200 * time.Millisecond)
			if lines := strings.Join(w.m.Farewell(), "\n"); !w.quit || strings.Count(lines, "task-4711") != 1 || !strings.Contains(lines, `task "task-4711" may go on, if it outlives the server's process`) {
				t.Errorf("quit %v: %s", w.quit, lines)
			}
		})
	}
}

// What the server does not know any more is not said to go on.
func TestALostTaskThatTheServerDoesNotKnow(t *testing.T) {
	tasking(t, 100, 30, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 3"}})
		w.wait(100 * time.Millisecond)
		w.command("restart")
		w.wait(100 * time.Millisecond)
		w.handshakeOf(taskInit, taskTools)
		w.command("poll")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"no"}}`, w.last("tasks/get"))
		w.sees("task not found")
		w.press("q")
		w.wait(200 * time.Millisecond)
		if lines := strings.Join(w.m.Farewell(), "\n"); !w.quit || strings.Contains(lines, "task-4711") {
			t.Errorf("quit %v: %s", w.quit, lines)
		}
	})
}

// A call that was to run as a task, and of which no ID has come when belay quits, is told of: its
// task may go on, and has no name.
func TestQuittingBeforeATaskHasItsID(t *testing.T) {
	requirements.Rows(t, "TSK-75")
	tasking(t, 100, 30, func(w *harness) {
		w.asTask(0)
		w.press("q", "y")
		w.wait(900 * time.Millisecond)
		if w.quit {
			t.Fatal("it did not wait for the ID")
		}
		w.wait(500 * time.Millisecond)
		if lines := w.m.Farewell(); !w.quit || len(lines) != 1 || !strings.Contains(lines[0], "a task may go on, if it outlives the server's process: its ID has not come") {
			t.Errorf("quit %v: %q", w.quit, lines)
		}
	})
}
