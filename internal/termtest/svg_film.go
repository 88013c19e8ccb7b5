package termtest

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Shot is a screen of a film and how long it is shown.
type Shot struct {
	Screen Screen
	Lasts  time.Duration
}

// FilmOptions says how a film is drawn. The zero value is good.
type FilmOptions struct {
	FontFamily string // a CSS list; "" is DefaultFontFamily
	Title      string // what a screen reader says and a browser shows on hover

	// Spinner is the frames of a spinner, and SpinTime how long each is shown. A
	// cell that holds the first frame turns, as it does on the screen of a program
	// whose spinners are not held still for the picture.
	Spinner  []string
	SpinTime time.Duration
}

// Film draws shots of one terminal as a picture that moves: an SVG that CSS
// animates, over and over, with no script in it. A row that stays the same over
// several shots is drawn once. Where nothing moves, because a reader does not
// want it to or a program cannot, the last shot is shown. All shots must be of
// one size, and one must last; the same shots give the same bytes.
func Film(shots []Shot, o FilmOptions) []byte {
	if o.FontFamily == "" {
		o.FontFamily = DefaultFontFamily
	}
	f := film{shots: shots, options: o, begins: make([]time.Duration, len(shots)+1)}
	for i, s := range shots {
		f.begins[i+1] = f.begins[i] + s.Lasts
	}
	for y := range shots[0].Screen.Rows {
		f.row(y)
	}
	return f.picture()
}

// film is a film being drawn.
type film struct {
	shots   []Shot
	options FilmOptions
	begins  []time.Duration // of each shot; the last is the end of the film
	spans   []span          // in the order in which a row first needed each
	rows    bytes.Buffer
}

// span is the shots in which a row looks the same: the first, and the one after
// the last.
type span struct{ from, to int }

// row draws every look of a row, each with the span of shots that show it.
func (f *film) row(y int) {
	for from := 0; from < len(f.shots); {
		look := f.look(from, y)
		to := from + 1
		for to < len(f.shots) && f.look(to, y) == look {
			to++
		}
		f.show(look, span{from, to})
		from = to
	}
}

// look is a row of a shot as SVG elements.
func (f *film) look(shot, y int) string {
	s := f.shots[shot].Screen
	d := drawing{screen: s, cursor: s.Cursor.Visible, spinner: f.spinner()}
	d.row(y)
	return d.out.String()
}

// spinner is the text of the cells that turn, "" where none does.
func (f *film) spinner() string {
	if len(f.options.Spinner) == 0 {
		return ""
	}
	return f.options.Spinner[0]
}

func (f *film) show(look string, s span) {
	switch {
	case look == "":
	case s == span{0, len(f.shots)}:
		f.rows.WriteString(look)
	default:
		at := slices.Index(f.spans, s)
		if at < 0 {
			at = len(f.spans)
			f.spans = append(f.spans, s)
		}
		fmt.Fprintf(&f.rows, "<g class=\"s s%d\">\n%s</g>\n", at, look)
	}
}

func (f *film) picture() []byte {
	first := f.shots[0].Screen
	d := drawing{screen: first}
	d.open(f.options.FontFamily, f.options.Title, func() {
		d.printf("<style>\n%s%s</style>\n", f.times(), f.turning())
		d.turn(f.options.Spinner)
	})
	d.out.Write(f.rows.Bytes())
	d.close()
	return d.out.Bytes()
}

// times is the style that shows each span of shots in its time, and the last
// shot where nothing moves.
func (f *film) times() string {
	var css strings.Builder
	fmt.Fprintf(&css, ".s{visibility:hidden;animation:%s step-end infinite}\n", seconds(f.begins[len(f.shots)]))
	last := ""
	for i, s := range f.spans {
		fmt.Fprintf(&css, ".s%d{animation-name:s%d}\n@keyframes s%d{", i, i, i)
		if s.from > 0 {
			css.WriteString("0%{visibility:hidden}")
		}
		fmt.Fprintf(&css, "%s{visibility:visible}", f.percent(s.from))
		if s.to < len(f.shots) {
			fmt.Fprintf(&css, "%s{visibility:hidden}", f.percent(s.to))
		} else {
			last += fmt.Sprintf(",.s%d", i)
		}
		css.WriteString("}\n")
	}
	if last != "" {
		fmt.Fprintf(&css, "%s{visibility:visible}\n", last[1:])
	}
	css.WriteString("@media (prefers-reduced-motion:reduce){.s{animation:none}}\n")
	return css.String()
}

// percent is the moment at which a shot begins, as a part of the film.
func (f *film) percent(shot int) string {
	part := float64(f.begins[shot]) / float64(f.begins[len(f.shots)])
	return strconv.FormatFloat(float64(int(part*1e5+0.5))/1e3, 'f', -1, 64) + "%"
}

// turning is the style that shows each frame of the spinner in its time, and the
// first where nothing moves.
func (f *film) turning() string {
	n := len(f.options.Spinner)
	if n == 0 {
		return ""
	}
	var css strings.Builder
	fmt.Fprintf(&css, ".t{opacity:0;animation:%s step-end infinite}\n", seconds(time.Duration(n)*f.options.SpinTime))
	for i := range n {
		fmt.Fprintf(&css, ".t%d{animation-name:t%d}\n@keyframes t%d{", i, i, i)
		if i > 0 {
			css.WriteString("0%{opacity:0}")
		}
		fmt.Fprintf(&css, "%d%%{opacity:1}", 100*i/n)
		if i < n-1 {
			fmt.Fprintf(&css, "%d%%{opacity:0}", 100*(i+1)/n)
		}
		css.WriteString("}\n")
	}
	css.WriteString(".t0{opacity:1}\n@media (prefers-reduced-motion:reduce){.t{animation:none}}\n")
	return css.String()
}

// turn defines the spinner, whose frames lie over one another.
func (d *drawing) turn(frames []string) {
	if len(frames) == 0 {
		return
	}
	d.printf("<defs><g id=\"turn\">\n")
	for i, text := range frames {
		if isShape(text) {
			d.boxes(shapeBoxes([]rune(text)[0]), fmt.Sprintf(` class="t t%d"`, i))
			continue
		}
		d.printf(`<text class="t t%d" x="4.5" y="%d" text-anchor="middle">%s</text>`+"\n", i, baseline, escapeXML(text))
	}
	d.printf("</g></defs>\n")
}

// turns draws the cells of a row in which the spinner turns.
func (d *drawing) turns(y int) {
	for x := range d.screen.Cols {
		if k := d.ink(x, y); d.isTurning(x, y) && !k.hidden {
			d.printf(`<use href="#turn" x="%d" y="%d"%s/>`+"\n", x*cellWidth, y*cellHeight, d.fill(k.fg))
		}
	}
}

// isTurning reports whether a cell holds the spinner of a film.
func (d *drawing) isTurning(x, y int) bool {
	return d.spinner != "" && d.screen.Cell(x, y).Text == d.spinner
}

func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s"
}
