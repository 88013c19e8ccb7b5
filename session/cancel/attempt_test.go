package cancel

import (
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

const ms = time.Millisecond

// at is a time of the tests: so long after the cancel was wanted.
func at(d time.Duration) time.Time {
	return time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC).Add(d)
}

// The verdicts, each with the events that lead to it. The user wants a cancel at 0, with the reason
// "wrong branch". Unless the line says otherwise it is written 1 ms later; the bound is 50 ms, the grace 5 s.
func TestTheVerdicts(t *testing.T) {
	requirements.Rows(t, "CXL-19", "CXL-22", "CXL-23", "CXL-36", "SD0-13", "SD0-14")
	const bound, reason = 50 * ms, "wrong branch"
	written := func(a *Attempt) { a.Written(at(ms)) }
	erredBeside := func(code int64, whole bool, texts ...string) func(*Attempt) {
		return func(a *Attempt) {
			a.Answered(Answer{At: at(time.Second), Began: at(time.Second), Bound: bound, Err: &mcp.RPCError{Code: code, Message: "Request cancelled"}, Texts: texts, Whole: whole})
		}
	}
	handedOut := func(a *Attempt) { a.HandedOut() }
	result := func(d time.Duration) func(*Attempt) {
		return func(a *Attempt) { a.Answered(Answer{At: at(d), Began: at(d), Bound: bound}) }
	}
	failed := func(d time.Duration, text string) func(*Attempt) {
		return func(a *Attempt) {
			a.Answered(Answer{At: at(d), Began: at(d), Bound: bound, Failed: true, Texts: []string{text}, Whole: true, Tool: "deploy"})
		}
	}
	saidAll := func(whole bool, texts ...string) func(*Attempt) {
		return func(a *Attempt) {
			a.Answered(Answer{At: at(time.Second), Began: at(time.Second), Bound: bound, Failed: true, Texts: texts, Whole: whole, Tool: "deploy"})
		}
	}
	errored := func(d time.Duration, code int64, message string) func(*Attempt) {
		return func(a *Attempt) {
			a.Answered(Answer{At: at(d), Began: at(d), Bound: bound, Err: &mcp.RPCError{Code: code, Message: message}, Whole: true})
		}
	}
	heard := func(d time.Duration) func(*Attempt) {
		return func(a *Attempt) { a.Heard(at(d), at(d), bound, "progress 3/8") }
	}
	grew := func(d time.Duration) func(*Attempt) {
		return func(a *Attempt) { a.Grew(at(d), at(d), 5e6, bound) }
	}
	stray := func(began, end time.Duration) func(*Attempt) {
		return func(a *Attempt) {
			a.Strayed(at(end), at(began), Stray{What: "something that is not JSON", Detail: `"{{"`})
		}
	}
	withdrew := func(d time.Duration) func(*Attempt) {
		return func(a *Attempt) {
			a.Strayed(at(d), at(d), Stray{What: "the withdrawal of its question", Detail: `"over"`, Is: Withdrawal})
		}
	}
	asks := func(d time.Duration, is StrayKind) func(*Attempt) {
		return func(a *Attempt) { a.Strayed(at(d), at(d), Stray{What: "a question", Detail: "x", Is: is}) }
	}
	graceOver := func(a *Attempt) { a.GraceOver(at(5001*ms), Pace{}, Lost{}) }
	shortGraceOver := func(a *Attempt) { a.GraceOver(at(1001*ms), Pace{}, Lost{}) }
	probeAnswered := func(a *Attempt) { a.ProbeAnswered(at(5010*ms), "") }
	probeLate := func(a *Attempt) {
		a.ProbeWanted(at(5001*ms), 2*time.Second)
		a.ProbeLate(at(7001*ms), time.Time{}, bound)
	}
	read := func(a *Attempt) { a.Read(at(9 * time.Second)) }

	for _, tt := range []struct {
		name   string
		spec   Spec
		events []func(*Attempt)
		want   Verdict
		says   string // in the evidence
	}{
		{"between two requests", Spec{}, []func(*Attempt){(*Attempt).NoRequest}, NothingRunning, "nothing was sent"},
		{"the server had not begun with it", Spec{Posts: true}, []func(*Attempt){written, func(a *Attempt) { a.NotProcessed(at(time.Second), "HTTP/2 says so") }}, NothingRunning, "did not begin with the request (HTTP/2 says so), and belay did not send it again"},

		{"not written", Spec{}, []func(*Attempt){func(a *Attempt) { a.GiveUp(at(5*time.Second), "") }}, NotDelivered, "could not be written within 5s"},
		{"not written before the end", Spec{}, []func(*Attempt){func(a *Attempt) { a.GiveUp(at(time.Second), "the connection ended") }}, NotDelivered, "not sent: the connection ended"},
		{"written too late, and no sign since", Spec{}, []func(*Attempt){func(a *Attempt) { a.GiveUp(at(5*time.Second), ""); a.Written(at(8 * time.Second)) }}, NotDelivered, "could not be written within 5s"},
		{"written too late, then answered", Spec{}, []func(*Attempt){func(a *Attempt) { a.GiveUp(at(5*time.Second), ""); a.Written(at(8 * time.Second)) }, result(9 * time.Second)}, AnsweredLate, "could not be written within 5s"},
		{"written too late, then read", Spec{}, []func(*Attempt){func(a *Attempt) { a.GiveUp(at(5*time.Second), ""); a.Written(at(8 * time.Second)) }, read}, Quiet, "it had read it"},
		{"written in time, as is told too late", Spec{}, []func(*Attempt){handedOut, func(a *Attempt) { a.GiveUp(at(5*time.Second), "") }, written}, NothingHeard, "the cancel was not known to be written: belay does not wait for the rest of the grace"},
		{"written in time, as is told too late, then read", Spec{}, []func(*Attempt){handedOut, func(a *Attempt) { a.GiveUp(at(5*time.Second), "") }, written, read}, Quiet, "it had read it"},
		{"written in time, as is told too late, with a message at the end", Spec{}, []func(*Attempt){handedOut, heard(4900 * ms), func(a *Attempt) { a.GiveUp(at(5*time.Second), "") }, written}, StillWorking, "a message for it"},
		{"not accepted at all, as a connection is refused, and answered all the same", Spec{Posts: true}, []func(*Attempt){func(a *Attempt) { a.Rejected(at(10*ms), "connection refused", false) }, result(3 * time.Second)}, NotDelivered, "the cancel had not been written"},
		{"rejected", Spec{Posts: true}, []func(*Attempt){written, func(a *Attempt) { a.Rejected(at(10*ms), "HTTP 400", false); a.GiveUp(at(5*time.Second), "") }}, NotDelivered, "not accepted: HTTP 400"},
		{"rejected, and answered all the same", Spec{Posts: true}, []func(*Attempt){written, func(a *Attempt) { a.Rejected(at(10*ms), "HTTP 500", false) }, result(2 * time.Second)}, NotDelivered, "not accepted: HTTP 500"},
		{"not accepted in time, then answered", Spec{Posts: true}, []func(*Attempt){written, func(a *Attempt) { a.GiveUp(at(5*time.Second), "") }, result(6 * time.Second)}, NotDelivered, "did not accept the cancel within 5s"},
		{"accepted too late, then answered", Spec{Posts: true}, []func(*Attempt){written, func(a *Attempt) { a.GiveUp(at(5*time.Second), ""); a.Accepted(at(6*time.Second), "HTTP 202") }, result(7 * time.Second)}, AnsweredLate, "accepted the cancel: HTTP 202"},

		{"died", Spec{}, []func(*Attempt){written, func(a *Attempt) { a.Died(at(time.Second), "ended: exit status 3") }}, ServerDied, "exit status 3"},
		{"its session is over during the grace", Spec{Posts: true}, []func(*Attempt){written, func(a *Attempt) {
			a.Accepted(at(2*ms), "HTTP 202")
			a.SessionOver(at(time.Second), "the server ended the session (HTTP 404)")
		}}, NothingHeard, "belay closed what was open in it"},
		{"its session is over before the probe is answered", Spec{Posts: true}, []func(*Attempt){written, func(a *Attempt) {
			a.Accepted(at(2*ms), "HTTP 202")
			a.GraceOver(at(5001*ms), Pace{}, Lost{})
			a.SessionOver(at(5010*ms), "the server ended the session (HTTP 404)")
			a.ProbeAnswered(at(5010*ms), "HTTP 404 Not Found")
		}}, Quiet, "belay closed what was open in it"},

		{"an error that says so", Spec{}, []func(*Attempt){written, errored(2*ms, -32603, "context canceled")}, SaysCancelled, `-32603: "context canceled"`},
		{"an error that says so, with data beside it", Spec{}, []func(*Attempt){written, erredBeside(-32603, false)}, AnsweredError, `-32603: "Request cancelled"`},
		{"an error that says so, with a text beside it that says it as well", Spec{}, []func(*Attempt){written, erredBeside(-32603, true, "context canceled: wrong branch")}, SaysCancelled, `-32603: "Request cancelled"`},
		{"an error that says so, with a text beside it that tells of work", Spec{}, []func(*Attempt){written, erredBeside(-32603, true, "3 of 8 rows were written")}, AnsweredError, `-32603: "Request cancelled"`},
		{"an error by its code, with data beside it", Spec{}, []func(*Attempt){written, erredBeside(-32800, false)}, SaysCancelled, `-32800: "Request cancelled"`},
		{"an error by its code", Spec{}, []func(*Attempt){written, errored(time.Second, -32800, "")}, SaysCancelled, "asks a server for silence"},
		{"an error by its code, whose message denies it", Spec{}, []func(*Attempt){written, errored(time.Second, -32800, "could not be cancelled")}, SaysCancelled, `error -32800: "could not be cancelled"`},
		{"an error of another thing that was cancelled", Spec{}, []func(*Attempt){written, errored(time.Second, -32603, "OrderFailed: cancelled")}, AnsweredError, `"OrderFailed: cancelled"`},
		{"an error by its code, told before the cancel that was written at the same time", Spec{}, []func(*Attempt){written, func(a *Attempt) {
			a.Answered(Answer{At: a.WrittenAt(), Began: a.WrittenAt(), Before: true, Bound: bound, Err: &mcp.RPCError{Code: -32800}})
		}}, Crossed, "before the cancel's last byte"},
		{"a result with isError that says so", Spec{}, []func(*Attempt){written, failed(time.Second, "deploy: Request cancelled.")}, SaysCancelled, "Request cancelled."},
		{"a result with isError whose texts say so only together", Spec{}, []func(*Attempt){written, saidAll(true, "Error executing tool deploy: ", "context canceled")}, AnsweredError, `isError: "Error executing tool deploy: ", "context canceled"`},
		{"a result with isError of several texts that all say so", Spec{}, []func(*Attempt){written, saidAll(true, "Request cancelled: wrong branch", "AbortError: This operation was aborted")}, SaysCancelled, `"AbortError: This operation was aborted"`},
		{"a result with isError whose second text tells of work", Spec{}, []func(*Attempt){written, saidAll(true, "Request cancelled", "3 of 8 rows were written")}, AnsweredError, `isError: "Request cancelled", "3 of 8 rows were written"`},
		{"a result with isError whose first text tells of work", Spec{}, []func(*Attempt){written, saidAll(true, "3 of 8 rows were written", "Request cancelled")}, AnsweredError, "3 of 8 rows"},
		{"a result with isError with data beside the text", Spec{}, []func(*Attempt){written, saidAll(false, "Request cancelled")}, AnsweredError, `isError: "Request cancelled"`},
		{"an error that repeats the reason", Spec{}, []func(*Attempt){written, errored(2*ms, -32603, "Request cancelled: wrong branch")}, SaysCancelled, "wrong branch"},
		{"a result with isError that repeats the reason", Spec{}, []func(*Attempt){written, failed(2*ms, "cancelled: wrong branch")}, SaysCancelled, "wrong branch"},
		{"a result with isError that has another reason", Spec{}, []func(*Attempt){written, failed(time.Second, "cancelled: no such branch")}, AnsweredError, "no such branch"},
		{"an error that repeats the reason of a cancel without saying so", Spec{}, []func(*Attempt){written, errored(time.Second, -32603, "not found: wrong branch")}, AnsweredError, "wrong branch"},
		{"an error that says so, begun before the cancel was written", Spec{}, []func(*Attempt){written, func(a *Attempt) {
			a.Answered(Answer{At: at(2 * ms), Began: at(0), Bound: bound, Err: &mcp.RPCError{Message: "context canceled"}})
		}}, Crossed, "it began before the cancel's last byte"},

		{"a result while the cancel is with the writer", Spec{}, []func(*Attempt){handedOut, result(2 * ms)}, NoVerdict, "answered with a result"},
		{"a result while the cancel is with the writer, who tells of it then", Spec{}, []func(*Attempt){handedOut, result(2313 * ms), written}, AnsweredLate, "it began 2.31 s after the cancel"},
		{"a result while the cancel is with the writer, who never tells of it", Spec{}, []func(*Attempt){handedOut, result(2 * ms), func(a *Attempt) { a.GiveUp(at(5*time.Second), "") }}, Crossed, "it began before the cancel's last byte was written"},
		{"a result while the cancel is with the writer, and the server died before that told", Spec{}, []func(*Attempt){handedOut, result(2 * ms), func(a *Attempt) { a.Died(at(ms), "ended"); a.GiveUp(at(ms), "the connection ended") }}, Crossed, "it began before the cancel's last byte was written"},
		{"a result while the cancel is with the writer, and the server refused that", Spec{Posts: true}, []func(*Attempt){handedOut, result(2 * ms), func(a *Attempt) { a.Rejected(at(10*ms), "HTTP 400", false) }}, NotDelivered, "not accepted: HTTP 400"},
		{"a result after it was given up as not written", Spec{}, []func(*Attempt){handedOut, func(a *Attempt) { a.GiveUp(at(5*time.Second), "") }, result(5 * time.Second)}, NotDelivered, "could not be written within 5s"},
		{"a result at once", Spec{}, []func(*Attempt){written, result(2 * ms)}, Crossed, "it began 1 ms after the cancel: it may have been on its way for up to 50 ms"},
		{"a result at the bound", Spec{}, []func(*Attempt){written, result(51 * ms)}, Crossed, "on its way"},
		{"an error within the bound", Spec{}, []func(*Attempt){written, errored(40*ms, 1, "broken")}, Crossed, `error 1: "broken"`},
		{"a long result, under way", Spec{}, []func(*Attempt){written, func(a *Attempt) { a.Answered(Answer{At: at(3 * time.Second), Began: at(-200 * ms), Bound: bound}) }}, Crossed, "before the cancel's last byte"},

		{"an error", Spec{}, []func(*Attempt){written, errored(time.Second, -32603, "the order was cancelled")}, AnsweredError, "the order was cancelled"},
		{"a result with isError", Spec{}, []func(*Attempt){written, failed(time.Second, "no such branch")}, AnsweredError, "no such branch"},
		{"an HTTP error", Spec{}, []func(*Attempt){written, func(a *Attempt) {
			a.Answered(Answer{At: at(time.Second), Began: at(time.Second), Bound: bound, Status: "HTTP 503"})
		}}, AnsweredError, "HTTP 503"},

		{"a result", Spec{}, []func(*Attempt){written, result(2313 * ms)}, AnsweredLate, "it began 2.31 s after the cancel: it can have been on its way for 50 ms at most"},
		{"a result of a busy server", Spec{}, []func(*Attempt){written, result(time.Second)}, AnsweredLate, "whether the server had read the cancel by then is not known"},
		{"a result after the end", Spec{}, []func(*Attempt){written, graceOver, probeAnswered, result(20 * time.Second)}, AnsweredLate, "20.00 s after the cancel"},
		{"a result before the POST was answered", Spec{Posts: true}, []func(*Attempt){written, result(time.Second)}, AnsweredLate, "had not answered the POST of the cancel yet"},
		{"an error that says so before the POST was answered", Spec{Posts: true}, []func(*Attempt){written, errored(time.Second, -32800, "Request cancelled")}, SaysCancelled, "had not answered the POST of the cancel yet"},
		{"a result in the answer to the cancel", Spec{Posts: true}, []func(*Attempt){written, func(a *Attempt) {
			a.Accepted(at(2*ms), "HTTP 200")
			a.Answered(Answer{At: at(3 * ms), Began: at(3 * ms), Bound: bound, ToCancel: true})
		}}, AnsweredLate, "in the answer to the POST of the cancel: the server had read that"},
		{"a result in the answer to the cancel, begun before the cancel was written", Spec{Posts: true}, []func(*Attempt){written, func(a *Attempt) {
			a.Accepted(at(2*ms), "HTTP 200")
			a.Answered(Answer{At: at(3 * ms), Began: at(0), Bound: bound, ToCancel: true})
		}}, Crossed, "it began before the cancel's last byte"},
		{"a result that began before the POST was answered", Spec{Posts: true}, []func(*Attempt){written, func(a *Attempt) {
			a.Accepted(at(1500*ms), "HTTP 202")
			a.Answered(Answer{At: at(2 * time.Second), Began: at(time.Second), Bound: bound})
		}}, AnsweredLate, "had not answered the POST of the cancel yet"},
		{"a result at about the time at which the POST was answered", Spec{Posts: true}, []func(*Attempt){written, func(a *Attempt) {
			a.Accepted(at(990*ms), "HTTP 202")
			a.Answered(Answer{At: at(time.Second), Began: at(time.Second), Bound: bound})
		}}, AnsweredLate, "came at about the same time: whether the server had read the cancel by then is not known"},
		{"neither a result nor an error", Spec{}, []func(*Attempt){written, func(a *Attempt) {
			a.Answered(Answer{At: at(time.Second), Began: at(time.Second), Bound: bound, Odd: true})
		}}, AnsweredLate, "neither a result nor an error"},
		{"a result and an error", Spec{}, []func(*Attempt){written, func(a *Attempt) {
			a.Answered(Answer{At: at(time.Second), Began: at(time.Second), Bound: bound, Odd: true, Both: true})
		}}, AnsweredLate, "both a result and an error"},
		{"something malformed at once", Spec{}, []func(*Attempt){written, func(a *Attempt) {
			a.Answered(Answer{At: at(2 * ms), Began: at(2 * ms), Bound: bound, Odd: true})
		}}, Crossed, "neither a result nor an error"},

		{"the end of a subscription", Spec{Signal: Unsubscribe, Ends: true}, []func(*Attempt){written, result(time.Second)}, Acknowledged, "the subscription is ended"},
		{"the end of a subscription over stdio, not answered, and the probe is", Spec{Signal: Unsubscribe, Ends: true}, []func(*Attempt){written, graceOver, probeAnswered}, Quiet, "it had read it"},
		{"the end of a subscription over HTTP, not answered, and the probe is", Spec{Signal: Unsubscribe, Ends: true, Apart: true}, []func(*Attempt){written, graceOver, probeAnswered}, NothingHeard, "whether it has read the cancel is not known"},
		{"the end of a subscription, refused", Spec{Signal: Unsubscribe, Ends: true}, []func(*Attempt){written, errored(time.Second, 1, "no")}, AnsweredError, `error 1: "no"`},

		{"a closed exchange", Spec{Signal: Abort}, []func(*Attempt){written, func(a *Attempt) { a.Closed(at(2 * ms)) }}, StreamClosed, ""},

		{"a message at the end of the grace", Spec{}, []func(*Attempt){written, heard(4500 * ms), graceOver, probeAnswered}, StillWorking, "a message for it came after the cancel: progress 3/8"},
		{"a message after the grace", Spec{}, []func(*Attempt){written, graceOver, probeAnswered, heard(time.Minute)}, StillWorking, "progress 3/8"},
		{"a message that was on its way", Spec{Grace: 30 * ms}, []func(*Attempt){written, heard(20 * ms), func(a *Attempt) { a.GraceOver(at(31*ms), Pace{}, Lost{}) }, probeAnswered}, Quiet, "a message for it came after the cancel"},
		{"a message in the first half of a short grace", Spec{Grace: time.Second}, []func(*Attempt){written, heard(499 * ms), shortGraceOver, probeAnswered}, Quiet, "a message for it came after the cancel"},
		{"a message in its second half", Spec{Grace: time.Second}, []func(*Attempt){written, heard(501 * ms), shortGraceOver, probeAnswered}, StillWorking, "a message for it came after the cancel"},
		{"a message less than a second before the end of a long grace", Spec{Grace: time.Minute}, []func(*Attempt){written, heard(59002 * ms), func(a *Attempt) { a.GraceOver(a.Due(), Pace{}, Lost{}) }, probeAnswered}, StillWorking, "a message for it"},
		{"a message more than a second before the end of a long grace", Spec{Grace: time.Minute}, []func(*Attempt){written, heard(59000 * ms), func(a *Attempt) { a.GraceOver(a.Due(), Pace{}, Lost{}) }, probeAnswered}, Quiet, "a message for it"},
		{"bytes in the first half of a short grace", Spec{Grace: time.Second}, []func(*Attempt){written, grew(499 * ms), shortGraceOver, probeAnswered}, NothingHeard, "5.0 MB in all, and not its end"},
		{"bytes in its second half", Spec{Grace: time.Second}, []func(*Attempt){written, grew(501 * ms), shortGraceOver, probeAnswered}, NothingHeard, "5.0 MB in all, and not its end"},
		{"bytes early in the grace, told once more after it", Spec{}, []func(*Attempt){written, grew(time.Second), graceOver, grew(time.Second), probeAnswered}, NothingHeard, "5.0 MB in all, and not its end"},
		{"bytes at the end of the grace", Spec{}, []func(*Attempt){written, grew(4500 * ms), graceOver, probeAnswered}, NothingHeard, "5.0 MB in all, and not its end"},
		{"bytes after the grace", Spec{}, []func(*Attempt){written, graceOver, grew(5500 * ms), probeAnswered}, NothingHeard, "5.0 MB in all, and not its end"},

		{"a probe without an answer", Spec{}, []func(*Attempt){written, graceOver, probeLate}, ServerUnresponsive, "not answered within 2s"},
		{"a probe without an answer, behind bytes of a message", Spec{}, []func(*Attempt){written, graceOver, func(a *Attempt) { a.Arrives(at(6*time.Second), at(time.Second), 1e3, bound) }, probeLate}, NothingHeard, "bytes of a message came, 1.0 kB in all"},
		{"a probe without an answer, the message begun before the cancel", Spec{}, []func(*Attempt){written, graceOver, func(a *Attempt) { a.Arrives(at(0), at(-ms), 1e3, bound) }, probeLate}, ServerUnresponsive, "1.0 kB of a message had come, and not its end"},
		{"a message of anybody's at the end of the grace", Spec{}, []func(*Attempt){written, func(a *Attempt) { a.Arrives(at(5*time.Second), at(time.Second), 1e3, bound) }, graceOver}, NothingHeard, "bytes of a message came"},
		{"a message of anybody's, and the probe answered behind it", Spec{}, []func(*Attempt){written, func(a *Attempt) { a.Arrives(at(5*time.Second), at(time.Second), 1e3, bound) }, graceOver, probeAnswered}, Quiet, "it had read it"},
		{"bytes behind an answer to something later", Spec{}, []func(*Attempt){written, func(a *Attempt) { a.Arrives(at(4*time.Second), at(time.Second), 1e3, bound) }, graceOver, read}, NothingHeard, "bytes of a message came, 1.0 kB in all"},
		{"bytes, and a whole message behind them", Spec{}, []func(*Attempt){written, func(a *Attempt) { a.Arrives(at(4*time.Second), at(time.Second), 1e3, bound) }, graceOver, (*Attempt).Passed, read}, Quiet, "it had read it"},
		{"died in the middle of a message", Spec{}, []func(*Attempt){written, func(a *Attempt) {
			a.Arrives(at(time.Second), at(time.Second), 1e3, bound)
			a.Died(at(time.Second), "ended: exit status 3")
		}}, ServerDied, "bytes of a message came"},
		{"a probe that is answered late", Spec{}, []func(*Attempt){written, graceOver, probeLate, read}, Quiet, "it had read it"},

		{"its question is taken back", Spec{}, []func(*Attempt){written, withdrew(time.Second), graceOver, probeAnswered}, Quiet, `the withdrawal of its question came after the cancel: "over"`},
		{"a question came that it or another asks", Spec{}, []func(*Attempt){written, asks(time.Second, DoubtfulQuestion), graceOver, probeAnswered}, Quiet, "a question came after the cancel: x"},
		{"a question of its came as the cancel left", Spec{}, []func(*Attempt){asks(0, CrossingQuestion), written, graceOver, probeAnswered}, Quiet, "a question came, begun before the cancel was written: x"},
		{"four questions came that it or another asks", Spec{}, []func(*Attempt){written, asks(time.Second, DoubtfulQuestion), asks(time.Second, DoubtfulQuestion), asks(time.Second, DoubtfulQuestion), asks(2*time.Second, DoubtfulQuestion), graceOver}, NothingHeard, "last of 4 questions of this call or of another"},
		{"its question is taken back, and nobody asks", Spec{}, []func(*Attempt){written, withdrew(time.Second), graceOver}, NothingHeard, "the withdrawal of its question came after the cancel"},
		{"its question is taken back, and no JSON", Spec{}, []func(*Attempt){written, withdrew(time.Second), stray(time.Second, time.Second), graceOver, probeAnswered}, NothingHeard, "the withdrawal of its question came after the cancel"},
		{"its question was taken back before the cancel was written", Spec{}, []func(*Attempt){withdrew(0), written, graceOver, probeLate}, ServerUnresponsive, "not answered within 2s"},
		{"four questions are taken back", Spec{}, []func(*Attempt){written, withdrew(time.Second), withdrew(time.Second), withdrew(time.Second), withdrew(2 * time.Second), graceOver, probeAnswered}, Quiet, "last of 4 withdrawals of what it had asked"},
		{"no JSON, and the probe not answered", Spec{}, []func(*Attempt){written, stray(time.Second, time.Second), graceOver, probeLate}, NothingHeard, `something that is not JSON came after the cancel: "{{"`},
		{"no JSON, and the probe answered", Spec{}, []func(*Attempt){written, stray(time.Second, time.Second), graceOver, probeAnswered}, NothingHeard, `something that is not JSON came after the cancel: "{{"`},
		{"no JSON that began before the cancel", Spec{}, []func(*Attempt){written, stray(0, time.Second), graceOver, probeAnswered}, NothingHeard, `something that is not JSON, begun before the cancel was written, ended after it: "{{"`},
		{"no JSON before the cancel was written", Spec{}, []func(*Attempt){stray(0, 0), written, graceOver, probeLate}, ServerUnresponsive, "not answered within 2s"},
		{"no JSON that was told before the cancel was", Spec{}, []func(*Attempt){stray(2*ms, 2*ms), written, graceOver, probeAnswered}, NothingHeard, "something that is not JSON came after the cancel"},
		{"no JSON again and again", Spec{}, []func(*Attempt){
			stray(0, 0), stray(0, 0), stray(0, 0), written, stray(time.Second, time.Second), stray(time.Second, time.Second), stray(time.Second, time.Second), stray(2*time.Second, 2*time.Second), graceOver, probeLate,
		}, NothingHeard, "last of 4 messages after the cancel that belay cannot take as its answer"},
		{"no JSON, and an answer", Spec{}, []func(*Attempt){written, stray(time.Second, time.Second), result(2 * time.Second)}, AnsweredLate, "something that is not JSON came after the cancel"},
		{"no JSON, and progress to the end", Spec{}, []func(*Attempt){written, stray(time.Second, time.Second), heard(4500 * ms), graceOver, probeAnswered}, StillWorking, "something that is not JSON came after the cancel"},
		{"no JSON, where the cancel was rejected", Spec{Posts: true}, []func(*Attempt){written, func(a *Attempt) { a.Rejected(at(10*ms), "HTTP 400", false) }, stray(time.Second, time.Second), func(a *Attempt) { a.GiveUp(at(5*time.Second), "") }}, NotDelivered, "something that is not JSON came after the cancel"},

		{"silence", Spec{}, []func(*Attempt){written, graceOver, probeAnswered}, Quiet, "it had read it"},
		{"silence after a message", Spec{}, []func(*Attempt){written, heard(time.Second), graceOver, probeAnswered}, Quiet, "a message for it came after the cancel"},

		{"silence, and no way to ask", Spec{}, []func(*Attempt){written, graceOver}, NothingHeard, "the grace ended without an answer"},
		{"its exchange ends without an answer", Spec{Posts: true}, []func(*Attempt){written, func(a *Attempt) {
			a.Accepted(at(2*ms), "HTTP 202")
			a.StreamEnded(at(3*ms), "the response ended")
			a.GraceOver(at(3*ms), Pace{}, Lost{})
		}, probeAnswered}, Quiet, "its exchange has ended"},
		{"a stream that was away", Spec{}, []func(*Attempt){written, func(a *Attempt) { a.GraceOver(at(5001*ms), Pace{}, Lost{At: at(time.Second), For: 20 * time.Second}) }, probeAnswered}, NothingHeard, "to be taken up again after 20s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.spec.By, tt.spec.Reason = ByUser, reason
			if tt.spec.Grace == 0 {
				tt.spec.Grace = 5 * time.Second
			}
			a := New(at(0), tt.spec)
			for _, event := range tt.events {
				event(&a)
			}
			wantVerdict(t, &a, tt.want, tt.says)
		})
	}
}

