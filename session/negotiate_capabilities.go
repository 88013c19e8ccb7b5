package session

import (
	"slices"
	"strings"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// In 2026-07-28 every request declares what belay can do, and a server that needs more than that
// refuses it with error -32021, which names what it needs (VER-44, ERR-08; basic).

// Capability is one that belay has and that a request may declare, by its path
// in the declaration.
type Capability string

// The capabilities that belay has.
const (
	CapRoots         Capability = "roots"
	CapSampling      Capability = "sampling"
	CapSamplingTools Capability = "sampling.tools"
	CapForms         Capability = "elicitation.form"
	CapURLs          Capability = "elicitation.url"
	CapTasks         Capability = "extensions." + mcp.TasksExtension
)

// allowing is what the user can do about a capability that Config keeps belay from
// declaring; 0: it does not. Belay does not declare it by itself then.
func (c Config) allowing(what Capability) RemedyKind {
	switch {
	case (what == CapSampling || what == CapSamplingTools) && c.NoSampling:
		return RemedyAllowSampling
	case (what == CapForms || what == CapURLs) && c.NoElicitation:
		return RemedyAllowElicitation
	case what == CapForms && c.NoForms:
		return RemedyAllowForms
	case what == CapURLs && c.NoURLs:
		return RemedyAllowURLs
	}
	return 0
}

// isKnown reports whether belay has a capability.
func (c Capability) isKnown() bool {
	switch c {
	case CapRoots, CapSampling, CapSamplingTools, CapForms, CapURLs, CapTasks:
		return true
	}
	return false
}

// with adds capabilities to what is declared.
func (has declared) with(caps []Capability) declared {
	for _, c := range caps {
		switch c {
		case CapRoots:
			has.roots = true
		case CapSampling:
			has.sampling = true
		case CapSamplingTools:
			has.sampling, has.tools = true, true
		case CapForms:
			has.form = true
		case CapURLs:
			has.url = true
		case CapTasks:
			has.tasks = true
		}
	}
	return has
}

// missing are those of the capabilities that are not declared.
func (has declared) missing(caps []Capability) []Capability {
	return slices.DeleteFunc(slices.Clone(caps), func(c Capability) bool { return has.with([]Capability{c}) == has })
}

// named sorts the names of a declaration: the capabilities known to belay, and the names of the unknown
// ones, which are foreign text.
func named(declaration []string) (caps []Capability, foreign []string) {
	for _, name := range declaration {
		c := Capability(name)
		if c == "elicitation" {
			c = CapForms // without a mode it is that of forms
		}
		switch {
		case !c.isKnown():
			foreign = append(foreign, sentence.Name(name))
		case !slices.Contains(caps, c):
			caps = append(caps, c)
		}
	}
	return caps, foreign
}

func capWords(caps []Capability) string {
	words := make([]string, len(caps))
	for i, c := range caps {
		words[i] = string(c)
	}
	return strings.Join(words, " and ")
}

// declaration is what the last request of a call told the server that belay can do.
func (c *call) declaration() declared {
	own, written := declaredBy(c.Params)
	if written || c.Raw { // to which belay adds nothing
		return own
	}
	return c.req.declared
}

// declaredBy is what the user wrote of capabilities into the _meta of parameters, and false where
// that is nothing.
func declaredBy(params []byte) (has declared, written bool) {
	own := rawjson.At(mcp.MetaOf(params), metaCapabilities)
	caps, _ := named(mcp.CapabilityNames(own))
	return has.with(caps), own != nil
}

// declareIn returns the parameters of a call that is to declare capabilities. Where the user wrote
// a declaration without them, that of belay's takes its place.
func declareIn(params []byte, caps []Capability) []byte {
	if own, written := declaredBy(params); written && len(own.missing(caps)) > 0 {
		return mcp.WithoutMeta(params, metaCapabilities)
	}
	return params
}

// missingFor reads error -32021 to a request: the capabilities which the request lacked and belay
// could declare, and what to say of the error.
func (has declared) missingFor(e *mcp.RPCError) (lacking []Capability, says rowNote) {
	caps, foreign := named(e.Required())
	lacking = has.missing(caps)
	switch {
	case len(foreign) > 0:
		return nil, saying("the server needs " + sentence.Clip(strings.Join(foreign, " and ")) + ", which belay does not have")
	case len(caps) == 0:
		return nil, saying("the server does not say which capability it needs")
	case len(lacking) == 0:
		return nil, saying("the server refuses for want of " + capWords(caps) + ", although this request declared it: a fault of the server")
	}
	return lacking, advising("the server needs "+capWords(lacking)+", which the request did not declare", Remedy{Kind: RemedyDeclare})
}
