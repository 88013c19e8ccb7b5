package main

import (
	"fmt"
	"regexp"

	"belay/internal/termtest"
)

// chanceOfTask is what the picture of a task shows that differs from run to run, and what it
// shows in its place, which is cut where the edge of the pane leaves less of it.
var chanceOfTask = []struct {
	what *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`"([A-Z2-7]{8,26})`), shownID},
	{regexp.MustCompile(`"taskId":"([A-Z2-7]{1,26})…`), shownID},
	{regexp.MustCompile(`since (\d\d:\d\d:\d\d\.\d) UTC by the server's clock`), shownTime},
}

const (
	shownID   = "TWBMJFBILCKW6WARIRC5BMH4ML"
	shownTime = "12:01:10.2" // of the task's end; the server's clock does not stand still
)

// steadyTask is the screen with the IDs and the times of tasks made the same in every picture.
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
		for _, c := range chanceOfTask {
			for _, m := range c.what.FindAllStringSubmatchIndex(line, -1) {
				found = found || c.as == shownID
				for i := range m[3] - m[2] {
					s = s.With(at[m[2]+i], y, c.as[i:i+1])
				}
			}
		}
	}
	if !found {
		return s, fmt.Errorf("there is no ID of a task on the screen:\n%s", s.Framed())
	}
	return s, nil
}
