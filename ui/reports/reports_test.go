package reports

import (
	"errors"
	"strings"
	"testing"
	"time"

	"belay/internal/report"
	"belay/session"
	"belay/ui/dialog"
	"belay/ui/panel"
	"belay/ui/panel/paneltest"
)

// disk is where files go.
type disk struct {
	files    map[string]string
	full     bool
	recorded string
	begun    Recording
}

func (d *disk) CommandLine(call *session.Detail, tool string, arguments []byte) (string, bool, error) {
	if d.full {
		return "", false, errors.New("there is none")
	}
	return "belay call " + tool + " --timeout=" + call.Idle.String() + " " + string(arguments), len(arguments) > 0, nil
}

func (d *disk) Recorded() string { return d.recorded }

func (d *disk) Record(name string, over bool) (Recording, error) {
	path, err := d.Write(name, []byte("lines"), over)
	if err == nil {
		d.recorded = path
	}
	d.begun.Path = path
	return d.begun, err
}

func (d *disk) StopRecording() (string, int64, error) {
	path := d.recorded
	if d.full {
		return path, 0, errors.New("no space left on \x1b[2Jdevice")
	}
	d.recorded = ""
	return path, 2000, nil
}

func (d *disk) About() report.About { return report.About{Version: "test"} }

func (d *disk) Write(name string, data []byte, over bool) (string, error) {
	switch _, ok := d.files[name]; {
	case d.full:
		return "", errors.New("no space left on \x1b[2Jdevice")
	case ok && !over:
		return "", panel.ErrExists
	}
	d.files[name] = string(data)
	return "/home/me/" + name, nil
}

type harness struct {
	*paneltest.Host
	r    *Reports
	disk *disk
}

// run is a screen with a call, which is selected and was cancelled.
func run(t *testing.T, f func(w *harness)) {
	t.Helper()
	running(t, func(w *harness) {
		if _, err := w.Do(session.Cancel{Call: w.Chosen, Reason: "wrong branch"}); err != nil {
			t.Fatal(err)
		}
		w.Settle()
		f(w)
	})
}

