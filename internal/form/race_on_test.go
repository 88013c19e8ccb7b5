//go:build race

package form

// raceDetector makes everything some ten times slower. A form has no goroutines,
// so the detector has little to find in what is big: that is for the other runs.
const raceDetector = true
