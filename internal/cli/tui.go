package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"

	"belay/internal/caution"
	"belay/internal/guard"
	"belay/internal/safe"
	"belay/mcpclient"
	recordings "belay/mcpclient/recording"
	"belay/ui"
	"belay/ui/attention"
)

// looks are the flags of the screen.
type looks struct {
	set *pflag.FlagSet

	noMotion, ascii, noMouse, notify bool

	confirm string
	trust   bool

	minds []string // sentences that the screen begins with

	instead func(*backend, tea.Model) tea.Model // of the model, in a test; nil: nothing is
}

// mind says what the user must not miss: before the screen, which hides it, and again
// when that has begun.
func (l *looks) mind(s std, sentence string) {
	_, _ = fmt.Fprintln(s.err, "belay: "+sentence)
	l.minds = append(l.minds, sentence)
}

func (l *looks) add(set *pflag.FlagSet) {
	l.addDrawing(set)
	set.BoolVar(&l.notify, "notify", false, "show a notification of the desktop when a call of a minute and more ends or asks you something, where the terminal can do that")
	set.StringVar(&l.confirm, "confirm", caution.Default.String(), caution.Help())
	set.BoolVar(&l.trust, "trust", false, "believe the server which of its tools are harmless")
}

// addDrawing adds those that are for any screen.
func (l *looks) addDrawing(set *pflag.FlagSet) {
	l.set = set
	set.BoolVar(&l.noMotion, "no-motion", false, "no spinners")
	set.BoolVar(&l.ascii, "ascii", false, "draw with ASCII characters only, as belay does by itself where the locale is not one of UTF-8")
	set.BoolVar(&l.noMouse, "no-mouse", false, "leave the mouse to the terminal, as belay does by itself in GNU screen, which keeps esc back until the next key where a program has the mouse")
}

// options are those of the screen. The demo server is belay's own, so that what
// it says of its tools is believed.
func (l *looks) options(demo bool) (ui.Options, error) {
	level, ok := caution.Parse(l.confirm)
	if !ok {
		return ui.Options{}, usage("--confirm %q: %s", l.confirm, strings.Join(caution.Words(), ", "))
	}
	var notify attention.Notify
	if l.notify {
		notify = notifier(os.Getenv)
	}
	return ui.Options{
		Notify: notify, Confirm: level, Trusted: l.trust || demo, NoMotion: l.noMotion, ASCII: l.drawsASCII(), NoMouse: l.leavesMouse(),
		NoColor: os.Getenv("NO_COLOR") != "", Frozen: frozen() != nil,
	}, nil
}

// drawsASCII is what the user has said, or else what the locale says.
func (l *looks) drawsASCII() bool {
	if l.set != nil && l.set.Changed("ascii") {
		return l.ascii
	}
	return l.ascii || !spellsUTF8(os.Getenv)
}

// leavesMouse is what the user has said, or else whether belay runs in GNU screen: for a program
// that has the mouse it waits behind an esc for the rest of a click (seen with 4.9.0), and no key
// after it is the one that was pressed.
func (l *looks) leavesMouse() bool {
	if l.set != nil && l.set.Changed("no-mouse") {
		return l.noMouse
	}
	return l.noMouse || os.Getenv("STY") != ""
}

// checkScreen says why there can be no screen.
func (s std) checkScreen() error { return s.checkScreenOr("belay call TOOL, belay ls") }

// checkScreenOr says why there can be no screen, and which commands do without one.
func (s std) checkScreenOr(instead string) error {
	if !term.IsTerminal(s.in.Fd()) || !term.IsTerminal(s.out.Fd()) {
		return usage("its screen needs a terminal for its input and output; without one: %s", instead)
	}
	return drawable()
}

// lacksScreen returns the reason why the terminal can show no screen. Without a terminal for
// input it returns nil: nobody could answer a question before the screen.
func (s std) lacksScreen() error {
	if !term.IsTerminal(s.in.Fd()) {
		return nil
	}
	return s.checkScreen()
}

