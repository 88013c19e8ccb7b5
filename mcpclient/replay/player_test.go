package replay

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"belay/session"
	"belay/session/cancel"
	"belay/session/secret"
)

// All of a recording is played at first, and shows what the run showed: rows, states,
// verdicts, messages.
func TestARecordingShowsWhatTheRunShowed(t *testing.T) {
	for name, mask := range map[string]*secret.Mask{"unmasked": nil, "masked": secret.NewMask("k").With(secret.Value{Text: "hunter-22"})} {
		t.Run(name, func(t *testing.T) {
			r := story(mask)
			p := opened(t, written(t, r.file.Bytes()), false)
			st := rested(t, p)
			if !st.Ended || st.Faulty != 0 || st.Open || st.At != r.now.Sub(origin) || st.Length != st.At || int(st.Line) != len(r.rows) {
				t.Errorf("%+v, %d lines, %v long", st, len(r.rows), r.now.Sub(origin))
			}
			r.shows(t, p, st.Line)
			if !p.Now().Equal(r.now) {
				t.Errorf("it is %v, was %v", p.Now(), r.now)
			}
		})
	}
}

// Any line can be gone to, from any other, and shows what the run showed there.
func TestEachLineShowsWhatTheRunShowedThere(t *testing.T) {
	r := story(nil)
	p := opened(t, written(t, r.file.Bytes()), false)
	rested(t, p)
	n := int64(len(r.rows))
	for i := range n {
		line := 1 + i*37%n
		p.GoToLine(line)
		if st := rested(t, p); st.Line != line {
			t.Fatalf("at line %d, want %d", st.Line, line)
		}
		r.shows(t, p, line)
	}
}

// A step back undoes a step on; steps go from message to message.
func TestStepsGoFromMessageToMessage(t *testing.T) {
	r := story(nil)
	p := opened(t, written(t, r.file.Bytes()), false)
	rested(t, p)
	p.Begin()
	rested(t, p)
	var stops []int64
	for {
		before := rested(t, p).Line
		p.Step(true)
		st := rested(t, p)
		if st.Ended && (len(r.seen) == 0 || r.seen[st.Line-1] == r.seen[before-1]) {
			break
		}
		if r.seen[st.Line-1] <= r.seen[before-1] || r.seen[st.Line-2] != r.seen[before-1] {
			t.Fatalf("a step from line %d went to line %d: from message %d to %d", before, st.Line, r.seen[before-1], r.seen[st.Line-1])
		}
		stops = append(stops, st.Line)
	}
	if len(stops) < 10 {
		t.Fatalf("%d messages", len(stops))
	}
	p.GoToLine(stops[len(stops)-1])
	rested(t, p)
	for i := len(stops) - 2; i >= 0; i-- {
		p.Step(false)
		if st := rested(t, p); st.Line != stops[i] {
			t.Fatalf("a step back went to line %d, want %d", st.Line, stops[i])
		}
		r.shows(t, p, stops[i])
	}
	p.GoToLine(stops[8])
	rested(t, p)
	p.Step(false)
	p.Step(false)
	p.Step(false) // quicker than the first one arrives
	if st := rested(t, p); st.Line != stops[5] {
		t.Errorf("three steps back went to line %d, want %d", st.Line, stops[5])
	}
}

// lineOf is the first line that holds a text.
func (r *run) lineOf(t *testing.T, text string, from int64) int64 {
	t.Helper()
	for i, l := range bytes.Split(r.file.Bytes(), []byte("\n")) {
		if int64(i) >= from && bytes.Contains(l, []byte(text)) {
			return int64(i) + 1
		}
	}
	t.Fatalf("no line holds %q", text)
	return 0
}

