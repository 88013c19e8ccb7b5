package conduct

import (
	"net/http"

	"belay/internal/peer"
)

// webAnswers are answers and messages that come over HTTP where they should not:
// they are evidence there, too, and each is a diagnostic.
func webAnswers() []Conduct {
	elsewhere := []string{`(?i)diagnostic`}
	late := Want{Verdict: []string{AnsweredLate}, Lacks: []string{`(?i)said nothing more`, notKnownToHaveRead}, Core: elsewhere}
	return []Conduct{
		{
			Name: "the result on the GET stream", Ways: onHTTP, Real: LongGrace, Want: late,
			Web: (*Web).Listens,
			Play: func(x *Scene) {
				get := x.Web.Stream(x)
				if get == nil {
					return
				}
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				x.t.answering(func() { get.Message(x.result("done")) })
			},
		},
		{
			Name: "the result in the body of the answer to the cancel", Ways: onHTTP, Real: RoomyGrace, Want: late,
			Web: func(w *Web) {
				w.OnCancel = func(x *Scene, post *peer.Exchange) {
					x.Late()
					x.t.answering(func() { post.Answer(http.StatusOK, "application/json", x.result("done")) })
				}
			},
			Play: heedAndWait,
		},
		{
			Name: "the result at once, in the body of the answer to the cancel", Ways: onHTTP,
			Want: Want{Verdict: []string{AnsweredLate}, Has: []string{`the answer to the POST of the cancel`}, Lacks: []string{notKnownToHaveRead}},
			Web: func(w *Web) {
				w.OnCancel = func(x *Scene, post *peer.Exchange) {
					x.t.answering(func() { post.Answer(http.StatusOK, "application/json", x.result("done")) })
				}
			},
			Play: heedAndWait,
		},
		{
			Name: "a late result, after the cancel was accepted", Ways: []Way{SSE, JSON}, Real: LongGrace,
			Want: Want{Verdict: []string{AnsweredLate}, Has: []string{`accepted the cancel`}, Lacks: []string{notKnownToHaveRead}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				x.Result("done")
			},
		},
		{
			Name: "the result on a stream that answers the cancel", Ways: onHTTP, Real: RoomyGrace, Want: late,
			Web: func(w *Web) {
				w.OnCancel = func(x *Scene, post *peer.Exchange) {
					post.SSE()
					x.Late()
					x.t.answering(func() { post.Message(x.result("done")) })
					post.End()
				}
			},
			Play: heedAndWait,
		},
		{
			Name: "the result on the stream of the probe", Ways: onHTTP, Want: late,
			Web: func(w *Web) {
				w.Ping = func(x *Scene, post *peer.Exchange) {
					post.SSE()
					x.t.answering(func() { post.Message(x.result("done")) })
					post.Result(`{}`).End()
				}
			},
			Play: heedAndWait,
		},
		{
			Name: "the result in a batch", Ways: onHTTP, Real: RoomyGrace, Want: late,
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				x.t.answering(func() { x.Send(`[%s]`, x.result("done")) })
				x.Sleep(x.Grace)
			},
		},
		{
			Name: "an error in the body of the 200 to the cancel", Ways: onHTTP,
			Want: Want{
				Verdict: []string{Quiet, NotDelivered}, Has: []string{`no such request`},
				Lacks: []string{`(?i)the server accepted the cancel`}, Core: elsewhere,
			},
			Web: func(w *Web) {
				w.OnCancel = func(_ *Scene, post *peer.Exchange) {
					post.Answer(http.StatusOK, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no such request"}}`)
				}
			},
			Play: heedAndWait,
		},
	}
}

// heedAndWait says nothing on the stream of the call.
func heedAndWait(x *Scene) {
	x.Sleep(running)
	x.Cancel()
	x.Cancelled()
	x.Late()
	x.Sleep(x.Grace)
}
