package headless

import (
	"context"
	"errors"
	"fmt"

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

// List waits until all of a list of the server's has come that comes. A list that the server
// does not declare is empty, and not Declared. The error is a *[ListError] or a
// *[ConnectError], or that of the context; what came of the list is returned then, too.
func (r *Runner) List(ctx context.Context, k mcp.ListKind) (l session.ListView, err error) {
	var st session.Status
	err = r.Await(ctx, func(s *session.Session) bool {
		l, st = s.Catalog().Lists[k], s.Status()
		over := !l.Loading && (!l.Declared || l.Complete || l.Problem != "")
		return st.Phase == session.Ready && over || isOver(&st)
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
	l, err := r.List(ctx, mcp.Tools)
	var problem *ListError
	if err != nil && !errors.As(err, &problem) {
		return tool, nil, false, err
	}
	for _, list := range [][]mcp.Item{l.Items, l.More(), l.Excluded} {
		for _, it := range list {
			if it.Name == name {
				return it, nil, true, err
			}
			names = append(names, it.Name)
		}
	}
	return tool, names, false, err
}
