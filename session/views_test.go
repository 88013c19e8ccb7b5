package session

import (
	"encoding/json"
	"fmt"
)

// viewing is what a screen was handed of each row: whoever draws one draws it beside the core,
// and draws it again only when the core says that it changed.
type viewing struct {
	rev   uint64
	views map[CallID]viewed
}

type viewed struct {
	detail Detail
	said   string // what the detail said as it was handed out
	digest uint64 // of that
}

// follow looks at all rows. It holds that a view never changes after it was handed out, and that
// a row whose view would be another one is among those that changed.
func (v *viewing) follow(s *Session) error {
	rows, rev, _ := s.Changed(nil, v.rev, 1<<20)
	changed := map[CallID]bool{}
	for _, row := range rows {
		changed[row.ID] = true
	}
	v.rev = rev
	if v.views == nil {
		v.views = map[CallID]viewed{}
	}
	for id, old := range v.views {
		if digestOfView(&old.detail) != old.digest {
			return fmt.Errorf("the view of row %d changed in the hands of the screen: %s", id, differing(old.said, allOf(old.detail)))
		}
		d, ok := s.Detail(id)
		if !ok {
			delete(v.views, id)
			continue
		}
		if !changed[id] && digestOfView(&d) != old.digest {
			return fmt.Errorf("row %d is not said to have changed: %s", id, differing(old.said, allOf(d)))
		}
	}
	for id := range changed {
		if d, ok := s.Detail(id); ok {
			v.views[id] = viewed{d, allOf(d), digestOfView(&d)}
		}
	}
	return nil
}

// allOf is all that a view says, and what it points to.
func allOf(d Detail) string {
	text, err := json.Marshal(d)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// differing are two texts from where they differ.
func differing(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	around := func(s string) string { return s[max(0, at-60):min(len(s), at+200)] }
	return "\n" + around(a) + "\n" + around(b)
}
