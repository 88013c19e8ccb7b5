package headless

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"belay/session"
	"belay/session/cancel"
	"belay/session/witness"
)

// The verdict stands on the first sample of the processes after the grace, and is waited for; where
// none comes for two seconds, what was seen last is reported, and when.
func TestTheSampleOfTheGracesEndIsWaitedFor(t *testing.T) {
	for name, c := range map[string]struct {
		ends bool          // the process that the call began
		late time.Duration // after the grace, of the sample
		took time.Duration // until the report, after the grace
		want cancel.Verdict
		says string
	}{
		"it lives":      {false, 30 * time.Millisecond, 30 * time.Millisecond, cancel.LeftProcess, `still running 5.03 s after the cancel: "sleep 14"`},
		"it has ended":  {true, 30 * time.Millisecond, 30 * time.Millisecond, cancel.EndedAfter, `"sleep 14" (pid 11), started during this call, had ended 5.03 s after`},
		"the last wait": {false, lastSample - time.Millisecond, lastSample - time.Millisecond, cancel.LeftProcess, "still running 7 s after"},
		"too late":      {false, lastSample + time.Millisecond, lastSample, cancel.NothingHeard, `was running 4.90 s after the cancel: "sleep 14"`},
	} {
		synctest.Test(t, func(t *testing.T) {
			b, id := newByHand(t)
			began, lives := time.Now(), true
			sample := func() session.ProcessSample {
				all := []witness.Process{{PID: 10, Age: time.Hour}}
				if lives {
					all = append(all, witness.Process{PID: 11, Parent: 10, Command: "sleep 14", Age: time.Since(began)})
				}
				return session.ProcessSample{Epoch: 1, Sample: witness.Sample{Processes: all}}
			}
			b.s.Tell(time.Now(), session.ProcessSample{Epoch: 1, Sample: witness.Sample{Processes: []witness.Process{{PID: 10, Age: time.Hour}}}})
			time.Sleep(100 * time.Millisecond)
			began = time.Now()
			time.Sleep(100 * time.Millisecond)
			b.s.Tell(time.Now(), sample())
			if _, err := b.s.Handle(time.Now(), session.Cancel{Call: id}); err != nil {
				t.Fatal(err)
			}
			b.play(nil)
			cancelled := time.Now()
			r := New(b)
			defer close(r.leave)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				time.Sleep(4900 * time.Millisecond)
				b.tells(sample())
				lives = !c.ends
				time.Sleep(100 * time.Millisecond)
				b.tells(session.Tick{})
				time.Sleep(c.late)
				b.tells(sample())
			}()
			d, err := r.Watch(t.Context(), id, nil)
			took := time.Since(cancelled)
			var said strings.Builder
			for _, e := range d.Evidence {
				said.WriteString(e.Text + "\n")
			}
			if err != nil || d.Verdict != c.want || took != 5*time.Second+c.took || !strings.Contains(said.String(), c.says) {
				t.Errorf("%s: %v, %v after %v:\n%s", name, err, d.Verdict, took, said.String())
			}
			<-ended
		})
	}
}

// Who waits for a sample of some time goes on with the first one of that time, and not with one before; without
// samples, and when the connection ends, at once.
func TestASampleOfATimeIsWaitedFor(t *testing.T) {
	sample := session.ProcessSample{Epoch: 1, Sample: witness.Sample{Processes: []witness.Process{{PID: 10, Age: time.Hour}}}}
	const after = 3 * time.Second // from the sample before
	for name, c := range map[string]struct {
		before bool                             // there is a sample
		tells  map[time.Duration]session.Report // by when it is told
		took   time.Duration
		err    error
	}{
		"there are none": {},
		"it comes": {
			before: true, took: 4 * time.Second,
			tells: map[time.Duration]session.Report{2 * time.Second: sample, 4 * time.Second: sample},
		},
		"it comes at that time": {before: true, took: after, tells: map[time.Duration]session.Report{after: sample}},
		"the server ends": {
			before: true, took: time.Second,
			tells: map[time.Duration]session.Report{time.Second: session.Closed{Epoch: 1}},
		},
		"it does not come": {before: true, took: 9 * time.Second, err: context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			b, _ := newByHand(t)
			if c.before {
				b.s.Tell(time.Now(), sample)
			}
			r := New(b)
			defer close(r.leave)
			began := time.Now()
			for at, in := range c.tells {
				time.AfterFunc(at, func() { b.tells(in) })
			}
			ctx, stop := context.WithTimeout(t.Context(), 9*time.Second)
			defer stop()
			err := r.Sampled(ctx, began.Add(after))
			if took := time.Since(began); !errors.Is(err, c.err) || took != c.took {
				t.Errorf("%s: after %v, not %v: %v", name, took, c.took, err)
			}
			time.Sleep(10 * time.Second) // all was told
		})
	}
}
