package mcp

import "belay/session/rawjson"

// SubNote is what a notification says of the subscription that it belongs to.
type SubNote struct {
	ID     ID     // of the subscription, from _meta; zero when it names none
	URI    string // notifications/resources/updated; foreign text
	Task   string // notifications/tasks: its ID; foreign text
	Agreed Filter // notifications/subscriptions/acknowledged
	Wrong  string // why that cannot be read; empty: it can
}

// metaSubscription is the member of _meta that names a subscription: the ID of
// its subscriptions/listen.
const metaSubscription = "io.modelcontextprotocol/subscriptionId"

// subNote reads the parameters of a notification that a subscription may bring;
// nil when it has none.
func (d *Decoder) subNote(f *Frame, p *params) *SubNote {
	if !p.isObject {
		return nil
	}
	n := &SubNote{ID: d.tokenOf(p.subscription)}
	switch f.Method {
	case "notifications/resources/updated":
		n.URI, _ = rawjson.Text(p.uri)
	case methodTaskNote:
		if f.Task != nil {
			n.Task = f.Task.Task.ID
		}
	case "notifications/subscriptions/acknowledged":
		n.Agreed, n.Wrong = agreedAt(f.Params)
	}
	return n
}

// About is the resource or the task that the notification tells of; empty: neither.
func (n SubNote) About() string {
	if n.Task != "" {
		return n.Task
	}
	return n.URI
}

// Subscription is what a notification says of its subscription, nothing if it says none.
func (f *Frame) Subscription() SubNote {
	if f.Sub == nil {
		return SubNote{}
	}
	return *f.Sub
}
