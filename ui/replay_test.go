package ui

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"belay/session"
	"belay/ui/replay"
	"belay/ui/scope"
)

// spool is a recording that is where the test says, and notes what it is told.
type spool struct {
	st   replay.Status
	told []string
	none bool // there is no further mark
}

func (s *spool) tell(format string, args ...any) {
	s.told = append(s.told, fmt.Sprintf(format, args...))
}

func (s *spool) Status() replay.Status { return s.st }
func (s *spool) Path() string          { return "/tmp/run\x1b[2J.jsonl" }
func (s *spool) Play(on bool)          { s.tell("play %v", on) }
func (s *spool) SetSpeed(x float64)    { s.st.Speed = x; s.tell("speed %v", x) }
func (s *spool) Step(forward bool)     { s.tell("step %v", forward) }
func (s *spool) Begin()                { s.tell("begin") }
func (s *spool) End()                  { s.tell("end") }
func (s *spool) GoTo(at time.Duration) { s.tell("to %v", at) }
func (s *spool) GoToTime(at time.Time) { s.tell("at %v", at.Format("05.000")) }
func (s *spool) GoToLine(n int64)      { s.tell("line %d", n) }
func (s *spool) GoToCall(id string)    { s.tell("call %s", id) }
func (s *spool) Stop()                 { s.tell("stop") }
func (s *spool) Next(m replay.Mark, forward bool) bool {
	s.tell("next %d %v", m, forward)
	return !s.none
}

