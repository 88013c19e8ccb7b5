package cli

import "testing"

// shellThatTypes is shellWithJobs, where the job goes on before, in the background, and something lies typed by then.
const shellThatTypes = `set -m; "$0" sh -c "$1"; stty sane; printf '\030\n\n'; echo the shell has it; read line; kill -CONT %1; ` + endsTheJob

// Nor is it stopped for what lies typed, where the system lets a read in the background fail in the place of that.
func TestBelayIsEndedInTheBackgroundOfWhatIsTyped(t *testing.T) {
	endsInTheBackground(t, shellThatTypes, "\n\n\n")
}
