package compose

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
)

const taskInit = `{"protocolVersion":"2025-11-25","serverInfo":{"name":"demo","version":"1"},"capabilities":{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}}`

const taskTools = `{"tools":[
 {"name":"optional","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}},
 {"name":"required","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}},
 {"name":"forbidden","inputSchema":{"type":"object"},"execution":{"taskSupport":"forbidden"}},
 {"name":"silent","inputSchema":{"type":"object"}}]}`

// The switch is there for tools that take calls as tasks, at servers that do: it is forced on
// where the tool demands it, and says why it does not move.
func TestTheSwitchOfTasks(t *testing.T) {
	requirements.Rows(t, "TSK-01", "TSK-02", "TSK-03", "TSK-07", "TSK-08", "TSK-09", "TSK-10", "TSK-14")
	noCalls := strings.Replace(taskInit, `"tasks":{"requests":{"tools":{"call":{}}}}`, `"tasks":{"list":{}}`, 1)
	noTasks := strings.Replace(taskInit, `,"tasks":{"requests":{"tools":{"call":{}}}}`, ``, 1)
	older := strings.Replace(taskInit, "2025-11-25", "2025-06-18", 1)
	for _, c := range []struct {
		name, init, tool string
		moves, forced    bool
		says             string // empty: the switch is not shown
	}{
		{"optional", taskInit, "optional", true, false, "space turns it on"},
		{"required", taskInit, "required", false, true, "the tool runs as a task only"},
		{"forbidden", taskInit, "forbidden", false, false, ""},
		{"silent", taskInit, "silent", false, false, ""},
		{"no calls as tasks", noCalls, "optional", false, false, "the server takes no calls as tasks"},
		{"no tasks", noTasks, "required", false, false, "the server takes no calls as tasks"},
		{"older", older, "required", false, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			offering(t, c.init, taskTools, func(w *harness) {
				f, keys := w.form(c.tool)
				keys.Press("ctrl+t")
				if c.says == "" {
					w.ShowsNot(f, "run as task", "ttl")
				} else {
					w.Shows(f, "run as task", c.says)
					f.toOption(optTask)
					keys.Press("space")
				}
				switch {
				case c.moves:
					w.Shows(f, "space turns it off: x then cancels the call")
				case c.says != "":
					w.Says(c.says)
				}
				keys.Press("ctrl+s")
				got := w.made()
				if len(got) != 1 || got[0].AsTask != (c.moves || c.forced) || got[0].TTL != 0 {
					t.Errorf("made %+v", got)
				}
			})
		})
	}
	offering(t, taskInit, taskTools, func(w *harness) {
		f, keys := w.form("optional")
		keys.Press("ctrl+t")
		f.toOption(optTTL)
		keys.Type("soon")
		keys.Press("ctrl+s")
		w.Says("not sent: ttl: a duration")
		f.opts[optTTL].Set("90s")
		keys.Press("ctrl+s")
		w.Says("not sent: ttl: of a call that does not run as a task")
		f.toOption(optTask)
		keys.Press("space")
		keys.Press("space")
		keys.Press("space")
		keys.Press("ctrl+s")
		if got := w.made(); len(got) != 1 || !got[0].AsTask || got[0].TTL != 90*time.Second {
			t.Errorf("made %+v; %s", got, w.Said())
		}
	})
}
