package session

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// The simulator plays random histories against the core: calls and their
// cancels, a server of any conduct, connections that break, time that jumps.
// After every input the invariants are checked, mostly against an oracle that
// only sees what crossed the wire and knows nothing of the core's tables.
//
// A history is a list of steps. What a step does depends on its numbers and on
// the simulation it is played in, so that any part of a history is a history too:
// that is how a bad one is made short before it is printed.
//
// BELAY_SIM_SEEDS=N plays N histories, from number BELAY_SIM_FROM on.

// stepsPerSeed is the length of a history.
const stepsPerSeed = 250

func TestSimulator(t *testing.T) {
	requirements.Rows(t, "CXL-24", "SD3-12", "SD3-17", "NFR-2", "SC-4", "BASE-04", "CXL-29", "CXS-04")
	simulateAll(t, mcp.Stdio, 500, 4*time.Second)
}

// simulateAll plays over a transport as many histories as are enough to see
// everything once, then as many more as there is time for.
func simulateAll(t *testing.T, over mcp.Transport, enough uint64, budget time.Duration) {
	t.Helper()
	total := newCounts(over)
	if n := os.Getenv("BELAY_SIM_SEEDS"); n != "" {
		seeds, err := strconv.ParseUint(n, 10, 64)
		if err != nil {
			t.Fatalf("BELAY_SIM_SEEDS: %v", err)
		}
		from, _ := strconv.ParseUint(os.Getenv("BELAY_SIM_FROM"), 10, 64)
		simulate(t, over, total, from, func(seed uint64) bool { return seed < from+seeds })
		total.report(t, true)
		return
	}
	all := !testing.Short() && !raceDetector
	if !all {
		budget /= 5
	}
	until := time.Now().Add(budget)
	simulate(t, over, total, 0, func(seed uint64) bool {
		return time.Now().Before(until) || seed < enough && all
	})
	total.report(t, all)
}

// simulate plays seeds from one on, on all processors, as long as more says so.
func simulate(t *testing.T, over mcp.Transport, total *counts, from uint64, more func(seed uint64) bool) {
	var (
		mu   sync.Mutex
		next = from
		bad  bool
		all  sync.WaitGroup
	)
	take := func() (uint64, bool) {
		mu.Lock()
		defer mu.Unlock()
		if bad || !more(next) {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			mine := newCounts(over)
			for {
				seed, ok := take()
				if !ok {
					break
				}
				steps := history250(over, seed)
				if at, err := play(over, seed, steps, mine); err != nil {
					mu.Lock()
					first := !bad
					bad = true
					mu.Unlock()
					if first {
						t.Error(explain(over, seed, steps[:at+1], err))
					}
					break
				}
			}
			mu.Lock()
			total.merge(mine)
			mu.Unlock()
		})
	}
	all.Wait()
}

// server/discover is out beside initialize, and HTTP+SSE is tried in vain: both rows end.
func TestBothRowsOfTheOpeningEndWithTheOlderTransport(t *testing.T) {
	playSteps(t, mcp.HTTP, 20243, []step{{doTime, 11624180, 12546769}, {doTime, 14175231, 11922479}})
}

// A call that is being cancelled, and was answered elsewhere, waits for the writer: a login does not have its
// stream taken up again.
func TestTheStreamOfAnAnsweredCallAfterALogin(t *testing.T) {
	playSteps(t, mcp.HTTP, 2008507, []step{
		{doTime, 7242909, 4811452},
		{doCall, 11093590, 15205583},
		{doCall, 14232403, 2177114},
		{doTime, 2190452, 5444579},
		{doTime, 15049824, 12838161},
		{doTime, 8414520, 14171068},
		{doRush, 5537469, 1989167},
		{doCall, 904318, 6156079},
		{doCall, 7063656, 1247349},
		{doTime, 7541530, 3594890},
		{doTime, 16216796, 11917894},
		{doTime, 8004878, 14121962},
		{doCall, 4612416, 3347719},
		{doCancel, 12119325, 1146474},
		{doRush, 857443, 12015214},
		{doSubscribe, 5454599, 4801116},
		{doTime, 15307437, 16166515},
		{doCall, 13226902, 13927839},
		{doServerAnswer, 8138605, 4260628},
		{doTime, 7482720, 766882},
		{doCall, 10672144, 4525003},
		{doTime, 471783, 12556917},
		{doRush, 7699019, 7511057},
		{doCancel, 8234275, 1772292},
		{doTime, 4625312, 3685687},
		{doServerAnswer, 16083984, 3292255},
		{doAsk, 16649185, 9787407},
		{doAsk, 15948616, 9900857},
		{doTime, 834631, 9917869},
		{doServerAnswer, 1955380, 9912992},
		{doCut, 9565238, 13465000},
		{doTime, 14392536, 822581},
		{doCall, 284799, 2968629},
		{doCall, 6453626, 7873839},
		{doTime, 1294416, 12152860},
		{doFlow, 11579418, 8170559},
		{doTime, 5948854, 10638465},
		{doCancel, 8847810, 47968},
		{doStray, 7865343, 6867681},
		{doLogin, 12556837, 13149398},
	})
}

