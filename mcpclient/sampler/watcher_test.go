package sampler

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session/witness"
)

// system is a machine whose processes a test makes, and what reading them costs.
type system struct {
	procs   map[int]reading
	conns   map[int][]witness.Connection
	envs    map[int]string   // empty: of a process that is just beginning to run a program
	runs    map[int][]string // in place of the usual command line
	refuses map[int]error    // that files and connections be counted
	asked   bool             // nothing began since
	reads   int
	spent   time.Duration
	each    time.Duration // that reading a process costs
	count   time.Duration // that counting its files costs
}

func newSystem(procs ...reading) *system {
	s := &system{procs: map[int]reading{}, conns: map[int][]witness.Connection{}, envs: map[int]string{}, each: 10 * time.Microsecond}
	for _, r := range procs {
		s.begins(r)
	}
	return s
}

// of is a process, by its number, its parent and its group.
func of(pid, parent, group int) reading {
	return reading{Process: witness.Process{PID: pid, Start: int64(pid), Parent: parent, Name: fmt.Sprint("p", pid)}, group: group, session: group}
}

func (s *system) begins(r reading) {
	s.procs[r.PID] = r
	s.asked = false
}

func (s *system) changes(pid int, f func(*reading)) {
	r := s.procs[pid]
	f(&r)
	s.procs[pid] = r
}

func (s *system) quiet() bool {
	was := s.asked
	s.asked = true
	return was
}

func (s *system) all() (pids []int, err error) {
	for pid := range s.procs {
		pids = append(pids, pid)
	}
	slices.Sort(pids)
	return pids, nil
}

func (s *system) read(pid int) (reading, error) {
	s.reads++
	s.spent += s.each
	r, ok := s.procs[pid]
	if !ok {
		return r, errGone
	}
	return r, nil
}

func (s *system) command(pid int) []string {
	if runs, ok := s.runs[pid]; ok {
		return runs
	}
	return []string{s.procs[pid].Name, "x"}
}

func (s *system) environment(pid int) ([]byte, error) {
	s.spent += s.each
	env, ok := s.envs[pid]
	if !ok {
		return nil, errors.New("it is another user's")
	}
	return []byte(env), nil
}

func (s *system) files(pid int) (int, error) {
	s.spent += s.count
	if err := s.refuses[pid]; err != nil {
		return 0, err
	}
	return 3, nil
}

func (s *system) connections(pid int) ([]witness.Connection, error) {
	return s.conns[pid], s.refuses[pid]
}
func (s *system) idle() (time.Duration, int) { return 0, 0 }
func (s *system) lacks() []string            { return nil }

func (s *system) begin(time.Time) {}

// meter is what the work on a system costs.
type meter struct{ *system }

func (m meter) begin() func() time.Duration {
	from := m.spent
	return func() time.Duration { return m.spent - from }
}

func (s *system) watch(pid int) *Watcher {
	w := watch(s, pid, "BELAY_SERVER=1f", new(Births), new(Lives), func(args []string) string { return strings.Join(args, " ") })
	w.costs = meter{s}
	return w
}

var noon = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)

func pidsOf(s witness.Sample) (pids []int) {
	for _, p := range s.Processes {
		pids = append(pids, p.PID)
	}
	return pids
}

