package e2e

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"belay/internal/termtest"
)

// belay is the path of the built program.
var belay string

// raceOptions is the environment of a belay that may be built with the race detector: what it
// finds goes into files, for on the screen nobody could read it, and it would spoil the picture.
var raceOptions = "GORACE=atexit_sleep_ms=0"

// hang is how long a test waits for what must come: it bounds a hang, and measures nothing.
const hang = time.Minute

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "peer" {
		runPeer(os.Args[2], os.Args[3])
		return
	}
	if len(os.Args) == 3 && os.Args[1] == "browse" {
		os.Exit(browse(os.Args[2]))
	}
	if len(os.Args) == 5 && os.Args[1] == "conduct" {
		os.Exit(runConduct(os.Args[2], os.Args[3], os.Args[4]))
	}
	if len(os.Args) == 5 && os.Args[1] == "animal" {
		os.Exit(runAnimal(os.Args[2], os.Args[3], os.Args[4]))
	}
	if len(os.Args) == 3 && os.Args[1] == "beast" {
		os.Exit(runBeast(os.Args[2]))
	}
	if len(os.Args) == 2 && os.Args[1] == "burn" {
		for n := 0; ; n++ { // for as long as the test lasts
			_ = n
		}
	}
	if playGoSDK() {
		return
	}
	_ = os.Setenv("BROWSER", "true") // no test opens an address in earnest
	flag.Parse()
	if !given("test.parallel") { // the tests wait more than they compute
		each := 3
		if raceEnabled {
			each = 2
		}
		_ = flag.Set("test.parallel", strconv.Itoa(each*runtime.GOMAXPROCS(0)))
	}
	os.Exit(run(m))
}

// given reports whether a flag stands on the command line.
func given(name string) (yes bool) {
	flag.Visit(func(f *flag.Flag) { yes = yes || f.Name == name })
	return yes
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "belay-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	belay = filepath.Join(dir, "belay")
	args := []string{"build", "-o", belay}
	if raceEnabled {
		args = append(args, "-race")
	}
	build := exec.Command("go", append(args, "belay")...)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "building belay:", err)
		return 1
	}
	// What a belay keeps is of the test, and nobody's settings; those of the go command stay.
	if goenv, err := exec.Command("go", "env", "GOENV").Output(); err == nil {
		_ = os.Setenv("GOENV", strings.TrimSpace(string(goenv)))
	}
	_ = os.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "conf"))
	raceOptions += " log_path=" + filepath.Join(dir, "race")
	return max(m.Run(), racesIn(dir))
}

// racesIn prints the data races that the race detector found in a belay, and is 1 if there are any.
func racesIn(dir string) (code int) {
	files, _ := filepath.Glob(filepath.Join(dir, "race.*"))
	for _, f := range files {
		report, err := os.ReadFile(f)
		fmt.Fprintf(os.Stderr, "a belay raced with itself:\n%s\n", report)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		code = 1
	}
	return code
}

// stage is belay on a terminal with a scripted server behind it.
type stage struct {
	*termtest.Story
	t     testing.TB
	log   string
	pings int // of the server's, that settled made
}

// play starts belay against a peer of the given conduct.
func play(t testing.TB, conduct string, flags ...string) *stage {
	t.Helper()
	return playAt(t, 140, 32, conduct, flags...)
}

func playAt(t testing.TB, cols, rows int, conduct string, flags ...string) *stage {
	t.Helper()
	return playLogged(t, filepath.Join(t.TempDir(), "peer.jsonl"), cols, rows, conduct, flags...)
}

// playLogged is play with the log in a file of the caller's.
func playLogged(t testing.TB, log string, cols, rows int, conduct string, flags ...string) *stage {
	t.Helper()
	argv := append([]string{belay}, flags...)
	argv = append(argv, "--", os.Args[0], "peer", conduct, log)
	story := termtest.Tell(t, termtest.Options{
		Cols: cols, Rows: rows, Argv: argv, Env: []string{raceOptions},
	})
	return &stage{Story: story, t: t, log: log}
}

// reached runs belay against an address.
func reached(t *testing.T, url string, flags ...string) *stage {
	t.Helper()
	argv := append(append([]string{belay}, flags...), url)
	return &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: 140, Rows: 40, Argv: argv, Env: []string{raceOptions},
	})}
}

// received are the lines that the server has read so far.
func (s *stage) received() []logged {
	s.t.Helper()
	f, err := os.Open(s.log)
	if err != nil {
		return nil
	}
	defer f.Close()
	var out []logged
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		var l logged
		if json.Unmarshal(sc.Bytes(), &l) == nil {
			out = append(out, l)
		}
	}
	return out
}

