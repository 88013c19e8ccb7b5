package conduct

import (
	"time"

	"belay/internal/peer"
)

// halves are bytes on a stream of events that are no message: a line of data without the empty
// line that would end its event, and lines that are neither fields nor comments. By the
// standard a reader ignores them; the server was not silent all the same.
func halves() []Conduct {
	on := func(say func(x *Scene, get *peer.Exchange)) func(*Scene) {
		return func(x *Scene) {
			get := x.Web.Stream(x)
			if get == nil {
				return
			}
			x.Sleep(running)
			x.Cancel()
			x.Cancelled()
			x.Late()
			say(x, get)
			x.Sleep(x.Grace)
		}
	}
	want := func(has string) Want {
		return Want{Verdict: []string{NothingHeard}, Has: []string{has}, Lacks: []string{noSilence}}
	}
	const cut, odd = `bytes of a message, [0-9]+ bytes in all and not its end, came after the cancel`, `no part of an event came after the cancel: ".*jsonrpc`
	return []Conduct{
		{
			Name: "a line of data on the server's own stream, and its end", Ways: onHTTP, Web: (*Web).Listens, Real: RoomyGrace, Want: want(cut),
			Play: on(func(x *Scene, get *peer.Exchange) {
				get.Chunk("data: " + x.result("done") + "\n")
				x.Web.endStream()
			}),
		},
		{
			Name: "a line of data on the server's own stream, and nothing more", Ways: onHTTP, Web: (*Web).Listens, Real: RoomyGrace, Want: want(cut),
			Play: on(func(x *Scene, get *peer.Exchange) { get.Chunk("data: " + x.result("done") + "\n") }),
		},
		{
			Name: "JSON without a field on the server's own stream", Ways: onHTTP, Web: (*Web).Listens, Real: RoomyGrace, Want: want(odd),
			Play: on(func(x *Scene, get *peer.Exchange) { get.Chunk(x.result("done") + "\n\n") }),
		},
		{
			Name: "JSON without a field on the call's stream", Ways: []Way{SSE}, Web: (*Web).Listens, Real: RoomyGrace, Want: want(odd),
			Play: on(func(x *Scene, _ *peer.Exchange) { x.X.Chunk(x.result("done") + "\n\n") }),
		},
		{
			Name: "a byte a second on the call's stream, past the end of the grace", Ways: []Way{SSE}, Real: Grace,
			Want: Want{Verdict: []string{NothingHeard}, Has: []string{`and not its end`}, Lacks: []string{noSilence}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				for _, b := range []byte("data: " + x.result("done"))[:12] {
					x.X.Chunk(string(b))
					x.Sleep(time.Second)
				}
			},
		},
		{
			Name: "comments and empty events on the server's own stream", Ways: onHTTP, Web: (*Web).Listens, Real: RoomyGrace, Want: Want{Verdict: []string{Quiet}},
			Play: on(func(_ *Scene, get *peer.Exchange) {
				get.Chunk(": still here\n\nevent: ping\n\nid: 7\n\nretry: 100\n\n")
			}),
		},
	}
}
