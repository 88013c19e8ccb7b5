package negotiate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

var origin = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)

// bench is a machine whose decisions are written down: what it asks for, and what
// it comes to.
type bench struct {
	m   Machine
	now time.Time
	log []string
}

var doWords = map[Do]string{
	Wait: "wait", AskDiscover: "discover", AskInitialize: "initialize", UseModern: "modern", UseUndiscovered: "undiscovered",
	UseHandshake: "handshake", BeginAgain: "again", GiveUp: "give up",
}

func begun(s Setup) *bench {
	b := &bench{now: origin}
	if s.Limit == 0 {
		s.Limit = 3 * time.Second
	}
	b.took(b.m.Begin(b.now, s))
	return b
}

func (b *bench) took(st Step) {
	words := doWords[st.Do]
	if st.Do == BeginAgain {
		words += map[Opening]string{WithDiscover: " with discover", WithInitialize: " with initialize"}[b.m.Memory().Begin]
	}
	if st.Do != Wait {
		b.log = append(b.log, words)
	}
}

// what happens at a server.
const (
	modern   = "modern"   // server/discover: a proper answer
	legacy   = "legacy"   // … an answer of the other era
	older    = "older"    // … a list with a handshake's revision only
	unknown  = "unknown"  // … an error with a list that nobody knows
	others   = "others"   // … a proper answer with such a list
	same     = "same"     // … not the revision, and then a list with the very same
	wants    = "wants"    // … it wants a capability that can be declared
	denied   = "denied"   // … it refuses, and nothing can be done about it
	greeted  = "greeted"  // initialize: a result, in the newest revision
	counters = "counters" // … in the older one
	refuses  = "refuses"  // … an error
	lists    = "lists"    // … an error that lists a modern revision
	silence  = "silence"  // server/discover had its time
	late     = "late"     // the other answer did not come in time
	almost   = "almost"   // … nearly
	ends     = "ends"     // the server ends
	shift    = "shift"    // the machine slept
	unfit    = "unfit"    // initialize: a result that is none
	brokeOff = "brokeOff" // … its exchange ended
	unserved = "unserved" // … with HTTP 404
	mute     = "mute"     // … it had its time
)

func (b *bench) happens(what string) {
	discovers := func(f Finding, listed ...string) {
		b.took(b.m.OnDiscover(b.now, Answer{Finding: f, Listed: listed, Correctable: what == wants}))
	}
	switch what {
	case modern:
		discovers(Modern, "2025-11-25", string(mcp.Rev20260728))
	case legacy:
		discovers(OtherEra)
	case older:
		discovers(Modern, "2025-06-18")
	case others:
		discovers(Modern, "2031-01-01")
	case unknown:
		discovers(Versions, "2031-01-01")
	case same:
		discovers(Versions, string(mcp.Rev20260728))
	case wants, denied:
		discovers(Refused)
	case greeted:
		b.took(b.m.OnInitialize(b.now, Greeting{Begun: true, Revision: mcp.Rev20251125}))
	case counters:
		b.took(b.m.OnInitialize(b.now, Greeting{Begun: true, Revision: mcp.Rev20250618}))
	case unfit:
		b.took(b.m.OnInitialize(b.now, Greeting{Begun: true, Unfit: true}))
	case refuses:
		b.took(b.m.OnInitialize(b.now, Greeting{}))
	case lists:
		b.took(b.m.OnInitialize(b.now, Greeting{Listed: []mcp.Revision{mcp.Rev20260728}}))
	case brokeOff:
		b.took(b.m.OnInitialize(b.now, Greeting{Broke: true}))
	case unserved:
		b.took(b.m.OnInitialize(b.now, Greeting{Broke: true, Unserved: true}))
	case silence:
		b.now = b.now.Add(3 * time.Second)
		b.took(b.m.OnSilence())
	case late:
		b.now = b.m.Due()
		b.took(b.m.OnTick(b.now))
	case almost:
		b.took(b.m.OnTick(b.m.Due().Add(-1)))
	case mute:
		b.took(b.m.OnMute(b.now))
	case ends:
		b.took(b.m.OnEnd(b.now, true))
	case shift:
		b.m.Shift(time.Hour)
		b.now = b.now.Add(time.Hour)
		b.took(b.m.OnTick(b.now))
	default:
		panic(what)
	}
}