// running is a screen with a call, which is selected and in flight.
func running(t *testing.T, f func(w *harness)) {
	t.Helper()
	paneltest.Run(t, 100, 24, session.Config{}, func(h *paneltest.Host) {
		w := &harness{Host: h, disk: &disk{files: map[string]string{}}}
		w.r = New(h, w.disk)
		h.Connect(paneltest.Initialized, `{"tools":[]}`, `{"prompts":[]}`, `{"resources":[]}`, `{"resourceTemplates":[]}`)
		reply, err := h.Do(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"slow"}`)}})
		if err != nil {
			t.Fatal(err)
		}
		h.Chosen = reply.Call
		h.Settle()
		f(w)
	})
}

func (w *harness) command(arg string) string {
	w.Run(w.r.Command(arg))
	return w.Said()
}

// over lets the grace of the cancel end.
func (w *harness) over() {
	w.Answer("tools/call", `{"content":[]}`)
	time.Sleep(time.Second)
	w.Settle()
}

// What the file is called says what is written, and where is said.
func TestAReportToAFile(t *testing.T) {
	run(t, func(w *harness) {
		w.over()
		for file, begins := range map[string]string{"a.md": "# What", "b.html": "<!doctype html>", "c.json": "{\n"} {
			if said := w.command(file); !strings.Contains(said, "wrote the report on #") || !strings.Contains(said, "/home/me/"+file) {
				t.Errorf("%s: said %q", file, said)
			}
			if got := w.disk.files[file]; !strings.HasPrefix(got, begins) || !strings.Contains(got, "wrong branch") {
				t.Errorf("%s holds %.60q", file, got)
			}
		}
		if said := w.command("all of them.md"); !strings.Contains(said, "all cancelled calls") {
			t.Errorf("said %q", said)
		}
		for _, wrong := range []string{"notes.txt", "report", "all notes.pdf"} {
			if said := w.command(wrong); !strings.Contains(said, ".md, .html or .json") {
				t.Errorf("%s: said %q", wrong, said)
			}
		}
		if len(w.disk.files) != 4 {
			t.Errorf("written are %d files", len(w.disk.files))
		}
	})
}

// A call whose cancel is not over is in a report on all: of a recording that stands there no more
// is known.
func TestAReportOnAllHasWhatIsBeingCancelled(t *testing.T) {
	running(t, func(w *harness) {
		if said := w.command("all"); !strings.Contains(said, "no call was cancelled yet") {
			t.Errorf("without a file: said %q", said)
		}
		w.Lies(nil)
		if said := w.command("all a.md"); !strings.Contains(said, "no call was cancelled yet") || len(w.disk.files) > 0 {
			t.Errorf("before the cancel: said %q", said)
		}
	})
	run(t, func(w *harness) {
		if said := w.command("all a.md"); !strings.Contains(said, "wrote the report on all cancelled calls") {
			t.Errorf("said %q", said)
		}
		if got := w.disk.files["a.md"]; !strings.Contains(got, "cancelling") || !strings.Contains(got, "wrong branch") {
			t.Errorf("written is\n%s", got)
		}
	})
}

// Without a name a line asks for one, and proposes one.
func TestAReportAsksWhere(t *testing.T) {
	run(t, func(w *harness) {
		w.over()
		w.command("")
		line, ok := w.Top().(*dialog.Line)
		if !ok {
			t.Fatal("nothing is asked")
		}
		w.Shows(line, "report on #", "to:", "report-", "clipboard")
		w.Run(line.Key(paneltest.Key("enter")))
		if len(w.disk.files) != 1 || !strings.Contains(w.Said(), ".md") {
			t.Errorf("written are %v, said %q", w.disk.files, w.Said())
		}
	})
}

// A file that is there is replaced after a yes alone.
func TestAReportReplacesNothingUnasked(t *testing.T) {
	run(t, func(w *harness) {
		w.over()
		w.disk.files["a.md"] = "mine"
		w.command("a.md")
		asked, ok := w.Top().(*dialog.Confirm)
		if !ok || w.disk.files["a.md"] != "mine" {
			t.Fatalf("asked is %T; the file holds %q", w.Top(), w.disk.files["a.md"])
		}
		w.Shows(asked, `"a.md" exists already`)
		w.Run(asked.Close())
		if w.disk.files["a.md"] != "mine" {
			t.Error("a no has replaced it")
		}
		w.command("a.md")
		w.Run(w.Top().(*dialog.Confirm).Accept())
		if !strings.HasPrefix(w.disk.files["a.md"], "# What") || !strings.Contains(w.Said(), "wrote") {
			t.Errorf("a yes has not: %q", w.Said())
		}
	})
}

// The clipboard gets Markdown, or what is asked for.
func TestAReportToTheClipboard(t *testing.T) {
	run(t, func(w *harness) {
		w.over()
		w.command("clipboard")
		w.command("all clipboard json")
		got := paneltest.Wished[panel.Copy](w.Host)
		if len(got) != 2 || !strings.HasPrefix(string(got[0].Data), "# What") || !strings.HasPrefix(string(got[1].Data), "{") {
			t.Errorf("copied %d times", len(got))
		}
		if said := w.command("clipboard pdf"); !strings.Contains(said, "md, html or json") {
			t.Errorf("said %q", said)
		}
	})
}

// What cannot be done is said, with nothing of it on the screen that acts.
func TestAReportSaysWhyNot(t *testing.T) {
	run(t, func(w *harness) {
		w.disk.full = true
		if said := w.command("a.md"); !strings.Contains(said, "no space left on ⟨ESC⟩[2Jdevice") {
			t.Errorf("a full disk: said %q", said)
		}
		w.Chosen = 0
		if said := w.command(""); !strings.Contains(said, "no call is selected") || w.Top() != nil {
			t.Errorf("nothing selected: said %q", said)
		}
	})
}

// A recording begins at a word, once, replaces a file after a yes alone, and stops at
// the word without a file.
func TestARecordingIsBegun(t *testing.T) {
	run(t, func(w *harness) {
		record := func(arg string) string {
			w.Run(w.r.Record(arg))
			return w.Said()
		}
		if said := record(""); !strings.Contains(said, ":record FILE") {
			t.Errorf("without a name: said %q", said)
		}
		w.disk.files["run.jsonl"] = "mine"
		record("run.jsonl")
		w.Run(w.Top().(*dialog.Confirm).Close())
		if w.disk.files["run.jsonl"] != "mine" || w.disk.recorded != "" {
			t.Error("a no has replaced it")
		}
		record("run.jsonl")
		w.Run(w.Top().(*dialog.Confirm).Accept())
		if w.disk.files["run.jsonl"] != "lines" || !strings.Contains(w.Said(), "recording to /home/me/run.jsonl") {
			t.Errorf("a yes has not: %q", w.Said())
		}
		if said := record("other.jsonl"); !strings.Contains(said, "under way: /home/me/run.jsonl") || len(w.disk.files) != 1 {
			t.Errorf("a second one: said %q", said)
		}
		w.disk.full = true
		if said := record(""); !strings.Contains(said, "no space left") {
			t.Errorf("a full disk: said %q", said)
		}
		w.disk.full = false
		if said := record(""); !strings.Contains(said, "has stopped: /home/me/run.jsonl, 2.0 kB") || w.disk.recorded != "" {
			t.Errorf("it is stopped: said %q", said)
		}
		record("other.jsonl")
		if w.disk.recorded != "/home/me/other.jsonl" {
			t.Errorf("another one: %q", w.disk.recorded)
		}
	})
}

// What a recording that begins later does not have is said when it begins.
func TestWhatARecordingLacksIsSaid(t *testing.T) {
	for want, begun := range map[string]Recording{
		"recording to /home/me/r":                                                                       {},
		"recording to /home/me/r · without connection 1":                                                {Connections: 1},
		"recording to /home/me/r · without connections 1 to 4":                                          {Connections: 4},
		"recording to /home/me/r · without the text of 1 large result, 14.0 MB":                         {Results: 1, Bytes: 14e6},
		"recording to /home/me/r · without the first 12 calls of this connection":                       {Calls: 12},
		"recording to /home/me/r · without 1,200 messages that nothing follows from":                    {Messages: 1200},
		"recording to /home/me/r · without what is in flight: it goes on when nothing is":               {Late: true},
		"recording to /home/me/r · without connection 1 · without the text of 3 large results, 42.0 MB": {Connections: 1, Results: 3, Bytes: 42e6},
	} {
		run(t, func(w *harness) {
			w.disk.begun = begun
			if w.Run(w.r.Record("r")); w.Said() != want {
				t.Errorf("said %q, want %q", w.Said(), want)
			}
		})
	}
}

// The command line of the selected call goes to the clipboard; what cannot be made without
// a screen is said.
func TestACallIsCopiedAsACommandLine(t *testing.T) {
	run(t, func(w *harness) {
		w.Run(w.r.CopyAs())
		got := paneltest.Wished[panel.Copy](w.Host)
		if len(got) != 1 || string(got[0].Data) != "belay call slow --timeout=5m0s " || got[0].What != "the command line" {
			t.Errorf("%+v", got)
		}
		w.disk.full = true
		if w.Run(w.r.CopyAs()); !strings.Contains(w.Said(), "there is none") {
			t.Errorf("said %q", w.Said())
		}
		reply, err := w.Do(session.StartCall{Spec: session.CallSpec{Method: "prompts/get", Params: []byte(`{"name":"p"}`)}})
		if err != nil {
			t.Fatal(err)
		}
		w.Chosen = reply.Call
		if w.Run(w.r.CopyAs()); !strings.Contains(w.Said(), "calls of tools") {
			t.Errorf("said %q", w.Said())
		}
		w.Chosen = 0
		if w.Run(w.r.CopyAs()); !strings.Contains(w.Said(), "no call is selected") {
			t.Errorf("said %q", w.Said())
		}
	})
}
