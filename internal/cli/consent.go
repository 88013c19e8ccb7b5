package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/suspect"
	"belay/mcpclient/config"
	"belay/ui/chooser"
)

// mayRun shows an entry and asks whether it may run. Only y is yes. Of variables
// only the names are shown. With trouble nobody knows what was allowed before.
func (t *ttyPrompter) mayRun(o *config.Opened, facts config.Facts, trouble string) bool {
	s := o.Server
	if s.Transport != config.Stdio {
		return t.mayConnect(o, facts, trouble)
	}
	argv, dir := s.Shown(facts)
	if dir == "" {
		dir = facts.Dir
	}
	changed := "the entry has changed"
	q := sheet{head: "A config file names a program to run:"}
	q.entry(s)
	q.add("command", each(word, argv)...)
	q.add("directory", piece{text: dir, kind: bare})
	if len(s.Env) > 0 {
		q.add("variables", each(word, names(s.Env))...)
	}
	if s.EnvFile.Raw != "" {
		digest := " (SHA-256 " + o.Vars.Digest[:digestShown] + "…)"
		q.add("and from", append([]piece{{s.EnvFile.Raw, quoted, digest}}, each(word, o.Vars.Names())...)...)
		changed = "the entry or that file has changed"
	}
	q.oddities(s)
	all, more := o.Alternatives()
	q.risks(argv, append([]config.Launch{o.Judged()}, all...), slices.Concat(names(s.Env), o.Vars.Names()), runtime.GOOS)
	q.unjudged(more)
	q.tail = "This is dangerous if you do not trust the file: the program runs with your\n" +
		"rights. It can read, change and delete whatever you can.\n" +
		q.asks(changed, trouble)
	return t.allows(&q, "Run it?")
}

// asks tells how often the question is asked, and what trouble there is with what
// was allowed before.
func (q *sheet) asks(changed, trouble string) string {
	if trouble == "" {
		return "You are asked once, and again when " + changed + "."
	}
	q.add("mind", piece{text: "what you allowed before does not count:"}, piece{text: trouble, kind: bare})
	return "You are asked each time, until that is mended."
}

// digestShown is how much of a digest is shown, in hex digits: enough to compare.
const digestShown = 16

// entry says which entry of which file it is.
func (q *sheet) entry(s *config.Server) {
	q.add("server", piece{text: s.Name, kind: quoted})
	q.add("from", piece{text: s.File.Path, kind: bare, after: fmt.Sprintf(":%d", s.Line())})
}

// mayConnect shows an entry over HTTP, and asks whether it may be reached.
func (t *ttyPrompter) mayConnect(o *config.Opened, facts config.Facts, trouble string) bool {
	s := o.Server
	address, _ := s.Shown(facts)
	q := sheet{head: "A config file names a server to connect to:"}
	q.entry(s)
	q.add("address", each(word, address)...)
	q.host(o.Judged().URL, s.URL.Raw)
	q.oddities(s)
	if len(s.Headers) > 0 {
		q.add("it gets", append([]piece{{text: "these header fields:"}}, each(word, names(s.Headers))...)...)
	}
	refs := s.References()
	if len(refs) > 0 {
		q.add("with", append([]piece{{text: "the values of"}}, each(word, refs)...)...)
	}
	if r, _, is := readableOf(o); is {
		q.add("mind", append(each(word, r.What), piece{text: "would be sent without TLS: whoever is on the way can read it"})...)
	} else {
		all, more := o.Alternatives()
		if i := slices.IndexFunc(all, func(l config.Launch) bool { _, is := readable(sentTo(l)); return is }); i >= 0 {
			r, _ := readable(sentTo(all[i]))
			q.add("mind", append(each(word, r.What), piece{text: "would be sent without TLS with a choice of its inputs; you are asked again before that"})...)
		}
		q.unjudged(more)
	}
	q.tail = "That server gets what you type and answer"
	if len(s.Headers)+len(refs) > 0 {
		q.tail += ", and the values of all these, which\nmay be secrets of yours"
	}
	q.tail += ".\n" + q.asks("the entry has changed", trouble)
	return t.allows(&q, "Connect?")
}

// host shows the host of an address in both its forms, where it is written with letters
// beyond ASCII, and which other host a reader may take it for. Written is the address as
// the file has it: the value of a variable in it is not shown.
func (q *sheet) host(leads, written string) {
	u := suspect.Judge(leads)
	reads := cmp.Or(u.Unicode, u.Spelled) // letters such as a fullwidth g are of ASCII to the network
	switch isShown := suspect.Judge(written).Host == u.Host; {
	case u.Unreadable:
		q.add("mind", piece{text: u.Refused})
	case reads == "":
		return
	case isShown:
		q.add("host", piece{text: u.Host, kind: word}, piece{text: "reads"}, piece{text: reads, kind: quoted})
		if u.Like != "" {
			q.add("mind", piece{text: "it looks like"}, piece{text: u.Like, kind: word, after: ","}, piece{text: "and is another"})
		}
	default:
		q.add("mind", piece{text: "its host has letters beyond ASCII"})
		if u.Like != "" {
			q.add("mind", piece{text: "it looks like another, of ASCII"})
		}
	}
	if u.Unicode == "" && u.Spelled != "" {
		q.add("mind", piece{text: "the host is written in unusual characters"})
	}
	if len(u.Mixes) > 0 {
		q.add("mind", piece{text: "the host mixes the letters of " + u.Mixes[0]})
	}
}

