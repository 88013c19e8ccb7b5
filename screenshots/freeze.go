package main

import (
	"time"

	"belay/ui/theme"
)

// What makes two runs look the same, in one place.
const (
	// clockVariable holds the instant, in RFC 3339, at which belay's clock stands
	// still.
	clockVariable = "BELAY_FREEZE_CLOCK"
	frozenAt      = "2026-11-21T12:01:06Z"

	// noMotion keeps spinners from turning.
	noMotion = "--no-motion"
	// noMemory keeps a call of a scene from changing the forms after it, at a moment of the disk's.
	noMemory = "--no-memory"
)

// frozenArgv is the command line of a scene.
func frozenArgv(belay string, args []string) []string {
	return append([]string{belay, noMotion, noMemory}, args...)
}

// frozenEnv is the environment of every scene: no clock, no time zone, and a
// home without anybody's settings.
func frozenEnv(home string) []string {
	return []string{
		clockVariable + "=" + frozenAt,
		"TZ=UTC",
		"HOME=" + home,
		"XDG_CONFIG_HOME=" + home + "/config",
		"XDG_STATE_HOME=" + home + "/state",
		"XDG_DATA_HOME=" + home + "/data",
		"XDG_CACHE_HOME=" + home + "/cache",
	}
}

// spinTime is the pace at which belay's spinner turns in a film.
const spinTime = 100 * time.Millisecond

// spinner is the frames of belay's spinner; held still, it shows the first.
func spinner() []string { return theme.Unicode.Spin.Frames }