func TestMarksAreGoneTo(t *testing.T) {
	r := story(nil)
	p := opened(t, written(t, r.file.Bytes()), false)
	rested(t, p)
	first := r.lineOf(t, `"op":"cancel"`, 0)
	second := r.lineOf(t, `"op":"cancel"`, first)
	odd := r.lineOf(t, "this is no JSON", 0)
	goes := func(what string, found bool, want int64) {
		t.Helper()
		if st := rested(t, p); !found || st.Line != want {
			t.Errorf("%s: %v, at line %d, want %d", what, found, st.Line, want)
		}
		r.shows(t, p, want)
	}
	goes("the last cancel", p.Next(Cancel, false), second)
	goes("the one before", p.Next(Cancel, false), first)
	if p.Next(Cancel, false) {
		t.Error("there is a cancel before the first one")
	}
	goes("the next one", p.Next(Cancel, true), second)
	if p.Next(Cancel, true) {
		t.Error("there is a cancel after the last one")
	}
	goes("the diagnostic before", p.Next(Diagnostic, false), odd)

	p.GoTo(0)
	rested(t, p)
	p.GoToTime(r.rows[len(r.rows)-1][3].Created)
	rested(t, p)
	p.View(func(s *session.Session) {
		if row, ok := s.Row(3); !ok || row.State.IsTerminal() {
			t.Errorf("where a call begins it is %+v", row)
		}
	})
}

// A time that is gone to is the one that is shown, also between two lines, until another
// place is gone to; playing goes on from there.
func TestATimeBetweenTwoLines(t *testing.T) {
	r := story(nil)
	path := written(t, r.file.Bytes())
	synctest.Test(t, func(t *testing.T) {
		p := opened(t, path, false)
		defer func() { _ = p.Close() }()
		is := func(what string, want time.Duration) {
			t.Helper()
			synctest.Wait()
			if st := p.Status(); st.At != want || !p.Now().Equal(origin.Add(want)) {
				t.Errorf("%s: at %v, now %v, want %v", what, st.At, p.Now().Sub(origin), want)
			}
		}
		is("the end", r.now.Sub(origin))
		const between = 2700 * time.Millisecond // after the cancel, before the late answer
		p.GoTo(between)
		is("back", between)
		line := p.Status().Line
		p.GoTo(between + 100*time.Millisecond)
		is("on, to no other line", between+100*time.Millisecond)
		if st := p.Status(); st.Line != line {
			t.Errorf("it went from line %d to %d", line, st.Line)
		}
		p.GoTo(between)
		p.SetSpeed(2)
		is("back, to no other line", between)
		p.Play(true)
		time.Sleep(50 * time.Millisecond)
		is("playing", between+100*time.Millisecond)
		p.Play(false)
		time.Sleep(time.Hour)
		is("paused", between+100*time.Millisecond)
		p.GoToLine(line)
		synctest.Wait()
		if st := p.Status(); st.Line != line || st.At >= between {
			t.Errorf("the line is shown as %+v", st)
		}
		p.GoTo(between)
		synctest.Wait()
		p.Step(true)
		synctest.Wait()
		if st := p.Status(); st.Line <= line || st.At <= between {
			t.Errorf("a step on shows %+v", st)
		}
		p.GoTo(time.Hour)
		is("beyond the end", r.now.Sub(origin))
	})
}

// A call is gone to also where it begins ahead of the place that is shown. Where there is
// none, the place stays, and the player says so.
func TestACallAheadIsGoneTo(t *testing.T) {
	r := story(nil)
	p := opened(t, written(t, r.file.Bytes()), false)
	rested(t, p)
	p.Begin()
	rested(t, p)
	for _, id := range []string{"4", "3", "2"} {
		p.GoToCall(id)
		st := rested(t, p)
		has := func(line int64) bool {
			for _, row := range r.rows[line-1] {
				if row.Wire.String() == id {
					return true
				}
			}
			return false
		}
		if st.Lost != "" || !has(st.Line) || has(st.Line-1) {
			t.Errorf("#%s: %+v", id, st)
		}
		r.shows(t, p, st.Line)
	}
	before := p.Status()
	p.GoToCall("99")
	if st := rested(t, p); st.Lost != "99" || st.Line != before.Line || st.Session != before.Session || st.At != before.At {
		t.Errorf("a call that is not there: %+v, before %+v", st, before)
	}
	r.shows(t, p, before.Line)
	p.Step(true)
	if st := rested(t, p); st.Lost != "" {
		t.Errorf("after another wish: %+v", st)
	}
}

