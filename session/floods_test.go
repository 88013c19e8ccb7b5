package session

import (
	"strings"
	"testing"

	"belay/session/mcp"
)

// A server that does not read, but asks and withdraws without end.
func TestWithdrawnAnswersTakeNoMemory(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.mute = true
	for i := range 5_000 {
		r.feed(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i)
		r.feed(cancelledNote, i)
	}
	if n := cap(r.s.out.queues[classAnswer].items); n > 1000 {
		t.Errorf("%d withdrawn answers are kept", n)
	}
}

func TestFloodsOfRequestsAreBounded(t *testing.T) {
	pad := strings.Repeat("x", 1<<20)
	t.Run("questions by number", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		for i := range maxWaiting + 10 {
			r.recv(elicitationAsk, i)
		}
		if n := r.s.Status().Waiting; n != maxWaiting || len(r.lines) != 10 {
			t.Errorf("%d wait, %d are refused", n, len(r.lines))
		}
	})
	t.Run("questions by bytes", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125, func(c *Config) { c.HistoryBytes = 16 << 20 })
		for i := range 10 {
			r.recv(`{"jsonrpc":"2.0","id":%d,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"a":%q}}`, i, pad)
		}
		if n := r.s.Status().Waiting; n != 3 || len(r.lines) != 7 {
			t.Errorf("%d wait, %d are refused", n, len(r.lines))
		}
		r.recv(cancelledNote, 0)
		r.recv(`{"jsonrpc":"2.0","id":10,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"a":%q}}`, pad)
		if ps := r.s.Questions(); ps[0].Params != nil || ps[1].Params == nil || r.s.Status().Waiting != 3 {
			t.Error("what has ended gives way to what waits")
		}
	})
	t.Run("before initialized", func(t *testing.T) {
		r := opened(t, Config{HistoryBytes: 16 << 20})
		for i := range 10 {
			r.recv(`{"jsonrpc":"2.0","id":%d,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"a":%q}}`, i, pad)
		}
		r.agree(mcp.Rev20251125, `{}`)
		if n := r.s.Status().Waiting; n != 3 || r.sent(`"error":{"code":-32603,"message":"too many requests before`) != 7 {
			t.Errorf("%d wait; written: %v", n, r.lines)
		}
	})
	t.Run("answers to a server that does not read", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		r.mute = true
		for i := range maxAnswers + 10 {
			r.feed(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i)
		}
		if n := r.s.out.queues[classAnswer].live; n != maxAnswers {
			t.Errorf("%d answers wait", n)
		}
		r.wantDiag(mcp.DiagQuestionFlood, 10)
	})
	t.Run("IDs of a megabyte", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		for i := range 40 {
			r.recv(`{"jsonrpc":"2.0","id":"%s%d","method":"ping"}`, pad, i)
		}
		r.pull()
		if len(r.s.incoming.seen) != 0 || len(r.lines) != 0 {
			t.Errorf("%d answered, %d IDs of a megabyte are remembered", len(r.lines), len(r.s.incoming.seen))
		}
		r.wantDiag(mcp.DiagIDType, 40)
	})
	t.Run("IDs as long as may be", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		r.mute = true
		for i := range 2 * maxAnswerBytes / mcp.MaxID {
			r.recv(`{"jsonrpc":"2.0","id":"%s%08d","method":"ping"}`, pad[:mcp.MaxID-10], i)
		}
		if n := r.s.out.queues[classAnswer].bytes; n > maxAnswerBytes+2*mcp.MaxID {
			t.Errorf("%d bytes of answers wait", n)
		}
		r.mute = false
		r.pull()
		if len(r.s.incoming.seen) != 0 || len(r.lines) == 0 {
			t.Errorf("%d answered, %d IDs of 16 kB are remembered", len(r.lines), len(r.s.incoming.seen))
		}
	})
}
