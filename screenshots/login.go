package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"

	"belay/internal/termtest"
)

// gate stands before a server over HTTP and lets no tool be called without a
// login. It is its own authorization server, as far as to the page.
func gate(server string) (address string, stop func(), err error) {
	behind, err := url.Parse(server)
	if err != nil {
		return "", nil, fmt.Errorf("the address of the demo server: %w", err)
	}
	front := httptest.NewUnstartedServer(nil)
	own := "http://" + front.Listener.Addr().String()
	answer := func(status int, v map[string]any) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(v)
		}
	}
	through := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: behind.Scheme, Host: behind.Host}) }}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/oauth-protected-resource"+behind.Path, answer(http.StatusOK, map[string]any{
		"resource": own + behind.Path, "authorization_servers": []string{own},
	}))
	mux.HandleFunc("/.well-known/oauth-authorization-server", answer(http.StatusOK, map[string]any{
		"issuer": own, "authorization_endpoint": own + "/authorize", "token_endpoint": own + "/token", "registration_endpoint": own + "/register",
		"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
	}))
	mux.HandleFunc("/register", answer(http.StatusCreated, map[string]any{"client_id": "belay-7", "token_endpoint_auth_method": "none"}))
	mux.HandleFunc(behind.Path, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") == "tools/call" {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		through.ServeHTTP(w, r)
	})
	front.Config.Handler = mux
	front.Start()
	return own + behind.Path, front.Close, nil
}

// chance is what a login panel shows that differs from run to run, and what the
// picture shows in its place, as long as that: the ports, and what makes the
// address of the page one of its own. All else is as it was on the screen.
var chance = []struct {
	what *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`code_challenge=([\w-]{43})`), "kX3v0aVZ0dT5qk2Jb8mY4rPz1sLwNf6uHc9oEiGtQxA"},
	{regexp.MustCompile(`state=([A-Z2-7]{26})`), "TMG6HYTBHBA6Q2ZKX4WVN5RJSD"},
	{regexp.MustCompile(`127\.0\.0\.1(?::|%3A)(\d{5})(?:/|%2F)callback`), "40001"},
	{regexp.MustCompile(`127\.0\.0\.1(?::|%3A)(\d{5})(?:/mcp|/authorize|%2Fmcp|"|\(this)`), "48080"},
}

// steady is the screen with a login panel whose chance is taken out.
func steady(s termtest.Screen) (termtest.Screen, error) {
	left, top, found := s.Find("╭ http://")
	if !found {
		return s, fmt.Errorf("there is no login panel on the screen:\n%s", s.Framed())
	}
	right := left + 1
	for s.Cell(right, top).Text != "╮" && right < s.Cols {
		right++
	}
	type place struct{ x, y int }
	var text strings.Builder
	var at []place // of each byte: what an address is made of has one for each character
	for y := top; y < s.Rows && s.Cell(left, y).Text != "╰"; y++ {
		for x := left + 1; x < right; x++ {
			if c := s.Cell(x, y).Text; strings.TrimSpace(c) != "" {
				text.WriteString(c)
				for range len(c) {
					at = append(at, place{x, y})
				}
			}
		}
	}
	for _, c := range chance {
		matches := c.what.FindAllStringSubmatchIndex(text.String(), -1)
		if len(matches) == 0 {
			return s, fmt.Errorf("the login panel does not show %s:\n%s", c.what, s.Framed())
		}
		for _, m := range matches {
			for i, r := range c.as {
				p := at[m[2]+i]
				s = s.With(p.x, p.y, string(r))
			}
		}
	}
	return s, nil
}
