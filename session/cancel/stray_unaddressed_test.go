package cancel

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// evidenceOf is the evidence of an attempt, a line each.
func evidenceOf(a *Attempt) string {
	var lines strings.Builder
	for _, e := range a.Evidence() {
		fmt.Fprintf(&lines, "%v %s\n", e.After, e.Text)
	}
	return lines.String()
}

// An attempt for which strays are counted elsewhere says the same as one that is told of each,
// whenever its cancel is written, it is answered or repeated, and a stray of its own comes between.
func TestStraysAreCountedOnceForAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all Unaddressed
		begin := func(a Attempt) *Attempt { return &a }
		counting := begin(New(at(0), Spec{By: ByUser, Grace: 5 * time.Second}))
		told := begin(New(at(0), Spec{By: ByUser, Grace: 5 * time.Second}))
		now, listens := time.Duration(0), true
		for n := range rapid.IntRange(1, 60).Draw(t, "steps") {
			now += time.Duration(rapid.IntRange(0, 2).Draw(t, "pause")) * time.Millisecond
			stray := Stray{What: fmt.Sprintf("stray %d", n)}
			switch step := rapid.IntRange(0, 11).Draw(t, "step"); {
			case step < 7:
				all.Add(at(now), at(now), stray)
				if !listens {
					continue
				}
				if told.Strayed(at(now), at(now), stray); !counting.IsCountedIn() {
					stray.In = &all
					counting.Strayed(at(now), at(now), stray)
				}
			case step == 7:
				counting.Strayed(at(now), at(now), stray)
				told.Strayed(at(now), at(now), stray)
			case step == 8 && told.WrittenAt().IsZero():
				counting.Written(at(now))
				told.Written(at(now))
			case step == 9 && n > 20:
				w := Answer{At: at(now), Began: at(now)}
				counting.Answered(w)
				told.Answered(w)
			case step == 10:
				counting.EndCount()
				listens = !listens
			case step == 11 && n > 10:
				counting = begin(counting.BeginAgain(at(now), ByUser, "", false))
				told = begin(told.BeginAgain(at(now), ByUser, "", false))
			}
			if counting.IsCountedIn() && !counting.WrittenAt().IsZero() {
				if got := evidenceOf(counting); !strings.Contains(got, "came from here on: how many is told with the verdict") {
					t.Fatalf("while others are counted:\n%s", got)
				}
				continue
			}
			if got, want := strings.ReplaceAll(evidenceOf(counting), "; later ones that name no call are not counted", ""), evidenceOf(told); got != want && !counting.IsCountedIn() {
				t.Fatalf("counted elsewhere:\n%s\ntold of each:\n%s", got, want)
			}
			if counting.HasStrayed() != told.HasStrayed() {
				t.Fatalf("strayed: %v, want %v", counting.HasStrayed(), told.HasStrayed())
			}
		}
	})
}

// The count begins with the call's own cancel, and ends with its own grace.
func TestStraysOfOtherTimesAreNotCounted(t *testing.T) {
	var all Unaddressed
	come := func(n int, now time.Duration) {
		for range n {
			all.Add(at(now), at(now), Stray{What: "a line"})
		}
	}
	come(1000, time.Second)
	a := New(at(2*time.Second), Spec{By: ByUser, Grace: 5 * time.Second})
	a.Written(at(2 * time.Second))
	for n := range 4 {
		come(1, 3*time.Second)
		a.Strayed(at(3*time.Second), at(3*time.Second), Stray{What: "a line", In: &all})
		if in := a.IsCountedIn(); in != (n == 3) {
			t.Fatalf("after %d: counted elsewhere: %v", n+1, in)
		}
	}
	come(40, 4*time.Second)
	const want = "2.5s last of 45 messages after the cancel"
	if e := evidenceOf(&a); !strings.Contains(e, "1s more messages after the cancel that belay cannot take as its answer came from here on") {
		t.Error(e)
	}
	a.Strayed(at(4500*time.Millisecond), at(4500*time.Millisecond), Stray{What: "its answer, oddly named"})
	if e := evidenceOf(&a); !strings.Contains(e, "1s more messages") {
		t.Errorf("one that names the call: %s", e)
	}
	a.EndCount()
	come(1000, 9*time.Second)
	if e := evidenceOf(&a); !strings.Contains(e, want+" that belay cannot take as its answer; later ones that name no call are not counted") || a.IsCountedIn() {
		t.Error(e)
	}
}

// Strays of which belay knows the number are told by it, however many they are.
func TestStraysThatNameTheCallAreCountedAtOnce(t *testing.T) {
	a := New(at(0), Spec{By: ByUser, Grace: 5 * time.Second})
	a.Written(at(0))
	for n := range time.Duration(6) {
		a.Strayed(at(n*time.Second), at(n*time.Second), Stray{What: "an answer with its ID as a string"})
	}
	if e := evidenceOf(&a); !strings.Contains(e, "5s last of 6 messages") || a.IsCountedIn() {
		t.Error(e)
	}
}
