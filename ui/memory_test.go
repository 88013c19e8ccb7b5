package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/internal/report"
	"belay/session"
	"belay/session/mcp"
	"belay/session/secret"
	"belay/ui/compose"
	"belay/ui/login"
	"belay/ui/panel"
	"belay/ui/reports"
	"belay/ui/server"
)

// memory is a backend without any I/O.
type memory struct {
	entry     string // of the config file; empty: there is none
	suspended int    // how often
	noShell   error  // why it is not

	concealed []secret.Value // in the order in which they came
	mu        sync.Mutex
	s         *session.Session
	wake      chan struct{}
	wrote     []string             // messages that the server got
	on        []session.ExchangeID // … and on which exchange each of them came
	at        session.ExchangeID   // of the last of them
	streams   []session.ExchangeID // that were opened for what belongs to no request
	stuck     bool                 // the server does not read
	saved     map[string]string
	files     map[string]string // what Read finds
	opened    []string          // addresses that the browser got
	openErr   error
	rootErr   error
	gone      []session.Root // roots that cannot be read
	opens     chan struct{}  // what the browser waits for; nil: nothing
	killed    bool
	restarts  int
	epoch     session.Epoch
	edit      func(text, ending string) (string, error) // what the user does in the editor

	sets       map[string][]compose.Set // that are kept, by method and name
	remembered []string                 // method, name, arguments and the names of secrets
	failing    error                    // of keeping arguments
	forgetful  string

	unrecorded string
	recorded   string
	notKept    string

	login     login.Status
	asked     session.Output // the login that the core asked for last
	pasted    []string
	pasteErr  error
	abandoned int
	loggedOut login.Logout
	logoutErr error
	hangs     chan struct{} // until it is closed, a logout waits; nil: none does
}

func (b *memory) Login() login.Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.login
}

func (b *memory) PasteLogin(redirect string) error {
	b.pasted = append(b.pasted, redirect)
	return b.pasteErr
}

func (b *memory) Earlier(method, name string) ([]compose.Set, error) {
	return b.sets[method+" "+name], b.failing
}

func (b *memory) Remember(method, name string, arguments []byte, secrets []string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remembered = append(b.remembered, fmt.Sprint(method, " ", name, " ", string(arguments), " ", secrets))
	return b.failing
}

func (b *memory) Forget() (sets int, err error) {
	for _, s := range b.sets {
		sets += len(s)
	}
	b.sets = nil
	return sets, b.failing
}

func (b *memory) Forgetful() string { return b.forgetful }

func (b *memory) Absent() string { return "" }

func (b *memory) AbandonLogin() { b.abandoned++ }

func (b *memory) Logout() (login.Logout, error) {
	if b.hangs != nil {
		<-b.hangs
	}
	if b.logoutErr == nil {
		b.setLogin(login.Status{Able: true})
	}
	return b.loggedOut, b.logoutErr
}

func (b *memory) setLogin(l login.Status) {
	b.mu.Lock()
	b.login = l
	b.mu.Unlock()
	b.ring()
}

func (b *memory) View(f func(*session.Session)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f(b.s)
}

func (b *memory) Do(in session.Input) (reply session.Reply, err error) {
	b.locked(func(s *session.Session, now time.Time) { reply, err = s.Handle(now, in) })
	return reply, err
}

func (b *memory) tell(r session.Report) session.Reply { return tell(b, r) }

func (b *memory) locked(f func(*session.Session, time.Time)) {
	b.mu.Lock()
	f(b.s, time.Now())
	b.mu.Unlock()
	b.ring()
}

func (b *memory) ring() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *memory) Wake() <-chan struct{} { return b.wake }

func (b *memory) Restart() error {
	b.restarts++
	b.epoch = b.tell(session.Connect{}).Epoch
	return nil
}

func (b *memory) Save(name string, data []byte) (string, error) {
	if b.saved == nil {
		return "", errors.New("the disk is full")
	}
	b.saved[name] = string(data)
	return "/tmp/" + name, nil
}

func (b *memory) CommandLine(_ *session.Detail, tool string, arguments []byte) (string, bool, error) {
	return "belay call " + tool + " --json '" + string(arguments) + "'", false, nil
}
func (b *memory) Recorded() string { return b.recorded }

func (b *memory) Record(name string, over bool) (reports.Recording, error) {
	path, err := b.Write(name, nil, over)
	b.recorded = path
	return reports.Recording{Path: path}, err
}

