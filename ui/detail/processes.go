package detail

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session/witness"
	"belay/ui/write"
)

// processFields tell what the processes of the server used before the call, at its cancel and
// after that, and which of them began during the call.
func (c *content) processFields(d *write.Writer) {
	v, st := c.call.Processes, d.Styles
	if v == nil {
		return
	}
	d.Heading("processes of the server")
	arrow := " " + d.Glyphs.Out + " "
	for _, g := range wording.ProcessFigures(v) {
		w := g.Words()
		d.Field("", w.Before+arrow+w.At+arrow+w.After, st.Muted)
		for _, f := range g.Figures {
			d.Field(f.Name, f.Before+arrow+f.At+arrow+f.After, st.Text)
		}
	}
	c.begunFields(d, v)
	every := "every " + wording.Lag(v.Every)
	if v.EveryWide > 0 {
		every += ", files and connections every " + wording.Lag(v.EveryWide)
	}
	if v.Follows {
		every += ", until 10s after the cancel"
	}
	d.Field("sampled", every, st.Muted)
	d.Field("", wording.ShortLived, st.Muted)
	for _, what := range wording.ProcessesUnseen(v) {
		d.Field("not seen", what, st.Muted)
	}
	if v.Blind {
		d.Field("not seen", wording.TooManyProcesses(), st.Warn)
	}
}

// begunFields tell of each process that began during the call, and of its connections. Beside other calls nobody
// can tell whose a connection is, or a process that began later than these.
func (c *content) begunFields(d *write.Writer, v *witness.View) {
	st := d.Styles
	name := safe.Text("began")
	for i := range v.Processes {
		p := &v.Processes[i]
		style := st.Text
		if p.Lives {
			style = st.Warn
		}
		d.Field(name, wording.ProcessName(p)+", "+wording.ProcessFate(p, v), style)
		name = ""
	}
	if v.Gone > 0 {
		d.Field(name, "and "+wording.MoreProcesses(v.Gone, v.Blind)+" that had ended", st.Text)
	}
	if v.Shared {
		d.Field(name, wording.WhoseProcesses(len(v.Processes)+v.Gone > 0), st.Warn)
		return
	}
	if opened := wording.Opened(v); opened != "" {
		d.Field("opened", opened, st.Text)
	}
}
