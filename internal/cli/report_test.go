package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/internal/safe"
	"belay/mcpclient/replay"
	"belay/session"
	"belay/session/journal"
	"belay/session/mcp"
)

// recordedRun is a recording of a call, 3, that was answered late, and of one, 4, that
// goes on.
func recordedRun(t *testing.T) []byte {
	t.Helper()
	now := time.Date(2026, 8, 31, 12, 0, 0, 0, time.UTC)
	var file []byte
	s := session.New(session.Config{Pin: mcp.Rev20251125, NoListen: true, ClientName: "belay", ClientVersion: "1.2.0", FirstID: 1, Jitter: 1}, now)
	journal.Attach(s, now, func(r journal.Record) { file = append(r.Append(file, nil), '\n') })
	x := session.ExchangeID{Epoch: s.Tell(now, session.Connect{}).Epoch}
	says := func(format string, args ...any) {
		s.Receive(now, x, mcp.Decode(fmt.Appendf(nil, format, args...)))
	}
	wait := func(d time.Duration) {
		for out, ok := s.Next(now); ok; out, ok = s.Next(now) {
			s.Tell(now, session.Sent{Seq: out.Seq})
			switch f := mcp.Decode(out.Data); f.Method {
			case "initialize":
				says(`{"jsonrpc":"2.0","id":%v,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1"}}}`, f.ID)
			case "tools/list":
				says(`{"jsonrpc":"2.0","id":%v,"result":{"tools":[]}}`, f.ID)
			}
		}
		now = now.Add(d)
	}
	call := func() session.CallID {
		reply, err := s.Handle(now, session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"deploy"}`)}})
		if err != nil {
			t.Fatal(err)
		}
		wait(time.Second)
		return reply.Call
	}
	wait(time.Second)
	id := call()
	if _, err := s.Handle(now, session.Cancel{Call: id, Reason: "wrong branch"}); err != nil {
		t.Fatal(err)
	}
	wait(2 * time.Second)
	says(`{"jsonrpc":"2.0","id":3,"result":{"content":[]}}`)
	call()
	s.Tell(now, session.Closed{Epoch: x.Epoch, Why: session.Close{Status: "exit status 0"}})
	return file
}

// reports runs belay report, and returns what it wrote to both of its outputs.
func reports(t *testing.T, args ...string) (code int, out, told string) {
	t.Helper()
	return runsAs(t, "report", args...)
}

// runsAs is reports for another command.
func runsAs(t *testing.T, command string, args ...string) (code int, out, told string) {
	t.Helper()
	dir := t.TempDir()
	open := func(name string) *os.File {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	o, e := open("out"), open("err")
	code = Main(append([]string{command}, args...), nil, o, e)
	for f, to := range map[*os.File]*string{o: &out, e: &told} {
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		*to = string(b)
		_ = f.Close()
	}
	return code, out, told
}

func fileWith(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// What the end of a file's name says of the format is no matter of the directory it is in.
func TestReportInADirectoryWithADot(t *testing.T) {
	path := fileWith(t, recordedRun(t))
	dir := filepath.Join(t.TempDir(), "run.1")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "cancel")
	code, _, told := reports(t, path, "-o", file)
	if text, err := os.ReadFile(file); code != ExitOK || err != nil || !strings.Contains(string(text), "cancelled · answered late") {
		t.Errorf("%d %s%v", code, told, err)
	}
	if code, _, told := reports(t, path, "-o", filepath.Join(dir, "cancel.txt")); code != ExitUsage || !strings.Contains(told, "--format says") {
		t.Errorf("a name that ends with .txt: %d %s", code, told)
	}
}

// A report goes to stdout or a file, in the format that is asked for, of the calls that
// are named.
func TestReportOfARecording(t *testing.T) {
	path := fileWith(t, recordedRun(t))
	code, md, told := reports(t, path)
	if code != ExitOK || !strings.Contains(md, "cancelled · answered late") || strings.Contains(md, "running") || strings.Contains(md, "lost") || told != "" {
		t.Errorf("%d %s%s", code, md, told)
	}
	if _, got, _ := reports(t, path, "#4", "3", "--format", "json"); !strings.Contains(got, `"lost"`) || strings.Index(got, `"lost"`) > strings.Index(got, "answered late") {
		t.Errorf("4 and 3:\n%s", got)
	}
	page := filepath.Join(t.TempDir(), "cancel.html")
	code, out, told := reports(t, path, "3", "-o", page)
	got, err := os.ReadFile(page)
	info, _ := os.Stat(page)
	if code != ExitOK || out+told != "" || err != nil || !bytes.HasPrefix(got, []byte("<!doctype html>")) || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("%d %q %q, %v: %s", code, out, told, err, got)
	}
}

// The help writes the formats as they are to be typed.
func TestTheHelpNamesTheFormatsAsTheyAreTyped(t *testing.T) {
	if code, out, _ := reports(t, "--help"); code != ExitOK || !strings.Contains(out, ": md, html, json or log") {
		t.Errorf("%d %s", code, out)
	}
}

// The log of cancellations is a line of JSON for each event, with the attributes that the user's documents want.
func TestTheLogOfTheCancellationsOfARecording(t *testing.T) {
	requirements.Rows(t, "SD0-17", "SD0-18", "CXL-25", "CXS-10")
	path := fileWith(t, recordedRun(t))
	code, out, told := reports(t, path, "--format", "log")
	if code != ExitOK || told != "" || !strings.HasPrefix(out, `{"level":"WARN","msg":"The recording keeps secrets as they are: `) {
		t.Fatalf("%d %s%s", code, out, told)
	}
	_, events, _ := strings.Cut(out, "\n")
	var got []string
	for line := range strings.Lines(events) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		keys := slices.Sorted(maps.Keys(e))
		if want := "age direction id_type in_flight initiator level method msg reason request_id revision server time"; strings.Join(keys, " ") != want {
			t.Errorf("%s", keys)
		}
		at, err := time.Parse(time.RFC3339Nano, e["time"].(string))
		got = append(got, fmt.Sprintf("%v %v %v %v %v, %v, %v in flight, %v: %v", at.Second(), err, e["level"], e["direction"], e["request_id"], e["initiator"], e["in_flight"], e["reason"], e["msg"]))
		if e["server"] != "scripted" || e["method"] != "tools/call" || e["id_type"] != "number" || e["revision"] != "2025-11-25" {
			t.Errorf("%v", e)
		}
	}
	want := []string{
		"2 <nil> INFO outgoing 3, user, 1 in flight, wrong branch: cancel requested",
		"2 <nil> INFO outgoing 3, user, 1 in flight, wrong branch: cancel sent",
		"4 <nil> INFO outgoing 3, user, 1 in flight, wrong branch: answered after the cancel",
		"4 <nil> INFO outgoing 3, user, 0 in flight, wrong branch: cancelled: answered late",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	if code, _, told := reports(t, path, "3", "--format", "log"); code != ExitUsage || !strings.Contains(told, "name no ID") {
		t.Errorf("%d %s", code, told)
	}
	file := filepath.Join(t.TempDir(), "cancels.log")
	if code, _, _ := reports(t, path, "-o", file); code != ExitOK {
		t.Error(code)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != out {
		t.Errorf("%v: %s", err, got)
	}
}

// A file that exists is not replaced but by --force, and then as a whole.
func TestReportNeverReplacesAFile(t *testing.T) {
	path := fileWith(t, recordedRun(t))
	file := fileWith(t, []byte("mine"))
	if code, _, told := reports(t, path, "--format", "md", "-o", file); code != ExitUsage || !strings.Contains(told, "exists already") || !strings.Contains(told, "--force") {
		t.Errorf("%d %s", code, told)
	}
	if got, _ := os.ReadFile(file); string(got) != "mine" {
		t.Errorf("the file has become %q", got)
	}
	if code, _, told := reports(t, path, "--force", "--format", "md", "-o", file); code != ExitOK || told != "" {
		t.Errorf("%d %s", code, told)
	}
	if got, _ := os.ReadFile(file); !strings.HasPrefix(string(got), "# What") {
		t.Errorf("the file has become %q", got)
	}
	if left, _ := fs.Glob(os.DirFS(filepath.Dir(file)), "*"); len(left) != 1 {
		t.Errorf("beside it lies %q", left)
	}
}

// Whoever stops it while the recording is read is told that nothing was written.
func TestReportIsStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	err := runReport(ctx, std{err: os.Stderr}, fileWith(t, recordedRun(t)), nil, &reportFlags{})
	var exit *exitError
	if !errors.As(err, &exit) || exit.code != ExitCancelled || exit.Error() != "you stopped it before the recording was read: nothing was written" {
		t.Errorf("%v", err)
	}
}

// The recording that a report is on is not replaced by the report, by whatever name.
func TestReportNeverReplacesItsRecording(t *testing.T) {
	run := recordedRun(t)
	path := fileWith(t, run)
	link, hard := filepath.Join(t.TempDir(), "link.md"), filepath.Join(filepath.Dir(path), "hard.md")
	if err := errors.Join(os.Symlink(path, link), os.Link(path, hard)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, link, hard} {
		code, out, told := reports(t, path, "--force", "--format", "md", "-o", name)
		if code != ExitUsage || out != "" || !strings.Contains(told, "it is the recording that the report is on") {
			t.Errorf("%s: %d %q %q", name, code, out, told)
		}
		if got, _ := os.ReadFile(path); !bytes.Equal(got, run) {
			t.Fatalf("%s: the recording has become %q", name, got)
		}
	}
}

// A call that is named twice is in the report once, where it was named first.
func TestReportHasACallOnce(t *testing.T) {
	path := fileWith(t, recordedRun(t))
	for _, c := range []struct{ once, again []string }{
		{[]string{"3"}, []string{"3", "3"}}, {[]string{"4", "3"}, []string{"4", "3", "4", "4", "3"}},
	} {
		_, want, _ := reports(t, append([]string{path}, c.once...)...)
		if code, got, told := reports(t, append([]string{path}, c.again...)...); code != ExitOK || told != "" || got != want {
			t.Errorf("%q: %d %q:\n%s\nwant\n%s", c.again, code, told, got, want)
		}
	}
}

// What cannot be done is said in a sentence, and nothing is left of it.
func TestReportSaysWhyNot(t *testing.T) {
	run := recordedRun(t)
	path := fileWith(t, run)
	dir := t.TempDir()
	quiet := fileWith(t, run[:bytes.Index(run, []byte("startCall"))-60])
	uncancelled := run[:bytes.Index(run, []byte(`"op":"cancel"`))]
	uncancelled = uncancelled[:bytes.LastIndexByte(uncancelled, '\n')+1]
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{fileWith(t, []byte("# notes\nno recording\n"))}, "it is no recording"},
		{[]string{fileWith(t, nil)}, "empty"},
		{[]string{filepath.Join(dir, "none")}, "no file"},
		{[]string{dir}, "nothing to replay"},
		{[]string{path, "99"}, `no call "99" in "` + path + `", or it is no longer kept: it has 3, 4` + "\n"},
		{[]string{quiet, "99"}, "it has none at all\n"},
		{[]string{fileWith(t, uncancelled)}, "name the ID of another one; it has 3\n"},
		{[]string{path, "--format", "pdf"}, "md, html, json or log"},
		{[]string{path, "-o", filepath.Join(dir, "a.pdf")}, "--format"},
		{[]string{path, "-o", filepath.Join(dir, "no", "a.md")}, "no such file"},
		{[]string{path, "-o", dir, "--format", "md"}, "it is a directory"},
		{[]string{quiet}, "as none was made; belay replay shows what else is in it\n"},
		{nil, "which recording? belay report FILE"},
	} {
		code, out, told := reports(t, c.args...)
		if code != ExitUsage || out != "" || !strings.Contains(told, c.says) {
			t.Errorf("%q: %d %q %q, want %q", c.args, code, out, told, c.says)
		}
	}
	if left, _ := fs.Glob(os.DirFS(dir), "*"); len(left) != 0 {
		t.Errorf("%q is left", left)
	}
}