// recorded is a screen on a recording in which a call was cancelled.
func recorded(t *testing.T, w, h int, f func(*harness, *spool)) {
	t.Helper()
	s := &spool{st: replay.Status{At: 12400 * time.Millisecond, Length: 100 * time.Second, Speed: 1, Session: 1}}
	connected(t, w, h, Options{Replay: s}, func(x *harness) {
		x.b.do(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"countdown"}`)}})
		x.settle()
		x.wait(time.Second)
		f(x, s)
	})
}

// The footer says what the key does now: it pauses what plays or follows, and else it plays.
func TestTheKeyThatPausesSaysSo(t *testing.T) {
	for state, want := range map[replay.State]string{
		replay.Paused: "space play", replay.Playing: "space pause", replay.Following: "space pause", replay.Searching: "space play",
	} {
		for _, size := range [][2]int{{80, 24}, {100, 30}, {140, 40}} {
			recorded(t, size[0], size[1], func(w *harness, s *spool) {
				s.st.State = state
				w.wait(time.Second)
				w.sees(want)
				w.press("space")
				if got := s.told[len(s.told)-1]; got != fmt.Sprintf("play %v", want == "space play") {
					t.Errorf("state %v: %q, and the player is told %q", state, want, got)
				}
			})
		}
	}
}

func (b *memory) do(in session.Input) {
	_, _ = b.Do(in)
	b.ring()
}

func TestTheScreenOfARecording(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		recorded(t, size[0], size[1], func(w *harness, s *spool) {
			w.seesNot("[x]")
			w.golden(fmt.Sprintf("replay-%dx%d", size[0], size[1]))
			s.st.Faults, s.st.Faulty, s.st.Differs = []replay.Fault{{Line: 57, Text: "another message is written now than was written then"}}, 1, 1
			w.b.ring()
			w.wait(100 * time.Millisecond)
			w.sees("line 57: another message is written now than was written then")
			w.wait(10 * time.Second)
			w.sees("00:12.4 / 01:40.0 paused", "differs")
			w.seesNot("another message")
			w.press(":")
			w.write("recording")
			w.press("enter")
			w.sees("line 57: another message", "From the first difference on, states and verdicts may be others", `/tmp/run`)
			w.press("esc")
			for want, st := range map[string]replay.Status{
				"From the first line that is not played on, states and verdicts may be others than they were.": {Faulty: 3, Differs: 2},
				"1 of it": {Faulty: 1, Cut: true},
			} {
				st.Faults, st.Session = []replay.Fault{{Line: 57, Text: "1 of it"}}, 1
				s.st = st
				w.command("recording")
				if text := strings.Join(strings.Fields(strings.Map(plain, w.screen())), " "); !strings.Contains(text, want) || st.Differs == 0 && strings.Contains(text, "may be others") {
					t.Errorf("%+v:\n%s", st, w.screen())
				}
				w.press("esc")
			}
		})
	}
}

// plain leaves out the frames of a screen.
func plain(r rune) rune {
	if strings.ContainsRune("│╭╮╰╯─", r) {
		return ' '
	}
	return r
}

// What becomes of the file that is followed is told each time, and stands on the page of the
// recording.
func TestWhatBecomesOfTheFileIsTold(t *testing.T) {
	recorded(t, 80, 24, func(w *harness, s *spool) {
		tells := func(text string, waits bool) {
			s.st.State, s.st.News, s.st.Waits = replay.Following, text, waits
			s.st.Told++
			w.b.ring()
			w.wait(100 * time.Millisecond)
		}
		for range 2 {
			tells("the file was truncated\x1b[2J", true)
			w.sees("the file was truncated", "00:12.4 waits")
			w.wait(20 * time.Second)
			w.seesNot("the file was truncated")
		}
		w.command("recording")
		w.sees("the file was truncated")
		w.press("esc")
		tells("a recording has begun in the file", false)
		w.sees("a recording has begun in the file", "00:12.4 follows")
	})
}

// For how long nothing was written to a file that is followed is told, and goes on without news.
func TestTheSilenceOfAFollowedFileIsTold(t *testing.T) {
	recorded(t, 140, 40, func(w *harness, s *spool) {
		s.st.State, s.st.Silent, s.st.Open = replay.Following, time.Second, true
		w.b.ring()
		w.wait(3 * time.Second)
		w.sees("00:12.4 follows")
		w.seesNot("nothing new")
		for _, c := range []struct {
			silent time.Duration
			want   string
		}{{35 * time.Second, "35s"}, {2 * time.Minute, "2m00s"}} {
			s.st.Silent = c.silent
			for range 40 { // no news come
				time.Sleep(50 * time.Millisecond)
				w.settle()
			}
			w.sees("00:12.4 follows, nothing new for " + c.want)
		}
		w.command("recording")
		w.sees("nothing was written for 2m00s: whether belay still writes to it is not known")
		w.seesNot("the recording ends here")
	})
}

// At any width, the place in a recording stands apart from what is said of the server, and the
// revision is whole.
func TestTheHeaderOfARecordingHasGaps(t *testing.T) {
	place := regexp.MustCompile(`( +)(recording )?\d\d:\d\d\.\d`)
	for width := 60; width <= 120; width += 4 {
		recorded(t, width, 24, func(w *harness, s *spool) {
			at := func(when string) {
				for name, st := range map[string]replay.Status{
					"paused": {}, "played": {Ended: true}, "playing": {State: replay.Playing}, "searching": {State: replay.Searching, Part: 1},
					"following": {State: replay.Following}, "silent": {State: replay.Following, Silent: time.Hour}, "differing": {Faulty: 1, Differs: 1, Ended: true}, "damaged": {Faulty: 12}, "late": {Missing: "x"},
				} {
					st.At, st.Length, st.Speed, st.Session = 25*time.Second, 26*time.Second, 0.25, 1
					st.Faults = []replay.Fault{{Line: 57, Text: "x"}}
					s.st = st
					w.b.ring()
					w.wait(100 * time.Millisecond)
					line, _, _ := strings.Cut(w.screen(), "\n")
					if found := place.FindStringSubmatch(line); found == nil || len(found[1]) < 2 {
						t.Errorf("%s, %s, in %d columns: %q", when, name, width, line)
					}
					if revision := string(w.b.s.Status().Revision); revision == "" || !strings.Contains(line, " · "+revision+" ") {
						t.Errorf("%s, %s, in %d columns: %q lacks %q", when, name, width, line, revision)
					}
				}
			}
			at("ready")
			w.b.do(session.Disconnect{Reason: "x"})
			at("closing")
			w.b.do(session.Closed{Epoch: w.b.s.Status().Epoch, Why: session.Close{ByUs: true}})
			at("disconnected")
		})
	}
}

// The keys of a recording play it; where another session is shown, the panes begin anew.
func TestTheKeysOfARecording(t *testing.T) {
	recorded(t, 100, 30, func(w *harness, s *spool) {
		for keys, want := range map[string]string{
			"space": "play true", ".": "step true", ",": "step false", ">": "speed 2", "0": "begin", "$": "end",
			"}": "next 0 true", "{": "next 0 false", ")": "next 1 true", "(": "next 1 false",
		} {
			s.told, s.st.Speed = nil, 1
			w.press(keys)
			if !slices.Equal(s.told, []string{want}) {
				t.Errorf("%s: %q, want %q", keys, s.told, want)
			}
		}
		for text, want := range map[string]string{
			"01:40": "to 1m40s", "50%": "to 50s", "line 12": "line 12", "end": "end", "begin": "begin",
		} {
			s.told = nil
			w.press(":")
			w.write("goto " + text)
			w.press("enter")
			if !slices.Equal(s.told, []string{want}) {
				t.Errorf(":goto %s: %q, want %q", text, s.told, want)
			}
		}
		s.told = nil
		w.press("@")
		if len(s.told) != 1 || !strings.HasPrefix(s.told[0], "at ") {
			t.Errorf("@: %q", s.told)
		}
		s.st.State = replay.Searching
		w.b.ring()
		w.wait(100 * time.Millisecond)
		s.told = nil
		w.sees("esc stop here")
		w.press("esc")
		if !slices.Equal(s.told, []string{"stop"}) {
			t.Errorf("esc: %q", s.told)
		}
		s.none = true
		w.press("}")
		w.sees("there is no cancel after this place")
	})
}

// A call that is not among the rows is looked for in the recording: it is selected where
// the player has found it, and the screen says where it has not.
func TestACallAheadIsLookedFor(t *testing.T) {
	recorded(t, 100, 30, func(w *harness, s *spool) {
		seek := func(id string) {
			s.told = nil
			w.command("goto #" + id)
			if !slices.Equal(s.told, []string{"call " + id}) {
				t.Errorf("the player was told %q", s.told)
			}
		}
		s.st.State = replay.Searching
		seek("99")
		s.st.State, s.st.Lost = replay.Paused, "99"
		w.b.ring()
		w.wait(100 * time.Millisecond)
		w.sees("there is no call #99 in the recording")

		ahead := strconv.Itoa(w.last("tools/call") + 1)
		before := w.m.calls.Chosen()
		s.st.State, s.st.Lost = replay.Searching, ""
		seek(ahead)
		w.b.do(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"countdown"}`)}})
		w.settle()
		s.st.State = replay.Paused
		w.b.ring()
		w.wait(100 * time.Millisecond)
		var wire string
		w.b.View(func(s *session.Session) {
			if r, ok := s.Row(w.m.calls.Chosen()); ok {
				wire = r.Wire.String()
			}
		})
		if wire != ahead || w.m.calls.Chosen() == before {
			t.Errorf("#%s is selected, want #%s", wire, ahead)
		}
		w.sees("2 #" + ahead)
		if len(s.told) != 2 || !strings.HasPrefix(s.told[1], "at ") {
			t.Errorf("the player was told %q", s.told)
		}
	})
}

