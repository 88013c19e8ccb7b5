package wording

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"belay/internal/safe"
	"belay/session"
)

// errCancelAt says what a moment of a cancel may be.
var errCancelAt = errors.New("50%, a progress such as 3, message or answer")

// ParseCancelAt reads the moments of a call at which it is to be cancelled, separated by
// commas, into its rules: a share of its progress ("50%"), a progress ("3"), its first
// message ("message"), the moment of its answer ("answer"). What the rules had of these
// before is forgotten. The error is a list of what may be there.
func ParseCancelAt(text string, into *session.Rules) error {
	at := session.Rules{After: into.After, Reason: into.Reason}
	for word := range strings.SplitSeq(text, ",") {
		switch word = strings.TrimSpace(word); word {
		case "message":
			at.OnMessage = true
		case "answer":
			at.AtAnswer = true
		default:
			digits, share := strings.CutSuffix(word, "%")
			v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
			switch {
			case err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v <= 0 || share && v > 100:
				return errCancelAt
			case share:
				at.AtFraction = v / 100
			default:
				at.AtProgress = v
			}
		}
	}
	*into = at
	return nil
}

// CancelAt writes these moments as [ParseCancelAt] reads them; empty: there are none.
func CancelAt(r *session.Rules) safe.Text {
	var all []string
	if r.AtFraction > 0 {
		all = append(all, strconv.FormatFloat(r.AtFraction*100, 'g', 4, 64)+"%")
	}
	if r.AtProgress > 0 {
		all = append(all, strconv.FormatFloat(r.AtProgress, 'g', -1, 64))
	}
	if r.OnMessage {
		all = append(all, "message")
	}
	if r.AtAnswer {
		all = append(all, "answer")
	}
	return safe.Text(strings.Join(all, ", "))
}