// wantVerdict holds an attempt against its verdict, and words that its evidence has.
func wantVerdict(t *testing.T, a *Attempt, want Verdict, says string) {
	t.Helper()
	if got := a.Verdict(); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	var words []string
	for _, e := range a.Evidence() {
		words = append(words, e.Text)
	}
	if slices.Contains(words, "") {
		t.Errorf("evidence without words: %q", words)
	}
	if !slices.ContainsFunc(words, func(s string) bool { return strings.Contains(s, says) }) {
		t.Errorf("%q is not in the evidence:\n%s", says, strings.Join(words, "\n"))
	}
}

// A silence means something only beside the pauses that a call made before.
func TestThePaceOfProgress(t *testing.T) {
	for _, tt := range []struct {
		name  string
		every time.Duration // its progress, until the grace ends …
		last  time.Duration // … or until then after the cancel
		want  Verdict
	}{
		{"0.3 s, to the end", 300 * ms, 5 * time.Second, StillWorking},
		{"0.3 s, then 2 s of nothing", 300 * ms, 3 * time.Second, Quiet},
		{"2 s, the last 1.8 s ago", 2 * time.Second, 3200 * ms, StillWorking},
		{"2 s, the last 3 s ago", 2 * time.Second, 2 * time.Second, Quiet},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := New(at(0), Spec{Grace: 5 * time.Second})
			a.Written(at(0))
			var p Pace
			for d := tt.last - 6*tt.every; d <= tt.last; d += tt.every {
				p.Record(at(d), at(-time.Minute))
				if a.IsAfter(at(d)) {
					a.Heard(at(d), at(d), 20*ms, "")
				}
			}
			a.GraceOver(a.Due(), p, Lost{})
			a.ProbeAnswered(at(5*time.Second), "")
			if got := a.Verdict(); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

// What the server had to say while the call's stream was away may have waited for it.
func TestAStreamThatIsTakenUpAgain(t *testing.T) {
	const bound = 50 * ms
	for _, tt := range []struct {
		name       string
		away, back time.Duration // of the stream
		comes      time.Duration
		want       Verdict
	}{
		{"away since before the cancel", -time.Second, 2 * time.Second, 2050 * ms, Crossed},
		{"and the answer comes later than that", -time.Second, 2 * time.Second, 2051 * ms, AnsweredLate},
		{"away when the server may have read the cancel", 50 * ms, 2 * time.Second, 2050 * ms, Crossed},
		{"away when the server had read it", 51 * ms, 2 * time.Second, 2050 * ms, AnsweredLate},
		{"back before the cancel", -time.Second, -ms, 51 * ms, AnsweredLate},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := New(at(0), Spec{Grace: 5 * time.Second})
			a.Written(at(0))
			a.StreamResumed(at(tt.back), at(tt.away), bound)
			a.Heard(at(tt.comes), at(tt.comes), bound, "progress 8/8")
			if a.IsAllKept() != (tt.want == Crossed) {
				t.Errorf("all of it may have waited: %v", a.IsAllKept())
			}
			a.Answered(Answer{At: at(tt.comes), Began: at(tt.comes), Bound: bound})
			if got := a.Verdict(); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
			said := slices.ContainsFunc(a.Evidence(), func(e Evidence) bool { return strings.Contains(e.Text, "may have waited") })
			if back := tt.away <= bound && tt.back > 0; said != back {
				t.Errorf("the evidence says that it may have waited: %v, want %v", said, back)
			}
		})
	}
}