func TestWhoIsWatched(t *testing.T) {
	s := newSystem(of(1, 0, 1), of(10, 1, 10), of(11, 10, 10), of(20, 1, 20))
	w := s.watch(10)
	for i, step := range []struct {
		does string
		do   func()
		want []int
	}{
		{"the server, and its child", func() {}, []int{10, 11}},
		{"a child of the child, with a lower number", func() { s.begins(of(9, 11, 10)) }, []int{10, 11, 9}},
		{"one of the group whose parent has ended", func() { s.begins(of(12, 1, 10)) }, []int{10, 11, 9, 12}},
		{"the child ends: its child goes to another parent", func() {
			delete(s.procs, 11)
			s.changes(9, func(r *reading) { r.Parent = 1 })
		}, []int{10, 9, 12}},
		{"a child in a session of its own", func() { s.begins(of(13, 9, 13)) }, []int{10, 9, 12, 13}},
		{"… which goes to another parent", func() { s.changes(13, func(r *reading) { r.Parent = 1 }) }, []int{10, 9, 12, 13}},
		{"… and one of that session", func() { s.begins(of(14, 1, 13)) }, []int{10, 9, 12, 13, 14}},
		{"another's process", func() { s.begins(of(30, 20, 20)) }, []int{10, 9, 12, 13, 14}},
		{"another process with the same number", func() { s.changes(9, func(r *reading) { r.Start = 5 }) }, []int{10, 12, 13, 14}},
		{"the server ends", func() { delete(s.procs, 10) }, []int{12, 13, 14}},
	} {
		step.do()
		if got := pidsOf(w.Sample(noon.Add(time.Duration(i) * time.Second))); !slices.Equal(got, step.want) {
			t.Errorf("%s: watched are %v, want %v", step.does, got, step.want)
		}
	}
}

// Whoever has the mark of the server is its, and so are the children of that; who runs no program
// yet is looked at again, as long as it is young.
func TestWhoHasTheMark(t *testing.T) {
	s := newSystem(of(1, 0, 1), of(10, 1, 10))
	w := s.watch(10)
	young, old := of(40, 1, 40), of(50, 1, 50)
	young.Age, old.Age = settles/2, settles
	for i, step := range []struct {
		does string
		do   func()
		want []int
	}{
		{"others, one of which cannot be read", func() {
			s.envs[30] = "A=b\x00BELAY_SERVER=2e\x00"
			s.begins(of(30, 1, 30))
			s.begins(of(31, 1, 31))
		}, []int{10}},
		{"one with the mark, and a child of it", func() {
			s.envs[12] = "A=b\x00BELAY_SERVER=1f\x00C=d\x00"
			s.begins(of(12, 1, 12))
			s.begins(of(11, 12, 11))
		}, []int{10, 12, 11}},
		{"one that has ended", func() {
			s.envs[20] = "BELAY_SERVER=1f"
			r := of(20, 1, 20)
			r.Ended = true
			s.begins(r)
		}, []int{10, 12, 11}},
		{"one that began before the server", func() {
			s.envs[9] = "BELAY_SERVER=1f"
			s.begins(of(9, 1, 9))
		}, []int{10, 12, 11}},
		{"two that run no program yet", func() {
			s.envs[40], s.envs[50] = "", ""
			s.begins(young)
			s.begins(old)
		}, []int{10, 12, 11}},
		{"… and do now", func() { s.envs[40], s.envs[50] = "BELAY_SERVER=1f", "BELAY_SERVER=1f" }, []int{10, 12, 11, 40}},
		{"… with nothing that is new", func() {}, []int{10, 12, 11, 40}},
	} {
		step.do()
		if got := pidsOf(w.Sample(noon.Add(time.Duration(i) * time.Second))); !slices.Equal(got, step.want) {
			t.Errorf("%s: watched are %v, want %v", step.does, got, step.want)
		}
	}
	was := s.reads
	w.Look(noon.Add(time.Minute))
	if s.reads-was != len(w.known) {
		t.Errorf("%d processes are read, where %d are the server's and none is new", s.reads-was, len(w.known))
	}
}

// A process of another's is read once, and the list of all only when something began.
func TestOthersAreReadOnce(t *testing.T) {
	s := newSystem(of(10, 1, 10))
	for pid := 100; pid < 600; pid++ {
		s.begins(of(pid, 1, pid))
	}
	w := s.watch(10)
	w.Sample(noon)
	s.reads = 0
	for i := range 10 {
		w.Sample(noon.Add(time.Duration(i) * 100 * time.Millisecond))
	}
	if s.reads != 10 {
		t.Errorf("%d processes were read in ten samples of one, want 10", s.reads)
	}
	if s := w.Look(noon); !s.Looked || !s.Wide {
		t.Errorf("told to look, it did not: %+v", s)
	}
}