// unjudged says that not all that an entry may become was looked at.
func (q *sheet) unjudged(more bool) {
	if more {
		q.add("mind", piece{text: "its inputs have more choices than belay looks through"})
	}
}

// oddities tell of an entry that its file does not want to be started, and of
// keys of it that do nothing.
func (q *sheet) oddities(s *config.Server) {
	if s.Disabled {
		q.add("mind", piece{text: "the file has it disabled"})
	}
	var keys []piece
	for i, k := range s.Ignored {
		after := ","
		if i == len(s.Ignored)-1 {
			after = ":"
		}
		if k.Near != "" {
			after = " (" + k.Near + "?)" + after
		}
		keys = append(keys, piece{k.Name, quoted, after})
	}
	switch len(keys) {
	case 0:
	case 1:
		q.add("ignored", append(keys, piece{text: "belay does not know it"})...)
	default:
		q.add("ignored", append(keys, piece{text: "belay does not know these"})...)
	}
}

// unread asks whether an entry is meant although a nearer file cannot be read, which may
// have one of the same name. Beside the list that file is named too, and is easily missed.
func (t *ttyPrompter) unread(s *config.Server, failure error) bool {
	q := sheet{head: "A nearer config file cannot be read. It may have a server of this name, too:"}
	q.add("not read", piece{text: failure.Error(), kind: bare})
	q.entry(s)
	return t.allows(&q, "Take the server of this file all the same?")
}

// yes asks; only y is yes.
func (t *ttyPrompter) yes(question string) bool {
	answer, err := t.line(question)
	return err == nil && isYes(answer)
}

func isYes(answer string) bool {
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}

func names(pairs []config.Pair) []string {
	var out []string
	for _, p := range pairs {
		out = append(out, p.Name)
	}
	return out
}

// plainWord is a word that can stand without quotes: nothing in it could be
// taken for two, or for something else.
var plainWord = whenNeeded(`^[A-Za-z0-9_@%+=:,./~^${}-]+$`)

// words are the words of a command line, those that need it in quotes.
func words(argv []string) safe.Text {
	var out []string
	for _, word := range argv {
		if plainWord().MatchString(word) {
			out = append(out, word)
		} else {
			out = append(out, string(safe.Quoted(word)))
		}
	}
	return safe.Text(strings.Join(out, " "))
}

// notice says which entry of which file is run, and where others of its name
// are.
func notice(s *config.Server, further []*config.Server) string {
	doing := "running"
	if s.Transport != config.Stdio && s.Err == nil {
		doing = "connecting to"
	}
	line := fmt.Sprintf("belay: %s %s of %s", doing, safe.Quoted(s.Name), safe.Line(s.File.Path))
	if s.Disabled {
		line += ", which has it disabled"
	}
	for i, other := range further {
		if i == 0 {
			line += "; the name also stands in"
		}
		line += " " + string(safe.Line(other.File.Path))
	}
	return line
}

// pick asks which of the servers to run. They are listed under their files; those that
// could not be read are named below.
func (t *ttyPrompter) pick(all []*config.Server, failed []error) (*config.Server, error) {
	o := chooser.Options{Title: "Which server?", ASCII: t.ascii, Suspend: func() tea.ExecCommand { return &halt{tty: t.in, left: t.left} }}
	for _, err := range failed {
		o.Notes = append(o.Notes, "not read: "+safe.LineN(err.Error(), noteMost))
	}
	list := chooser.New(choices(all), o)
	if err := t.show(list); err != nil {
		return nil, err
	}
	i, ok := list.Chosen()
	if !ok {
		return nil, declined("nothing was run")
	}
	return all[i], nil
}

// noteMost is how much of a line of the list is made, in characters: it is cut to what
// fits when it is drawn.
const noteMost = 1000

func choices(all []*config.Server) (out []chooser.Choice) {
	for _, s := range all {
		path := safe.LineN(s.File.Path, noteMost)
		c := chooser.Choice{Name: s.Name, About: safe.Cut(summary(s, mostWidth), noteMost), Group: path}
		c.From = path + safe.Text(fmt.Sprintf(":%d", s.Line()))
		if s.Disabled {
			c.About = "disabled: " + c.About
		}
		out = append(out, c)
	}
	return out
}

// summary is what an entry runs, or where its server is, or what is wrong with
// it. It is for choosing, so it may be cut.
func summary(s *config.Server, width int) safe.Text {
	switch {
	case s.Err != nil:
		return safe.LineN(s.Err.Where(), 4*width)
	case s.Transport == config.Stdio:
		argv := []string{s.Command.Raw}
		for _, a := range s.Args {
			argv = append(argv, a.Raw)
		}
		return words(argv)
	}
	text := safe.Text(s.Transport.String())
	if origin := s.Origin(); origin != "" { // there is none while the host is a ${…}
		text += ": " + safe.LineN(origin, width)
	}
	return text
}
