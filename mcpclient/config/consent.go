package config

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"belay/mcpclient/settings"
)

// Consents remembers what the user has allowed: a file of lines with a hash and,
// for people, the two words that it stands for. Path is where it is; empty:
// nothing is remembered.
type Consents struct{ Path string }

// Question is something that the user is asked to allow once.
type Question interface {
	Fingerprint() string      // what the consent is for
	label() (what, of string) // for people
}

// Readable is the question whether credentials may go over HTTP without TLS.
type Readable struct {
	Origin string   // where they go
	What   []string // what they are called
}

// Fingerprint implements [Question].
func (r Readable) Fingerprint() string {
	return fingerprint(append([]string{"readable", r.Origin}, r.What...))
}

func (r Readable) label() (what, of string) { return r.Origin, strings.Join(r.What, " ") }

func (s *Opened) label() (what, of string) { return s.File.Path, s.Name }

func fingerprint(parts []string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Fingerprint is what a consent is for: this entry, word for word, under this
// name in this file, with its envFile byte for byte, and with all that the file says of
// the inputs that it takes. It holds nothing that could
// be read back from it; comments and line breaks of the entry do not count.
func (s *Opened) Fingerprint() string {
	v := jsontext.Value(append([]byte(nil), s.raw...))
	_ = v.Compact() // it was read as JSON; as it is it would do, too
	parts := []string{s.File.Path, s.File.Folder, s.Name, string(v)}
	if s.Vars.Digest != "" {
		parts = append(parts, s.Vars.Digest)
	}
	for _, in := range s.inputs() {
		parts = append(parts, "input", in.ID, in.Description, strconv.FormatBool(in.Password), strconv.FormatBool(in.HasDefault), in.Default)
		for _, o := range in.Options {
			parts = append(parts, "option", o.Label, o.Value)
		}
	}
	return fingerprint(parts)
}

// Has reports whether the user has allowed this. A file that others may
// write to, or replace, allows nothing: the error is a [*settings.Error] then. What is
// no regular file allows nothing, either: a [*settings.IrregularError].
func (c Consents) Has(q Question) (bool, error) {
	if c.Path == "" {
		return false, nil
	}
	if err := c.trusted(); err != nil {
		return false, err
	}
	f, err := c.open(os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }()
	want := q.Fingerprint()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if hash, _, _ := strings.Cut(lines.Text(), " "); hash == want {
			return true, nil
		}
	}
	return false, lines.Err()
}

func (c Consents) open(flags int) (*os.File, error) {
	f, err := settings.Open(c.Path, flags)
	if odd := new(settings.IrregularError); errors.As(err, &odd) {
		err = fmt.Errorf("%w: move it away", err)
	}
	return f, err
}

// trusted looks at who may write to the file and to where it is.
func (c Consents) trusted() error {
	if err := settings.Check(filepath.Dir(c.Path)); err != nil {
		return err
	}
	return settings.Check(c.Path)
}

// labelMost bounds what a consent is for, as the file of consents says it, in bytes.
const labelMost = 64

// Add remembers that the user has allowed this. Only the user can read
// and write the file. Nothing is written where others may write.
func (c Consents) Add(q Question) error {
	if c.Path == "" {
		return errors.New("there is no directory for the user's settings")
	}
	if err := os.MkdirAll(filepath.Dir(c.Path), 0o700); err != nil {
		return err
	}
	if err := c.trusted(); err != nil {
		return err
	}
	f, err := c.open(os.O_WRONLY | os.O_CREATE | os.O_APPEND)
	if err != nil {
		return err
	}
	what, of := q.label()
	if len(of) > labelMost {
		of = of[:labelMost] + "…"
	}
	line := q.Fingerprint() + " " + strconv.Quote(what) + " " + strconv.Quote(of) + "\n"
	if _, err = f.WriteString(line); err == nil {
		err = f.Chmod(0o600) // also where an older file was open to others
	}
	return errors.Join(err, f.Close())
}
