package cli

import "os"

// fatal is empty: a console knows no signal that only says that a program hangs.
var fatal []os.Signal

func die(os.Signal) { os.Exit(ExitUsage) }
