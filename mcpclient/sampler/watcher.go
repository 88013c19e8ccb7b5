package sampler

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"

	"belay/session/witness"
)

// mostRead is how many processes that are new on the machine are read at once. The rest
// is read at the next look.
const mostRead = 1000

// Watcher watches the processes of one server. It is used by one goroutine, which stays
// on its thread.
type Watcher struct {
	src    source
	costs  cost
	show   func(args []string) string
	root   int
	born   int64  // the start of the server's process; 0: not known
	mark   string // that its processes have in their environments; empty: they have none
	births *Births
	lives  *Lives
	now    time.Time    // of the sample
	known  []*known     // that live, in the order in which they were found
	other  map[int]bool // the processes of others
	again  bool         // one that is new is to be looked at: it could not be told whose it is, or there is room now
	more   int

	narrow, wide schedule
	wideAt       time.Time // when files and connections are counted again
	looked       time.Time // when it was told to look
	paid         time.Time // until then all that samples have cost has its share
}

// known is a process of the server's.
type known struct {
	last reading
	told int // how often its command line was
	name string

	command string // as it was told last
	files   int
	late    time.Duration // by how much it began later than the system says

	noFiles, noConnections bool // the system did not let these be counted
}

// New watches the process with a number, which leads its process group and its session, as
// long as that process is there. Mark is of [NewMark], and in its environment. Show makes a text of a
// command line, in which nothing is secret. Births and lives may be noted meanwhile.
func New(pid int, mark string, births *Births, lives *Lives, show func(args []string) string) *Watcher {
	return watch(newSource(), pid, mark, births, lives, show)
}

func watch(src source, pid int, mark string, births *Births, lives *Lives, show func(args []string) string) *Watcher {
	w := &Watcher{
		src: src, costs: newCost(), show: show, root: pid, mark: mark, births: births, lives: lives, now: time.Now(),
		other: map[int]bool{}, narrow: schedule{base: shortest}, wide: schedule{base: wide},
	}
	src.begin(w.now)
	if r, err := src.read(pid); err == nil {
		w.born = r.Start
		w.add(r)
	}
	return w
}

func (w *Watcher) add(r reading) {
	if len(w.known) >= witness.MostProcesses {
		w.more++
		return
	}
	began := w.now.Add(-r.Age)
	w.known = append(w.known, &known{last: r, late: w.births.since(r.PID, began).Sub(began)})
}

// Every is how long it is until the next sample, at a time.
func (w *Watcher) Every(now time.Time) time.Duration {
	since := now.Sub(w.looked)
	if since < early {
		return shortest
	}
	w.narrow.base = shortest
	if since > fresh {
		w.narrow.base = resting
	}
	return w.narrow.every()
}

// Wait is how long it is until a look may be taken, of which any number may be asked for:
// zero, unless those of the last seconds have cost more than their share.
func (w *Watcher) Wait(now time.Time) time.Duration { return max(0, w.paid.Sub(now)) }

// spent notes what was spent at a time. A machine that stood still counts as spent, too: what
// that takes is paid back within the longest interval, or a call would be over unseen.
func (w *Watcher) spent(now time.Time, cost time.Duration) {
	if before := now.Add(-burst); w.paid.Before(before) {
		w.paid = before
	}
	w.paid = w.paid.Add(time.Duration(float64(cost) / (2 * share)))
	if most := now.Add(longest); w.paid.After(most) {
		w.paid = most
	}
}

// Sample samples all of the processes at a time that is now, or was a moment ago.
func (w *Watcher) Sample(now time.Time) witness.Sample { return w.sample(now, false) }

// Look is a sample that looks for new processes in any case, and counts files and connections, whatever
// that costs.
func (w *Watcher) Look(now time.Time) witness.Sample { return w.sample(now, true) }

// Noted is a sample of the moment at which its lives were noted, once; false: they were not since the last one.
// New processes, files and connections are not looked for in it.
func (w *Watcher) Noted() (at time.Time, s witness.Sample, ok bool) {
	at, s.Processes, ok = w.lives.take()
	if ok {
		s.Idle, s.Processors = w.src.idle()
		w.complete(&s, at)
	}
	return at, s, ok
}

// complete adds to a sample what it tells of itself.
func (w *Watcher) complete(s *witness.Sample, now time.Time) {
	s.Every, s.EveryWide, s.More = w.Every(now), w.wide.every(), w.more
	s.Lacks = append(s.Lacks, w.src.lacks()...)
}

func (w *Watcher) sample(now time.Time, look bool) witness.Sample {
	if look {
		w.looked = now
	}
	end := w.costs.begin()
	w.now = now
	w.src.begin(now)
	s := witness.Sample{}
	s.Idle, s.Processors = w.src.idle()
	if quiet := w.src.quiet(); look || w.again || !quiet {
		s.Looked = w.findNew()
	}
	w.read(&s)
	w.again = w.again || w.more > 0 && len(w.known) < witness.MostProcesses
	took := end()
	if first := w.wideAt.IsZero(); !first { // which reads every process of the machine, once
		w.spent(now, took)
		w.narrow.took(took)
	}
	if look || !now.Before(w.wideAt) {
		end = w.costs.begin()
		w.widen(&s)
		took = end()
		w.spent(now, took)
		w.wide.took(took)
		w.wideAt = now.Add(w.wide.every())
	}
	w.complete(&s, now)
	w.lives.watch(w.known)
	return s
}