func (b *memory) StopRecording() (string, int64, error) {
	path := b.recorded
	b.recorded = ""
	return path, 1, nil
}

func (b *memory) About() report.About { return report.About{Version: "test"} }

func (b *memory) Write(name string, data []byte, over bool) (string, error) {
	if b.saved == nil {
		return "", errors.New("the disk is full")
	}
	if _, ok := b.saved[name]; ok && !over {
		return "", panel.ErrExists
	}
	b.saved[name] = string(data)
	return "/tmp/" + name, nil
}

func (b *memory) OpenURL(url string) error {
	if b.opens != nil {
		<-b.opens
	}
	b.opened = append(b.opened, url)
	return b.openErr
}

func (b *memory) Read(name string) ([]byte, error) {
	data, ok := b.files[name]
	if !ok {
		return nil, errors.New("there is no such file")
	}
	return []byte(data), nil
}

func (b *memory) Root(dir string) (session.Root, error) {
	if !strings.HasPrefix(dir, "/src/") {
		return session.Root{}, errors.New("there is no such directory")
	}
	return session.Root{URI: "file://" + dir, Name: dir[strings.LastIndex(dir, "/")+1:]}, b.rootErr
}

func (b *memory) Conceal(values ...secret.Value) { b.concealed = append(b.concealed, values...) }
func (b *memory) Suspend() tea.ExecCommand       { return &suspension{b} }

// suspension counts how often belay was suspended.
type suspension struct{ b *memory }

func (s *suspension) Run() error { s.b.suspended++; return s.b.noShell }

func (*suspension) SetStdin(io.Reader)  {}
func (*suspension) SetStdout(io.Writer) {}
func (*suspension) SetStderr(io.Writer) {}

func (b *memory) Kill()               { b.killed = true }
func (b *memory) Now() time.Time      { return time.Now() }
func (b *memory) ProcessLine() string { return "pid 4711" }
func (b *memory) Unrecorded() string  { return b.unrecorded }
func (b *memory) NotKept() string     { return b.notKept }

func (b *memory) Editor(text []byte, ending string) Editor {
	return &memoryEditor{edit: b.edit, text: string(text), ending: ending}
}

// memoryEditor is an editor that is a function.
type memoryEditor struct {
	edit         func(text, ending string) (string, error)
	text, ending string
}

func (e *memoryEditor) SetStdin(io.Reader)  {}
func (e *memoryEditor) SetStdout(io.Writer) {}
func (e *memoryEditor) SetStderr(io.Writer) {}
func (e *memoryEditor) Text() []byte        { return []byte(e.text) }

func (e *memoryEditor) Run() (err error) {
	e.text, err = e.edit(e.text, e.ending)
	return err
}

func (b *memory) Command() server.Start {
	return server.Start{Entry: b.entry, Argv: []string{"demo-server", "--stdio"}, Dir: "/home/ann/src/demo"}
}

// pump carries out what the session asks for, and makes its checks.
func (b *memory) pump() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		task, ok := b.s.NextCheck()
		if !ok {
			break
		}
		found := form.Check(context.Background(), task.Schema, mcp.ParseResult(task.Result).Structured)
		report := session.SchemaReport{More: found.More, NotChecked: found.Refused, Blind: found.Unchecked}
		for _, f := range found.Findings {
			report.Faults = append(report.Faults, session.SchemaFault{Where: f.Where, Why: f.Why})
		}
		b.s.Tell(time.Now(), session.SchemaChecked{Call: task.Call, Report: report})
	}
	for !b.stuck {
		out, ok := b.s.Next(time.Now())
		if !ok {
			return
		}
		switch out.Op {
		case session.OpWrite:
			if out.X.N != 0 && !b.s.Tell(time.Now(), session.Started{ExchangeID: out.X}).Wanted {
				continue
			}
			b.wrote, b.on = append(b.wrote, string(out.Data)), append(b.on, out.X)
			b.at = out.X
			b.s.Tell(time.Now(), session.Sent{Seq: out.Seq})
		case session.OpClose:
			b.s.Tell(time.Now(), session.Closed{Epoch: b.epoch, Why: session.Close{ByUs: true}})
		case session.OpRoots:
			b.s.Tell(time.Now(), session.RootsChecked{Seq: out.Seq, Gone: b.gone})
		case session.OpLogin:
			b.asked = out
		case session.OpOpen:
			b.streams = append(b.streams, out.X)
		case session.OpAbort:
		}
	}
}
