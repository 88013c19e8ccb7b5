package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"belay/internal/conduct"
	peers "belay/internal/peer"
	"belay/internal/termtest"
)

// A peer that plays a conduct of tasks is the test binary itself, run by belay as
//
//	e2e.test conduct NAME WAY LOGFILE
//
// It writes what passes to the log.
func runTaskConduct(c conduct.TaskConduct, way conduct.Way, logFile string) int {
	log, err := os.OpenFile(logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	out := json.NewEncoder(log)
	server := peers.NewTaskLines(c.Script, way.Revision(), os.Stdout, func(p peers.Passed) { _ = out.Encode(p) })
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return 0
		}
		server.Take(line)
	}
}

// completesLate is a conduct of a call without a screen: a busy belay polls between the cancel and the end.
var completesLate = conduct.TaskConduct{Name: "a task that completes late", Script: peers.TaskScript{Completes: 6 * time.Second}}

func taskConductNamed(name string) (conduct.TaskConduct, bool) {
	all := append(conduct.Tasks(), completesLate)
	for _, a := range conduct.TaskZoo() {
		all = append(all, a.TaskConduct)
	}
	i := slices.IndexFunc(all, func(c conduct.TaskConduct) bool { return c.Name == name })
	if i < 0 {
		return conduct.TaskConduct{}, false
	}
	return all[i], true
}

// playTask plays a conduct of tasks for one call, and returns what was seen of it.
func playTask(t *testing.T, c conduct.TaskConduct, way conduct.Way) (seen conduct.TaskSeen, failed string) {
	tb := &ownTB{TB: t}
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer func() {
			for _, f := range slices.Backward(tb.cleanup) {
				f()
			}
		}()
		s := startTask(tb, c, way)
		seen = s.cancelled(c, way)
	}()
	<-over
	return seen, tb.failed
}

// taskSession is belay in a terminal before a server that plays a conduct of tasks.
type taskSession struct {
	*termtest.Story
	wire func() []peers.Passed
}

func startTask(tb *ownTB, c conduct.TaskConduct, way conduct.Way) *taskSession {
	s := &taskSession{}
	server, wire := taskPeer(tb, c, way)
	s.wire = wire
	argv := append([]string{belay, "--grace", conduct.ShortGrace.String(), "--protocol", way.Revision(), "--no-motion"}, server...)
	s.Story = termtest.Tell(tb, termtest.Options{Cols: 200, Rows: 70, Argv: argv, Env: []string{raceOptions}, Timeout: 60 * time.Second})
	s.See("1 Calls", "tools/list")
	return s
}

// taskPeer is a server that plays a conduct of tasks: how belay is told of it at the end of
// its command line, and what has passed on the wire.
func taskPeer(tb testing.TB, c conduct.TaskConduct, way conduct.Way) (argv []string, wire func() []peers.Passed) {
	if way.IsHTTP() {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			tb.Fatal(err)
		}
		var mu sync.Mutex
		var all []peers.Passed
		p := peers.Over(tb, l).Tasks(c.Script, way.Revision(), func(p peers.Passed) {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, p)
		})
		return []string{p.URL()}, func() []peers.Passed {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(all)
		}
	}
	log := filepath.Join(tb.TempDir(), "wire.jsonl")
	return []string{"--", os.Args[0], "conduct", c.Name, string(way), log}, func() (all []peers.Passed) {
		text, err := os.ReadFile(log)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			tb.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var p peers.Passed
			if json.Unmarshal([]byte(line), &p) == nil {
				all = append(all, p)
			}
		}
		return all
	}
}

// taskSettles is how long a conduct is looked at after its verdict: longer than any pause
// between two polls in which something may come that must not.
const taskSettles = 1500 * time.Millisecond

