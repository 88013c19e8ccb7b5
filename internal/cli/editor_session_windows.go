package cli

import "os"

// tell ends the editor: Windows has no signal that asks it to.
func (l *editorSession) tell(os.Signal) error { return l.process.Kill() }
