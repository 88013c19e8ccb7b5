package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
)

// recording is of a run in which a call was answered, and another was cancelled whose command
// lived on. It is a real one: what is in it of a process, a time or a figure is the same in
// every picture. It was made with
//
//	belay --record cancelled.jsonl -- npx -y mcp-server-commands
//
// by two calls of run_command: uname -s, and sleep 30, cancelled after two seconds. When belay
// writes other messages than it did then, the pictures say so, and it is to be made anew.
//
//go:embed cancelled.jsonl
var recording []byte

// openRecording is the command line that opens the recording, which is put into a home.
func openRecording(belay, home string) (argv []string, err error) {
	const name = "cancelled.jsonl"
	if err := os.WriteFile(filepath.Join(home, name), recording, 0o600); err != nil {
		return nil, fmt.Errorf("the recording of a scene: %w", err)
	}
	return []string{belay, "replay", noMotion, name}, nil
}
