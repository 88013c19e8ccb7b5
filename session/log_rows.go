package session

import "time"

// rowLog is the part of the log that a row has: what is told of its call to whoever looks.
// Everything may write here, as anywhere in the log. No decision about a call reads it: words
// are made of it, and views.
//
//shape:part of call
type rowLog struct {
	remark rowNote
	line   timeline

	changes      *changes // the list that the row stands in; nil: it is not kept, or was never shown
	rev          uint64   // of its last change
	newer, older *call    // in that list
}

// changes is the list of the rows that are kept, the most recently changed first.
//
//shape:part of call
type changes struct {
	changed *call
	rev     uint64
}

// isShown reports whether a row is kept, and one that is shown.
func (c *call) isShown() bool { return c.changes != nil }

// show has a row stand among those that changed, from now on.
func (l *changes) show(c *call) { c.changes = l }

// touch puts a row at the head of the list of changes. Each machine of a call does that when
// it is told something, so whoever tells it need not. A row that was swept may still be heard
// of, but is not shown any more.
func (c *call) touch() {
	l := c.changes
	if l == nil {
		return
	}
	l.rev++
	c.rev = l.rev
	if l.changed == c {
		return
	}
	l.unlink(c)
	c.older = l.changed
	if l.changed != nil {
		l.changed.newer = c
	}
	l.changed = c
}

// hide takes a row off the list, and forgets what only a row shows.
func (c *call) hide() {
	if c.isShown() {
		c.changes.unlink(c)
	}
	c.rowLog = rowLog{remark: c.remark}
}

func (l *changes) unlink(c *call) {
	if c.newer != nil {
		c.newer.older = c.older
	}
	if c.older != nil {
		c.older.newer = c.newer
	}
	if l.changed == c {
		l.changed = c.older
	}
	c.newer, c.older = nil, nil
}

// say has a row say something else of its call.
func (c *call) say(m rowNote) {
	if c.remark != m {
		c.remark = m
		c.touch()
	}
}

// tell puts a moment on the timeline of a call whose row is shown.
func (c *call) tell(m MomentView) {
	if c.isShown() {
		c.line.tell(m)
		c.touch()
	}
}

// tellBefore puts a moment there that has come about before. If that is a request, reply is
// the message that has answered it since; 0: none has.
func (c *call) tellBefore(m MomentView, reply Seq) {
	if c.isShown() {
		c.line.insertAsked(moment{MomentView: m}, reply)
		c.touch()
	}
}

// tellProgress puts progress there that the entry of the history brought.
func (c *call) tellProgress(at time.Time, p *progress, entry Seq) {
	if c.isShown() {
		c.line.progress(at, p, entry)
		c.touch()
	}
}
