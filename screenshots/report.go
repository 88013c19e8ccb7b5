package main

import (
	"errors"
	"fmt"
	"html"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// reportName is the page that a scene writes.
const reportName = "report-6.html"

var (
	colourSet  = regexp.MustCompile(`(--[\w-]+): *([^;]+);`)
	colourUsed = regexp.MustCompile(`var\((--[\w-]+)\)`)
	viewBox    = regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)"`)
)

var errNoTimeline = errors.New("the report has no timeline")

// reportPicture is the first timeline of a report, with the light colours of its page.
func reportPicture(path, title string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the report of a scene: %w", err)
	}
	page := string(text)
	style, drawing := between(page, "<style>", "</style>"), between(page, `<svg class="sequence"`, "</svg>")
	size := viewBox.FindStringSubmatch(drawing)
	if style == "" || size == nil {
		return nil, errNoTimeline
	}
	light := map[string]string{}
	for _, m := range colourSet.FindAllStringSubmatch(between(style, ":root {", "}"), -1) {
		light[m[1]] = m[2]
	}
	// Programs that draw an SVG know no variables.
	colour := func(used string) string { return light[colourUsed.FindStringSubmatch(used)[1]] }
	_, dark, _ := strings.Cut(style, "@media")
	rules := colourUsed.ReplaceAllStringFunc("svg"+between(dark, "\nsvg", "\n")+"\n.lane"+between(dark, "\n.lane", "@media"), colour)
	width, height := atoi(size[1]), atoi(size[2])
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%[1]d %[1]d %[2]d %[3]d" width="%[2]d" height="%[3]d" role="img">
<title>%[4]s</title>
<style>%[5]s</style>
<rect x="%[1]d" y="%[1]d" width="%[2]d" height="%[3]d" fill="%[6]s"/>%[7]s</svg>
`, -edge, width+2*edge, height+2*edge, html.EscapeString(title), rules, light["--card"], drawing[strings.Index(drawing, ">")+1:]), nil
}

// edge is what is left around a timeline.
const edge = 16

func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// between is what stands between the first of two marks and the next of the other; all of
// the rest where there is no other, and empty without the first.
func between(text, from, to string) string {
	_, rest, found := strings.Cut(text, from)
	if !found {
		return ""
	}
	inner, _, _ := strings.Cut(rest, to)
	return inner
}
