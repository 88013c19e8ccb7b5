//go:build !race

package form

const raceDetector = false
