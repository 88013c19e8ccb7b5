package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"belay/session/cancel"
)

// The oracle of what was said: how far the server says that a row is, what it
// answered, and why something was to end. All of it is read from the messages, by
// other code than the core's.

// oracleSaid is what was said of a row.
type oracleSaid struct {
	progress ProgressView
	came     int          // how often there was some before the cancel, in all of its requests
	gave     oracleAnswer // its outcome
	late     oracleAnswer // what came after its cancel
}

// progressed is progress for a row that runs. It reports whether it counts: it must
// be a number, and grow.
func (c *oracleRow) progressed(params json.RawMessage) bool {
	var p struct {
		Progress json.Number
		Total    json.Number
		Message  string
	}
	_ = json.Unmarshal(params, &p)
	value, _ := strconv.ParseFloat(string(p.Progress), 64) // of one that is too large, infinity
	total, _ := strconv.ParseFloat(string(p.Total), 64)
	c.came++
	s := &c.progress
	if value < 0 || math.IsInf(value, 0) || s.Count > 0 && value <= s.Value {
		s.Invalid++
		return false
	}
	*s = ProgressView{Count: s.Count + 1, Value: value, Message: p.Message, Invalid: s.Invalid}
	if total > 0 {
		s.Total, s.HasTotal = total, true
	}
	return true
}

// moves is progress on its way to a row: it counts as long as the row is not over,
// and began before its cancel was written.
func (h *oracle) moves(c *oracleRow, params json.RawMessage) {
	k := c.cancel
	late := k != nil && !k.written.IsZero() && !h.began.Before(k.written)
	switch {
	case c.state == Running:
		if c.progressed(params) {
			c.renewIdle()
		}
	case c.state == Cancelling && !late:
		c.progressed(params)
	case c.state == Cancelled && !late && !c.req.answered:
		c.came++
	}
}

// enough reports whether a row has come as far as its rule wants it to.
func (c *oracleRow) enough() bool {
	p := c.progress
	return c.share > 0 && p.Count > 0 && p.HasTotal && p.Value/p.Total >= c.share || c.value > 0 && p.Count > 0 && p.Value >= c.value
}

// oracleAnswer is a digest of an answer: of the result, or of the error; empty:
// there was none.
type oracleAnswer struct {
	result, err string
	size        int
	tool        bool
}

// oddError is an error without a proper code. How it is shown is the core's affair.
const oddError = "odd"

// is reports whether what is shown is what was given.
func (a oracleAnswer) is(given oracleAnswer) bool {
	return a.result == given.result && (a.err == given.err || a.err != "" && given.err == oddError)
}

