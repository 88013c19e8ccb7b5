package mcpclient

import (
	"context"
	"errors"
	"io"
	"time"

	"belay/mcpclient/recording"
	"belay/session"
)

var (
	errRecords    = errors.New("a recording is under way already")
	errNoRecorder = errors.New("no recording is under way")
	errUnkept     = errors.New("so much came before anything had ended that the beginning of this connection is no longer kept: after :restart, :record FILE begins")
)

// Recording says how the recording is doing.
func (c *Client) Recording() recording.State { return c.rec.Load().State() }

// Record begins a recording, with what is kept of the journal: of the whole run, or of
// its last connections, and says what is missing. What is secret is masked, also where
// [Options] has the first recording keep it. The file is closed by Close, or at once when
// there is an error. It takes as long as the disk takes for what is kept; a disk that is
// not ready when ctx ends is believed to take the rest. After an error nothing is recorded,
// though the file may hold something.
func (c *Client) Record(ctx context.Context, to io.WriteCloser) (missing recording.Missing, err error) {
	r := recording.NewRecorder(to, c.Mask(), c.signal)
	before := c.rec.Load()
	c.locked(func(*session.Session, time.Time) {
		switch before = c.rec.Load(); {
		case c.closing.Load():
			err = ErrClosed
		case before.State().On:
			err = errRecords
		case !c.tape.HasBeginning():
			err = errUnkept
		default:
			missing = c.tape.Begin(r, before)
			c.rec.Store(r)
			r.Learn(c.learnt.all()...) // what came while the mask was made
		}
	})
	if err != nil {
		r.Close(context.Background())
		return missing, err
	}
	if err = r.Try(ctx); err != nil {
		c.locked(func(*session.Session, time.Time) {
			c.tape.Drop(r)
			c.rec.CompareAndSwap(r, before)
		})
	}
	return missing, err
}

// StopRecording ends the recording that is under way. What belongs to it is written and
// its file closed, for which a disk is given a while.
func (c *Client) StopRecording(ctx context.Context) error {
	var r *recording.Recorder
	c.locked(func(*session.Session, time.Time) { r = c.tape.End() })
	if r == nil || !r.State().On {
		return errNoRecorder
	}
	r.Close(ctx)
	c.signal()
	return r.State().Err
}