// A message that has no end tells of no work, also where it is broken off: it may be the
// answer.
func TestAMessageThatIsBrokenOff(t *testing.T) {
	const bound = 50 * ms
	for name, late := range map[string]bool{"before the grace ends": false, "while the probe is out": true} {
		t.Run(name, func(t *testing.T) {
			a := New(at(0), Spec{Grace: 5 * time.Second})
			a.Written(at(0))
			a.Grew(at(4900*ms), at(time.Second), 22, bound)
			if late {
				a.GraceOver(at(5*time.Second), Pace{}, Lost{})
				if a.Verdict() != NothingHeard {
					t.Errorf("%v, as long as it comes", a.Verdict())
				}
				a.StreamEnded(at(5001*ms), "the exchange broke")
			} else {
				a.StreamLost(at(4950 * ms))
				a.StreamEnded(at(4950*ms), "the exchange broke")
				a.GraceOver(at(4950*ms), Pace{}, Lost{})
			}
			if a.Verdict() != NothingHeard || !a.IsPartial() {
				t.Errorf("%v, cut off: %v", a.Verdict(), a.IsPartial())
			}
		})
	}
}

// The grace of a cancel that was told as written after its row had ended is over when it ends by itself, or with the row.
func TestTheGraceOfACancelThatWasToldTooLate(t *testing.T) {
	for grace, want := range map[time.Duration]Evidence{
		time.Second:      {at(2 * time.Second), time.Second, "the grace ended without an answer"},
		30 * time.Second: {at(5 * time.Second), 4 * time.Second, "the cancel was not known to be written: belay does not wait for the rest of the grace"},
	} {
		a := New(at(0), Spec{Grace: grace})
		a.HandedOut()
		a.GiveUp(at(5*time.Second), "")
		a.Written(at(time.Second))
		if all := a.Evidence(); all[len(all)-1] != want || a.HasEndedEarly() {
			t.Errorf("a grace of %v: %v, want %v", grace, all, want)
		}
	}
}

