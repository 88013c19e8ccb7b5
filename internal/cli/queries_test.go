package cli

import (
	"testing"
	"testing/synctest"
	"time"
)

// What is asked is known of what is written; when the screen was left nothing is asked.
func TestNothingIsAskedWhenTheScreenWasLeft(t *testing.T) {
	var a queries
	for _, tt := range []struct {
		in, out string
		open    int
	}{
		{"a frame; what? $", "a frame; what? $", 0},
		{"\x1b[?1049h\x1b[?2026$p\x1b[?2027$p", "\x1b[?1049h\x1b[?2026$p\x1b[?2027$p", 2},
		{"\x1b]11;?\a\x1b]7501;?\x1b\\", "\x1b]11;?\a\x1b]7501;?\x1b\\", 4},
		{"\x1b[c\x1b[>0q\x1b[?u", "\x1b[c\x1b[>0q\x1b[?u", 7},
		{"x\x1b[?1049ly\x1b]11;?\az", "x\x1b[?1049lyz", 7},
		{"\x1b[?2026$p", "", 7},
		{"\x1b]11;?\a\x1b[?1049h\x1b]11;?\a", "\x1b[?1049h\x1b]11;?\a", 8}, // from an editor
	} {
		if got := string(a.written([]byte(tt.in))); got != tt.out || a.open != tt.open {
			t.Errorf("%q is written as %q, %d are open", tt.in, got, a.open)
		}
	}
}

// Leaving waits for answers, and for nothing else; and not long.
func TestAnswersAreAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a queries
		a.written([]byte("\x1b]11;?\a\x1b[?2026$p"))
		for _, ev := range decoded(t, "x\x1b[I\x1b[<0;5;5M\x1b[?2026;2$y") {
			a.came(ev)
		}
		if !a.areDue() {
			t.Fatal("nothing is due")
		}
		asked := ""
		a.await(func(question string) {
			asked += question
			a.areDue() // as the screen looks, under its lock
			go func() {
				time.Sleep(answersWithin - 1)
				for _, ev := range decoded(t, "\x1b]11;rgb:0000/0000/0000\a\x1b[?62;4c") {
					a.came(ev)
				}
			}()
		}, answersWithin, nil)
		if a.areDue() {
			t.Error("the answer was not awaited")
		}
		if asked != "\x1b[c" {
			t.Errorf("asked was %q", asked)
		}
		a.written([]byte("\x1b]7501;?\a"))
		began := time.Now()
		if a.await(func(string) {}, answersWithin, nil); time.Since(began) != answersWithin {
			t.Errorf("it waited %v", time.Since(began))
		}
		time.Sleep(2 * askedLately)
		if a.areDue() {
			t.Error("an old question is due")
		}
	})
}

// A terminal that does not know some of the questions is not waited for any longer when it
// has answered the last one.
func TestNothingComesBehindTheLastAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a queries
		a.written([]byte("\x1b[c\x1b]7501;?\a\x1b[?2026$p\x1b[?u"))
		began := time.Now()
		a.await(func(string) {
			go func() {
				for _, ev := range decoded(t, "\x1b[?62;4c") { // to what was asked earlier
					a.came(ev)
				}
				time.Sleep(answersWithin / 2)
				if !a.areDue() {
					t.Error("what was asked behind that is not awaited")
				}
				for _, ev := range decoded(t, "\x1b[?2026;2$y\x1b[?62;4c") {
					a.came(ev)
				}
			}()
		}, answersWithin, nil)
		if took := time.Since(began); a.areDue() || took != answersWithin/2 {
			t.Errorf("it waited %v", took)
		}
	})
}

// Who is in a hurry does not wait for the answers of a terminal that is slow.
func TestAHurryEndsTheWaitForAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a queries
		a.written([]byte("\x1b[?2026$p"))
		hurry := make(chan struct{}, 1)
		time.AfterFunc(time.Second, func() { hurry <- struct{}{} })
		began := time.Now()
		if a.await(func(string) {}, slowly, hurry); time.Since(began) != time.Second {
			t.Errorf("it waited %v", time.Since(began))
		}
	})
}

// A terminal that was slow once is not slow for ever.
func TestATerminalThatWasSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		if s.isSlow() {
			t.Error("a new one is slow")
		}
		s.slowAt = time.Now()
		if time.Sleep(slowly - 1); !s.isSlow() {
			t.Error("one that was slow lately is not")
		}
		if time.Sleep(time.Nanosecond); s.isSlow() {
			t.Error("it is still slow")
		}
	})
}
