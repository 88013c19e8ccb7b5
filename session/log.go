package session

import (
	"fmt"
	"time"
)

// log is the record that a session keeps: the messages, the diagnostics, the log of
// cancellations, and the sequence of messages on each row. It knows the time of the
// input that is being handled. Every machine of a session may write here; the log
// calls none of them, and takes no decision.
type log struct {
	now   time.Time // of the input being handled; never goes back
	began time.Time // when the first byte of that came, where it is a message; else now

	conn *connection // of which an entry is, and with whom
	rows *rows

	hist   history
	diags  diags
	events events
	fault  error // an invariant that was found broken; nil unless belay has a bug
}

func (l *log) init(cfg *Config, now time.Time, conn *connection, rows *rows) {
	l.now, l.conn, l.rows = now, conn, rows
	l.hist.init(cfg.HistoryBytes, cfg.HistoryCount, now)
	l.diags.init()
}

// note puts a remark of belay's on a row and its timeline.
func (l *log) note(c *call, text string) { l.advise(c, text, Remedy{}) }

// advise puts one there with what can be done about it.
func (l *log) advise(c *call, text string, r Remedy) {
	c.annotate(text, r)
	l.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: text, Remedy: r})
	l.rows.touch(c)
}

// moment puts a line on the timeline of a call, as long as it has one.
func (l *log) moment(c *call, m MomentView) {
	if c.swept {
		return
	}
	m.At = l.now
	c.line.add(moment{MomentView: m})
}

// broken notes an invariant that does not hold. The program goes on: what is
// shown may be wrong then, but nothing is lost and nothing panics.
func (l *log) broken(format string, args ...any) {
	if l.fault == nil {
		l.fault = fmt.Errorf(format, args...)
	}
}
