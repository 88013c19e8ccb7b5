package config

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"sync"
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
