package conduct

import (
	"fmt"
	"strings"
)

// noSilence is what nobody may say of a server that wrote something after the cancel.
const noSilence = `(?i)silence|said nothing|quiet`

// strays come after the cancel and answer nothing, though they may be meant to: the
// server was not silent, and nobody can say what it did.
func strays() []Conduct {
	after := func(line func(x *Scene) string) func(*Scene) {
		return func(x *Scene) {
			x.Sleep(running)
			x.Cancel()
			x.Cancelled()
			x.Late()
			if x.Way == JSON {
				x.whole(line(x))
			} else {
				x.Send("%s", line(x))
			}
			x.Sleep(x.Grace)
		}
	}
	want := func(has string) Want {
		return Want{Verdict: []string{NothingHeard}, Has: []string{has}, Lacks: []string{noSilence}}
	}
	return []Conduct{
		{
			Name: "half an answer, with the answer to the ping glued to it", Ways: onStdio, Real: RoomyGrace, Want: want(`not JSON`),
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				message := x.result(strings.Repeat("x", 1000))
				next, end := x.pieces(message)
				next(len(message) / 2)
				end() // what is written next goes on where this stops
				x.Sleep(x.Grace)
			},
		},
		{
			Name: "half an answer after the cancel, and no more of it", Ways: everywhere, Real: RoomyGrace, Want: want(`not JSON`),
			Play: after(func(x *Scene) string { return x.result("done")[:30] }),
		},
		{
			Name: "an answer with its ID as a string", Ways: everywhere, Real: RoomyGrace, Want: want(`ID as a string`),
			Play: after(func(x *Scene) string { return strings.Replace(x.result("done"), string(x.ID), quoted(string(x.ID)), 1) }),
		},
		{
			Name: "an error with the ID null", Ways: everywhere, Real: RoomyGrace, Want: want(`names no request.*out of memory`),
			Play: after(func(*Scene) string {
				return fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":%s}}`, quoted("out of memory"))
			}),
		},
		{
			Name: "an error with the ID null, and no answer to the ping", Ways: streams, Alone: true, Real: RoomyGrace, Want: want(`names no request`),
			Play: func(x *Scene) {
				x.Mute(true)
				after(func(*Scene) string { return `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no"}}` })(x)
				x.Sleep(x.Grace)
				x.Mute(false)
			},
		},
		{
			Name: "a cancel of the server's that names the call", Ways: []Way{Stdio, StdioModern, SSE}, Real: RoomyGrace, Want: want(`with the ID of the call.*ok stopped`),
			Play: after(func(x *Scene) string {
				return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"ok stopped"}}`, x.ID)
			}),
		},
		{
			Name: "a line of a log after the cancel", Ways: onStdio, Real: RoomyGrace, Want: want(`not JSON.*stopped by SIGINT`),
			Play: after(func(*Scene) string { return "worker stopped by SIGINT" }),
		},
	}
}
