package session

import "time"

// Suspended tells that belay did not run for a time, as it was suspended or stopped from
// outside. The times that the session is handed must not count that time: then no
// timeout, no probe and no verdict does. The time of day of later messages does.
type Suspended struct {
	never
	For time.Duration `json:"for"`
}

func (in Suspended) apply(s *Session) Reply {
	if in.For <= 0 {
		return Reply{}
	}
	s.hist.pauses.add(s.now.Sub(s.hist.origin), in.For)
	text := "belay did not run for " + in.For.Round(time.Second/10).String() + ": no timeout and no verdict counts that time"
	s.event(text)
	for c := s.rows.oldest; c != nil; c = c.next {
		s.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: text})
	}
	return Reply{}
}
