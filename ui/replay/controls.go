package replay

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/dialog"
	"belay/ui/doc"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
	"belay/ui/write"
)

// Controls are the keys of a recording, and what the screen knows of it. Make them with
// [NewControls].
type Controls struct {
	host   panel.Host
	player Player // nil: the screen shows a server
	st     Status // as of the last frame
	told   bool   // that it is not played as it was
	late   bool   // and that it begins late has been told
	heard  int    // how much of what became of the file was told
	sought string // the ID of the call that the player looks for; empty: it looks for none

	// Message is when the message came that is selected; zero: none has the focus.
	Message time.Time
}

// NewControls are the controls of a recording; a nil player is that of a server, which
// has none.
func NewControls(h panel.Host, p Player) *Controls { return &Controls{host: h, player: p} }

// IsRecorded reports whether the screen shows a recording.
func (c *Controls) IsRecorded() bool { return c.player != nil }

// Status is where the recording was when the last frame was drawn.
func (c *Controls) Status() Status { return c.st }

// Moves reports whether the place in the recording goes on by itself. Of one that is followed
// it goes on when more is written.
func (c *Controls) Moves() bool { return c.st.State == Playing }

// Plays reports whether there is something to pause.
func (c *Controls) Plays() bool { return c.st.State == Playing || c.st.State == Following }

// Follows reports whether more of the recording may come.
func (c *Controls) Follows() bool { return c.st.State == Following }

// Pull copies where the recording is. It reports whether another session is shown: of
// that nothing is true that the panes have kept.
func (c *Controls) Pull() (other bool) {
	if !c.IsRecorded() {
		return false
	}
	before := c.st.Session
	c.st = c.player.Status()
	return before != 0 && before != c.st.Session
}

// Notice tells once that the recording is not played as it was, and what became of the
// search for a call, and of the file.
func (c *Controls) Notice() tea.Cmd { return tea.Batch(c.endSearch(), c.fault(), c.news()) }

func (c *Controls) news() tea.Cmd {
	if c.heard == c.st.Told || !c.host.Screen().IsSized() {
		return nil
	}
	c.heard = c.st.Told
	return c.host.Say(panel.Failed(safe.LineN(c.st.News, 300)))
}

func (c *Controls) fault() tea.Cmd {
	switch {
	case c.st.Faulty+c.st.Gaps == 0 && c.st.Missing != "" && !c.late && c.host.Screen().IsSized():
		c.late = true
		return c.host.Say(panel.Said(safe.LineN(c.st.Missing, 300)))
	case c.st.Faulty+c.st.Gaps == 0:
		c.told = false
		return nil
	case c.told || !c.host.Screen().IsSized():
		return nil
	}
	c.told = true
	return c.host.Say(panel.Failed(faultWords(c.st.Faults[0]) + " · :recording tells more"))
}

// Scope adds the places of a recording's keys to those of the panes.
func (c *Controls) Scope() keymap.Scope {
	switch {
	case !c.IsRecorded():
		return 0
	case c.st.State == Searching:
		return scope.Recording | scope.Seeking
	}
	return scope.Recording
}

func faultWords(f Fault) safe.Text {
	return "line " + number(f.Line) + ": " + safe.LineN(f.Text, 300)
}

func number(n int64) safe.Text { return safe.Text(strconv.FormatInt(n, 10)) }

func (c *Controls) playOrPause() {
	st := c.player.Status()
	c.player.Play(st.State != Playing && st.State != Following)
}

func (c *Controls) faster() tea.Cmd { return c.changeSpeed(1) }
func (c *Controls) slower() tea.Cmd { return c.changeSpeed(-1) }

func (c *Controls) changeSpeed(n int) tea.Cmd {
	x := Faster(c.player.Status().Speed, n)
	c.player.SetSpeed(x)
	return c.host.Say(panel.Said("speed: " + SpeedWords(x)))
}

func (c *Controls) nextCancel() tea.Cmd       { return c.next(Cancel, true) }
func (c *Controls) cancelBefore() tea.Cmd     { return c.next(Cancel, false) }
func (c *Controls) nextDiagnostic() tea.Cmd   { return c.next(Diagnostic, true) }
func (c *Controls) diagnosticBefore() tea.Cmd { return c.next(Diagnostic, false) }

func (c *Controls) next(mark Mark, forward bool) tea.Cmd {
	if c.player.Next(mark, forward) {
		return nil
	}
	what, where := safe.Text("cancel"), safe.Text("after")
	if mark == Diagnostic {
		what = "diagnostic"
	}
	if !forward {
		where = "before"
	}
	return c.host.Say(panel.Refused("there is no " + what + " " + where + " this place"))
}

