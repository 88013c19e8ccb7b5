package reports

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/panel"
)

// Record is :record: it begins a recording, or without a file stops the one that is under
// way.
func (r *Reports) Record(file string) tea.Cmd {
	switch to := r.backend.Recorded(); {
	case to != "" && file == "":
		return r.stop
	case to != "":
		return r.host.Say(panel.Refused("a recording is under way: " + safe.LineN(to, 400) + " · :record alone stops it"))
	case file == "":
		return r.host.Say(panel.Refused("type :record FILE"))
	}
	return func() tea.Msg { return r.record(file, false) }
}

func (r *Reports) record(file string, over bool) tea.Msg {
	begun, err := r.backend.Record(file, over)
	switch {
	case errors.Is(err, panel.ErrExists) && !over:
		return r.asks(file, "Replace it by a recording?", func() tea.Msg { return r.record(file, true) })
	case err != nil:
		return panel.Done{Err: err}
	}
	return panel.Done{Say: "recording to " + safe.Line(begun.Path) + missing(&begun)}
}

// missing says what of the run before is not in a recording.
func missing(r *Recording) (words safe.Text) {
	switch {
	case r.Connections == 1:
		words = " · without connection 1"
	case r.Connections > 1:
		words = " · without connections 1 to " + wording.Thousands(r.Connections)
	}
	if r.Calls > 0 {
		words += " · without the first " + wording.Count(r.Calls, "call") + " of this connection"
	}
	if r.Messages > 0 {
		words += " · without " + wording.Count(r.Messages, "message") + " that nothing follows from"
	}
	if r.Results > 0 {
		words += " · without the text of " + wording.Count(r.Results, "large result") + ", " + wording.Size(r.Bytes)
	}
	if r.Late {
		words += " · without what is in flight: it goes on when nothing is"
	}
	return words
}

func (r *Reports) stop() tea.Msg {
	path, size, err := r.backend.StopRecording()
	if err != nil {
		return panel.Done{Err: err}
	}
	return panel.Done{Say: "the recording has stopped: " + safe.Line(path) + ", " + wording.Size(int(size))}
}