// What is due next, by what has happened.
func TestWhatIsDue(t *testing.T) {
	requirements.Rows(t, "CXL-32")
	want := func(a *Attempt, d time.Duration, when string) {
		t.Helper()
		if got := a.Due().Sub(at(0)); got != d {
			t.Errorf("%s: due after %v, want %v", when, got, d)
		}
	}
	a := New(at(0), Spec{Grace: 3 * time.Second})
	want(&a, 5*time.Second, "not written")
	a.Written(at(time.Second))
	want(&a, 4*time.Second, "written")
	a.ProbeWanted(at(4*time.Second), 12*time.Second)
	want(&a, 16*time.Second, "probing, on a slow link")
	a.ProbeWanted(at(4*time.Second), 2*time.Second)
	want(&a, 6*time.Second, "probing")
	a.Shift(time.Hour)
	want(&a, time.Hour+6*time.Second, "after a jump")

	p := New(at(0), Spec{Grace: 3 * time.Second, Posts: true})
	p.Written(at(time.Second))
	want(&p, 5*time.Second, "not accepted")
	p.Accepted(at(2*time.Second), "HTTP 202")
	want(&p, 4*time.Second, "accepted")

	slow := New(at(0), Spec{Grace: 3 * time.Second, Posts: true, Accept: 12 * time.Second})
	want(&slow, 5*time.Second, "not written")
	slow.Written(at(time.Second))
	want(&slow, 12*time.Second, "not accepted, on a slow link")
	slow.Accepted(at(7*time.Second), "HTTP 202")
	want(&slow, 4*time.Second, "accepted when the grace was over")

	r := New(at(0), Spec{Grace: 3 * time.Second, Posts: true})
	if !r.Rejected(at(time.Second), "reset", false) || r.Rejected(at(2*time.Second), "again", false) {
		t.Error("a rejection is news once")
	}
	want(&r, 4*time.Second, "rejected before its last byte")
}

