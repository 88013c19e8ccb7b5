package demo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// blockLines is how many messages go out in one write at most: few enough
	// that an answer of the SDK, waiting for its turn, gets it soon.
	blockLines = 256
	// paceTick is the shortest time between two writes below full speed.
	paceTick = 5 * time.Millisecond
	// paceSlack is how long after its time a flood may still catch up with its
	// rate, when the client reads slowly.
	paceSlack = time.Second
)

type floodArgs struct {
	Rate    int     `json:"rate"`
	Seconds seconds `json:"seconds"`
	Kind    string  `json:"kind"`
}

func addFlood(s *mcp.Server, _ Options) {
	add(s, tool("flood", "Flood",
		"Sends notifications at the rate you choose, up to what the pipe carries. When it is cancelled it stops and says nothing more.",
		`{"type":"object","properties":{
			"rate":{"type":"integer","title":"Rate","description":"Notifications a second; 0: as fast as the pipe carries them","default":1000,"minimum":0,"maximum":1000000},
			"seconds":{"type":"number","title":"Seconds","description":"How long it sends","default":5,"minimum":0.1,"maximum":600},
			"kind":{"type":"string","title":"Kind","description":"progress: of this call, which then has to carry a progress token. log: log messages","enum":["progress","log"],"default":"progress"}
		},"additionalProperties":false}`), flood)
}

func flood(ctx context.Context, c *call, in floodArgs) (*mcp.CallToolResult, error) {
	total := 0 // messages; 0 is no bound
	if in.Rate > 0 {
		// The first goes out at once, so even a short and slow flood has one;
		// what the product is off by as a float must not make one more.
		total = int(math.Ceil(float64(in.Rate)*float64(in.Seconds) - 1e-6))
	}
	if err := c.checkFlood(in.Kind); err != nil {
		return nil, err
	}
	write := c.writeThroughSDK(ctx, in.Kind, total)
	if c.wire != nil && c.wire.out != nil {
		write = c.writePastSDK(in.Kind, total)
	}
	sent, err := c.pour(ctx, in, total, write)
	if err != nil {
		return nil, err
	}
	return text(fmt.Sprintf("sent %d %s notifications", sent, in.Kind)), nil
}

// checkFlood returns the error for a call that has not asked for what it is to be
// flooded with.
func (c *call) checkFlood(kind string) error {
	switch {
	case kind == "log" && c.logLevel == "":
		return errors.New("this call asked for no log messages: set a log level, or choose kind progress")
	case kind != "log" && c.token == nil:
		return errors.New("this call carries no progress token: send one, or choose kind log")
	}
	return nil
}

// A writer writes the messages with the numbers from first to last. Numbers
// count from 1, so that progress grows with every message.
type writer func(first, last int) error

// writePastSDK writes whole lines to the pipe: the SDK's encoder is too slow to
// fill one. The messages are of total, if that is not 0.
func (c *call) writePastSDK(kind string, total int) writer {
	// At the level the client asked for, so that it is never one too mild.
	head := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"` + c.logLevel + `","logger":"flood","data":"message `
	tail := "\"}}\n"
	if kind != "log" {
		head = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + string(c.token) + `,"progress":`
		tail = "}}\n"
		if total > 0 {
			tail = `,"total":` + strconv.Itoa(total) + tail
		}
	}
	var block []byte
	return func(first, last int) error {
		block = block[:0]
		for k := first; k <= last; k++ {
			block = append(block, head...)
			block = strconv.AppendInt(block, int64(k), 10)
			block = append(block, tail...)
		}
		return c.wire.writeLines(c, block)
	}
}

// writeThroughSDK is the way over HTTP, where only the SDK knows the stream.
func (c *call) writeThroughSDK(ctx context.Context, kind string, total int) writer {
	return func(first, last int) error {
		for k := first; k <= last; k++ {
			if c.isCancelled() || ctx.Err() != nil {
				return errAbandoned
			}
			// An error means that the stream is gone; a client may still pick it
			// up again, so that the flood goes on.
			if kind == "log" {
				c.log(ctx, "message "+strconv.Itoa(k))
			} else {
				c.progress(ctx, k, total, "")
			}
		}
		return nil
	}
}

// pour writes at the rate asked for and returns how many messages it wrote.
func (c *call) pour(ctx context.Context, in floodArgs, total int, write writer) (int, error) {
	var (
		start = time.Now()
		limit = in.Seconds.duration()
		sent  int
	)
	if in.Rate > 0 {
		limit += paceSlack
	}
	for {
		elapsed := time.Since(start)
		due := sent + blockLines
		if in.Rate > 0 {
			due = min(due, total, 1+int(elapsed.Seconds()*float64(in.Rate)))
		}
		if elapsed >= limit || (total > 0 && sent == total) {
			return sent, nil
		}
		if due <= sent {
			next := time.Duration(float64(sent) / float64(in.Rate) * float64(time.Second))
			if !pause(ctx, max(next-elapsed, paceTick), c.cancelled) {
				return sent, errAbandoned
			}
			continue
		}
		if err := write(sent+1, due); err != nil {
			return sent, err
		}
		sent = due
	}
}
