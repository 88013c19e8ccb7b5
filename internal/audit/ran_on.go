package audit

// ranOn judges the messages and the result of a call that came after its cancel. Its work went on
// where messages came later than a server takes to stop, or where the result came about when the
// call would have ended, or later, and is that of calls that are left alone: the result of a server
// that stopped, and says what it had done until then, may come at any time.
func (o *Observed) ranOn(c *Call) finding {
	rest := o.rest(c)
	stops := max(c.slack(rest), c.delay()) // the time that the server is given
	messages := c.Messages > 0 && c.Last > stops
	result := c.Answer == Result && c.After > stops && c.After >= rest-c.slack(rest)/2
	same := o.sameResult()
	switch {
	case !messages && !result:
		return finding{}
	case messages && rest < LongEnough/2: // a server that stops some time after the cancel looks the same
		return found(Unseen, "messages of the call came until %s after the cancel, and "+wouldEnd, took(c.Last), took(rest))
	case messages:
		return found(Fail, "messages of the call came until %s after the cancel", took(c.Last))
	case rest < LongEnough/2:
		return found(Unseen, "the result came %s after the cancel, and "+wouldEnd, took(c.After), took(rest))
	case same != "" && c.Digest != same:
		return found(Unseen, "the result came %s after the cancel, and is another than that of calls that are left alone", took(c.After))
	case same == "":
		return found(Unseen, "the result came %s after the cancel, and calls that are left alone have different ones: whether it is of all of the work is not known", took(c.After))
	}
	return found(Fail, "the result came %s after the cancel; the call would have gone on for %s", took(c.After), took(rest))
}