// A server that guesses IDs answers an unsubscribe of which no byte has left.
func TestAnAnswerBeforeTheBodyOfAnUnsubscribe(t *testing.T) {
	playSteps(t, mcp.HTTP, 60231, []step{
		{doWithdraw, 1863900, 5327525},
		{doAsk, 834535, 9434806},
		{doCut, 11582950, 4555412},
		{doProgress, 10324403, 12568618},
		{doSubscribe, 2094657, 11333084},
		{doPull, 13830694, 11196643},
		{doCall, 1956727, 5854463},
		{doTime, 3705382, 2027591},
		{doNotify, 13346637, 11129863},
		{doCall, 4294428, 15506908},
		{doCut, 9223868, 12487605},
		{doCall, 15491924, 2301190},
		{doCut, 16212014, 2120799},
		{doRush, 12633329, 1758756},
		{doComplete, 9843512, 15729349},
		{doTime, 4310993, 5034653},
		{doRush, 2726844, 2095710},
		{doRetry, 7940388, 8286582},
		{doWithdraw, 13032709, 7483413},
		{doWithdraw, 10019880, 829575},
		{doConnect, 620334, 7040549},
		{doSubscribe, 7371471, 340503},
		{doTime, 5020675, 4931513},
		{doCancel, 14830858, 5303941},
		{doPull, 9949299, 9964807},
		{doStrayAnswer, 5482184, 878961},
	})
}

// A server ends when it has answered server/discover and is about to be asked again.
func TestAServerThatEndsBetweenTwoProbes(t *testing.T) {
	playSteps(t, mcp.Stdio, 700289, []step{{doStray, 12050245, 4897158}, {doLateTime, 8479969, 13482228}, {doClosed, 11043993, 10815417}})
}

// The handshake was given up before the body of its second request began.
func TestTheBodyOfAHandshakeThatIsOver(t *testing.T) {
	playSteps(t, mcp.HTTP, 7000939, []step{
		{doTime, 9116858, 14212452},
		{doFlow, 2869478, 9530101},
		{doTime, 13891102, 3735510},
		{doRush, 16685590, 5799202},
		{doCut, 14507723, 14434985},
	})
}

// An answer in a batch that the revision does not have comes after the cancel was given up
// as not delivered, and before it is written after all.
func TestAnAnswerInABatchBeforeALateCancel(t *testing.T) {
	playSteps(t, mcp.Stdio, 7001272, []step{
		{doTime, 14761326, 2885272},
		{doWithdraw, 16255003, 3203154},
		{doCall, 37225, 8699176},
		{doCall, 13805397, 16244248},
		{doStray, 10903783, 15068619},
		{doCancelAll, 11334050, 9803449},
		{doCall, 14683893, 214376},
		{doSubscribe, 12574672, 13326521},
		{doCancel, 2340234, 13567031},
		{doTime, 6596324, 2006067},
		{doCancel, 13634042, 12558388},
		{doBatch, 14318446, 15744913},
	})
}

// A sample of the processes is told behind a later one, by which a cancelled call is judged already.
func TestASampleToldBehindALaterOne(t *testing.T) {
	playSteps(t, mcp.Stdio, 6000024, []step{
		{doTime, 907457, 7229319},
		{doCall, 4851076, 7924764},
		{doCancel, 6674579, 450847},
		{doCall, 1169374, 6691691},
		{doJump, 1581099, 7679454},
		{doWrite, 16084459, 7361166},
		{doCancel, 1469328, 3796709},
	})
}

// playSteps is what a printed history calls: it plays it and fails as it did.
func playSteps(t *testing.T, over mcp.Transport, seed uint64, steps []step) {
	t.Helper()
	if at, err := play(over, seed, steps, newCounts(over)); err != nil {
		t.Fatalf("step %d: %v", at, err)
	}
}

// play plays a history in a new simulation, and says at which step what went wrong.
func play(over mcp.Transport, seed uint64, steps []step, c *counts) (at int, err error) {
	w := newSimulation(over, seed, c)
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, stack())
		}
	}()
	for i, st := range steps {
		at = i
		w.step(st)
		if w.err != nil {
			return at, w.err
		}
	}
	w.finish()
	return at, w.err
}

