package main

import (
	"fmt"
	"regexp"
	"strings"

	"belay/internal/termtest"
)

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
