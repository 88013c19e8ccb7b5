package mcpclient

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"belay/mcpclient/sampler"
)

// spawn starts the server's process with pipes for its stdin, stdout and
// stderr: belay's own terminal is none of them (STD-30).
func spawn(o Options) (*child, error) {
	if len(o.Command) == 0 || o.Command[0] == "" {
		return nil, &StartError{Kind: NoCommand}
	}
	var additions []string
	if o.Dir != "" {
		if dir, err := filepath.Abs(o.Dir); err == nil {
			additions = append(additions, "PWD="+dir)
		}
	}
	additions = append(additions, o.Env...)
	mark := ""
	if !o.NoWitness {
		mark = sampler.NewMark()
		additions = append(additions, mark)
	}
	env, names := childEnv(os.Environ(), additions, runtime.GOOS)
	ch := &child{cmd: exec.Command(o.Command[0], o.Command[1:]...), names: names, mark: mark}
	ch.cmd.Dir, ch.cmd.Env = o.Dir, env
	if err := ch.start(&o); err != nil {
		return nil, explainStart(o, ch.cmd.Path, err)
	}
	return ch, nil
}

// start makes the pipes by itself: those of exec.Cmd are closed when the
// process exits, with whatever the server said last still in them.
func (ch *child) start(o *Options) (err error) {
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
	ch.stdin, ch.stdout, ch.stderr = inputPipe{inW}, newOutputPipe(outR), errR
	ch.cmd.Stdin, ch.cmd.Stdout, ch.cmd.Stderr = inR, outW, errW
	prepare(ch.cmd)
	settled := o.Expect(inR)
	defer settled()
	if err = ch.cmd.Start(); err != nil {
		return err
	}
	ch.group = newGroup(ch.cmd.Process)
	o.Group(ch.group.number(), true)
	return nil
}
