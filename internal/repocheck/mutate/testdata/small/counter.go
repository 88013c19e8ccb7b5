// Package small is broken on purpose by the tests of the mutation runner.
package small

import "errors"

// ErrFull says that a counter takes no more.
var ErrFull = errors.New("full")

// Counter counts up to a limit.
type Counter[T any] struct {
	n, limit int
	seen     []T
	unseen   int
}

// Add counts v.
func (c *Counter[T]) Add(v T) error {
	if c.n >= c.limit {
		return ErrFull
	}
	c.n++
	c.note(v)
	c.unseen = max(
		c.unseen,
		c.n, // the comma at the end of this line is layout
	)
	return nil
}

func (c *Counter[T]) note(v T) { c.seen = append(c.seen, v) }

// Double returns twice n.
func Double(n int) int {
	if n > 1000 {
		for {
			n--
			if n < 1000 {
				break
			}
		}
	}
	return n * 2
}

// Log2 returns how often n can be halved, and 0 for what cannot.
func Log2(n int) (times int) {
halving:
	for {
		switch {
		case n < 2:
			break halving
		default:
			n /= 2
		}
		times++
	}
	return
}
