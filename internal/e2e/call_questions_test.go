//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// The question that sets off the cancel of its call is not answered: an answer would have the call go on.
// The server may be quicker to take it back than belay is to dismiss it.
func TestTheQuestionThatSetsOffACancelIsNotAnswered(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "SMP-34")
	answers := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(answers, []byte(`[{"method":"sampling/createMessage","text":"It is short."}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	got := without(t, "call", "summarise", "--protocol", "2025-11-25", "--cancel-at", "message", "--grace", "200ms", "--answer", answers)
	if got.code != 4 || strings.Contains(got.errOut, "answered by answer") {
		t.Errorf("exit code %d\n%s", got.code, got.errOut)
	}
	if !strings.Contains(got.errOut, "dismissed, as its call was cancelled meanwhile") && !strings.Contains(got.errOut, "the server withdrew its question") {
		t.Errorf("what became of the question is not said:\n%s", got.errOut)
	}
}
