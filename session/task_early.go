package session

import (
	"slices"

	"belay/session/mcp"
)

// maxNotices bounds the notifications that are kept for handles that may come.
const maxNotices = 16

// earlyNotice is a notification about an ID that no handle has named yet.
type earlyNotice struct {
	mcp.TaskNote
	entry Seq
}

// earlyNotices are the latest of these.
type earlyNotices []earlyNotice

// take takes the notifications about an ID that came before its handle (facts: some servers
// send them so).
func (all *earlyNotices) take(id string) (found []earlyNotice) {
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
		*all = (*all)[1:]
	}
	short := earlyNotice{*n, entry}
	short.Task.Inputs, short.Task.Outcome = nil, nil // which point into the message, and come again with the next poll
	*all = append(*all, short)
}
