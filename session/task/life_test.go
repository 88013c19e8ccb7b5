package task

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

var origin = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// told is a task as a message tells it; words in brackets are further members.
func told(id, status string, more ...string) mcp.Task {
	members := []string{fmt.Sprintf(`"taskId":%q,"status":%q,"createdAt":"2026-11-23T12:00:00Z"`, id, status)}
	date, ttl := `"lastUpdatedAt":"2026-11-23T12:00:00Z"`, `"ttl":null`
	for _, m := range more {
		switch {
		case strings.HasPrefix(m, `"lastUpdatedAt"`):
			date = m
		case strings.HasPrefix(m, `"ttl"`):
			ttl = m
		default:
			members = append(members, m)
		}
	}
	if status == "failed" {
		members = append(members, `"statusMessage":"broken"`)
	}
	members = append(members, date, ttl)
	line := `{"jsonrpc":"2.0","id":1,"result":{` + strings.Join(members, ",") + `}}`
	return mcp.Decode([]byte(line)).Task.Task
}

const everySecond = `"pollInterval":1000`

// begun is a task whose handle came at the origin.
func begun(p Protocol, more ...string) *Life {
	l, _ := New(origin, p, told("t", "working", more...), "working", 0)
	return &l
}

// at is a time of a test, in seconds from the origin.
func at(s float64) time.Time { return origin.Add(time.Duration(s * float64(time.Second))) }