// Where all of a program's path is hidden, the process is told by the name that the system has for it,
// as far as that may be shown.
func TestAHiddenProgramHasItsName(t *testing.T) {
	for _, c := range []struct{ hidden, want string }{
		{"none", "p10 x"},
		{"p10", "*** x"},
		{"/p10", "p10 **** x"},
		{"x", "p10 *"},
	} {
		s := newSystem(of(10, 1, 10))
		w := watch(s, 10, "", new(Births), new(Lives), func(args []string) string {
			if len(args) == 2 && c.hidden == "/p10" {
				args = []string{"/p10", "x"}
			}
			all := strings.Join(args, " ")
			return strings.ReplaceAll(all, c.hidden, strings.Repeat("*", len(c.hidden)))
		})
		if got := w.Sample(noon).Processes[0].Command; got != c.want {
			t.Errorf("without %s: %q, want %q", c.hidden, got, c.want)
		}
	}
}

// What a process is called is told when it is new, and when it runs another program.
func TestACommandIsToldWhenItIsAnother(t *testing.T) {
	s := newSystem(of(10, 1, 10))
	w := s.watch(10)
	told := func() string { return w.Sample(noon).Processes[0].Command }
	if a, b, c := told(), told(), told(); a != "p10 x" || b != "p10 x" || c != "" {
		t.Errorf("told %q, %q, %q", a, b, c)
	}
	s.changes(10, func(r *reading) { r.Name = strings.Repeat("é", 200) })
	if got := told(); len(got) > witness.MostCommand+len("…") || !strings.HasSuffix(got, "…") {
		t.Errorf("told %q", got)
	}
}

func TestManyProcessesAreCounted(t *testing.T) {
	s := newSystem(of(10, 1, 10))
	for pid := 100; pid < 600; pid++ {
		s.begins(of(pid, 10, 10))
		s.conns[pid] = []witness.Connection{{PID: pid, Remote: "192.0.2.1:1"}, {PID: pid, Remote: "192.0.2.1:2"}}
	}
	got := s.watch(10).Look(noon)
	if len(got.Processes) != witness.MostProcesses || got.More != 501-witness.MostProcesses || len(got.Connections) != witness.MostConnections {
		t.Errorf("%d processes, %d more, %d connections", len(got.Processes), got.More, len(got.Connections))
	}
}

// Where there were more than are looked at, and some have ended, the others are found at once.
func TestWhereThereIsRoomTheOthersAreFound(t *testing.T) {
	s := newSystem(of(10, 1, 10))
	for pid := 100; pid < 200; pid++ {
		s.begins(of(pid, 10, 10))
	}
	w := s.watch(10)
	w.Look(noon)
	for pid := 100; pid < 190; pid++ {
		delete(s.procs, pid)
	}
	w.Sample(noon)
	if got := w.Sample(noon); len(got.Processes) != 11 || got.More != 0 {
		t.Errorf("%d processes, and %d more", len(got.Processes), got.More)
	}
}

// On a machine where more processes are new than are read at once, the rest is read at the next sample, also where none
// has begun since.
func TestWhereMoreAreNewThanAreRead(t *testing.T) {
	s := newSystem(of(10, 1, 10))
	for pid := 100; pid < 100+mostRead; pid++ {
		s.begins(of(pid, 1, pid))
	}
	s.begins(of(100+mostRead, 10, 10))
	w := s.watch(10)
	if got := w.Look(noon); len(got.Processes) != 1 {
		t.Fatalf("%d processes", len(got.Processes))
	}
	if got := w.Sample(noon.Add(time.Second)); len(got.Processes) != 2 {
		t.Errorf("%d processes at the next sample, want 2", len(got.Processes))
	}
}

