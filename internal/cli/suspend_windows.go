package cli

import (
	"errors"
	"os"
)

var errNoJobs = errors.New("a console of Windows suspends no programs")

func stopSelf(*os.File, <-chan struct{}) error { return errNoJobs }
