package session

import (
	"slices"
	"time"

	"belay/session/witness"
)

// ProcessSample tells what was seen of the processes of a server, and how long ago. What
// follows from it is in [belay/session/witness].
type ProcessSample struct {
	never
	Epoch Epoch         `json:"epoch"`
	Ago   time.Duration `json:"ago,omitempty"`
	witness.Sample
}

func (in ProcessSample) apply(s *Session) Reply {
	if in.Epoch != s.conn.epoch || s.conn.phase == Disconnected {
		return Reply{}
	}
	at := s.now.Add(-max(0, in.Ago))
	if last := s.processes.Census().At; at.Before(last) { // it is told behind a later one, by which calls are judged already
		at = last
	}
	var news []witness.News
	if s.conn.phase == Closing { // belay ends the server, and what that does is no conduct of its
		news = s.processes.Disconnected(false)
	} else {
		news = s.processes.Sampled(at, in.Sample)
	}
	s.rows.onProcesses(s.now, news)
	s.logSampled()
	return Reply{News: len(news) > 0}
}

func (in ProcessSample) masked(m masker) Input {
	in.Sample = m.sample(in.Sample)
	return in
}

// sample masks the names and command lines of processes.
func (m masker) sample(s witness.Sample) witness.Sample {
	s.Processes, s.Connections, s.Lacks = slices.Clone(s.Processes), slices.Clone(s.Connections), slices.Clone(s.Lacks)
	for i := range s.Processes {
		p := &s.Processes[i]
		p.Name, p.Command = m.text(p.Name), m.text(p.Command)
	}
	for i := range s.Connections {
		c := &s.Connections[i]
		c.Local, c.Remote = m.text(c.Local), m.text(c.Remote)
	}
	for i := range s.Lacks {
		s.Lacks[i] = m.text(s.Lacks[i])
	}
	return s
}

// processes are those of the server: what was seen of them, and of which calls.
//
//shape:machine 1
type processes struct{ witness.Machine }

// onMove notes that a call entered a state. Those of belay's own do not matter, and what
// subscribes has no work. It returns the call of which less can be told from now on, as another
// one begins; 0: there is none.
func (p *processes) onMove(c *call, to State, now time.Time) (less CallID) {
	switch {
	case !c.isWork() || c.sub != nil || c.about != nil:
	case to == Running:
		return CallID(p.Begun(int(c.id), now))
	case to.IsTerminal():
		p.Over(int(c.id), now)
	}
	return 0
}

// onLess has a row shown anew of which less can be told from now on, as returned by onMove.
func (r *rows) onLess(id CallID) {
	if c := r.get(id); c != nil {
		c.touch()
	}
}

// onProcesses puts on the timelines what processes did until now. News without a text are that figures
// are others, and that a verdict may be.
func (r *rows) onProcesses(now time.Time, news []witness.News) {
	for _, n := range news {
		c := r.get(CallID(n.Call))
		if c == nil {
			continue
		}
		if n.Text != "" {
			at := n.At
			if at.After(now) { // as only the file can say that was written by others
				at = now
			}
			momentAt(c, at, 0, MomentView{Dir: Local, Kind: MomNote, Text: n.Text})
		}
		c.touch()
	}
}