// A message that is still coming when the verdict is given may be the answer: its end is
// listened for, as long as bytes come, and for a minute after the grace at most.
func TestTheEndOfAMessageIsListenedFor(t *testing.T) {
	a := New(at(0), Spec{Grace: 5 * time.Second})
	a.Grew(at(0), at(0), 1, 20*ms)
	if _, still := a.AwaitsRest(at(0)); still {
		t.Error("the cancel is not written")
	}
	a.Written(at(0))
	if _, still := a.AwaitsRest(at(ms)); still {
		t.Error("nothing is coming")
	}
	for _, tt := range []struct{ last, until time.Duration }{{-time.Second, 5 * time.Second}, {time.Second, 6 * time.Second}, {59 * time.Second, 64 * time.Second}, {time.Hour, 65 * time.Second}} {
		a.Grew(at(tt.last), at(-ms), 100, 20*ms)
		if until, still := a.AwaitsRest(at(tt.until - ms)); !still || !until.Equal(at(tt.until)) {
			t.Errorf("bytes after %v: until %v, %v", tt.last, until.Sub(at(0)), still)
		}
		if _, still := a.AwaitsRest(at(tt.until)); still {
			t.Errorf("bytes after %v: without end", tt.last)
		}
	}
	a.Answered(Answer{At: at(ms), Began: at(ms), Bound: 20 * ms})
	if _, still := a.AwaitsRest(at(ms)); still {
		t.Error("it is answered")
	}
}

