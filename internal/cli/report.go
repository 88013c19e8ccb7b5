package cli

import (
	"context"
	cryptorand "crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"belay/internal/build"
	"belay/internal/report"
	"belay/internal/safe"
	"belay/mcpclient/replay"
	"belay/session"
	"belay/session/secret"
	"belay/ui/panel"
)

// platform is what this belay runs on.
const platform = runtime.GOOS + "/" + runtime.GOARCH

// reportFlags are those of a report.
type reportFlags struct {
	format, out string
	force       bool
}

func newReport(s std) *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report FILE [ID…]",
		Short: "Write what became of the cancelled calls of a recording, for an issue",
		Long: "A report on calls of a recording that --record wrote: the environment, what was called, the verdict with its evidence, what " +
			"the specification says to it, and an excerpt of the messages. It is Markdown with a diagram for Mermaid, one HTML page that " +
			"needs nothing else, or JSON. An ID is that of the call's row; without one the report is on all calls that were cancelled, " +
			"up to a hundred. With --format log it is the log of all cancellations, a line of JSON for each event.\n\n" +
			"What looks like a secret is masked, also where the recording keeps it (--record-unmasked).",
		Example: "belay report run.jsonl\nbelay report run.jsonl 7 -o cancel.html\nbelay report run.jsonl --format json\nbelay report run.jsonl --format log",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("which recording? belay report FILE [ID…]; one is written by --record FILE")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return runReport(cmd.Context(), s, args[0], args[1:], &f)
		},
	}
	cmd.Flags().StringVar(&f.format, "format", "", "the format: md, html, json or log (default: what the name of the file ends with, else md)")
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "write to this `file`, which only you can read, in the place of stdout")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace the file if it exists")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"md", "html", "json", logFormat}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// logFormat is the name of the log of cancellations among the formats.
const logFormat = "log"

// isLog reports whether the log of cancellations is asked for, which is on no call in particular.
func (f *reportFlags) isLog() bool {
	return f.format == logFormat || f.format == "" && filepath.Ext(f.out) == "."+logFormat
}

// formatOf is the format of a report that is asked for.
func (f *reportFlags) formatOf() (report.Format, error) {
	if f.isLog() {
		return 0, nil
	}
	if f.format == "" {
		format, ok := report.FormatOf(f.out)
		if !ok && filepath.Ext(f.out) != "" {
			return 0, usage("what is %q to be? --format says md, html, json or log", f.out)
		}
		return format, nil
	}
	format, ok := report.FormatNamed(f.format)
	if !ok {
		return 0, usage("--format %q: a report is md, html, json or log", f.format)
	}
	return format, nil
}

func runReport(ctx context.Context, s std, path string, ids []string, f *reportFlags) error {
	format, err := f.formatOf()
	if err != nil {
		return err
	}
	if f.isLog() && len(ids) > 0 {
		return usage("the log is of all cancellations of the recording: name no ID, or another format")
	}
	failed := func(err error) error { return &exitError{code: ExitUsage, err: err, told: true} }
	file, err := replay.Open(path)
	if err != nil {
		return failed(err)
	}
	defer func() { _ = file.Close() }()
	if isSameFile(path, f.out) {
		return failed(fmt.Errorf("cannot write %q: it is the recording that the report is on; name another file", f.out))
	}
	defer tune()()
	played, err := playAll(ctx, s, file)
	if err != nil {
		return err
	}
	view := func(f func(*session.Session)) { f(played.Session) }
	about := aboutOf(file.IsUnmasked())
	about.Recording = damageOf(file.Missing(), played.Cut, played.Faulty, played.Differs, played.Gaps)
	about.Recording.Open = played.Open
	notes := about.Recording.Notes()
	var text []byte
	if f.isLog() {
		text = report.CancelLog(view, about.Mask, about.LogNotes())
	} else {
		calls, err := reported(view, path, ids, len(notes) > 0)
		if err != nil {
			remarks(s, path, notes)
			return failed(err)
		}
		r := report.Take(view, calls, about)
		text = r.As(format)
	}
	if f.out == "" || f.out == "-" {
		if err := s.write(text); err != nil {
			return err
		}
	} else if err = writeFile(f.out, text, f.force); errors.Is(err, panel.ErrExists) {
		return failed(fmt.Errorf("%w; name another one, or --force replaces it", err))
	} else if unwritten, ok := errors.AsType[*exitError](err); ok {
		return unwritten
	} else if err != nil {
		return failed(err)
	}
	remarks(s, path, notes)
	return nil
}

