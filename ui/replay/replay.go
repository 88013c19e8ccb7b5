// Package replay is what the screen has besides when it shows a recording: where in the
// recording it is, its words in the header, and the places that can be gone to.
package replay

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
)

// Refused is why nothing can be sent.
const Refused = "this is a recording"

// State is what a player does.
type State uint8

// The states of a player.
const (
	Paused    State = iota
	Playing         // at its pace
	Searching       // on its way to another place, as fast as it can
	Following       // at the end of a file that is still being written
)

// Mark is what can be jumped to.
type Mark uint8

// The marks.
const (
	Cancel     Mark = iota // a cancel began
	Diagnostic             // something was found wrong, by the core or with the recording
)

// Fault is something in a recording that cannot be played, or that is played otherwise
// than it was recorded.
type Fault struct {
	Line int64  // of the file, from 1
	Text string // may quote the file
}

// Status is where a player is.
type Status struct {
	State  State
	At     time.Duration // since the beginning of the recording
	Length time.Duration // of the recording, as far as is known
	Line   int64         // of the file, that was played last
	Ended  bool          // all was played, and no more is to come
	Part   float64       // while it searches: how much of the way through the file it is
	Speed  float64       // times as fast as it was; 0: at once

	Lost string // the ID of the call that was looked for last, and is not there

	News  string // what became of the file that is followed; empty: nothing
	Told  int    // counts the News
	Waits bool   // the file holds no recording now

	Session int           // counts the sessions that were shown: another one has other rows
	Open    bool          // the recording ends, and belay had not
	Silent  time.Duration // while it follows: for how long nothing was written to the file
	Cut     bool          // it ends within a line, which is one of the Faulty

	Faults  []Fault // the first ones
	Missing string  // what of the run is not in the recording; empty: it begins with the run
	Faulty  int     // all of them
	Differs int     // of these, what is played otherwise than it was recorded
	Gaps    int     // places where lines are missing, or not in their order: among Faults, and not in Faulty
}

// Player plays a recording. Its methods wait for nothing.
type Player interface {
	Status() Status
	Path() string // of the file

	Play(on bool)          // plays at the speed, or pauses
	SetSpeed(x float64)    // times as fast as it was; 0: at once
	Step(forward bool)     // to the next message, or to the one before
	Begin()                // to the beginning
	End()                  // to the end, which is followed where the file is still written
	GoTo(at time.Duration) // to a time since the beginning
	GoToTime(at time.Time) // to a time of the run
	GoToLine(n int64)      // to a line of the file
	GoToCall(id string)    // to where a call begins, which the status says where it is not there
	Next(Mark, bool) bool  // to the next mark, or to the one before; false: there is none
	Stop()                 // ends a search
}

// Speeds are those that can be chosen, ascending; the last one is "at once".
var Speeds = []float64{0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 0}

// Faster is the speed that is n places further in the list.
func Faster(x float64, n int) float64 {
	at := 2
	for i, s := range Speeds {
		if s == x {
			at = i
		}
	}
	return Speeds[min(max(0, at+n), len(Speeds)-1)]
}

// SpeedWords are a speed: "0.5×", "at once".
func SpeedWords(x float64) safe.Text {
	if x == 0 {
		return "at once"
	}
	return safe.Text(strconv.FormatFloat(x, 'g', 4, 64)) + "×"
}

// Clock writes a time since the beginning: "01:40.0", "2:01:40.0".
func Clock(d time.Duration) safe.Text {
	tenths := max(0, d) / (100 * time.Millisecond)
	h, m, s := tenths/36000, tenths/600%60, tenths/10%60
	if h > 0 {
		return safe.Text(fmt.Sprintf("%d:%02d:%02d.%d", h, m, s, tenths%10))
	}
	return safe.Text(fmt.Sprintf("%02d:%02d.%d", m, s, tenths%10))
}

// Words say that this is a recording, where a player is and what it does. Play is the
// glyph of playing.
func (s Status) Words(play safe.Text) safe.Text { return "recording " + s.Place(play) }

// Place says where a player is and what it does.
func (s Status) Place(play safe.Text) safe.Text {
	if s.State == Following {
		if since := s.silence(); since != "" {
			return s.Brief(play) + ", nothing new for " + since
		}
		return s.Brief(play)
	}
	return Clock(s.At) + " / " + Clock(max(s.At, s.Length)) + " " + s.doing(play)
}

