package termtest

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// PNG renders an SVG with rsvg-convert, at twice its size, into the file at
// path. If rsvg-convert is missing, the error says what to install.
func PNG(svg []byte, path string) error {
	cmd := exec.Command("rsvg-convert", "--format", "png", "--zoom", "2", "--output", path)
	cmd.Stdin = bytes.NewReader(svg)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("rsvg-convert is needed for PNG files and was not found; "+
			"on Debian: apt-get install librsvg2-bin fonts-jetbrains-mono fonts-noto-cjk: %w", err)
	case err != nil:
		return fmt.Errorf("rsvg-convert could not write %s: %w: %s", path, err, strings.TrimSpace(stderr.String()))
	}
	return nil
}
