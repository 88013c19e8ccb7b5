package mcp

import "belay/session/rawjson"

// SubNote is what a notification says of the subscription that it belongs to.
type SubNote struct {
	ID     ID     // of the subscription, from _meta; zero when it names none
	URI    string // notifications/resources/updated; foreign text
	Agreed Filter // notifications/subscriptions/acknowledged
	Wrong  string // why that cannot be read; empty: it can
}

// metaSubscription is the member of _meta that names a subscription: the ID of
// its subscriptions/listen.
const metaSubscription = "io.modelcontextprotocol/subscriptionId"

// subNote reads the parameters of a notification that a subscription may bring;
// nil when it has none.
func (d *Decoder) subNote(method string, params []byte) *SubNote {
	if rawjson.Kind(params) != '{' {
		return nil
	}
	n := new(SubNote)
	n.ID = d.SubscriptionID(params)
	switch method {
	case "notifications/resources/updated":
		n.URI, _ = rawjson.TextAt(params, "uri")
	case "notifications/subscriptions/acknowledged":
		n.Agreed, n.Wrong = agreedAt(params)
	}
	return n
}

// SubscriptionID is the ID of the subscription that an object's _meta names.
func (d *Decoder) SubscriptionID(obj []byte) ID {
	meta := rawjson.At(obj, "_meta")
	if rawjson.Kind(meta) != '{' {
		return ID{}
	}
	raw := rawjson.At(meta, metaSubscription)
	if k := rawjson.Kind(raw); k != '"' && k != '0' {
		return ID{}
	}
	return d.token(raw)
}

// Subscription is what a notification says of its subscription, nothing if it says none.
func (f *Frame) Subscription() SubNote {
	if f.Sub == nil {
		return SubNote{}
	}
	return *f.Sub
}
