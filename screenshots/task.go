package main

import (
	"fmt"
	"regexp"

	"belay/internal/termtest"
)

// taskIDs find the ID of a task of the demo server's, or its beginning, which is by chance, and
// shownID is what the picture shows in its place.
var taskIDs = []*regexp.Regexp{
	regexp.MustCompile(`"([A-Z2-7]{8,26})`),
	regexp.MustCompile(`"taskId":"([A-Z2-7]{1,26})…`), // the edge of the pane leaves little of it
}

const shownID = "TWBMJFBILCKW6WARIRC5BMH4ML"

// steadyTask is the screen with the IDs of tasks made the same in every picture.
func steadyTask(s termtest.Screen) (termtest.Screen, error) {
	found := false
	for y := range s.Rows {
		line, at := "", []int{}
		for x := range s.Cols {
			text := s.Cell(x, y).Text
			line += text
			for range len(text) {
				at = append(at, x)
			}
		}
		for _, id := range taskIDs {
			for _, m := range id.FindAllStringSubmatchIndex(line, -1) {
				found = true
				for i := range m[3] - m[2] {
					s = s.With(at[m[2]+i], y, shownID[i:i+1])
				}
			}
		}
	}
	if !found {
		return s, fmt.Errorf("there is no ID of a task on the screen:\n%s", s.Framed())
	}
	return s, nil
}
