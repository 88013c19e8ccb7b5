package report

import (
	"slices"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
)

// Of the messages of a call are told the first and the last ones, those around its
// cancel, and its answers; and of each its beginning.
const (
	firstMost, lastMost    = 6, 4
	beforeCancel, afterIts = 2, 6
	answersMost            = 8
	messageMost            = 2000 // characters
)

// messages are those of a call that are told, and how many messages of the call there
// are. The history is walked from the first message that the timeline names to the last.
func messages(view Source, id session.CallID, d *session.Detail) told {
	var named []session.Entry
	view(func(s *session.Session) { named = s.CallEntries(nil, id, 1<<30) })
	if len(named) == 0 {
		return told{}
	}
	isNamed := map[session.Seq]bool{}
	for i := range named {
		isNamed[named[i].Seq] = true
	}
	cancelled := cancelledAt(d)
	var all []session.Seq
	var answers []int
	turn := -1
	last := named[len(named)-1].Seq
	for at := named[0].Seq; at <= last; {
		view(func(s *session.Session) {
			for end := at + page; at < end && at <= last; at++ {
				e, ok := s.Entry(at)
				if !ok || e.Call != id && !isNamed[at] {
					continue
				}
				if turn < 0 && !cancelled.IsZero() && !e.At.Before(cancelled) {
					turn = len(all)
				}
				if e.Kind == session.EntResult || e.Kind == session.EntError {
					answers = append(answers, len(all))
				}
				all = append(all, at)
			}
		})
	}
	t := told{count: len(all)}
	next := 0
	for _, i := range chosen(len(all), turn, answers) {
		var e session.Entry
		view(func(s *session.Session) { e, _ = s.Entry(all[i]) })
		t.entries = append(t.entries, e)
		t.before = append(t.before, i-next)
		next = i + 1
	}
	t.behind = len(all) - next
	return t
}

// told is the part of a call's messages that a report has, and how many it leaves out where.
type told struct {
	entries []session.Entry
	before  []int // messages before each that are not
	behind  int
	count   int
}

// chosen picks from n messages the positions of those that a report has. Turn is the position of the
// first message since the cancel; negative: no message came since.
func chosen(n, turn int, answers []int) []int {
	is := map[int]bool{}
	add := func(from, to int) {
		for i := max(0, from); i < min(n, to); i++ {
			is[i] = true
		}
	}
	add(0, firstMost)
	add(n-lastMost, n)
	if turn >= 0 {
		add(turn-beforeCancel, turn+afterIts)
	}
	for k, i := range answers {
		if k < answersMost/2 || k >= len(answers)-answersMost/2 {
			add(i, i+1)
		}
	}
	list := make([]int, 0, len(is))
	for i := range is {
		list = append(list, i)
	}
	slices.Sort(list)
	return list
}

// excerpt sets messages out, without their secrets.
func excerpt(t told, d *session.Detail, m masker) Excerpt {
	x := Excerpt{Count: t.count, Behind: t.behind}
	for i := range t.entries {
		e := &t.entries[i]
		x.Lines = append(x.Lines, Line{
			Before: t.before[i], At: e.At.Sub(d.Created).Round(time.Microsecond), Time: utc(e.Wall), Way: wayOf(e.Dir),
			Label: label(e, m), Message: safe.BytesN(m.message(e.Raw), messageMost), Size: e.Size, Gone: e.Gone,
		})
	}
	return x
}

func label(e *session.Entry, m masker) safe.Text {
	hidden := *e
	hidden.Method = m.mask.RedactMember("method", e.Method)
	return wording.Join(wording.Entry(&hidden), wording.Flag(e.Flags&^session.FlagDiag))
}
