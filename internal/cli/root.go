package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

const about = `belay runs an MCP server, calls its tools by hand, shows every request in flight,
stops any of them with one key and a reason, and reports what the server really did.

Without a command it runs its own demo server.`

const examples = `belay
belay -- npx -y @modelcontextprotocol/server-everything stdio
belay --protocol 2025-06-18 --record run.jsonl -- ./my-server --verbose`

func newRoot(s std) *cobra.Command {
	var f flags
	var look looks
	cmd := &cobra.Command{
		Use:     "belay [flags] [-- COMMAND ARGS…]",
		Short:   "Call, watch and cancel: an interactive terminal client for MCP servers",
		Long:    about,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			argv, err := target(args, cmd.ArgsLenAtDash())
			if err != nil {
				return err
			}
			return runTUI(s, argv, &f, look)
		},
	}
	f.add(cmd.Flags())
	look.add(cmd.Flags())
	cmd.AddCommand(newDemo(s))
	return cmd
}

// target is the command line of the server: what stands behind "--", or the
// demo server.
func target(args []string, dash int) ([]string, error) {
	switch {
	case len(args) == 0 && dash < 0:
		self, err := os.Executable()
		if err != nil {
			return nil, cannotConnect(fmt.Errorf("the demo server cannot be run: belay does not know its own program: %w", err))
		}
		return []string{self, "demo"}, nil
	case dash == 0 && len(args) > 0 && args[0] != "":
		return args, nil
	case dash == 0:
		return nil, usage("there is no command behind --")
	}
	first := args[0]
	if strings.HasPrefix(first, "http://") || strings.HasPrefix(first, "https://") {
		return nil, usage("belay speaks to servers over stdio only, so far: it cannot connect to %s", first)
	}
	return nil, usage("%q is no command of belay; to run a server: belay -- %s", first, strings.Join(args, " "))
}
