package negotiate

import (
	"time"

	"belay/session/mcp"
)

// What a machine says of itself, for whoever shows it or carries out its decisions.

// Found is how the revision was found, or is looked for.
func (m *Machine) Found() Found { return m.found }

// Asked is the revision of the latest request of the opening.
func (m *Machine) Asked() mcp.Revision { return m.asked }

// DiscoverRevision is the revision in which server/discover was asked.
func (m *Machine) DiscoverRevision() mcp.Revision { return m.discoverRevision }

// Listed is the newest revision that both sides speak, of those that the server lists;
// empty: it lists none of them, or nothing yet.
func (m *Machine) Listed() mcp.Revision { return Mutual(m.listed, m.setup.Pin) }

// Pin is the only revision that may be agreed on; empty: any may be.
func (m *Machine) Pin() mcp.Revision { return m.setup.Pin }

// IsBeside reports whether server/discover is out beside initialize.
func (m *Machine) IsBeside() bool { return m.discover == overdue }

// IsUndiscovered reports whether the handshake was agreed on while server/discover was out, and
// nothing was heard of that since: the server may be a modern one.
func (m *Machine) IsUndiscovered() bool { return m.discover == abandoned && m.initialize == answered }

// IsForeign reports whether the server lists revisions, and none that belay speaks.
func (m *Machine) IsForeign() bool { return m.discover == foreign }

// IsMidway reports whether the revision was negotiated once more.
func (m *Machine) IsMidway() bool { return m.midway }

// Begun is the Memory that the connection was begun with.
func (m *Machine) Begun() Memory { return m.setup.Memory }

// Memory is what the next connection is to begin with.
func (m *Machine) Memory() Memory { return m.next }

// Due is when OnTick is needed; zero: it is not.
func (m *Machine) Due() time.Time { return m.until }

// Shift moves what is waited for by a time in which the machine slept.
func (m *Machine) Shift(d time.Duration) {
	if !m.until.IsZero() {
		m.until = m.until.Add(d)
	}
}

// Awaits is what is waited for, and until when; zero: there is no such limit.
func (m *Machine) Awaits() (what Awaited, until time.Time) {
	switch {
	case !m.until.IsZero() && (m.discover == answered || m.discover == foreign):
		return ForInitializeToo, m.until
	case !m.until.IsZero() && (m.initialize == refused || m.refusal.Unfit):
		return ForDiscoverAlone, m.until
	case !m.until.IsZero():
		return ForDiscoverToo, m.until
	case m.discover == overdue && m.initialize == out:
		return ForEither, time.Time{}
	case m.initialize == out:
		return ForInitialize, time.Time{}
	case m.discover == out:
		return ForDiscover, time.Time{}
	}
	return Nothing, time.Time{}
}