// However much a sample costs, all of them together take less than a hundredth of the
// time, as soon as the cost is known.
func TestSamplesKeepToTheirShare(t *testing.T) {
	for _, c := range []struct {
		each, count   time.Duration
		narrow, wider time.Duration // the intervals in the end
	}{
		{10 * time.Microsecond, 100 * time.Microsecond, shortest, wide},
		{2 * time.Millisecond, 20 * time.Millisecond, 500 * time.Millisecond, 5 * time.Second},
		{10 * time.Millisecond, 30 * time.Millisecond, 2500 * time.Millisecond, 7500 * time.Millisecond},
		{time.Second, time.Second, longest, longest},
	} {
		s := newSystem(of(10, 1, 10))
		s.each, s.count = c.each, c.count
		w := s.watch(10)
		now, last := noon, w.Look(noon)
		s.spent = 0
		const span = 60 * time.Second
		for now.Before(noon.Add(span)) {
			now = now.Add(last.Every)
			w.looked = now.Add(-early) // it stays at the shortest
			last = w.Sample(now)
		}
		if last.Every != c.narrow || last.EveryWide != c.wider {
			t.Errorf("at %v and %v each: every %v and %v, want %v and %v", c.each, c.count, last.Every, last.EveryWide, c.narrow, c.wider)
		}
		if most := span / 100; c.narrow < longest && s.spent > most {
			t.Errorf("at %v and %v each: %v of %v were spent, more than %v", c.each, c.count, s.spent, span, most)
		}
	}
}

// A costly sample slows the next ones at once, and cheap ones make up for it slowly.
func TestPace(t *testing.T) {
	p := schedule{base: shortest}
	if p.took(4 * time.Millisecond); p.every() != time.Second {
		t.Errorf("after 4 ms: every %v", p.every())
	}
	p.took(0)
	if slower := p.every(); slower <= shortest || slower >= time.Second {
		t.Errorf("after a cheap one: every %v", slower)
	}
	for range 20 {
		p.took(0)
	}
	if p.every() != shortest {
		t.Errorf("after twenty cheap ones: every %v", p.every())
	}
}

// However often it is told to look, it may not look more often than its share allows.
func TestLooksKeepToTheirShare(t *testing.T) {
	s := newSystem(of(10, 1, 10))
	s.each, s.count = time.Millisecond, time.Millisecond
	w := s.watch(10)
	if w.Wait(noon) != 0 {
		t.Error("the first look has to wait")
	}
	s.spent = 0
	const span = 60 * time.Second
	looks := 0
	for now := noon; now.Before(noon.Add(span)); now = now.Add(max(time.Millisecond, w.Wait(now))) {
		w.Look(now)
		looks++
	}
	if s.spent > (span+burst)/100 || s.spent < span/200 {
		t.Errorf("%d looks have cost %v of %v", looks, s.spent, span)
	}
}

// A sample that took very long is paid back within the longest interval: the machine may have
// stood still.
func TestOneCostlySampleKeepsNobodyFromLooking(t *testing.T) {
	s := newSystem(of(10, 1, 10))
	w := s.watch(10)
	w.Look(noon)
	s.each = time.Minute
	call := noon.Add(time.Minute)
	if w.Look(call); w.Wait(call) != longest {
		t.Errorf("after a sample of a minute the next look waits %v, want %v", w.Wait(call), longest)
	}
	s.each = 0
	if w.Look(call.Add(longest)); w.Wait(call.Add(longest)) != 0 {
		t.Errorf("after a cheap one it waits %v", w.Wait(call.Add(longest)))
	}
}

// A call that runs for long is looked at less often.
func TestALongCallIsSampledLess(t *testing.T) {
	s := newSystem(of(10, 1, 10))
	w := s.watch(10)
	w.Look(noon)
	if a, b := w.Every(noon.Add(fresh)), w.Every(noon.Add(fresh+1)); a != shortest || b != resting {
		t.Errorf("every %v, and later every %v", a, b)
	}
}

