package report

import (
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session/mcp"
	"belay/session/witness"
)

// Processes are what was seen of the processes of a server around a cancelled call.
type Processes struct {
	Before, At, After *Usage                // the call, its cancel, and later; nil: there was no sample
	BeforeAge         time.Duration         // from the sample of Before to the call
	AtSince, Since    time.Duration         // from the cancel to the sample of At, and to the last one
	Every             time.Duration         // the interval of the samples
	Figures           []wording.FigureGroup // the first of which has the moments above
	Began             []Begun               // during the call
	Gone              int                   // … and how many have ended that are not among them
	Opened, Open      int                   // connections that were opened during the call, and those of them that were open
	OpenSince         time.Duration         // from the cancel to when Open was counted; negative: so long before it
	OpenedEarlier     int                   // those of the first that may have been opened before the call
	Blind, MoreOpened bool                  // there were more processes than are known, and more connections may have been
	Shared            bool                  // other calls were in flight: of what began from then on, whose it is cannot be told
	Unseen            []safe.Text
}

// Usage is what the processes used at one moment.
type Usage struct {
	CPU                time.Duration // since they began, with what has ended since
	Processes          int
	Memory             uint64
	Threads            int
	Files, Connections int
	Counted            bool          // files and connections are known
	CountedFor         time.Duration // … and had been counted for so long

	NoMemory, NoThreads, NoFiles, NoConnections int // of how many processes the system does not tell these
}

// Begun is a process that began during a call.
type Begun struct {
	Name  safe.Text // its command line, or its name; quoted
	PID   int
	Began time.Duration // since the call was sent
	Lives bool          // when it was seen last
	Age   time.Duration // when it ended; of one that lives, or is Unseen, when it was seen last
	Ended time.Duration // since the cancel, negative before it; of one that does not live
	Fate  safe.Text     // all that in words

	Unseen bool          // nobody looked for long before it was found gone
	Seen   time.Duration // since the cancel, when it was seen last
}

// processesOf tells of processes whose secrets are hidden; nil: nothing was seen.
func processesOf(v *witness.View) *Processes {
	if v == nil {
		return nil
	}
	p := &Processes{
		Before: usageOf(v.Before), At: usageOf(v.At), After: usageOf(v.After), BeforeAge: v.BeforeAge, AtSince: v.AtSince, Since: v.Since, Every: v.Every,
		Figures: wording.ProcessFigures(v), Gone: v.Gone, Shared: v.Shared, Blind: v.Blind,
		Opened: v.Opened, OpenedEarlier: v.OpenedEarlier, Open: v.Open, OpenSince: v.OpenSince, MoreOpened: v.MoreOpened, Unseen: wording.ProcessesUnseen(v),
	}
	if v.Blind {
		p.Unseen = append(p.Unseen, wording.TooManyProcesses())
	}
	for i := range v.Processes {
		b := &v.Processes[i]
		p.Began = append(p.Began, Begun{
			safe.QuotedCut(b.Name, nameMost), b.PID, b.Began, b.Lives, b.Age, b.Ended,
			wording.ProcessName(b) + ", " + wording.ProcessFate(b, v), b.Unseen, b.Seen,
		})
	}
	return p
}

// unseenWords say of a call that was cancelled why nothing stands in the report of processes, as far as is known.
func unseenWords(c *Call, over mcp.Transport) safe.Text {
	const so safe.Text = ": what is told of this call stands on its messages alone."
	switch {
	case c.Cancel == nil || c.Processes != nil:
		return ""
	case over != mcp.Stdio:
		return "Over HTTP belay does not see the processes of a server" + so
	}
	return "No sample of them was taken after the cancel" + so
}

func usageOf(t *witness.Totals) *Usage {
	if t == nil {
		return nil
	}
	return &Usage{t.CPU, t.Processes, t.Memory, t.Threads, t.Files, t.Connections, t.Counted, t.CountedFor(), t.NoMemory, t.NoThreads, t.NoFiles, t.NoConnections}
}

// Words tell what the figures do not: the processes that began during the call, and what is
// not known.
func (p *Processes) Words() (all []safe.Text) {
	for i := range p.Began {
		all = append(all, p.Began[i].Fate)
	}
	if p.Gone > 0 {
		all = append(all, wording.MoreProcesses(p.Gone, p.Blind)+" began during the call, and had ended")
	}
	switch {
	case p.Shared:
		all = append(all, wording.WhoseProcesses(len(all) > 0))
	case p.Opened > 0:
		all = append(all, wording.OpenedConnections(p.Opened, p.MoreOpened)+" opened during the call, "+wording.OpenStill(p.Open, p.MoreOpened, p.OpenSince)+wording.OpenedEarlier(p.OpenedEarlier, p.Opened))
	}
	if p.Every > 0 {
		all = append(all, "sampled every "+wording.Lag(p.Every)+": "+wording.ShortLived)
	}
	for _, what := range p.Unseen {
		all = append(all, "not seen: "+what)
	}
	return all
}

