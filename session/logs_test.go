package session

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/covers"
)

const logNote = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":%q,"data":%s}}`

// shownLogs are the log messages that the history shows.
func (r *rig) shownLogs() (raw []string) {
	first, last := r.s.HistorySpan()
	for q := first; q <= last; q++ {
		if e, ok := r.s.Entry(q); ok && e.Method == "notifications/message" {
			raw = append(raw, string(e.Raw))
		}
	}
	return raw
}

func TestLogsOfAServerThatDeclaresNone(t *testing.T) {
	covers.Rows(t, "LOG-01")
	r := opened(t, Config{})
	r.recv("%s", initialized(Rev20251125))
	for range 3 {
		r.recv(logNote, "info", `"x"`)
	}
	ds := r.s.Diagnostics()
	if len(ds) != 1 || ds[0].Code != DiagLogUndeclared || ds[0].Count != 3 || len(r.shownLogs()) != 3 {
		t.Errorf("%+v; %d shown", ds, len(r.shownLogs()))
	}
}

func TestLogLevels(t *testing.T) {
	covers.Rows(t, "LOG-02", "LOG-03", "LOG-04", "LOG-11")
	r := ready(t, Rev20251125)
	for _, level := range LogLevels() {
		r.recv(logNote, level, `"x"`)
	}
	if n := len(r.s.Diagnostics()); n != 0 || len(r.shownLogs()) != 8 {
		t.Errorf("before a level is set: %v; %d shown", r.s.Diagnostics(), len(r.shownLogs()))
	}
	_, wire := r.made(Call{Method: "logging/setLevel", Params: []byte(`{"level":"error"}`)})
	if m := read(t, r.lines[len(r.lines)-1]); m.Method != "logging/setLevel" || !strings.HasPrefix(string(m.Params), `{"level":"error"`) {
		t.Errorf("written: %v", r.lines)
	}
	r.recv(logNote, "info", `"x"`)
	r.wantDiag(DiagLogLevel, 0)
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{}}`, wire)
	if got := r.s.Status().LogLevel; got != "error" {
		t.Errorf("the level is %q", got)
	}
	for i, level := range LogLevels() {
		before := r.diag(DiagLogLevel)
		r.recv(logNote, level, `"x"`)
		if below := r.diag(DiagLogLevel) > before; below != (i < 4) {
			t.Errorf("%s is below error: %v", level, below)
		}
	}
	r.recv(logNote, "trace", `"x"`)
	if ds := r.s.Diagnostics(); !strings.Contains(ds[len(ds)-1].Describe(), "trace") {
		t.Errorf("an unknown level reads %q", ds[len(ds)-1].Describe())
	}
	if n := len(r.shownLogs()); n != 18 {
		t.Errorf("%d of 18 messages are shown", n)
	}
}

func TestLogsOfAnyShape(t *testing.T) {
	covers.Rows(t, "LOG-14")
	r := ready(t, Rev20251125, func(c *Config) { c.HistoryCount = 1000 })
	for _, data := range []string{`"x"`, `1.5`, `true`, `null`, `[]`, `{}`} {
		r.recv(logNote, "info", data)
	}
	if n := len(r.s.Diagnostics()); n != 0 {
		t.Errorf("found wrong: %v", r.s.Diagnostics())
	}
	for _, params := range []string{`{}`, `[]`, `{"level":1,"data":1}`, `{"level":"info"}`} {
		r.recv(`{"jsonrpc":"2.0","method":"notifications/message","params":%s}`, params)
	}
	r.wantDiag(DiagLogMalformed, 4)
	for i := range 5000 {
		r.feed(logNote, "info", fmt.Sprint(i))
	}
	if n := len(r.shownLogs()); n != 1000 || r.s.Status().Received != 5011 {
		t.Errorf("%d are kept of %d", n, r.s.Status().Received)
	}
}
