package cli

import "github.com/spf13/cobra"

// about has one line for each paragraph: how wide they are is up to the terminal.
const about = "belay runs an MCP server, calls its tools by hand, shows every request in flight, " +
	"stops any of them with one key and a reason, and reports what the server really did.\n\n" +
	"Without a command it runs its own demo server. With -s it runs one that a config file names: mcp.json " +
	"or .mcp.json, Claude Desktop's, VS Code's or Cursor's, the nearest first.\n\n" +
	"It ends with 0 when you quit, also before there is a connection; 2 for a wrong " +
	"command line, or without a terminal; 3 if the server could not be reached, or was lost; 7 if the screen failed. Commands say what theirs are."

const examples = `belay
belay https://example.com/mcp
belay -- npx -y @modelcontextprotocol/server-everything stdio
belay -s files
belay -c .vscode/mcp.json
belay --protocol 2025-06-18 --record run.jsonl -- ./my-server --verbose
belay call -s files read_file --arg path=README.md
belay replay run.jsonl`

func newRoot(s std) *cobra.Command {
	var f flags
	var look looks
	var entry entryFlags
	cmd := &cobra.Command{
		Use:     "belay",
		Short:   "Call, watch and cancel: an interactive terminal client for MCP servers",
		Long:    about,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if _, err := look.options(false); err != nil {
				return err
			}
			if entry.isUsed() && len(args) > 0 {
				return usage("there are two servers: that of -s or -c, and %q", args[0])
			}
			server, err := command(args, cmd.ArgsLenAtDash(), cmd.SuggestionsFor)
			if err == nil || entry.isUsed() { // nobody is asked anything for the sake of no screen
				if refused := s.lacksScreen(); refused != nil {
					return refused
				}
			}
			if entry.isUsed() {
				server, err = entry.target(s, &f, &look)
			}
			if err != nil {
				return err
			}
			if server, err = server.with(&f); err != nil {
				return err
			}
			if err := entry.warnReadable(s, server, newTTYPrompter(s, &look), &look); err != nil {
				return err
			}
			return runTUI(s, server, &f, look)
		},
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return wrongFlag(err) })
	entry.add(cmd.Flags())
	f.add(cmd.Flags())
	f.says = s.says
	look.add(cmd.Flags())
	cmd.AddCommand(newCall(s), newLs(s), newAudit(s), newDemo(s), newMan(s), newReplay(s), newReport(s))
	setCompletions(cmd, &entry)
	return cmd
}
