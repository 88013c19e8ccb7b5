package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"belay/internal/demo"
)

func newDemo(s std) *cobra.Command {
	var addr string
	var login bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "The built-in demo server by itself, over stdin and stdout or over HTTP",
		Long: "The demo server that belay runs when no other is named: tools that stop quietly, answer too late, " +
			"flood, fail, crash. Any MCP client can run it as: belay demo\n\n" +
			"With --http it serves every revision at one address: Streamable HTTP at /mcp, and the HTTP+SSE of " +
			"2024-11-05 at /sse. It listens on this machine only, unless the address names another one.\n\n" +
			"With --login it lets no tool be called without a login, and is the authorization server for that itself: " +
			"opening its page is saying yes.",
		Example: "belay demo\nbelay demo --http :8080\nbelay demo --http :8080 --login",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("what is %q to be? The demo server takes flags only: --http ADDRESS has it serve over HTTP", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("http") {
				return runDemoHTTP(cmd.Context(), s, addr, login)
			}
			if login {
				return usage("--login needs --http: there are logins only over HTTP")
			}
			return runDemo(cmd.Context(), s)
		},
	}
	cmd.Flags().StringVar(&addr, "http", "", "serve over HTTP at this `address`: 8080 or :8080 is a port of 127.0.0.1, 0 any that is free")
	cmd.Flags().BoolVar(&login, "login", false, "with --http: call no tool without a login, at an authorization server on the same address")
	return cmd
}

func runDemo(ctx context.Context, s std) error {
	if err := demo.Run(ctx, s.in, s.out, s.err); err != nil {
		return cannotConnect(fmt.Errorf("the demo server ended: %w", err))
	}
	return nil
}

// runDemoHTTP serves until a signal ends it.
func runDemoHTTP(ctx context.Context, s std, addr string, login bool) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := demo.RunHTTP(ctx, addr, login, s.out, s.err); {
	case err == nil:
		return nil
	case errors.Is(err, demo.ErrAddress):
		return usage("%w", err)
	default:
		return cannotConnect(err)
	}
}
