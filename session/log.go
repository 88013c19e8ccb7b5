package session

import (
	"fmt"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
	"belay/session/timer"
)

// log is the record that a session keeps: the messages, the diagnostics, the log of
// cancellations, and the sequence of messages on each row. It knows the time of the
// input that is being handled. Every machine of a session may write here, and
// most embed the log, so that what needs no more than the rows and the time is a method of
// the log. It calls no machine of a layer above its own.
//
//shape:machine 2
type log struct {
	now   time.Time // of the input being handled; never goes back
	began time.Time // when the first byte of that came, where it is a message; else now

	conn *connection // of which an entry is, and with whom
	rows *rows

	hist   history
	diags  diags
	events events
	wrong  []*wrong // cancels that the user sent wrong on purpose, oldest first
	kept   keptTasks
	fault  error // an invariant that was found broken; nil unless belay has a bug
}

func (l *log) init(cfg *Config, now time.Time, conn *connection, rows *rows) {
	l.now, l.conn, l.rows = now, conn, rows
	l.hist.init(cfg.HistoryBytes, cfg.HistoryCount, now)
	l.diags.init()
	l.kept.begin(cfg)
}

// note puts a remark of belay's on a row and its timeline.
func (l *log) note(c *call, text string) { l.advise(c, text, Remedy{}) }

// advise puts a remark with a remedy on a row and its timeline.
func (l *log) advise(c *call, text string, r Remedy) {
	c.say(advising(text, r))
	l.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: text, Remedy: r})
}

// passOver tells of a request of belay's own that came to nothing, which is no failure: the
// connection goes on without it.
func (l *log) passOver(c *call, words string) {
	c.passOver()
	l.note(c, words)
}

// broken notes an invariant that does not hold. The program goes on: what is
// shown may be wrong then, but nothing is lost and nothing panics.
func (l *log) broken(format string, args ...any) {
	if l.fault == nil {
		l.fault = fmt.Errorf(format, args...)
	}
}

// diagnose notes that the server did something wrong. The same code for the
// same call and subject is counted, not listed again. What is wrong with a request about a call is told of
// that call.
func (l *log) diagnose(code mcp.DiagCode, id CallID, subject, detail string) {
	l.hist.mark(FlagDiag)
	if c := l.rows.get(id); c != nil && c.about != nil {
		id = c.about.rowOf().id
	}
	key := diagKey{code, id, sentence.Clip(subject)}
	d := l.diags.index[key]
	if d == nil && len(l.diags.list) >= maxDiags {
		key = diagKey{code: code, subject: "…"}
		d = l.diags.index[key]
	}
	if d == nil {
		d = &Diagnostic{Code: code, First: l.now, Call: id, Entry: l.hist.cur, Detail: sentence.Clip(detail)}
		l.diags.index[key] = d
		l.diags.list = append(l.diags.list, d)
	}
	d.Count++
	d.Last = l.now
	detail = sentence.Clip(detail)
	d.Mixed = d.Mixed || d.Detail != detail
	l.diags.mark(diagMark{entry: l.hist.cur, d: d, detail: detail})
	l.diags.rev++
	if c := l.rows.get(id); c != nil && d.Count == 1 {
		l.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: d.Describe(), Entry: l.hist.cur, Remedy: d.Remedy()})
	}
}

// pause has the clocks of a call stand still, and its row say so.
func (l *log) pause(t *timer.List, c *call) {
	if !c.clocks.isStill() {
		c.pauseClocks(t, l.now)
	}
}
