package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"belay/internal/build"
	"belay/internal/report"
	"belay/mcpclient"
	recordings "belay/mcpclient/recording"
	"belay/session"
	"belay/ui/panel"
	reportsui "belay/ui/reports"
	"belay/ui/server"
)

// backend is what the screen sees of the world: the client, and the desktop.
type backend struct {
	*mcpclient.Client
	*memory
	desktop
	target   target
	typed    *pflag.FlagSet         // the flags as they were typed
	recorded atomic.Pointer[string] // the file of the recording; nil: there is none
}

// desktop is what is the user's beside a server: files that are saved and read, the editor,
// the browser.
type desktop struct{ editing editorSession }

// Close is the client's, once the memory has written what is under way.
func (b *backend) Close(ctx context.Context) error {
	b.finish(ctx)
	return b.Client.Close(ctx)
}

// Command implements ui.Backend.
func (b *backend) Command() server.Start {
	return server.Start{Entry: b.target.entry, Argv: b.target.shown, Dir: b.target.shownDir}
}

// Restart is the client's, with an error that may be shown.
func (b *backend) Restart() error { return b.target.hide(b.Client.Restart()) }

func (b *backend) View(f func(*session.Session)) { b.Client.View(f) }

// ProcessLine says how the server's process is.
func (b *backend) ProcessLine() string {
	switch p := b.Process(); {
	case p.Address != "" && p.IsRunning():
		return "reached over HTTP"
	case p.PID == 0:
		return "not started"
	case p.IsRunning():
		return fmt.Sprintf("pid %d", p.PID)
	default:
		return p.Status
	}
}

// About implements ui.Backend.
func (b *backend) About() report.About {
	return report.About{Mask: b.hides(), Version: build.Version()}
}

// Recorded implements ui.Backend.
func (b *backend) Recorded() string {
	if path := b.recorded.Load(); path != nil && b.Recording().On {
		return *path
	}
	return ""
}

// Record implements ui.Backend. The name may be below ~.
func (b *backend) Record(name string, over bool) (reportsui.Recording, error) {
	name, err := belowHome(name)
	if err != nil {
		return reportsui.Recording{}, err
	}
	if link := linkToFile(name); link != nil {
		return reportsui.Recording{}, fmt.Errorf("cannot record to %q: %w", name, link)
	}
	written := name
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		if !over {
			return reportsui.Recording{}, panel.ErrExists
		}
		// The old file stays until the recording has begun.
		written = filepath.Join(filepath.Dir(name), ".belay-"+filepath.Base(name))
	}
	file, err := recordings.Create(written)
	if err != nil {
		return reportsui.Recording{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopWait)
	defer cancel()
	missing, err := b.Client.Record(ctx, file)
	if err != nil {
		if info, serr := os.Stat(written); serr == nil && info.Mode().IsRegular() {
			_ = os.Remove(written)
		}
		return reportsui.Recording{}, err
	}
	if written != name && os.Rename(written, name) != nil {
		name = written // where it goes on
	}
	path, err := filepath.Abs(name)
	if err != nil {
		path = name
	}
	b.recorded.Store(&path)
	return reportsui.Recording{
		Path: path, Connections: missing.Connections, Calls: missing.Calls, Messages: missing.Messages,
		Results: missing.Results, Bytes: missing.Bytes, Late: missing.Late,
	}, nil
}

// stopWait is how long a disk may take to end a recording, or to begin one.
const stopWait = 10 * time.Second

// StopRecording implements ui.Backend.
func (b *backend) StopRecording() (string, int64, error) {
	path := b.Recorded()
	ctx, cancel := context.WithTimeout(context.Background(), stopWait)
	defer cancel()
	err := b.Client.StopRecording(ctx)
	return path, b.Recording().Bytes, err
}

// Unrecorded implements ui.Backend.
func (b *backend) Unrecorded() string { return errorText(b.Recording().Err) }

// NotKept implements ui.Backend.
func (b *backend) NotKept() string { return errorText(b.Client.NotKept()) }

// Save writes a file into the directory in which belay was started. The name is
// belay's own, never the server's; a file that exists is not overwritten
// (SEC-25).
func (*desktop) Save(name string, data []byte) (string, error) {
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
