package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Command is what is to be run.
type Command struct {
	Argv []string // the program and its arguments; the program is looked for in belay's own PATH unless it holds a path separator
	Dir  string   // the working directory; empty: belay's own
	Env  []string // what the process gets besides the allowed variables, as [Environment] takes it

	// Expect is told of the stdin of a process that is about to be started. Settled is called
	// when Group was told of the process, or it was not started.
	Expect func(stdin *os.File) (settled func())
	// Group is told of the group of a process that was started. It must not wait.
	Group func(id int)
}

// Child is a process that was just started, and our ends of its pipes.
type Child struct {
	Cmd    *exec.Cmd
	Group  Group
	Names  []string // of its environment, sorted
	Stdin  Input
	Stdout Output
	Stderr *os.File
}

// Spawn starts a server's process with pipes for its stdin, stdout and
// stderr: belay's own terminal is none of them (STD-30; basic/transports/stdio). The error is a
// [*StartError]; nothing runs then.
func Spawn(o Command) (*Child, error) {
	if len(o.Argv) == 0 || o.Argv[0] == "" {
		return nil, &StartError{Kind: NoCommand}
	}
	var additions []string
	if o.Dir != "" {
		if dir, err := filepath.Abs(o.Dir); err == nil {
			additions = append(additions, "PWD="+dir)
		}
	}
	additions = append(additions, o.Env...)
	env, names := Environment(os.Environ(), additions, runtime.GOOS)
	ch := &Child{Cmd: exec.Command(o.Argv[0], o.Argv[1:]...), Names: names}
	ch.Cmd.Dir, ch.Cmd.Env = o.Dir, env
	if err := ch.start(&o); err != nil {
		return nil, explainStart(o, ch.Cmd.Path, err)
	}
	return ch, nil
}

// start makes the pipes by itself: those of exec.Cmd are closed when the
// process exits, with whatever the server said last still in them.
func (ch *Child) start(o *Command) (err error) {
	var theirs, ours []*os.File
	defer func() {
		for _, f := range theirs {
			_ = f.Close()
		}
		if err != nil {
			for _, f := range ours {
				_ = f.Close()
			}
		}
	}()
	pipe := func() (r, w *os.File) {
		if err == nil {
			r, w, err = os.Pipe()
		}
		return r, w
	}
	inR, inW := pipe()
	outR, outW := pipe()
	errR, errW := pipe()
	theirs, ours = []*os.File{inR, outW, errW}, []*os.File{inW, outR, errR}
	if err != nil {
		return err
	}
	ch.Stdin, ch.Stdout, ch.Stderr = inputPipe{inW}, newOutputPipe(outR), errR
	ch.Cmd.Stdin, ch.Cmd.Stdout, ch.Cmd.Stderr = inR, outW, errW
	prepare(ch.Cmd)
	settled := o.Expect(inR)
	defer settled()
	if err = ch.Cmd.Start(); err != nil {
		return err
	}
	ch.Group = newGroup(ch.Cmd.Process)
	o.Group(ch.Group.Number())
	return nil
}
