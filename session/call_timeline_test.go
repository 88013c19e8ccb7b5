package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session/mcp"
)

// kinds are the moments of a row, the notes of belay's own aside.
func (r *rig) kinds(id CallID) (kinds []MomentKind) {
	r.t.Helper()
	d, ok := r.s.Detail(id)
	if !ok {
		r.t.Fatalf("row %d is not kept", id)
	}
	for i, m := range d.Timeline {
		if i > 0 && m.At.Before(d.Timeline[i-1].At) {
			r.t.Errorf("moment %d of %d is earlier than the one above it", i, len(d.Timeline))
		}
		if m.Kind != MomNote {
			kinds = append(kinds, m.Kind)
		}
	}
	return kinds
}

// Progress that comes together is one moment, which has the numbers of the first and the latest.
func TestProgressThatComesTogetherHasBothEnds(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("t")
	for i := range 12 {
		r.now = r.now.Add(progressMerge / 10)
		r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"total":60,"message":"step"}}`, token(wire), 1+i)
	}
	var got []string
	d, _ := r.s.Detail(id)
	for _, m := range d.Timeline {
		if m.Kind == MomProgress {
			got = append(got, fmt.Sprintf("%s, %d, %s", m.Value, m.Count, m.Text))
		}
	}
	if want := []string{"1/60, 10, 10/60 step", "11/60, 2, 12/60 step"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Progress that does not increase moves no bar, and stands in the timeline as any other: the
// latest of what came together, and the least and the most of it where that is not the latest.
func TestProgressThatDoesNotIncreaseIsInTheTimeline(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("t")
	for i, v := range []string{"5", "5", "7", "9", "2", "4", "4"} {
		if i < 3 {
			r.now = r.now.Add(2 * progressMerge)
		}
		r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%s,"total":9,"message":"beat %d"}}`, token(wire), v, i)
	}
	var got []string
	d, _ := r.s.Detail(id)
	for _, m := range d.Timeline {
		if m.Kind == MomProgress {
			got = append(got, fmt.Sprintf("%s, %d, %s", m.Value, m.Count, m.Text))
		} else if m.Kind == MomNote {
			got = append(got, m.Text)
		}
	}
	want := []string{", 0, 5/9 beat 0", "progress that does not increase: 5 → 5", ", 0, 5/9 beat 1", "2/9 9/9, 5, 4/9 beat 6"}
	if !slices.Equal(got, want) || d.Progress.Value != 9 || d.Progress.Count != 3 || d.Progress.Invalid != 4 {
		t.Errorf("got %q, want %q; %+v", got, want, d.Progress)
	}
}

// The last byte of a request may be told after the answer to the request. The timeline has the
// request above its answer for all that, however many moments there were.
func TestARequestStandsAboveItsAnswer(t *testing.T) {
	const result = `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`

	t.Run("a call", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		r.mute = true
		id, wire := r.call("t")
		out, _ := r.s.Next(r.now)
		r.recv(result, wire)
		r.now = r.now.Add(time.Millisecond)
		r.s.Tell(r.now, Sent{Seq: out.Seq})
		if got, want := r.kinds(id), []MomentKind{MomCreated, MomSent, MomResult}; !slices.Equal(got, want) {
			t.Errorf("the timeline is %v, want %v", got, want)
		}
	})

	t.Run("a call of which progress came before", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		r.mute = true
		id, wire := r.call("t")
		out, _ := r.s.Next(r.now)
		for i := range 3 {
			r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`, token(wire), i)
			r.now = r.now.Add(2 * progressMerge)
		}
		r.s.Tell(r.now, Sent{Seq: out.Seq})
		r.recv(result, wire)
		if got, want := r.kinds(id), []MomentKind{MomCreated, MomSent, MomProgress, MomProgress, MomProgress, MomResult}; !slices.Equal(got, want) {
			t.Errorf("the timeline is %v, want %v", got, want)
		}
	})

	for name, progress := range map[string]int{"the cancel of a task": 0, "the cancel of a task, among hundreds of moments": 2 * (keepFirst + keepLast)} {
		t.Run(name, func(t *testing.T) {
			r := tasking(t, mcp.Rev20251125)
			id, wire := r.wished()
			r.handle(wire, "task-4711")
			token, _ := mcp.Decode([]byte(r.lines[len(r.lines)-1])).ID.Int()
			for i := range progress {
				r.now = r.now.Add(progressMerge / 100)
				if i%2 == 0 {
					r.now = r.now.Add(progressMerge)
				}
				r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%d","progress":%d}}`, token, i)
			}
			r.mute = true
			if _, err := r.s.Handle(r.now, Cancel{Call: id}); err != nil {
				t.Fatal(err)
			}
			var out Output
			for ok := true; ok && !strings.Contains(string(out.Data), "tasks/cancel"); out, ok = r.s.Next(r.now) {
				if ok && out.Seq != 0 {
					r.s.Tell(r.now, Sent{Seq: out.Seq})
				}
			}
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s}}`, mcp.Decode(out.Data).ID, r.object("task-4711", "cancelled"))
			r.now = r.now.Add(time.Millisecond)
			r.s.Tell(r.now, Sent{Seq: out.Seq})
			got := r.kinds(id)
			asked, answered := slices.Index(got, MomTaskCancel), slices.Index(got[len(got)-3:], MomTask)
			if asked < 0 || answered < 0 || asked > len(got)-3+answered {
				t.Errorf("the timeline ends with %v: the cancel is moment %d", got[len(got)-3:], asked)
			}
		})
	}
}
