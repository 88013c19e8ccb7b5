package wording

import (
	"strconv"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/cancel"
	"belay/session/witness"
)

// ProcessName names a process by its command line, with its number, as the evidence does.
func ProcessName(p *witness.ProcessView) safe.Text { return safe.Line(p.Words()) }

// Figure is what the processes of a server used before a call, at its cancel and after that;
// "?" is a figure that is not known.
type Figure struct{ Name, Before, At, After safe.Text }

// FigureGroup is figures that were sampled at the same moments.
type FigureGroup struct {
	Moments
	Figures []Figure
}

// Moments are when figures were sampled: Before so long before the call, and the others so long after
// its cancel, negative before it.
type Moments struct{ Before, At, After time.Duration }

// ProcessFigures are all figures of the processes of a server. Those that are counted less often, files and
// connections, are a group of their own where its moments read otherwise.
func ProcessFigures(v *witness.View) []FigureGroup {
	sampled := FigureGroup{Moments{v.BeforeAge, v.AtSince, v.Since}, figures(v, []kindOfFigure{
		{"CPU time", func(t *witness.Totals) safe.Text { return cpu(t.CPU) }},
		{"memory", func(t *witness.Totals) safe.Text { return orUntold(Size(int(t.Memory)), t, t.NoMemory) }},
		{"processes", func(t *witness.Totals) safe.Text { return Thousands(t.Processes) }},
		{"threads", func(t *witness.Totals) safe.Text { return orUntold(Thousands(t.Threads), t, t.NoThreads) }},
	})}
	counts := FigureGroup{
		Moments{v.BeforeAge + v.Before.CountedFor(), v.AtSince - v.At.CountedFor(), v.Since - v.After.CountedFor()},
		figures(v, []kindOfFigure{
			{"files", func(t *witness.Totals) safe.Text { return counted(t, t.Files, t.NoFiles) }},
			{"connected", func(t *witness.Totals) safe.Text { return counted(t, t.Connections, t.NoConnections) }},
		}),
	}
	if counts.Words() == sampled.Words() {
		sampled.Figures = append(sampled.Figures, counts.Figures...)
		return []FigureGroup{sampled}
	}
	return []FigureGroup{sampled, counts}
}

type kindOfFigure struct {
	name  safe.Text
	value func(t *witness.Totals) safe.Text
}

func figures(v *witness.View, kinds []kindOfFigure) (all []Figure) {
	for _, k := range kinds {
		all = append(all, Figure{k.name, atMoment(v.Before, k.value), atMoment(v.At, k.value), atMoment(v.After, k.value)})
	}
	return all
}

// Words say when the figures are of, as briefly as a line needs them. They have no name.
func (m Moments) Words() Figure {
	after := Lag(m.After) + " after"
	if m.After < 0 {
		after = AtCancel(m.After)
	}
	return Figure{Before: beforeCall(m.Before), At: AtCancel(m.At), After: after}
}

// Heads are [Moments.Words] as the heads of columns.
func (m Moments) Heads() Figure {
	w := m.Words()
	w.Before += " the call"
	if m.After >= 0 {
		w.After += " it"
	}
	return w
}

// beforeCall says how long before a call the figures before it were sampled, where that is long: while nothing
// is in flight nobody looks.
func beforeCall(age time.Duration) safe.Text {
	if age < time.Second {
		return "before"
	}
	return Lag(age) + " before"
}

// AtCancel says when figures were sampled, or something was seen, which may have been before or after the cancel.
func AtCancel(since time.Duration) safe.Text {
	const soon = 10 * time.Millisecond
	switch {
	case since <= -soon:
		return Lag(-since) + " before the cancel"
	case since < soon:
		return "at the cancel"
	}
	return Lag(since) + " after the cancel"
}

// atMoment writes a figure of one moment, if there was a sample then.
func atMoment(t *witness.Totals, value func(*witness.Totals) safe.Text) safe.Text {
	if t == nil {
		return "?"
	}
	return value(t)
}

