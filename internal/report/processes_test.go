package report

import (
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/secret"
	"belay/session/sentence"
	"belay/session/witness"
)

// working is a call during which a server begins a process, and beside it, if it is shared,
// another call; both go on after the cancel.
func working(t testing.TB, command string, shared bool) *rig {
	t.Helper()
	r := newRig(t, `"scripted"`)
	server := witness.Process{PID: 10, Name: "server", Age: time.Hour, CPU: time.Second, Memory: 3 << 20, Threads: 2, Files: 4}
	child := witness.Process{PID: 11, Start: 1, Parent: 10, Name: "child", Command: command, Memory: 1 << 20, Files: 3}
	sample := func(all ...witness.Process) {
		r.s.Tell(r.now, session.ProcessSample{Epoch: r.epoch, Sample: witness.Sample{
			Every: 100 * time.Millisecond, EveryWide: time.Second, Wide: true, Processes: all, Lacks: []string{command},
			Connections: []witness.Connection{{PID: 10, Local: "192.0.2.1:1", Remote: "192.0.2.2:80"}}[:len(all)-1],
		}})
	}
	sample(server)
	r.wait(time.Second)
	if shared {
		r.calls(`{"name":"other"}`)
	}
	r.calls(`{"name":"slow"}`)
	child.Age = 200 * time.Millisecond
	sample(server, child)
	r.wait(100 * time.Millisecond)
	r.cancels("wrong branch")
	for range 80 {
		child.Age += 100 * time.Millisecond
		child.CPU += 50 * time.Millisecond
		sample(server, child)
		r.wait(100 * time.Millisecond)
	}
	return r
}

// What was seen of the processes is told in each format: as a table, as numbers, and which
// process began.
func TestAReportTellsOfProcesses(t *testing.T) {
	got := working(t, "sleep 14", false).report()
	for format, wants := range map[Format][]string{
		Markdown: {
			"| | 1.00s before the call | 100ms before the cancel | 7.90s after it |\n", "| CPU time | 1.00s | 1.00s | 5.00s |\n", "| memory | 3.1 MB | 4.2 MB | 4.2 MB |\n",
			"| processes | 1 | 2 | 2 |\n", "| threads | 2 | ≥2 | ≥2 |\n", "| files | 4 | 7 | 7 |\n", "| connected | 0 | 1 | 1 |\n",
			`"sleep 14" (pid 11), 300ms after the call was sent · was running 7.90s after the cancel`, "1 connection opened during the call, of which 1 open 7.90s after the cancel", "sampled every 100ms: a process that lived for less may have been missed", "not seen: threads of some processes",
		},
		HTML: {
			`<th scope="col">1.00s before the call</th>`, `<th scope="col">7.90s after it</th>`, `<tr><th scope="row">CPU time</th><td>1.00s</td><td>1.00s</td><td>5.00s</td></tr>`,
			`<tr><th scope="row">threads</th><td>2</td><td>≥2</td><td>≥2</td></tr>`, "sampled every 100ms: a process that lived for less may have been missed", `&#34;sleep 14&#34; (pid 11)`,
		},
	} {
		text := string(got.As(format))
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("the %v lacks %q:\n%s", format, want, text)
			}
		}
	}
	var doc struct {
		Calls []struct{ Processes map[string]any }
	}
	if err := json.Unmarshal(got.JSON(), &doc); err != nil {
		t.Fatal(err)
	}
	p := doc.Calls[0].Processes
	before, after := p["beforeCall"].(map[string]any), p["afterCancel"].(map[string]any)
	began := p["began"].([]any)[0].(map[string]any)
	for what, is := range map[string]bool{
		"CPU before": before["cpuSeconds"] == 1.0 && p["beforeCallSeconds"] == 1.0, "CPU after": after["cpuSeconds"] == 5.0, "memory": after["memoryBytes"] == float64(4<<20),
		"processes": before["processes"] == 1.0 && after["processes"] == 2.0, "threads": after["threads"] == 2.0 && after["threadsNotOf"] == 1.0,
		"files": after["files"] == 7.0, "connections": before["connections"] == 0.0 && after["connections"] == 1.0 && p["connectionsOpen"] == 1.0,
		"what began": began["command"] == `"sleep 14"` && began["pid"] == 11.0 && began["runs"] == true && began["endedAfterCancelSeconds"] == nil,
	} {
		if !is {
			t.Errorf("%s: %v", what, p)
		}
	}
}

