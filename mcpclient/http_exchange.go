package mcpclient

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"belay/mcpclient/address"
	"belay/mcpclient/lines"
	"belay/mcpclient/sse"
	"belay/session"
	"belay/session/mcp"
	"belay/session/secret"
	"belay/session/sentence"
)

// errUnwanted ends a POST that was cancelled before any byte of its body was
// written.
var errUnwanted = errors.New("cancelled before it was sent")

// carryOut does one exchange from its beginning to its end.
func (w *httpTransport) carryOut(ctx context.Context, out session.Output) (end session.End) {
	defer func() {
		if v := recover(); v != nil {
			w.c.onCrash("an exchange", v)
			end = session.End{Err: "a fault of belay's own, told when it ends"}
		}
	}()
	var once sync.Once
	sent := func(t *attempt) {
		once.Do(func() {
			if out.Op == session.OpWrite {
				w.c.locked(func(s *session.Session, now time.Time) {
					s.Tell(now, session.Sent{Seq: out.Seq, Ago: now.Sub(t.written(now))})
				})
			}
		})
	}
	req, resp, err := w.ask(ctx, out, sent)
	if err != nil {
		if resp != nil { // of a redirection that is not followed; its body is closed
			head := headOf(resp, req)
			w.c.tell(session.Opened{ExchangeID: out.X, Head: head})
		}
		end := explain(err)
		if end.Hint == "" && strings.HasPrefix(w.c.opt.HTTP.Endpoint, "http:") && (hasHungUp(err) || among(err, breaks)) {
			end.Hint = "if it speaks HTTPS there, try https://"
		}
		return end
	}
	defer func() { _ = resp.Body.Close() }()
	head := headOf(resp, req)
	if head.Session != "" && req.Header.Get("Mcp-Session-Id") == "" {
		w.learnSession(secret.Value{Name: "Mcp-Session-Id", Text: head.Session})
	}
	head.Credentials = req.URL.User != nil || req.Header.Get("Authorization") != "" || len(w.c.opt.HTTP.Header) > 0
	w.c.tell(session.Opened{ExchangeID: out.X, Head: head})
	if out.Awaits && out.Call == 0 { // a probe, whose answer ends a silence that is judged
		// Over HTTP/2 the call shares the probe's connection, which net/http has read up to this answer: the call's message
		// is with net/http by then, and is not waited for.
		w.open.WaitRead(w.c.opt.HTTP.waitsUnread(), ownConn(req))
		w.c.locked(func(s *session.Session, now time.Time) { tellParts(w.c.parts, s, now) })
	}
	return w.readAnswer(ctx, resp.Body, head, out)
}

// ask sends the request of an exchange, once more if the server refused a token
// that could be renewed meanwhile, and if a connection went stale before anything
// of the message was written.
func (w *httpTransport) ask(ctx context.Context, out session.Output, sent func(*attempt)) (*http.Request, *http.Response, error) {
	for again, attempts := false, 1; ; {
		t := &attempt{renewed: again}
		req, err := w.request(ctx, out, sent, t)
		if err != nil {
			return nil, nil, err
		}
		token := w.authorize(ctx, req)
		resp, err := w.client.Do(req)
		if err != nil {
			if attempts < maxAttempts && t.isStale(err) {
				attempts++
				continue
			}
			return req, resp, err
		}
		w.onAccepted(resp.StatusCode, token)
		if !again && resp.StatusCode == http.StatusUnauthorized {
			t.rests(session.Renewed)
		}
		if again || !w.renew(ctx, resp.StatusCode, token) {
			sent(t) // the server may answer before that its request is written is told
			return req, resp, nil
		}
		again = true
		_ = resp.Body.Close()
	}
}

// request makes the request of an exchange, for one attempt.
func (w *httpTransport) request(ctx context.Context, out session.Output, sent func(*attempt), t *attempt) (*http.Request, error) {
	to := out.URL
	if to == "" {
		to = w.c.opt.HTTP.Endpoint
	}
	if out.Op == session.OpOpen {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, to, nil)
		if err != nil {
			return nil, err
		}
		w.account(req)
		w.fields(req, out.Header)
		req.Header.Set("Accept", "text/event-stream")
		return req, nil
	}
	ctx = httptrace.WithClientTrace(context.WithValue(ctx, attemptKey{}, t), &httptrace.ClientTrace{
		GotConn: t.trace,
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if info.Err == nil {
				sent(t)
			}
		},
	})
	open := func() (io.ReadCloser, error) {
		return &body{rest: out.Data, attempt: t, begin: func(again bool) bool {
			return w.c.tell(session.Started{ExchangeID: out.X, Because: t.because(again)}).Wanted
		}}, nil
	}
	first, _ := open()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, first)
	if err != nil {
		return nil, err
	}
	t.later = func(why session.Resending) {
		w.c.tell(session.Started{ExchangeID: out.X, Because: why, Later: true})
	}
	req.ContentLength = int64(len(out.Data))
	req.GetBody = func() (io.ReadCloser, error) { // net/http asks for it, and may wait before it reads it
		t.rests(session.Refused)
		return open()
	}
	w.account(req)
	w.fields(req, out.Header)
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Content-Type", "application/json")
	return req, nil
}