// The fields of JSON.
type (
	jsonProcesses struct {
		Before  *jsonUsage  `json:"beforeCall,omitempty"`
		At      *jsonUsage  `json:"atCancel,omitempty"`
		After   *jsonUsage  `json:"afterCancel,omitempty"`
		Age     float64     `json:"beforeCallSeconds,omitempty"`
		AtSince float64     `json:"atCancelSeconds,omitempty"`
		Since   float64     `json:"afterCancelSeconds"`
		Every   float64     `json:"everySeconds,omitempty"`
		Began   []jsonBegun `json:"began"`
		Gone    int         `json:"moreBegan,omitempty"`
		Opened  int         `json:"connectionsOpened,omitempty"`
		Earlier int         `json:"connectionsMayBeEarlier,omitempty"`
		Open    int         `json:"connectionsOpen,omitempty"`
		Shared  bool        `json:"otherCallsInFlight,omitempty"`
		NotSeen []safe.Text `json:"notSeen,omitempty"`
	}
	jsonUsage struct {
		CPU         float64 `json:"cpuSeconds"`
		Processes   int     `json:"processes"`
		Memory      *uint64 `json:"memoryBytes,omitempty"`
		NoMemory    int     `json:"memoryNotOf,omitempty"`
		Threads     *int    `json:"threads,omitempty"`
		NoThreads   int     `json:"threadsNotOf,omitempty"`
		Files       *int    `json:"files,omitempty"`
		NoFiles     int     `json:"filesNotOf,omitempty"`
		Connections *int    `json:"connections,omitempty"`

		NoConnections int     `json:"connectionsNotOf,omitempty"`
		CountedFor    float64 `json:"countedForSeconds,omitempty"`
	}
	jsonBegun struct {
		Name  safe.Text `json:"command"`
		PID   int       `json:"pid"`
		Began float64   `json:"afterCallSeconds"`
		Lives bool      `json:"runs"`
		Age   float64   `json:"ageSeconds"`
		Ended *float64  `json:"endedAfterCancelSeconds,omitempty"`
		Seen  *float64  `json:"seenAfterCancelSeconds,omitempty"`
		Gone  *float64  `json:"goneAfterCancelSeconds,omitempty"`
	}
)

func (p *Processes) json() *jsonProcesses {
	if p == nil {
		return nil
	}
	out := &jsonProcesses{
		Before: p.Before.json(), At: p.At.json(), After: p.After.json(), Age: secs(p.BeforeAge), AtSince: secs(p.AtSince), Since: secs(p.Since), Every: secs(p.Every), Began: []jsonBegun{},
		Gone: p.Gone, Shared: p.Shared, NotSeen: p.Unseen,
	}
	if !p.Shared { // else whose they are cannot be told
		out.Opened, out.Earlier, out.Open = p.Opened, p.OpenedEarlier, p.Open
	}
	for _, b := range p.Began {
		j := jsonBegun{Name: b.Name, PID: b.PID, Began: secs(b.Began), Lives: b.Lives, Age: secs(b.Age)}
		switch seen, ended := secs(b.Seen), secs(b.Ended); {
		case b.Lives:
		case b.Unseen:
			j.Seen, j.Gone = &seen, &ended
		default:
			j.Ended = &ended
		}
		out.Began = append(out.Began, j)
	}
	return out
}

func (u *Usage) json() *jsonUsage {
	if u == nil {
		return nil
	}
	out := &jsonUsage{CPU: secs(u.CPU), Processes: u.Processes, NoMemory: u.NoMemory, NoThreads: u.NoThreads}
	if u.NoMemory < u.Processes {
		out.Memory = &u.Memory
	}
	if u.NoThreads < u.Processes {
		out.Threads = &u.Threads
	}
	if u.Counted {
		out.CountedFor, out.NoFiles, out.NoConnections = secs(u.CountedFor), u.NoFiles, u.NoConnections
	}
	if u.Counted && u.NoFiles < u.Processes {
		out.Files = &u.Files
	}
	if u.Counted && u.NoConnections < u.Processes {
		out.Connections = &u.Connections
	}
	return out
}
