package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/term"

	"belay/internal/guard"
	"belay/internal/safe"
	"belay/internal/watch"
	"belay/mcpclient"
	"belay/session"
	"belay/ui"
	"belay/ui/rebuild"
)

// stage is a model on the terminal, from its first frame to the last words on the
// normal screen. None of what ends it waits for the loop of the model.
type stage struct {
	std
	b       served
	editing *editorSession
	model   *ui.Model
	out     *screen
	keys    *keyboard
	asked   queries
	modes   *term.State // of the terminal, as it was
	left    *guard.Guard
	watch   *watch.Watch // of files whose change offers a restart; nil: there are none

	program *tea.Program
	heard   *hearing
	way     wayOut
	hurry   chan struct{}                   // holds one when a signal, or ctrl+c pressed twice, came
	taken   chan struct{}                   // the terminal was taken from the loop
	ended   chan struct{}                   // the loop has ended
	over    chan struct{}                   // belay has
	err     error                           // of the loop, once it has ended
	crash   atomic.Pointer[mcpclient.Crash] // of the model, the first; nil: there was none
}

// served is what is shown, as far as the way out has to do with it.
type served interface {
	Leave()
	Quits() bool
	Kill()
	KillAndWait(limit time.Duration)
	Close(ctx context.Context) error
	Crash() *mcpclient.Crash
}

// lastWait bounds how long the way out may take once the screen is gone: the
// steps of closing a server, and a little more.
const lastWait = 8 * time.Second

func newStage(s std, b served, lent *editorSession, model *ui.Model, left *guard.Guard, heard *hearing) *stage {
	st := &stage{
		std: s, b: b, editing: lent, model: model, left: left, heard: heard,
		hurry: make(chan struct{}, 1), taken: make(chan struct{}), ended: make(chan struct{}), over: make(chan struct{}),
	}
	st.way = wayOut{
		signals: heard.signals, twice: make(chan int, 1), ended: st.ended, over: st.over,
		quits: st.quits, begin: st.begin, atOnce: st.atOnce, takeBack: st.takeBack, fall: st.fall,
	}
	return st
}

// play runs the program until the user quits, or something ends it.
func (st *stage) play(model tea.Model) error {
	defer close(st.over)
	st.modes, _ = term.GetState(st.in.Fd())
	var row interrupts
	st.keys = newKeyboard(st.in, func(ev uv.Event) {
		st.asked.came(ev)
		if n := row.pressed(ev); n > 1 {
			st.hasten()
			select {
			case st.way.twice <- n:
			default:
			}
		}
	}, func(error) { st.program.Kill() })
	st.out = newScreen(st.std.out, func() { st.program.Send(tea.ClearScreen()) })
	st.out.asked = &st.asked
	defer st.out.end()
	// More processors are used when the first frame is out, or soon, should the terminal not read:
	// threads that look for work to do would take those that there are from the first frame.
	st.out.first = func() { go tuneProcs() }
	st.left.Hold()
	defer st.left.End()
	st.program = newProgram(st.keys, st.out, catching(model, &st.crash, func() { st.program.Quit() }, st.raw))
	st.left.OnLost(func(sentence string) { st.program.Send(ui.Mind(sentence)) })
	defer time.AfterFunc(lastWords, tuneProcs).Stop()

	<-st.heard.begun
	defer st.heard.stop()
	st.editing.signals, st.editing.keys, st.editing.left = st.way.signals, st.keys, st.left
	go st.way.watch()
	go st.resumed()
	go st.keys.feed(func(ev uv.Event) { st.program.Send(ev) }, st.ended)
	if st.watch != nil {
		ctx, end := context.WithCancel(context.Background())
		defer end()
		go st.watch.Run(ctx, func(paths []string) { st.program.Send(rebuild.Changed{Paths: paths}) })
	}
	go func() {
		defer close(st.ended)
		_, st.err = st.program.Run()
	}()
	select {
	case <-st.ended:
		st.awaitAnswers()
	case <-st.taken:
	}
	st.keys.stop()
	st.model.Finish()
	return st.leave()
}

// newProgram is a program of which the model's panics are caught. Of any other one the guard gives the terminal back,
// and shows it: Bubble Tea would do so in the middle of the screen.
func newProgram(in *keyboard, out *screen, model tea.Model) *tea.Program {
	options := programOptions(in, out)
	if runtime.GOOS != "windows" { // where there is no guard
		options = append(options, tea.WithoutCatchPanics())
	}
	return tea.NewProgram(model, options...)
}

// programOptions are those of any screen of belay's.
func programOptions(in io.Reader, out io.Writer) []tea.ProgramOption {
	options := []tea.ProgramOption{tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler()}
	if os.Getenv("NO_COLOR") != "" {
		options = append(options, tea.WithColorProfile(colorprofile.Ascii))
	}
	return options
}

// awaitAnswers reads what the terminal has still to say to what it was asked when belay
// began, so that it does not become text on the prompt of the shell. Until then nothing
// that it sends is shown.
func (st *stage) awaitAnswers() {
	if st.modes == nil || !st.asked.areDue() || !isForeground(st.in) {
		return
	}
	if _, err := term.MakeRaw(st.in.Fd()); err != nil {
		return
	}
	select {
	case <-st.hurry: // which ended the screen
	default:
	}
	if st.out.wait(readsWithin) {
		limit := answersWithin
		if st.out.isSlow() {
			limit = slowly
		}
		st.asked.await(st.out.say, limit, st.hurry)
	}
	if isForeground(st.in) {
		_ = term.Restore(st.in.Fd(), st.modes)
	}
}

