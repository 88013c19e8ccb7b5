package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/secret"
	"belay/session/witness"
)

// sampling is a server whose processes are told every 100 ms.
type sampling struct {
	*rig
	server, child witness.Process
	runs          bool // the child does
}

func newSampling(t *testing.T, cfg ...func(*Config)) *sampling {
	p := &sampling{rig: ready(t, mcp.Rev20251125, cfg...)}
	p.server = witness.Process{PID: 10, Name: "server", Age: time.Hour}
	p.child = witness.Process{PID: 11, Start: 1, Parent: 10, Name: "sleep", Command: "sleep 14"}
	p.sample()
	p.wait(2 * time.Second)
	return p
}

func (p *sampling) sample() Reply {
	all := []witness.Process{p.server}
	if p.runs {
		all = append(all, p.child)
	}
	return p.s.Tell(p.now, ProcessSample{Epoch: p.epoch, Sample: witness.Sample{Every: 100 * time.Millisecond, Processes: all}})
}

// passes lets time pass, with samples.
func (p *sampling) passes(d time.Duration) {
	const step = 100 * time.Millisecond
	for ; d > 0; d -= step {
		p.wait(step)
		p.child.Age += step
		p.sample()
	}
}

// The end of a process has one time, in the timeline, in the evidence and among the processes: that at which
// the sample was complete that found it, as it may have lived until then.
func TestAnEndHasOneTime(t *testing.T) {
	p := newSampling(t, func(c *Config) { c.NoProbe = true })
	id, _ := p.call("slow")
	p.sample()
	p.passes(300 * time.Millisecond)
	p.runs = true
	p.passes(700 * time.Millisecond)
	if _, err := p.s.Handle(p.now, Cancel{Call: id}); err != nil {
		t.Fatal(err)
	}
	p.pull()
	cancelled := p.now
	p.passes(200 * time.Millisecond)
	p.wait(100 * time.Millisecond)
	took := witness.Sample{Took: 10 * time.Millisecond, Every: 100 * time.Millisecond, Processes: []witness.Process{p.server}}
	p.wait(15 * time.Millisecond)
	p.s.Tell(p.now, ProcessSample{Epoch: p.epoch, Ago: 15 * time.Millisecond, Sample: took})
	p.runs = false
	p.passes(6 * time.Second)
	d, _ := p.s.Detail(id)
	const want = 310 * time.Millisecond
	if ended := d.Processes.Processes[0].Ended; ended != want {
		t.Errorf("among the processes it ended %v after the cancel", ended)
	}
	told := 0
	for _, mo := range d.Timeline {
		if mo.Kind == MomNote && strings.HasSuffix(mo.Text, "ended") {
			told++
			if after := mo.At.Sub(cancelled); after != want {
				t.Errorf("in the timeline it ended %v after the cancel", after)
			}
		}
	}
	for _, e := range d.Evidence {
		if strings.Contains(e.Text, "had ended 310 ms after the cancel") {
			told++
			if after := e.At.Sub(cancelled); after != want {
				t.Errorf("in the evidence it ended %v after the cancel", after)
			}
		}
	}
	if told != 2 {
		t.Errorf("told %d times: %+v, %+v", told, d.Timeline, d.Evidence)
	}
}

// No moment of a timeline lies ahead, whatever a recording says of how long a sample took.
func TestAnEndIsNotAhead(t *testing.T) {
	p := newSampling(t)
	id, _ := p.call("slow")
	p.sample()
	p.runs = true
	p.passes(700 * time.Millisecond)
	if _, err := p.s.Handle(p.now, Cancel{Call: id}); err != nil {
		t.Fatal(err)
	}
	p.pull()
	p.passes(200 * time.Millisecond)
	p.s.Tell(p.now, ProcessSample{Epoch: p.epoch, Sample: witness.Sample{Took: time.Hour, Processes: []witness.Process{p.server}}})
	d, _ := p.s.Detail(id)
	if last := d.Timeline[len(d.Timeline)-1]; last.Kind != MomNote || !last.At.Equal(p.now) {
		t.Errorf("%+v, now is %v", last, p.now)
	}
}

