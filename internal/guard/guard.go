// Package guard ends what belay leaves behind when it ends without having been
// asked: by SIGKILL, or by a failure of the Go runtime that no handler sees.
//
// The guard is a process, belay's own program run once more, that waits for the
// end of a pipe. It gives the terminal back, and closes the servers whose process
// groups still live, by the same steps as belay: their stdin was closed when belay
// ended, SIGTERM follows after 2 s, and SIGKILL after 2 s more. Then it ends. The
// guard has a session of its own, so that signals of the terminal to belay do not
// reach the guard.
//
// What was weighed instead: Linux can have a process killed when its parent ends
// (PR_SET_PDEATHSIG), but that is when the thread ends that began it, it reaches
// the server and not its children, it asks nobody to end first, and no other
// system has it. Windows needs neither: a job object ends its processes with
// belay.
package guard

import (
	"encoding/json"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
)

// name is the guard's name in a list of processes. It differs from belay's, so that
// killing belay by name does not kill the guard, too.
const name = "terminal-guard"

// Is reports whether this process was started as a guard.
func Is(args []string) bool { return len(args) == 1 && args[0] == name }

// message is what belay tells its guard, one line of JSON each.
type message struct {
	Modes  json.RawMessage `json:"modes,omitempty"`  // of the terminal, as they were
	Undoes string          `json:"undoes,omitempty"` // what undoes what belay has done to it
	Held   *bool           `json:"held,omitempty"`   // the terminal is belay's
	Hides  bool            `json:"hides,omitempty"`  // … for a line that is typed without being shown
	Prints bool            `json:"prints,omitempty"` // what the runtime says of a failure goes to the terminal
	Group  int             `json:"group,omitempty"`  // a process group …
	Stdin  string          `json:"stdin,omitempty"`  // or the stdin of a server that is being started, as the system names it …
	Lives  bool            `json:"lives,omitempty"`  // … that is to end with belay; or that has ended, or has a group by now
}

// Guard is the guard of this process. Messages to a guard that does not run yet
// are kept until it runs.
type Guard struct {
	in, out *os.File
	undoes  string

	mu     sync.Mutex
	held   bool
	hides  bool
	modes  json.RawMessage
	groups map[int]bool
	stdins map[string]bool // of the servers that are being started
	pipe   *os.File        // nil: it does not run
	crash  *os.File        // keeps the crash pipe open where the runtime could not take it
	gone   chan struct{}   // closed when it has ended
	over   bool
	lost   bool // nobody tries any more
	why    string
	warned bool // it was told that a server may go on

	restarts int

	onLost func(sentence string)
	untold []string // sentences for it that were said before it was set

	setCrashOutput func(*os.File, debug.CrashOptions) error
}

// New makes a guard of a terminal, which does not run yet. Undoes is what is
// written to the terminal to undo what belay has done to it.
func New(in, out *os.File, undoes string) *Guard {
	return &Guard{in: in, out: out, undoes: undoes, groups: map[int]bool{}, stdins: map[string]bool{}, setCrashOutput: debug.SetCrashOutput}
}

// OnLost has a function be told when there is no guard and will be none, in a sentence that says
// what does not hold any more, and once more when the first server comes after that. Each sentence
// has a goroutine of its own; those that were said before are told now.
func (g *Guard) OnLost(tell func(sentence string)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.onLost = tell
	for _, sentence := range g.untold {
		go tell(sentence)
	}
	g.untold = nil
}

// Hold says that the terminal is belay's from now on; it is to get back the modes
// that it has now.
func (g *Guard) Hold() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.modes == nil {
		g.modes = modesOf(g.in)
	}
	g.held = true
	g.tell(message{Modes: g.modes, Held: &g.held, Hides: g.hides})
}

// Hide is Hold for a line of input that the terminal does not show.
func (g *Guard) Hide() {
	g.mu.Lock()
	g.hides = true
	g.mu.Unlock()
	g.Hold()
}

// Release says that the terminal is not belay's any more: it is the shell's, or an
// editor's until Hold is called again.
func (g *Guard) Release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = false
	g.tell(message{Held: &g.held})
}

// Group says that a process group is to end with belay, or that it has ended.
func (g *Guard) Group(id int, lives bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if lives {
		g.groups[id] = true
		if g.lost && !g.warned {
			g.say(g.serverGoesOn())
		}
	} else {
		delete(g.groups, id)
	}
	g.tell(message{Group: id, Lives: lives})
}