func stack() string {
	b := make([]byte, 4<<10)
	return string(b[:runtime.Stack(b, false)])
}

// explain makes a bad history short and prints it as a test.
func explain(over mcp.Transport, seed uint64, steps []step, err error) string {
	limit := 10 * time.Second
	if os.Getenv("BELAY_MUTATION") != "" {
		limit = 0 // what is broken is known
	}
	short := shrink(over, seed, steps, limit)
	if _, e := play(over, seed, short, newCounts(over)); e != nil {
		err = e
	}
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %v\n\n", seed, err)
	fmt.Fprintf(&b, "func TestSimulated%d(t *testing.T) {\n\tplaySteps(t, %s, %d, []step{\n", seed, map[mcp.Transport]string{mcp.Stdio: "Stdio", mcp.HTTP: "HTTP"}[over], seed)
	for _, st := range short {
		fmt.Fprintf(&b, "\t\t{%s, %d, %d},\n", st.do, st.a, st.b)
	}
	b.WriteString("\t})\n}\n")
	return b.String()
}

// shrink drops steps as long as the history stays bad, big parts first.
func shrink(over mcp.Transport, seed uint64, steps []step, limit time.Duration) []step {
	until := time.Now().Add(limit)
	bad := func(s []step) bool {
		_, err := play(over, seed, s, newCounts(over))
		return err != nil
	}
	for size := len(steps) / 2; size > 0; size /= 2 {
		for from := 0; from < len(steps) && time.Now().Before(until); {
			without := slices.Concat(steps[:from], steps[min(len(steps), from+size):])
			if bad(without) {
				steps = without
			} else {
				from += size
			}
		}
	}
	return steps
}

// The answer to a cancelled call, in the answer to a second cancel of the call, is that of the call.
func TestAnAnswerInTheAnswerToASecondCancel(t *testing.T) {
	playSteps(t, mcp.HTTP, 101773, []step{
		{doTime, 11819807, 5334462},
		{doStrayAnswer, 14022670, 12826688},
		{doSubscribe, 870311, 4905935},
		{doCall, 16761569, 4093455},
		{doLateTime, 15121513, 1098454},
		{doCall, 6479160, 9781499},
		{doStrayAnswer, 15251519, 16482677},
		{doFlow, 6163453, 9743785},
		{doTime, 7541128, 2452975},
		{doCancel, 4968630, 5051207},
		{doCut, 12245057, 5140119},
		{doServerAnswer, 12242960, 2483361},
		{doCall, 7885738, 10618575},
		{doJump, 4916880, 3392204},
		{doTime, 11231499, 6055057},
		{doServerAnswer, 14837380, 14494473},
		{doCall, 15472605, 11515194},
		{doRush, 14515026, 7585040},
		{doTime, 4301059, 720896},
		{doCall, 1572797, 13123330},
		{doStray, 15786649, 16280622},
		{doNotify, 15646552, 12051289},
		{doCall, 3694087, 13688013},
		{doTime, 2179497, 4286547},
		{doAnswer, 16673402, 3562038},
		{doRush, 5829563, 3505139},
		{doCall, 495708, 14159123},
		{doCall, 7719008, 14328711},
		{doServerAnswer, 7680650, 5096664},
		{doTime, 14352505, 3419742},
		{doExtend, 15634765, 10837828},
		{doCall, 3629462, 6041208},
		{doAsk, 11802881, 10857189},
		{doRush, 10630704, 13031315},
		{doCall, 11160272, 6841135},
		{doNotify, 10130537, 3486483},
		{doServerAnswer, 2553448, 11599123},
		{doRush, 6784763, 13914386},
		{doTime, 2177121, 4446013},
	})
}

// An answer whose ID is none, in the answer to a wrong cancel, may be any call's.
func TestAnOddIDInTheAnswerToAWrongCancel(t *testing.T) {
	playSteps(t, mcp.HTTP, 90196, []step{
		{doCall, 5609426, 12301258},
		{doCall, 9517171, 11926201},
		{doTime, 281851, 2974851},
		{doRoots, 9992788, 1846003},
		{doLogLevel, 2909989, 7971302},
		{doCancel, 14319509, 13511017},
		{doNotify, 1787724, 6784098},
		{doCall, 10281932, 6955560},
		{doNotify, 744617, 8947565},
		{doLateTime, 875765, 13649157},
		{doCut, 12507194, 12973904},
		{doJump, 16418221, 2221928},
		{doTime, 5418973, 3417207},
	})
}
