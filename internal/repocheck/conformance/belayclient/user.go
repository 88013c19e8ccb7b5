package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"belay/internal/form"
	"belay/mcpclient"
	"belay/mcpclient/login"
	"belay/session"
	"belay/session/mcp"
)

// user sits before a client.
type user struct {
	client  *mcpclient.Client
	visited map[string]bool // login pages
}

// until attends to the client until something holds.
func (u *user) until(ctx context.Context, holds func(*session.Session) (bool, error)) error {
	for {
		u.answer()
		if err := u.logIn(ctx); err != nil {
			told(err.Error())
		}
		var held bool
		var err error
		u.client.View(func(s *session.Session) { held, err = holds(s) })
		if held || err != nil {
			return err
		}
		select {
		case <-u.client.Wake():
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// call makes a call and waits for its end.
func (u *user) call(ctx context.Context, c session.CallSpec) error {
	reply, err := u.client.Do(session.StartCall{Spec: c})
	if err != nil {
		return err
	}
	var d session.Detail
	err = u.until(ctx, func(s *session.Session) (bool, error) {
		var kept bool
		if d, kept = s.Detail(reply.Call); !kept {
			return false, errors.New("a call is gone")
		}
		return d.State.IsTerminal(), nil
	})
	if err == nil && d.State != session.Done {
		told(fmt.Sprintf("%s %s: %v %s %v", d.Method, d.Target, d.State, d.Note, d.Err))
	}
	return err
}

// answer answers all that waits for the user.
func (u *user) answer() {
	var waiting []session.QuestionView
	var rev mcp.Revision
	u.client.View(func(s *session.Session) {
		rev = s.Status().Revision
		for _, p := range s.Questions() {
			if p.State == session.Waiting {
				waiting = append(waiting, p)
			}
		}
	})
	for _, p := range waiting {
		result, err := answerTo(rev, p)
		if err == nil {
			_, err = u.client.Do(session.Answer{Question: p.ID, Result: result, As: session.Answered})
		}
		if err != nil {
			told(fmt.Sprintf("%s: %v", p.Method, err))
		}
	}
}

// answerTo agrees: the form as it opens, a text in place of a model's, a page
// that was visited.
func answerTo(rev mcp.Revision, p session.QuestionView) ([]byte, error) {
	if p.Method == "sampling/createMessage" {
		return mcp.SamplingAnswer{Text: "a text", Model: "belay-conformance"}.Result(rev)
	}
	req, _ := mcp.ParseElicitation(rev, p.Params)
	if req.Mode == mcp.ElicitURL {
		return mcp.ElicitationResult(mcp.ElicitURL, mcp.ElicitAccept, nil), nil
	}
	use := form.Answer
	if !rev.HasElicitDefaults() {
		use = form.AnswerJune2025
	}
	content := filled(form.New(form.ParseSchema(req.Schema).For(use)))
	return mcp.ElicitationResult(mcp.ElicitForm, mcp.ElicitAccept, content), nil
}

// logIn opens the login page that waits, once, in a browser that follows where
// it leads: back to belay.
func (u *user) logIn(ctx context.Context) error {
	st := u.client.Login().State
	if st.Phase != login.PhasePage || u.visited[st.URL] {
		return nil
	}
	u.visited[st.URL] = true
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, st.URL, nil)
	if err != nil {
		return err
	}
	page, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = page.Body.Close() }()
	if _, err := io.Copy(io.Discard, io.LimitReader(page.Body, 1<<20)); err != nil || page.StatusCode != http.StatusOK {
		return fmt.Errorf("the login page: %s (%w)", page.Status, err)
	}
	return nil
}