// A second cancel in the place of a rejected one shows the evidence of both.
func TestARepeatedAttempt(t *testing.T) {
	a := New(at(0), Spec{Posts: true, Reason: "enough", Grace: time.Second})
	a.Written(at(0))
	a.Rejected(at(ms), "HTTP 500", false)
	b := a.BeginAgain(at(2*ms), ByUser, "I mean it", false)
	b.Written(at(3 * ms))
	b.Accepted(at(4*ms), "HTTP 202")
	b.Read(at(5 * ms))
	if b.Verdict() != Quiet {
		t.Errorf("%v", b.Verdict())
	}
	var words []string
	for _, e := range b.Evidence() {
		words = append(words, e.Text)
	}
	all := strings.Join(words, "\n")
	for _, w := range []string{`"enough"`, "HTTP 500", `"I mean it"`, "HTTP 202"} {
		if !strings.Contains(all, w) {
			t.Errorf("%s is not in\n%s", w, all)
		}
	}
}

// Whether the answer, and each message, may have been on its way when the server read the
// cancel is known whatever the verdict is.
func TestWhatMayHaveCrossed(t *testing.T) {
	const bound = 50 * ms
	answered := func(d time.Duration, text string) Answer {
		return Answer{At: at(d), Began: at(d), Bound: bound, Failed: text != "", Texts: []string{text}, Whole: true}
	}
	for what, c := range map[string]struct {
		spec       Spec
		events     func(*Attempt)
		crossed    bool
		verdict    Verdict
		unaccepted bool
	}{
		"no answer":                      {events: func(*Attempt) {}, verdict: NothingHeard},
		"a result at once":               {events: func(a *Attempt) { a.Answered(answered(2*ms, "")) }, crossed: true, verdict: Crossed},
		"a result at the bound":          {events: func(a *Attempt) { a.Answered(answered(51*ms, "")) }, crossed: true, verdict: Crossed},
		"a result after it":              {events: func(a *Attempt) { a.Answered(answered(52*ms, "")) }, verdict: AnsweredLate},
		"what says cancelled, at once":   {events: func(a *Attempt) { a.Answered(answered(2*ms, "context canceled")) }, verdict: SaysCancelled},
		"the cancel was refused":         {spec: Spec{Posts: true}, events: func(a *Attempt) { a.Rejected(at(3*ms), "HTTP 400", false); a.Answered(answered(4*ms, "")) }, crossed: true, verdict: NotDelivered},
		"the cancel was refused, later":  {spec: Spec{Posts: true}, events: func(a *Attempt) { a.Rejected(at(3*ms), "HTTP 400", false); a.Answered(answered(900*ms, "")) }, verdict: NotDelivered},
		"the server died of it":          {events: func(a *Attempt) { a.Answered(answered(2*ms, "")); a.Died(at(9*ms), "ended") }, crossed: true, verdict: ServerDied},
		"its stream was away until then": {spec: Spec{Posts: true}, events: func(a *Attempt) { a.StreamResumed(at(time.Second), at(0), bound); a.Answered(answered(1010*ms, "")) }, crossed: true, verdict: Crossed, unaccepted: true},
		"the cancel was accepted before": {spec: Spec{Posts: true}, events: func(a *Attempt) { a.Accepted(at(899*ms), "HTTP 202"); a.Answered(answered(900*ms, "")) }, verdict: AnsweredLate},
		"… after it":                     {spec: Spec{Posts: true}, events: func(a *Attempt) { a.Answered(answered(900*ms, "")); a.Accepted(at(901*ms), "HTTP 202") }, verdict: AnsweredLate, unaccepted: true},
		"… told before it":               {spec: Spec{Posts: true}, events: func(a *Attempt) { a.Accepted(at(901*ms), "HTTP 202"); a.Answered(answered(900*ms, "")) }, verdict: AnsweredLate, unaccepted: true},
	} {
		a := New(at(0), c.spec)
		a.Written(at(ms))
		c.events(&a)
		if l := a.Lateness(); l.Unaccepted != c.unaccepted {
			t.Errorf("%s: unaccepted %v", what, l.Unaccepted)
		} else if l.Crossed != c.crossed || a.Verdict() != c.verdict {
			t.Errorf("%s: crossed %v, verdict %v", what, l.Crossed, a.Verdict())
		}
	}

	a := New(at(0), Spec{})
	a.Written(at(ms))
	for _, began := range []time.Duration{2 * ms, 51 * ms, 100 * ms, 200 * ms} {
		a.Heard(at(began+time.Second), at(began), bound, "progress") // a long message: its end comes later
	}
	if got := a.Count(); got.All != 4 || got.Late != 2 || got.Last != 199*ms || got.OnWay != 50*ms {
		t.Errorf("%+v", got)
	}
}

