package replay

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session"
)

// A recording that is cut at any byte shows all lines that are whole, and says so when
// one is not.
func TestARecordingIsCutAtEachByte(t *testing.T) {
	r := short()
	all := r.file.Bytes()
	firstLine := bytes.IndexByte(all, '\n')
	path := filepath.Join(t.TempDir(), "run.jsonl")
	for n := 0; n <= len(all); n++ {
		if err := os.WriteFile(path, all[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := Open(path)
		if n < firstLine {
			if err == nil || !strings.Contains(err.Error(), "empty") && !strings.Contains(err.Error(), "cut in its first line") {
				t.Fatalf("cut at byte %d of the first line: %v", n, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut at byte %d: %v", n, err)
		}
		p := NewPlayer(x, false)
		st := rested(t, p)
		whole := int64(bytes.Count(all[:n], []byte("\n")))
		begun := n > 0 && all[n-1] != '\n'
		complete := begun && n < len(all) && all[n] == '\n' // but for its line end
		switch {
		case complete && (st.Faulty != 0 || st.Line != whole+1),
			begun && !complete && (st.Faulty != 1 || st.Line != whole+1 || !strings.Contains(st.Faults[0].Text, "cut in this line")),
			!begun && (st.Faulty != 0 || st.Line != whole):
			t.Fatalf("cut at byte %d, after %d whole lines: %+v", n, whole, st)
		}
		if n%97 == 0 || n == len(all) {
			if complete {
				whole++
			}
			r.shows(t, p, whole)
			if st.Open != (whole > 1) {
				t.Errorf("cut after line %d of %d: open is %v", whole, len(r.rows), st.Open)
			}
		}
		_ = p.Close()
	}
}

func TestWhatIsNoRecording(t *testing.T) {
	r := newRun(nil)
	first, _, _ := bytes.Cut(r.file.Bytes(), []byte("\n"))
	begins := func(figure string) string {
		return strings.Replace(string(first), `"config":{`, `"config":{"Begun":{"connections":1,`+figure+`},`, 1) + "\n"
	}
	for name, c := range map[string]struct{ data, says string }{
		"empty":                {"", "the file is empty"},
		"another text":         {"hello\nworld\n", "no recording of belay's"},
		"a word":               {"hello", "no recording of belay's"},
		"an empty line":        {"\n" + string(first), "no recording of belay's"},
		"of another program":   {`{"v":1,"type":"meta","name":"x"}` + "\n", "no recording of belay's"},
		"JSON":                 {"[1,2,3]\n", "no recording of belay's"},
		"without its version":  {`{"seq":1,"op":"new"}` + "\n", "no recording of belay's"},
		"a format of before":   {strings.Replace(string(first), `"version":9`, `"version":3`, 1) + "\n", "has format 3; this belay reads formats 4 to 9"},
		"a format to come":     {strings.Replace(string(first), `"version":9,"config":{`, `"version":10,"config":[{`, 1), "cut in its first line"},
		"a newer one":          {`{"seq":1,"op":"new","version":10,"config":[]}` + "\n", "has format 10; this belay reads formats 4 to 9"},
		"no configuration":     {`{"seq":1,"op":"new","version":4}` + "\n", "no recording of belay's"},
		"another age":          {strings.Replace(string(first), `"wall":"2026`, `"wall":"0001`, 1) + "\n", "no recording of belay's"},
		"a late beginning":     {strings.Replace(string(first), `"t":0`, `"t":-9223372036854775808`, 1) + "\n", "no recording of belay's"},
		"endless calls before": {begins(`"calls":9223372036854775000`), "the recording begins with figures that cannot be: more calls came before than any run has"},
		"calls below none":     {begins(`"calls":-1`), "figures that cannot be: fewer calls came before than none"},
		"endless requests":     {begins(`"request":9223372036854775807`), "figures that cannot be: more requests"},
		"endless outputs":      {begins(`"outputs":18446744073709551615`), "figures that cannot be: more messages that belay wrote"},
		"questions below none": {begins(`"prompts":-7`), "figures that cannot be: fewer questions"},
		"endless messages":     {begins(`"messages":18446744073709551615`), "figures that cannot be: more messages of the server's"},
		"the second line":      {`{"seq":2,"t":0,"wall":"2026-07-28T12:00:00Z","op":"tick"}` + "\n", "no recording of belay's"},
		"one endless line":     {strings.Repeat("x", 5<<20), "no recording of belay's"},
		"zeros":                {strings.Repeat("\x00", 1000), "no recording of belay's"},
	} {
		path := written(t, []byte(c.data))
		x, err := Open(path)
		if err == nil {
			_ = x.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "run.jsonl") {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "a directory") {
		t.Errorf("a directory: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "there is no file") {
		t.Errorf("no file: %v", err)
	}
}

// Lines that cannot be played are told with their numbers, and the others are played.
func TestALineThatCannotBePlayed(t *testing.T) {
	r := story(nil)
	lines := bytes.Split(bytes.TrimSpace(r.file.Bytes()), []byte("\n"))
	with := func(at int, text string) []byte {
		out := append([][]byte(nil), lines[:at]...)
		out = append(append(out, []byte(text)), lines[at:]...)
		return append(bytes.Join(out, []byte("\n")), '\n')
	}
	for name, c := range map[string]struct {
		text, says string
		differs    int
	}{
		"no JSON":                 {"garbage \x1b[2J \xff", "it is no record, and was left out: it is no JSON", 0},
		"half of a line":          {`{"seq":9,"t":1,"op":"tick"`, "it is no record, and was left out: it is no JSON", 0},
		"no object":               {`[1]`, "it is no record, and was left out: it is no object", 0},
		"a time that is none":     {`{"seq":9,"t":"x","op":"tick"}`, `it is no record, and was left out: the value of its member "t" is of another kind`, 0},
		"a member of another":     {`{"seq":9,"t":1,"op":"cancel","call":"x"}`, `the input "cancel" cannot be read, and was left out: the value of its member "call" is of another kind`, 0},
		"an output of another":    {`{"seq":9,"t":1,"op":"write","out":"x"}`, `it is no record, and was left out: the value of its member "out" is of another kind`, 0},
		"an input that is none":   {`{"seq":9,"t":1,"op":"dance"}`, `there is no input "dance": the line was left out; another belay may know it`, 0},
		"one that is refused":     {`{"seq":9,"t":1,"op":"cancel","call":77}`, "there is no call 77", 1},
		"an output that was none": {`{"seq":9,"t":1,"op":"write","out":9,"raw":"{}"}`, "nothing is done now", 1},
		"a configuration":         {string(lines[0]), "in the first line alone", 1},
		"a lost one":              {`{"op":"lost","text":"x"}`, `there is no input "lost"`, 0},
	} {
		p := opened(t, written(t, with(9, c.text)), false)
		st := rested(t, p)
		last := st.Faults[len(st.Faults)-1] // before it may stand that its number is not the one that follows
		if st.Faulty != 1 || st.Differs != c.differs || st.Faults[0].Line != 10 || last.Line != 10 || !strings.Contains(last.Text, c.says) || int(st.Line) != len(lines)+1 {
			t.Errorf("%s: %+v", name, st)
		}
		p.Next(Diagnostic, false)
		rested(t, p)
		p.Next(Diagnostic, false)
		if st := rested(t, p); st.Line != 10 {
			t.Errorf("%s: the fault before is at line %d", name, st.Line)
		}
	}
	p := opened(t, written(t, with(9, "")), false)
	if st := rested(t, p); st.Faulty != 0 {
		t.Errorf("an empty line: %+v", st)
	}
}

// A file that cannot be read any further is played up to there, and told of once, in plain words and with what to do.
func TestAFileThatCannotBeReadAnyFurther(t *testing.T) {
	r := story(nil)
	path := written(t, r.file.Bytes())
	x, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	unread, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_ = x.f.Close()
	x.f = unread
	p := NewPlayer(x, false)
	defer func() { _ = p.Close() }()
	st := until(t, p, "at rest, or read again", func(st Status) bool { return st.State == Paused || st.Faulty > 1 })
	const says, do = "the file cannot be read from here on (", "): all before this is played; open it again once it can be read"
	if text := st.Faults[0].Text; st.Faulty != 1 || !strings.HasPrefix(text, says) || !strings.HasSuffix(text, do) || strings.Contains(text, path) || strings.Contains(text, "read /") {
		t.Errorf("%+v", st)
	}
}

// An output that comes out otherwise is told with its line; so is each after it.
func TestADifferenceIsTold(t *testing.T) {
	r := story(nil)
	line := r.lineOf(t, `\"id\":3,\"method\":\"tools/call\"`, 0)
	changed := bytes.Replace(r.file.Bytes(), []byte(`\"id\":3,\"method\":\"tools/call\"`), []byte(`\"id\":4,\"method\":\"tools/call\"`), 1)
	p := opened(t, written(t, changed), false)
	st := rested(t, p)
	if st.Differs != 1 || st.Faults[0].Line != line || !strings.Contains(st.Faults[0].Text, "another message is written now") {
		t.Errorf("%+v, want line %d", st, line)
	}
	p.GoToLine(line - 1)
	if st := rested(t, p); st.Differs != 0 {
		t.Errorf("before it: %+v", st)
	}
}

// A line that is missing is told with the line behind it, and so are lines that are not in their
// order; a line that cannot be read stands in its place. What is amiss with lines one behind the other is one
// place, and told once.
func TestGapsOfARecording(t *testing.T) {
	r := story(nil)
	lines := bytes.Split(bytes.TrimSpace(r.file.Bytes()), []byte("\n"))
	join := func(l [][]byte) []byte { return append(bytes.Join(l, []byte("\n")), '\n') }
	last := len(lines) - 1
	for name, c := range map[string]struct {
		data []byte
		gaps int
		line int64
		says string
	}{
		"whole":                    {join(lines), 0, 0, ""},
		"one is missing":           {join(slices.Concat(lines[:last-1], lines[last:])), 1, int64(last), "lines before this one are missing, 1 of them"},
		"two are missing":          {join(slices.Concat(lines[:last-2], lines[last:])), 1, int64(last - 1), "lines before this one are missing, 2 of them"},
		"one is unreadable":        {join(slices.Concat(lines[:last-1], [][]byte{[]byte("x")}, lines[last:])), 0, 0, ""},
		"one is there twice":       {join(slices.Concat(lines, lines[last:])), 1, int64(last + 2), "it is not the line that follows"},
		"a block is elsewhere":     {join(slices.Concat(lines[:3], lines[6:], lines[3:6])), 2, int64(last - 1), "it is not the line that follows"},
		"with one unreadable":      {join(slices.Concat(lines[:3], lines[6:], lines[3:4], [][]byte{[]byte("x"), nil}, lines[4:6])), 2, int64(last - 1), "it is not the line that follows"},
		"two are there twice":      {join(slices.Concat(lines[:4], lines[3:8], lines[7:])), 2, 5, "it is not the line that follows"},
		"two are there once again": {join(slices.Concat(lines[:4], lines[3:4], lines[3:4], lines[4:])), 1, 5, "it is not the line that follows"},
		"the time goes back":       {join(slices.Concat(lines, [][]byte{fmt.Appendf(nil, `{"seq":%d,"t":0,"op":"tick"}`, len(lines)+1)})), 1, int64(last + 2), "before that of a line before it"},
	} {
		p := opened(t, written(t, c.data), false)
		st := rested(t, p)
		told := slices.IndexFunc(st.Faults, func(f Fault) bool { return f.Line == c.line && strings.Contains(f.Text, c.says) })
		if st.Gaps != c.gaps || c.gaps > 0 && told < 0 || len(st.Faults) != st.Gaps+st.Faulty {
			t.Errorf("%s: %d gaps, %d faulty lines, %+v", name, st.Gaps, st.Faulty, st.Faults)
		}
	}
}

// Times that go backwards, or to the end of all time, stop nothing.
func TestTimesOfARecording(t *testing.T) {
	r := story(nil)
	lines := strings.Split(strings.TrimSpace(r.file.String()), "\n")
	for _, at := range []string{"-5", "0", "9223372036854775807", "-9223372036854775808"} {
		var b strings.Builder
		for i, l := range lines {
			if i == 12 {
				_, rest, _ := strings.Cut(l, `,"wall"`)
				l = fmt.Sprintf(`{"seq":13,"t":%s,"wall"%s`, at, rest)
			}
			b.WriteString(l + "\n")
		}
		p := opened(t, written(t, []byte(b.String())), false)
		st := rested(t, p)
		if !st.Ended || int(st.Line) != len(lines) || st.At < r.now.Sub(origin) {
			t.Errorf("t %s: %+v", at, st)
		}
		p.SetSpeed(64)
		p.Play(true)
		until(t, p, "under way", func(st Status) bool { return st.Line > 1 })
		p.Step(false)
		rested(t, p)
	}
}

// No limit of a configuration is believed that would take more memory than belay's own.
func TestLimitsOfAConfigurationAreNotBelieved(t *testing.T) {
	r := story(nil)
	for _, n := range []string{"-1", "0", "1", "9223372036854775807", "-9223372036854775808"} {
		data := r.file.Bytes()
		for _, name := range []string{"HistoryBytes", "HistoryCount", "FinishedRows", "MaxRounds"} {
			at := bytes.Index(data, []byte(`"`+name+`":`))
			end := at + bytes.IndexAny(data[at:], ",}")
			data = bytes.Join([][]byte{data[:at], []byte(`"` + name + `":` + n), data[end:]}, nil)
		}
		p := opened(t, written(t, data), false)
		if st := rested(t, p); !st.Ended {
			t.Errorf("%s: %+v", n, st)
		}
	}
}

// A recording that is much larger than what a session keeps takes no more memory than
// that; its length is known, and it is shown, before it has been read.
func TestALargeRecording(t *testing.T) {
	const n = 220_000 // some 45 MB, of which a session keeps 200,000 messages
	path := large(t, n)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	p := opened(t, path, false)
	if st := p.Status(); st.Length != (n-1)*time.Microsecond {
		t.Errorf("when it is opened: %+v", st)
	}
	st := rested(t, p)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 100<<20 {
		t.Errorf("it takes %d MiB", grown>>20)
	}
	if st.Faulty != 0 || !st.Ended || st.Line < n {
		t.Errorf("%+v", st)
	}
}

// A line that is longer than belay reads is left out, and told.
func TestALineThatIsTooLong(t *testing.T) {
	r := newRun(nil)
	data := append([]byte(nil), r.file.Bytes()...)
	at := int64(bytes.Count(data, []byte("\n"))) + 1
	path := written(t, data)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	block := bytes.Repeat([]byte("x"), 1<<20)
	for range longestLine>>20 + 1 {
		if _, err := f.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = f.WriteString("\n" + `{"seq":99,"t":5,"wall":"2026-07-28T12:00:00Z","op":"tick"}` + "\n")
	_ = f.Close()
	p := opened(t, path, false)
	st := rested(t, p)
	if st.Faulty != 1 || st.Faults[0].Line != at || !strings.Contains(st.Faults[0].Text, "longer than 128 MiB") || st.Line != at+1 {
		t.Errorf("%+v, want line %d", st, at)
	}
}

// Of a file with endless calls no more is played than belay would make.
func TestARecordingWithEndlessCalls(t *testing.T) {
	r := newRun(nil)
	block := append([]byte(nil), r.file.Bytes()...)
	lines := bytes.Count(block, []byte("\n"))
	for i := range liveMost + 1000 {
		block = fmt.Appendf(block, `{"seq":%d,"t":%d,"op":"startCall","spec":{"Method":"x/y"}}`+"\n", lines+1+i, r.now.Sub(origin))
	}
	p := opened(t, written(t, block), false)
	st := rested(t, p)
	if st.Faulty != 1 || !strings.Contains(st.Faults[0].Text, "more is in flight") || st.Line > liveMost+100 {
		t.Errorf("%+v", st)
	}
}

// However often a recording claims to leave out calls, it takes no memory for them, and what walks over its
// rows looks at those alone that are there: also where no connection has begun, and in the copies on the way.
func TestARecordingThatLeavesOutCallsAgainAndAgain(t *testing.T) {
	for name, c := range map[string]struct {
		lines int // of the recording before
		rest  string
	}{
		"before any connection": {1, `"epoch":0,"over":true`},
		"in a connection":       {0, `"epoch":1`},
	} {
		r := newRun(nil)
		r.later(time.Second)
		block := bytes.Clone(r.file.Bytes())
		if c.lines > 0 {
			block = bytes.Join(bytes.SplitAfter(block, []byte("\n"))[:c.lines], nil)
		}
		lines := bytes.Count(block, []byte("\n"))
		const times, each = 30, 1 << 22
		for i := range times {
			block = fmt.Appendf(block, `{"seq":%d,"t":%d,"op":"skipped","rest":{%s,"calls":%d,"request":1000,"outputs":1000,"prompts":1000,"messages":1000}}`+"\n",
				lines+1+i, r.now.Sub(origin), c.rest, (i+1)*each)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p := opened(t, written(t, block), false)
		st := rested(t, p)
		p.GoToLine(st.Line / 2)
		rested(t, p)
		p.End()
		if st = rested(t, p); st.Faulty != 0 || st.Line != int64(lines+times) {
			t.Errorf("%s: %+v", name, st)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
			t.Errorf("%s: %d MiB are taken", name, took>>20)
		}
		p.View(func(s *session.Session) {
			if begun := s.Status().Begun; begun.Calls != times*each {
				t.Errorf("%s: %d calls came before", name, begun.Calls)
			}
			rows := 0
			for id := s.RowBefore(times*each + 1); id > 0; id = s.RowBefore(id) {
				rows++
			}
			if kept := s.Status().Rows; rows != kept {
				t.Errorf("%s: %d rows are there, %d are kept", name, rows, kept)
			}
		})
	}
}

// mutated is a recording in which something random is another.
func mutated(data []byte, seed uint64) []byte {
	dice := rand.New(rand.NewPCG(seed, 7))
	lines := bytes.SplitAfter(append([]byte(nil), data...), []byte("\n"))
	for range 1 + dice.IntN(4) {
		i := 1 + dice.IntN(len(lines)-1)
		switch l := lines[i]; dice.IntN(6) {
		case 0: // a byte is another
			if len(l) > 0 {
				l[dice.IntN(len(l))] = byte(dice.IntN(256))
			}
		case 1: // a line is there twice
			lines = append(lines[:i], append([][]byte{append([]byte(nil), l...)}, lines[i:]...)...)
		case 2: // or missing
			if len(lines) > 2 {
				lines = append(lines[:i], lines[i+1:]...)
			}
		case 3: // or elsewhere
			j := 1 + dice.IntN(len(lines)-1)
			lines[i], lines[j] = lines[j], lines[i]
		case 4: // a number is another
			at := bytes.IndexAny(l, "0123456789")
			if at >= 0 {
				l[at] = byte('0' + dice.IntN(10))
			}
		case 5: // a piece is missing
			if len(l) > 2 {
				at := dice.IntN(len(l) - 1)
				lines[i] = append(l[:at:at], l[at+1+dice.IntN(len(l)-at-1):]...)
			}
		}
	}
	return bytes.Join(lines, nil)
}

func playsWhole(t *testing.T, data []byte) {
	x, err := Open(written(t, data))
	if err != nil {
		return
	}
	p := NewPlayer(x, false)
	defer p.Close()
	st := rested(t, p)
	if !st.Ended {
		t.Fatalf("%+v", st)
	}
	p.View(func(s *session.Session) {
		if err := s.Check(); err != nil {
			t.Error(err)
		}
		first, last := s.Span()
		for id := first; id <= last; id++ {
			s.Detail(id)
		}
	})
	p.GoToLine(st.Line / 2)
	rested(t, p)
}

func TestMutatedRecordingsArePlayed(t *testing.T) {
	data := story(nil).file.Bytes()
	for seed := range uint64(400) {
		playsWhole(t, mutated(data, seed))
	}
}

// FuzzReplay: no file does more than be refused, or be played.
func FuzzReplay(f *testing.F) {
	data := story(nil).file.Bytes()
	f.Add(data)
	for seed := range uint64(20) {
		f.Add(mutated(data, seed))
	}
	f.Fuzz(playsWhole)
}
