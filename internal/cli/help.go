package cli

import (
	"image/color"
	"os"
	"slices"
	"strings"

	"charm.land/fang/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"belay/internal/safe"
)

// helpWidth is how wide the help is set: as the terminal is, up to what fang
// allows, and 80 columns where there is none.
func helpWidth(out *os.File) int {
	width, _, err := term.GetSize(out.Fd())
	if err != nil || width <= 0 {
		return 80
	}
	return min(max(width, leastWidth), mostWidth)
}

// helpColors are colors of the terminal's own palette, and for all that is plain its
// own foreground: they can be read on any background, which is not asked for.
func helpColors(lipgloss.LightDarkFunc) fang.ColorScheme {
	none := lipgloss.NoColor{}
	return fang.ColorScheme{
		Base: none, Description: none, Argument: none, DimmedArgument: none, Comment: none,
		FlagDefault: none, Codeblock: none, Help: none, Dash: none,
		Title: lipgloss.Blue, Program: lipgloss.Cyan, Command: lipgloss.Magenta, Flag: lipgloss.Green,
		QuotedString: lipgloss.Green, ErrorHeader: [2]color.Color{none, none}, ErrorDetails: none,
	}
}

// setHelp breaks all texts of the help into lines of a width: fang breaks none
// that stand beside a name. The commands are good for nothing but help then.
func setHelp(root *cobra.Command, width int) {
	const margin = 2 // in front of what a command is about
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	column := helpColumn(root)
	for _, cmd := range root.Commands() {
		cmd.Long = broken(cmd.Long, width-margin)
		setFlags(cmd.Flags(), width-helpColumn(cmd))
		cmd.Short = broken(cmd.Short, width-column)
	}
	root.Long = broken(root.Long, width-margin)
	setFlags(root.Flags(), width-column)
}

func setFlags(set *pflag.FlagSet, width int) {
	set.VisitAll(func(f *pflag.Flag) {
		text := strings.ReplaceAll(f.Usage, "`", "")
		if !slices.Contains([]string{"", "false", "[]", "0s"}, f.DefValue) {
			text += " (" + shortTime(f) + ")"
		}
		f.Usage, f.DefValue = broken(text, width), ""
	})
}

// helpColumn is where fang begins what it says of a flag or command: behind the
// longest name.
func helpColumn(cmd *cobra.Command) int {
	const around = 4 + 2 // in front of a name, and behind it
	longest := 0
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + " " + name
		}
		longest = max(longest, len(name))
	})
	for _, sub := range cmd.Commands() {
		name := sub.Use
		if sub.HasAvailableSubCommands() {
			name += " [command]"
		}
		if sub.HasAvailableFlags() {
			name += " [--flags]"
		}
		longest = max(longest, len(name))
	}
	return around + longest
}

// broken is a text of belay's own in lines that are no wider than that. Its own
// line breaks stay.
func broken(text string, width int) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" {
			out = append(out, "")
			continue
		}
		for _, l := range safe.Wrap(safe.Text(line), width, 0) {
			out = append(out, string(l))
		}
	}
	return strings.Join(out, "\n")
}

// topic turns the arguments of "help COMMAND" into those by which that command shows its help.
func topic(root *cobra.Command, args []string) ([]string, error) {
	if args[0] != "help" {
		return args, nil
	}
	args = slices.DeleteFunc(slices.Clone(args[1:]), func(a string) bool { return a == "-h" || a == "--help" })
	if _, rest, err := root.Find(args); err != nil || len(rest) > 0 {
		return nil, usage("there is no help on %q", strings.Join(args, " "))
	}
	return append(args, "--help"), nil
}