// Of many calls the last few are named, and the rest is counted; those of belay's own are none of them.
func TestTheCallsOfARecordingAreNamed(t *testing.T) {
	now := time.Date(2026, 8, 31, 12, 0, 0, 0, time.UTC)
	s := session.New(session.Config{Pin: mcp.Rev20251125, NoListen: true, FirstID: 1, Jitter: 1}, now)
	x := session.ExchangeID{Epoch: s.Tell(now, session.Connect{}).Epoch}
	send := func() {
		for out, ok := s.Next(now); ok; out, ok = s.Next(now) {
			s.Tell(now, session.Sent{Seq: out.Seq})
		}
	}
	send()
	s.Receive(now, x, mcp.Decode([]byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`)))
	send()
	for range 10 {
		if _, err := s.Handle(now, session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"deploy"}`)}}); err != nil {
			t.Fatal(err)
		}
		send()
	}
	if got, want := callsIn(func(f func(*session.Session)) { f(s) }), "4, 5, 6, 7, 8, 9, 10, 11 and 2 before, which belay replay shows"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// screenNotes are those of a report that is made while a replay shows the end of a file.
func screenNotes(t *testing.T, path string) []safe.Text {
	t.Helper()
	file, err := replay.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	r := &recording{Player: replay.NewPlayer(file, false)}
	defer func() { _ = r.Player.Close() }()
	for r.Status().State != replay.Paused {
		<-r.Wake()
	}
	return r.About().Recording.Notes()
}