// silentFrom is the time for which nothing is written before the screen says so.
const silentFrom = 5 * time.Second

// silence is for how long nothing was written to a file that is followed; empty: it is not long.
func (s Status) silence() safe.Text {
	if s.State != Following || s.Waits || s.Silent < silentFrom {
		return ""
	}
	if s.Silent < time.Minute {
		return safe.Text(strconv.Itoa(int(s.Silent/time.Second))) + "s"
	}
	return wording.Duration(s.Silent)
}

// Brief is the Place without the length of the recording, and without how long nothing was written to it.
func (s Status) Brief(play safe.Text) safe.Text { return Clock(s.At) + " " + s.doing(play) }

// doing says what a player does.
func (s Status) doing(play safe.Text) safe.Text {
	switch {
	case s.State == Playing:
		return play + " " + SpeedWords(s.Speed)
	case s.State == Searching:
		return safe.Text(strconv.Itoa(int(100*s.Part))) + " % read"
	case s.State == Following && s.Waits:
		return "waits"
	case s.State == Following:
		return "follows"
	case s.Ended:
		return "end"
	}
	return "paused"
}

// unplayed is how many lines could not be played, besides the one that is cut.
func (s Status) unplayed() int {
	n := s.Faulty - s.Differs
	if s.Cut {
		n--
	}
	return n
}

// TroubleWord says what is wrong with the recording; empty: nothing is known to be.
func (s Status) TroubleWord() safe.Text {
	switch {
	case s.Faulty+s.Gaps == 0 && s.Missing != "":
		return "begins late"
	case s.Faulty+s.Gaps == 0:
		return ""
	case s.Gaps > 0:
		return "has gaps"
	case s.Differs > 0:
		return "differs"
	}
	return wording.Thousands(s.Faulty) + " unplayed"
}

// Trouble is the TroubleWord with the line from which it is so, or the word for what is counted.
func (s Status) Trouble() safe.Text {
	switch {
	case s.Differs+s.Gaps > 0 && len(s.Faults) > 0:
		return s.TroubleWord() + " from line " + safe.Text(strconv.FormatInt(s.Faults[0].Line, 10))
	case s.Differs+s.Gaps == 0 && s.Faulty > 0:
		return wording.Count(s.Faulty, "line") + " unplayed"
	}
	return s.TroubleWord()
}

// Place is where to go in a recording.
type Place struct {
	Kind PlaceKind
	At   time.Duration
	Line int64
	Part float64
	ID   string // of a call, as the wire has it
}

// PlaceKind says what a place is named by.
type PlaceKind uint8

// The kinds of places.
const (
	ByTime PlaceKind = iota + 1
	ByLine
	ByPart
	ByCall
	AtBegin
	AtEnd
)

// placeUsage is how a place is written.
const placeUsage = "12.5, 01:40, 1:02:03, 50%, #7, line 120, begin or end"

// ParsePlace reads a place as the user types it.
func ParsePlace(text string) (Place, bool) {
	text = strings.TrimSpace(text)
	word, rest, _ := strings.Cut(text, " ")
	if id, ok := strings.CutPrefix(text, "#"); ok {
		return Place{Kind: ByCall, ID: id}, id != ""
	}
	if part, ok := strings.CutSuffix(text, "%"); ok {
		n, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		return Place{Kind: ByPart, Part: n / 100}, err == nil && n >= 0 && n <= 100
	}
	switch word {
	case "begin", "start":
		return Place{Kind: AtBegin}, rest == ""
	case "end":
		return Place{Kind: AtEnd}, rest == ""
	case "line":
		n, err := strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
		return Place{Kind: ByLine, Line: n}, err == nil && n > 0
	}
	at, ok := parseClock(text)
	return Place{Kind: ByTime, At: at}, ok
}

// parseClock reads seconds, minutes and seconds, or hours, minutes and seconds.
func parseClock(text string) (time.Duration, bool) {
	parts := strings.Split(text, ":")
	if len(parts) > 3 {
		return 0, false
	}
	total := 0.0
	for i, p := range parts {
		n, err := strconv.ParseFloat(p, 64)
		if err != nil || n < 0 || math.IsNaN(n) || strings.ContainsAny(p, "eExXpP_+") || i < len(parts)-1 && n != math.Trunc(n) || i > 0 && n >= 60 {
			return 0, false
		}
		total = 60*total + n
	}
	if total > 1e9 { // thirty years
		return 0, false
	}
	return time.Duration(total * float64(time.Second)), true
}