// Of a process that lived when it was seen last a report says when that was, everywhere: when the report is
// read, nobody looks any more, though belay did when the call was answered late.
func TestAReportSaysWhenAProcessLived(t *testing.T) {
	r := working(t, "sleep 14", false)
	r.says(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, r.wire())
	if d, _ := r.s.Detail(r.call); !d.Processes.Follows || d.Verdict != cancel.AnsweredLate {
		t.Fatalf("%v, and the processes are followed: %v", d.Verdict, d.Processes.Follows)
	}
	got := r.report()
	if meaning := got.Calls[0].Cancel.Meaning; !strings.Contains(string(meaning), "was still running 7.90s after the cancel") {
		t.Errorf("the verdict means: %s", meaning)
	}
	for _, f := range []Format{Markdown, HTML, JSON} {
		if text := string(got.As(f)); strings.Contains(text, "still runs") {
			t.Errorf("the %v says that it still runs:\n%s", f, text)
		}
	}
	if d, _ := r.s.Detail(r.call); !d.Processes.Follows {
		t.Error("the session is told that nobody looks any more")
	}
}

// Beside another call no process is told as that of the call, and the figures are.
func TestAReportOfTwoCallsTellsNoneOfTheProcesses(t *testing.T) {
	got := working(t, "sleep 14", true).report()
	for _, f := range []Format{Markdown, HTML, JSON} {
		text := string(got.As(f))
		if strings.Contains(text, "(pid 11)") || strings.Contains(text, `"pid"`) || strings.Contains(text, "connectionsOpened") {
			t.Errorf("the %v tells whose the process is:\n%s", f, text)
		}
		if !strings.Contains(text, "other calls were in flight") && !strings.Contains(text, `"otherCallsInFlight": true`) {
			t.Errorf("the %v does not say that others were in flight", f)
		}
	}
}

// Connections that may have been opened before the call are told as such.
func TestAReportTellsWhichConnectionsMayBeEarlier(t *testing.T) {
	p := processesOf(&witness.View{Opened: 3, OpenedEarlier: 2, Open: 1, OpenSince: time.Second})
	if got, want := p.Words(), "3 connections opened during the call, of which 1 open 1.00s after the cancel, and 2 of them may have been opened before the call, when nobody counted"; !slices.Contains(got, safe.Text(want)) {
		t.Errorf("%q, want %q", got, want)
	}
	if j := p.json(); j.Opened != 3 || j.Earlier != 2 || j.Open != 1 {
		t.Errorf("%+v", j)
	}
	p.Shared = true // by one of the calls in flight: by which cannot be told
	if j := p.json(); j.Opened != 0 || j.Earlier != 0 || j.Open != 0 {
		t.Errorf("beside other calls: %+v", j)
	}
}

