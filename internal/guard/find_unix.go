//go:build unix

package guard

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// nameOf is how Linux names a pipe among the files of a process; empty elsewhere, and for
// what is no file.
func nameOf(pipe *os.File) string {
	if runtime.GOOS != "linux" || pipe == nil {
		return ""
	}
	info, err := pipe.Stat()
	if err != nil {
		return ""
	}
	is, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("pipe:[%d]", is.Ino)
}

// find takes the process groups of the servers that were being started when belay ended,
// by their stdin. One that was not begun, or has ended, is not found.
func (left *remains) find(limit time.Duration) {
	for waited := time.Duration(0); len(left.stdins) > 0 && waited < limit; waited += look {
		for stdin, group := range holders(left.stdins) {
			left.groups[group] = true
			delete(left.stdins, stdin)
		}
		if len(left.stdins) > 0 {
			time.Sleep(look)
		}
	}
}

// holders are the process groups of those whose stdin is one of these, by its name.
func holders(stdins map[string]bool) map[string]int {
	found := map[string]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/fd/0")
	for _, file := range files {
		name, err := os.Readlink(file)
		if err != nil || !stdins[name] {
			continue
		}
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(file))))
		if group, err := syscall.Getpgid(id); err == nil && group > 1 {
			found[name] = group
		}
	}
	return found
}