// Whatever sends something says why it does not, and nothing is written. What only
// looks works.
func TestNothingIsSentFromARecording(t *testing.T) {
	recorded(t, 100, 30, func(w *harness, _ *spool) {
		wrote := len(w.b.wrote)
		for _, k := range []string{"n", "x", "ctrl+x", "c", "X", "e", "r", "!", "d"} {
			w.press(k)
			if got := w.status(); got != replay.Refused {
				t.Errorf("%s says %q", k, got)
			}
			w.clearStatus()
		}
		for _, b := range w.m.keys.All() {
			if b.Command == "" || !replay.Sends(b) || b.Group == "In a recording" {
				continue
			}
			if why := b.Reason(w.m); why != replay.Refused {
				t.Errorf(":%s is not refused, but %q", b.Command, why)
			}
		}
		for _, name := range []string{"filter", "search", "wire pane", "open", "server info", "help", "quit", "next tab", "export"} {
			b, ok := w.m.keys.Named(name)
			if !ok {
				t.Fatalf("no binding %q", name)
			}
			if replay.Sends(b) {
				t.Errorf("%q counts as sending", name)
			}
		}
		w.press("w", "w", "2", "1", "/")
		w.write("count")
		w.press("enter")
		if len(w.b.wrote) != wrote {
			t.Errorf("written: %q", w.b.wrote[wrote:])
		}
		w.press("esc", "q")
		if !w.quit || w.got("notifications/cancelled") != 0 {
			t.Errorf("quit: %v, written %q", w.quit, w.b.wrote[wrote:])
		}
		if lines := w.m.Farewell(); len(lines) != 0 || w.m.Exit() != ExitOK {
			t.Errorf("left with %q, %v", lines, w.m.Exit())
		}
	})
}