// Of a call beside which another one was sent, the processes are told that had begun before that, and why no others.
func TestAReportTellsOfProcessesFromBeforeAnotherCall(t *testing.T) {
	got := processesOf(&witness.View{
		Shared: true, Before: &witness.Totals{}, Gone: 2, Opened: 3, Since: 8 * time.Second,
		Processes: []witness.ProcessView{{PID: 11, Name: "sleep 14", Began: time.Second, Lives: true}},
	}).Words()
	want := []safe.Text{
		`"sleep 14" (pid 11), 1.00s after the call was sent · was running 8.00s after the cancel`,
		"2 more began during the call, and had ended",
		"another call was sent meanwhile: of what began from then on, whose it is cannot be told",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}

// A call of which nothing was seen has no table.
// Where nothing was seen of processes after a cancel, the report says so. Of a call that nobody cancelled it
// says nothing.
func TestAReportWithoutProcesses(t *testing.T) {
	const says, title = "No sample of them was taken after the cancel: what is told of this call stands on its messages alone.", "What the processes of the server used"
	got := late(t, "deploy").report()
	for _, f := range []Format{Markdown, HTML} {
		if text := string(got.As(f)); strings.Count(text, says) != 1 || strings.Count(text, title) != 1 {
			t.Errorf("the %v does not say so:\n%s", f, text)
		}
	}
	if text := string(got.JSON()); strings.Contains(text, "processes") {
		t.Errorf("JSON tells of processes: %s", text)
	}
	seen := working(t, "sleep 14", false).report()
	if text := string(seen.As(Markdown)); strings.Contains(text, "No sample") {
		t.Error("where there are samples it says that there are none")
	}
	const unseen = "Over HTTP belay does not see the processes of a server: what is told of this call stands on its messages alone."
	if got := unseenWords(&Call{Cancel: &Cancel{}}, mcp.HTTP); got != unseen {
		t.Errorf("over HTTP: %q", got)
	}
	if got := unseenWords(&Call{}, mcp.Stdio); got != "" {
		t.Errorf("of a call that was not cancelled: %q", got)
	}
}

// The command line of a process is masked in all that is told of it, the meaning of the verdict
// included.
func TestSecretsOfProcessesAreMasked(t *testing.T) {
	const given, looks = "swordfish-4711", "ghp_012345678901234567890123456789abcdef"
	r := working(t, "deploy --note "+given+" "+looks, false)
	got := r.report(secret.Value{Name: "TOKEN", Text: given})
	for _, f := range []Format{Markdown, HTML, JSON} {
		text := string(got.As(f))
		if strings.Contains(text, given) || strings.Contains(text, looks) || !strings.Contains(text, "deploy --note") {
			t.Errorf("the %v has a secret, or not the process:\n%s", f, text)
		}
	}
}

// A command line that wants to be more than text is text.
func TestHostileCommandLines(t *testing.T) {
	benign := working(t, "deploy", false).report()
	ours, headings := markup(t, benign.Markdown())
	for _, text := range hostile {
		r := working(t, text, false).report()
		if found, n := markup(t, r.Markdown()); !slices.Equal(found, ours) || n != headings {
			t.Errorf("of %q is made %q in Markdown:\n%s", text, found, r.Markdown())
		}
		if found, _ := alien(t, r.HTML()); len(found) > 0 {
			t.Errorf("of %q is made %q in HTML", text, found)
		}
	}
}

// One command line is written in one way wherever a report names its process.
func TestACommandLineIsWrittenInOneWay(t *testing.T) {
	const command = "sh -c \x1b[31m \u202e \n \"“\\ 日 0123456789 0123456789"
	const want = `"sh -c ⟨ESC⟩[31m ⟨U+202E⟩ ⏎ \"\“\\ 日 0123456789 0…" (pid 11)`
	got := working(t, command, false).report()
	text := html.UnescapeString(string(got.As(HTML)))
	for name, text := range map[string]string{"Markdown": string(got.As(Markdown)), "HTML": text} {
		if n := strings.Count(text, want); n < 2 || strings.Count(text, "(pid 11)") != n { // the evidence, and what began
			t.Errorf("%s has it %d times, and names the process %d times:\n%s", name, n, strings.Count(text, "(pid 11)"), text)
		}
	}
	var doc struct {
		Calls []struct {
			Evidence []struct{ Text string }
		}
	}
	if err := json.Unmarshal(got.JSON(), &doc); err != nil {
		t.Fatal(err)
	}
	evidence := ""
	for _, e := range doc.Calls[0].Evidence {
		evidence += e.Text + "\n"
	}
	if !strings.Contains(evidence, want) {
		t.Errorf("JSON: %q", evidence)
	}
}

// A figure that was sampled after the cancel is not said to be of it, in any format.
func TestTheReportSaysWhenTheFiguresWereSampled(t *testing.T) {
	r := newRig(t, `"scripted"`)
	sample := func() {
		r.s.Tell(r.now, session.ProcessSample{Epoch: r.epoch, Sample: witness.Sample{Every: time.Second, Processes: []witness.Process{{PID: 10, Name: "server", Age: time.Hour}}}})
	}
	sample()
	r.wait(time.Second)
	r.calls(`{"name":"slow"}`)
	r.cancels("wrong branch")
	r.wait(230 * time.Millisecond)
	sample()
	got := r.report()
	for format, want := range map[Format]string{
		Markdown: "| | 1.00s before the call | 230ms after the cancel | 230ms after it |", HTML: `<th scope="col">230ms after the cancel</th>`, JSON: `"atCancelSeconds": 0.23`,
	} {
		if text := string(got.As(format)); !strings.Contains(text, want) {
			t.Errorf("%v lacks %s:\n%s", format, want, text)
		}
	}
}

// Files and connections that were counted earlier than the rest was sampled are not said to be of the same
// moment, in any format.
func TestTheReportSaysWhenFilesWereCounted(t *testing.T) {
	r := newRig(t, `"scripted"`)
	sample := func(wide bool) {
		r.s.Tell(r.now, session.ProcessSample{Epoch: r.epoch, Sample: witness.Sample{Every: time.Second, Wide: wide, Processes: []witness.Process{{PID: 10, Name: "server", Age: time.Hour, Files: 4}}}})
	}
	sample(true)
	r.wait(2 * time.Second)
	r.calls(`{"name":"slow"}`)
	r.wait(10 * time.Millisecond)
	sample(true)
	r.wait(10 * time.Millisecond)
	sample(true)
	r.wait(800 * time.Millisecond)
	sample(false)
	r.wait(100 * time.Millisecond)
	r.cancels("wrong branch")
	r.wait(100 * time.Millisecond)
	sample(true)
	r.wait(9 * time.Second)
	sample(false)
	got := r.report()
	for format, wants := range map[Format][]string{
		Markdown: {
			"| | 2.00s before the call | 100ms before the cancel | 9.10s after it |\n| --- | ---: | ---: | ---: |\n| CPU time |",
			"\n| | 2.00s before the call | 900ms before the cancel | 100ms after it |\n| files | 4 | 4 | 4 |\n| connected |",
		},
		HTML: {`<tr><td></td><th scope="col">2.00s before the call</th><th scope="col">900ms before the cancel</th><th scope="col">100ms after it</th></tr>
<tr><th scope="row">files</th><td>4</td><td>4</td><td>4</td></tr>`},
		JSON: {`"countedForSeconds": 0.8`, `"countedForSeconds": 9`, `"atCancelSeconds": -0.1`},
	} {
		text := string(got.As(format))
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%v lacks %s:\n%s", format, want, text)
			}
		}
		if n := strings.Count(text, "countedForSeconds"); format == JSON && n != 2 {
			t.Errorf("%d columns were counted earlier:\n%s", n, text)
		}
	}
}