// goToSelected goes to the time of the message that is selected, or to where the
// selected call begins.
func (c *Controls) goToSelected() tea.Cmd {
	if !c.Message.IsZero() {
		c.player.GoToTime(c.Message)
		return nil
	}
	var r session.Row
	var ok bool
	c.host.View(func(s *session.Session) { r, ok = s.Row(c.host.Screen().Chosen) })
	if !ok {
		return c.host.Say(panel.Refused("no call is selected"))
	}
	return c.goToRow(r)
}

func (c *Controls) goToRow(r session.Row) tea.Cmd {
	c.player.GoToTime(r.Created)
	return c.host.Want(panel.Choose{Call: r.ID})
}

// goTo goes to a place that is named.
func (c *Controls) goTo(arg string) tea.Cmd {
	place, ok := ParsePlace(arg)
	if !ok {
		return c.host.Say(panel.Refused("type :goto PLACE: " + placeUsage))
	}
	c.sought = ""
	switch place.Kind {
	case ByTime:
		c.player.GoTo(place.At)
	case ByLine:
		c.player.GoToLine(place.Line)
	case ByPart:
		st := c.player.Status()
		c.player.GoTo(time.Duration(place.Part * float64(max(st.At, st.Length))))
	case AtBegin:
		c.player.Begin()
	case AtEnd:
		c.player.End()
	case ByCall:
		return c.goToCall(place.ID)
	}
	return nil
}

// goToCall goes to where a call begins. One that is not among the rows is looked for in
// all of the recording.
func (c *Controls) goToCall(id string) tea.Cmd {
	if r := c.callWith(id); r.ID != 0 {
		return c.goToRow(r)
	}
	c.sought = id
	c.player.GoToCall(id)
	return nil
}

// endSearch tells what became of the search for a call, when it has ended.
func (c *Controls) endSearch() tea.Cmd {
	if c.sought == "" || c.st.State == Searching {
		return nil
	}
	id := c.sought
	c.sought = ""
	if r := c.callWith(id); r.ID != 0 {
		return c.goToRow(r) // as from behind: what else was at that time has been, too
	}
	if c.st.Lost == id {
		return c.host.Say(panel.Refused("there is no call #" + safe.LineN(id, 30) + " in the recording"))
	}
	return nil
}

// callWith is the row of the latest call with an ID; without a number: there is none.
func (c *Controls) callWith(id string) (found session.Row) {
	c.host.View(func(s *session.Session) {
		_, last := s.Span()
		for n := s.RowBefore(last + 1); n > 0; n = s.RowBefore(n) {
			if r, _ := s.Row(n); r.Wire.String() == id {
				found = r
				return
			}
		}
	})
	return found
}

// open shows what is to be known of the recording.
func (c *Controls) open() {
	c.host.Push(&dialog.Page{Host: c.host, Title: "Recording", Name: "recording.txt", Build: func(d *write.Writer, _ panel.Screen) {
		st := c.player.Status()
		d.Field("file", safe.LineN(c.player.Path(), 1000), d.Styles.Text)
		d.Field("place", Clock(st.At)+" of "+Clock(max(st.At, st.Length))+", line "+number(st.Line), d.Styles.Text)
		if st.News != "" {
			d.Field("", safe.LineN(st.News, 300), d.Styles.Warn)
		}
		if st.Missing != "" {
			d.Field("", safe.LineN(st.Missing, 300), d.Styles.Warn)
		}
		if since := st.silence(); since != "" {
			d.Field("", "nothing was written for "+since+": whether belay still writes to it is not known", d.Styles.Warn)
		}
		if st.Open && st.State != Following {
			d.Field("", "the recording ends here, and belay had not ended then", d.Styles.Warn)
		}
		d.Heading("what is not as it was recorded")
		if st.Faulty+st.Gaps == 0 {
			d.Add(0, doc.Span{Text: "nothing up to this place: each message that belay wrote then comes out the same now", Style: d.Styles.Muted})
			return
		}
		for _, f := range st.Faults {
			d.Add(2, doc.Span{Text: faultWords(f), Style: d.Styles.Bad})
		}
		if more := st.Faulty + st.Gaps - len(st.Faults); more > 0 {
			d.Add(0, doc.Span{Text: "and " + wording.Count(more, "more line"), Style: d.Styles.Muted})
		}
		const mayDiffer = " on, states and verdicts may be others than they were."
		for _, c := range []struct {
			count int
			text  safe.Text
		}{
			{st.Gaps, "Lines of the recording are missing, or not in their order. From the first of these places" + mayDiffer},
			{st.unplayed(), "From the first line that is not played" + mayDiffer},
			{st.Differs, "From the first difference" + mayDiffer + " What was masked, or a belay of another version, can be why."},
		} {
			if c.count > 0 {
				d.Blank()
				d.Add(0, doc.Span{Text: c.text, Style: d.Styles.Text})
			}
		}
	}})
}
