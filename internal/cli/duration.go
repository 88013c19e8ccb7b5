package cli

import (
	"errors"
	"time"

	"github.com/spf13/pflag"
)

// duration is a flag that takes a time, and says what one looks like.
type duration time.Duration

func (d *duration) String() string { return time.Duration(*d).String() }
func (d *duration) Type() string   { return "duration" }

func (d *duration) Set(text string) error {
	v, err := time.ParseDuration(text)
	if err != nil {
		return errors.New("a time has a unit, such as 300ms, 30s, 5m or 1h30m")
	}
	*d = duration(v)
	return nil
}

func durationVar(set *pflag.FlagSet, p *time.Duration, name string, value time.Duration, usage string) {
	*p = value
	set.Var((*duration)(p), name, usage)
}
