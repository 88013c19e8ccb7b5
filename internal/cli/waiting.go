package cli

import (
	"context"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/negotiate"
)

const (
	// sayWaiting is how long a server is silently waited for at the beginning.
	sayWaiting = 5 * time.Second

	// sayChange is how long something else is waited for before that is told: what is over by
	// then is not worth a line.
	sayChange = 300 * time.Millisecond
)

// waiting tells what a connection in the making waits for.
type waiting struct {
	changed func() <-chan struct{} // closed when something may have changed
	status  func() session.Status
	now     func() time.Time
	say     func(safe.Text)
}

// tell begins to tell it, when the connection has not come soon, and again whenever something
// else is waited for. The function ends that, and returns when nothing more is told.
func (w *waiting) tell(ctx context.Context) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		told := safe.Text("")
		for wait := sayWaiting; pause(ctx, wait); wait = sayChange {
			changed := w.changed()
			st := w.status()
			if st.Phase == session.Ready {
				return
			}
			if what := waitingFor(&st); what != told {
				told = what
				w.say(waitingWords(&st, w.now()))
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { stop(); <-over }
}

// pause waits for a time, and reports whether the context lasted as long.
func pause(ctx context.Context, wait time.Duration) bool {
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}

// waitingFor are the words for what is waited for without any time: they are the same as long as
// that is.
func waitingFor(st *session.Status) safe.Text {
	timeless := *st
	timeless.AwaitsUntil = time.Time{}
	return waitingWords(&timeless, timeless.Started)
}

// waitingWords say what a connection that is being made waits for, and what the server has said.
func waitingWords(st *session.Status, now time.Time) safe.Text {
	const leave = "ctrl+c gives up"
	if st.StartAgain {
		return wording.BeginsAgain(st) + "; " + leave
	}
	if st.InVain != "" && (st.Awaits == negotiate.ForDiscover || st.Awaits == negotiate.ForDiscoverAlone) {
		most := safe.Text("")
		if !st.AwaitsUntil.IsZero() {
			most = ", " + wording.Duration(st.AwaitsUntil.Sub(now)) + " at most"
		}
		return safe.LineN(st.InVain, 400) + "; server/discover is still waited for" + most + ", and " + leave
	}
	awaited := wording.Awaited(st, now, true)
	silent := awaited == "" || st.Awaits == negotiate.ForEither || st.Awaits == negotiate.ForDiscover && st.BegunWith == negotiate.AsUsual
	if silent && !(st.StartedAgain && st.Awaits == negotiate.ForEither) {
		return "the server has not answered yet; belay waits for it, and " + leave
	}
	return awaited + "; " + leave
}
