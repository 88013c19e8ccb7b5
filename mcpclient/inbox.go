package mcpclient

import (
	"runtime"
	"time"

	"belay/mcpclient/recording"
	"belay/session"
	"belay/session/mcp"
)

// batchSize is how many messages are received in one hold of the lock, at most.
const batchSize = 64

// inbox takes the messages of one stream to the core: decoded outside the
// lock, received in short holds. It belongs to one goroutine, and is the same
// for every transport.
type inbox struct {
	c         *Client
	x         session.ExchangeID
	forced    <-chan struct{} // closed when the stream must end without delay
	decoder   *mcp.Decoder
	frames    [batchSize]*mcp.Frame       // the first n are messages
	spare     [batchSize]*mcp.Frame       // what messages of other people's memory are decoded into
	large     [batchSize]*recording.Large // of the messages that are one; nil for the others
	n         int
	partEnded bool // what was told of an unfinished message holds no longer: its end has come
	yielded   time.Time
	rested    time.Time
}

func newInbox(c *Client, x session.ExchangeID, forced <-chan struct{}) *inbox {
	return &inbox{c: c, x: x, forced: forced, decoder: mcp.NewDecoder()}
}

// add decodes one message, whose first byte was read when it began. Its bytes
// must stay as they are until the next flush; owned says that they are nobody
// else's, ever.
func (in *inbox) add(raw []byte, owned bool, began time.Time) {
	if owned {
		in.addFrame(in.decoder.DecodeOwned(raw), began)
		return
	}
	f := in.spare[in.n]
	if f == nil { // most exchanges over HTTP bring one message
		f = new(mcp.Frame)
		in.spare[in.n] = f
	}
	in.decoder.DecodeInto(f, raw)
	in.addFrame(f, began)
}

// addFrame takes a message that was decoded elsewhere.
func (in *inbox) addFrame(f *mcp.Frame, began time.Time) {
	f.Began = began
	in.frames[in.n], in.large[in.n] = f, recording.LargeOf(f)
	in.n++
	if in.n == batchSize {
		in.flush()
	}
}

// flush gives the core what was added. A recording that cannot keep up holds
// the stream up here, and nobody else.
func (in *inbox) flush() {
	if in.n == 0 && !in.partEnded {
		return
	}
	in.c.rec.Load().Wait(in.forced)
	flooded := in.n == batchSize
	for next := 0; next < in.n || in.partEnded; {
		next = in.receive(next)
	}
	clear(in.frames[:in.n])
	clear(in.large[:in.n])
	in.n = 0
	in.c.signal()
	in.giveWay(flooded)
}

// A goroutine that comes back from a system call (a key was read, a cancel was
// written) needs a processor. Under a flood the reader would keep its own for 10 ms,
// so it yields it: not after each batch, as that costs as much as eight messages.
const yield = 200 * time.Microsecond

// Under a flood the reader could use a processor up, too. The system's scheduler
// would let it, and a key would wait behind it for milliseconds, in another belay
// as well: so it leaves its processor alone for a moment now and then, which costs
// a ninth of its pace. On two processors, of 100 keys of a belay beside the flooded
// one the slowest took 6 ms; with a pause of 50 µs it took 11.
const (
	busy  = time.Millisecond
	pause = 120 * time.Microsecond
)

func (in *inbox) giveWay(flooded bool) {
	if !flooded {
		runtime.Gosched()
		return
	}
	now := time.Now()
	if now.Sub(in.yielded) > yield {
		in.yielded = now
		runtime.Gosched()
	}
	if now.Sub(in.rested) > busy {
		sleepShort(pause)
		in.rested = time.Now()
	}
}

// receive is one hold of the lock. It returns the index of the first message
// that was left over for somebody else's sake.
func (in *inbox) receive(next int) int {
	c := in.c
	c.mu.lockReader()
	defer c.mu.unlock()
	now := c.inputTime()
	if in.partEnded {
		in.partEnded = false
		c.s.Tell(now, session.ReceivedPart{ExchangeID: in.x})
	}
	for next < in.n {
		c.tape.Receive(c.s, now, in.x, in.frames[next], in.large[next])
		next++
		if c.mu.isWanted() {
			break
		}
	}
	c.settle(now)
	return next
}
