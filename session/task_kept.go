package session

import (
	"slices"
	"time"

	"belay/session/task"
)

// KeptTask is a task as it is kept beyond the end of belay: enough to ask for it again. It has
// no argument of the call, and nothing that is secret.
type KeptTask struct {
	ID       string        `json:"id"`             // foreign text
	Tool     string        `json:"tool,omitempty"` // foreign text
	Protocol task.Protocol `json:"protocol"`
	Made     time.Time     `json:"made"`
	Expires  time.Time     `json:"expires,omitzero"`
}

// KeptChange is a change of what is kept: a task is, or with Gone is no longer.
type KeptChange struct {
	Task KeptTask
	Gone bool
}

const (
	// maxKept bounds the tasks that are kept for one server.
	maxKept = 200
	// keptIDMost and keptToolMost bound the text of one. The ID of a task that is longer is
	// not kept, and the name of a tool is left out.
	keptIDMost, keptToolMost = 4096, 256
)

// keptTasks are the tasks that are kept beyond the end of belay, for the next start against
// the same server. The file is the business of whoever asks for [log.NextKept].
//
//shape:part of log
type keptTasks struct {
	on      bool
	held    map[string]KeptTask  // all that are kept, by their IDs
	tools   map[string]string    // of all that an earlier run has kept, by their IDs
	made    map[string]time.Time // … and when they were made
	before  []string             // of those that are kept, the ones of an earlier run that this run does not follow
	changes []KeptChange         // that were not asked for yet
}

// begin takes what an earlier run has kept.
func (k *keptTasks) begin(cfg *Config) {
	k.on, k.held, k.tools, k.made = cfg.KeepTasks, map[string]KeptTask{}, map[string]string{}, map[string]time.Time{}
	for _, t := range cfg.Kept {
		if k.on && t.ID != "" && len(k.held) < maxKept {
			k.held[t.ID], k.tools[t.ID], k.made[t.ID] = t, t.Tool, t.Made
			k.before = append(k.before, t.ID)
		}
	}
}

// keep has a task be kept, or kept as it is now. Of one that an earlier run has kept the tool
// and the time stay: it was picked up by its ID alone.
func (k *keptTasks) keep(t KeptTask) {
	was, held := k.held[t.ID]
	if !k.on || len(t.ID) > keptIDMost || !held && len(k.held) >= maxKept {
		return
	}
	k.before = slices.DeleteFunc(k.before, func(id string) bool { return id == t.ID })
	if held {
		t.Tool, t.Made = was.Tool, was.Made
	}
	if len(t.Tool) > keptToolMost {
		t.Tool = ""
	}
	if t != was {
		k.held[t.ID] = t
		k.changes = append(k.changes, KeptChange{Task: t})
	}
}

// drop has a task be kept no longer: it has ended, its time is over, the server does not know
// it, or the user wants it forgotten.
func (k *keptTasks) drop(id string) {
	k.before = slices.DeleteFunc(k.before, func(other string) bool { return other == id })
	if t, held := k.held[id]; held {
		delete(k.held, id)
		k.changes = append(k.changes, KeptChange{Task: t, Gone: true})
	}
}

// NextKept is the next change of what is kept beyond the end of belay, in the order in which
// they are to be carried out, and false when there is none.
func (l *log) NextKept() (KeptChange, bool) {
	if len(l.kept.changes) == 0 {
		return KeptChange{}, false
	}
	change := l.kept.changes[0]
	l.kept.changes = l.kept.changes[1:]
	return change, true
}