// At its pace a recording takes as long as the run took, divided by the speed; a pause
// stops the clock.
func TestThePaceOfARecording(t *testing.T) {
	r := story(nil)
	path := written(t, r.file.Bytes())
	for _, speed := range []float64{0.25, 1, 64} {
		synctest.Test(t, func(t *testing.T) {
			p := opened(t, path, false)
			time.Sleep(time.Second)
			synctest.Wait()
			p.SetSpeed(speed)
			p.Begin()
			synctest.Wait()
			p.Play(true)
			time.Sleep(time.Duration(float64(2500*time.Millisecond) / speed))
			synctest.Wait()
			st := p.Status()
			if off := st.At - 2500*time.Millisecond; st.State != Playing || max(off, -off) > 10*time.Millisecond {
				t.Errorf("%v×: after 2.5 s it is at %v", speed, st.At)
			}
			p.Play(false)
			at := p.Now()
			time.Sleep(time.Hour)
			if p.Now().Sub(at) > 0 || p.Status().State != Paused {
				t.Errorf("%v×: it goes on in a pause", speed)
			}
			p.Play(true)
			time.Sleep(time.Duration(float64(r.now.Sub(origin)) / speed))
			synctest.Wait()
			if st := p.Status(); !st.Ended || st.State != Paused || int(st.Line) != len(r.rows) {
				t.Errorf("%v×: it ends as %+v", speed, st)
			}
			p.SetSpeed(0)
			p.Play(true)
			time.Sleep(time.Second)
			synctest.Wait()
			if st := p.Status(); !st.Ended || int(st.Line) != len(r.rows) {
				t.Errorf("at once it comes to %+v", st)
			}
			_ = p.Close()
		})
	}
}