func TestSamplesOfProcesses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		during func(p *sampling) // after the cancel
		want   cancel.Verdict
		drawn  string
	}{
		{"nothing ends", func(*sampling) {}, cancel.LeftProcess, ""},
		{"it ends", func(p *sampling) { p.passes(300 * time.Millisecond); p.runs = false }, cancel.EndedAfter, `"sleep 14" (pid 11) ended`},
		{"the server works", func(p *sampling) { p.passes(300 * time.Millisecond); p.server.CPU += 2 * time.Second }, cancel.StillWorking, ""},
	} {
		p := newSampling(t, func(c *Config) { c.NoProbe = true })
		id, _ := p.call("slow")
		p.sample()
		p.passes(300 * time.Millisecond)
		p.runs = true
		p.passes(700 * time.Millisecond)
		if _, err := p.s.Handle(p.now, Cancel{Call: id}); err != nil {
			t.Fatal(err)
		}
		p.pull()
		end := p.now.Add(6 * time.Second)
		tt.during(p)
		p.passes(end.Sub(p.now))
		p.want(id, Cancelled, tt.want)
		d, _ := p.s.Detail(id)
		if d.Processes == nil || len(d.Processes.Processes) != 1 || d.Processes.Processes[0].Name != "sleep 14" {
			t.Errorf("%s: shown is %+v", tt.name, d.Processes)
		}
		drawn := ""
		for _, mo := range d.Timeline {
			if mo.Kind == MomNote {
				drawn += mo.Text
			}
		}
		if drawn != tt.drawn {
			t.Errorf("%s: the timeline says %q, want %q", tt.name, drawn, tt.drawn)
		}
	}
}

// The end of a row is logged with its verdict, and not with what is said until the sample has come on
// which that stands: nor is a process said to live that was not looked at since the grace.
func TestTheEndOfARowIsLoggedWithTheVerdictOfItsSample(t *testing.T) {
	for name, c := range map[string]struct {
		then func(p *sampling)
		want cancel.Verdict
	}{
		"it lives":            {func(p *sampling) { p.sample() }, cancel.LeftProcess},
		"it has ended":        {func(p *sampling) { p.runs = false; p.sample() }, cancel.EndedAfter},
		"the connection ends": {func(p *sampling) { p.s.Tell(p.now, Closed{Epoch: p.epoch}) }, cancel.LeftProcess},
	} {
		p := newSampling(t, func(c *Config) { c.NoProbe = true })
		id, _ := p.call("slow")
		p.runs = true
		p.passes(time.Second)
		if _, err := p.s.Handle(p.now, Cancel{Call: id}); err != nil {
			t.Fatal(err)
		}
		p.pull()
		logged := func() (ended []string) {
			for _, e := range p.s.CancelEvents() {
				if e.Stage == CancelEnded {
					ended = append(ended, e.Note)
				}
			}
			return ended
		}
		p.passes(4900 * time.Millisecond)
		p.wait(time.Second)
		p.want(id, Cancelled, cancel.NothingHeard)
		if d, _ := p.s.Detail(id); !d.Processes.Awaits || len(logged()) > 0 {
			t.Errorf("%s: before the sample %q is logged, shown is %+v", name, logged(), d.Processes)
		}
		c.then(p)
		p.sample()
		p.want(id, Cancelled, c.want)
		if got := logged(); len(got) != 1 || got[0] != c.want.String() {
			t.Errorf("%s: logged is %q, want %v once", name, got, c.want)
		}
	}
}

// No more ends wait for a sample than are bounded, also where none comes: the longest waiting is logged
// first, and each once.
func TestTheEndsThatWaitForASampleAreBounded(t *testing.T) {
	const more = 3
	p := newSampling(t, func(c *Config) { c.NoProbe = true })
	var ids []CallID
	for range maxUnsampled + more {
		id, _ := p.call("slow")
		ids = append(ids, id)
	}
	p.sample()
	for _, id := range ids {
		p.cancel(id, "enough")
	}
	p.passes(4900 * time.Millisecond)
	logged := func() (ended []string) {
		for _, e := range p.s.CancelEvents() {
			if e.Stage == CancelEnded {
				ended = append(ended, e.ID.String())
			}
		}
		return ended
	}
	wire := func(id CallID) string { row, _ := p.s.Row(id); return row.Wire.String() }
	p.wait(time.Second)
	if got := logged(); len(got) != more || got[0] != wire(ids[0]) || got[more-1] != wire(ids[more-1]) || len(p.s.events.unsampled) != maxUnsampled {
		t.Errorf("before the sample %q are logged, and %d wait", got, len(p.s.events.unsampled))
	}
	p.sample()
	if got := logged(); len(got) != maxUnsampled+more || got[len(got)-1] != wire(ids[len(ids)-1]) || len(p.s.events.unsampled) != 0 {
		t.Errorf("%d are logged, and %d wait", len(got), len(p.s.events.unsampled))
	}
}

