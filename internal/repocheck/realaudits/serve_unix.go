//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// serve starts a server over HTTP, and returns where it listens and what ends it.
func serve(ctx context.Context, dir string, s server) (url string, end func(), err error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	where := l.Addr().(*net.TCPAddr)
	if err := l.Close(); err != nil {
		return "", nil, err
	}
	cmd := exec.CommandContext(ctx, s.command[0], s.command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", where.Port))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	end = func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
	}
	late := time.After(30 * time.Second)
	for {
		if c, err := new(net.Dialer).DialContext(ctx, "tcp", where.String()); err == nil {
			_ = c.Close()
			return fmt.Sprintf("http://%s%s", where, s.path), end, nil
		}
		select {
		case <-ended:
			return "", nil, errors.New("the server ended before it listened")
		case <-late:
			end()
			return "", nil, errors.New("the server does not listen")
		case <-time.After(50 * time.Millisecond):
		}
	}
}
