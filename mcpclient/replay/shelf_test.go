package replay

import (
	"testing"
	"time"

	"belay/session"
)

// Stepping back goes on from copies that were left on the way, and shows at each place
// what the run showed there. No more copies are kept than are allowed.
func TestStepsBackGoOnFromCopies(t *testing.T) {
	defer func(before []int64) { distances = before }(distances)
	distances = []int64{2, 4, 8, 16}
	r := story(nil)
	p := opened(t, written(t, r.file.Bytes()), false)
	line := rested(t, p).Line
	for n := 0; line > 1; n++ {
		p.Step(false)
		st := rested(t, p)
		if st.Line >= line {
			t.Fatalf("from line %d to %d", line, st.Line)
		}
		line = st.Line
		r.shows(t, p, line)
		if st.Faulty != 0 {
			t.Fatalf("line %d: %+v", line, st)
		}
	}
	p.GoTo(4 * time.Second) // which a copy leads to
	r.shows(t, p, rested(t, p).Line)
	p.End()
	st := rested(t, p)
	r.shows(t, p, st.Line)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(p.shelf.kept); n == 0 || n > shelfMost {
		t.Errorf("%d copies are kept", n)
	}
	for _, k := range p.shelf.kept {
		if _, ok := k.s.Row(session.CallID(1)); k.line > 8 && !ok {
			t.Errorf("the copy of line %d has no row", k.line)
		}
	}
}

// A copy that is kept serves the steps that follow it: none of them plays from the
// beginning.
func TestAStepBackPlaysLittle(t *testing.T) {
	p := opened(t, large(t, 30_000), false)
	rested(t, p)
	p.Step(false)
	rested(t, p)
	for range 40 {
		p.Step(false)
		rested(t, p)
	}
	end := p.Status().Line
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if near := p.shelf.nearest(goal{line: end, until: -1}); near == nil || end-near.line > 2*distances[0] {
		t.Errorf("at line %d, there are %d copies, and none is near", end, len(p.shelf.kept))
	}
}

// On the way to a time copies are left, too: a step back from there plays no more than lies
// between two of them, and shows what the run showed.
func TestAStepBackFromATimePlaysLittle(t *testing.T) {
	defer func(before int64) { spacing = before }(spacing)
	spacing = 1 << 10
	p := opened(t, large(t, 30_000), false)
	rested(t, p)
	p.GoTo(20_500 * time.Microsecond)
	line := rested(t, p).Line
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	near := p.shelf.nearest(goal{line: line - 1, until: -1})
	if near == nil || line-near.line > spacing || len(p.shelf.kept) > shelfMost {
		t.Errorf("at line %d, there are %d copies, and none is near", line, len(p.shelf.kept))
	}

	spacing = 2
	r := story(nil)
	p = opened(t, written(t, r.file.Bytes()), false)
	rested(t, p)
	for at := 4 * time.Second; at > 0; at -= time.Second {
		p.GoTo(at)
		r.shows(t, p, rested(t, p).Line)
		p.Step(false)
		r.shows(t, p, rested(t, p).Line)
	}
}

// The first step back from the end goes on from a copy that was left on the way there, whether that
// was read at once, followed or played at its pace, while others look at the session.
func TestTheFirstStepBackFromTheEndPlaysLittle(t *testing.T) {
	defer func(e []int64, s int64) { endings, spacing = e, s }(endings, spacing)
	endings, spacing = []int64{1 << 12, 1 << 16}, 1<<10
	const lines = 5_000
	atEnd := func(st Status) bool { return st.State == Following || st.State == Paused && st.Ended }
	for name, c := range map[string]struct {
		follow bool
		goes   func(p *Player)
	}{
		"opened":   {false, func(*Player) {}},
		"followed": {true, func(*Player) {}},
		"jump": {false, func(p *Player) {
			p.Begin()
			rested(t, p)
			p.End()
		}},
		"played": {false, func(p *Player) {
			p.Begin()
			rested(t, p)
			p.SetSpeed(0)
			p.Play(true)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p := opened(t, large(t, lines), c.follow)
			looks, looked := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(looked)
				for {
					sees(p)
					select {
					case <-looks:
						return
					default:
					}
				}
			}()
			c.goes(p)
			end := until(t, p, "at the end", atEnd).Line
			close(looks)
			<-looked
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			near := p.shelf.nearest(goal{line: end - 1, until: -1})
			if end < lines || near == nil || end-near.line > lines/50 || len(p.shelf.kept) > shelfMost {
				t.Errorf("at line %d, there are %d copies, and none is near", end, len(p.shelf.kept))
			}
		})
	}
}

// sees reads of the session what a screen reads.
func sees(p *Player) {
	p.View(func(s *session.Session) {
		_ = s.Status()
		first, last := s.Span()
		for id := first; id <= last; id++ {
			_, _ = s.Row(id)
			_, _ = s.Detail(id)
			_ = s.CallEntries(nil, id, 100)
		}
		if _, seen := s.HistorySpan(); seen > 0 {
			_, _ = s.Entry(seen)
		}
		_ = s.TaskRows(nil, 10)
		_ = s.Catalog()
	})
}

// What a step back from the end shows is what the run showed, also when the copy is of the session
// that was on the screen.
func TestAStepBackFromTheEndShowsWhatWas(t *testing.T) {
	defer func(before []int64) { endings = before }(endings)
	r := story(nil)
	for left := int64(100); left < int64(r.file.Len()); left += 500 {
		endings = []int64{left}
		p := opened(t, written(t, r.file.Bytes()), false)
		rested(t, p)
		p.Step(false)
		r.shows(t, p, rested(t, p).Line)
		p.End()
		r.shows(t, p, rested(t, p).Line)
	}
}

// Who steps back faster than is played comes to where the steps lead.
func TestStepsBackOneAfterAnother(t *testing.T) {
	p := opened(t, large(t, 30_000), false)
	last := rested(t, p).Line
	for range 20 {
		p.Step(false)
	}
	if st := rested(t, p); st.Line != last-20 {
		t.Errorf("twenty steps back from line %d lead to %d", last, st.Line)
	}
}