func digest(b []byte) string {
	if b == nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

func errorDigest(code int64, message string, data []byte) string {
	return fmt.Sprint(code, strconv.Quote(message), digest(data))
}

// answerOf reads an answer. One that is neither a result nor an error is empty.
func answerOf(m message) (a oracleAnswer) {
	switch kindOfAnswer(m) {
	case gotResult, gotOdd, gotToolError:
		a.result, a.size = digest(bytes.TrimSpace(m["result"])), len(m["result"])
		a.tool = kindOfAnswer(m) == gotToolError
	case gotError, gotCancelled:
		var e struct {
			Code    *int64
			Message string
			Data    json.RawMessage
		}
		a.err, a.size = oddError, len(m["error"])
		if json.Unmarshal(m["error"], &e) == nil && e.Code != nil {
			a.err = errorDigest(*e.Code, e.Message, e.Data)
		}
	default:
	}
	return a
}

// kept is what a row shows of its answers.
func kept(d Detail) (gave, late oracleAnswer) {
	gave.result = digest(d.Result)
	if d.Err != nil {
		gave.err = errorDigest(d.Err.Code, d.Err.Message, d.Err.Data)
	}
	if d.Late != nil {
		late.result = digest(d.Late.Result)
		if d.Late.Err != nil {
			late.err = errorDigest(d.Late.Err.Code, d.Late.Err.Message, d.Late.Err.Data)
		}
	}
	return gave, late
}

// brings holds that a row has the answers that came for it, and no others. Old
// ones make room for new ones where there are too many.
func (h *oracle) brings(c *oracleRow) {
	d, is := h.w.s.Detail(c.id)
	if !is || c.origin == FromHandshake {
		return
	}
	room := h.w.cfg.HistoryBytes / 2
	if room == 0 {
		room = 32 << 20
	}
	gave, late := kept(d)
	same := gave.is(c.gave) && late.is(c.late)
	gone := d.Dropped > 0 && h.answered > room
	if !same && !gone {
		h.w.fail("row %d (%s, %v) has the answer %+v, and late %+v; it was given %+v, and late %+v", c.id, d.Method, d.State, gave, late, c.gave, c.late)
	}
	if d.ToolError != (c.gave.tool && c.state == Failed) {
		h.w.fail("row %d (%v) says that its tool failed: %v", c.id, d.State, d.ToolError)
	}
	if l := c.limits; max(d.Idle, 0) != l.idle || max(d.Max, 0) != l.whole || d.Rules.After != l.after || d.Rules.AtFraction != l.share || d.Rules.AtProgress != l.value {
		h.w.fail("row %d shows the limits %v, %v and %+v, it must be %+v", c.id, d.Idle, d.Max, d.Rules, l)
	}
	if k := c.cancel; k != nil && d.Reason != k.why {
		h.w.fail("row %d was cancelled with the reason %q, and says %q", c.id, k.why, d.Reason)
	}
	if k := c.cancel; k != nil && d.MayHaveAsked != k.perhaps {
		h.w.fail("row %d says that %d questions may have been its own, %d may", c.id, d.MayHaveAsked, k.perhaps)
	}
	if k := c.cancel; k != nil && d.DoubtfulWithdrawals != k.mayHaveWithdrawn() {
		h.w.fail("row %d says that %d questions were taken back that may have been its own, %d were", c.id, d.DoubtfulWithdrawals, k.mayHaveWithdrawn())
	}
	if k := c.cancel; k != nil && !d.Withdrew.Equal(k.withdrawnAt()) {
		h.w.fail("row %d says that its question was taken back at %v, it was at %v", c.id, d.Withdrew, k.withdrawnAt())
	}
}

// told holds that the timeline of a row tells of all its progress.
func (h *oracle) told(c *oracleRow) {
	d, is := h.w.s.Detail(c.id)
	n := 0
	for _, m := range d.Timeline {
		if m.Kind == MomProgress {
			n += max(1, m.Count)
		}
	}
	if is && d.Skipped == 0 && c.origin != FromHandshake && n != c.came {
		h.w.fail("the timeline of row %d has progress %d times, it came %d times: %+v", c.id, n, c.came, d.Timeline)
	}
}

// logs holds that every cancel is in the log of cancellations, with its reason.
func (h *oracle) logs() {
	events, wanted := h.w.s.CancelEvents(), map[string]int{}
	for _, e := range events {
		if e.Stage == CancelWanted || e.Stage == CancelDropped {
			wanted[e.Reason]++
		}
	}
	if len(events) < 2000 && !maps.Equal(wanted, h.whys) {
		h.w.fail("the log has these reasons for cancels: %v, it must be %v", wanted, h.whys)
	}
}

// given notes the outcome of a row, and what came after its cancel.
func (h *oracle) given(c *oracleRow) {
	c.gave = h.gave
	h.answered += h.gave.size
}

func (h *oracle) givenLate(c *oracleRow) {
	if !c.stands() && !c.cancel.elsewhere {
		c.late = h.gave
		h.answered += h.gave.size
	}
}

// cancel is a cancel that begins now.
func (h *oracle) cancel(by cancel.Initiator, why string) *oracleCancel {
	k := &oracleCancel{wanted: h.now, by: by, why: h.w.reason(why), due: h.now.Add(5 * time.Second), slow: max(5*time.Second, h.atOnce())}
	h.whys[k.why]++
	return k
}

// reason is a reason as it travels: in proper Unicode, and in at most 1000 bytes
// that hold no half of a character. Without one it is that of the configuration.
func (w *simulation) reason(why string) string {
	why = strings.ToValidUTF8(why, "\uFFFD")
	if why == "" {
		why = w.cfg.Reason
	}
	if why == "" {
		why = "User requested cancellation"
	}
	for len(why) > 1000 {
		_, size := utf8.DecodeLastRuneInString(why)
		why = why[:len(why)-size]
	}
	return why
}
