package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"belay/internal/form"
	"belay/internal/headless"
	"belay/internal/outcome"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
)

// lsFlags are those of a list.
type lsFlags struct {
	serverFlags
	out format
}

// lsKinds are what can be listed, by the words of the command line.
var lsKinds = map[string][]mcp.ListKind{
	"tools": {mcp.Tools}, "prompts": {mcp.Prompts}, "resources": {mcp.Resources, mcp.Templates},
}

func newLs(s std) *cobra.Command {
	var f lsFlags
	cmd := &cobra.Command{
		Use:   "ls [KIND]",
		Short: "List what a server offers, without a screen",
		Long: "Lists the tools, prompts and resources of a server. As text a line has the name, what it takes, and what it is about; " +
			"as JSON each entry is what the server wrote.\n\n" +
			"It ends with 0 if the lists came; 1 if one did not come, or not all of it, which is said; 2 for a wrong command line; 3 if the server could " +
			"not be reached, or was lost; 4 if you gave up; 7 if stdout could not be written.",
		Example:   "belay ls\nbelay ls https://example.com/mcp tools\nbelay ls -o json -- ./my-server | jq -r '.tools[].name'",
		Args:      cobra.ArbitraryArgs,
		ValidArgs: []string{"tools", "prompts", "resources"},
		RunE:      func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args) },
	}
	f.out.add(cmd)
	f.add(cmd)
	f.says = s.says
	return cmd
}

func (f *lsFlags) run(cmd *cobra.Command, s std, args []string) error {
	if err := f.out.check(); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	words, typed, dash, err := f.split(args, cmd.ArgsLenAtDash())
	if err != nil {
		return err
	}
	var kinds []mcp.ListKind
	for _, w := range words {
		if lsKinds[w] == nil {
			return usage("%q cannot be listed: tools, prompts or resources", w)
		}
		kinds = append(kinds, lsKinds[w]...)
	}
	slices.Sort(kinds)
	if kinds = slices.Compact(kinds); len(kinds) == 0 {
		kinds = []mcp.ListKind{mcp.Tools, mcp.Prompts, mcp.Resources, mcp.Templates}
	}
	server, err := f.target(s, typed, dash)
	if err != nil {
		return err
	}
	defer tune()()
	t, err := f.dial(cmd.Context(), s, server)
	if err != nil {
		return err
	}
	defer t.end()
	return f.list(cmd.Context(), t, kinds)
}

func (f *lsFlags) list(ctx context.Context, t *headlessClient, kinds []mcp.ListKind) error {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-t.pressed:
			leave()
		case <-over:
		}
	}()
	failed := false
	lists := map[mcp.ListKind]listed{}
	for _, k := range kinds {
		l, err := t.List(ctx, k)
		var problem *headless.ListError
		switch {
		case errors.As(err, &problem): // what came of it is shown, and so are the others
			_, _ = fmt.Fprintln(t.std.err, safe.Inert("belay: "+safe.LineN(err.Error(), lsProblemMost)))
			failed = true
		case errors.Is(err, context.Canceled):
			return &exitError{code: ExitCancelled, err: errors.New("given up before the lists were there")}
		case err != nil:
			return t.unconnected(err)
		}
		lists[k] = listed{l, problem}
	}
	code := ExitOK
	if failed {
		code = ExitError
	}
	t.insists.wouldEnd(code, false)
	if st := t.Status(); st.Revision != "" { // the server may have been begun again meanwhile
		t.status = st
	}
	for _, words := range negotiatedWords(&t.status) {
		_, _ = fmt.Fprintln(t.std.err, safe.Inert("belay: "+words))
	}
	text := lsText(kinds, lists)
	if f.out == "json" {
		text = lsJSON(&t.status, kinds, lists)
	}
	unwritten := t.insists.write(t.std, text)
	if failed {
		return &exitError{code: ExitError, err: unwritten, told: true}
	}
	return unwritten
}

// listed is a list as it came, and why not all of it did; nil: all did.
type listed struct {
	session.ListView
	problem *headless.ListError
}

// lsProblemMost is how much is shown of why a list did not come, in columns.
const lsProblemMost = 400

// items are the entries of a list, those that must not be called included.
func (l *listed) items() []mcp.Item { return slices.Concat(l.Items, l.More(), l.Excluded) }

// isMissing reports whether nothing of the list came: it is not empty, nobody knows what it holds.
func (l *listed) isMissing() bool { return l.problem != nil && !l.problem.Partial }

// lsProblem is why a list did not come, or not all of it, in the document.
type lsProblem struct {
	List    string `json:"list"`
	Partial bool   `json:"partial"`
	Why     string `json:"why"`
}