func counted(t *witness.Totals, n, untold int) safe.Text {
	if !t.Counted {
		return "?"
	}
	return orUntold(Thousands(n), t, untold)
}

// cpu writes CPU time in hundredths of a second, in which systems count it.
func cpu(d time.Duration) safe.Text {
	return safe.Text(strconv.FormatFloat(d.Seconds(), 'f', 2, 64)) + "s"
}

// orUntold writes a figure that the system does not tell of so many of the processes.
func orUntold(figure safe.Text, t *witness.Totals, untold int) safe.Text {
	switch {
	case untold == 0:
		return figure
	case untold >= t.Processes, figure == "0", figure == Size(0): // at least nothing is no figure
		return "?"
	}
	return "≥" + figure
}

// ProcessesUnseen names what cannot be seen of the processes of a server.
func ProcessesUnseen(v *witness.View) (all []safe.Text) {
	for _, what := range v.Lacks {
		all = append(all, safe.LineN(what, 100))
	}
	if v.Shared && v.Before == nil {
		all = append(all, "what was used before it: it joined other calls, or nothing was sampled then")
	}
	if v.Next {
		all = append(all, "what was used later: another call was sent")
	}
	all = addUntold(all, "memory", v, func(t *witness.Totals) int { return t.NoMemory })
	all = addUntold(all, "threads", v, func(t *witness.Totals) int { return t.NoThreads })
	all = addUntold(all, "open files", v, func(t *witness.Totals) int { return t.NoFiles })
	return addUntold(all, "connections", v, func(t *witness.Totals) int { return t.NoConnections })
}

// addUntold adds a figure that the system does not tell, of all processes or of some.
func addUntold(all []safe.Text, what safe.Text, v *witness.View, of func(*witness.Totals) int) []safe.Text {
	none, some := true, false
	for _, t := range []*witness.Totals{v.Before, v.At, v.After} {
		if t != nil && t.Processes > 0 {
			none, some = none && of(t) >= t.Processes, some || of(t) > 0
		}
	}
	switch {
	case !some:
		return all
	case none:
		return append(all, what)
	}
	return append(all, what+" of some processes")
}

// ProcessFate says when a process of a call began, and what became of it. How old one was that
// lives is told in the evidence, of the end of the grace, and nowhere else.
func ProcessFate(p *witness.ProcessView, v *witness.View) safe.Text {
	text := start(p.Began) + " after the call was sent · "
	switch {
	case p.Lives && v.Follows: // a recording may be cut here
		return text + "runs, as of " + AtCancel(v.Since)
	case p.Lives: // nobody has looked since
		return text + "was running " + Lag(v.Since) + " after the cancel"
	case p.Unseen:
		return text + "was seen last " + AtCancel(p.Seen) + ", and was gone " + AtCancel(p.Ended)
	case p.Ended < 0:
		return text + "had ended before the cancel, at most " + Lag(p.Age) + " old"
	}
	return text + "had ended " + Lag(p.Ended) + " after the cancel"
}

// start writes how long after the call a process began, in hundredths of a second, in which
// systems count it.
func start(d time.Duration) safe.Text {
	const exact = 10 * time.Millisecond
	if d < exact {
		return "<" + Lag(exact)
	}
	return Lag(d.Round(exact))
}

// WhoseProcesses says why no process is taken for that of a call beside others, or where some of its own
// are named, why no later one is.
func WhoseProcesses(someNamed bool) safe.Text {
	if someNamed {
		return "another call was sent meanwhile: of what began from then on, whose it is cannot be told"
	}
	return "other calls were in flight: what is whose cannot be told"
}

// ShortLived is what samples do not tell that are taken so often.
const ShortLived = "a process that lived for less may have been missed"

// TooManyProcesses says that not all of them were watched.
func TooManyProcesses() safe.Text {
	return "the server had more processes than the " + safe.Text(strconv.Itoa(witness.MostProcesses)) + " that belay looks at"
}

