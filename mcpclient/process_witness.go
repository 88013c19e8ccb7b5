package mcpclient

import (
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"belay/mcpclient/sampler"
	"belay/session"
	"belay/session/secret"
	"belay/session/witness"
)

// samples are what the core wants to be told of the server's processes.
type samples struct {
	wish    witness.Wish  // guarded by the lock of the client
	asked   atomic.Uint64 // how many looks others wanted
	changed chan struct{} // one slot: wish or asked has changed
}

// take follows every input, under the lock.
func (s *samples) take(wish witness.Wish) {
	if s.wish != wish {
		s.wish = wish
		s.poke()
	}
}

func (s *samples) poke() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// witness samples the processes of a server until its own has ended, and then once more: belay
// ends then what is left of its group. It has a thread of its own, whose CPU time is the cost of the samples.
func (p *stdio) witness() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.looked)
	defer p.c.samples.poke() // which may have been meant for the next connection
	defer func() {
		if v := recover(); v != nil {
			p.c.onCrash("the samples of processes", v)
		}
	}()
	w := sampler.New(p.Cmd.Process.Pid, p.mark, &p.births, &p.lives, commandWords(p.c.opt.Mask, p.c.learnt.all))
	timer := time.NewTimer(firstLook)
	defer timer.Stop()
	answered := p.asked
	if !p.awaitFirstLook(timer.C) {
		return
	}
	p.sample(timed(p.c.opt.Now, w.Look))
	var looked uint64
	for {
		if at, s, ok := w.Noted(); ok && at.After(p.last) {
			p.sample(at, s)
		}
		wish, asked := p.c.wish(), p.c.samples.asked.Load()
		now := p.c.opt.Now()
		look := wish.Looks != looked || asked != answered
		pause := pauseBefore(wish, look, p.last, now, w)
		if pause <= 0 {
			if looked = wish.Looks; look {
				p.sample(timed(p.c.opt.Now, w.Look))
				if asked != answered { // somebody waits
					answered = asked
					p.c.signal()
				}
			} else {
				p.sample(timed(p.c.opt.Now, w.Sample))
			}
			continue
		}
		timer.Reset(pause)
		select {
		case <-p.exited:
			p.lastLook(w)
			return
		case <-p.over: // it could not be ended
			return
		case <-p.c.samples.changed:
		case <-timer.C:
		}
	}
}

// lastLook looks at what the server has left, where it ended by itself and that matters for a call.
func (p *stdio) lastLook(w *sampler.Watcher) {
	wish := p.c.wish()
	if (wish.InFlight || p.last.Before(wish.Until)) && !isClosed(p.wantClose) && !isClosed(p.wantKill) {
		p.sample(timed(p.c.opt.Now, w.Look))
	}
}

// firstLook is how long the first look waits where nobody needs it: it reads every process of
// the machine, at the time at which the server starts and the first frame is drawn.
const firstLook = 50 * time.Millisecond

// awaitFirstLook waits for the time of the first look, or for a call. It reports
// whether the server still runs.
func (p *stdio) awaitFirstLook(due <-chan time.Time) bool {
	for {
		if p.c.wish().InFlight {
			return true
		}
		select {
		case <-p.exited:
			return false
		case <-p.over:
			return false
		case <-p.c.samples.changed:
		case <-due:
			return true
		}
	}
}

// rhythm says how often samples may be taken. It is a [sampler.Watcher].
type rhythm interface {
	Wait(now time.Time) time.Duration
	Every(now time.Time) time.Duration
}

// pauseBefore is how long it is until the next sample, or until something is wanted. A sample
// that was promised for a time is taken also when it is late.
func pauseBefore(wish witness.Wish, look bool, last, now time.Time, r rhythm) time.Duration {
	switch {
	case look:
		return r.Wait(now)
	case wish.InFlight || last.Before(wish.Until):
		return max(r.Wait(now), last.Add(r.Every(now)).Sub(now))
	}
	return time.Hour
}

// timed takes a sample by a method of the [sampler.Watcher], and returns when that began.
func timed(now func() time.Time, take func(now time.Time) witness.Sample) (at time.Time, s witness.Sample) {
	at = now()
	s = take(at)
	s.Took = max(0, now().Sub(at))
	return at, s
}

// sample takes a sample to the core that was begun at a time.
func (p *stdio) sample(at time.Time, s witness.Sample) {
	in := session.ProcessSample{Epoch: p.x.Epoch, Sample: s}
	p.last = at
	news := false
	p.c.underLock(func(s *session.Session, now time.Time) {
		in.Ago = max(0, now.Sub(at))
		news = s.Tell(now, in).News
	})
	if news {
		p.c.signal()
	}
}

// LookAtProcesses wants one more look at the processes of a server over stdio, at their files and connections as
// well. It is taken at once, or within ten seconds where looks have cost too much, and the core is told of it as of
// any. While nothing is in flight the core wants none. Where there are no samples, nothing follows.
func (c *Client) LookAtProcesses() {
	c.samples.asked.Add(1)
	c.samples.poke()
}

// wish is what the core wants now.
func (c *Client) wish() witness.Wish {
	c.mu.lock()
	defer c.mu.unlock()
	return c.samples.wish
}

// commandWords makes texts of command lines, in which nothing is secret, also of what was learnt
// meanwhile.
func commandWords(first func() *secret.Mask, learnt func() []secret.Value) func(args []string) string {
	var mask *secret.Mask // which takes a millisecond to make, and most servers begin no process
	return func(args []string) string {
		if mask == nil {
			mask = first()
		}
		mask = mask.With(learnt()...)
		return mask.With(secretsInCommand(args)...).RedactText(strings.Join(args, " "))
	}
}
