package ui

import (
	"belay/internal/safe"
	"belay/ui/row"
	"belay/ui/server"
	"belay/ui/theme"
)

// looks are what a screen with these options is drawn with.
func (o *Options) looks() theme.Looks {
	looks := theme.Looks{Styles: theme.NewStyles(o.NoColor), Glyphs: theme.Unicode}
	if o.ASCII {
		looks.Glyphs = theme.ASCII
	}
	return looks
}

// looks are what the parts of the screen are drawn with.
func (m *Model) looks() theme.Looks {
	return theme.Looks{Styles: m.styles, Glyphs: m.glyphs, Recorded: m.replay.IsRecorded()}
}

// spinner is the spinner as it stands in this frame.
func (m *Model) spinner() safe.Text { return m.clock.frame }

// words are the words of rows in this frame.
func (m *Model) words() row.Words {
	return row.Words{Looks: m.looks(), Now: m.snap.now, Spin: m.spinner(), Slow: m.opts.NoMotion}
}

// link is the connection to the server, to be put in words.
func (m *Model) link() server.Link {
	return server.Link{Status: m.snap.status, Now: m.snap.now, ASCII: m.opts.ASCII, Recorded: m.replay.IsRecorded(), Entry: m.backend.Command().Entry}
}
