package conduct

import (
	"fmt"
	"net/http"
	"time"

	"belay/internal/peer"
)

// webCancels are about the POST of a cancel that is not accepted.
func webCancels() (all []Conduct) {
	type refusal struct {
		how string
		by  func(post *peer.Exchange)
		has string
	}
	for _, r := range []refusal{
		{"refused with 400", func(post *peer.Exchange) { post.Answer(http.StatusBadRequest, "text/plain", "no") }, `400`},
		{"refused with 500", func(post *peer.Exchange) { post.Answer(http.StatusInternalServerError, "text/plain", "oops") }, `500`},
		{"reset", (*peer.Exchange).Reset, `(?i)reset|broke|closed the connection`},
	} {
		refuse := func(w *Web) { w.OnCancel = func(_ *Scene, post *peer.Exchange) { r.by(post) } }
		all = append(all,
			Conduct{
				Name: fmt.Sprintf("the cancel is %s, and the call answered later", r.how), Ways: []Way{SSE, JSON}, Web: refuse,
				Want: Want{Verdict: []string{NotDelivered}, Has: []string{r.has}},
				Play: func(x *Scene) {
					x.Sleep(running)
					x.Cancel()
					x.Cancelled()
					x.Late()
					x.Result("done")
				},
			},
			Conduct{
				Name: fmt.Sprintf("the cancel is %s, and the call never answered", r.how), Ways: onHTTP, Web: refuse,
				Want: Want{Verdict: []string{NotDelivered}, Has: []string{r.has}},
				Play: heedAndWait,
			},
		)
	}
	return append(all,
		Conduct{
			Name: "the cancel is not answered before the call is", Ways: []Way{SSE, JSON}, Real: LongGrace,
			Want: Want{Verdict: []string{AnsweredLate}, Has: []string{`(?i)not (yet )?(been )?(answered|accepted)`}},
			Web: func(w *Web) {
				w.OnCancel = func(x *Scene, post *peer.Exchange) {
					x.Late()
					x.Sleep(running)
					post.Accepted()
				}
			},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				x.Result("done")
				x.Sleep(time.Second)
			},
		},
		Conduct{
			Name: "the cancel is never answered", Ways: onHTTP, Want: Want{Verdict: []string{NotDelivered}},
			Web: func(w *Web) { w.OnCancel = func(*Scene, *peer.Exchange) {} },
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Sleep(Undelivered + 2*time.Second)
			},
		},
	)
}