// A busy machine tells late that the request of a call has been written: a process that began
// before that is counted among those that began beside several calls.
func TestAProcessThatBeganBeforeTheRequestIsKnownToBeWritten(t *testing.T) {
	p := newSampling(t, func(c *Config) { c.NoProbe = true })
	p.call("slow")
	p.passes(300 * time.Millisecond)
	id, err := madeBy(p.s.Handle(p.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"slow"}`)}}))
	if err != nil {
		t.Fatal(err)
	}
	out, _ := p.s.Next(p.now)
	p.runs, p.child.Age = true, 0
	p.passes(400 * time.Millisecond)
	p.s.Tell(p.now, Sent{Seq: out.Seq})
	p.passes(400 * time.Millisecond)
	p.cancel(id, "enough")
	p.passes(6 * time.Second)
	p.want(id, Cancelled, cancel.NothingHeard)
	if e := p.evidence(id); !strings.Contains(e, "one process began when another call was sent, or later") {
		t.Error(e)
	}
}

// Another call within the grace takes no process out of the evidence that began before it was sent. The verdict is
// what it would be without processes.
func TestAnotherCallWithinTheGrace(t *testing.T) {
	p := newSampling(t, func(c *Config) { c.NoProbe = true })
	id, _ := p.call("slow")
	p.passes(300 * time.Millisecond)
	p.runs = true
	p.passes(700 * time.Millisecond)
	p.cancel(id, "enough")
	p.passes(time.Second)
	p.call("other")
	p.passes(6 * time.Second)
	p.want(id, Cancelled, cancel.NothingHeard)
	if e := p.evidence(id); !strings.Contains(e, `still running 5 s after the cancel: "sleep 14" (pid 11), started during this call`) || strings.Contains(e, "cannot be told") {
		t.Error(e)
	}
}

// What a server uses until the connection is ready is not its idle use: work after a cancel
// is seen for all that.
func TestStartingIsNoIdleUse(t *testing.T) {
	r := newRig(t, Config{NoProbe: true})
	r.connect()
	p := &sampling{rig: r, server: witness.Process{PID: 10, Name: "server", Age: time.Hour}}
	p.sample()
	p.wait(time.Second)
	p.server.CPU = 3 * time.Second
	looks := p.s.Wish().Samples.Looks
	r.agree("2025-11-25", logging)
	if p.s.Wish().Samples.Looks == looks {
		t.Error("no sample is wanted when the connection is ready")
	}
	p.sample()
	p.wait(time.Second)
	id, _ := p.call("slow")
	p.sample()
	p.cancel(id, "")
	for range 60 {
		p.server.CPU += 50 * time.Millisecond
		p.passes(100 * time.Millisecond)
	}
	p.want(id, Cancelled, cancel.StillWorking)
}

// What is asked of whoever samples follows the user's calls, and no other ones.
func TestWhoseCallsAreWatched(t *testing.T) {
	p := newSampling(t)
	if p.s.Wish().Samples.InFlight {
		t.Error("nothing is in flight, and samples are wanted")
	}
	p.recv(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	p.wait(time.Second)
	if p.s.Wish().Samples.InFlight {
		t.Error("belay's own lists are watched")
	}
	id, wire := p.call("slow")
	if w := p.s.Wish().Samples; !w.InFlight || w.Looks == 0 {
		t.Errorf("a call is in flight: %+v", w)
	}
	p.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
	p.want(id, Done, cancel.NoVerdict)
	if p.s.Wish().Samples.InFlight {
		t.Error("the call has ended, and samples are wanted")
	}
}

// A sample of a connection that is gone is none of this one.
func TestASampleOfAnotherConnection(t *testing.T) {
	p := newSampling(t)
	id, _ := p.call("slow")
	p.epoch--
	p.runs = true
	p.sample()
	p.epoch++
	p.sample()
	if _, err := p.s.Handle(p.now, Cancel{Call: id}); err != nil {
		t.Fatal(err)
	}
	p.pull()
	p.runs = false
	p.passes(time.Second)
	if d, _ := p.s.Detail(id); len(d.Processes.Processes) > 1 {
		t.Errorf("%+v", d.Processes)
	}
	p.s.Tell(p.now, Closed{Epoch: p.epoch})
	if reply := p.sample(); reply.News {
		t.Error("a sample after the end of the connection is news")
	}
	if d, _ := p.s.Detail(id); d.Processes.Follows {
		t.Error("after the end of the connection more is said to follow")
	}
}

// What ends while belay closes the connection was ended by belay: no sample of that time tells
// anything of a call.
func TestASampleWhileBelayCloses(t *testing.T) {
	for name, leaves := range map[string]Input{"quit": Quit{}, "disconnect": Disconnect{}} {
		p := newSampling(t, func(c *Config) { c.NoProbe = true })
		id, _ := p.call("slow")
		p.runs = true
		p.passes(500 * time.Millisecond)
		if _, err := p.s.Handle(p.now, Cancel{Call: id}); err != nil {
			t.Fatal(err)
		}
		p.pull()
		p.passes(6 * time.Second)
		before, _ := p.s.Detail(id)
		if before.Verdict != cancel.LeftProcess || !before.Processes.Follows {
			t.Fatalf("%s: %v, %+v", name, before.Verdict, before.Processes)
		}
		if _, err := p.s.Handle(p.now, leaves); err != nil {
			t.Fatal(err)
		}
		p.pull()
		p.runs = false
		p.passes(300 * time.Millisecond)
		p.s.Tell(p.now, ProcessSample{Epoch: p.epoch})
		p.s.Tell(p.now, Closed{Epoch: p.epoch})
		d, _ := p.s.Detail(id)
		if v := d.Processes; v.Follows || !v.Processes[0].Lives || v.After.Processes != 2 || v.Since != before.Processes.Since {
			t.Errorf("%s: shown is %+v", name, v)
		}
		if len(d.Timeline) == 0 || len(d.Evidence) != len(before.Evidence) {
			t.Errorf("%s: the evidence is %+v, and was %+v", name, d.Evidence, before.Evidence)
		}
		for _, mo := range d.Timeline {
			if mo.Kind == MomNote {
				t.Errorf("%s: the timeline says %q", name, mo.Text)
			}
		}
	}
}

// A recording has no secret of a command line.
func TestASampleIsMasked(t *testing.T) {
	in := ProcessSample{Epoch: 1, Sample: witness.Sample{Processes: []witness.Process{{PID: 7, Name: "hunter-22", Command: "x --y hunter-22 \xff"}}, Lacks: []string{"hunter-22"}}}
	name, text, err := EncodeInput(Masked(in, secret.NewMask("").With(secret.Value{Text: "hunter-22"})))
	if err != nil || strings.Contains(string(text), "hunter") {
		t.Errorf("%s: %v", text, err)
	}
	back, err := DecodeInput(name, text)
	if err != nil || back.(ProcessSample).Processes[0].PID != 7 || in.Processes[0].Name != "hunter-22" {
		t.Errorf("%+v: %v", back, err)
	}
}

// What no process can have is not believed of a file; what a sampler writes is read.
func TestASampleThatCannotBeIsLeftOut(t *testing.T) {
	const whole = `{"pid":7,"start":1,"parent":1,"age":-1000000,"name":"x","cpu":9000000000,"reaped":5,"memory":70368744177664,"threads":4096,"files":1000}`
	read := func(process, more string) error {
		_, err := DecodeInput("processes", []byte(`{"epoch":1,"every":1,"processes":[`+process+`]`+more+`}`))
		return err
	}
	if err := read(whole, `,"more":3`); err != nil {
		t.Error(err)
	}
	for _, c := range [][2]string{
		{`"pid":7`, `"pid":-7`},
		{`"age":-1000000`, `"age":-9223372036854775808`},
		{`"age":-1000000`, `"age":9223372036854775807`},
		{`"cpu":9000000000`, `"cpu":-5`},
		{`"cpu":9000000000`, `"cpu":9000000000000000000`},
		{`"reaped":5`, `"reaped":-5`},
		{`"reaped":5`, `"reaped":9000000000000000000`},
		{`"memory":70368744177664`, `"memory":9223372036854775808`},
		{`"memory":70368744177664`, `"memory":9223372036854775807`},
		{`"threads":4096`, `"threads":-1`},
		{`"threads":4096`, `"threads":2147483647`},
		{`"files":1000`, `"files":-1`},
	} {
		text := strings.Replace(whole, c[0], c[1], 1)
		if err := read(whole+","+text, ""); text == whole || err == nil || !strings.Contains(err.Error(), `the input "processes" was left out: process `) {
			t.Errorf("%s: %v", c[1], err)
		}
	}
	if err := read(whole, `,"more":-1`); err == nil {
		t.Error("-1 more processes are believed")
	}
}

// The same goes for what a recording says that a server at rest had used.
func TestARestThatCannotBeIsLeftOut(t *testing.T) {
	for processes, want := range map[string]bool{
		`{"at":"2026-09-01T12:00:00Z","share":0.5,"known":true}`:             true,
		`{"at":"2026-09-01T12:00:00Z","share":-0.5,"known":true}`:            false,
		`{"at":"2026-09-01T12:00:00Z","latest":{"CPU":-1,"Processes":1}}`:    false,
		`{"at":"2026-09-01T12:00:00Z","latest":{"CPU":10,"Processes":1}}`:    true,
		`{"at":"2026-09-01T12:00:00Z","from":{"Files":-1,"Processes":1}}`:    false,
		`{"at":"2026-09-01T12:00:00Z","lost":9223372036854775807}`:           false,
		`{"at":"2026-09-01T12:00:00Z","goesOn":1e300,"stopped":7}`:           false,
		`{"at":"2026-09-01T12:00:00Z","goesOn":1,"stopped":7,"awaits":true}`: true,
	} {
		if _, err := DecodeInput("skipped", []byte(`{"rest":{"epoch":1,"processes":`+processes+`}}`)); (err == nil) != want {
			t.Errorf("%s: %v", processes, err)
		}
	}
}
