package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"belay/internal/termtest"
)

// settled is how long the screen must not have changed when a picture is taken.
// With clock and motion frozen, what is on its way arrives at once.
const settled = 300 * time.Millisecond

// takes is how often a scene is played before a busy machine is blamed.
const takes = 5

// take plays a scene and returns its picture. A scene that falls behind its times, or whose rows have gone on
// when belay comes to look, is played again.
func take(belay string, s Scene) (svg []byte, err error) {
	for range takes {
		if svg, err = takeOnce(belay, s); err == nil {
			break
		}
	}
	return svg, err
}

// takeOnce plays a scene once and returns its picture.
func takeOnce(belay string, s Scene) (svg []byte, err error) {
	home, err := os.MkdirTemp("", "belay-screenshots-")
	if err != nil {
		return nil, fmt.Errorf("a home for %s: %w", s.Name, err)
	}
	defer func() { _ = os.RemoveAll(home) }()
	theme := termtest.Dark()
	if s.Light {
		theme = termtest.Light()
	}
	args := s.Args
	if s.Everything {
		command, err := everythingCommand()
		if err != nil {
			return nil, err
		}
		args = slices.Concat(args, []string{"--"}, command)
	}
	if s.HTTP {
		url, stop, err := serve(belay, home, s.Login)
		if err != nil {
			return nil, err
		}
		defer stop()
		args = append(args, url)
	}
	argv := frozenArgv(belay, args)
	if s.Recorded {
		if argv, err = openRecording(belay, home); err != nil {
			return nil, err
		}
	}
	term, err := termtest.Start(nil, termtest.Options{
		Argv: argv,
		Env:  frozenEnv(home),
		Dir:  home,
		Cols: s.Cols, Rows: s.Rows,
		Theme: &theme,
	})
	if err != nil {
		return nil, err
	}
	defer func() {
		if _, closeErr := term.Close(); err == nil {
			err = closeErr
		}
	}()
	on := &stage{Terminal: term, began: time.Now()}
	if err := s.Script(on); err != nil {
		return nil, fmt.Errorf("the scene %s: %w", s.Name, err)
	}
	if s.Report {
		return reportPicture(filepath.Join(home, reportName), s.Title)
	}
	if s.Film {
		return termtest.Film(on.shots, termtest.FilmOptions{Title: s.Title, Spinner: spinner(), SpinTime: spinTime}), nil
	}
	if err := term.WaitQuiet(settled); err != nil {
		return nil, fmt.Errorf("the scene %s does not come to rest: %w", s.Name, err)
	}
	screen := term.Screen()
	if s.Login {
		if screen, err = steady(screen); err != nil {
			return nil, fmt.Errorf("the scene %s: %w", s.Name, err)
		}
	}
	if s.Task {
		if screen, err = steadyTask(screen); err != nil {
			return nil, fmt.Errorf("the scene %s: %w", s.Name, err)
		}
	}
	return screen.SVG(termtest.SVGOptions{Title: s.Title}), nil
}

// serve runs the demo server over HTTP, with a login if its tools are to want
// one, and says where it is.
func serve(belay, home string, login bool) (url string, stop func(), err error) {
	cmd := exec.Command(belay, "demo", "--http", "0", fmt.Sprintf("--login=%v", login))
	cmd.Env = frozenEnv(home)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, fmt.Errorf("the demo server does not start: %w", err)
	}
	stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	words := strings.Fields(line)
	if err != nil || len(words) < 3 {
		stop()
		return "", nil, fmt.Errorf("the demo server says %q in the place of its address", line)
	}
	return words[2], stop, nil
}

// shoot takes a picture and writes it as SVG and PNG.
func shoot(belay, dir string, s Scene) error {
	svg, err := take(belay, s)
	if err != nil {
		return err
	}
	base := filepath.Join(dir, s.Name)
	if err := os.WriteFile(base+".svg", svg, 0o644); err != nil {
		return fmt.Errorf("the picture %s: %w", s.Name, err)
	}
	return termtest.PNG(svg, base+".png")
}

// check says how a picture differs from the one in dir; "" is not at all. On a
// busy machine two things may come in another order, so a picture that differs
// is taken again before it is called stale.
func check(belay, dir string, s Scene) (stale string, err error) {
	path := filepath.Join(dir, s.Name+".svg")
	want, err := os.ReadFile(path)
	switch {
	case os.IsNotExist(err):
		return path + " is missing", nil
	case err != nil:
		return "", fmt.Errorf("the picture %s: %w", s.Name, err)
	}
	for range takes {
		got, err := take(belay, s)
		if err != nil {
			return "", err
		}
		if bytes.Equal(got, want) {
			return "", nil
		}
		stale = path + difference(string(want), string(got))
	}
	return stale, nil
}

// difference tells the first line in which a picture differs from the one that
// was wanted.
func difference(want, got string) string {
	had, has := strings.Split(want, "\n"), strings.Split(got, "\n")
	line := 0
	for line < min(len(had), len(has))-1 && had[line] == has[line] {
		line++
	}
	return fmt.Sprintf(" is stale from line %d on:\n\t- %s\n\t+ %s", line+1, had[line], has[line])
}

// build builds belay from this module into dir, without a version that changes
// with every commit.
func build(dir string) (belay string, err error) {
	belay = filepath.Join(dir, "belay")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", belay, "belay").CombinedOutput(); err != nil {
		return "", fmt.Errorf("belay cannot be built: %w\n%s", err, out)
	}
	return belay, nil
}