// count counts the lines that the server has read and that hold all words.
func (s *stage) count(words ...string) int {
	s.t.Helper()
	n := 0
line:
	for _, l := range s.received() {
		for _, w := range words {
			if !strings.Contains(l.Line, w) {
				continue line
			}
		}
		n++
	}
	return n
}

// serverReads waits until the server has read exactly n lines that hold all
// words.
func (s *stage) serverReads(n int, words ...string) *stage {
	s.t.Helper()
	deadline := time.Now().Add(hang)
	for s.count(words...) != n {
		if time.Now().After(deadline) {
			var all []string
			for _, l := range s.received() {
				all = append(all, l.Line)
			}
			s.t.Fatalf("the server has read %d lines with %q, want %d:\n%s\n%s", s.count(words...), words, n,
				strings.Join(all, "\n"), s.Screen().Framed())
		}
		time.Sleep(5 * time.Millisecond)
	}
	return s
}

// call makes a call through the picker.
func (s *stage) call(tool string) *stage {
	s.t.Helper()
	s.Press("n").See("New call")
	s.Type(tool).See("▌tool      " + tool)
	return s.Press("enter")
}

// children are the processes that belay runs, but for its guard.
func (s *stage) children() []termtest.Process {
	s.t.Helper()
	children, err := termtest.ChildrenOf(s.PID())
	if err != nil {
		s.t.Fatal(err)
	}
	return slices.DeleteFunc(children, func(p termtest.Process) bool { return isGuard(p) || isOwn(p) })
}

// guard waits for the process that guards the terminal, and returns its ID.
func (s *stage) guard() int {
	s.t.Helper()
	return s.guardOf(s.PID())
}

// guardOf is guard where belay is not the program that the terminal was started with.
func (s *stage) guardOf(belay int) int {
	s.t.Helper()
	for deadline := time.Now().Add(hang); ; time.Sleep(5 * time.Millisecond) {
		children, err := termtest.ChildrenOf(belay)
		if i := slices.IndexFunc(children, isGuard); i >= 0 {
			return children[i].PID
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("there is no guard among %v: %v", children, err)
		}
	}
}

// isGuard knows it by its name, or where the system has none of it, by belay's.
func isGuard(p termtest.Process) bool {
	return p.Command == "terminal-guard" || isOwn(p) && runtime.GOOS != "linux"
}

// isOwn reports whether a process runs belay's own program. On Linux that is a child that does
// not run its own yet, a guard as well: a hangup of the terminal still ends such a one.
func isOwn(p termtest.Process) bool { return filepath.Base(p.Command) == filepath.Base(belay) }

// The steps of a story, told on the stage.

func (s *stage) See(texts ...string) *stage {
	s.t.Helper()
	s.Story.See(texts...)
	return s
}

func (s *stage) Press(keys ...string) *stage {
	s.t.Helper()
	s.Story.Press(keys...)
	return s
}

func (s *stage) Type(text string) *stage {
	s.t.Helper()
	s.Story.Type(text)
	return s
}

func (s *stage) Exit(code int) *stage {
	s.t.Helper()
	s.Story.Exit(code)
	return s
}

// protocol is the newest revision of an era.
func protocol(modern bool) string {
	if modern {
		return "2026-07-28"
	}
	return "2025-11-25"
}

// rows waits until n rows of a method show a state. What the first of two equal calls showed
// stands on the screen until the second has its answer, and is no sign of it.
func (s *stage) rows(n int, method, state string) *stage {
	s.t.Helper()
	row := regexp.MustCompile(`\d +` + regexp.QuoteMeta(method) + ` +\S+ +` + regexp.QuoteMeta(state))
	s.Until(fmt.Sprintf("%d rows %s %s", n, method, state), func(screen termtest.Screen) bool {
		return len(row.FindAllString(screen.Framed(), -1)) == n
	})
	return s
}

// untilSaid waits until the screen says what matches a pattern.
func (s *stage) untilSaid(what, pattern string) *stage {
	s.t.Helper()
	re := regexp.MustCompile(pattern)
	s.Until(what+": "+pattern, func(now termtest.Screen) bool { return re.MatchString(now.String()) })
	return s
}

// cancelling waits until a row shows that it is cancelled. Its first word stands there for as long
// as the grace, in which a terminal on a busy machine may draw nothing.
func (s *stage) cancelling() *stage {
	s.t.Helper()
	return s.untilSaid("a cancel", `cancelling|cancelled · `)
}
