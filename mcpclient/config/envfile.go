package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"belay/mcpclient/reason"
)

// EnvFile is a file of variables, read once: what it holds later does not count.
type EnvFile struct {
	Vars   []string // NAME=value, in the file's order; may be secret
	Digest string   // SHA-256 of the file's bytes, in hex
}

// Names are the names of the variables, each once, in the file's order.
func (e EnvFile) Names() []string {
	var names []string
	for _, v := range e.Vars {
		if name, _, _ := strings.Cut(v, "="); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// ReadEnvFile reads a file of lines NAME=value. Blank lines and lines that begin with # are
// passed over, as is "export" before a name. A value may stand between quotes; between double
// ones \n, \", \\ and \$ are known. Nothing is put in for $NAME. A missing file is an
// [fs.ErrNotExist]; any other fault is an [*Error], which holds no value.
func ReadEnvFile(path string) (EnvFile, error) {
	text, err := readText(path)
	if err != nil {
		return EnvFile{}, err
	}
	return envFileOf(path, text)
}

// ReadTypedEnvFile is [ReadEnvFile] for a file that the user names. That may be a pipe, as a
// shell makes one of <(command). It is read to its end, for [PipeMost] at most. Slow is called
// once where the end has not come after a second.
func ReadTypedEnvFile(path string, slow func()) (EnvFile, error) {
	if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return ReadEnvFile(path)
	}
	text, err := readPipe(path, PipeMost, pipeSlow, slow)
	if err != nil {
		return EnvFile{}, err
	}
	return envFileOf(path, text)
}

// PipeMost is how long the other end of a pipe may take: somebody may have to say there that
// a password store is opened. After pipeSlow the user is told what belay waits for.
const (
	PipeMost = time.Minute
	pipeSlow = time.Second
)

// readPipe reads a pipe that ends within a time, and is no longer than maxFile. What opens a
// pipe whose other end nobody has is left behind: belay ends of the error.
func readPipe(path string, most, soon time.Duration, slow func()) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	read := make(chan result, 1)
	go func() {
		f, err := os.Open(path)
		if err != nil {
			read <- result{nil, err}
			return
		}
		_ = f.SetReadDeadline(time.Now().Add(most)) // where the system has it: the pipe is given back
		text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
		_ = f.Close()
		read <- result{text, err}
	}()
	late := time.NewTimer(most)
	defer late.Stop()
	slowly := time.NewTimer(soon)
	defer slowly.Stop()
	r := result{nil, os.ErrDeadlineExceeded}
wait:
	for {
		select {
		case r = <-read:
			break wait
		case <-late.C:
			break wait
		case <-slowly.C:
			slow()
		}
	}
	wrong := ""
	switch {
	case r.err == nil && len(r.text) <= maxFile:
		return r.text, nil
	case r.err == nil:
		wrong = fmt.Sprintf("it is longer than %d MiB", maxFile>>20)
	case errors.Is(r.err, os.ErrDeadlineExceeded):
		wrong = fmt.Sprintf("it is a pipe, and did not come to its end within %s", most)
	default:
		wrong = "it cannot be read: " + reason.Of(r.err)
	}
	return nil, &Error{File: path, Problem: wrong}
}

// envFileOf is the file with this text.
func envFileOf(path string, text []byte) (EnvFile, error) {
	sum := sha256.Sum256(text)
	vars, err := envLines(&File{Place: Place{Path: path}, text: text})
	return EnvFile{Vars: vars, Digest: hex.EncodeToString(sum[:])}, err
}

// envLines are the variables of a file.
func envLines(f *File) ([]string, error) {
	text := f.text
	var out []string
	offset := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), string(utf8Mark))) {
		at := position{file: f, offset: offset}
		offset += len(line)
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		name = strings.TrimSpace(name)
		if !ok || !envFileName().MatchString(name) {
			return nil, at.problem("this line is not of the form NAME=value")
		}
		if value, ok = unquote(strings.TrimSpace(value)); !ok {
			return nil, at.member(name, at.offset).problem("a quote is missing at the end")
		}
		if strings.ContainsRune(value, 0) {
			return nil, at.member(name, at.offset).problem("this holds a NUL character, which no program can be given")
		}
		out = append(out, name+"="+value)
	}
	return out, nil
}

var (
	envFileName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`) })
	escapes     = strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\\`, `\`, `\$`, `$`)
)

// unquote takes the quotes from a value and the comment from behind it.
func unquote(value string) (string, bool) {
	if value == "" || value[0] != '"' && value[0] != '\'' {
		value, _, _ = strings.Cut(value, " #")
		return strings.TrimSpace(value), true
	}
	quote := value[0]
	for i := 1; i < len(value); i++ {
		switch {
		case value[i] == '\\' && quote == '"':
			i++
		case value[i] == quote && quote == '"':
			return escapes.Replace(value[1:i]), true
		case value[i] == quote:
			return value[1:i], true
		}
	}
	return "", false
}
