package main

import "belay/internal/termtest"

// Scene is one picture: a real run of belay up to a moment worth showing.
type Scene struct {
	Name       string // of the files NAME.svg and NAME.png
	Title      string // what a screen reader says of the picture
	Cols, Rows int
	Args       []string // of belay; none starts the demo server
	Light      bool     // on a light background

	// Script leads to the moment. It waits for all that the picture is to show,
	// and returns with that on the screen; belay is ended afterwards.
	Script func(*termtest.Terminal) error
}

// scenes are all pictures, in the order in which they are taken.
var scenes = []Scene{
	{
		Name: "overview", Title: "belay, connected to its demo server",
		Cols: 140, Rows: 40,
		Script: overview,
	},
	{
		Name: "overview-80x24", Title: "belay on a small terminal",
		Cols: 80, Rows: 24,
		Script: overview,
	},
}

// overview is what belay shows once it is connected.
func overview(term *termtest.Terminal) error {
	return steps(
		func() error { return term.WaitText("1 Calls") },
		func() error { return term.WaitText("●") },
	)
}

// steps takes steps until one fails.
func steps(all ...func() error) error {
	for _, step := range all {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
