package headless

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"belay/session"
	"belay/session/mcp"
)

// ListError says that a list could not be fetched, or not to its end.
type ListError struct {
	Kind    mcp.ListKind
	Partial bool   // something of the list came, and is returned with the error
	Problem string // may hold foreign text
}

func (e *ListError) Error() string {
	if e.Partial {
		return fmt.Sprintf("not all of the list of %v could be read: %s", e.Kind, e.Problem)
	}
	return fmt.Sprintf("the %v cannot be listed: %s", e.Kind, e.Problem)
}

// restPatience is how long the rest of a list is awaited where the tool that is wanted has come:
// what is wrong with the list is told then.
const restPatience = time.Second

// List waits until all of a list of the server's has come that comes. A list that the server
// does not declare is empty, and not Declared. The error is a *[ListError] or a
// *[ConnectError], or that of the context; what came of the list is returned then, too.
func (r *Runner) List(ctx context.Context, k mcp.ListKind) (l session.ListView, err error) {
	return r.listUntil(ctx, k, func(*session.ListView) bool { return false })
}

// listUntil is List, but for a list of which enough has come: that is returned as it is.
func (r *Runner) listUntil(ctx context.Context, k mcp.ListKind, enough func(*session.ListView) bool) (l session.ListView, err error) {
	var st session.Status
	err = r.Await(ctx, func(s *session.Session) bool {
		l, st = s.Catalog().Lists[k], s.Status()
		over := !l.Loading && (!l.Declared || l.Complete || l.Problem != "")
		return st.Phase == session.Ready && (over || enough(&l)) || isOver(&st)
	})
	switch came := !l.Fetched.IsZero() || len(l.Items)+len(l.Coming) > 0; {
	case err != nil:
		return l, err
	case isOver(&st) && !came:
		return l, r.lost(&st)
	case l.Problem != "":
		return l, &ListError{k, came, l.Problem}
	}
	return l, nil
}

// Tool is the tool that the server lists by this name; false: it lists none. Names are
// those that it lists. A *[ListError] may come with the tool, and says what of the list could
// not be read.
func (r *Runner) Tool(ctx context.Context, name string) (tool mcp.Item, names []string, ok bool, err error) {
	named := func(l *session.ListView) bool {
		_, _, ok := toolIn(l, name)
		return ok
	}
	l, err := r.listUntil(ctx, mcp.Tools, named)
	if err == nil && l.Loading { // a page that never comes may be that of another tool
		short, cancel := context.WithTimeout(ctx, restPatience)
		defer cancel()
		if whole, fault := r.List(short, mcp.Tools); ctx.Err() != nil || short.Err() == nil {
			l, err = whole, fault
		}
	}
	var problem *ListError
	if err != nil && !errors.As(err, &problem) {
		return tool, nil, false, err
	}
	tool, names, ok = toolIn(&l, name)
	return tool, names, ok, err
}

// toolIn is the tool of this name among those of a list that have come; false: there is none.
func toolIn(l *session.ListView, name string) (tool mcp.Item, names []string, ok bool) {
	for _, list := range [][]mcp.Item{l.Items, l.More(), l.Excluded} {
		for _, it := range list {
			if it.Name == name {
				return it, nil, true
			}
			names = append(names, it.Name)
		}
	}
	return tool, names, false
}

// Twins are the tools of a name among those of the server's list that have come, also such as must not be called.
func (r *Runner) Twins(name string) (twins []mcp.Item) {
	r.View(func(s *session.Session) {
		l := s.Catalog().Lists[mcp.Tools]
		for _, it := range slices.Concat(l.Items, l.More(), l.Excluded) {
			if it.Name == name {
				twins = append(twins, it)
			}
		}
	})
	return twins
}
