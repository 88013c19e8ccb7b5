package wording

import (
	"strconv"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/cancel"
	"belay/session/witness"
)

// ProcessName names a process by its command line, with its number.
func ProcessName(p *witness.ProcessView) safe.Text {
	return safe.QuotedCut(p.Name, 60) + " (pid " + safe.Text(strconv.Itoa(p.PID)) + ")"
}

// stillRuns is the verb of what lived when it was seen last.
func stillRuns(v *witness.View) safe.Text {
	if v.Follows {
		return "still runs"
	}
	return "was still running " + Lag(v.Since) + " after the cancel"
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
		lives, more := safe.Text(""), 0
		for i := range list {
			switch {
			case !list[i].Lives:
			case lives == "":
				lives = ", " + ProcessName(&list[i]) + ", " + Lag(list[i].Age) + " old"
			default:
				more++
			}
		}
		if lives == "" {
			return "a process that began during the call was still running, and has ended since"
		}
		if more > 0 {
			lives += ", and " + Thousands(more) + " more"
		}
		return "a process that began during the call " + stillRuns(c.Processes) + lives + ": it may be meant to stay"
	case c.Verdict == cancel.EndedAfter:
		var last time.Duration
		for i := range list {
			last = max(last, list[i].Ended)
		}
		return "no process that began during the call still runs, since " + Lag(last) + " after the cancel: they may have finished by themselves"
	}
	return ""
}
