package edit

// Key is a key that was pressed.
type Key struct {
	Name string // as terminals' libraries write it: "enter", "ctrl+w", "alt+left"
	Text string // what it types; empty where ctrl or alt is held
}
