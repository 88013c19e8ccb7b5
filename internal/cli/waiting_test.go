package cli

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/negotiate"
)

// A server that refused initialize is waited for as long as server/discover is out, which is told,
// and so is a second start; the server's words act on nothing.
func TestWhatIsWaitedForIsToldInWords(t *testing.T) {
	now := time.Now()
	for want, st := range map[string]session.Status{
		"the server has not answered yet": {Awaits: negotiate.ForEither},
		"the server refused initialize: ⟨ESC⟩[2Jno; server/discover is still waited for, 1m30s at most, and ctrl+c": {Awaits: negotiate.ForDiscover, AwaitsUntil: now.Add(90 * time.Second), InVain: "the server refused initialize: \x1b[2Jno"},
		"server/discover answered, initialize not; ctrl+c gives up":                                                 {Awaits: negotiate.ForInitializeToo},
		"falling back to initialize; ctrl+c gives up":                                                               {Awaits: negotiate.ForInitialize, Found: negotiate.Fallback},
		"starting it again with server/discover; ctrl+c gives up":                                                   {StartAgain: true, BeginsWith: negotiate.WithDiscover},
		"started again, awaiting server/discover, 1m30s left; ctrl+c gives up":                                      {StartedAgain: true, Starts: 2, BegunWith: negotiate.WithDiscover, Awaits: negotiate.ForDiscover, AwaitsUntil: now.Add(90 * time.Second)},
		"started again, awaiting server/discover or initialize, 7.0s; ctrl+c gives up":                              {StartedAgain: true, Starts: 2, BegunWith: negotiate.WithDiscover, Awaits: negotiate.ForEither, Started: now.Add(-7 * time.Second)},
		"started again twice, awaiting initialize; ctrl+c gives up":                                                 {StartedAgain: true, Starts: 3, BegunWith: negotiate.WithInitialize, Awaits: negotiate.ForInitialize},
	} {
		if got := string(waitingWords(&st, now)); !strings.HasPrefix(got, want) {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// A server that has answered one of the two questions, or that is started again, is not told as
// one that has not answered: each change is told, once, and not one that is over at once.
func TestEachChangeOfWhatIsWaitedForIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := session.Status{Phase: session.Connecting, Started: time.Now(), Awaits: negotiate.ForEither}
		changed := make(chan struct{})
		var said []string
		var mu sync.Mutex
		w := waiting{
			changed: func() <-chan struct{} { mu.Lock(); defer mu.Unlock(); return changed },
			status:  func() session.Status { mu.Lock(); defer mu.Unlock(); return st },
			now:     time.Now,
			say:     func(words safe.Text) { mu.Lock(); defer mu.Unlock(); said = append(said, string(words)) },
		}
		change := func(to session.Status) {
			mu.Lock()
			to.Phase, to.Started = session.Connecting, st.Started
			st = to
			was := changed
			changed = make(chan struct{})
			mu.Unlock()
			close(was)
			synctest.Wait()
		}
		end := w.tell(context.Background())
		time.Sleep(4 * time.Second)
		synctest.Wait()
		mu.Lock()
		if len(said) != 0 {
			t.Errorf("a server that has hardly begun: %q", said)
		}
		mu.Unlock()
		time.Sleep(2 * time.Second)
		change(session.Status{Awaits: negotiate.ForInitializeToo}) // for a moment only
		began := st.Started
		change(session.Status{StartedAgain: true, Starts: 2, BegunWith: negotiate.WithDiscover, Awaits: negotiate.ForDiscover, AwaitsUntil: began.Add(2 * time.Minute)})
		for range 3 { // as time passes, nothing else is waited for
			time.Sleep(time.Second)
			change(st)
		}
		change(session.Status{Awaits: negotiate.ForDiscover, InVain: "the server refused initialize: no", AwaitsUntil: began.Add(2 * time.Minute)})
		time.Sleep(time.Second)
		end()
		change(session.Status{Awaits: negotiate.ForInitializeToo})
		time.Sleep(time.Second)
		want := []string{"the server has not answered yet", "started again, awaiting server/discover, 1m", "the server refused initialize: no; server/discover is still waited for"}
		if !slices.EqualFunc(said, want, strings.HasPrefix) {
			t.Errorf("%q, not %q", said, want)
		}
	})
}
