package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"belay/internal/build"
	"belay/internal/report"
	"belay/mcpclient"
	"belay/session"
)

// backend is what the screen sees of the world: the client, and the desk.
type backend struct {
	*mcpclient.Client
	*memory
	desk
	target target
}

// desk is what is the user's beside a server: files that are saved and read, the editor,
// the browser.
type desk struct{ lent editorSession }

// Close is the client's, once the memory has written what is under way.
func (b *backend) Close(ctx context.Context) error {
	b.finish(ctx)
	return b.Client.Close(ctx)
}

func (b *backend) Command() (argv []string, dir string) { return b.target.shown, b.target.shownDir }

// Restart is the client's, with an error that may be shown.
func (b *backend) Restart() error { return b.target.hide(b.Client.Restart()) }

func (b *backend) View(f func(*session.Session)) { b.Client.View(f) }

// ProcessLine says how the server's process is.
func (b *backend) ProcessLine() string {
	switch p := b.Process(); {
	case p.Address != "" && p.Running():
		return "reached over HTTP"
	case p.PID == 0:
		return "not started"
	case p.Running():
		return fmt.Sprintf("pid %d", p.PID)
	default:
		return p.Status
	}
}

// About implements ui.Backend.
func (b *backend) About() report.About {
	return report.About{Mask: b.hides(), Version: build.Version()}
}

// Unrecorded implements ui.Backend.
func (b *backend) Unrecorded() string { return errorText(b.Recording().Err) }

// NotKept implements ui.Backend.
func (b *backend) NotKept() string { return errorText(b.Client.NotKept()) }

// Save writes a file into the directory in which belay was started. The name is
// belay's own, never the server's; a file that exists is not overwritten
// (SEC-25).
func (*desk) Save(name string, data []byte) (string, error) {
	name = filepath.Base(name)
	stem, ext := strings.TrimSuffix(name, filepath.Ext(name)), filepath.Ext(name)
	for n := 1; n < 1000; n++ {
		if n > 1 {
			name = fmt.Sprintf("%s-%d%s", stem, n, ext)
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if _, err = f.Write(data); err == nil {
			err = f.Close()
		} else {
			_ = f.Close()
		}
		if err != nil {
			return "", err
		}
		return filepath.Abs(name)
	}
	return "", fmt.Errorf("there are too many files called %s-N%s here", stem, ext)
}
