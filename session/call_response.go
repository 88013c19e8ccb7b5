package session

import "belay/session/mcp"

// response is what the answer to a call leaves on the row of the call, in time or late.
type response struct {
	result              []byte
	dropped             int  // bytes of it that are not kept
	hollow              bool // and were not in the recording
	toolErr             bool
	err                 *mcp.RPCError
	errText             string         // its meaning
	missingCapabilities []Capability   // that the server needs, and belay could declare
	compared            []Compared     // head and body of the request whose error says that they differ
	cache               *mcp.CacheHint // nil: it says nothing of that
	judged              *structured    // of its structured content; nil where there is nothing to check
	late                *LateAnswer    // what came after the cancel; nil: nothing did
}

// onResult has the row of a call show its result, which may be the error of a tool.
func (c *call) onResult(raw []byte, toolErr bool) {
	c.result, c.toolErr = raw, toolErr
	c.touch()
}

// onError has it show an error, and what that means.
func (c *call) onError(e *mcp.RPCError, text string) {
	c.err, c.errText = e, text
	c.touch()
}

// onLate has it show an answer that came after the cancel.
func (c *call) onLate(late *LateAnswer) {
	c.late = late
	c.touch()
}

// onStructured has it await a check of its structured content, which a message brought.
func (c *call) onStructured(schema []byte, entry Seq) {
	c.judged = &structured{conformity: Unjudged, schema: schema, entry: entry}
	c.touch()
}

// onJudged has it show what a check of that came to.
func (c *call) onJudged(to Conformity, report SchemaReport) {
	c.judged.conformity, c.judged.report, c.judged.schema = to, report, nil
	c.touch()
}

// onCompared has it show head and body of a request beside each other.
func (c *call) onCompared(list []Compared) {
	c.compared = list
	c.touch()
}

// onCache has it show how long its result stays fresh.
func (c *call) onCache(hint *mcp.CacheHint) {
	c.cache = hint
	c.touch()
}

// onMissingCapabilities has it know the capabilities that the server needs.
func (c *call) onMissingCapabilities(missing []Capability) {
	c.missingCapabilities = missing
	c.touch()
}

// lateAnswer is what came after the cancel, for a view; nil: nothing did. How long after the last
// byte of the cancel it began changes: that byte may be reported after it.
func (c *call) lateAnswer() *LateAnswer {
	if c.late == nil || !c.stop.HasAnswer() {
		return c.late
	}
	late := *c.late
	late.After, late.Crossed = c.stop.Lateness()
	return &late
}

// forgetResult drops the bytes of an answer; a short message of an error stays.
// What views share is not changed, but replaced. Of an answer whose payload was hollow when
// it came, only so many bytes are counted.
func (c *call) forgetResult(hollow int) {
	if hollow > 0 { // the row changes by the answer itself, as it did when the answer was whole
		c.dropped, c.hollow = c.dropped+hollow, true
		return
	}
	c.touch()
	n := len(c.result)
	c.result = nil
	if c.late != nil {
		late := *c.late
		n += len(late.Result)
		late.Result = nil
		late.Err = late.Err.Forget(&n)
		c.late = &late
	}
	c.err = c.err.Forget(&n)
	switch {
	case c.stop == nil:
	case c.late != nil:
		c.stop.Forget(new(int)) // the error is the late answer's, and counted with that
	default: // of a subscription, whose answer is not shown as a late one
		c.stop.Forget(&n)
	}
	c.dropped += n
}
