//go:build unix

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What is written over a file is not written through a link: the link and its target stay as they are, and the error
// says what to name. A link to a device or a pipe is written through.
func TestALinkToAFileIsNotWrittenThrough(t *testing.T) {
	dir := t.TempDir()
	target, link, lost, null, pipe := filepath.Join(dir, "theirs.md"), filepath.Join(dir, "link.md"), filepath.Join(dir, "lost.md"), filepath.Join(dir, "null.md"), filepath.Join(dir, "pipe.md")
	err := errors.Join(os.WriteFile(target, []byte("theirs"), 0o640), os.Chmod(target, 0o640), os.Symlink("theirs.md", link), os.Symlink("nowhere.md", lost),
		os.Symlink("/dev/null", null), syscall.Mkfifo(pipe+".fifo", 0o600), os.Symlink(pipe+".fifo", pipe))
	if err != nil {
		t.Fatal(err)
	}
	run := fileWith(t, recordedRun(t))
	audit := func(out string, more ...string) (int, string, string) {
		return runsAs(t, "audit", append(slices.Clone(more), "-o", "markdown="+out, "--tool", "x", "--", "true")...)
	}
	for over, force := range map[bool][]string{false: nil, true: {"--force"}} {
		for name, to := range map[string]string{link: "theirs.md", lost: "nowhere.md"} {
			_, _, byReport := reports(t, append(slices.Clone(force), run, "--format", "md", "-o", name)...)
			_, _, byAudit := audit(name, force...)
			_, err := (&backend{}).Record(name, over)
			for what, told := range map[string]string{"report": byReport, "audit": byAudit, ":report": errorText(writeFile(name, []byte("report"), over)), ":record": errorText(err)} {
				if !strings.Contains(told, "it is a link to ") || !strings.Contains(told, to) || !strings.Contains(told, "name that file itself") {
					t.Errorf("%s to %s, over it %v: %q", what, name, over, told)
				}
			}
		}
		got, err := os.ReadFile(target)
		info, _ := os.Stat(target)
		if to, _ := os.Readlink(link); err != nil || string(got) != "theirs" || info.Mode().Perm() != 0o640 || to != "theirs.md" {
			t.Fatalf("over it %v: %q, %v, %v, the link leads to %q", over, got, info.Mode(), err, to)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "nowhere.md")); err == nil {
		t.Error("a file was made behind a link")
	}
	if err := writeFile(null, []byte("report"), false); err != nil {
		t.Errorf("to a device: %v", err)
	}
	reader, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeFile(pipe, []byte("report"), false); err != nil {
		t.Errorf("to a pipe: %v", err)
	}
	if got, err := io.ReadAll(reader); string(got) != "report" || err != nil {
		t.Errorf("the pipe got %q, %v", got, err)
	}
}

// A name of the system's for a file that is open, as /dev/stdout may be, is written to as the file is: it keeps its mode.
func TestAFileThatIsOpenIsWrittenByItsDescriptor(t *testing.T) {
	f, err := os.OpenFile(filepath.Join(t.TempDir(), "out.md"), os.O_CREATE|os.O_RDWR, 0o640)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if err := errors.Join(f.Chmod(0o640), writeFile(fmt.Sprintf("/dev/fd/%d", f.Fd()), []byte("report"), true)); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(f.Name())
	if info, _ := f.Stat(); string(got) != "report" || err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%q, %v, %v", got, info.Mode(), err)
	}
}

// A report to a pipe that nobody reads is refused, and not waited for.
func TestAReportToAPipeThatNobodyReads(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.md")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- writeFile(pipe, []byte("report"), true) }()
	select {
	case err := <-done:
		if err == nil || !strings.HasSuffix(err.Error(), "it is a pipe, and nobody reads it") {
			t.Errorf("%v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for somebody to read")
	}
}
