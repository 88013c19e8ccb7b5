//go:build race

package session

// raceDetector makes everything some ten times slower. The core has no
// goroutines, so it has little to find here: what must have happened is
// demanded of the other runs.
const raceDetector = true
