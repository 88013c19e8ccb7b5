package form

import "context"

// A step is a small piece of work on a schema, or on a value by one: a keyword, a
// value of an enum, some dozen bytes that are read. It takes well below a
// microsecond. All work on what a server sent is counted in steps, so that no
// schema, whatever its size and shape, takes longer than whoever waits can spare.
const (
	// AtOnce is how many steps a screen can spare between two keys for the reading of
	// a schema.
	AtOnce = 10_000
	// turnSteps is how many there are for all that is done with a form meanwhile.
	turnSteps = 20_000
	// Beside is how many steps a reading may take that no key waits for.
	Beside = 2_000_000
)

// SchemaMost is the length of a schema, in bytes, that is read. What is longer is
// no form that anybody would fill in; its value is written as JSON.
const SchemaMost = 1 << 20

// effort is what may still be done. The zero effort is none.
type effort struct {
	left  int
	spent int
	turn  int // what left is again after each turn; 0: there are no turns
	stop  context.Context
}

// stopEvery is how many steps lie between two looks at whether somebody waits.
const stopEvery = 1 << 10

// take counts n steps, and reports whether they may be taken. A step that was refused is not
// followed by another until the next turn.
func (e *effort) take(n int) bool {
	before := e.spent
	e.left -= n
	if e.left >= 0 {
		e.spent += n
	}
	if e.stop != nil && before/stopEvery != e.spent/stopEvery && e.stop.Err() != nil {
		e.left = -1
	}
	return e.left >= 0
}

// isOver reports whether steps were refused in this turn.
func (e *effort) isOver() bool { return e.left < 0 }

// refill begins a turn.
func (e *effort) refill() {
	if e.turn > 0 {
		e.left = e.turn
	}
}

// sizeSteps is how many steps it takes to read so many bytes.
func sizeSteps(n int) int { return 1 + n/16 }
