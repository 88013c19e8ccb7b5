package mcpclient

import (
	"bytes"
	"context"
	"io"

	"belay/mcpclient/lines"
	"belay/session"
	"belay/session/mcp"
)

// mediaStream is the media type of a stream of events.
const mediaStream = "text/event-stream"

// maxUnasked bounds how many bodies are read at once that may be large and that
// nobody has asked for; further ones wait. Cancels are posted without a bound, so
// a server could have belay hold a message of the greatest size for each.
const maxUnasked = 64

// readUnasked reads the body of an answer to a message that awaits none: a
// notification, or an answer to a request of the server's. It should be empty, and
// messages in it go to the core all the same: the answer to a cancelled call may be
// among them. A body that is no message is none of the core's, as the body of HTTP
// 202 is often a word.
func (w *httpTransport) readUnasked(ctx context.Context, r io.Reader, head session.Head, in *inbox) session.End {
	if head.Media == mediaStream {
		if !w.takesUnasked(ctx) {
			return session.End{}
		}
		defer w.tookUnasked()
		return w.readStream(r, in)
	}
	first := &firstByte{Reader: r, now: w.c.opt.Now}
	limit := w.c.opt.MaxLine
	data, err := io.ReadAll(io.LimitReader(first, maxErrorBody))
	if !opensJSON(data) {
		return session.End{Body: beginning(data)}
	}
	if err == nil && len(data) == maxErrorBody {
		if !w.takesUnasked(ctx) {
			return session.End{}
		}
		defer w.tookUnasked()
		data, err = io.ReadAll(io.LimitReader(io.MultiReader(bytes.NewReader(data), first), int64(limit)+1))
	}
	switch {
	case err != nil:
		return explain(err)
	case len(data) > limit:
		long := new(mcp.Skim)
		_, _ = long.Write(data)
		_, _ = io.Copy(long, io.LimitReader(first, int64(limit)))
		if f := lines.OverLimit(long, limit); f.Answer || f.Method != "" {
			in.addFrame(f, first.at)
		}
	case mcp.Decode(data).Kind == mcp.FrameInvalid:
		return session.End{Body: beginning(data)}
	default:
		in.add(data, true, first.at)
	}
	in.flush()
	return session.End{}
}

// opensJSON reports whether a body begins as a JSON-RPC message does.
func opensJSON(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF")), " \t\r\n")
	return len(data) > 0 && (data[0] == '{' || data[0] == '[')
}

// takesUnasked waits for a place among those who read large bodies, and reports
// whether there was one before the exchange ended.
func (w *httpTransport) takesUnasked(ctx context.Context) bool {
	select {
	case w.unasked <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (w *httpTransport) tookUnasked() { <-w.unasked }
