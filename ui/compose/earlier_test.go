package compose

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/panel"
	"belay/ui/panel/paneltest"
)

const secretive = `{"tools":[{"name":"login","inputSchema":{"type":"object","required":["user","code"],"properties":{
 "user":{"type":"string"},"code":{"type":"string","format":"password"},"n":{"type":"integer","minimum":1}}}}]}`

// kept are sets of arguments of earlier calls of countdown, the newest first.
func (w *harness) kept(arguments ...string) {
	w.sets = map[string][]Set{}
	for i, a := range arguments {
		w.sets["tools/call countdown"] = append(w.sets["tools/call countdown"], Set{Arguments: []byte(a), Made: time.Now().Add(-time.Duration(i+1) * time.Hour)})
	}
}

// One key loads the newest set, again the older ones, and then what was typed, which is as it was:
// also what is no value yet. What is changed in a set stays, too.
func TestEarlierArgumentsAreLoaded(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.kept(`{"seconds":3}`, `{"seconds":4,"label":"four"}`)
		f, keys := w.form("countdown")
		keys.Type("1x")
		keys.Press("ctrl+r")
		w.Says("arguments 1 of 2, 1 h ago")
		w.Shows(f, "3")
		w.ShowsNot(f, "1x")
		keys.Type("5")
		keys.Press("ctrl+r")
		w.Says("arguments 2 of 2, 2 h ago")
		w.Shows(f, "four")
		keys.Press("ctrl+r")
		w.Says("what you typed")
		w.Shows(f, "1x")
		w.ShowsNot(f, "four")
		keys.Press("ctrl+r")
		w.Shows(f, "35")
		keys.Press("ctrl+s")
		if got := w.made(); len(got) != 1 || !strings.Contains(string(got[0].Params), `{"seconds":35}`) {
			t.Errorf("made %+v", got)
		}
	})
}

// A draft that is opened again offers what was kept since, unless it shows an older set.
func TestADraftOffersWhatWasKeptSince(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		f, keys := w.form("countdown")
		keys.Type("7")
		keys.Press("ctrl+r")
		w.Says("no arguments of earlier calls")
		w.Run(f.Close())
		w.kept(`{"seconds":3}`)
		f, keys = w.form("countdown")
		keys.Press("ctrl+r")
		w.Says("arguments 1 of 1")
		w.Run(f.Close())
		w.kept(`{"seconds":8}`, `{"seconds":3}`)
		f, keys = w.form("countdown")
		w.Shows(f, "3")
		keys.Press("ctrl+r")
		w.Says("what you typed")
		w.Shows(f, "7")
	})
}

// The key works also before the disk has answered, and what comes for a form that is gone changes
// nothing.
func TestASlowDiskIsWaitedForBesideTheScreen(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.kept(`{"seconds":3}`)
		w.disk = make(chan struct{})
		f, keys := w.form("countdown")
		keys.Press("ctrl+r")
		w.ShowsNot(f, "arguments")
		keys.Type("1")
		close(w.disk)
		w.Settle()
		w.Says("arguments 1 of 1")
		w.Run(f.Close())

		w.disk = make(chan struct{})
		other, keys := w.form("review")
		keys.Press("ctrl+r")
		w.Run(other.Close())
		said := w.Said()
		close(w.disk)
		w.Settle()
		if w.Said() != said {
			t.Errorf("a form that is gone says %q", w.Said())
		}
	})
}

// A set of which something was left out says so; names of the server's are quoted and short.
func TestWhatWasLeftOutIsSaid(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.kept(`{"seconds":3}`)
		for names, want := range map[string]string{
			"password":         "1 h ago · without password, as belay keeps no secrets",
			"a b c d e":        "without a, b, c and 2 more",
			paneltest.Hostile:  "without ",
			"a.b,key\x1b[2Jxx": `without "a.b,key`,
		} {
			w.sets["tools/call countdown"][0].Without = strings.Split(names, " ")
			f := w.c.NewForm("new", w.tool("countdown"))
			w.Push(f)
			w.Settle()
			w.Run(f.showEarlier())
			w.Says(want)
			if strings.ContainsRune(w.Said(), '\x1b') || len(w.Said()) > 300 {
				t.Errorf("%q", w.Said())
			}
			w.Pop(f)
		}
	})
}

// However long the names are of what was left out, the sentence fits two lines of 80 columns.
func TestWhatWasLeftOutFitsTwoLines(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.kept(`{"seconds":3}`)
		for _, name := range []string{"pin", "access_token", "the_client_secret_of_the_tenant", "a secret\x1b[2J of many words"} {
			for n := 1; n <= 40; n++ {
				set := &w.sets["tools/call countdown"][0]
				set.Without, set.Made = slices.Repeat([]string{name}, n), time.Now().Add(-1000*time.Hour)
				f := w.c.NewForm("new", w.tool("countdown"))
				w.Push(f)
				w.Settle()
				w.Run(f.showEarlier())
				said := w.Said()
				if lines := safe.Wrap(safe.Text(said), 78, 0); len(lines) > 2 || !strings.HasSuffix(said, ", as belay keeps no secrets") {
					t.Errorf("%d × %s: %q", n, name, lines)
				}
				w.Pop(f)
			}
		}
	})
}

