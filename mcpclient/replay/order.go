package replay

import (
	"fmt"
	"time"

	"belay/session/journal"
)

// order is where the lines of a recording stand that were read. The recorder numbers them from 1,
// and leaves none out.
type order struct {
	seq     uint64        // of the last line that stood where it should
	unknown uint64        // lines behind it whose number cannot be read
	time    time.Duration // of that line
}

// next takes the line that comes, and says what is wrong with its place: that lines before it are missing, or
// that the line itself is astray; empty: nothing is, or its number cannot be read.
func (o *order) next(r journal.Record) (wrong string) {
	switch {
	case r.Seq == 0:
		o.unknown++
		return ""
	case r.Seq <= o.seq:
		return fmt.Sprintf("it is not the line that follows: number %d stands behind number %d", r.Seq, o.seq)
	case r.Seq-o.seq-1 > o.unknown:
		wrong = fmt.Sprintf("lines before this one are missing, %d of them: states and verdicts may be others than they were", r.Seq-o.seq-1-o.unknown)
	case r.T < o.time:
		wrong = fmt.Sprintf("its time is %v before that of a line before it", max(time.Millisecond, (o.time-r.T).Round(time.Millisecond)))
	}
	*o = order{seq: r.Seq, time: max(o.time, r.T)}
	return wrong
}
