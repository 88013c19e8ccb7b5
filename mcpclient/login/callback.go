package login

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// callback is where the login page leads back to.
type callback struct {
	address string // the redirect URI
	server  *http.Server
	ended   chan struct{}
}

// listen waits at the redirect address, at a free port of 127.0.0.1 for "".
func listen(redirect string, accept func(url.Values) error) (*callback, error) {
	at, path := "127.0.0.1:0", "/callback"
	var u *url.URL
	if redirect != "" {
		var err error
		if u, err = url.Parse(redirect); err != nil {
			return nil, err
		}
		host, port := u.Hostname(), u.Port()
		if port == "" {
			port = "80"
		}
		at, path = net.JoinHostPort(host, port), u.Path
	}
	l, err := net.Listen("tcp", at)
	if err != nil {
		return nil, err
	}
	c := &callback{address: redirect, ended: make(chan struct{})}
	if redirect == "" {
		c.address = "http://" + l.Addr().String() + path
	}
	c.server = &http.Server{
		Handler:        page(path, accept),
		ReadTimeout:    5 * time.Second,
		WriteTimeout:   5 * time.Second,
		MaxHeaderBytes: longestAnswer,
		ErrorLog:       log.New(io.Discard, "", 0), // it would write over the screen
	}
	c.server.SetKeepAlivesEnabled(false)
	go func() {
		defer close(c.ended)
		_ = c.server.Serve(l) // ends with close
	}()
	return c, nil
}

// close lets an answer that is being written get out, and ends.
func (c *callback) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if c.server.Shutdown(ctx) != nil {
		_ = c.server.Close()
	}
	<-c.ended
}

// page answers the browser. It repeats nothing of what was asked.
func page(path string, accept func(url.Values) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer")
		switch {
		case path != "" && r.URL.Path != path, path == "" && strings.Trim(r.URL.Path, "/") != "":
			http.Error(w, "There is nothing here.", http.StatusNotFound)
		case r.Method != http.MethodGet:
			http.Error(w, "belay takes the answer of a login page as GET only.", http.StatusMethodNotAllowed)
		case accept(r.URL.Query()) != nil:
			http.Error(w, "This is not the answer to the login that belay waits for.", http.StatusBadRequest)
		default:
			fmt.Fprintln(w, "belay has the answer of the login page. You can close this window and go back to the terminal.")
		}
	})
}

const longestAnswer = 16 << 10 // bytes of an address that the login page leads back to

// pasted reads the address that the user took from the browser. The part
// after ? is enough. White space belongs to no address: where it was wrapped, it
// may have come along.
func pasted(text string) (url.Values, error) {
	text = strings.Trim(strings.Join(strings.Fields(text), ""), `"'<>`)
	if len(text) > longestAnswer {
		return nil, errors.New("this is too long to be the address that the login page led to")
	}
	_, query, found := strings.Cut(text, "?")
	if !found {
		return nil, errors.New("this is not the whole address: it must have ?code= or ?error= in it")
	}
	query, _, _ = strings.Cut(query, "#")
	q, err := url.ParseQuery(query)
	if err != nil {
		return nil, errors.New("this is no address: take all of it from the browser's address line")
	}
	return q, nil
}
