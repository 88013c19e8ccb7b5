package compose

import (
	"errors"
	"strings"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
)

// The options of a call.
const (
	optIdle = iota
	optMax
	optAfter
	optAt
	optProgress
	optMeta
	optTask // the last two are shown only where they mean something: see [Form.optCount]
	optTTL
	numOptions
)

var optionWords = [numOptions]struct {
	label, hint safe.Text
	width       int // of the field
}{
	optIdle:     {"timeout", "of silence: 30s, 5m, off; empty: the session's", 12},
	optMax:      {"at most", "in all: 10m, 1h, off; empty: the session's", 12},
	optAfter:    {"cancel after", "a time: 2s; empty: never", 12},
	optAt:       {"cancel at", "50%, 3 of progress, message, answer", 12},
	optProgress: {"progress", "off: asks for none; empty: asks for it", 12},
	optMeta:     {"_meta", `{"com.example/key":1}`, 34},
	optTask:     {"run as task", "space turns it on: x then cancels the task", 12},
	optTTL:      {"ttl", "kept for so long: 10m; empty: it decides", 12},
}

// limitsOfTask are the hints of the two limits for a call that may go on as a task. The limits end
// with the request of the call, when the ID of its task comes: what concerns the task ends the task.
var limitsOfTask = map[int]safe.Text{
	optIdle: "of silence, of a task until its ID: 30s, off",
	optMax:  "in all, of a task until its ID: 10m, 1h, off",
}

// judgeOptions says beside each option what is wrong with it.
func (f *Form) judgeOptions() { f.options(&session.CallSpec{}) }

// options reads the options into the call, and says in optWhys which are wrong
// and in optOdd which are odd.
func (f *Form) options(c *session.CallSpec) {
	f.optWhys, f.optOdd = [numOptions]string{}, [numOptions]string{}
	c.AsTask = f.task.forced
	for o := range f.optCount() {
		text := strings.TrimSpace(f.opts[o].String())
		if text == "" {
			continue
		}
		switch o {
		case optIdle, optMax, optAfter:
			d, err := ParseLimit(text)
			if err != nil {
				f.optWhys[o] = "a duration such as 30s, 5m or 1h30m"
				continue
			}
			*[...]*time.Duration{&c.Idle, &c.Max, &c.Rules.After}[o] = d
		case optAt:
			if err := wording.ParseCancelAt(text, &c.Rules); err != nil {
				f.optWhys[o] = err.Error()
			}
		case optProgress:
			if text != "on" && text != "off" {
				f.optWhys[o] = "on or off"
			}
			c.NoProgress = text == "off"
		case optMeta:
			odd, err := mcp.CheckMeta(f.rev, []byte(text))
			if err != nil {
				f.optWhys[o] = err.Error()
				continue
			}
			f.optOdd[o] = strings.Join(odd, ", ")
			c.Params = mcp.WithMeta(c.Params, []byte(text))
		case optTask:
			if text != "on" && text != "off" {
				f.optWhys[o] = "on or off"
			}
			c.AsTask = c.AsTask || text == "on"
		case optTTL:
			d, err := time.ParseDuration(text)
			switch {
			case err != nil || d < time.Millisecond:
				f.optWhys[o] = "a duration such as 30s, 10m or 1h30m"
			case !c.AsTask:
				f.optWhys[o] = "of a call that does not run as a task"
			}
			c.TTL = d
		}
	}
	c.Rules.After = max(0, c.Rules.After)
}

// setOptions shows the options of a call that is made again, where they are not
// the session's.
func (f *Form) setOptions(d *session.Detail) {
	if d.Rules.After > 0 {
		f.opts[optAfter].Set(wording.ShortDuration(d.Rules.After))
	}
	f.opts[optAt].Set(string(wording.CancelAt(&d.Rules)))
	if d.NoProgress {
		f.opts[optProgress].Set("off")
	}
	f.opts[optMeta].Set(string(mcp.MetaOf(d.Params)))
	if ttl, wishes := mcp.WishesTask(d.Params); wishes && f.task.why == "" {
		f.opts[optTask].Set("on")
		if ttl > 0 {
			f.opts[optTTL].Set(wording.ShortDuration(ttl))
		}
	}
	for o := range f.optCount() {
		f.optsOn = f.optsOn || !f.opts[o].Empty()
	}
	f.judgeOptions()
}

// ParseLimit reads a timeout: 0 takes the session's, a negative one is none.
func ParseLimit(s string) (time.Duration, error) {
	switch s {
	case "default":
		return 0, nil
	case "off", "none":
		return -1, nil
	}
	d, err := time.ParseDuration(s)
	switch {
	case err != nil:
		return 0, err
	case d < 0:
		return 0, errors.New("a time cannot be negative")
	case d == 0:
		return -1, nil
	}
	return d, nil
}
