package cli

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"belay/internal/caution"
	"belay/internal/guard"
	"belay/internal/report"
	"belay/mcpclient"
	"belay/mcpclient/replay"
	"belay/session"
	"belay/session/secret"
	"belay/ui"
	"belay/ui/compose"
	loginui "belay/ui/login"
	replayui "belay/ui/replay"
	reportsui "belay/ui/reports"
	"belay/ui/server"
)

func newReplay(s std) *cobra.Command {
	look := looks{confirm: caution.Default.String()} // there is nothing to confirm
	var follow bool
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Show a recording in the same screen",
		Long: "A recording that --record wrote, in the screen of a run. All of it is played at first; keys play it again from any place, " +
			"at any speed, and step through it. States and verdicts are what this belay makes of what was recorded; where a message that " +
			"it writes differs from the one that was recorded, the header says so. Nothing can be sent.\n\n" +
			"A recording that is cut is shown up to the cut. With --follow a recording is waited for in a file that is empty, and one that is " +
			"truncated or replaced is shown from its beginning; the screen says what happened. " +
			"While nothing is written the clock stands at the last line, and the screen says for how long. The flags of the screen work here, too: --ascii, --no-motion, --no-mouse.",
		Example: "belay replay run.jsonl\nbelay replay --follow run.jsonl",
		Args: func(_ *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return usage("which recording? belay replay FILE; one is written by --record FILE")
			case 1:
				return nil
			}
			return usage("there is more behind the recording: %q; one is shown at a time", args[1])
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return runReplay(s, args[0], follow, &look)
		},
	}
	cmd.Flags().BoolVar(&follow, "follow", false, "go on when more is written to the recording")
	look.addDrawing(cmd.Flags())
	return cmd
}

// runReplay shows a recording until the user quits.
func runReplay(s std, path string, follow bool, look *looks) error {
	screen, err := look.options(false)
	if err != nil {
		return err
	}
	open := replay.Open
	if follow {
		open = replay.OpenToFollow
	}
	file, err := open(path)
	if err != nil {
		return &exitError{code: ExitUsage, err: err, told: true}
	}
	if err := s.checkScreenOr("belay report FILE"); err != nil {
		_ = file.Close()
		return err
	}
	defer tuneMemory()()
	b := &recording{Player: replay.NewPlayer(file, follow)}
	screen.Replay = tape{b.Player}
	model := ui.New(b, screen)
	left := guard.New(s.in, s.out, givenBack)
	_ = left.Start() // belay plays on without it, and says so
	return newStage(s, b, &b.editing, model, left, hear()).play(model)
}

// recording is what the screen sees in the place of a server: a recording, and the desktop.
type recording struct {
	*replay.Player
	desktop
	left atomic.Bool
}

var errRecording = &session.Refusal{Code: session.RefuseNotReady, Text: replayui.Refused}

func (r *recording) Do(session.Input) (session.Reply, error) { return session.Reply{}, errRecording }
func (r *recording) Restart() error                          { return errRecording }
func (r *recording) Conceal(...secret.Value)                 {}
func (r *recording) Kill()                                   {}
func (r *recording) KillAndWait(time.Duration)               {}
func (r *recording) Crash() *mcpclient.Crash                 { return nil }
func (r *recording) Login() loginui.Status                   { return loginui.Status{} }
func (r *recording) PasteLogin(string) error                 { return errRecording }
func (r *recording) AbandonLogin()                           {}
func (r *recording) Logout() (loginui.Logout, error)         { return loginui.Logout{}, errRecording }
func (r *recording) ProcessLine() string                     { return "a recording" }
func (r *recording) Unrecorded() string                      { return "" }
func (r *recording) NotKept() string                         { return "" }
func (r *recording) Recorded() string                        { return "" }
func (r *recording) Record(string, bool) (reportsui.Recording, error) {
	return reportsui.Recording{}, errRecording
}
func (r *recording) StopRecording() (string, int64, error) { return "", 0, errRecording }
func (r *recording) CommandLine(*session.Detail, string, []byte) (string, bool, error) {
	return "", false, errors.New("a recording does not say how its server is called")
}
func (r *recording) Leave()      { r.left.Store(true) }
func (r *recording) Quits() bool { return r.left.Load() }

// About tells of what is wrong with the recording up to the place that is shown.
func (r *recording) About() report.About {
	a, st := aboutOf(r.IsUnmasked()), r.Status()
	a.Recording = damageOf(st.Missing, st.Cut, st.Faulty, st.Differs, st.Gaps)
	if a.Recording.Open = st.Open; st.At < st.Length {
		a.Recording.Place = string(replayui.Clock(st.At) + " of " + replayui.Clock(st.Length) + " in the recording")
	}
	return a
}

// No arguments are kept of a recording's calls.

func (r *recording) Earlier(string, string) ([]compose.Set, error)   { return nil, nil }
func (r *recording) Remember(string, string, []byte, []string) error { return errRecording }
func (r *recording) Forget() (int, error)                            { return 0, errRecording }

func (r *recording) Forgetful() string { return replayui.Refused }

func (r *recording) Absent() string { return replayui.Refused }

func (r *recording) OpenURL(string) error              { return errRecording }
func (r *recording) Root(string) (session.Root, error) { return session.Root{}, errRecording }

// Command is the file: which command was run is not in it.
func (r *recording) Command() server.Start { return server.Start{Argv: []string{r.Path()}} }

// Close ends the player.
func (r *recording) Close(ctx context.Context) error {
	r.Leave()
	over := make(chan struct{})
	go func() {
		_ = r.Player.Close() // which was only read
		close(over)
	}()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return errors.New("the file of the recording does not answer")
	}
}

// tape is the player as the screen knows it.
type tape struct{ *replay.Player }

// Status implements the player of the screen.
func (t tape) Status() replayui.Status {
	st := t.Player.Status()
	faults := make([]replayui.Fault, len(st.Faults))
	for i, f := range st.Faults {
		faults[i] = replayui.Fault(f)
	}
	return replayui.Status{
		State: map[replay.State]replayui.State{
			replay.Paused: replayui.Paused, replay.Playing: replayui.Playing,
			replay.Searching: replayui.Searching, replay.Following: replayui.Following,
		}[st.State],
		At: st.At, Length: st.Length, Line: st.Line, Ended: st.Ended, Part: st.Part, Speed: st.Speed,
		Session: st.Session, Lost: st.Lost, Open: st.Open, Cut: st.Cut, Faults: faults, Missing: st.Missing, Faulty: st.Faulty, Differs: st.Differs, Gaps: st.Gaps,
		News: st.News, Told: st.Told, Waits: st.Waits, Silent: st.Silent,
	}
}

// Next implements the player of the screen.
func (t tape) Next(m replayui.Mark, forward bool) bool {
	mark := replay.Cancel
	if m == replayui.Diagnostic {
		mark = replay.Diagnostic
	}
	return t.Player.Next(mark, forward)
}