// What ended while nobody looked has no time of its end in JSON, but those between which it ended.
func TestTheReportDoesNotTimeAnEndThatNobodySaw(t *testing.T) {
	seen := witness.ProcessView{PID: 11, Name: "sleep 14", Age: 2 * time.Second, Seen: 10 * time.Second, Ended: 240 * time.Second}
	unseen := seen
	unseen.Unseen = true
	got, err := json.Marshal(processesOf(&witness.View{Processes: []witness.ProcessView{seen, unseen}}).json().Began)
	if err != nil {
		t.Fatal(err)
	}
	const start = `{"command":"\"sleep 14\"","pid":11,"afterCallSeconds":0,"runs":false,"ageSeconds":2,`
	if want := `[` + start + `"endedAfterCancelSeconds":240},` + start + `"seenAfterCancelSeconds":10,"goneAfterCancelSeconds":240}]`; string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// What a note tells of a process stands behind its command line, and is there however many escapes that has, in
// the drawing of a wide page and in that of a narrow one.
func TestADrawingTellsWhatBecameOfAProcess(t *testing.T) {
	const end = " (pid 2147483647) was gone: it was seen last 10.00 s after the cancel"
	for _, one := range []string{"\x1b", "\u202e", "'", "0123456789 ", "日本"} {
		step := Step{Kind: Remark, Text: safe.LineN(sentence.QuotedCut(strings.Repeat(one, 300))+end, 2000)}
		for name, on := range map[string]sheet{"wide": wide, "narrow": narrow} {
			drawn := svg(&Call{Steps: []Step{step}}, on)
			text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(drawn, " ")
			if !strings.Contains(strings.Join(strings.Fields(text), " "), "after the cancel") || strings.Count(text, "…") > 1 {
				t.Errorf("%q, %s: %s", one, name, drawn)
			}
		}
	}
}