// MoreProcesses counts processes of a call that are not named; of a server of which not all
// could be watched there may be others.
func MoreProcesses(n int, blind bool) safe.Text { return atLeast(blind) + Thousands(n) + " more" }

// OpenedConnections counts the connections that were opened during a call.
func OpenedConnections(n int, more bool) safe.Text { return atLeast(more) + Count(n, "connection") }

func atLeast(is bool) safe.Text {
	if is {
		return "at least "
	}
	return ""
}

// OpenStill counts those of them that were open, of which there may be more, and says when they were counted.
func OpenStill(open int, more bool, since time.Duration) safe.Text {
	return "of which " + atLeast(more) + Thousands(open) + " open " + AtCancel(since)
}

// OpenedEarlier says of how many connections of a call nobody knows whether they were opened before it; empty: of none.
func OpenedEarlier(n, all int) safe.Text {
	switch {
	case n == 0:
		return ""
	case n == all && n == 1:
		return ", and may have been opened before the call, when nobody counted"
	case n == all:
		return ", all of which may have been opened before the call, when nobody counted"
	}
	return ", and " + Thousands(n) + " of them may have been opened before the call, when nobody counted"
}

// Opened counts the connections that were opened during a call; empty: none were.
func Opened(v *witness.View) safe.Text {
	if v.Opened == 0 {
		return ""
	}
	return OpenedConnections(v.Opened, v.MoreOpened) + ", " + OpenStill(v.Open, v.MoreOpened, v.OpenSince) + OpenedEarlier(v.OpenedEarlier, v.Opened)
}

// stillRuns is the verb of what lived when it was seen last.
func stillRuns(v *witness.View) safe.Text {
	if v.Follows {
		return "still runs"
	}
	return "was still running " + Lag(v.Since) + " after the cancel"
}

// living tells of the processes that began during a call and still run; empty: none does.
func living(v *witness.View) safe.Text {
	first, more := safe.Text(""), 0
	for i := range v.Processes {
		switch p := &v.Processes[i]; {
		case !p.Lives:
		case first == "":
			first = ProcessName(p)
		default:
			more++
		}
	}
	if first == "" {
		return ""
	}
	if more > 0 {
		first += ", and " + MoreProcesses(more, v.Blind)
	}
	return "a process that began after the call was sent " + stillRuns(v) + ", " + first + ": it may be meant to stay"
}

// besideAnswer tells of such processes where the call was answered after its cancel; empty: there are
// none, or other calls were in flight.
func besideAnswer(c *session.Detail) safe.Text {
	if c.Processes == nil || c.Processes.Shared {
		return ""
	}
	if words := living(c.Processes); words != "" {
		return "; " + words
	}
	return ""
}

// byProcesses says what a verdict means that stands on what the processes of the server did;
// of any other it says nothing.
func byProcesses(c *session.Detail) safe.Text {
	if c.Processes == nil {
		return ""
	}
	switch list := c.Processes.Processes; {
	case c.Verdict == cancel.StillWorking && c.Processes.Finding == witness.Working:
		return "the processes of the server worked on: a server may ignore a cancel"
	case c.Verdict == cancel.LeftProcess:
		if words := living(c.Processes); words != "" {
			return words
		}
		return "a process that began after the call was sent was still running, and has ended since"
	case c.Verdict == cancel.EndedAfter:
		var last time.Duration
		latest := safe.Text("")
		since := 0 // the grace, or they would have counted
		for i := range list {
			if list[i].Lives || list[i].Later {
				since++
			} else if list[i].Ended > last {
				last, latest = list[i].Ended, ""
				if list[i].Unseen {
					latest = " at the latest"
				}
			}
		}
		text := "no process that was seen to begin during the call still runs, since " + Lag(last) + " after the cancel" + latest + ": they may have finished by themselves"
		switch since {
		case 0:
			return text
		case 1:
			return text + "; after the grace another process began"
		}
		return text + "; after the grace " + Thousands(since) + " more processes began"
	}
	return ""
}