// drawable says why the terminal cannot draw a screen.
func drawable() error {
	if os.Getenv("TERM") == "dumb" {
		return usage("no screen can be drawn here (TERM=dumb); set TERM to what it is")
	}
	return nil
}

// runTUI runs a server and the screen on it, until the user quits.
func runTUI(s std, server target, f *flags, look looks) error {
	screen, err := look.options(server.demo)
	if err != nil {
		return err
	}
	if err := s.checkScreen(); err != nil {
		return err
	}
	opts, err := clientOptions(server, f)
	if err != nil {
		return err
	}
	if f.keepTasks {
		kept, err := keptTasks(opts)
		if err != nil {
			look.mind(s, "the IDs of tasks that were kept cannot be read: "+string(safe.LineN(err.Error(), 300)))
		}
		opts.Tasks = kept
	}
	memory := newMemory(opts, placeOf(server, opts))
	if f.noMemory {
		memory.switchOff("no arguments are kept (--no-memory)")
	}
	opts.Learn = memory.learn
	defer tuneMemory()()
	left := guard.New(s.in, s.out, givenBack)
	opts.Group, opts.Expect = left.Group, left.Expect
	if f.unmasked {
		look.mind(s, string(safe.Line(f.record))+" will hold passwords, tokens and all else that is secret as it is (--record-unmasked)")
	}
	client := mcpclient.New(opts)
	// The server starts beside the making of the screen, which takes as long. However belay ends from
	// then on, there is somebody who ends the server.
	heard := hear()
	started := make(chan error, 1)
	go func() {
		_ = left.Start() // belay plays on without it, and says so
		<-heard.begun
		started <- client.Start()
	}()
	b := &backend{Client: client, memory: memory, target: server, typed: f.set}
	if f.record != "" {
		b.recorded.Store(&f.record)
	}
	screen.Minds = look.minds
	if server.demo {
		screen.Nearby = nearby
	}
	model := ui.New(b, screen)
	shown := tea.Model(model)
	if look.instead != nil {
		shown = look.instead(b, model)
	}
	st := newStage(s, b, &b.editing, model, left, heard)
	st.watch = f.watched
	if err := heard.await(started); err != nil {
		heard.stop() // ctrl+c ends belay while it closes
		_ = client.Close(context.Background())
		left.End()
		return cannotConnect(server.hide(err))
	}
	return st.play(shown)
}

func clientOptions(server target, f *flags) (mcpclient.Options, error) {
	cfg, err := f.config()
	if err != nil {
		return mcpclient.Options{}, err
	}
	if server.demo {
		f.forDemo(&cfg)
	}
	opts := mcpclient.Options{
		HTTP: server.http, Command: server.argv, Dir: server.dir, Env: slices.Concat(server.env, f.fileEnv, f.env), Session: cfg,
		RecordUnmasked: f.unmasked, Secrets: server.took, Now: time.Now,
	}
	if clock := frozen(); clock != nil {
		opts.Now, opts.Session.Jitter = clock, 1
		if opts.HTTP.Endpoint != "" {
			opts.Session.FirstID = frozenFirstID
		}
	}
	opts.NoWitness = f.noWitness
	if opts.MaxLine, err = sizeOf(f.maxMessage); err != nil {
		return opts, err
	}
	if f.record != "" {
		file, err := recordings.Create(f.record)
		if err != nil {
			return opts, &exitError{code: ExitUsage, err: err}
		}
		opts.Record = file
	}
	return opts, nil
}

// frozenFirstID stands in pictures for the random number at which IDs begin over HTTP, as long as that.
const frozenFirstID = 48_120

// frozen is a clock for pictures: it starts at the instant that
// BELAY_FREEZE_CLOCK holds and moves in whole seconds only, so that two runs of
// the same script show the same times. Nil without the variable.
func frozen() func() time.Time {
	at, err := time.Parse(time.RFC3339, os.Getenv("BELAY_FREEZE_CLOCK"))
	if err != nil {
		return nil
	}
	began := time.Now()
	return func() time.Time { return at.Add(time.Since(began).Truncate(time.Second)) }
}