// cancelled makes the call, cancels it and sees it to its last verdict. One that does not come
// is told as the verdict that the screen shows at the end. What the judge misses may be on its
// way on a busy machine, and is waited for; what is wrong for good stays so.
func (s *taskSession) cancelled(c conduct.TaskConduct, way conduct.Way) (seen conduct.TaskSeen) {
	callTool(s.Story, conduct.SlowTool)
	about := func(words string) {
		s.Until(words, func(screen termtest.Screen) bool {
			d := detail(screen)
			return isAbout(d, conduct.SlowTool) && strings.Contains(d, words)
		})
	}
	switch {
	case c.Early:
		about("running")
		s.Press("x")
		s.Until("the server to have the call", func(termtest.Screen) bool { // over HTTP the next one may overtake it
			return slices.ContainsFunc(s.wire(), func(p peers.Passed) bool {
				return !p.Sent && strings.Contains(p.Text, `"tools/call"`) && strings.Contains(p.Text, `"name":"`+conduct.SlowTool+`"`)
			})
		})
		callTool(s.Story, conduct.FastTool) // which the handle waits for
		s.Press("g", "j")
		about("")
	case c.Script.Asks:
		s.See("What is the name?", "ctrl+s send")
		s.Press("ctrl+x")
	default:
		about("runs as task")
		s.Press("x")
	}
	s.Until("the key to be taken", func(screen termtest.Screen) bool {
		d := detail(screen)
		return isAbout(d, conduct.SlowTool) && !strings.Contains(d, "[x] cancel")
	})
	esc := false
	deadline := time.Now().Add(30 * time.Second)
	var last string
	s.Until("the verdict", func(screen termtest.Screen) bool {
		last = taskVerdictOf(detail(screen))
		if c.Script.Asks && !esc && strings.Contains(screen.String(), "esc dismisses") {
			esc = true
			go s.Press("esc")
		}
		return slices.Contains(c.Want(way).Verdict, last) || time.Now().After(deadline)
	})
	time.Sleep(taskSettles)
	shown := time.Now().Add(10 * time.Second)
	for caughtUp := false; ; {
		var text string
		s.Until("the detail of the call", func(screen termtest.Screen) bool {
			text = detail(screen)
			return isAbout(text, conduct.SlowTool)
		})
		seen = conduct.TaskSeen{Verdict: taskVerdictOf(text), Detail: text, Wire: s.wire()}
		switch {
		case len(c.Judge(way, seen)) == 0 || caughtUp:
			return seen
		case time.Now().After(shown):
			s.catchUp(c)
			caughtUp = true
		}
		time.Sleep(taskSettles)
	}
}

// catchUp has the terminal draw all that belay has written: a busy one may be behind by more than
// any time that a test waits.
func (s *taskSession) catchUp(c conduct.TaskConduct) {
	if !c.Script.Asks { // whose question takes the keys
		s.Press("n").See("New call").Press("esc").Gone("New call")
	}
}

var taskVerdicts = []string{
	conduct.TaskCancelled, conduct.TaskCompleted, conduct.TaskWorking, conduct.TaskUnseen, conduct.TaskRefused, conduct.TaskUnacknowledged,
}

// taskVerdictOf is the word in the pane of a call that is a task, or was to be one.
func taskVerdictOf(detail string) string {
	for _, w := range taskVerdicts {
		if strings.Contains(detail, "⊘ cancelled · "+w) {
			return w
		}
	}
	return verdictOf(detail)
}

// playTasks plays a conduct of tasks so many times, and more often where a poll may have crossed
// the answer that told the end.
func (all *tallies) playTasks(t *testing.T, c conduct.TaskConduct, way conduct.Way, runs int) {
	name := string(way) + ": " + c.Name
	twice := 0
	for done, limit := 0, runs; done < limit; done++ {
		seen, err := playTask(t, c, way)
		if err != "" {
			t.Errorf("%s: %s", name, err)
			return
		}
		if seen.HasPolledTwice() {
			limit = max(limit, 5)
			if twice++; twice*2 > limit {
				t.Errorf("%s: polls after the answer to tasks/cancel told the end: 2 in %d runs of at most %d, want 1\n%s", name, twice, limit, seen)
				return
			}
		}
		wrong := c.Judge(way, seen)
		for _, w := range wrong {
			t.Errorf("%s: %s\n%s", name, w, seen)
		}
		all.mu.Lock()
		all.tally.Add(name, seen.Verdict, wrong)
		all.mu.Unlock()
	}
}
