package demo

import (
	"bufio"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// logLevels counts the log messages read so far by level.
func (p *peer) logLevels() map[string]int {
	counts := map[string]int{}
	for _, m := range p.all() {
		if m.Method == "notifications/message" {
			counts[decode[struct{ Level string }](p.t, m.Params).Level]++
		}
	}
	return counts
}

func TestFloodKeepsItsRate(t *testing.T) {
	for _, tc := range []struct {
		rate    int
		seconds float64
		want    int
	}{{1000, 5, 5000}, {3, 2, 6}, {7, 0.5, 4}, {1, 0.1, 1}, {100_000, 0.2, 20_000}} {
		t.Run(fmt.Sprintf("%d for %v s", tc.rate, tc.seconds), func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				p := begin(t, "2025-11-25")
				p.call(1, "flood", fmt.Sprintf(`{"rate":%d,"seconds":%v}`, tc.rate, tc.seconds), `"f"`)
				time.Sleep(seconds(tc.seconds).duration() + paceTick)
				synctest.Wait()
				steps := p.progress(`"f"`)
				if len(steps) != tc.want || steps[0].Total != float64(tc.want) {
					t.Fatalf("%d notifications, want %d, with that total", len(steps), tc.want)
				}
				if got := p.answer("1").tool(t).Content[0].Text; got != fmt.Sprintf("sent %d progress notifications", tc.want) {
					t.Errorf("result %q", got)
				}
				if last := p.all()[len(p.all())-1]; string(last.ID) != "1" {
					t.Errorf("after the result: %s", last.line)
				}
			})
		})
	}
}

func TestFloodIsPaced(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(1, "flood", `{"rate":1000,"seconds":4}`, `1`)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if n := len(p.progress("1")); n < 1900 || n > 2001 {
			t.Errorf("%d notifications after half of the time, want 2000", n)
		}
	})
}

// What a slow client has not taken when the time is over is not sent.
func TestFloodGivesUpOnASlowClient(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := start(t)
		go func() {
			r := bufio.NewReaderSize(p.out, 16)
			for {
				line, err := r.ReadString('\n')
				if err != nil {
					return
				}
				p.take(line)
				time.Sleep(20 * time.Millisecond)
			}
		}()
		p.shakeHands("2025-11-25")
		p.call(1, "flood", `{"rate":1000,"seconds":5}`, `1`)
		sleepLong()
		n := len(p.progress("1"))
		if n == 0 || n >= 5000 {
			t.Errorf("%d notifications sent", n)
		}
		if got := p.answer("1").tool(t).Content[0].Text; got != fmt.Sprintf("sent %d progress notifications", n) {
			t.Errorf("%d arrived, but the result says: %s", n, got)
		}
		_ = p.in.Close()
		if err := p.returned(); err != nil {
			t.Error(err)
		}
	})
}

func TestFloodCancelledGoesQuiet(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(1, "flood", `{}`, `1`)
		time.Sleep(time.Second)
		p.cancel(1, "too much")
		pong := p.ping(2)
		if len(p.progress("1")) < 900 {
			t.Error("it did not flood before the cancel")
		}
		sleepLong()
		p.nothingAfter(pong)
	})
}

func TestFloodOfLogsUsesTheLevelAskedFor(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(1, "flood", `{"kind":"log","rate":10,"seconds":1}`, "")
		sleepLong()
		p.send(`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"error"}}`)
		p.send(`{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"loud"}}`)
		synctest.Wait()
		if got := p.answer("3"); got.Error == nil || got.Error.Code != -32602 {
			t.Errorf("unknown level: %s", got.line)
		}
		p.call(4, "flood", `{"kind":"log","rate":20,"seconds":1}`, "")
		sleepLong()
		if got := p.logLevels(); len(got) != 2 || got["info"] != 10 || got["error"] != 20 {
			t.Errorf("log messages by level: %v, want 10 info, 20 error", got)
		}
	})
}

func TestFloodOfProgressNeedsAToken(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(1, "flood", `{}`, "")
		sleepLong()
		if got := p.answer("1").tool(t); !got.IsError || !strings.Contains(got.Content[0].Text, "progress token") {
			t.Errorf("result %+v", got)
		}
	})
}

// At full speed the clock of a bubble would stand still, so these two run on
// the real one and wait for messages, never for time.
func TestFloodAtFullSpeed(t *testing.T) {
	p := begin(t, "2025-11-25")
	p.call(1, "flood", `{"rate":0,"seconds":0.1}`, `"full"`)
	p.call(2, "echo", `{"text":"in between"}`, "") // its answer must stay whole
	p.await(hasID("1"))
	steps := p.progress(`"full"`)
	if got := p.answer("1").tool(t).Content[0].Text; got != fmt.Sprintf("sent %d progress notifications", len(steps)) {
		t.Errorf("%d notifications arrived, but the result says: %s", len(steps), got)
	}
	if steps[0].Total != 0 {
		t.Error("a total without an end")
	}
	p.await(hasID("2"))
}

func TestFloodAtFullSpeedCancelled(t *testing.T) {
	p := begin(t, "2025-11-25")
	p.call(1, "flood", `{"rate":0,"seconds":600}`, "1")
	p.await(func(i int, _ message) bool { return i == 5000 })
	p.cancel(1, "too much")
	p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	// A later call that takes its time: what the flood still had to say would
	// come before its answer.
	p.call(3, "countdown", `{"from":1,"interval_ms":20}`, "")
	p.await(hasID("3"))
	lines := p.all()
	for i := len(lines) - 1; string(lines[i].ID) != "2"; i-- {
		if string(lines[i].ID) != "3" {
			t.Fatalf("after the answer to the ping: %s", lines[i].line)
		}
	}
	if n := len(p.answers("1")); n != 0 {
		t.Errorf("%d answers to the cancelled call", n)
	}
}
