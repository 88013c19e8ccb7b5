package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"belay/internal/requirements"
	"belay/internal/termtest"
)

// patience is how long the server on the Go SDK waits for the user.
const patience = 700 * time.Millisecond

// runGoSDK is a server on the Go SDK as it comes, over stdio. Its tools ask the
// user and give up: when the time is over, or because something else happened.
func runGoSDK() error {
	s := mcp.NewServer(&mcp.Implementation{Name: "go-sdk", Version: "1"}, nil)
	asks := func(name string, ask func(context.Context, *mcp.ServerSession) error) {
		mcp.AddTool(s, &mcp.Tool{Name: name}, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			text := "answered"
			if err := ask(ctx, req.Session); err != nil {
				text = "no answer: " + err.Error()
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		})
	}
	elicit := func(ctx context.Context, s *mcp.ServerSession) error {
		_, err := s.Elicit(ctx, &mcp.ElicitParams{
			Message:         "Which color?",
			RequestedSchema: json.RawMessage(`{"type":"object","properties":{"color":{"type":"string"}}}`),
		})
		return err
	}
	asks("form_times_out", func(ctx context.Context, s *mcp.ServerSession) error {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		return elicit(ctx, s)
	})
	asks("form_is_taken_back", func(ctx context.Context, s *mcp.ServerSession) error {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		time.AfterFunc(patience, func() { cancel(errors.New("somebody else knew")) })
		return elicit(ctx, s)
	})
	asks("model_times_out", func(ctx context.Context, s *mcp.ServerSession) error {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		_, err := s.CreateMessage(ctx, &mcp.CreateMessageParams{
			MaxTokens: 20, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "Say hello"}}},
		})
		return err
	})
	return s.Run(context.Background(), &mcp.StdioTransport{})
}

// What a server on the Go SDK gives up waiting for is taken back on the screen,
// and nothing is written for it, whatever is pressed.
func TestTheGoSDKGivesUp(t *testing.T) {
	requirements.Rows(t, "CXS-04", "FR-4", "FR-5", "IT-2")
	for _, tt := range []struct{ tool, question string }{
		{"form_times_out", "Which color?"}, {"form_is_taken_back", "Which color?"}, {"model_times_out", "Say hello"},
	} {
		t.Run(tt.tool, func(t *testing.T) {
			t.Parallel()
			record := plays(t, filepath.Join(t.TempDir(), "session.jsonl"))
			s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
				Cols: 140, Rows: 60, Argv: []string{belay, "--protocol", "2025-11-25", "--record", record, "--", os.Args[0], "gosdk"}, Env: []string{raceOptions},
			})}
			s.See("go-sdk").call(tt.tool).See(tt.question)
			s.See("withdrawn by the server · nothing was sent").See("no answer: ")
			s.Press("ctrl+s", "ctrl+r", "enter", "esc")
			s.Gone("esc dismisses")
			s.Press("q").Exit(0)
			written, err := os.ReadFile(record)
			if err != nil {
				t.Fatal(err)
			}
			asked := false
			for line := range bytes.Lines(written) {
				asked = asked || bytes.Contains(line, []byte(`"op":"received"`)) && bytes.Contains(line, []byte(tt.question))
				if bytes.Contains(line, []byte(`"op":"write"`)) && !bytes.Contains(line, []byte(`\"method\":`)) {
					t.Errorf("an answer was written: %s", line)
				}
			}
			if !asked {
				t.Error("the recording lacks the question")
			}
		})
	}
}

// playGoSDK runs the server, if the test binary was started as that.
func playGoSDK() (played bool) {
	if len(os.Args) != 2 || os.Args[1] != "gosdk" {
		return false
	}
	if err := runGoSDK(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return true
}
