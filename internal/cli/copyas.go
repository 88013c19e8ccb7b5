package cli

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"belay/internal/shell"
	"belay/session/secret"
)

// screenOnly are the flags that mean nothing to a call without a screen, or that shall
// not be repeated by whoever is handed its command line.
var screenOnly = []string{
	"record", "record-unmasked", "watch", "confirm", "trust", "notify", "no-mouse", "no-motion", "ascii", "wrap", "no-memory", "keep-tasks", "yes",
	"env-file",
}

// CommandLine implements ui.Backend.
func (b *backend) CommandLine(tool string, arguments []byte) (line string, hidden bool, err error) {
	if strings.HasPrefix(tool, "-") || isAddress(tool) {
		return "", false, errors.New("a tool of that name cannot be called from a command line")
	}
	words, hidden := callWords(b.target, b.typed, tool, arguments, b.hides())
	return shell.Join(words...), hidden, nil
}

// callWords are the words of the call of a tool, as belay takes them, with what is
// secret as asterisks. Hidden is true if a secret was masked.
func callWords(t target, set *pflag.FlagSet, tool string, arguments []byte, mask *secret.Mask) (words []string, hidden bool) {
	conceal := func(word string) string {
		masked := mask.RedactText(word)
		hidden = hidden || masked != word
		return masked
	}
	words = []string{"belay", "call"}
	if t.http.Endpoint != "" && !named(set) {
		words = append(words, conceal(t.shown[0]))
	}
	words = append(words, conceal(tool))
	if len(arguments) > 0 && string(arguments) != "{}" {
		masked := mask.Redact(bytes.Clone(arguments))
		hidden = hidden || !bytes.Equal(masked, arguments)
		words = append(words, "--json", string(masked))
	}
	if set != nil {
		set.Visit(func(f *pflag.Flag) {
			if !slices.Contains(screenOnly, f.Name) {
				words = append(words, flagWords(f, conceal)...)
			}
		})
	}
	if t.http.Endpoint == "" && !t.demo && !named(set) {
		words = append(words, "--")
		for _, w := range t.shown {
			words = append(words, conceal(w))
		}
	}
	return words, hidden
}

// named reports whether the server was named by an entry of a config file.
func named(set *pflag.FlagSet) bool {
	return set != nil && (set.Changed("server") || set.Changed("config"))
}

// flagWords are a flag as it is written, once for each of its values.
func flagWords(f *pflag.Flag, conceal func(string) string) (words []string) {
	if f.Value.Type() == "bool" {
		if f.Value.String() == "true" {
			return []string{"--" + f.Name}
		}
		return []string{"--" + f.Name + "=" + f.Value.String()}
	}
	values := []string{f.Value.String()}
	if many, ok := f.Value.(pflag.SliceValue); ok {
		values = many.GetSlice()
	}
	for _, v := range values {
		if secret.Named(f.Name) && !strings.Contains(v, "${") { // which may be too short to be masked by its value
			words = append(words, "--"+conceal(f.Name+"="+v))
			continue
		}
		words = append(words, "--"+f.Name+"="+conceal(v))
	}
	return words
}
