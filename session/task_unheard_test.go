package session

import (
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// The exchange of a call that was to run as a task may end in good order and without the answer. The
// server may have made the task by then, which the row says, with what finds it.
func TestACallAsATaskIsNotAnsweredOverHTTP(t *testing.T) {
	requirements.Rows(t, "TSK-73", "TEX-60")
	const may = "a task may go on at the server: its ID has not come"
	const noLists = `{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}}`
	for name, tt := range map[string]struct {
		rev      mcp.Revision
		declares string
		head     Head
		end      End
		made     bool // the tool has made a task before
		says     bool
		can      RemedyKind
	}{
		"the stream ends":                      {mcp.Rev20251125, coreTasks, Head{Status: 200, Media: mediaStream}, End{}, false, true, RemedyListTasks},
		"the server lists none":                {mcp.Rev20251125, noLists, Head{Status: 200, Media: mediaStream}, End{}, false, true, 0},
		"the stream breaks":                    {mcp.Rev20251125, coreTasks, Head{Status: 200, Media: mediaStream}, End{Err: "connection reset"}, false, true, RemedyListTasks},
		"it is accepted":                       {mcp.Rev20251125, coreTasks, Head{Status: 202}, End{}, false, true, RemedyListTasks},
		"it is refused":                        {mcp.Rev20251125, coreTasks, Head{Status: 500}, End{}, false, false, 0},
		"of the extension":                     {mcp.Rev20260728, extensionTasks, Head{Status: 200, Media: mediaStream}, End{}, true, true, 0},
		"of the extension, and an unused tool": {mcp.Rev20260728, extensionTasks, Head{Status: 200, Media: mediaStream}, End{}, false, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := taskingWebThat(t, tt.rev, tt.declares)
			if tt.made {
				_, out := w.wished()
				w.handle(out, "task-4711")
			}
			id, out := w.wished()
			w.opened(out.X, tt.head)
			w.ended(out.X, tt.end)
			row := w.row(id)
			if !row.State.IsTerminal() || strings.Contains(row.Note, may) != tt.says || row.UnnamedTask != tt.says || tt.says && row.Remedy.Kind != tt.can {
				t.Errorf("%v: %q, %v, unnamed %v", row.State, row.Note, row.Remedy, row.UnnamedTask)
			}
		})
	}
}
