package ui

import (
	"testing"
	"time"

	"belay/internal/safe"
	"belay/ui/theme"
)

// While nothing changes, nothing happens: no message, no frame.
func TestIdle(t *testing.T) {
	connected(t, 120, 30, Options{}, func(w *harness) {
		w.result(w.call("echo"), `{"content":[]}`)
		w.wait(10 * time.Second)
		time.Sleep(time.Second) // the last frame's time passes
		w.settle()
		all, frame := w.all, w.m.View().Content
		time.Sleep(time.Hour)
		w.settle()
		if w.all != all || w.m.View().Content != frame {
			t.Errorf("%d messages in an idle hour", w.all-all)
		}
	})
}

// One clock drives all spinners, and stops with the last of them.
func TestOneClock(t *testing.T) {
	connected(t, 120, 30, Options{}, func(w *harness) {
		for range 20 {
			w.call("countdown")
		}
		w.clearStatus()
		all := w.all
		for range 50 {
			time.Sleep(100 * time.Millisecond)
			w.settle()
		}
		if n := w.all - all; n < 40 || n > 60 {
			t.Errorf("%d messages in 5 s of 20 spinners, want about 50", n)
		}
	})
	connected(t, 120, 30, Options{NoMotion: true}, func(w *harness) {
		w.call("countdown")
		all := w.all
		for range 50 {
			time.Sleep(100 * time.Millisecond)
			w.settle()
		}
		if n := w.all - all; n > 7 {
			t.Errorf("%d messages in 5 s without motion", n)
		}
	})
}

// A beat shows the next frame of the spinner, and after the last one the first; one that is
// still shows the first always.
func TestTheSpinnerGoesByBeats(t *testing.T) {
	for _, glyphs := range []*theme.Glyphs{&theme.Unicode, &theme.ASCII} {
		var moves, still clock
		moves.begin(glyphs.Spin, false)
		still.begin(glyphs.Spin, true)
		for beat := range 2*len(glyphs.Spin.Frames) + 1 {
			if want := safe.Text(glyphs.Spin.Frames[beat%len(glyphs.Spin.Frames)]); moves.frame != want || still.frame != glyphs.Still() {
				t.Errorf("beat %d shows %q, want %q, and the one that is still %q", beat, moves.frame, want, still.frame)
			}
			moves.ticked()
			still.ticked()
		}
	}
}

// However fast the news are, a frame's time lies between two of them.
func TestFramesAreBounded(t *testing.T) {
	for _, every := range []time.Duration{time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond} {
		connected(t, 120, 30, Options{}, func(w *harness) {
			w.wait(time.Second)
			before := w.news
			for range 3 * time.Second / every {
				w.b.ring()
				time.Sleep(every)
				w.settle()
			}
			if n := w.news - before; n < 60 || n > 100 {
				t.Errorf("%d frames in 3 s of news each %v, want at most %d", n, every, int(3*time.Second/frameTime)+1)
			}
		})
	}
}

// What follows news at once is seen within some milliseconds, once they have been
// quiet: a start is a handful of them.
func TestTheFirstNewsAreSeenAtOnce(t *testing.T) {
	connected(t, 120, 30, Options{}, func(w *harness) {
		for range 3 {
			for range 10 { // a quiet, in which the model goes on
				time.Sleep(frameTime)
				w.settle()
			}
			before := w.news
			for range 3 {
				w.b.ring()
				w.settle()
				time.Sleep(2 * firstPause)
				w.settle()
			}
			if n := w.news - before; n != 3 {
				t.Errorf("%d of 3 news were seen within %v", n, 6*firstPause)
			}
		}
	})
}
