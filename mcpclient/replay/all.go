package replay

import (
	"context"

	"belay/session"
)

// Played is a recording that was played to its end.
type Played struct {
	Session *session.Session // nobody else's
	Cut     bool             // the recording ends within a line
	Open    bool             // the recording ends, and belay had not
	Faults  []Fault          // the first hundred
	Faulty  int              // all of them
	Differs int              // of these, what is played otherwise than it was recorded
	Gaps    int              // places where lines are missing, or not in their order: among Faults, and not in Faulty
}

// All plays all of a recording at once. How much of the file has been played, in percent, is told now and then; tell may be
// nil. The error is that of ctx.
func (x *File) All(ctx context.Context, tell func(percent int)) (Played, error) {
	r := newPlayback(x, false)
	size := max(1, x.size())
	for n := 0; ; n++ {
		if n%chunk == 0 {
			if ctx.Err() != nil {
				return Played{}, ctx.Err()
			}
			if tell != nil {
				tell(int(min(100, 100*r.off/size)))
			}
		}
		end, more := r.load()
		switch {
		case end:
			return Played{Session: r.s, Cut: r.cut, Open: r.isOpen(), Faults: r.faults, Faulty: r.faulty, Differs: r.differs, Gaps: r.gaps}, nil
		case more:
			r.apply()
		}
	}
}

// Missing says what of the run is not in the recording; empty: it begins with the run.
func (x *File) Missing() string {
	if b := x.first.Config.Begun; b != nil {
		return b.Words()
	}
	return ""
}

// IsUnmasked reports whether the recording was written with the secrets in it.
func (x *File) IsUnmasked() bool { return x.first.Plain }
