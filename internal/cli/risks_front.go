package cli

import (
	"slices"
	"strings"
)

// front is a program that runs the command behind it.
type front struct {
	valued    string   // its options of one letter that have a value
	longs     []string // those of a word, where the value is a word of its own
	own       int      // how many words that are no options stand before the command
	only      string   // which words those may be for a command to stand behind; empty: any
	variables bool     // NAME=value before the command sets a variable
	splits    bool     // -S is a line of words that stand in its place
}

// fronts are those that a command most often begins with. Like the lists of variables
// they are a help to the eye, and never complete.
var fronts = map[string]front{
	"env":     {valued: "uCa", longs: []string{"unset", "chdir", "argv0"}, variables: true, splits: true},
	"sudo":    {valued: "ugUhpCcrtTDRa", longs: []string{"user", "group", "host", "prompt", "chdir", "chroot", "close-from", "other-user", "command-timeout"}, variables: true},
	"doas":    {valued: "uCa"},
	"pkexec":  {longs: []string{"user"}},
	"nice":    {valued: "n", longs: []string{"adjustment"}},
	"ionice":  {valued: "cn", longs: []string{"class", "classdata"}},
	"chrt":    {valued: "TPD", own: 1},
	"taskset": {own: 1},
	"nohup":   {},
	"setsid":  {},
	"timeout": {valued: "sk", longs: []string{"signal", "kill-after"}, own: 1},
	"stdbuf":  {valued: "ioe", longs: []string{"input", "output", "error"}},
	"time":    {valued: "fo", longs: []string{"format", "output"}},
	"busybox": {}, "toybox": {},
	"npx":    {valued: "pcw", longs: []string{"package", "call", "workspace", "registry", "prefix", "cache", "userconfig"}},
	"npm":    {valued: "cw", longs: []string{"package", "call", "workspace", "registry", "prefix", "cache", "userconfig"}, own: 1, only: "exec x"},
	"pnpm":   {valued: "CF", longs: []string{"package", "dir", "filter"}, own: 1, only: "exec dlx"},
	"pipx":   {valued: "i", longs: []string{"spec", "python", "pip-args", "index-url"}, own: 1, only: "run"},
	"bunx":   {valued: "p", longs: []string{"package"}},
	"bun":    {valued: "p", longs: []string{"package", "cwd"}, own: 1, only: "x"},
	"yarn":   {valued: "p", longs: []string{"package", "cwd"}, own: 1, only: "dlx exec"},
	"deno":   {valued: "cL", longs: []string{"config", "import-map", "lock", "location", "seed", "cert", "log-level", "ext"}, own: 1, only: "run serve"},
	"uv":     {valued: "p", longs: []string{"with", "with-editable", "with-requirements", "python", "project", "directory", "env-file", "index", "extra", "group"}, own: 1},
	"uvx":    {valued: "pw", longs: []string{"from", "with", "with-editable", "with-requirements", "python", "index", "index-url", "extra-index-url"}},
	"poetry": {valued: "PC", longs: []string{"project", "directory"}, own: 1},
	"bundle": {own: 1},
	"xargs":  {valued: "IiadELlnPs", longs: []string{"arg-file", "delimiter", "max-lines", "max-args", "max-procs", "max-chars", "replace", "process-slot-var"}},
}

// longestFront bounds how many programs in front of each other are looked behind.
const longestFront = 32

// unfronted are a command line and those that it runs: each without the program in front
// of the one before it, and with the variables that this sets.
func unfronted(c commandLine) []commandLine {
	all := []commandLine{c}
	for len(all) <= longestFront && len(c.argv) > 0 {
		f, is := fronts[program(c.argv[0])]
		if !is {
			break
		}
		argv, names := f.behind(c.argv[1:])
		put := c.put
		c = commandLineOf(argv, c.dir, slices.Concat(c.env, names), c.goos)
		c.put = put
		all = append(all, c)
	}
	return all
}

// behind is the command that stands behind the words of a front, with the names of the
// variables that it sets.
func (f front) behind(argv []string) (command, names []string) {
	own := f.own
	for options := true; len(argv) > 0; {
		w := argv[0]
		name, _, isPair := strings.Cut(w, "=")
		switch {
		case options && w == "--":
			options = false
		case options && strings.HasPrefix(w, "-"):
			line, split, taken := f.option(argv)
			if argv = argv[taken:]; split {
				argv = slices.Concat(wordsOfLine(line), argv)
			}
			continue
		case f.variables && isPair:
			names = append(names, name)
		case own > 0 && f.only != "" && !slices.Contains(strings.Fields(f.only), w):
			return nil, names
		case own > 0:
			own--
		default:
			return argv, names
		}
		argv = argv[1:]
	}
	return nil, names
}

// option reads an option, which may take the word behind it. Line is what stands in the
// place of both, if it is split.
func (f front) option(argv []string) (line string, split bool, taken int) {
	w, next := argv[0], ""
	if len(argv) > 1 {
		next = argv[1]
	}
	if name, value, joined := strings.Cut(strings.TrimPrefix(w, "--"), "="); strings.HasPrefix(w, "--") {
		begins := func(long string) bool { return strings.HasPrefix(long, name) } // any beginning does
		switch split = f.splits && begins("split-string"); {
		case joined:
			return value, split, 1
		case split, slices.ContainsFunc(f.longs, begins):
			return next, split, min(2, len(argv))
		}
		return "", false, 1
	}
	for i, c := range w[1:] {
		value := w[1+i+len(string(c)):]
		split = f.splits && c == 'S'
		switch {
		case !split && !strings.ContainsRune(f.valued, c):
		case value != "":
			return value, split, 1
		default:
			return next, split, min(2, len(argv))
		}
	}
	return "", false, 1
}

// wordsOfLine are the words that env makes of a line.
func wordsOfLine(line string) []string {
	return strings.Fields(strings.NewReplacer(`"`, "", "'", "", `\_`, " ", `\t`, " ", `\n`, " ", `\v`, " ", `\f`, " ", `\r`, " ", `\`, "").Replace(line))
}