// account puts the account of the user's address into that of a request, which
// came from the core and has none.
func (w *httpTransport) account(req *http.Request) {
	own, err := url.Parse(w.c.opt.HTTP.Endpoint)
	if err == nil && req.URL.User == nil && session.OriginOf(req.URL) == session.OriginOf(own) {
		req.URL.User = own.User
	}
}

// fields sets the user's header fields, then the core's, which win. Without a
// word of the user's, belay names itself, unless it is to be anonymous: then
// there is no such field, as an empty value keeps net/http from naming itself.
func (w *httpTransport) fields(req *http.Request, own []session.Header) {
	program := "belay/" + w.c.opt.Session.ClientVersion
	if w.c.opt.Session.Anonymous {
		program = ""
	}
	req.Header.Set("User-Agent", program)
	for name, values := range w.c.opt.HTTP.Header {
		req.Header[name] = append([]string(nil), values...)
	}
	req.Header.Set("Accept-Encoding", "identity") // without it, a server may compress as it likes
	for _, h := range own {
		req.Header.Set(h.Name, h.Value)
	}
}

func headOf(resp *http.Response, req *http.Request) session.Head {
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		media = strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Type")))
	}
	h := session.Head{
		Unbuffered: strings.EqualFold(strings.TrimSpace(resp.Header.Get("X-Accel-Buffering")), "no"),
		Status:     resp.StatusCode, Media: sentence.Clip(media), Session: resp.Header.Get("Mcp-Session-Id"),
		Challenge: resp.Header.Values("Www-Authenticate"), Retry: beginning([]byte(resp.Header.Get("Retry-After"))),
	}
	if ids := resp.Header.Values("Mcp-Session-Id"); len(ids) > 1 {
		ids = slices.Clone(ids)
		slices.Sort(ids)
		if n := len(slices.Compact(ids)); n > 1 {
			h.Sessions = n
		}
	}
	if resp.ContentLength != 0 {
		h.Packed = packing(resp.Header.Values("Content-Encoding"))
	}
	if resp.Request != nil && resp.Request.URL.String() != req.URL.String() {
		h.At = sentence.Clip(address.Shown(resp.Request.URL.String()))
	}
	return h
}

// packing is how a body is compressed, as its head says; empty: it is not.
func packing(fields []string) string {
	text := strings.ToLower(beginning([]byte(strings.Join(fields, ", "))))
	if text == "identity" {
		return ""
	}
	return text
}

// Sizes of bodies that are no message.
const (
	maxErrorBody = 64 << 10
	maxPreview   = 200
)

// readAnswer reads the body of an answer to its end.
func (w *httpTransport) readAnswer(ctx context.Context, r io.Reader, head session.Head, out session.Output) session.End {
	in := newInbox(w.c, out.X, ctx.Done())
	switch ok := head.Status/100 == 2; {
	case head.Packed != "" && out.Op == session.OpOpen:
		return session.End{Err: "the stream is compressed with " + head.Packed + ", though belay asked for none"}
	case head.Packed != "": // the core says so
		return session.End{}
	case !ok:
		return w.readRefusal(r, head, in)
	case !out.Awaits && out.Op != session.OpOpen:
		return w.readUnasked(ctx, r, head, in)
	case head.Media == mediaStream:
		return w.readStream(r, in)
	case head.Media == "application/json":
		return w.readMessage(r, in)
	}
	return readPreview(r)
}

// readMessage reads a body that is one message.
func (w *httpTransport) readMessage(r io.Reader, in *inbox) session.End {
	limit := w.c.opt.MaxLine
	g := &partReporter{c: w.c, x: in.x}
	defer g.close()
	body := &meteredReader{firstByte: firstByte{Reader: r, now: w.c.opt.Now}, g: g, limit: limit}
	data, err := io.ReadAll(io.LimitReader(body, int64(limit)+1))
	var long *mcp.Skim
	if len(data) > limit {
		long = new(mcp.Skim)
		_, _ = long.Write(data)
		_, err = io.Copy(long, body)
	}
	if err == nil {
		g.onEnded(in) // or the core would take it for one that was cut off
	}
	switch {
	case long != nil:
		in.addFrame(lines.OverLimit(long, limit), body.at)
	case err == nil && len(data) > 0:
		in.add(data, true, body.at)
	}
	in.flush()
	if err != nil {
		return explain(err)
	}
	return session.End{}
}

