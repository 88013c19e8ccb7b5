// Command screenshots takes the pictures of belay that the documentation shows,
// by driving the built binary in a terminal. Run it at the top of the
// repository:
//
//	go run ./screenshots                  take all pictures again
//	go run ./screenshots -only overview   take one
//	go run ./screenshots -check           fail if a committed picture is stale
//
// PNG files need rsvg-convert; -check compares the SVG files and needs nothing but, for the
// picture of server-everything, that server: BELAY_INTEROP says where it is installed. Without
// the variable that picture is left as it is, which is said.
//
// The film is an animated SVG and no GIF. A GIF has 256 colors, which must be chosen from
// the frames for the edges of letters to stay smooth. The standard library only has fixed
// palettes, and of the modules that choose colors none that is well kept resolves.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() { os.Exit(run(os.Args[1:], scenes, os.Stdout, os.Stderr)) }

// The exit codes.
const (
	exitDone  = 0
	exitStale = 1 // a picture is stale, or could not be taken
	exitUsage = 2
)

// run is the program.
func run(args []string, scenes []Scene, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("screenshots", flag.ContinueOnError)
	flags.SetOutput(stderr)
	belay := flags.String("belay", "", "the belay binary to drive; without it one is built")
	only := flags.String("only", "", "the name of the only scene to take")
	out := flags.String("out", "screenshots", "the directory of the pictures")
	checking := flags.Bool("check", false, "write nothing; exit 1 if a picture in the directory is stale")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return exitDone
		}
		return exitUsage
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "screenshots takes no arguments, but was given %q\n", flags.Args())
		return exitUsage
	}
	scenes, err := choose(scenes, *only)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitUsage
	}
	binary, cleanup, err := binary(*belay)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitStale
	}
	defer cleanup()
	if *checking {
		return checkAll(binary, *out, scenes, stdout, stderr)
	}
	return shootAll(binary, *out, scenes, stdout, stderr)
}

// choose is the scene with a name, or all for the name "".
func choose(scenes []Scene, name string) ([]Scene, error) {
	if name == "" {
		return scenes, nil
	}
	var names []string
	for _, s := range scenes {
		if s.Name == name {
			return []Scene{s}, nil
		}
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return nil, fmt.Errorf("there is no scene %q; there are %s", name, strings.Join(names, ", "))
}

// binary is the absolute path of the binary to drive, built if none is named.
func binary(named string) (path string, cleanup func(), err error) {
	if named != "" {
		path, err = filepath.Abs(named)
		return path, func() {}, err
	}
	dir, err := os.MkdirTemp("", "belay-build-")
	if err != nil {
		return "", nil, fmt.Errorf("a place to build belay in: %w", err)
	}
	cleanup = func() { _ = os.RemoveAll(dir) }
	if path, err = build(dir); err != nil {
		cleanup()
		return "", nil, err
	}
	return path, cleanup, nil
}

func shootAll(belay, dir string, scenes []Scene, stdout, stderr io.Writer) int {
	code := exitDone
	for _, s := range scenes {
		if err := shoot(belay, dir, s); leaveOut(s, err, len(scenes) == 1, stderr) {
			continue
		} else if err != nil {
			fmt.Fprintln(stderr, err)
			code = exitStale
			continue
		}
		fmt.Fprintln(stdout, filepath.Join(dir, s.Name+".svg"))
	}
	return code
}

func checkAll(belay, dir string, scenes []Scene, stdout, stderr io.Writer) int {
	code := exitDone
	for _, s := range scenes {
		stale, err := check(belay, dir, s)
		switch {
		case leaveOut(s, err, len(scenes) == 1, stderr):
		case err != nil:
			fmt.Fprintln(stderr, err)
			code = exitStale
		case stale != "":
			fmt.Fprintf(stderr, "%s\ntake it again with: go run ./screenshots -only %s\n", stale, s.Name)
			code = exitStale
		default:
			fmt.Fprintf(stdout, "%s is up to date\n", filepath.Join(dir, s.Name+".svg"))
		}
	}
	return code
}
