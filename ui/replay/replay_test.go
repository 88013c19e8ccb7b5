package replay

import (
	"testing"
	"time"
)

func TestAPlaceIsReadAsItIsTyped(t *testing.T) {
	for text, want := range map[string]Place{
		"12.5":      {Kind: ByTime, At: 12500 * time.Millisecond},
		"01:40":     {Kind: ByTime, At: 100 * time.Second},
		"1:02:03.5": {Kind: ByTime, At: time.Hour + 2*time.Minute + 3500*time.Millisecond},
		"0":         {Kind: ByTime},
		"50%":       {Kind: ByPart, Part: 0.5},
		"#7":        {Kind: ByCall, ID: "7"},
		"line 120":  {Kind: ByLine, Line: 120},
		"begin":     {Kind: AtBegin},
		"end":       {Kind: AtEnd},
	} {
		if got, ok := ParsePlace(text); !ok || got != want {
			t.Errorf("%q is %+v, %v, want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "x", "-1", "1:60", "1:2:3:4", "1.5:00", "1e9", "NaN", "Inf", "101%", "-1%", "%", "#", "line", "line 0", "line x", "end now", "99999999999"} {
		if got, ok := ParsePlace(text); ok {
			t.Errorf("%q is taken as %+v", text, got)
		}
	}
}

func TestTheHeaderSaysWhereARecordingIs(t *testing.T) {
	at := Status{At: 12400 * time.Millisecond, Length: 100 * time.Second, Speed: 1}
	for _, c := range []struct {
		change func(*Status)
		want   string
	}{
		{func(*Status) {}, "recording 00:12.4 / 01:40.0 paused"},
		{func(s *Status) { s.State = Playing }, "recording 00:12.4 / 01:40.0 ▶ 1×"},
		{func(s *Status) { s.State, s.Speed = Playing, 0.25 }, "recording 00:12.4 / 01:40.0 ▶ 0.25×"},
		{func(s *Status) { s.State, s.Speed = Playing, 0 }, "recording 00:12.4 / 01:40.0 ▶ at once"},
		{func(s *Status) { s.State, s.Part = Searching, 0.43 }, "recording 00:12.4 / 01:40.0 43 % read"},
		{func(s *Status) { s.State = Following }, "recording 00:12.4 follows"},
		{func(s *Status) { s.State, s.Silent = Following, 4900*time.Millisecond }, "recording 00:12.4 follows"},
		{func(s *Status) { s.State, s.Silent = Following, 35900*time.Millisecond }, "recording 00:12.4 follows, nothing new for 35s"},
		{func(s *Status) { s.State, s.Silent = Following, 2*time.Hour }, "recording 00:12.4 follows, nothing new for 2h00m"},
		{func(s *Status) { s.State, s.Silent, s.Waits = Following, time.Hour, true }, "recording 00:12.4 waits"},
		{func(s *Status) { s.Silent = time.Hour }, "recording 00:12.4 / 01:40.0 paused"},
		{func(s *Status) { s.At, s.Ended = s.Length, true }, "recording 01:40.0 / 01:40.0 end"},
		{func(s *Status) { s.At = 3723 * time.Second }, "recording 1:02:03.0 / 1:02:03.0 paused"},
	} {
		st := at
		c.change(&st)
		if got := st.Words("▶"); string(got) != c.want {
			t.Errorf("%+v: %q, want %q", st, got, c.want)
		}
	}
}

func TestSpeedsEndAtBothEnds(t *testing.T) {
	if Faster(0.25, -1) != 0.25 || Faster(1, 1) != 2 || Faster(64, 1) != 0 || Faster(0, 1) != 0 || Faster(0, -1) != 64 {
		t.Errorf("%v %v %v %v %v", Faster(0.25, -1), Faster(1, 1), Faster(64, 1), Faster(0, 1), Faster(0, -1))
	}
}

func TestTroubleNamesItsLine(t *testing.T) {
	fault := []Fault{{Line: 57, Text: "x"}}
	for want, st := range map[string]Status{
		"":                      {},
		"differs from line 57":  {Faulty: 2, Differs: 1, Faults: fault},
		"has gaps from line 57": {Differs: 1, Faulty: 1, Gaps: 1, Faults: fault},
		"begins late":           {Missing: "connection 1"},
		"1 line unplayed":       {Faulty: 1, Faults: fault},
	} {
		if got := st.Trouble(); string(got) != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