// Expect says that a server is about to be started with this stdin. Its process group
// exists a moment before belay knows the group's number. A guard whose belay is killed in
// that moment finds the server by its stdin, where the system says which process has which
// files (Linux). Settled is called when the guard knows the group, or there is none.
func (g *Guard) Expect(stdin *os.File) (settled func()) {
	name := nameOf(stdin)
	if name == "" {
		return func() {}
	}
	expect := func(lives bool) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if lives {
			g.stdins[name] = true
		} else {
			delete(g.stdins, name)
		}
		g.tell(message{Stdin: name, Lives: lives})
	}
	expect(true)
	return func() { expect(false) }
}

// Start runs the guard. It takes a millisecond or two. One that cannot be started is lost.
func (g *Guard) Start() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over || g.lost || g.pipe != nil {
		return nil
	}
	err := g.start()
	if err != nil {
		g.lose("cannot be started (" + err.Error() + ")")
	}
	return err
}

// lose says that there is no guard from now on.
func (g *Guard) lose(why string) {
	g.lost, g.why = true, why
	var then []string
	switch {
	case g.hides:
		then = append(then, "the terminal goes on to hide what is typed, which reset mends")
	case g.undoes != "":
		then = append(then, "the terminal stays raw, which reset mends")
	}
	if len(g.groups)+len(g.stdins) > 0 {
		then = append(then, g.serverGoesOn())
	}
	if len(then) == 0 {
		then = append(then, "nobody sees to what it leaves")
	}
	g.say(strings.Join(then, ", and "))
}

// serverGoesOn is what a lost guard means for a server.
func (g *Guard) serverGoesOn() string {
	g.warned = true
	return "the server may go on"
}

// say tells that the guard is lost, and what follows if belay is killed.
func (g *Guard) say(then string) {
	sentence := name + " " + g.why + ": if belay is killed (kill -9) now, " + then
	if g.onLost == nil {
		g.untold = append(g.untold, sentence)
		return
	}
	go g.onLost(sentence)
}

// tellAll tells what is so by now. It is in the pipe before the guard runs: belay may
// be killed as soon as it does.
func (g *Guard) tellAll() {
	g.tell(message{Modes: g.modes, Held: &g.held, Hides: g.hides, Undoes: g.undoes, Prints: !g.hides && term.IsTerminal(os.Stderr.Fd())})
	for id := range g.groups {
		g.tell(message{Group: id, Lives: true})
	}
	for name := range g.stdins {
		g.tell(message{Stdin: name, Lives: true})
	}
}

// Survives reports whether the guard still runs when the limit is over. The news that
// a guard was killed may come later than whatever follows the kill.
func (g *Guard) Survives(limit time.Duration) bool {
	g.mu.Lock()
	runs, gone := g.pipe != nil, g.gone
	g.mu.Unlock()
	if !runs {
		return false
	}
	select {
	case <-gone:
	case <-time.After(limit):
	}
	select {
	case <-gone:
		return false
	default:
		return true
	}
}

// End lets the guard end, and waits for that where all was closed in order. Else it
// sees to what is left.
func (g *Guard) End() {
	g.mu.Lock()
	g.over = true
	g.hush()
	runs, left := g.pipe != nil, g.held || len(g.groups) > 0
	if runs {
		_ = g.pipe.Close()
		g.pipe = nil
	}
	g.mu.Unlock()
	if !runs || left {
		return
	}
	select {
	case <-g.gone:
	case <-time.After(patience):
	}
}

// Failing says that belay ends by itself of a signal, with the terminal given back:
// what the runtime says of that can be read.
func (g *Guard) Failing() {
	g.Release()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.hush()
}

// hush keeps what the runtime says of a failure from the guard, which waits for it
// otherwise.
func (g *Guard) hush() {
	_ = g.setCrashOutput(nil, debug.CrashOptions{})
	if g.crash != nil {
		_ = g.crash.Close()
		g.crash = nil
	}
}

// patience is how long a guard may take to read what it is told. It is told little.
const patience = time.Second

func (g *Guard) tell(m message) {
	if g.pipe == nil {
		return
	}
	line, err := json.Marshal(m)
	if err != nil {
		return
	}
	_ = g.pipe.SetWriteDeadline(time.Now().Add(patience))
	if _, err := g.pipe.Write(append(line, '\n')); err != nil { // it is gone: nobody can be told
		_ = g.pipe.Close()
		g.pipe = nil
	}
}
