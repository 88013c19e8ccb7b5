package cli

import (
	"context"
	"fmt"

	"belay/internal/demo"
)

func runDemo(ctx context.Context, s std) error {
	if err := demo.Run(ctx, s.in, s.out, s.err); err != nil {
		return cannotConnect(fmt.Errorf("the demo server ended: %w", err))
	}
	return nil
}
