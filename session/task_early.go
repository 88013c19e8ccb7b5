package session

import (
	"slices"

	"belay/session/mcp"
	"belay/session/task"
)

// maxNotices bounds the notifications that are kept for handles that may come.
const maxNotices = 16

// earlyNotice is a notification about an ID that no handle has named yet.
//
//shape:part of tasks
type earlyNotice struct {
	mcp.TaskNote
	entry  Seq
	isNext bool // one about the same ID came before, and is not kept
}

// earlyNotices are the latest of these.
//
//shape:part of tasks
type earlyNotices []earlyNotice

// take takes the notifications about an ID that came before its handle (facts: some servers
// send them so).
func (all *earlyNotices) take(id string) (found earlyNotices) {
	*all = slices.DeleteFunc(*all, func(n earlyNotice) bool {
		if n.Task.ID == id {
			found = append(found, n)
			return true
		}
		return false
	})
	return found
}

// keep keeps a notification about an ID that no handle has named yet, and its place in the history.
func (all *earlyNotices) keep(n *mcp.TaskNote, entry Seq) {
	if len(*all) == maxNotices {
		oldest := (*all)[0].Task.ID
		*all = (*all)[1:]
		if i := slices.IndexFunc(*all, func(n earlyNotice) bool { return n.Task.ID == oldest }); i >= 0 {
			(*all)[i].isNext = true
		}
	}
	short := earlyNotice{TaskNote: *n, entry: entry}
	short.Task.Inputs, short.Task.Outcome = nil, nil // which point into the message, and come again with the next poll
	*all = append(*all, short)
}

// firstStatus is the first status that the server told of the task of a handle, before which all
// came. Working is what a task has to begin with: where that was told, or the first of them is not
// kept, nothing tells that the task began otherwise (TSK-22; basic/utilities/tasks).
func (all *earlyNotices) firstStatus(handle mcp.Task) string {
	begins := func(n earlyNotice) bool { return n.isNext || task.ParseStatus(n.Task.Status) == task.Working }
	switch {
	case len(*all) == 0 || task.ParseStatus(handle.Status) == task.Working:
		return handle.Status
	case slices.ContainsFunc(*all, begins):
		return task.Working.String()
	}
	return (*all)[0].Task.Status
}
