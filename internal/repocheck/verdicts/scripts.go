package main

import (
	"time"

	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

// A script has a server behave so that its verdict is the true one. The pictures of
// docs/verdicts.md are drawn of them.
type script struct {
	what string // what the picture shows
	play func() *bench
}

const grace = 6 * time.Second // and what a probe takes

func onStdio(play func(b *bench)) func() *bench {
	return func() *bench {
		b := newBench(mcp.Rev20251125, mcp.Stdio)
		play(b)
		return b
	}
}

// ofTask cancels a task whose server answers tasks/cancel by one function, and the polls
// after that by another.
func ofTask(rev mcp.Revision, answers, polled func(b *bench, a asked)) func() *bench {
	return func() *bench {
		b := newBench(rev, mcp.Stdio)
		b.tasks()
		b.does["tasks/cancel"] = func(a asked) {
			b.does["tasks/get"] = func(a asked) { polled(b, a) }
			answers(b, a)
		}
		b.cancels()
		b.wait(5 * time.Second)
		return b
	}
}

func status(word string) func(*bench, asked) {
	return func(b *bench, a asked) { b.answer(a, "%s", b.task(word)) }
}

// statuses are told one after the other, the last one for good.
func statuses(words ...string) func(*bench, asked) {
	told := map[*bench]int{}
	return func(b *bench, a asked) {
		status(words[min(told[b], len(words)-1)])(b, a)
		told[b]++
	}
}

func acknowledged(b *bench, a asked) { b.answer(a, "") }

func over(b *bench, a asked) { b.fails(a, -32602, "it has ended") }

func refused(b *bench, a asked) { b.fails(a, -32602, "no such task") }

var scripts = map[cancel.Verdict]script{
	cancel.NothingRunning: {"a call of 2026-07-28 that waits for your answer", func() *bench {
		b := newBench(mcp.Rev20260728, mcp.Stdio)
		b.does["tools/call"] = func(a asked) {
			b.answer(a, `"resultType":"input_required","requestState":"s","inputRequests":{"sure":{"method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{"sure":{"type":"boolean"}}}}}}`)
		}
		b.calls()
		b.cancels()
		b.wait(time.Second)
		return b
	}},
	cancel.NotDelivered: {"a server that reads nothing any more", onStdio(func(b *bench) {
		b.calls()
		b.deaf = true
		b.cancels()
		b.wait(2 * grace)
	})},
	cancel.ServerDied: {"a server that exits", onStdio(func(b *bench) {
		b.calls()
		b.cancels()
		b.wait(800 * time.Millisecond)
		b.ends("exit status 1")
	})},
	cancel.SaysCancelled: {"a server that answers with an error", onStdio(func(b *bench) {
		b.calls()
		b.cancels()
		b.wait(200 * time.Millisecond)
		b.fails(b.asks["tools/call"], -32800, "Request cancelled")
		b.wait(grace)
	})},
	cancel.Crossed: {"a result 5 ms after the cancel", onStdio(func(b *bench) {
		b.calls()
		b.cancels()
		b.wait(time.Millisecond)
		b.answer(b.asks["tools/call"], `"content":[{"type":"text","text":"deployed"}]`)
		b.wait(grace)
	})},
	cancel.AnsweredError: {"an error that is about something else", onStdio(func(b *bench) {
		b.calls()
		b.cancels()
		b.wait(400 * time.Millisecond)
		b.fails(b.asks["tools/call"], -32603, "disk full")
		b.wait(grace)
	})},
	cancel.AnsweredLate: {"a server that works on, and answers", onStdio(func(b *bench) {
		b.calls()
		b.progresses(4)
		b.wait(500 * time.Millisecond)
		b.cancels()
		b.wait(2300 * time.Millisecond)
		b.answer(b.asks["tools/call"], `"content":[{"type":"text","text":"deployed"}]`)
		b.wait(grace)
	})},
	cancel.Acknowledged: {"a subscription, ended", onStdio(func(b *bench) {
		b.starts("resources/subscribe", `{"uri":"demo://bell"}`, false)
		b.answer(b.asks["resources/subscribe"], "")
		b.does["resources/unsubscribe"] = func(a asked) { b.answer(a, "") }
		b.wait(2 * time.Second)
		b.cancels()
		b.wait(time.Second)
	})},
	cancel.TaskRefused:   {"a task that had ended, unseen", ofTask(mcp.Rev20251125, over, status("completed"))},
	cancel.TaskCancelled: {"a task that is cancelled", ofTask(mcp.Rev20251125, status("cancelled"), status("cancelled"))},
	cancel.TaskCompleted: {"a task that ends as if nothing had been", ofTask(mcp.Rev20260728, acknowledged, statuses("working", "completed"))},
	cancel.TaskFailed:    {"a task that fails", ofTask(mcp.Rev20260728, acknowledged, statuses("working", "failed"))},
	cancel.TaskWorking:   {"a task that goes on", ofTask(mcp.Rev20260728, acknowledged, status("working"))},
	cancel.TaskUnseen:    {"a task that is forgotten", ofTask(mcp.Rev20260728, acknowledged, refused)},
	cancel.TaskUnacknowledged: {"no answer to tasks/cancel", onStdio(func(b *bench) {
		b.tasks()
		b.does["tasks/cancel"] = func(asked) { b.does["tasks/get"] = func(asked) {} }
		b.cancels()
		b.wait(2 * grace)
	})},
	cancel.StreamClosed: {"a call of 2026-07-28 over HTTP", func() *bench {
		b := newBench(mcp.Rev20260728, mcp.HTTP)
		b.calls()
		b.cancels()
		b.wait(grace)
		return b
	}},
	cancel.StillWorking: {"a server that does not heed the cancel", onStdio(func(b *bench) {
		b.calls()
		b.progresses(1)
		b.wait(500 * time.Millisecond)
		b.cancels()
		for n := range 11 {
			b.wait(500 * time.Millisecond)
			b.progresses(2 + n)
		}
		b.wait(100 * time.Millisecond)
	})},
	cancel.LeftProcess: {"a server that leaves what it began", onStdio(func(b *bench) {
		b.cancelsCommand(time.Hour)
	})},
	cancel.EndedAfter: {"a server that ends what it began", onStdio(func(b *bench) {
		b.cancelsCommand(300 * time.Millisecond)
	})},
	cancel.ServerUnresponsive: {"a server that answers nothing", onStdio(func(b *bench) {
		b.calls()
		b.mute = true
		b.cancels()
		b.wait(2 * grace)
	})},
	cancel.Quiet: {"a server that keeps to the specification", onStdio(func(b *bench) {
		b.calls()
		b.progresses(4)
		b.wait(500 * time.Millisecond)
		b.cancels()
		b.wait(grace)
	})},
	cancel.NothingHeard: {"the same, with --no-probe", func() *bench {
		b := newBench(mcp.Rev20251125, mcp.Stdio, func(c *session.Config) { c.NoProbe = true })
		b.calls()
		b.cancels()
		b.wait(grace)
		return b
	}},
}