// shortRead is for how long a recording is read without a word.
const shortRead = 300 * time.Millisecond

// playAll plays a recording, and is stopped by a signal. What follows holds no signal: one ends the making
// of a report, and the writing of it, too, which somebody may read slowly.
func playAll(ctx context.Context, s std, file *replay.File) (replay.Played, error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	began, live := time.Now(), newLiveLine(s, &looks{}, 100*time.Millisecond)
	defer live.clear()
	played, err := file.All(ctx, func(percent int) {
		if time.Since(began) > shortRead {
			live.set(safe.Text(fmt.Sprintf("%d %% of the recording read", percent)))
		}
	})
	if err != nil { // there is no other
		err = &exitError{code: ExitCancelled, err: errors.New("you stopped it before the recording was read: nothing was written"), told: true}
	}
	return played, err
}

// aboutOf is what a report on a recording needs beside the recording.
func aboutOf(unmasked bool) report.About {
	return report.About{Mask: secret.NewMask(cryptorand.Text()), Version: build.Version(), Unmasked: unmasked}
}

// isSameFile reports whether two names are of one file, by a link or otherwise.
func isSameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// damageOf is what is wrong with a recording of which so many lines are faulty; some of
// these were played, and differ. Gaps are places where lines are missing.
func damageOf(missing string, cut bool, faulty, differs, gaps int) report.Recording {
	r := report.Recording{Missing: missing, Cut: cut, Unplayed: faulty - differs, Differs: differs, Gaps: gaps}
	if cut { // the line that is cut is a faulty one
		r.Unplayed--
	}
	return r
}

// reported are the calls that a report is about. The error says of a damaged recording
// that it does not tell all.
func reported(view report.Source, path string, ids []string, damaged bool) (calls []session.CallID, err error) {
	where := fmt.Sprintf("%q", path)
	if damaged {
		where = "what could be played of " + where
	}
	if len(ids) == 0 {
		if calls = report.Stopped(view); len(calls) == 0 {
			if known := callsIn(view); known != "" {
				return nil, fmt.Errorf("no call was cancelled in %s: name the ID of another one; it has %s", where, known)
			}
			return nil, fmt.Errorf("no call was cancelled in %s, as none was made; belay replay shows what else is in it", where)
		}
		return calls, nil
	}
	for _, id := range ids {
		found := report.Find(view, id)
		if len(found) == 0 {
			known := callsIn(view)
			if known == "" {
				known = "none at all"
			}
			return nil, fmt.Errorf("there is no call %q in %s, or it is no longer kept: it has %s", id, where, known)
		}
		for _, call := range found {
			if !slices.Contains(calls, call) { // it may be named twice
				calls = append(calls, call)
			}
		}
	}
	return calls, nil
}

// callsIn names the calls that a report may be on, the last few of them; empty: there is none.
func callsIn(view report.Source) string {
	const most = 8
	calls := report.Made(view)
	var ids []string
	view(func(s *session.Session) {
		for _, call := range calls[max(0, len(calls)-most):] {
			if r, ok := s.Row(call); ok {
				ids = append(ids, string(safe.LineN(r.Wire.String(), 30)))
			}
		}
	})
	text := strings.Join(ids, ", ")
	if more := len(calls) - len(ids); more > 0 {
		text += fmt.Sprintf(" and %d before, which belay replay shows", more)
	}
	return text
}

// remarks tell of what is wrong with the recording. The report is written all the same.
func remarks(s std, path string, notes []safe.Text) {
	for _, n := range notes {
		_, _ = fmt.Fprintln(s.err, "belay: "+string(safe.Line(path)+": "+n+"; belay replay shows more"))
	}
}
