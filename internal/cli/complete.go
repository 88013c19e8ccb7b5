package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"belay/internal/caution"
)

// wordOfShell is a name that a shell takes as it is, and belay as no option: others are not proposed.
var wordOfShell = whenNeeded(`^[A-Za-z0-9_@./+][A-Za-z0-9_@./+-]*$`)

// setCompletions tells the shell which values the flags take: what "belay completion"
// writes asks belay for them by each press of tab.
func setCompletions(cmd *cobra.Command, entry *entryFlags) {
	fixed := func(words []string) cobra.CompletionFunc {
		return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	}
	for name, propose := range map[string]cobra.CompletionFunc{
		"protocol": fixed(append([]string{auto}, revisions()...)),
		"confirm":  fixed(caution.Words()),
		"server": func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return entry.names(), cobra.ShellCompDirectiveNoFileComp
		},
		"cwd":  directories,
		"root": directories,
	} {
		_ = cmd.RegisterFlagCompletionFunc(name, propose) // fails for a flag that is not there, which a test would see
	}
	for _, name := range []string{"reason", "timeout", "max-timeout", "grace", "ping-every", "max-message", "header", "client-id", "client-issuer", "client-redirect", "client-metadata", "client-secret", "env"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// askShell has "belay completion" without one of its shells say which there are, where cobra
// shows a help and ends as if all were well. The scripts go where the output of the root goes now.
func askShell(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		var shells []string
		for _, shell := range cmd.Commands() {
			shells = append(shells, shell.Name())
		}
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("which shell? belay completion %s", strings.Join(shells, "|"))
			}
			return usage("there are no completions for %q; there are some for %s", args[0], strings.Join(shells, ", "))
		}
	}
}

func directories(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// names are the servers of the config files that would be looked in. What is wrong
// with a file is said when a server is run.
func (e *entryFlags) names() (out []string) {
	sys, facts, err := environment()
	if err != nil {
		return nil
	}
	found, err := e.gather(sys, facts.Dir)
	if err != nil {
		return nil
	}
	for _, s := range found.Servers() {
		if wordOfShell().MatchString(s.Name) {
			out = append(out, s.Name)
		}
	}
	return out
}
