package conduct

import (
	"fmt"
	"net/http"
	"time"

	"belay/internal/peer"
)

// webStreams are streams that break after the cancel, and are taken up again by
// a GET.
func webStreams() []Conduct {
	broken := func(x *Scene) {
		x.X.Event(peer.Event{ID: "1", Retry: "100"})
		x.Sleep(running)
		x.Cancel()
		x.Cancelled()
		x.Noted() // or it breaks before the cancel, for the client
		x.Sleep(50 * time.Millisecond)
		x.X.Cut()
		x.Sleep(x.Grace + 3*time.Second)
	}
	brokenLate := func(x *Scene) { // while a stream is away, what is said of the call may wait
		x.X.Event(peer.Event{ID: "1", Retry: "100"})
		x.Sleep(running)
		x.Cancel()
		x.Cancelled()
		x.VeryLate()
		x.X.Cut()
		x.UntilAnswered()
	}
	resume := func(answer func(w *Web, get *peer.Exchange)) func(*Web) {
		return func(w *Web) {
			w.On(http.MethodGet, func(get *peer.Exchange) {
				if get.Header.Get("Last-Event-Id") == "" {
					get.With("Allow", "POST, DELETE").Answer(http.StatusMethodNotAllowed, "", "")
					return
				}
				answer(w, get)
			})
		}
	}
	// afterCancel answers the GET when the cancel has come: on a slow machine the user may be later
	// than the client comes back.
	afterCancel := func(answer func(x *Scene, get *peer.Exchange)) func(*Web) {
		return resume(func(w *Web, get *peer.Exchange) {
			x := w.latest()
			x.Cancelled()
			answer(x, get)
		})
	}
	away := func(x *Scene) { // the server closes the stream before the cancel, and has the client come back
		x.X.Event(peer.Event{ID: "1", Retry: "1500"})
		x.X.End()
		x.Sleep(running)
		x.Cancel()
		x.Cancelled()
	}
	polled := func(x *Scene) {
		away(x)
		x.Sleep(x.Grace + 3*time.Second)
	}
	polledAndAnswered := func(x *Scene) {
		away(x)
		x.UntilAnswered()
	}
	var all []Conduct
	for name, field := range map[string]string{"an ID": "id: 7\n", "a name": "event: message\n", "a retry time": "retry: 10\n", "a comment": ": ping\n"} {
		all = append(all, Conduct{
			Name: name + " of the event before the cancel, its data late", Ways: onHTTP, Real: LongGrace, Want: Want{Verdict: []string{AnsweredLate}},
			Play: func(x *Scene) {
				x.X.Chunk(field)
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				x.Result("done")
			},
		})
	}
	for _, broken := range []struct {
		how string
		by  func(x *peer.Exchange)
	}{{"reset", (*peer.Exchange).Cut}, {"ended in order", (*peer.Exchange).End}} {
		all = append(all, Conduct{
			Name: "the stream is " + broken.how + " in the middle of a late message", Ways: []Way{SSE}, Real: Grace,
			Want: Want{Verdict: []string{NothingHeard}, Has: []string{`of a message`}, Lacks: []string{`went on`}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				x.X.Chunk("data: " + x.result("done")[:24])
				x.Sleep(200 * time.Millisecond)
				broken.by(x.X)
				x.Sleep(x.Grace)
			},
		})
	}
	return append(all, []Conduct{
		{
			Name: "the stream is away from before the cancel, and the GET brings the result at once", Ways: onHTTP, Real: LongGrace, Play: polledAndAnswered,
			Want: Want{Verdict: []string{Crossed}, Has: []string{`taken up again`}},
			Web: afterCancel(func(x *Scene, get *peer.Exchange) {
				x.t.answering(func() { get.SSE().Message(x.result("done")) })
				get.End()
			}),
		},
		{
			Name: "the stream is away from before the cancel, and the GET brings progress at once", Ways: onHTTP, Real: Grace, Play: polled,
			Want: Want{Verdict: []string{Quiet}, Has: []string{`taken up again`}},
			Web: afterCancel(func(x *Scene, get *peer.Exchange) {
				get.SSE()
				for n := range 8 {
					get.Message(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"total":8}}`, x.Token, n+1))
				}
			}),
		},
		{
			Name: "the stream is away from before the cancel, and the GET brings the result late", Ways: onHTTP, Real: LongGrace, Play: polledAndAnswered,
			Want: Want{Verdict: []string{AnsweredLate}},
			Web: afterCancel(func(x *Scene, get *peer.Exchange) {
				get.SSE()
				x.VeryLate()
				x.t.answering(func() { get.Message(x.result("done")) })
				get.End()
			}),
		},
		{
			Name: "log messages go on on the call's stream", Ways: []Way{SSE}, Real: Grace, Want: Want{Verdict: []string{StillWorking}, Has: []string{`messages for it after the cancel: notifications/message`}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				for waited := time.Duration(0); waited < x.Grace+time.Second; waited += 100 * time.Millisecond {
					x.Send(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"still at it"}}`)
					x.Sleep(100 * time.Millisecond)
				}
			},
		},
		{
			Name: "a ping on the call's stream after the cancel", Ways: []Way{SSE}, Real: Grace, Want: Want{Verdict: []string{Quiet}, Has: []string{`a message for it came after the cancel: ping`}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				x.Send(`{"jsonrpc":"2.0","id":"are-you-there","method":"ping"}`)
				x.Sleep(x.Grace)
			},
		},
		{
			Name: "comments that come in two halves keep the stream open", Ways: onHTTP, Want: Want{Verdict: []string{Quiet}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				for waited := time.Duration(0); waited < x.Grace+3*time.Second; waited += 200 * time.Millisecond {
					x.X.Chunk(": pi")
					x.Sleep(100 * time.Millisecond)
					x.X.Chunk("ng\n\n")
					x.Sleep(100 * time.Millisecond)
				}
			},
		},
		{
			Name: "the server ends the call's stream on the cancel", Ways: []Way{SSE},
			Want: Want{Verdict: []string{Quiet}, Has: []string{`its exchange has ended`}, Lacks: []string{`(?i)the grace ended`, `(?i)said nothing more`}, Core: []string{`its exchange has ended`}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Progress(1, 8)
				x.Cancel()
				x.Cancelled()
				x.X.End()
			},
		},
		{
			Name: "the stream breaks, and the GET never gets a head", Ways: onHTTP, Real: Grace, Play: broken,
			Want: Want{Verdict: []string{NothingHeard}, Lacks: []string{`(?i)said nothing more`}},
			Web:  resume(func(*Web, *peer.Exchange) {}),
		},
		{
			Name: "the stream breaks, and goes on in silence", Ways: onHTTP, Real: Grace, Play: broken,
			Want: Want{Verdict: []string{Quiet}},
			Web:  resume(func(_ *Web, get *peer.Exchange) { get.SSE() }),
		},
		{
			Name: "the stream breaks, and the GET brings the result late", Ways: onHTTP, Real: LongGrace, Play: brokenLate,
			Want: Want{Verdict: []string{AnsweredLate}},
			Web: resume(func(w *Web, get *peer.Exchange) {
				x := w.latest()
				x.Late()
				x.t.answering(func() { get.SSE().Message(x.result("done")) })
				get.End()
			}),
		},
		{
			Name: "the stream breaks, and the GET is answered with JSON", Ways: onHTTP, Real: LongGrace, Play: brokenLate,
			Want: Want{Verdict: []string{AnsweredLate, NothingHeard}, Lacks: []string{`(?i)empty`}},
			Web: resume(func(w *Web, get *peer.Exchange) {
				x := w.latest()
				x.Late()
				x.t.answering(func() { get.Answer(http.StatusOK, "application/json", x.result("done")) })
			}),
		},
		{
			Name: "the stream breaks, and no connection is taken any more", Ways: onHTTP, Ends: true,
			Want: Want{Verdict: []string{NothingHeard, ServerDied, Unresponsive}, Has: []string{`(?i)refused|no connection`}},
			Play: func(x *Scene) {
				x.X.Event(peer.Event{ID: "1", Retry: "100"})
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Sleep(50 * time.Millisecond)
				x.Web.Refuse()
				x.X.Cut()
				x.Sleep(x.Grace + 3*time.Second)
			},
		},
	}...)
}

// bodiesOfJSON hold progress where an answer or a stream was to come.
func bodiesOfJSON() []Conduct {
	want := Want{Verdict: []string{Quiet}, Has: []string{`a message for it came after the cancel: progress 5/8`}, Lacks: []string{`(?i)said nothing more`}}
	progress := func(x *Scene) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":5,"total":8}}`, x.Token)
	}
	return []Conduct{
		{
			Name: "progress in the body that was to be the answer", Ways: []Way{JSON}, Want: want, Fake: true,
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				x.whole(progress(x))
				x.Sleep(x.Grace)
			},
		},
		{
			Name: "progress in a body of JSON on the GET", Ways: onHTTP, Want: want, Fake: true,
			Web: func(w *Web) {
				w.On(http.MethodGet, func(x *peer.Exchange) {
					x.With("Content-Type", "application/json").Head(http.StatusOK)
					w.listensOn(x)
				})
			},
			Play: func(x *Scene) {
				get := x.Web.Stream(x)
				if get == nil {
					return
				}
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				get.Chunk(progress(x))
				get.End()
				x.Sleep(x.Grace)
			},
		},
	}
}
