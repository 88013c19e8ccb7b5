package wording

import (
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// patience is how long a server may take to start before it is said what comes next.
const patience = 30 * time.Second

// Awaited names the event for which a connection in the making waits; empty: nothing out of
// the ordinary.
func Awaited(s *session.Status, now time.Time, long bool) safe.Text {
	left := safe.Text("")
	until := s.AwaitsUntil.Sub(now)
	if until > 0 { // in a recording whose end is shown, time goes on, and nothing else
		left = ", " + Duration(until) + " left"
	}
	before := safe.Text("")
	if s.StartedAgain && long {
		before = StartedAgain(s) + ", "
	}
	if s.Replaces && long {
		before = "session lost, starting a new one, "
	}
	switch s.Awaits {
	case negotiate.ForDiscover:
		if s.BegunWith == negotiate.AsUsual {
			return "probing" + left
		}
		return before + "awaiting server/discover" + left
	case negotiate.ForEither:
		waited := ", " + Duration(now.Sub(s.Started))
		if !long {
			return "no answer yet" + waited
		}
		next := safe.Text("")
		if until > 0 && now.Sub(s.Started) >= patience {
			next = "; in " + Duration(until) + " it is begun with initialize alone"
		}
		return before + "awaiting server/discover or initialize" + waited + next
	case negotiate.ForDiscoverToo:
		if !long {
			return "awaiting server/discover" + left
		}
		return before + "initialize answered, server/discover not" + left
	case negotiate.ForDiscoverAlone:
		if !long {
			return "awaiting server/discover" + left
		}
		return before + "initialize failed, awaiting server/discover" + left
	case negotiate.ForInitializeToo:
		if !long {
			return "awaiting initialize" + left
		}
		return before + "server/discover answered, initialize not" + left
	case negotiate.ForInitialize:
		switch {
		case s.Replaces && !long:
			return "starting a new session"
		case s.Replaces:
			return "session lost, starting a new one"
		case s.StartedAgain:
			return before + "awaiting initialize"
		case s.Found == negotiate.Fallback:
			return "falling back to initialize"
		}
		return "awaiting initialize" // it is out alone: it was pinned, remembered or listed, or nothing else is asked
	case negotiate.Nothing:
	}
	return ""
}

// BeginsAgain says how a server is begun with once more.
func BeginsAgain(s *session.Status) safe.Text {
	again := safe.Text("starting it again")
	if s.Transport == mcp.HTTP {
		again = "connecting again"
	}
	if s.BeginsWith == negotiate.WithDiscover {
		return again + " with server/discover"
	}
	return again + " with initialize"
}

// StartedAgain says that a server was started once more, and how often.
func StartedAgain(s *session.Status) safe.Text {
	again := safe.Text("started again")
	if s.Transport == mcp.HTTP {
		again = "connected again"
	}
	if s.Starts > 2 {
		again += " twice"
	}
	return again
}
