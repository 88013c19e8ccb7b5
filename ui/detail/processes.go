package detail

import (
	"strconv"
	"time"

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
	after := wording.Lag(v.Since) + " after"
	d.Field("", "before"+arrow+"at the cancel"+arrow+after, st.Muted)
	for _, line := range []struct {
		name  safe.Text
		value func(t *witness.Totals) safe.Text
	}{
		{"CPU time", func(t *witness.Totals) safe.Text { return cpu(t.CPU) }},
		{"memory", func(t *witness.Totals) safe.Text { return told(wording.Size(int(t.Memory)), t, t.NoMemory) }},
		{"processes", func(t *witness.Totals) safe.Text { return wording.Thousands(t.Processes) }},
		{"threads", func(t *witness.Totals) safe.Text { return told(wording.Thousands(t.Threads), t, t.NoThreads) }},
		{"files", func(t *witness.Totals) safe.Text { return counted(t, t.Files) }},
		{"connected", func(t *witness.Totals) safe.Text { return counted(t, t.Connections) }},
	} {
		text := seen(v.Before, line.value) + arrow + seen(v.At, line.value) + arrow + seen(v.After, line.value)
		d.Field(line.name, text, st.Text)
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
	for _, what := range v.Lacks {
		d.Field("not seen", safe.LineN(what, 100), st.Muted)
	}
	untoldField(d, "memory", v, func(t *witness.Totals) int { return t.NoMemory })
	untoldField(d, "threads", v, func(t *witness.Totals) int { return t.NoThreads })
	if v.Blind {
		d.Field("not seen", "the server has more processes than belay looks at", st.Warn)
	}
}

// told writes a figure that the system does not tell of so many of the processes.
func told(figure safe.Text, t *witness.Totals, untold int) safe.Text {
	switch {
	case untold == 0:
		return figure
	case untold >= t.Processes:
		return "?"
	}
	return ">" + figure
}

// untoldField says that a figure cannot be seen, of all processes or of some.
func untoldField(d *write.Writer, what safe.Text, v *witness.View, untold func(*witness.Totals) int) {
	none, some := true, false
	for _, t := range []*witness.Totals{v.Before, v.At, v.After} {
		if t != nil && t.Processes > 0 {
			none, some = none && untold(t) >= t.Processes, some || untold(t) > 0
		}
	}
	switch {
	case !some:
	case none:
		d.Field("not seen", what, d.Styles.Muted)
	default:
		d.Field("not seen", what+" of some processes", d.Styles.Muted)
	}
}

// begunFields tell of each process that began during the call, and of its connections.
func (c *content) begunFields(d *write.Writer, v *witness.View) {
	st := d.Styles
	if v.Shared {
		d.Field("began", "other calls were in flight: what is whose cannot be told", st.Warn)
		return
	}
	name := safe.Text("began")
	for i := range v.Processes {
		p := &v.Processes[i]
		text, style := wording.ProcessName(p)+", "+start(p.Began)+" after the call was sent · ", st.Text
		switch {
		case p.Lives && v.Follows:
			text, style = text+"runs, "+wording.Lag(p.Age)+" old", st.Warn
		case p.Lives: // nobody has looked since
			text, style = text+"was running, "+wording.Lag(p.Age)+" old", st.Warn
		case p.Ended < 0:
			text += "had ended before the cancel, at most " + wording.Lag(p.Age) + " old"
		default:
			text += "had ended " + wording.Lag(p.Ended) + " after the cancel"
		}
		d.Field(name, text, style)
		name = ""
	}
	if v.Gone > 0 {
		d.Field(name, "and "+wording.Thousands(v.Gone)+" more that had ended", st.Text)
	}
	if v.Opened > 0 {
		d.Field("opened", wording.Count(v.Opened, "connection")+", of which "+wording.Thousands(v.Open)+" open", st.Text)
	}
}

// start writes how long after the call a process began, in hundredths of a second, in which
// systems count it.
func start(d time.Duration) safe.Text {
	const exact = 10 * time.Millisecond
	if d < exact {
		return "<" + wording.Lag(exact)
	}
	return wording.Lag(d.Round(exact))
}

// seen writes a figure of one moment, if there was a sample then.
func seen(t *witness.Totals, value func(*witness.Totals) safe.Text) safe.Text {
	if t == nil {
		return "?"
	}
	return value(t)
}

func counted(t *witness.Totals, n int) safe.Text {
	if !t.Counted {
		return "?"
	}
	return wording.Thousands(n)
}

// cpu writes CPU time in hundredths of a second, in which systems count it.
func cpu(d time.Duration) safe.Text {
	return safe.Text(strconv.FormatFloat(d.Seconds(), 'f', 2, 64)) + "s"
}
