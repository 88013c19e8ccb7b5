package e2e

import (
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

func TestCancelIsOnTheWireAndOnTheScreen(t *testing.T) {
	requirements.Rows(t, "CXL-01", "CXL-26", "SD3-14", "SD3-22", "SD3-25", "IT-1", "SC-1", "FR-9", "SD0-19")
	for _, rev := range mcp.Supported() {
		t.Run(string(rev), func(t *testing.T) {
			t.Parallel()
			conduct := "silent-cancel"
			if rev.IsModern() {
				conduct = "modern"
			}
			s := play(t, conduct, "--protocol", string(rev), "--grace", "10s")
			s.See("scripted", string(rev))
			s.call("slow").See("running")
			s.Press("x").See("cancelling")
			s.serverReads(1, `"method":"notifications/cancelled"`, `"reason":"User requested cancellation"`)
			s.See("quiet")
			s.Press("q").Exit(0)
			s.serverReads(1, `"method":"notifications/cancelled"`)
		})
	}
}

func TestReasonOfTheUsersOwn(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXL-11", "SD3-08", "FR-8")
	s := play(t, "silent-cancel")
	s.See("scripted").call("slow").See("running")
	s.Press("c")
	s.Type("falscher Zweig – 間違い").Press("enter")
	s.serverReads(1, `notifications/cancelled`, `falscher Zweig – 間違い`)
}

func TestLateAnswerIsShownAndNeverAnOutcome(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXL-19", "CXL-23")
	s := play(t, "late")
	s.See("scripted").call("slow").See("running")
	s.Press("x").See("answered late")
}

func TestErrorAfterTheCancel(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXL-36")
	s := play(t, "error")
	s.See("scripted").call("slow").See("running")
	s.Press("x").See("says cancelled")
}

func TestFivePressesSendOneCancel(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXL-31")
	s := play(t, "silent-cancel")
	s.See("scripted").call("slow").See("running")
	s.Press("x", "x", "x", "x", "x").cancelling()
	s.serverReads(1, "notifications/cancelled")
	s.call("fast").See("done")
	s.serverReads(1, "notifications/cancelled")
}

func TestInitializeIsNeverCancelled(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXL-06", "SD0-03", "SD3-06", "FR-6")
	s := play(t, "mute")
	s.serverReads(1, `"method":"initialize"`)
	s.See("initialize")
	s.Press("x").See("must not be cancelled")
	s.Press("q").Exit(0)
	s.serverReads(0, "notifications/cancelled")
}

func TestAFinishedCallCannotBeCancelled(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXL-05", "SD0-15", "EDGE-1")
	s := play(t, "silent-cancel")
	s.See("scripted").call("fast").See("here you are")
	s.Press("x").See("there is nothing to cancel")
	s.serverReads(0, "notifications/cancelled")
}

func TestQuitCancelsTheWorkFirst(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXL-33")
	s := play(t, "silent-cancel")
	s.See("scripted")
	for range 3 {
		s.call("slow").See("running")
	}
	s.serverReads(3, `"tools/call"`)
	s.Press("q").See("3 calls in flight")
	s.Press("y").Exit(0)
	s.serverReads(3, "notifications/cancelled")
	s.serverReads(1, "EOF")
	lines := s.received()
	if last := lines[len(lines)-1].Line; last != "EOF" {
		t.Errorf("the end of stdin came before %q", last)
	}
	if out := s.Screen().String(); s.Screen().AltScreen {
		t.Errorf("still on the alternate screen:\n%s", out)
	}
	s.See("cancelled")
}

func TestCancelAllAsksOnceWithTheCount(t *testing.T) {
	t.Parallel()
	s := play(t, "silent-cancel")
	s.See("scripted")
	for range 3 {
		s.call("slow").See("running")
	}
	s.serverReads(3, `"tools/call"`)
	s.Press("X").See("3")
	s.Press("n").serverReads(0, "notifications/cancelled")
	s.Press("X").See("3").Press("y")
	s.serverReads(3, "notifications/cancelled")
}