// What the server took back before it could have read the cancel is no sign of anything.
func TestWhatIsTakenBackBeforeTheCancelIsWritten(t *testing.T) {
	doubtful := New(at(0), Spec{By: ByUser, Grace: 5 * time.Second})
	doubtful.Strayed(at(time.Millisecond), at(time.Millisecond), Stray{What: "the withdrawal of a question", Is: DoubtfulWithdrawal})
	doubtful.Written(at(time.Second))
	if n := doubtful.DoubtfulWithdrawals(); n != 0 {
		t.Errorf("%d may have been taken back", n)
	}
	back := Stray{What: "the withdrawal of its question", Is: Withdrawal}
	a := New(at(0), Spec{By: ByUser, Grace: 5 * time.Second})
	a.Strayed(at(time.Millisecond), at(time.Millisecond), back)
	a.Written(at(time.Second))
	if when, n := a.WithdrewAt(); !when.IsZero() || n != 0 {
		t.Errorf("%d were taken back, at %v", n, when)
	}
	a.Strayed(at(2*time.Second), at(2*time.Second), back)
	if when, n := a.WithdrewAt(); !when.Equal(at(2*time.Second)) || n != 1 {
		t.Errorf("%d were taken back, at %v, want 1 at %v", n, when, at(2*time.Second))
	}
}