// lsMembers are the members of the document that the lists stand in.
var lsMembers = [mcp.NumLists]string{mcp.Tools: "tools", mcp.Prompts: "prompts", mcp.Resources: "resources", mcp.Templates: "resourceTemplates"}

// lsJSON is the lists as a document; docs/call.md tells of it.
func lsJSON(st *session.Status, kinds []mcp.ListKind, lists map[mcp.ListKind]listed) []byte {
	doc := struct {
		Format    string             `json:"format"`
		Version   int                `json:"version"`
		Server    outcome.Server     `json:"server"`
		Tools     *[]json.RawMessage `json:"tools,omitempty"`
		Prompts   *[]json.RawMessage `json:"prompts,omitempty"`
		Resources *[]json.RawMessage `json:"resources,omitempty"`
		Templates *[]json.RawMessage `json:"resourceTemplates,omitempty"`
		Problems  []lsProblem        `json:"problems,omitempty"`
	}{Format: "belay-ls", Version: outcome.Version, Server: outcome.ServerOf(st)}
	places := map[mcp.ListKind]**[]json.RawMessage{mcp.Tools: &doc.Tools, mcp.Prompts: &doc.Prompts, mcp.Resources: &doc.Resources, mcp.Templates: &doc.Templates}
	for _, k := range kinds {
		l := lists[k]
		raws := []json.RawMessage{}
		for _, it := range l.items() {
			if json.Valid(it.Raw) {
				raws = append(raws, it.Raw)
			}
		}
		if l.isMissing() {
			raws = nil // which is null: an empty list is what a server without entries sends
		}
		*places[k] = &raws
		if l.problem != nil {
			doc.Problems = append(doc.Problems, lsProblem{lsMembers[k], l.problem.Partial, l.problem.Problem})
		}
	}
	return outcome.Encode(doc)
}

// lsText is the lists for people.
func lsText(kinds []mcp.ListKind, lists map[mcp.ListKind]listed) []byte {
	var b strings.Builder
	for i, k := range kinds {
		l := lists[k]
		items := l.items()
		if len(kinds) > 1 {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(string(safe.Inert(l.heading(k, len(items)))) + "\n")
		}
		for _, it := range items {
			line := string(wording.NameIn(it.Name, 300))
			if k == mcp.Resources || k == mcp.Templates {
				line = string(safe.LineN(it.URI, 300))
			}
			if takes := takesOf(&it); takes != "" {
				line += " " + takes
			}
			about := it.Description
			if about == "" {
				about = it.Title
			}
			if about = firstLine(about); about != "" {
				line += " - " + string(safe.LineN(about, 300))
			}
			if it.Twins > 0 {
				line += " (" + string(ofOneName(&it)) + ")"
			}
			if it.Unfit != "" {
				line += " (must not be called over HTTP: " + string(safe.LineN(it.Unfit, 200)) + ")"
			}
			b.WriteString(string(safe.Inert(safe.Text(line))) + "\n")
		}
	}
	return []byte(b.String())
}

// ofOneName says that a tool shares its name with others.
func ofOneName(it *mcp.Item) safe.Text {
	return wording.Thousands(it.Twin) + " of " + wording.Thousands(it.Twins) + " of this name: which of them a call reaches is up to the server"
}

// heading is the line above the entries of a list where there are several lists.
func (l *listed) heading(k mcp.ListKind, n int) safe.Text {
	name := safe.Text(k.String())
	if k == mcp.Templates {
		name = "resource templates"
	}
	switch {
	case l.isMissing():
		return name + ": cannot be listed: " + safe.LineN(l.problem.Problem, lsProblemMost)
	case l.problem != nil:
		return name + safe.Text(fmt.Sprintf(" (%d, and not all could be read: ", n)) + safe.LineN(l.problem.Problem, lsProblemMost) + ")"
	case !l.Declared:
		return name + ": the server offers none"
	}
	return name + safe.Text(fmt.Sprintf(" (%d)", n))
}

// takesOf are the names of what a tool or a prompt takes, those that it can do without in
// brackets.
func takesOf(it *mcp.Item) string {
	const most = 12
	var names []string
	add := func(name string, required bool) {
		word := string(wording.NameIn(name, 60))
		if !required {
			word = "[" + word + "]"
		}
		names = append(names, word)
	}
	var schema struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if it.Kind == mcp.Tools && json.Unmarshal(it.InputSchema, &schema) == nil {
		for _, name := range memberNames(schema.Properties) {
			add(name, slices.Contains(schema.Required, name))
		}
	}
	for _, a := range it.Args {
		add(a.Name, a.Required)
	}
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return strings.Join(names, " ")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// memberNames are the names of an object's members in their order.
func memberNames(object []byte) (names []string) {
	members, err := form.ParseObject(object)
	if err != nil {
		return nil
	}
	for _, m := range members {
		names = append(names, m.Name)
	}
	return names
}