// A recording that an earlier belay wrote, in format 5, opens: with the verdict that was seen
// then, and without a difference.
func TestARecordingOfAnEarlierFormat(t *testing.T) {
	x, err := Open(filepath.Join("..", "..", "screenshots", "cancelled.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	all, err := x.All(t.Context(), nil)
	if err != nil || all.Faulty > 0 || all.Cut {
		t.Fatalf("%v: %+v", err, all)
	}
	first, last := all.Session.Span()
	seen := map[cancel.Verdict]int{}
	for id := first; id <= last; id++ {
		if r, ok := all.Session.Row(id); ok {
			seen[r.Verdict]++
		}
	}
	if seen[cancel.LeftProcess] != 1 {
		t.Errorf("its verdicts are %v", seen)
	}
}

// A recording in format 4, which the belay of before processes were sampled wrote of the demo
// server, opens: with the verdicts that were seen then, and without a difference.
func TestARecordingOfTheOldestFormat(t *testing.T) {
	x, err := Open(filepath.Join("testdata", "format4.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	all, err := x.All(t.Context(), nil)
	if err != nil || all.Faulty > 0 || all.Differs > 0 || all.Cut {
		t.Fatalf("%v: %+v", err, all)
	}
	seen := map[string]cancel.Verdict{}
	first, last := all.Session.Span()
	for id := first; id <= last; id++ {
		if r, ok := all.Session.Row(id); ok && r.Verdict != cancel.NoVerdict {
			seen[r.Target] = r.Verdict
		}
	}
	if want := map[string]cancel.Verdict{"stubborn": cancel.AnsweredLate, "prompt_error": cancel.SaysCancelled}; !maps.Equal(seen, want) {
		t.Errorf("its verdicts are %v, want %v", seen, want)
	}
}

// A search is ended by a wish, and what was shown stays.
func TestASearchIsStopped(t *testing.T) {
	path := large(t, 40_000)
	p := opened(t, path, false)
	until(t, p, "under way", func(st Status) bool { return st.Line > 100 })
	p.Stop()
	st := rested(t, p)
	if st.Ended || st.Line >= 40_000 {
		t.Fatalf("it was not stopped: %+v", st)
	}
	p.End()
	rested(t, p)
	p.GoToLine(39_000)
	p.Stop()
	if st := rested(t, p); !st.Ended || st.Session != 1 {
		t.Errorf("a way back that is stopped shows %+v", st)
	}
}

// large is a recording with n messages of a flood.
func large(t testing.TB, n int) string {
	t.Helper()
	r := newRun(nil)
	r.does(call("flood"))
	path := written(t, r.file.Bytes())
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	var block []byte
	for i := range n {
		block = fmt.Appendf(block, `{"seq":%d,"t":%d,"wall":"2026-07-28T12:00:00Z","op":"received","epoch":1,"raw":"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"%d\"}}"}`+"\n", i+10, int64(i)*1000, i)
	}
	if _, err := f.Write(block); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// What is written to a recording later is shown as it comes, half lines when they are
// whole.
func TestARecordingIsFollowed(t *testing.T) {
	r := story(nil)
	all := r.file.Bytes()
	for _, cut := range []int{1, 7, 80} {
		half := bytes.LastIndexByte(all[:len(all)/2], '\n') + cut
		path := written(t, all[:half])
		p := opened(t, path, true)
		st := until(t, p, "following", func(st Status) bool { return st.State == Following })
		if st.Faulty != 0 {
			t.Errorf("%+v", st)
		}
		r.shows(t, p, st.Line)
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(all[half:]); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		st = until(t, p, "at the end", func(st Status) bool { return int(st.Line) == len(r.rows) })
		if st.Faulty != 0 {
			t.Errorf("%+v", st)
		}
		r.shows(t, p, st.Line)
		p.Step(false)
		if st := rested(t, p); int(st.Line) >= len(r.rows) {
			t.Errorf("a step back goes to %+v", st)
		}
		p.End()
		until(t, p, "following again", func(st Status) bool { return st.State == Following && int(st.Line) == len(r.rows) })
		_ = p.Close()
	}
}

// Where one that is followed is paused there may be more of it already: that is not its end.
func TestAPauseIsNotTheEndOfWhatIsFollowed(t *testing.T) {
	r := story(nil)
	all := r.file.Bytes()
	half := bytes.LastIndexByte(all[:len(all)/2], '\n') + 1
	path := written(t, all[:half])
	p := opened(t, path, true)
	until(t, p, "following", func(st Status) bool { return st.State == Following })
	p.Play(false)
	if st := rested(t, p); st.State != Paused || st.Ended {
		t.Errorf("paused, it is at %+v", st)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(all[half:]); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if st := until(t, p, "longer", func(st Status) bool { return st.Length > st.At }); st.State != Paused || st.Ended || int(st.Line) >= len(r.rows) {
		t.Errorf("with more behind it, it is at %+v", st)
	}
	_ = p.Close()
}

// What was masked on the way out was masked on the way in, too: no difference is told,
// and states and verdicts are those of the run.
func TestAMaskedRecordingDoesNotDiffer(t *testing.T) {
	mask := secret.NewMask("k").With(secret.Value{Name: "TOKEN", Text: "hunter-22"}, secret.Value{Name: "N", Text: "4"}, secret.Value{Name: "M", Text: "true"})
	r := newRun(mask)
	id := r.does(session.StartCall{Spec: session.CallSpec{
		Method: "tools/call", Params: []byte(`{"name":"t","arguments":{"TOKEN":"hunter-22","hunter-22":"x","N":4,"M":true,"text":"a hunter-22, aHVudGVyLTIy"}}`),
	}})
	r.later(time.Second)
	r.hears(`{"jsonrpc":"2.0","id":7,"method":"roots/list","params":{"hunter-22":1}}`)
	r.does(session.Cancel{Call: id, Reason: "it is hunter-22"})
	r.later(time.Second)
	r.hears(`{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"no hunter-22 here","data":{"TOKEN":"hunter-22"}}}`)
	r.does(session.Notify{Method: "x/hunter-22", Params: []byte(`{"hunter-22":["hunter-22"]}`)})
	if bytes.Contains(r.file.Bytes(), []byte("hunter")) {
		t.Fatal("the recording holds the secret")
	}
	p := opened(t, written(t, r.file.Bytes()), false)
	if st := rested(t, p); st.Faulty != 0 {
		t.Errorf("%+v", st)
	}
	p.View(func(s *session.Session) {
		want, _ := r.s.Row(id)
		if got, _ := s.Row(id); got.State != want.State || got.Verdict != want.Verdict {
			t.Errorf("%+v, was %+v", got, want)
		}
	})
}

// While a recording is played at once it is told how much of it has been, up to its end.
func TestAllTellsHowFarItIs(t *testing.T) {
	x, err := Open(busyRecording(t, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	var told []int
	if _, err := x.All(t.Context(), func(percent int) { told = append(told, percent) }); err != nil {
		t.Fatal(err)
	}
	if n := len(told); n < 3 || !slices.IsSorted(told) || told[0] != 0 || told[n-1] < 70 || told[n-1] > 100 {
		t.Errorf("%d", told)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := x.All(ctx, nil); err == nil {
		t.Error("it was not stopped")
	}
}
