package report

import (
	"belay/internal/safe"
	"belay/internal/wording"
)

// Recording is what is wrong with the recording that a report is on. The zero value is
// that of a whole one, and of a session that runs.
type Recording struct {
	Place    string // where in the recording the report was made, if not at its end, in words; empty: there
	Missing  string // what of the run is not in it, in words; empty: it begins with the run
	Cut      bool   // it ends within a line
	Open     bool   // it ends, and belay had not
	Unplayed int    // lines that could not be played, besides the one that is cut
	Gaps     int    // places where lines are missing, or not in their order
	Differs  int    // lines that came out otherwise than recorded
}

// Notes say in words what is wrong with the recording.
func (r Recording) Notes() (notes []safe.Text) {
	if r.Place != "" {
		notes = append(notes, "this is how it was at "+safe.LineN(r.Place, textMost)+": what came later is not in this report")
	}
	if r.Missing != "" {
		notes = append(notes, safe.LineN(r.Missing, textMost))
	}
	if r.Cut {
		notes = append(notes, "the recording is cut: what follows was written before")
	}
	if r.Open && !r.Cut {
		notes = append(notes, "the recording ends here, and belay had not ended then")
	}
	if n := r.Gaps; n > 0 {
		notes = append(notes, "lines of the recording are missing, or not in their order, in "+wording.Count(n, "place")+": "+mayDiffer)
	}
	if n := r.Unplayed; n > 0 {
		was := safe.Text(" was")
		if n > 1 {
			was = " were"
		}
		notes = append(notes, linesOf(n)+was+" not played: "+mayDiffer)
	}
	if n := r.Differs; n > 0 {
		notes = append(notes, linesOf(n)+" came out otherwise than recorded: "+mayDiffer)
	}
	return notes
}

// mayDiffer is what follows from lines that were not played, or not as they were.
const mayDiffer = "states and verdicts may be others than they were"

func linesOf(n int) safe.Text { return wording.Count(n, "line") + " of the recording" }