// A damaged recording is told of on stderr and in the report, in each format, and where
// no call is found in it.
func TestReportOfADamagedRecording(t *testing.T) {
	lines := bytes.SplitAfter(recordedRun(t), []byte("\n"))
	whole := bytes.Join(lines, nil)
	torn := slices.Clone(lines)
	for n := range 2 {
		torn[len(torn)-4+n] = []byte("no line of belay's\n")
	}
	other := bytes.Replace(whole, []byte("wrong branch"), []byte("wrong reason"), 1)
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"cut":       {whole[:len(whole)-5], "the recording is cut"},
		"torn":      {bytes.Join(torn, nil), "2 lines of the recording were not played: states and verdicts may be others than they were"},
		"gapped":    {bytes.Join(slices.Concat(lines[:len(lines)-3], lines[len(lines)-2:]), nil), "lines of the recording are missing, or not in their order, in 1 place"},
		"different": {other, "1 line of the recording came out otherwise than recorded: states and verdicts may be others than they were"},
	} {
		t.Run(name, func(t *testing.T) {
			path := fileWith(t, c.file)
			if notes := screenNotes(t, path); len(notes) != 1 || !strings.Contains(string(notes[0]), c.says) {
				t.Errorf("the screen's report notes %q", notes)
			}
			for _, format := range []string{"md", "html", "json"} {
				code, out, told := reports(t, path, "--format", format)
				if code != ExitOK || !strings.Contains(out, c.says) || strings.Count(told, "\n") != 1 || !strings.Contains(told, c.says) {
					t.Errorf("%s: %d %q, of:\n%s", format, code, told, out)
				}
			}
			if code, out, told := reports(t, path, "99"); code != ExitUsage || out != "" || !strings.Contains(told, c.says) || !strings.Contains(told, "could be played of") {
				t.Errorf("no call: %d %q %q", code, out, told)
			}
		})
	}
	none := whole[:bytes.Index(whole, []byte("startCall"))]
	if code, _, told := reports(t, fileWith(t, none)); code != ExitUsage || !strings.Contains(told, "is cut") || !strings.Contains(told, "no call was cancelled in what could be played of") {
		t.Errorf("no cancel: %d %q", code, told)
	}
}