// readRefusal reads the body of an answer with a status of failure. A JSON-RPC
// message in it goes to the core like any other.
func (w *httpTransport) readRefusal(r io.Reader, head session.Head, in *inbox) session.End {
	first := &firstByte{Reader: r, now: w.c.opt.Now}
	data, err := io.ReadAll(io.LimitReader(first, maxErrorBody))
	end := session.End{}
	if err != nil {
		end = explain(err)
	}
	if head.Media == "application/json" || len(data) > 0 && data[0] == '{' {
		if isAnswer(mcp.Decode(data)) {
			in.add(data, true, first.at)
			in.flush()
			return end
		}
	}
	end.Body = beginning(data)
	return end
}

// isAnswer reports whether a body is an answer of JSON-RPC. An error that has
// neither an ID nor a code is something else's: OAuth's have only a name.
func isAnswer(f *mcp.Frame) bool {
	return f.Kind == mcp.FrameResult || f.Kind == mcp.FrameError && (!f.ID.IsZero() || f.Error.CodeRaw != nil)
}

func readPreview(r io.Reader) session.End {
	data, err := io.ReadAll(io.LimitReader(r, maxErrorBody))
	end := session.End{Body: beginning(data)}
	if err != nil {
		end.Err = explain(err).Err
	}
	return end
}

// beginning is what may be shown of a body that is no message.
func beginning(data []byte) string {
	text := strings.ToValidUTF8(strings.TrimSpace(string(data)), "\uFFFD")
	if runes := []rune(text); len(runes) > maxPreview {
		return string(runes[:maxPreview]) + "…"
	}
	return text
}

// readStream takes the events of a stream to the core until its end.
func (w *httpTransport) readStream(r io.Reader, in *inbox) session.End {
	events := sse.NewReader(r, w.c.opt.MaxLine, w.c.opt.Now)
	g := &partReporter{c: w.c, x: in.x}
	defer g.close()
	for {
		err := events.Fill()
		for ev, ok := events.Next(); ok; ev, ok = events.Next() {
			g.onEnded(in)
			w.take(ev, in)
		}
		in.flush()
		g.at(events.Part())
		switch {
		case errors.Is(err, io.EOF):
			return session.End{}
		case err != nil:
			return explain(err)
		}
	}
}

// absolute is an address that the server gave, resolved against its own: the
// core knows that only as it may be seen.
func (w *httpTransport) absolute(ref string) string {
	base, err := url.Parse(w.c.opt.HTTP.Endpoint)
	if err != nil {
		return ref
	}
	base.User = nil // the core shows and records it
	to, err := base.Parse(strings.TrimSpace(ref))
	if err != nil {
		return ref
	}
	return to.String()
}

func (w *httpTransport) take(ev sse.Event, in *inbox) {
	if len(ev.Odd) > 0 {
		w.tellEvent(session.Event{Retry: -1, Odd: beginning(ev.Odd)}, in)
		return
	}
	message := ev.Name == "" || ev.Name == "message"
	if !message || ev.HasID || ev.Retry >= 0 {
		told := session.Event{Retry: ev.Retry}
		if ev.HasID {
			told.ID = &ev.ID
		}
		if !message {
			told.Name, told.Data = ev.Name, string(ev.Data[:min(len(ev.Data), maxErrorBody)])
			if len(ev.Data) > maxErrorBody {
				told.Data += "…"
			}
			if ev.Name == "endpoint" {
				told.Data = w.absolute(told.Data)
				w.learnSession(secretsInAddress(told.Data)...)
			}
		}
		w.tellEvent(told, in)
	}
	switch {
	case !message:
	case ev.Over != nil:
		in.addFrame(lines.WithLimit(ev.Over, w.c.opt.MaxLine), ev.Began)
	case len(ev.Data) > 0:
		in.add(ev.Data, true, ev.Began)
	}
}

// tellEvent tells the core of an event behind the messages before it.
func (w *httpTransport) tellEvent(ev session.Event, in *inbox) {
	in.flush()
	in.c.rec.Load().Wait(in.forced) // as for messages: there may be no end of them
	w.c.tell(session.EventReceived{ExchangeID: in.x, Event: ev})
}