// findNew finds the processes that are new, and reports whether it could.
func (w *Watcher) findNew() bool {
	pids, err := w.src.all()
	if err != nil {
		return false
	}
	mine := make(map[int]bool, len(w.known))
	for _, k := range w.known {
		mine[k.last.PID] = true
	}
	var fresh []reading
	rest := false // that is read at the next look
	others := make(map[int]bool, len(pids))
	w.more = 0
	for _, pid := range pids {
		switch {
		case mine[pid]:
		case w.other[pid]:
			others[pid] = true
		case len(fresh) < mostRead:
			if r, err := w.src.read(pid); err == nil {
				fresh = append(fresh, r)
			}
		default:
			rest = true
		}
	}
	w.other = others
	take := func(is func(r reading) bool) (found bool) {
		fresh = slices.DeleteFunc(fresh, func(r reading) bool {
			if !is(r) {
				return false
			}
			found, mine[r.PID] = true, true
			w.add(r)
			return true
		})
		return found
	}
	related := func(r reading) bool { return mine[r.Parent] || w.shares(r) }
	unsure := map[int]bool{}
	marked := func(r reading) bool { return w.hasMark(r, unsure) }
	// A child may have a lower number than its parent, once the numbers have begun anew.
	for take(related) || take(marked) {
		clear(unsure)
	}
	w.again = len(unsure) > 0 || rest
	for _, r := range fresh {
		if !unsure[r.PID] {
			w.other[r.PID] = true
		}
	}
	return true
}

// shares reports whether a process is in the group or the session of the server, or of a
// process of the server's that leads one.
func (w *Watcher) shares(r reading) bool {
	if r.group == w.root || r.session == w.root {
		return true
	}
	return slices.ContainsFunc(w.known, func(k *known) bool {
		pid := k.last.PID
		return (r.group == pid && k.last.group == pid) || (r.session == pid && k.last.session == pid)
	})
}

// read reads each process that is known, and forgets those that are gone.
func (w *Watcher) read(s *witness.Sample) {
	s.Processes = make([]witness.Process, 0, len(w.known))
	refused := 0
	w.known = slices.DeleteFunc(w.known, func(k *known) bool {
		r, err := w.src.read(k.last.PID)
		if errors.Is(err, errGone) || err == nil && r.Start != k.last.Start {
			return true
		}
		if err == nil {
			if r.cpuRefused {
				r.CPU = k.last.CPU
			}
			k.last = r
		}
		if k.last.cpuRefused {
			refused++
		}
		p := k.last.Process
		p.Name = cut(p.Name)
		p.Age -= k.late
		// What forks is still its parent for a moment, and then runs another program.
		if k.told < 2 || k.name != p.Name {
			k.told, k.name = k.told+1, p.Name
			p.Command = cut(w.words(p.PID, p.Name))
			k.command = p.Command
		}
		p.Files, p.NoFiles, p.NoConnections = k.files, k.noFiles, k.noConnections
		s.Processes = append(s.Processes, p)
		return false
	})
	if refused > 0 {
		s.Lacks = append(s.Lacks, fmt.Sprintf("the CPU time of %d of its processes", refused))
	}
}

// words are the command line of a process. Where all of its program is hidden, the name of that which
// the system has for the process stands before the line.
func (w *Watcher) words(pid int, name string) string {
	all := w.show(w.src.command(pid))
	if program, _, _ := strings.Cut(all, " "); program == "" || strings.Trim(program, "*") != "" {
		return all
	}
	if name = w.show([]string{name}); strings.Trim(name, "*") == "" {
		return all
	}
	return name + " " + all
}

// widen counts files and connections, and reads command lines again: a process may run another program of the
// same name by now, or say something else of itself.
func (w *Watcher) widen(s *witness.Sample) {
	s.Wide = true
	for i, k := range w.known {
		if k.last.Ended {
			continue
		}
		n, filesErr := w.src.files(k.last.PID)
		all, connsErr := w.src.connections(k.last.PID)
		k.files, k.noFiles, k.noConnections = n, isUntold(filesErr), isUntold(connsErr)
		p := &s.Processes[i]
		if command := cut(w.words(p.PID, p.Name)); command != "" && command != k.command {
			p.Command, k.command = command, command
		}
		p.Files, p.NoFiles, p.NoConnections = k.files, k.noFiles, k.noConnections
		room := witness.MostConnections - len(s.Connections)
		s.Connections = append(s.Connections, all[:min(room, len(all))]...)
	}
}

// isUntold reports whether an error is that the system does not tell: what has ended meanwhile has nothing.
func isUntold(err error) bool {
	return err != nil && !errors.Is(err, errGone) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ESRCH)
}

// cut bounds a name or a command line, and makes a text of it that JSON can hold.
func cut(text string) string {
	if text = strings.ToValidUTF8(text, "\uFFFD"); len(text) <= witness.MostCommand {
		return text
	}
	return strings.ToValidUTF8(text[:witness.MostCommand], "") + "…"
}