// A recording of a belay that was killed has the call that was being cancelled then, and says that
// belay had not ended.
func TestReportOfAKilledRun(t *testing.T) {
	lines := bytes.SplitAfter(recordedRun(t), []byte("\n"))
	at := slices.IndexFunc(lines, func(l []byte) bool { return bytes.Contains(l, []byte("notifications/cancelled")) })
	path := fileWith(t, bytes.Join(lines[:at+1], nil))
	const says = "the recording ends here, and belay had not ended then"
	if notes := screenNotes(t, path); len(notes) != 1 || notes[0] != says {
		t.Errorf("the screen's report notes %q", notes)
	}
	for _, format := range []string{"md", "html", "json"} {
		code, out, told := reports(t, path, "--format", format)
		if code != ExitOK || !strings.Contains(out, says) || !strings.Contains(out, "cancelling") || !strings.Contains(told, says) {
			t.Errorf("%s: %d %q, of:\n%s", format, code, told, out)
		}
	}
}

// A recording that is cut at any byte gives a report on what is left of it, or a sentence
// that says why there is none.
func TestReportOfACutRecording(t *testing.T) {
	run := recordedRun(t)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	made := 0
	for n := len(run) - 1; n >= 0; n -= 7 {
		if err := os.WriteFile(path, run[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, told := reports(t, path, "--format", "json")
		switch {
		case code == ExitOK && json.Valid([]byte(out)) && (strings.Contains(told, "is cut") || strings.Contains(told, "had not ended") || told == ""):
			made++
		case code == ExitUsage && out == "" && strings.HasPrefix(told, "belay: "):
		default:
			t.Fatalf("cut after %d bytes: %d %q %q", n, code, out, told)
		}
	}
	if made < 20 {
		t.Errorf("%d reports of %d bytes", made, len(run))
	}
}

// A report from the screen does not replace the recording either that is written or shown.
func TestAReportFromTheScreenSparesTheRecording(t *testing.T) {
	path := fileWith(t, []byte("the recording"))
	link := filepath.Join(t.TempDir(), "link.md")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, link} {
		if err := sparesRecording(path, name); err == nil || !strings.Contains(err.Error(), "it is the recording that the report is on") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, recorded := range []string{"", filepath.Join(t.TempDir(), "other")} {
		if err := sparesRecording(recorded, path); err != nil {
			t.Errorf("%q: %v", recorded, err)
		}
	}
}

// A report that is made in the middle of a recording says so: what came later is not in it.
func TestAReportInTheMiddleOfARecording(t *testing.T) {
	file, err := replay.Open(fileWith(t, recordedRun(t)))
	if err != nil {
		t.Fatal(err)
	}
	r := &recording{Player: replay.NewPlayer(file, false)}
	defer func() { _ = r.Player.Close() }()
	rest := func() {
		for r.Status().State != replay.Paused {
			<-r.Wake()
		}
	}
	rest()
	if notes := r.About().Recording.Notes(); len(notes) > 0 {
		t.Errorf("at the end: %q", notes)
	}
	r.GoTo(r.Status().Length / 2)
	for r.Status().At == r.Status().Length {
		<-r.Wake()
	}
	rest()
	notes := r.About().Recording.Notes()
	if len(notes) == 0 || !strings.HasPrefix(string(notes[0]), "this is how it was at 00:") || !strings.HasSuffix(string(notes[0]), " in the recording: what came later is not in this report") {
		t.Errorf("in the middle: %q", notes)
	}
}