// Every order in which the two answers, and the times for them, may come.
func TestEveryOrder(t *testing.T) {
	for _, tt := range []struct{ history, want string }{
		// The server answers in time.
		{"modern", "discover modern"},
		{"legacy greeted", "discover initialize handshake"},
		{"older greeted", "discover initialize handshake"},
		{"unknown", "discover give up"},
		{"same modern", "discover discover modern"},
		{"same same", "discover discover give up"},
		{"same silence modern greeted", "discover discover initialize again with discover"},
		{"wants modern", "discover discover modern"},
		{"denied", "discover give up"},
		{"others greeted", "discover initialize handshake"},
		{"others refuses", "discover initialize give up"},
		{"others brokeOff", "discover initialize give up"},
		{"others unfit", "discover initialize give up"},
		{"others late", "discover initialize give up"},
		{"others almost", "discover initialize"},
		{"others ends", "discover initialize give up"},
		{"others lists others", "discover initialize discover give up"},

		// It starts after the time for server/discover: the same must come of it.
		{"silence modern greeted", "discover initialize again with discover"},
		{"silence greeted modern", "discover initialize again with discover"},
		{"silence greeted almost modern", "discover initialize again with discover"},
		{"silence modern refuses", "discover initialize modern"},
		{"silence modern lists", "discover initialize modern"},
		{"silence refuses modern", "discover initialize modern"},
		{"silence refuses almost modern", "discover initialize modern"},
		{"silence lists modern", "discover initialize modern"},
		{"silence modern late", "discover initialize again with discover"},
		{"silence modern almost", "discover initialize"},
		{"silence modern brokeOff", "discover initialize modern"},
		{"silence brokeOff modern", "discover initialize modern"},
		{"silence legacy greeted", "discover initialize handshake"},
		{"silence greeted legacy", "discover initialize handshake"},
		{"silence older counters", "discover initialize handshake"},
		{"silence counters older", "discover initialize handshake"},
		{"silence older greeted", "discover initialize again with discover"},
		{"silence greeted older", "discover initialize again with discover"},
		{"silence older unfit", "discover initialize again with discover"},
		{"silence unfit older", "discover initialize again with discover"},
		{"silence refuses older greeted", "discover initialize initialize handshake"},
		{"silence older refuses counters", "discover initialize initialize handshake"},
		{"silence older refuses refuses", "discover initialize initialize again with initialize"},
		{"silence same refuses modern", "discover initialize discover modern"},
		{"silence refuses same modern", "discover initialize discover modern"},
		{"silence refuses same same", "discover initialize discover give up"},
		{"silence same greeted", "discover initialize again with discover"},
		{"silence wants greeted", "discover initialize again with discover"},
		{"silence wants refuses modern", "discover initialize discover modern"},
		{"silence greeted wants", "discover initialize again with discover"},
		{"silence refuses unknown", "discover initialize give up"},
		{"silence refuses denied", "discover initialize give up"},
		{"silence refuses others", "discover initialize give up"},
		{"silence greeted others", "discover initialize handshake"},
		{"silence others greeted", "discover initialize handshake"},
		{"silence others refuses", "discover initialize give up"},
		{"silence others late", "discover initialize give up"},
		{"silence others ends", "discover initialize give up"},
		{"silence unfit others", "discover initialize give up"},

		// An error of the modern era rules out the handshake, as it does where it comes in time.
		{"silence greeted unknown", "discover initialize give up"},
		{"silence unknown", "discover initialize give up"},
		{"silence denied", "discover initialize give up"},

		// It never answers server/discover.
		{"silence greeted almost", "discover initialize"},
		{"silence greeted late", "discover initialize handshake"},
		{"silence greeted shift late", "discover initialize handshake"},
		{"silence refuses late", "discover initialize again with initialize"},
		{"silence refuses almost", "discover initialize"},
		{"silence lists late modern", "discover initialize discover modern"},
		{"silence lists late silence", "discover initialize discover undiscovered"},
		{"silence brokeOff late", "discover initialize give up"},
		{"silence unfit late", "discover initialize handshake"},
		{"silence unfit almost modern", "discover initialize again with discover"},

		// It breaks on server/discover.
		{"legacy refuses", "discover initialize again with initialize"},
		{"silence legacy refuses", "discover initialize again with initialize"},
		{"silence refuses legacy", "discover initialize again with initialize"},
		{"legacy lists modern", "discover initialize discover modern"},
		{"legacy lists legacy", "discover initialize discover undiscovered"},
		{"ends", "discover again with initialize"},
		{"silence ends", "discover initialize again with initialize"},
		{"legacy ends", "discover initialize again with initialize"},
		{"silence mute", "discover initialize again with initialize"},
		{"legacy mute", "discover initialize give up"},
		{"silence modern mute", "discover initialize again with discover"},
		{"silence refuses ends", "discover initialize again with initialize"},
		{"silence modern ends", "discover initialize again with discover"},
		{"legacy lists ends", "discover initialize discover give up"},
	} {
		t.Run(tt.history, func(t *testing.T) {
			b := begun(Setup{Process: true})
			for _, what := range strings.Fields(tt.history) {
				b.happens(what)
			}
			if got := strings.Join(b.log, " "); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// A server is begun with once more, and not a third time, whatever it does then.
// In the end it is spoken to, if there is a way.
func TestTheSecondBeginning(t *testing.T) {
	for _, tt := range []struct {
		with          Opening
		history, want string
	}{
		{WithDiscover, "modern", "discover modern"},
		{WithDiscover, "legacy greeted", "discover initialize handshake"},
		{WithDiscover, "silence modern greeted", "discover initialize handshake"},
		{WithDiscover, "silence greeted modern", "discover initialize handshake"},
		{WithDiscover, "older greeted", "discover initialize handshake"},
		{WithDiscover, "silence greeted older", "discover initialize handshake"},
		{WithDiscover, "silence greeted late", "discover initialize handshake"},
		{WithDiscover, "silence modern late greeted", "discover initialize handshake"},
		{WithDiscover, "silence modern late refuses", "discover initialize modern"},
		{WithDiscover, "legacy refuses", "discover initialize give up"},
		{WithDiscover, "ends", "discover give up"},
		{WithInitialize, "greeted", "initialize handshake"},
		{WithInitialize, "refuses modern", "initialize discover modern"},
		{WithInitialize, "refuses legacy", "initialize discover give up"},
		{WithInitialize, "refuses silence", "initialize discover give up"},
		{WithInitialize, "ends", "initialize give up"},
		{WithInitialize, "mute", "initialize give up"},
		{WithDiscover, "silence mute", "discover initialize give up"},
		{WithDiscover, "silence modern late mute", "discover initialize modern"},
		{WithDiscover, "silence same late mute modern", "discover initialize discover modern"},
		{WithDiscover, "silence legacy mute", "discover initialize give up"},
	} {
		t.Run(fmt.Sprintf("%d %s", tt.with, tt.history), func(t *testing.T) {
			b := begun(Setup{Process: true, Memory: Memory{Begin: tt.with, Again: true}})
			for _, what := range strings.Fields(tt.history) {
				b.happens(what)
			}
			if got := strings.Join(b.log, " "); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if b.m.Memory().Again {
				t.Error("a third one is wanted")
			}
		})
	}
}

// A server that bears neither both requests nor initialize alone is begun with a third
// time, with server/discover, and not a fourth time.
func TestTheThirdBeginning(t *testing.T) {
	for _, tt := range []struct{ first, second, third, want string }{
		{"silence ends", "ends", "modern", "discover initialize again with initialize | initialize again with discover | discover modern"},
		{"silence ends", "refuses ends", "modern", "discover initialize again with initialize | initialize discover again with discover | discover modern"},
		{"silence refuses ends", "ends", "modern", "discover initialize again with initialize | initialize again with discover | discover modern"},
		{"silence refuses late", "ends", "modern", "discover initialize again with initialize | initialize again with discover | discover modern"},
		{"silence ends", "ends", "ends", "discover initialize again with initialize | initialize again with discover | discover give up"},
		{"silence ends", "ends", "silence ends", "discover initialize again with initialize | initialize again with discover | discover initialize give up"},
		{"silence ends", "ends", "legacy refuses", "discover initialize again with initialize | initialize again with discover | discover initialize give up"},
		{"silence ends", "ends", "silence modern greeted", "discover initialize again with initialize | initialize again with discover | discover initialize handshake"},

		{"silence ends", "greeted", "", "discover initialize again with initialize | initialize handshake"},
		{"silence ends", "refuses modern", "", "discover initialize again with initialize | initialize discover modern"},
		{"silence refuses late", "refuses modern", "", "discover initialize again with initialize | initialize discover modern"},
		{"silence ends", "refuses legacy", "", "discover initialize again with initialize | initialize discover give up"},
		{"silence ends", "mute", "", "discover initialize again with initialize | initialize give up"},

		// It answered both, and does not bear the start with server/discover alone: initialize is
		// what it has borne.
		{"silence modern greeted", "ends", "greeted", "discover initialize again with discover | discover again with initialize | initialize handshake"},
		{"silence greeted modern", "ends", "greeted", "discover initialize again with discover | discover again with initialize | initialize handshake"},
		{"silence modern late", "ends", "greeted", "discover initialize again with discover | discover again with initialize | initialize handshake"},
		{"silence modern greeted", "silence ends", "greeted", "discover initialize again with discover | discover initialize again with initialize | initialize handshake"},
		{"silence modern greeted", "silence mute", "", "discover initialize again with discover | discover initialize give up"},
		{"silence modern greeted", "legacy refuses", "greeted", "discover initialize again with discover | discover initialize again with initialize | initialize handshake"},
		{"silence modern greeted", "legacy ends", "greeted", "discover initialize again with discover | discover initialize again with initialize | initialize handshake"},
		{"silence modern greeted", "ends", "ends", "discover initialize again with discover | discover again with initialize | initialize give up"},
		{"silence modern greeted", "ends", "refuses ends", "discover initialize again with discover | discover again with initialize | initialize discover give up"},
		{"silence modern greeted", "ends", "mute", "discover initialize again with discover | discover again with initialize | initialize give up"},

		// Where it is known what the server does not bear, there is no third way.
		{"ends", "ends", "", "discover again with initialize | initialize give up"},
		{"legacy ends", "ends", "", "discover initialize again with initialize | initialize give up"},
		{"legacy refuses", "ends", "", "discover initialize again with initialize | initialize give up"},
		{"silence mute", "ends", "", "discover initialize again with initialize | initialize give up"},
		{"silence greeted ends", "ends", "", "discover initialize again with initialize | initialize give up"},
		{"silence modern ends", "ends", "", "discover initialize again with discover | discover give up"},
	} {
		t.Run(tt.first+", "+tt.second+", "+tt.third, func(t *testing.T) {
			var all []string
			s := Setup{Process: true}
			for _, history := range []string{tt.first, tt.second, tt.third} {
				if history == "" {
					break
				}
				b := begun(s)
				for _, what := range strings.Fields(history) {
					b.happens(what)
				}
				all = append(all, strings.Join(b.log, " "))
				s.Memory = b.m.Memory()
			}
			if got := strings.Join(all, " | "); got != tt.want || s.Memory.Again || s.Memory.Open {
				t.Errorf("%s, want %s; in the end %+v", got, tt.want, s.Memory)
			}
		})
	}
}

// What the server is asked with in the end gets more time than the first beginning
// took, and what has helped is remembered.
func TestThePatienceOfTheThirdBeginning(t *testing.T) {
	for took, least := range map[time.Duration]time.Duration{4 * time.Second: 2 * time.Minute, 5 * time.Minute: 5 * time.Minute} {
		b := begun(Setup{Process: true})
		b.happens(silence)
		b.now = origin.Add(took)
		b.happens(ends)
		b = begun(Setup{Process: true, Memory: b.m.Memory()})
		b.happens(ends)
		third := new(Machine)
		if again := third.Begin(b.now, Setup{Process: true, Limit: 3 * time.Second, Memory: b.m.Memory()}); again.Do != AskDiscover || again.Limit < least {
			t.Errorf("took %v: %+v", took, again)
		}
		third.OnDiscover(b.now, Answer{Finding: Modern, Listed: []string{string(mcp.Rev20260728)}})
		third.OnAgreed(mcp.Rev20260728)
		if got := third.Memory(); got.Begin != WithDiscover || got.Patience < least || got.Again || got.Open {
			t.Errorf("took %v: %+v is remembered", took, got)
		}
	}
	// On the process that refuses initialize, too, server/discover had not enough time.
	b := begun(Setup{Process: true})
	for _, what := range []string{silence, refuses, late} {
		b.happens(what)
	}
	second := new(Machine)
	second.Begin(b.now, Setup{Process: true, Limit: 3 * time.Second, Memory: b.m.Memory()})
	if step := second.OnInitialize(b.now, Greeting{}); step.Do != AskDiscover || step.Limit < 10*time.Second {
		t.Errorf("refused once more: %+v", step)
	}
}

// A refusal that says that something was begun before waits for a moment only, where the server can
// be started once more: nothing but server/discover came before it (VER-48).
func TestARefusalThatIsDueToDiscover(t *testing.T) {
	requirements.Rows(t, "VER-48")
	for name, tt := range map[string]struct {
		setup Setup
		waits time.Duration
		does  Do
	}{
		"a process":         {Setup{Process: true}, OtherWait, BeginAgain},
		"started once more": {Setup{Process: true, Memory: Memory{Again: true}}, 2 * time.Minute, GiveUp},
		"over HTTP":         {Setup{}, 2 * time.Minute, GiveUp},
	} {
		b := begun(tt.setup)
		b.happens(silence)
		b.m.OnInitialize(b.now, Greeting{Already: true})
		if got := b.m.Due().Sub(b.now); got != tt.waits {
			t.Errorf("%s: waits %v, want %v", name, got, tt.waits)
		}
		if step := b.m.OnTick(b.m.Due()); step.Do != tt.does {
			t.Errorf("%s: %+v", name, step)
		}
		if again := b.m.Memory(); tt.does == BeginAgain && (again.Begin != WithInitialize || again.Patience < 2*time.Minute) {
			t.Errorf("%s: %+v", name, again)
		}
	}
	for message, want := range map[string]bool{
		"Server already initialized":                                     true,
		"StreamableHTTPClientTransport already started! If using Client": true,
		"already connected to a transport":                               true,
		"session has ALREADY been initialised":                           true,
		"state: already running":                                         false,
		"duplicate \"initialize\" received":                              false,
		"it is initialized":                                              false,
		"the table already exists":                                       false,
		strings.Repeat("x", 400) + " already started":                    false,
		"": false,
	} {
		if got := SaysAlready(message); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}

// What was shown is remembered for later connections, until it does not help any
// more.
func TestTheMemory(t *testing.T) {
	for _, tt := range []struct {
		known   Memory
		http    bool
		history string
		agreed  mcp.Revision // empty: none is
		want    Memory
	}{
		{Memory{}, false, "modern", mcp.Rev20260728, Memory{}},
		{Memory{}, false, "legacy greeted", mcp.Rev20251125, Memory{}},
		{Memory{}, false, "silence greeted modern", "", Memory{Begin: WithDiscover, Patience: 2 * time.Minute, Again: true, Greeted: mcp.Rev20251125}},
		{Memory{}, false, "legacy refuses", "", Memory{Begin: WithInitialize, Again: true}},
		{Memory{}, false, "silence ends", "", Memory{Begin: WithInitialize, Again: true, Open: true, Patience: 2 * time.Minute}},
		{Memory{Begin: WithInitialize, Again: true, Open: true, Patience: time.Minute}, false, "greeted", mcp.Rev20251125, Memory{Begin: WithInitialize}},
		{Memory{Begin: WithDiscover, Patience: time.Minute, Again: true}, false, "modern", mcp.Rev20260728, Memory{Begin: WithDiscover, Patience: time.Minute}},
		{Memory{Begin: WithDiscover, Patience: time.Minute}, false, "modern", mcp.Rev20260728, Memory{Begin: WithDiscover, Patience: time.Minute}},
		{Memory{Begin: WithDiscover, Patience: time.Minute}, false, "legacy greeted", mcp.Rev20251125, Memory{}},
		{Memory{Begin: WithDiscover, Patience: time.Minute}, false, "silence greeted late", mcp.Rev20251125, Memory{}},
		{Memory{Begin: WithInitialize, Again: true}, false, "greeted", mcp.Rev20251125, Memory{Begin: WithInitialize}},
		{Memory{Begin: WithInitialize}, false, "greeted", mcp.Rev20251125, Memory{Begin: WithInitialize}},
		{Memory{Begin: WithInitialize}, false, "refuses modern", mcp.Rev20260728, Memory{}},
		{Memory{Begin: WithInitialize}, false, "ends", "", Memory{}},
		{Memory{}, true, "legacy greeted", mcp.Rev20251125, Memory{Begin: WithInitialize}},
		{Memory{}, true, "silence greeted late", mcp.Rev20251125, Memory{}},
		{Memory{}, true, "silence mute", "", Memory{}},
		{Memory{}, false, "silence mute", "", Memory{Begin: WithInitialize, Again: true, Mute: true}},
		{Memory{Begin: WithInitialize, Again: true, Mute: true}, false, "", "", Memory{}}, // and it is left
		{Memory{Begin: WithInitialize, Again: true, Mute: true}, false, "mute", "", Memory{}},
		{Memory{Begin: WithInitialize, Again: true, Mute: true}, false, "refuses modern", mcp.Rev20260728, Memory{}},
		{Memory{Begin: WithInitialize, Again: true, Mute: true}, false, "greeted", mcp.Rev20251125, Memory{Begin: WithInitialize}},
		{Memory{Begin: WithInitialize}, true, "mute", "", Memory{}},
		{Memory{}, true, "silence greeted modern", "", Memory{Begin: WithDiscover, Patience: 2 * time.Minute, Again: true, Greeted: mcp.Rev20251125}},
		{Memory{}, true, "legacy refuses", "", Memory{}},
		{Memory{}, true, "legacy brokeOff", "", Memory{}},
		{Memory{Begin: WithInitialize}, true, "greeted", mcp.Rev20251125, Memory{Begin: WithInitialize}},
		{Memory{Begin: WithInitialize}, true, "brokeOff", "", Memory{}},
		{Memory{Begin: WithInitialize}, true, "unserved modern", mcp.Rev20260728, Memory{}},
		{Memory{Begin: WithInitialize}, true, "unserved legacy", "", Memory{}},
		{Memory{}, true, "silence unserved late", "", Memory{}},
	} {
		t.Run(fmt.Sprintf("%v %s", tt.known, tt.history), func(t *testing.T) {
			b := begun(Setup{Process: !tt.http, Memory: tt.known})
			for _, what := range strings.Fields(tt.history) {
				b.happens(what)
			}
			if tt.agreed != "" {
				b.m.OnAgreed(tt.agreed)
			}
			if got := b.m.Memory(); got != tt.want {
				t.Errorf("after %v: %+v, want %+v", b.log, got, tt.want)
			}
		})
	}
}

// The second beginning is given at least as long as the first one took.
func TestThePatience(t *testing.T) {
	for started, least := range map[time.Duration]time.Duration{
		4 * time.Second: time.Minute, 20 * time.Second: time.Minute, time.Minute: time.Minute, 5 * time.Minute: 5 * time.Minute,
	} {
		b := begun(Setup{Process: true})
		b.happens(silence)
		b.now = origin.Add(started)
		b.happens(greeted)
		b.happens(modern)
		again := new(Machine).Begin(b.now, Setup{Process: true, Limit: 3 * time.Second, Memory: b.m.Memory()})
		if again.Do != AskDiscover || again.Limit < least {
			t.Errorf("started in %v: %+v", started, again)
		}
	}
}

// An answer to server/discover that comes when the handshake is over has another
// connection begun, unless that one was used, or a while has passed.
func TestTheLateAnswer(t *testing.T) {
	answer := Answer{Finding: Modern, Listed: []string{string(mcp.Rev20260728)}}
	older := Answer{Finding: Modern, Listed: []string{"2025-06-18"}}
	for _, tt := range []struct {
		a       Answer
		ago     time.Duration
		used    bool
		again   bool
		want    Do
		begin   Opening
		comment string
	}{
		{answer, time.Second, false, false, BeginAgain, WithDiscover, "at once"},
		{answer, time.Second, true, false, Wait, WithDiscover, "used"},
		{answer, time.Hour, false, false, Wait, WithDiscover, "an hour later"},
		{answer, time.Second, false, true, Wait, WithDiscover, "of the second beginning"},
		{Answer{Finding: OtherEra}, time.Second, false, false, Wait, AsUsual, "an error"},
		{Answer{Finding: Modern, Listed: []string{"2025-11-25"}}, time.Second, false, false, Wait, AsUsual, "the one that is spoken"},
		{older, time.Second, false, false, BeginAgain, WithDiscover, "an older one"},
		{older, time.Second, true, false, Wait, WithDiscover, "an older one, used"},
		{older, time.Second, false, true, Wait, WithDiscover, "an older one, of the second beginning"},
		{Answer{Finding: Versions, Listed: []string{"2025-06-18"}}, time.Second, false, false, BeginAgain, WithDiscover, "an error with an older one"},
	} {
		t.Run(tt.comment, func(t *testing.T) {
			s := Setup{Process: true}
			if tt.again {
				s.Memory = Memory{Begin: WithDiscover, Again: true}
			}
			b := begun(s)
			for _, what := range []string{silence, greeted, late} {
				b.happens(what)
			}
			b.m.OnAgreed(mcp.Rev20251125)
			if !b.m.IsUndiscovered() {
				t.Error("server/discover is out, and that is not told")
			}
			step := b.m.OnLate(tt.a, tt.ago, tt.used)
			if b.m.IsUndiscovered() && tt.begin == AsUsual {
				t.Error("the server is an older one, and that is not told")
			}
			if got := b.m.Memory(); step.Do != tt.want || got.Begin != tt.begin || got.Again != (tt.want == BeginAgain) {
				t.Errorf("%s, %+v", doWords[step.Do], got)
			}
		})
	}
}

// Who has said which revision it is to be gets no other one, and no second
// beginning.
func TestThePin(t *testing.T) {
	for history, want := range map[string]string{
		"modern": "discover modern", "legacy": "discover give up", "older": "discover give up", "same modern": "discover discover modern",
		"ends": "discover give up", "wants modern": "discover discover modern",
	} {
		b := begun(Setup{Process: true, Pin: mcp.Rev20260728})
		for _, what := range strings.Fields(history) {
			b.happens(what)
		}
		if got := strings.Join(b.log, " "); got != want || b.m.Found() != Pinned {
			t.Errorf("%s: %s, %v", history, got, b.m.Found())
		}
	}
	for history, want := range map[string]string{"greeted": "initialize handshake", "refuses": "initialize give up", "ends": "initialize give up"} {
		b := begun(Setup{Process: true, Pin: mcp.Rev20250618})
		b.happens(history)
		if got := strings.Join(b.log, " "); got != want {
			t.Errorf("%s: %s", history, got)
		}
	}
}

// The user may have pinned the revision before the second connection: that rules out what
// the first one has left open.
func TestAServerThatIsPinnedMeanwhileIsNotBegunAThirdTime(t *testing.T) {
	b := begun(Setup{Process: true, Pin: mcp.Rev20251125, Memory: Memory{Begin: WithInitialize, Again: true, Open: true}})
	b.happens(ends)
	if got := strings.Join(b.log, " "); got != "initialize give up" {
		t.Error(got)
	}
}

// A server that ended on both requests, and then on initialize, is begun with server/discover alone,
// unless it has answered that by then: it would answer the same, and end on initialize again.
func TestAServerThatHasAnsweredIsNotBegunAThirdTime(t *testing.T) {
	for _, begin := range []Opening{WithInitialize, WithDiscover} {
		for history, again := range map[string]bool{"ends": true, "silence ends": true, "legacy ends": false, "silence legacy ends": false, "others ends": false} {
			b := begun(Setup{Process: true, Memory: Memory{Begin: begin, Again: true, Open: true, Patience: time.Minute}})
			for _, what := range strings.Fields(history) {
				b.happens(what)
			}
			if got := strings.Join(b.log, " "); strings.Contains(got, "again") != again {
				t.Errorf("begun with %v, %s: %s", begin, history, got)
			}
		}
	}
}

// What is waited for, and until when.
func TestWhatIsAwaited(t *testing.T) {
	for history, want := range map[string]struct {
		what Awaited
		left time.Duration // 0: there is no limit
	}{
		"": {ForDiscover, 0}, "silence": {ForEither, 0}, "silence modern": {ForInitializeToo, OtherWait}, "silence greeted": {ForDiscoverToo, OtherWait},
		"legacy": {ForInitialize, 0}, "silence legacy": {ForInitialize, 0}, "modern": {Nothing, 0}, "silence greeted late": {Nothing, 0},
		"silence lists late": {ForDiscover, 0},

		// What comes of initialize is of no use: it is up to server/discover, however long
		// that takes, and not as long where the refusal says what the server speaks.
		"silence refuses": {ForDiscoverAlone, 2 * time.Minute}, "silence brokeOff": {ForDiscoverAlone, 2 * time.Minute},
		"silence unfit": {ForDiscoverAlone, 2 * time.Minute}, "silence lists": {ForDiscoverAlone, 10 * time.Second},
	} {
		b := begun(Setup{Process: true})
		for _, what := range strings.Fields(history) {
			b.happens(what)
		}
		got, until := b.m.Awaits()
		if got != want.what || until.IsZero() != (want.left == 0) || want.left != 0 && !until.Equal(b.now.Add(want.left)) {
			t.Errorf("%q: %v until %v, want %v", history, got, until, want)
		}
	}
}

// A server that refuses initialize has minutes for server/discover, once, in whatever
// way it was begun with.
func TestThePatienceWithARefusedInitialize(t *testing.T) {
	for _, tt := range []struct {
		name    string
		memory  Memory
		http    bool
		history string
		least   time.Duration
	}{
		{"an address that knew only the handshake", Memory{Begin: WithInitialize}, true, "refuses", 2 * time.Minute},
		{"a process that read nothing after server/discover", Memory{Begin: WithInitialize, Again: true}, false, "refuses", 2 * time.Minute},
		{"a process that ended on both", Memory{Begin: WithInitialize, Again: true, Open: true, Patience: 3 * time.Minute}, false, "refuses", 3 * time.Minute},
		{"a process that had its minutes", Memory{Begin: WithInitialize, Again: true, Open: true, Patience: 10 * time.Second}, false, "refuses", 10 * time.Second},
		{"what it speaks is known", Memory{Begin: WithInitialize}, true, "lists", 3 * time.Second},
	} {
		b := begun(Setup{Process: !tt.http, Memory: tt.memory})
		var last Step
		for _, what := range strings.Fields(tt.history) {
			g := Greeting{}
			if what == lists {
				g.Listed = []mcp.Revision{mcp.Rev20260728}
			}
			last = b.m.OnInitialize(b.now, g)
		}
		if last.Do != AskDiscover || last.Limit != tt.least {
			t.Errorf("%s: %+v, want %v", tt.name, last, tt.least)
		}
	}
	// Begun with server/discover alone, it had them before.
	b := begun(Setup{Process: true, Memory: Memory{Begin: WithDiscover, Patience: 2 * time.Minute}})
	for _, what := range []string{silence, refuses} {
		b.happens(what)
	}
	if _, until := b.m.Awaits(); !until.Equal(b.now.Add(OtherWait)) {
		t.Errorf("until %v at %v", until, b.now)
	}
}