// hasten ends the wait for answers. It waits for nothing.
func (st *stage) hasten() {
	select {
	case st.hurry <- struct{}{}:
	default:
	}
}

// quits reports whether belay is on its way out. A loop that is stuck may be so
// under the lock of the session: then it is not.
func (st *stage) quits() bool {
	quitting, _ := within(heardWithin/5, st.b.Quits)
	return quitting
}

// begin takes the same way out as q, without asking. An editor that has the
// terminal is told to end. A terminal in whose background belay is, is the shell's: it is
// neither set nor read nor drawn on any more, as the system would stop belay for that.
func (st *stage) begin(sig os.Signal) {
	st.b.Leave()
	if !isForeground(st.in) {
		st.keys.leave()
		st.out.mute()
		st.out.undoScreen()
	}
	go func() {
		if st.model.Leave() == session.Disconnected { // nothing will tell the screen of the end
			st.program.Quit()
		}
	}()
	st.editing.end(sig)
}

func (st *stage) atOnce() {
	st.hasten()
	st.b.Kill()
	st.editing.kill()
	go st.program.Quit()
}

// takeBack takes the terminal from Bubble Tea, which may go on: nothing that it
// says is heard. To kill it would not do: its loop may be stuck, or about to have
// the terminal back from an editor.
func (st *stage) takeBack() {
	st.editing.kill()
	st.out.mute()
	st.out.undoScreen()
	st.keys.keep(0)
	st.restore()
	close(st.taken)
}

// restore gives the terminal the modes that it had.
func (st *stage) restore() {
	if st.modes != nil && isForeground(st.in) {
		_ = term.Restore(st.in.Fd(), st.modes)
	}
	st.left.Release()
}

// fall ends belay by a signal that is for a program that hangs: the terminal is
// given back, and what the runtime says can be read on it. Bubble Tea may be about to
// take the terminal: a server may send the signal as soon as it runs. The servers are
// left to the guard, which closes them in order.
func (st *stage) fall(sig os.Signal) {
	st.out.mute()
	st.out.undoScreen()
	if !st.out.wait(heardWithin) && isForeground(st.in) {
		st.out.skip(givenBack)
		st.out.wait(slowly)
	}
	st.keys.keep(heardWithin)
	st.restore()
	if st.left.Failing(); !st.left.Survives(heardWithin) {
		st.b.KillAndWait(lastWait)
	}
	die(sig)
}

// leave closes the server, and says on the normal screen what became of the
// work.
func (st *stage) leave() error {
	ctx, cancel := context.WithTimeout(context.Background(), lastWait)
	defer cancel()
	st.out.mute()
	st.b.Leave()
	closed := make(chan error, 1)
	go func() {
		st.model.Leave()
		closed <- st.b.Close(ctx)
	}()
	recErr := st.awaitClosed(closed)
	st.editing.idle(lastWords)
	defer st.restore()
	if isWritable(st.std.out) && st.out.drainOrSkip(lastWords, givenBack) {
		lines, _ := within(lastWords, st.model.Farewell)
		for _, line := range slices.Concat(lines, st.editing.farewell(), crashWords(st.crash.Load()), crashWords(st.b.Crash())) {
			st.out.say(line + "\n")
		}
		st.out.drain(slowly)
	}
	if recErr != nil {
		bearBackground()
		_, _ = fmt.Fprintln(st.std.err, "belay: "+string(safe.Line(recErr.Error())))
	}
	if err := st.failed(); err != nil {
		return err
	}
	if exit, ok := within(lastWords, st.model.Exit); ok && exit != ui.ExitOK {
		return &exitError{code: ExitConnect}
	}
	return nil
}

// awaitClosed waits for the server's end. Where it holds the user up on the normal
// screen, it says so. A loop that is stuck under the lock of the session holds up
// the core, but neither the shutdown nor this.
func (st *stage) awaitClosed(closed <-chan error) error {
	soon := time.NewTimer(heardWithin)
	defer soon.Stop()
	late := time.NewTimer(lastWait + lastWords)
	defer late.Stop()
	for {
		select {
		case err := <-closed:
			return err
		case <-soon.C:
			if isWritable(st.std.out) && st.out.drainOrSkip(0, givenBack) {
				st.out.say("belay: waiting for the server to end; ctrl+c ends it at once\n")
			}
		case <-late.C:
			return nil
		}
	}
}

func (st *stage) failed() error {
	if crash := st.crash.Load(); crash != nil {
		return &exitError{code: ExitScreen, err: fmt.Errorf("the screen failed: %s", safe.LineN(crash.Value, 300)), told: true}
	}
	select {
	case <-st.ended:
	default:
		return nil
	}
	ended := errors.Is(st.err, tea.ErrProgramKilled) || errors.Is(st.err, tea.ErrInterrupted)
	if st.err == nil || ended && !errors.Is(st.err, tea.ErrProgramPanic) {
		return nil
	}
	return &exitError{code: ExitScreen, err: fmt.Errorf("the screen failed: %w", st.err)}
}

// within calls f, and waits for it for a time at most.
func within[T any](limit time.Duration, f func() T) (got T, ok bool) {
	done := make(chan T, 1)
	go func() { done <- f() }()
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case got = <-done:
		return got, true
	case <-t.C:
		return got, false
	}
}