// A set that does not fit the schema any more is loaded as far as it fits; one that is none is
// refused, and the form stays as it is.
func TestASetOfAnotherSchema(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.kept(`{"seconds":"soon","gone":[1,2],"label":"x"}`, `[]`)
		f, keys := w.form("countdown")
		keys.Press("ctrl+r")
		w.Shows(f, `"soon"`, "gone", "x")
		keys.Press("ctrl+r")
		w.Says("must be a JSON object")
		w.Shows(f, `"soon"`)
		for _, size := range paneltest.Sizes() {
			w.Resize(size.X, size.Y)
			w.drawn()
		}
	})
}

// What a form sends is kept, without the fields that its schema calls secret; what is not sent, and
// what has no arguments, is not.
func TestWhatWasSentIsKept(t *testing.T) {
	offering(t, paneltest.Initialized, secretive, func(w *harness) {
		f, keys := w.form("login")
		keys.Type("ann")
		f.Step(1)
		keys.Type("hunter2")
		keys.Press("ctrl+s")
		if len(w.remembered) > 0 {
			t.Errorf("kept before the call was made: %q", w.remembered)
		}
		w.agree()
		if want := []string{`tools/call login {"user":"ann","code":"hunter2"} [code]`}; !slices.Equal(w.remembered, want) {
			t.Errorf("kept %q", w.remembered)
		}
	})
	run(t, 80, 24, func(w *harness) {
		_, keys := w.picker()
		keys.Type("stubborn")
		keys.Press("enter")
		w.agree()
		_, keys2 := w.form("file")
		keys2.Type("a.txt")
		keys2.Press("ctrl+s")
		w.agree()
		if want := []string{`resources/read demo://files/{name} {"name":"a.txt"} []`}; !slices.Equal(w.remembered, want) {
			t.Errorf("kept %q", w.remembered)
		}
	})
}

// A call that is made without a form is kept, too, by the rules of its schema; one by hand is not,
// and neither is one of a tool that the server does not list.
func TestACallWithoutAFormIsKept(t *testing.T) {
	offering(t, paneltest.Initialized, secretive, func(w *harness) {
		for _, c := range []session.CallSpec{
			{Method: "tools/call", Params: []byte(`{"name":"login","arguments":{"user":"ann","code":"hunter2","n":1}}`)},
			{Method: "tools/call", Params: []byte(`{"name":"login","arguments":{"user":"by hand"}}`), Raw: true},
			{Method: "tools/call", Params: []byte(`{"name":"unlisted","arguments":{"code":"hunter2"}}`)},
			{Method: "resources/read", Params: []byte(`{"uri":"demo://readme"}`)},
			{Method: "ping"},
			{Method: "tools/call", Params: []byte(`{`)},
		} {
			w.Run(w.c.Remember(c))
		}
		if want := []string{`tools/call login {"user":"ann","code":"hunter2","n":1} [code]`}; !slices.Equal(w.remembered, want) {
			t.Errorf("kept %q", w.remembered)
		}
	})
}

// Without a memory nothing is read, kept or offered, and the key says why. What earlier runs
// have kept can be deleted all the same.
func TestWithoutAMemory(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.kept(`{"seconds":3}`)
		w.forgetful = "no arguments are kept (--no-memory)"
		f, keys := w.form("countdown")
		keys.Type("7")
		keys.Press("ctrl+r")
		w.Says("--no-memory")
		w.Shows(f, "7")
		keys.Press("ctrl+s")
		w.agree()
		w.Run(w.c.Remember(session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"countdown","arguments":{"seconds":3}}`)}))
		if len(w.remembered) > 0 || f.earlier.asked {
			t.Errorf("kept %q; read: %v", w.remembered, f.earlier.asked)
		}
		if why := Commands()[0].Reason(w.c); why != "" {
			t.Errorf("forget: %q", why)
		}
		w.absent = "not in a recording"
		if why := Commands()[0].Reason(w.c); why != w.absent {
			t.Errorf("forget: %q", why)
		}
	})
}

// A memory that fails is told of once, and costs no call.
func TestAMemoryThatFails(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.failing = errors.New("no space left on\x1b[2J device")
		f, keys := w.form("countdown")
		w.Says("arguments are not kept: no space left on")
		w.Run(w.Say(panel.Silence()))
		keys.Type("7")
		keys.Press("ctrl+s")
		w.agree()
		w.Lies(nil)
		if w.Said() != "" || len(w.remembered) != 1 || f == nil {
			t.Errorf("then %q; kept %q", w.Said(), w.remembered)
		}
	})
}

// What is kept is forgotten at a word, which says how much that was; a draft offers it no more, and
// keeps what it shows.
func TestForgetting(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.kept(`{"seconds":3}`, `{"seconds":4}`)
		f, keys := w.form("countdown")
		keys.Press("ctrl+r")
		w.Run(f.Close())
		w.Run(w.c.forget())
		w.Says("deleted 2 sets of arguments that were kept of calls to this server")
		f, keys = w.form("countdown")
		w.Shows(f, "3")
		keys.Press("ctrl+r")
		w.Says("no arguments of earlier calls")
		w.Run(w.c.forget())
		w.Says("nothing was deleted")
		w.failing = errors.New("the disk is gone")
		w.Run(w.c.forget())
		w.Says("the disk is gone")
	})
}

// tool is a tool that the server offers.
func (w *harness) tool(name string) (it mcp.Item) {
	w.View(func(s *session.Session) { it = s.ToolOf([]byte(`{"name":"` + name + `"}`)) })
	return it
}