// follow makes the requests that a task wants until a time, each answered at once as a
// script says, and returns what was made when.
func follow(l *Life, until float64, answer func(now time.Time, a Action)) (made []string) {
	now := origin
	for range 200 {
		a := l.Next(now)
		if a == NoAction {
			due := l.Due()
			if due.IsZero() || due.After(at(until)) {
				return made
			}
			now = later(due, now)
			continue
		}
		made = append(made, fmt.Sprintf("%g %s", now.Sub(origin).Seconds(), a.Method()))
		l.Made(a)
		answer(now, a)
	}
	return append(made, "without end")
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func wantMade(t *testing.T, name string, made []string, want ...string) {
	t.Helper()
	if strings.Join(made, ", ") != strings.Join(want, ", ") {
		t.Errorf("%s: made\n\t%s\nwant\n\t%s", name, strings.Join(made, ", "), strings.Join(want, ", "))
	}
}

// codes are the problems of a message, as one word each.
func codes(found []mcp.Problem) (all []mcp.DiagCode) {
	for _, p := range found {
		all = append(all, p.Code)
	}
	return all
}

// A task is polled at the server's interval until it has ended, and in 2025-11-25 its outcome
// is then fetched.
func TestATaskIsPolledToItsEnd(t *testing.T) {
	requirements.Rows(t, "TSK-33", "TSK-34", "TSK-41", "TEX-13", "TEX-14")
	for name, tt := range map[string]struct {
		p      Protocol
		handle string
		polls  []string // what they are answered with; the last one again and again
		until  float64
		want   []string
	}{
		"core": {
			Core, everySecond,
			[]string{"working", "working", "working", "completed"},
			60,
			[]string{"1 tasks/get", "2 tasks/get", "3 tasks/get", "4 tasks/get", "4 tasks/result"},
		},
		"the extension": {
			Extension, `"pollIntervalMs":1000`, []string{"working", "completed"}, 60, []string{"1 tasks/get", "2 tasks/get"},
		},
		"one that fails": {Core, everySecond, []string{"failed"}, 60, []string{"1 tasks/get", "1 tasks/result"}},
		"one that the server cancels has no outcome to fetch": {Core, everySecond, []string{"cancelled"}, 60, []string{"1 tasks/get"}},
		"without an interval the pause grows": {
			Core, `"x":1`, []string{"working"}, 40, []string{"2 tasks/get", "5 tasks/get", "9.5 tasks/get", "16.25 tasks/get", "26.375 tasks/get"},
		},
		"an interval of nothing":    {Core, `"pollInterval":0`, []string{"working", "working", "completed"}, 9, []string{"0.25 tasks/get", "0.5 tasks/get", "0.75 tasks/get", "0.75 tasks/result"}},
		"an interval of a year":     {Core, `"pollInterval":31536000000`, []string{"working"}, 86400 * 364, nil},
		"an interval past all time": {Core, `"pollInterval":9223372036854775807`, []string{"working"}, 86400 * 364, nil},
		"an interval that is none":  {Core, `"pollInterval":"soon"`, []string{"completed"}, 9, []string{"2 tasks/get", "2 tasks/result"}},
	} {
		l := begun(tt.p, tt.handle)
		n := 0
		made := follow(l, tt.until, func(now time.Time, a Action) {
			if a == Result {
				l.Fetched()
				return
			}
			l.Told(now, FromGet, told("t", tt.polls[min(n, len(tt.polls)-1)], tt.handle))
			n++
		})
		wantMade(t, name, made, tt.want...)
	}
	l := begun(Extension, `"pollIntervalMs":100`) // below the least, and changed
	made := follow(l, 6, func(now time.Time, _ Action) { l.Told(now, FromGet, told("t", "working", `"pollIntervalMs":2000`)) })
	wantMade(t, "an interval that changes", made, "0.25 tasks/get", "2.25 tasks/get", "4.25 tasks/get")
}

// A task that asks for input has tasks/result be made, once for each time that it begins to
// ask, and is polled on meanwhile.
func TestATaskThatAsksGetsAChannel(t *testing.T) {
	requirements.Rows(t, "TSK-28", "TSK-35", "TSK-51", "TSK-52")
	l := begun(Core, everySecond)
	polls := []string{"input_required", "input_required", "working", "input_required", "completed"}
	n := 0
	made := follow(l, 60, func(now time.Time, a Action) {
		if a == Get {
			l.Told(now, FromNotice, told("t", polls[n], everySecond)) // which does not keep the polls from going on
			l.Told(now, FromGet, told("t", polls[n], everySecond))
			n++
		}
	})
	wantMade(t, "tasks/result blocks, and is not answered at the end", made, "1 tasks/get", "1 tasks/result", "2 tasks/get", "3 tasks/get", "4 tasks/get", "5 tasks/get", "10 tasks/result")
	l = begun(Core, everySecond)
	for i := range 3 { // a server that answers it at once, and goes on asking
		l.Told(at(0), FromNotice, told("t", "input_required", everySecond))
		if got := l.Next(at(0)); (got == Result) != (i == 0) {
			t.Errorf("%v is made the %d. time that it asks", got, i+1)
		}
		if i == 0 {
			l.Made(Result)
			l.Fetched()
		}
		l.Told(at(0), FromNotice, told("t", "working", everySecond))
	}
	l = begun(Extension, everySecond)
	wantMade(t, "the extension has none", follow(l, 3, func(now time.Time, _ Action) {
		l.Told(now, FromGet, told("t", "input_required", everySecond))
	}), "1 tasks/get", "2 tasks/get", "3 tasks/get")
}

// What is told of a task, and what is wrong with that.
func TestWhatIsWrongWithATask(t *testing.T) {
	requirements.Rows(t, "TSK-22", "TSK-23", "TSK-24", "TSK-25", "TSK-36", "TSK-37", "TSK-39", "TSK-49", "TSK-50")
	const bad = `"lastUpdatedAt":"yesterday"`
	for name, tt := range map[string]struct {
		first, then string
		by          Source
		more        string
		want        Status
		wrong       []mcp.DiagCode
	}{
		"it goes on":                 {"working", "working", FromGet, "", Working, nil},
		"it asks":                    {"working", "input_required", FromGet, "", InputRequired, nil},
		"it was answered":            {"input_required", "working", FromGet, "", Working, nil},
		"it asks and has ended":      {"input_required", "completed", FromGet, "", Completed, nil},
		"it asks and has failed":     {"input_required", "failed", FromGet, "", Failed, nil},
		"it asks and is cancelled":   {"input_required", "cancelled", FromGet, "", Cancelled, nil},
		"it has ended":               {"working", "completed", FromGet, "", Completed, nil},
		"it has failed":              {"working", "failed", FromGet, "", Failed, nil},
		"it is cancelled":            {"working", "cancelled", FromGet, "", Cancelled, nil},
		"it is paused":               {"input_required", "paused", FromGet, "", InputRequired, []mcp.DiagCode{mcp.DiagTaskStatus}},
		"it has no status":           {"working", "", FromGet, "", Working, []mcp.DiagCode{mcp.DiagTaskStatus}},
		"it comes back to life":      {"completed", "working", FromNotice, "", Completed, []mcp.DiagCode{mcp.DiagTaskFinal}},
		"it was cancelled, and ends": {"cancelled", "completed", FromNotice, "", Cancelled, []mcp.DiagCode{mcp.DiagTaskFinal}},
		"a date that is none":        {"working", "working", FromGet, bad, Working, []mcp.DiagCode{mcp.DiagTaskShape}},
		"a time to live that is none": {
			"working", "working", FromGet, `"ttl":"long"`, Working, []mcp.DiagCode{mcp.DiagTaskShape},
		},
		"an old notification": {"working", "completed", FromNotice, `"lastUpdatedAt":"2026-11-23T11:59:59Z"`, Working, []mcp.DiagCode{mcp.DiagTaskNotice}},
		"a new notification":  {"working", "completed", FromNotice, `"lastUpdatedAt":"2026-11-23T12:00:01Z"`, Completed, nil},
	} {
		l := begun(Core, everySecond)
		l.Told(at(1), FromNotice, told("t", tt.first))
		var more []string
		if tt.more != "" {
			more = []string{tt.more}
		}
		got := codes(l.Told(at(2), tt.by, told("t", tt.then, more...)))
		if fmt.Sprint(got) != fmt.Sprint(tt.wrong) || l.Status() != tt.want {
			t.Errorf("%s: %v, %v", name, l.Status(), got)
		}
	}
	l := begun(Core, everySecond)
	l.Made(Get)
	if got := codes(l.Told(at(1), FromGet, told("other", "completed"))); fmt.Sprint(got) != fmt.Sprint([]mcp.DiagCode{mcp.DiagTaskOther}) || l.Status() != Working || l.Due().IsZero() {
		t.Errorf("told of another task: %v, %v, the next poll at %v", l.Status(), got, l.Due())
	}
	for status, wrong := range map[string]bool{"working": false, "completed": true, "paused": true} {
		if _, found := New(origin, Core, told("t", status), status, 0); (len(found) > 0) != wrong {
			t.Errorf("it begins as %s: %v", status, found)
		}
	}
}

// An end that something else than a poll has told is unconfirmed until a poll tells of the task, or that there is none.
func TestTheEndOfATaskIsUnconfirmed(t *testing.T) {
	requirements.Rows(t, "TSK-50", "TSK-51")
	for _, by := range []Source{FromGet, FromCancel, FromNotice, FromEarlyNotice} {
		for name, then := range map[string]func(l *Life) (unconfirmed bool){
			"nothing":              func(*Life) bool { return true },
			"the same":             func(l *Life) bool { l.Told(at(3), FromGet, told("t", "completed")); return false },
			"something else":       func(l *Life) bool { l.Told(at(3), FromGet, told("t", "working")); return false },
			"that there is none":   func(l *Life) bool { l.Refused(at(3), Get, mcp.CodeInvalidParams); return false },
			"that it has no polls": func(l *Life) bool { l.Refused(at(3), Get, mcp.CodeMethodNotFound); return false },
			"no answer":            func(l *Life) bool { l.Missed(at(3), Get); return true },
			"a notification more":  func(l *Life) bool { l.Told(at(3), FromNotice, told("t", "failed")); return true },
		} {
			l := begun(Core, everySecond)
			l.Told(at(1), by, told("t", "completed"))
			if got, want := l.View().Unconfirmed, by != FromGet; got != want {
				t.Errorf("%v: unconfirmed %v", by, got)
			}
			l.Made(Get)
			if want := then(l) && by != FromGet; l.View().Unconfirmed != want {
				t.Errorf("%v, then %s: unconfirmed %v", by, name, !want)
			}
		}
	}
	l, _ := New(origin, Core, told("t", "completed"), "completed", 0)
	if l.View().Unconfirmed {
		t.Error("the handle told it")
	}
}

// What is told first otherwise than the end of a task, after it, is kept beside the status that stays.
func TestWhatIsToldOtherwiseThanTheEndOfATask(t *testing.T) {
	requirements.Rows(t, "TSK-25", "TSK-62")
	l := begun(Core, everySecond)
	for _, x := range []struct {
		status string
		by     Source
		want   Otherwise
	}{
		{"working", FromGet, Otherwise{}},
		{"completed", FromNotice, Otherwise{}},
		{"completed", FromCancel, Otherwise{}},
		{"paused", FromNotice, Otherwise{}},
		{"failed", FromGet, Otherwise{Failed, FromGet, "broke"}},
		{"working", FromNotice, Otherwise{Failed, FromGet, "broke"}},
	} {
		task := told("t", x.status)
		task.Message = "broke"
		l.Told(at(1), x.by, task)
		if v := l.View(); v.Otherwise != x.want {
			t.Errorf("%s, in %s: %+v", x.status, x.by, v.Otherwise)
		}
	}
}

// Of a task that has ended, the message stays that of the status that stays.
func TestTheMessageOfATaskIsThatOfItsStatus(t *testing.T) {
	requirements.Rows(t, "TSK-25")
	l := begun(Core, everySecond)
	for _, x := range []struct{ status, message, want string }{
		{"working", "half done", "half done"},
		{"cancelled", "stopped", "stopped"},
		{"working", "half done again", "stopped"},
		{"cancelled", "cleaned up", "cleaned up"},
		{"paused", "hm", "hm"}, // which is shown beside that word
	} {
		l.Told(at(1), FromNotice, told("t", x.status, `"statusMessage":"`+x.message+`"`))
		if v := l.View(); v.Message != x.want || v.IsOdd != (x.status == "paused") {
			t.Errorf("%s, %s: %q", x.status, x.message, v.Message)
		}
	}
}

// After the end of a task was read in a poll nothing is polled; after it was told by
// something else, one poll follows.
func TestTheEndOfATaskIsReadInOnePoll(t *testing.T) {
	requirements.Rows(t, "TSK-51", "TEX-20")
	for name, tt := range map[string]struct {
		tell func(l *Life)
		want []string
	}{
		"a poll": {func(l *Life) {
			l.Made(Get)
			l.Told(origin, FromGet, told("t", "cancelled", everySecond))
		}, nil},
		"a notification": {func(l *Life) { l.Told(origin, FromNotice, told("t", "cancelled", everySecond)) }, []string{"1 tasks/get"}},
		"the answer to its cancel": {func(l *Life) {
			l.WantCancel()
			l.Made(Cancel)
			l.Told(origin, FromCancel, told("t", "cancelled", everySecond))
			l.CancelAnswered(origin)
		}, []string{"1 tasks/get"}},
		"a notification while a poll is out": {func(l *Life) {
			l.Made(Get)
			l.Told(origin, FromNotice, told("t", "cancelled", everySecond))
			l.Told(origin, FromGet, told("t", "working", everySecond))
		}, []string{"1 tasks/get"}},
		"a poll behind a notification": {func(l *Life) {
			l.Made(Get)
			l.Told(origin, FromNotice, told("t", "cancelled", everySecond))
			l.Told(origin, FromGet, told("t", "cancelled", everySecond))
		}, nil},
	} {
		for _, p := range []Protocol{Core, Extension} {
			l := begun(p, everySecond)
			tt.tell(l)
			wantMade(t, name, follow(l, 1000, func(now time.Time, _ Action) {
				l.Told(now, FromGet, told("t", "cancelled", everySecond))
			}), tt.want...)
			if !l.IsOver() {
				t.Errorf("%s: it is not over", name)
			}
		}
	}
}

// What follows a cancel: the polls go on, since the acknowledgement proves nothing.
func TestATaskIsPolledOnAfterItsCancel(t *testing.T) {
	requirements.Rows(t, "TEX-15", "TEX-38", "TEX-40")
	l := begun(Extension, everySecond)
	l.WantCancel()
	if got := l.Next(origin); got != Cancel {
		t.Fatalf("%v is next", got)
	}
	l.Made(Cancel)
	if l.Next(origin) == Cancel {
		t.Error("a second cancel may leave")
	}
	l.CancelAnswered(at(0.5))
	if l.Next(at(0.5)) == Cancel || l.IsSettled() || l.Status() != Working {
		t.Errorf("an acknowledgement settles it: %v", l.Status())
	}
	n := 0
	made := follow(l, 30, func(now time.Time, _ Action) {
		if n++; n == 1 {
			l.GraceOver()
		}
		l.Told(now, FromGet, told("t", "working", everySecond))
	})
	wantMade(t, "with back-off", made, "1.5 tasks/get", "3 tasks/get", "5.25 tasks/get", "8.625 tasks/get", "13.6875 tasks/get", "21.28125 tasks/get")
	if !l.IsSettled() {
		t.Error("it is not settled by a poll that was sent after the acknowledgement")
	}

	l = begun(Extension, everySecond)
	l.WantCancel()
	l.Made(Get) // before the acknowledgement
	l.Made(Cancel)
	l.CancelAnswered(origin)
	l.Told(at(0.1), FromGet, told("t", "working", everySecond))
	if l.IsSettled() {
		t.Error("a poll that was out already settles it")
	}
	l.Made(Get)
	l.Told(at(2), FromGet, told("t", "working", everySecond))
	if !l.IsSettled() {
		t.Error("the poll after it does not")
	}
}

// A server that tells of a cancelled task more often than it is polled does not put the poll off: that
// alone tells what became of the cancel.
func TestNotificationsDoNotPutThePollOff(t *testing.T) {
	requirements.Rows(t, "TEX-40")
	for _, said := range []string{"working", "input_required", "completed"} {
		l := begun(Extension, everySecond)
		l.WantCancel()
		l.Made(Cancel)
		l.CancelAnswered(origin)
		l.Told(origin, FromNotice, told("t", said, everySecond))
		for n := range 9 {
			if now := at(0.1 * float64(n+1)); l.Next(now) != NoAction {
				t.Errorf("%s: it is polled after %v", said, now.Sub(origin))
			} else {
				l.Told(now, FromNotice, told("t", said, everySecond))
			}
		}
		if got := l.Next(at(1)); got != Get {
			t.Errorf("%s: after a second it is %v, and due at %v", said, got, l.Due().Sub(origin))
		}
	}
}

// Polls that bring nothing are no reason to poll a task more often that the server tells of.
func TestFailedPollsOfAWatchedTask(t *testing.T) {
	requirements.Rows(t, "TEX-14", "TSK-77")
	for name, fails := range map[string]func(l *Life, now time.Time, a Action){
		"no answer":  func(l *Life, now time.Time, a Action) { l.Missed(now, a) },
		"an error":   func(l *Life, now time.Time, a Action) { l.Refused(now, a, mcp.CodeInternal) },
		"of no task": func(l *Life, now time.Time, _ Action) { l.Odd(now) },
	} {
		l := begun(Extension, everySecond, `"pollIntervalMs":1000`)
		l.Told(at(0), FromGet, told("t", "working", `"pollIntervalMs":1000`))
		l.Watch(at(0), true)
		made := follow(l, 40, func(now time.Time, a Action) { fails(l, now, a) })
		wantMade(t, name, made, "1 tasks/get", "8.5 tasks/get", "19.75 tasks/get", "36.625 tasks/get")
	}
}

// A task that the server tells of is polled after one interval where its tasks/cancel was answered,
// by whatever error, or brought nothing.
func TestAWatchedTaskIsPolledSoonAfterItsCancel(t *testing.T) {
	requirements.Rows(t, "TEX-38", "TSK-77")
	for name, ends := range map[string]func(l *Life, now time.Time){
		"acknowledged": func(l *Life, now time.Time) { l.CancelAnswered(now) },
		"not known":    func(l *Life, now time.Time) { l.Refused(now, Cancel, mcp.CodeMethodNotFound) },
		"broken":       func(l *Life, now time.Time) { l.Refused(now, Cancel, mcp.CodeInternal) },
		"HTTP 503":     func(l *Life, now time.Time) { l.Missed(now, Cancel) },
	} {
		l := begun(Extension, `"pollIntervalMs":1000`)
		l.Watch(at(0), true)
		l.Made(Get)
		l.Told(at(1), FromGet, told("t", "working", `"pollIntervalMs":1000`))
		l.WantCancel()
		l.Made(Cancel)
		if ends(l, at(2)); !l.Due().Equal(at(3)) {
			t.Errorf("%s: it is polled at %v", name, l.Due().Sub(origin))
		}
	}
}

// What a server wants to wait for, the next request waits for (Retry-After), and no longer than an hour.
func TestAServerWantsNoRequestForAWhile(t *testing.T) {
	requirements.Rows(t, "TEX-14", "TSK-77")
	held := func(l *Life, d time.Duration) func(now time.Time, a Action) {
		n := 0
		return func(now time.Time, a Action) {
			if n++; n == 1 {
				l.RetryAfter(now, d)
				l.Missed(now, a)
				return
			}
			l.Told(now, FromGet, told("t", "working", `"pollIntervalMs":1000`))
		}
	}
	l := begun(Extension, `"pollIntervalMs":1000`)
	wantMade(t, "ten seconds", follow(l, 13, held(l, 10*time.Second)), "1 tasks/get", "11 tasks/get", "12 tasks/get", "13 tasks/get")
	l = begun(Extension, `"pollIntervalMs":1000`)
	wantMade(t, "less than the pause", follow(l, 4, held(l, time.Millisecond)), "1 tasks/get", "2.5 tasks/get", "3.5 tasks/get")
	l = begun(Extension, `"pollIntervalMs":1000`)
	wantMade(t, "a year", follow(l, 3602, held(l, 365*24*time.Hour)), "1 tasks/get", "3601 tasks/get", "3602 tasks/get")

	l = begun(Extension, `"pollIntervalMs":1000`)
	l.Watch(at(0), true)
	l.Made(Get)
	l.RetryAfter(at(5), 20*time.Second)
	l.Missed(at(5), Get)
	if l.Watch(at(6), false); !l.Due().Equal(at(25)) {
		t.Errorf("told of no more, it is polled at %v", l.Due().Sub(origin))
	}

	l = begun(Core, everySecond)
	l.Told(at(1), FromGet, told("t", "completed", everySecond))
	l.Made(Result)
	l.RetryAfter(at(2), 20*time.Second)
	if l.Missed(at(2), Result); !l.Due().Equal(at(22)) {
		t.Errorf("tasks/result is made again at %v", l.Due().Sub(origin))
	}

	l = begun(Extension, `"pollIntervalMs":1000`) // the effect of a cancel is seen within its grace
	l.RetryAfter(at(0), time.Hour)
	l.WantCancel()
	l.Made(Cancel)
	if l.CancelAnswered(at(1)); !l.Due().Equal(at(51)) {
		t.Errorf("cancelled, it is polled at %v", l.Due().Sub(origin))
	}
}

// An error that answers a request about a task.
func TestARequestAboutATaskIsRefused(t *testing.T) {
	requirements.Rows(t, "TSK-59", "TSK-63", "TSK-65", "TSK-77", "TEX-11", "TEX-39", "TEX-48")
	refuse := func(code int64) func(l *Life, now time.Time, a Action) {
		return func(l *Life, now time.Time, a Action) { l.Refused(now, a, code) }
	}
	for name, tt := range map[string]struct {
		by    func(l *Life, now time.Time, a Action)
		want  []string
		until float64
		end   End
	}{
		"unknown right after it was created": {refuse(mcp.CodeInvalidParams), []string{"1 tasks/get", "2 tasks/get"}, 100, Gone},
		"a server without tasks/get":         {refuse(mcp.CodeMethodNotFound), []string{"1 tasks/get", "1 tasks/result"}, 100, Alive},
		"an internal error":                  {refuse(mcp.CodeInternal), []string{"1 tasks/get", "2.5 tasks/get", "4.75 tasks/get", "8.125 tasks/get"}, 13, Alive},
		"no answer at all": {
			func(l *Life, now time.Time, a Action) { l.Missed(now, a) }, []string{"1 tasks/get", "2.5 tasks/get", "4.75 tasks/get"}, 8, Alive,
		},
	} {
		l := begun(Core, everySecond)
		wantMade(t, name, follow(l, tt.until, func(now time.Time, a Action) { tt.by(l, now, a) }), tt.want...)
		if l.End() != tt.end {
			t.Errorf("%s: it ends as %v", name, l.End())
		}
	}

	for _, p := range []Protocol{Core, Extension} { // no poll, and a cancel all the same
		l := begun(p, everySecond, `"ttl":60000`, `"ttlMs":60000`)
		l.Made(Get)
		l.Refused(at(1), Get, mcp.CodeMethodNotFound)
		if !l.IsBlind() || !l.IsAlive() || l.WantsResult() != (p == Core) || !l.Due().Equal(at(60)) {
			t.Errorf("%v: a server without tasks/get: alive is %v, the next poll is due %v", p, l.IsAlive(), l.Due())
		}
		l.WantCancel()
		if l.Next(at(1)) != Cancel {
			t.Errorf("%v: without tasks/get it is not cancelled", p)
		}
		l.Made(Cancel)
		l.CancelAnswered(at(2))
		if !l.IsSettled() || !l.Due().Equal(at(60)) {
			t.Errorf("%v: its cancel is answered: settled is %v, the next poll is due %v", p, l.IsSettled(), l.Due())
		}
		l.Made(Get)
		l.Refused(at(60), Get, mcp.CodeMethodNotFound)
		if l.End() != Expired {
			t.Errorf("%v: its time is over, and it is %v", p, l.End())
		}
	}
	blind := begun(Core, everySecond)
	blind.Made(Get)
	blind.Refused(at(1), Get, mcp.CodeMethodNotFound)
	blind.Made(Result)
	blind.Fetched()
	if blind.End() != NoPolls {
		t.Errorf("its outcome came, and it is %v", blind.End())
	}

	l := begun(Core, everySecond)
	l.Made(Get)
	l.Told(at(1), FromGet, told("t", "working", everySecond))
	l.Made(Get)
	if found := l.Refused(at(2), Get, mcp.CodeInvalidParams); len(found) != 0 || l.End() != Gone || !l.Due().IsZero() {
		t.Errorf("a task that was known: %v, %v", found, l.End())
	}

	l = begun(Core, everySecond) // refused as terminal: one poll tells
	l.WantCancel()
	l.Made(Cancel)
	l.Refused(origin, Cancel, mcp.CodeInvalidParams)
	wantMade(t, "a refused cancel", follow(l, 100, func(now time.Time, a Action) {
		if a == Result {
			l.Fetched()
			return
		}
		l.Told(now, FromGet, told("t", "completed", everySecond))
	}), "1 tasks/get", "1 tasks/result")
	if l.Next(at(100)) == Cancel {
		t.Error("a refused cancel may be sent again")
	}

	for code, want := range map[int64][]string{mcp.CodeInvalidParams: {"1 tasks/get"}, mcp.CodeInternal: nil} {
		l = begun(Core, everySecond) // the one poll that was to confirm the end brought nothing
		l.WantCancel()
		l.Made(Cancel)
		l.Told(origin, FromNotice, told("t", "cancelled", everySecond))
		l.Made(Get)
		l.Missed(origin, Get)
		l.Refused(origin, Cancel, code)
		wantMade(t, "refused before its end was polled", follow(l, 100, func(now time.Time, _ Action) {
			l.Told(now, FromGet, told("t", "cancelled", everySecond))
		}), want...)
	}

	l = begun(Core, everySecond)
	l.Made(Get)
	l.WantCancel()
	l.Made(Cancel)
	l.Told(at(1), FromGet, told("t", "failed", everySecond))
	l.Refused(at(1), Cancel, mcp.CodeInvalidParams)
	l.Made(Result)
	l.Fetched()
	wantMade(t, "refused after its end was polled", follow(l, 100, func(time.Time, Action) {}))
}

// A task whose time is over is polled once more, and given up unless that tells news.
func TestATaskExpires(t *testing.T) {
	requirements.Rows(t, "TSK-38", "TSK-40", "TEX-23", "TEX-24")
	l := begun(Extension, everySecond, `"ttl":2500`)
	if got := l.Expires(); !got.Equal(at(2.5)) {
		t.Errorf("it expires at %v", got)
	}
	made := follow(l, 100, func(now time.Time, _ Action) { l.Told(now, FromGet, told("t", "working", everySecond, `"ttl":2500`)) })
	wantMade(t, "a last poll", made, "1 tasks/get", "2 tasks/get", "2.5 tasks/get")
	if l.End() != Expired || !l.Poll(at(50)) || l.Next(at(50)) != Get {
		t.Errorf("%v; the user cannot poll once more", l.End())
	}
	l = begun(Extension, everySecond, `"ttl":60000`)
	n := 0
	made = follow(l, 100, func(now time.Time, _ Action) {
		ttl := `"ttl":1500` // it was lowered
		if n++; n == 2 {
			ttl = `"ttl":4000` // and raised at its last poll
		}
		l.Told(now, FromGet, told("t", "working", everySecond, ttl))
	})
	wantMade(t, "a time to live that changes", made, "1 tasks/get", "1.5 tasks/get", "2.5 tasks/get", "3.5 tasks/get")
	l = begun(Core, everySecond, `"ttl":0`)
	wantMade(t, "no time at all", follow(l, 100, func(now time.Time, _ Action) { l.Told(now, FromGet, told("t", "working", everySecond, `"ttl":0`)) }), "1 tasks/get")
	l = begun(Core, everySecond, `"ttl":2500`)
	l.Leave()
	wantMade(t, "the user stopped waiting", follow(l, 100, func(time.Time, Action) {}))
	if l.Poll(at(1)) {
		t.Error("a task that was left is polled")
	}
}

// The outcome of a task that is said to go on is told as what it is.
func TestAnOutcomeBeforeTheEnd(t *testing.T) {
	requirements.Rows(t, "TSK-29", "TSK-43")
	l := begun(Core, everySecond)
	l.Told(origin, FromNotice, told("t", "input_required", everySecond))
	l.Made(Get)
	l.Made(Result)
	l.Fetched()
	if found := l.Told(at(1), FromGet, told("t", "working", everySecond)); len(found) != 0 {
		t.Errorf("a poll that was out before: %v", found)
	}
	for i, want := range []int{1, 0} {
		l.Made(Get)
		if found := l.Told(at(2), FromGet, told("t", "working", everySecond)); len(found) != want {
			t.Errorf("poll %d after it: %v", i+1, found)
		}
	}
	l = begun(Core, everySecond)
	told10 := 0
	l.Told(origin, FromNotice, told("t", "input_required", everySecond))
	l.Answer()
	for range 20 {
		l.Made(Get)
		told10 += len(l.Told(at(1), FromGet, told("t", "input_required", everySecond)))
	}
	if told10 != 1 {
		t.Errorf("input_required for ever: told %d times", told10)
	}
}

// Whether the server knows the task is told apart from whether its time is over: one that
// outlives its time can still be cancelled, and one that is unknown cannot.
func TestATaskThatTheServerDoesNotKnow(t *testing.T) {
	requirements.Rows(t, "TSK-40", "TEX-48")
	for name, c := range map[string]struct {
		answer  func(l *Life, now time.Time)
		unknown bool
	}{
		"it goes on": {func(l *Life, now time.Time) { l.Told(now, FromGet, told("t", "working", `"ttl":2000`, everySecond)) }, false},
		"it is gone": {func(l *Life, now time.Time) { l.Refused(now, Get, mcp.CodeInvalidParams) }, true},
	} {
		l := begun(Core, `"ttl":2000`, everySecond)
		follow(l, 1.5, func(now time.Time, _ Action) { l.Told(now, FromGet, told("t", "working", `"ttl":2000`, everySecond)) })
		follow(l, 5, func(now time.Time, _ Action) { c.answer(l, now) })
		if v := l.View(); v.End != Expired || v.Unknown != c.unknown {
			t.Errorf("%s: %v, unknown %v", name, v.End, v.Unknown)
		}
	}
}

// The answer to a poll that was out when the server told the end elsewhere may tell of the state
// before: that is no fault, and the end stays to be confirmed. A poll that was sent later may not.
func TestAnAnswerThatTheEndHasOvertaken(t *testing.T) {
	requirements.Rows(t, "TSK-25")
	const later = `"lastUpdatedAt":"2026-11-23T12:00:02Z"`
	for name, ends := range map[string]func(l *Life) []mcp.Problem{
		"by the answer to its cancel": func(l *Life) []mcp.Problem {
			l.WantCancel()
			l.Made(Cancel)
			found := l.Told(at(2), FromCancel, told("t", "cancelled", everySecond, later))
			l.CancelAnswered(at(2))
			return found
		},
		"by a notification": func(l *Life) []mcp.Problem {
			return l.Told(at(2), FromNotice, told("t", "cancelled", everySecond, later))
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := begun(Core, everySecond)
			l.Made(Get)
			found := ends(l)
			if l.Made(Result); !l.IsOld(FromGet, told("t", "working", everySecond)) {
				t.Error("the answer is news")
			}
			found = append(found, l.Told(at(3), FromGet, told("t", "working", everySecond))...)
			if len(found) != 0 || l.Status() != Cancelled || l.Due() != at(4) {
				t.Errorf("%v is wrong; the task is %v, and polled at %v", found, l.Status(), l.Due())
			}
			l.Made(Get)
			if l.IsOld(FromGet, told("t", "working", everySecond)) {
				t.Error("the answer to a later poll is not news")
			}
			if found := l.Told(at(4), FromGet, told("t", "working", everySecond)); len(found) != 1 || found[0].Code != mcp.DiagTaskFinal {
				t.Errorf("found %v in the answer to a later poll", found)
			}
		})
	}
}

// A word that is no status is told with what the server had said before, and once for as long as it says it.
func TestAnOddStatusIsToldOnce(t *testing.T) {
	details := func(found []mcp.Problem) (all []string) {
		for _, p := range found {
			if p.Code == mcp.DiagTaskStatus {
				all = append(all, p.Detail)
			}
		}
		return all
	}
	l, found := New(at(0), Extension, told("t", "paused"), "paused", 0)
	if got := details(found); !slices.Equal(got, []string{`it begins as "paused"`}) {
		t.Errorf("%q", got)
	}
	for _, x := range []struct {
		word string
		want []string
	}{
		{"paused", nil},
		{"stopping", []string{`"paused" → "stopping"`}},
		{"stopping", nil},
		{"working", nil},
		{"stopping", []string{`working → "stopping"`}},
	} {
		if got := details(l.Told(at(1), FromGet, told("t", x.word))); !slices.Equal(got, x.want) {
			t.Errorf("%s: %q", x.word, got)
		}
	}
	if _, found := Adopt(at(0), Extension, told("t", "paused")); !slices.Equal(details(found), []string{`nothing said → "paused"`}) {
		t.Errorf("%q", details(found))
	}
}
