//go:build race

package ui

// raceDetector makes everything some ten times slower. What is drawn has no
// goroutines, so the detector has little to find in more sizes and longer texts:
// those are for the other runs.
const raceDetector = true