// What the first sample costs, which reads every process of the machine, keeps nobody from
// seeing what a call begins; and after a look the next samples come at once, as long as all of
// them together keep to their share.
func TestWhatACallBeginsIsSeenSoon(t *testing.T) {
	s := newSystem(of(10, 1, 10))
	for pid := 100; pid < 600; pid++ {
		s.begins(of(pid, 1, pid))
	}
	s.each = 2 * time.Millisecond // a second for all of them
	w := s.watch(10)
	w.Look(noon)
	if at := noon.Add(early); w.Wait(at) != 0 || w.Every(at) != shortest {
		t.Errorf("after the first sample: in %v, every %v", w.Wait(at), w.Every(at))
	}
	call := noon.Add(time.Minute)
	w.Look(call)
	if w.Every(call.Add(early-1)) != shortest || w.Every(call.Add(early)) <= shortest {
		t.Errorf("after a call began: every %v, and later every %v", w.Every(call.Add(early-1)), w.Every(call.Add(early)))
	}
	s.spent = 0
	s.each = 20 * time.Millisecond
	for at := call; at.Before(call.Add(early)); at = at.Add(max(w.Wait(at), w.Every(at))) {
		w.Sample(at)
	}
	if most := time.Duration(float64(burst+early) * 2 * share); s.spent > most+s.each {
		t.Errorf("%v were spent at once, more than %v", s.spent, most)
	}
}

// A process whose CPU time is refused keeps what it had used, and the sample says what it lacks.
func TestCPUTimeThatIsRefused(t *testing.T) {
	s := newSystem(of(10, 1, 10), of(11, 10, 10))
	s.changes(11, func(r *reading) { r.CPU = time.Second })
	w := s.watch(10)
	if first := w.Look(noon); len(first.Lacks) != 0 {
		t.Fatalf("the first sample lacks %q", first.Lacks)
	}
	s.changes(11, func(r *reading) { r.CPU, r.cpuRefused = 0, true })
	second := w.Sample(noon.Add(time.Second))
	if second.Processes[1].CPU != time.Second || !slices.Equal(second.Lacks, []string{"the CPU time of 1 of its processes"}) {
		t.Errorf("CPU time %s, lacks %q", second.Processes[1].CPU, second.Lacks)
	}
	s.changes(11, func(r *reading) { r.CPU, r.cpuRefused = 2*time.Second, false })
	if third := w.Sample(noon.Add(2 * time.Second)); third.Processes[1].CPU != 2*time.Second || len(third.Lacks) != 0 {
		t.Errorf("CPU time %s, lacks %q", third.Processes[1].CPU, third.Lacks)
	}
}

// Files and connections that the system does not let be counted are none that a process does not have, until
// they can be counted again. A process that ends meanwhile has none.
func TestFilesThatCannotBeCounted(t *testing.T) {
	s := newSystem(of(10, 1, 10), of(11, 10, 10), of(12, 10, 10))
	w := s.watch(10)
	s.refuses = map[int]error{11: fs.ErrPermission, 12: fs.ErrNotExist}
	for n, wide := range []bool{true, false} {
		for i, p := range w.sample(noon.Add(time.Duration(n)*time.Millisecond), wide).Processes {
			if untold := i == 1; p.NoFiles != untold || p.NoConnections != untold || (p.Files == 3) != (i == 0) {
				t.Errorf("sample %d: %+v", n, p)
			}
		}
	}
	s.refuses = nil
	for _, p := range w.Look(noon.Add(time.Second)).Processes {
		if p.NoFiles || p.NoConnections || p.Files != 3 {
			t.Errorf("%+v", p)
		}
	}
}

// A process that runs another program of the same name, or renames itself, is told anew when files are counted.
func TestAProcessThatRunsSomethingElse(t *testing.T) {
	s := newSystem(of(10, 1, 10), of(11, 10, 10))
	w := s.watch(10)
	at := noon
	sample := func(wide bool) string {
		at = at.Add(time.Millisecond)
		return w.sample(at, wide).Processes[1].Command
	}
	sample(true)
	sample(false)
	s.runs = map[int][]string{11: {"python3", "-c", "another"}}
	for _, x := range []struct {
		wide bool
		want string
	}{{false, ""}, {true, "python3 -c another"}, {true, ""}, {false, ""}} {
		if got := sample(x.wide); got != x.want {
			t.Errorf("wide %v: %q, want %q", x.wide, got, x.want)
		}
	}
	s.runs = map[int][]string{11: nil} // it is just ending
	if got := sample(true); got != "" {
		t.Errorf("%q", got)
	}
}
