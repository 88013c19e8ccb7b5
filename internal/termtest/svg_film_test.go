package termtest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// reel is a few shots of one terminal: a row that stays, one that changes and
// changes back, a line that grows, and a cursor that comes and goes.
func reel() []Shot {
	e := newEmulator(24, 5, Dark(), false)
	var shots []Shot
	for i, output := range []string{
		"╭─ 1 Calls ────────────╮\r\n\x1b[36m⠹ running\x1b[m\x1b[?25l",
		"\x1b[2;1H\x1b[35m⊘ cancelling…\x1b[m\x1b[4;1Hx",
		"\x1b[4;2Hy\x1b[?25h",
		"\x1b[2;1H\x1b[2K\x1b[36m⠹ running\x1b[m\x1b[?25l",
	} {
		e.write([]byte(output))
		shots = append(shots, Shot{Screen: e.screen(), Lasts: time.Duration(i+1) * 300 * time.Millisecond})
	}
	return shots
}

var (
	keyframes = regexp.MustCompile(`(?m)^@keyframes (s\d+)\{(.*)\}$`)
	keyframe  = regexp.MustCompile(`([\d.]+)%\{visibility:(\w+)\}`)
	ofSpan    = regexp.MustCompile(`^<g class="s (s\d+)">$`)
)

// shownAt is what a browser shows of a film at a moment between 0 and 1, without the
// head: keyframes of which each holds until the next.
func shownAt(t *testing.T, svg string, moment float64) string {
	t.Helper()
	visible := map[string]bool{}
	for _, rule := range keyframes.FindAllStringSubmatch(svg, -1) {
		for _, k := range keyframe.FindAllStringSubmatch(rule[2], -1) {
			percent, err := strconv.ParseFloat(k[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			if percent <= 100*moment {
				visible[rule[1]] = k[2] == "visible"
			}
		}
	}
	return shown(svg, visible)
}

// shown is what is drawn of a picture, without the head, if of the groups that
// come and go only these are visible.
func shown(svg string, visible map[string]bool) string {
	var out strings.Builder
	head, hidden := true, false
	for line := range strings.Lines(svg) {
		bare := strings.TrimSuffix(line, "\n")
		switch span := ofSpan.FindStringSubmatch(bare); {
		case head:
			head = !strings.HasPrefix(line, "<rect ")
		case span != nil:
			hidden = !visible[span[1]]
		case bare == "</g>" && hidden:
			hidden = false
		case !hidden && bare != "</g>":
			out.WriteString(line)
		}
	}
	return out.String()
}

// In the middle of each shot a film shows what a picture of its screen shows.
func TestAFilmShowsEachShotInItsTime(t *testing.T) {
	shots := reel()
	svg := string(Film(shots, FilmOptions{}))
	var whole, begun time.Duration
	for _, s := range shots {
		whole += s.Lasts
	}
	if !strings.Contains(svg, "animation:3s step-end infinite") {
		t.Errorf("a film of %s has another length\n%s", whole, svg)
	}
	for i, s := range shots {
		moment := float64(begun+s.Lasts/2) / float64(whole)
		begun += s.Lasts
		if got, want := shownAt(t, svg, moment), shown(string(s.Screen.SVG(SVGOptions{})), nil); got != want {
			t.Errorf("shot %d shows\n%s\nand its picture\n%s", i, got, want)
		}
	}
	if n := strings.Count(svg, ">Calls<"); n != 1 {
		t.Errorf("a row that stays is drawn %d times", n)
	}
	if again := Film(reel(), FilmOptions{}); string(again) != svg {
		t.Error("the same shots give another film")
	}
}

// Where nothing moves, the last shot is shown.
func TestAFilmThatStandsStillShowsItsEnd(t *testing.T) {
	shots := reel()
	svg := string(Film(shots, FilmOptions{}))
	still := regexp.MustCompile(`(?m)^(\.s\d+(?:,\.s\d+)*)\{visibility:visible\}$`).FindStringSubmatch(svg)
	if still == nil {
		t.Fatalf("no row is shown without motion\n%s", svg)
	}
	visible := map[string]bool{}
	for name := range strings.SplitSeq(still[1], ",") {
		visible[name[1:]] = true
	}
	last := string(shots[len(shots)-1].Screen.SVG(SVGOptions{}))
	if got, want := shown(svg, visible), shown(last, nil); got != want {
		t.Errorf("it shows\n%s\nand its last shot\n%s", got, want)
	}
}

// A spinner turns in each cell that holds its first frame, in that cell's colour,
// and the picture is well-formed.
func TestTheSpinnerOfAFilmTurns(t *testing.T) {
	svg := Film(reel(), FilmOptions{Title: "<calls>", Spinner: []string{"⠹", "|", "⠼"}, SpinTime: 100 * time.Millisecond})
	if n := bytes.Count(svg, []byte(`<use href="#turn" x="0" y="20" fill="`)); n != 2 {
		t.Errorf("it turns %d times, want in two spans of shots\n%s", n, svg)
	}
	for _, want := range []string{` class="t t0"/>`, `class="t t1" x="4.5"`, ".t{opacity:0;animation:0.3s step-end infinite}", "@keyframes t1{0%{opacity:0}33%{opacity:1}66%{opacity:0}}"} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("the film lacks %s\n%s", want, svg)
		}
	}
	for decoder := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v\n%s", err, svg)
		}
	}
}
