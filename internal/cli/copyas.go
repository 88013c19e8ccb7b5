package cli

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"belay/internal/arguments"
	"belay/internal/shell"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/session/secret"
)

// screenOnly are the flags that mean nothing to a call without a screen, or that shall
// not be repeated by whoever is handed its command line.
var screenOnly = []string{
	"record", "record-unmasked", "watch", "confirm", "trust", "notify", "no-mouse", "no-motion", "ascii", "no-memory", "keep-tasks", "yes",
}

// CommandLine implements ui.Backend.
func (b *backend) CommandLine(call *session.Detail, tool string, args []byte) (line string, hidden bool, err error) {
	if strings.HasPrefix(tool, "-") || isAddress(tool) {
		return "", false, errors.New("a tool of that name cannot be called from a command line")
	}
	words, hidden := callWords(b.target, b.typed, copied{call, tool, args, b.breaksSchema(tool, args)}, b.hides())
	return shell.Join(words...), hidden, nil
}

// breaksSchema reports whether the arguments are none that the tool takes: without a word for
// it a call from the command line is not sent then.
func (b *backend) breaksSchema(tool string, args []byte) bool {
	var found *mcp.Item
	b.View(func(s *session.Session) {
		tools := s.Catalog().Lists[mcp.Tools]
		for _, list := range [][]mcp.Item{tools.Items, tools.Excluded} {
			if i := slices.IndexFunc(list, func(it mcp.Item) bool { return it.Name == tool }); i >= 0 && found == nil {
				found = &list[i]
			}
		}
	})
	if found == nil {
		return false
	}
	_, faults := arguments.Build(context.Background(), found.InputSchema, nil, args)
	return len(faults) > 0
}

// copied is a call of a tool that is to be written as a command line.
type copied struct {
	call      *session.Detail
	tool      string
	args      []byte
	unchecked bool // they break the schema of the tool
}

// callWords are the words of the call of a tool, as belay takes them, with what is
// secret as asterisks. Hidden is true if a secret was masked.
func callWords(t target, set *pflag.FlagSet, c copied, mask *secret.Mask) (words []string, hidden bool) {
	conceal := func(word string) string {
		masked := mask.RedactText(word)
		hidden = hidden || masked != word
		return masked
	}
	redact := func(object []byte) string {
		masked := mask.Redact(bytes.Clone(object))
		hidden = hidden || !bytes.Equal(masked, object)
		return string(masked)
	}
	words = []string{"belay", "call"}
	if t.http.Endpoint != "" && !isNamed(set) {
		words = append(words, conceal(t.shown[0]))
	}
	words = append(words, conceal(c.tool))
	if len(c.args) > 0 && string(c.args) != "{}" {
		words = append(words, "--json", redact(c.args))
	}
	if c.unchecked {
		words = append(words, "--unchecked")
	}
	own := optionsOf(c.call, set)
	for _, o := range own {
		words = append(words, o.words(conceal)...)
	}
	if meta := mcp.MetaOf(c.call.Params); meta != nil {
		words = append(words, "--meta", redact(meta))
	}
	if set != nil {
		set.Visit(func(f *pflag.Flag) {
			if !slices.Contains(screenOnly, f.Name) && !slices.ContainsFunc(own, func(o callOption) bool { return o.name == f.Name }) {
				words = append(words, flagWords(f, conceal)...)
			}
		})
	}
	if t.http.Endpoint == "" && !t.demo && !isNamed(set) {
		words = append(words, "--")
		for _, w := range t.shown[wrapped(set):] {
			words = append(words, conceal(w))
		}
	}
	return words, hidden
}

// wrapped is how many words of --wrap stand in front of the server's command.
func wrapped(set *pflag.FlagSet) int {
	if set == nil {
		return 0
	}
	wrap, _ := set.GetStringArray("wrap")
	return len(wrap)
}

// callOption is an option of one call, as a flag; empty: a flag without a value.
type callOption struct{ name, value string }

func (o callOption) words(conceal func(string) string) []string {
	if o.value == "" {
		return []string{"--" + o.name}
	}
	return []string{"--" + o.name + "=" + conceal(o.value)}
}

// optionsOf are the options that a call had in its form, where the session's are others.
func optionsOf(d *session.Detail, set *pflag.FlagSet) (all []callOption) {
	add := func(name, value string) { all = append(all, callOption{name, value}) }
	if ttl, wishes := mcp.WishesTask(d.Params); wishes {
		add("task", "")
		if ttl > 0 {
			add("ttl", wording.ShortDuration(ttl))
		}
	}
	if d.Task == nil { // the limits of a call that runs on as a task are taken away
		idle, most := d.Idle, d.Max
		if idle > 0 && most > 0 && idle > most { // which never comes, and belay says so
			idle = -1
		}
		if isTyped(set, "timeout") || d.Idle != sessionLimit(set, "timeout") {
			add("timeout", limitWord(idle))
		}
		if most != sessionLimit(set, "max-timeout") {
			add("max-timeout", limitWord(most))
		}
	}
	if d.Rules.After > 0 {
		add("cancel-after", wording.ShortDuration(d.Rules.After))
	}
	if at := string(wording.CancelAt(&d.Rules)); at != "" {
		add("cancel-at", strings.ReplaceAll(at, " ", ""))
	}
	if d.Rules.Reason != "" {
		add("reason", d.Rules.Reason)
	}
	if d.NoProgress {
		add("no-progress", "")
	}
	return all
}

func isTyped(set *pflag.FlagSet, name string) bool { return set != nil && set.Changed(name) }

// sessionLimit is the limit of a session's calls that a flag names; negative: none.
func sessionLimit(set *pflag.FlagSet, name string) time.Duration {
	text := defaultLimits[name].String()
	if set != nil {
		text = set.Lookup(name).Value.String()
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d
	}
	return -1
}

// defaultLimits are those of a session without such flags.
var defaultLimits = map[string]time.Duration{"timeout": defaultTimeout, "max-timeout": defaultMaxTimeout}

func limitWord(d time.Duration) string {
	if d < 0 {
		return "0"
	}
	return wording.ShortDuration(d)
}

// isNamed reports whether the server was named by an entry of a config file.
func isNamed(set *pflag.FlagSet) bool {
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
		if secret.IsName(f.Name) && !strings.Contains(v, "${") { // which may be too short to be masked by its value
			words = append(words, "--"+conceal(f.Name+"="+v))
			continue
		}
		words = append(words, "--"+f.Name+"="+conceal(v))
	}
	return words
}