// Another session has other rows under the same numbers: nothing of the one before is
// shown any more.
func TestAnotherSessionIsShownAnew(t *testing.T) {
	recorded(t, 140, 40, func(w *harness, s *spool) {
		w.sees("countdown", "tools/list")
		w.press("/")
		w.write("countdown")
		w.press("enter")
		other := session.New(session.Config{}, time.Now())
		other.Tell(time.Now(), session.Connect{})
		for range 6 { // a row with the number of the call, which is another one
			if _, err := other.Handle(time.Now(), session.StartCall{Spec: session.CallSpec{Method: "prompts/get", Params: []byte(`{"name":"other"}`)}}); err != nil {
				t.Fatal(err)
			}
		}
		w.b.mu.Lock()
		w.b.s, w.b.stuck = other, true
		w.b.mu.Unlock()
		s.st.Session = 2
		w.b.ring()
		w.wait(200 * time.Millisecond)
		w.sees("0 of 7", "no call matches the filter")
	})
}

func TestAServerHasNoKeysOfARecording(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		if w.m.scope()&(scope.Recording|scope.Seeking) != 0 {
			t.Error("the keys of a recording work on a server")
		}
		w.press(":")
		w.write("goto 5")
		w.press("enter")
		w.sees("this is no recording")
	})
}

// The tasks of a recording are listed as they were at its place, with what the server had listed
// until then. They can be looked at, and nothing is asked.
func TestTheTasksOfARecording(t *testing.T) {
	s := &spool{st: replay.Status{At: 12400 * time.Millisecond, Length: 100 * time.Second, Speed: 1, Session: 1}}
	for name, size := range map[string][2]int{"80": {80, 24}, "140": {140, 40}} {
		run(t, size[0], size[1], Options{Replay: s}, func(w *harness) {
			w.handshakeOf(taskInit, taskTools)
			w.b.do(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"countdown","arguments":{"from":7}}`), AsTask: true}})
			w.settle()
			w.result(w.last("tools/call"), `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
			w.b.do(session.ListTasks{})
			w.settle()
			w.result(w.last("tasks/list"), `{"tasks":[{`+w.task("task-4711", "working", `"ttl":null`)+`},{`+w.task("task-0815", "completed", `"ttl":null`)+`}]}`)
			wrote := len(w.b.wrote)
			w.command("tasks")
			w.sees("task-4711", `{"from":7}`, "task-0815", "a recording: of these tasks it tells", "enter look at", "esc back")
			w.seesNot("x cancel task", "r refresh")
			w.golden("replay-tasks-" + name)
			for _, key := range []string{"x", "d", "f", "m", "r"} {
				w.clearStatus()
				if w.press(key); w.status() != replay.Refused {
					t.Errorf("%s says %q", key, w.status())
				}
			}
			w.clearStatus()
			w.press("enter")
			if r := w.row(); r.Task == nil || r.Task.ID != "task-4711" {
				t.Errorf("enter goes to %+v", r)
			}
			if len(w.b.wrote) != wrote {
				t.Errorf("written: %q", w.b.wrote[wrote:])
			}
		})
	}
}

// In a recording nothing brings a connection back: of tasks that it does not know, it says that it is
// read, and no key or command that would ask a server.
func TestARecordingWithoutTasksNamesNoRestart(t *testing.T) {
	recorded(t, 100, 30, func(w *harness, _ *spool) {
		for _, over := range []bool{false, true} {
			if over {
				w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 0"}})
				w.settle()
			}
			for _, command := range []string{"tasks", "task x", "hear"} {
				w.clearStatus()
				w.press(":")
				w.write(command)
				w.press("enter")
				w.sees("recording")
				w.seesNot(":restart", ":send tasks/get")
				if w.press("esc"); t.Failed() {
					t.Fatalf("the connection has ended: %v, :%s", over, command)
				}
			}
		}
	})
}

// The page of the server speaks of a recording: which file it is, and what was known at its
// place. It names no process, no key that fetches, and no time for which a list stays fresh.
func TestTheServerOfARecording(t *testing.T) {
	recorded(t, 100, 60, func(w *harness, _ *spool) {
		w.press("i")
		w.sees("recording", "demo-server --stdio", "tools · 3")
		w.seesNot("command", "process", "pid", ":reload", "fresh for", "is fetched", "being fetched")
	})
	s := &spool{st: replay.Status{At: time.Second, Length: 100 * time.Second, Speed: 1, Session: 1}}
	run(t, 100, 60, Options{Replay: s}, func(w *harness) {
		w.press("i")
		w.sees("not known at this place of the recording")
		w.seesNot("come with the connection")
	})
}
