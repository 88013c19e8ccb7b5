package session

import (
	"time"

	"belay/session/task"
)

// maxTaskIDs bounds the IDs that are remembered, to see one twice.
const maxTaskIDs = 10_000

// taskIDs are the IDs of all tasks of this connection, as far as they are remembered, and what was
// found of them.
//
//shape:part of tasks
type taskIDs struct {
	ids     map[string]pastTask
	guessed bool   // that they are easy to guess was found
	last    string // the latest
}

// pastTask is what is remembered of a task that is followed no more.
//
//shape:part of tasks
type pastTask struct {
	row     CallID
	status  task.Status // in which it ended; no terminal one: nobody saw that
	updated time.Time   // its date of that
}

// learn takes the ID of a task, which the server told or has yet to tell. It reports whether the ID was
// known, and whether it shows for the first time that the server's IDs are easy to guess.
func (i *taskIDs) learn(id string, told bool) (known, guessable bool) {
	if _, known = i.ids[id]; !known && len(i.ids) < maxTaskIDs {
		i.ids[id] = pastTask{}
	}
	if !told {
		return known, false
	}
	guessable = !i.guessed && isGuessable(i.last, id)
	i.guessed, i.last = i.guessed || guessable, id
	return known, guessable
}

// past remembers how a task ended that is followed no more.
func (i *taskIDs) past(k *runningTask) {
	if _, known := i.ids[k.ID]; known && k.Status().IsTerminal() {
		i.ids[k.ID] = pastTask{k.row.id, k.Status(), k.Updated()}
	}
}

// isGuessable reports whether an ID is short, or follows the one before like a number.
func isGuessable(last, id string) bool {
	if len(id) < 8 {
		return true
	}
	n := len(id)
	return len(last) == n && last[:n-1] == id[:n-1] && last[n-1]+1 == id[n-1]
}
