package headless

import (
	"context"
	"fmt"

	"belay/session"
	"belay/session/mcp"
)

// ListError says that a list could not be fetched.
type ListError struct {
	Kind    mcp.ListKind
	Problem string // may hold foreign text
}

func (e *ListError) Error() string {
	return fmt.Sprintf("the %v cannot be listed: %s", e.Kind, e.Problem)
}

// List waits until a list of the server's is there as a whole. One that the server does
// not declare is empty, and not Declared. The error is a *[ListError] or a
// *[ConnectError], or that of the context; what came of the list is returned then, too.
func (r *Runner) List(ctx context.Context, k mcp.ListKind) (l session.ListView, err error) {
	var st session.Status
	err = r.Await(ctx, func(s *session.Session) bool {
		l, st = s.Catalog().Lists[k], s.Status()
		ready := st.Phase == session.Ready && (!l.Declared || l.Complete && !l.Loading)
		return ready || l.Problem != "" || isOver(&st)
	})
	switch {
	case err != nil:
		return l, err
	case l.Problem != "":
		return l, &ListError{k, l.Problem}
	case isOver(&st) && !l.Complete:
		return l, r.lost(&st)
	}
	return l, nil
}

// Tool is the tool that the server lists by this name; false: it lists none. Names are
// those that it lists.
func (r *Runner) Tool(ctx context.Context, name string) (tool mcp.Item, names []string, ok bool, err error) {
	l, err := r.List(ctx, mcp.Tools)
	if err != nil {
		return tool, nil, false, err
	}
	for _, list := range [][]mcp.Item{l.Items, l.Excluded} {
		for _, it := range list {
			if it.Name == name {
				return it, nil, true, nil
			}
			names = append(names, it.Name)
		}
	}
	return tool, names, false, nil
}
