package cli

import (
	"regexp"

	"github.com/spf13/cobra"

	"belay/internal/caution"
)

// wordOfShell is a name that a shell takes as it is: others are not proposed.
var wordOfShell = regexp.MustCompile(`^[A-Za-z0-9_@./+-]+$`)

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
		if wordOfShell.MatchString(s.Name) {
			out = append(out, s.Name)
		}
	}
	return out
}
