package session

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"belay/session/secret"
	"belay/session/twin"
)

// unkeyed is a mask that knows no values.
var unkeyed = secret.NewMask("")

// tape keeps the steps of a session as JSON, from which another one is made.
type tape struct {
	origin time.Time
	cfg    Config
	mask   *secret.Mask
	steps  []taped
	lines  [][]byte // of the steps: their names and their JSON
	rests  []rested
	err    error
	of     *Session
}

// rested is a step before which the session was at rest.
type rested struct {
	step int
	Rest
}

// taped is a step: an input by its name and JSON, or the bytes of an output.
type taped struct {
	at   time.Time
	name string // empty: an output
	op   Op
	text []byte
}

// newTape begins to keep the steps of a session that is new.
func newTape(s *Session, mask *secret.Mask) *tape {
	t := &tape{origin: s.now, cfg: s.Config(), mask: mask, of: s}
	s.Journal().Hand(t.put)
	return t
}

func (t *tape) put(step Step) {
	x := taped{at: step.At, op: step.Output.Op, text: masker{t.mask}.bytes(bytes.Clone(step.Output.Data))}
	if step.Input != nil {
		if r, ok := t.of.Journal().Rest(); ok {
			t.rests = append(t.rests, rested{len(t.steps), r})
		}
		var err error
		if x.name, x.text, err = EncodeInput(Masked(step.Input, t.mask)); err != nil {
			t.err = err
		}
	}
	t.steps = append(t.steps, x)
	t.lines = append(t.lines, fmt.Appendf(nil, "%s %s", x.name, x.text))
}

// played is a session that a tape was played in.
type played struct {
	s       *Session
	differs int // outputs that came out otherwise

	left, copy *Session // one that was copied on the way and then went on, and the copy
}

// play plays the tape with a mask besides its own.
func (t *tape) play(mask *secret.Mask) (p played, err error) {
	p.s = New(MaskedConfig(MaskedConfig(t.cfg, t.mask), mask), t.origin)
	return p, t.playOn(&p, 0, mask)
}

// playCopied is play, with a session besides that is copied at a step; it and its copy
// then go on, one after the other.
func (t *tape) playCopied(at int) (p played, err error) {
	if p, err = t.play(nil); err != nil {
		return p, err
	}
	early := *t
	early.steps = t.steps[:at]
	q, err := early.play(nil)
	if err != nil {
		return p, err
	}
	p.left = q.s
	p.copy, _ = twin.Of(q.s)
	for _, s := range []*Session{p.left, p.copy} {
		if err == nil && s != nil {
			err = t.playOn(&played{s: s}, at, nil)
		}
	}
	return p, err
}

// playCut plays the tape without the steps between two rests of one connection.
func (t *tape) playCut(from, to rested) (p played, err error) {
	cut := *t
	at := t.steps[to.step].at
	name, text, err := EncodeInput(Skipped{Rest: &to.Rest})
	if err != nil {
		return p, err
	}
	cut.steps = slices.Concat(t.steps[:from.step], []taped{{at: at, name: name, text: text}}, t.steps[to.step:])
	cut.lines = slices.Concat(t.lines[:from.step], [][]byte{[]byte(name)}, t.lines[to.step:])
	return cut.play(nil)
}

// playOn plays the steps from one on.
func (t *tape) playOn(p *played, from int, mask *secret.Mask) error {
	for i, x := range t.steps[from:] {
		if x.name == "" {
			out, ok := p.s.Next(x.at)
			if !ok || out.Op != x.op || !bytes.Equal(out.Data, masker{mask}.bytes(x.text)) {
				p.differs++
			}
			continue
		}
		in, err := DecodeInput(x.name, x.text)
		if err == nil && mask != nil {
			var text []byte
			if _, text, err = EncodeInput(Masked(in, mask)); err == nil {
				in, err = DecodeInput(x.name, text)
			}
		}
		if err == nil {
			_, err = p.s.Handle(x.at, in)
		}
		if err != nil {
			return fmt.Errorf("step %d, %s: %w", from+i, t.lines[from+i], err)
		}
	}
	return t.err
}

// recorded makes a ready rig and a tape of it.
func recorded(t *testing.T, mask *secret.Mask, change ...func(*Config)) (*rig, *tape) {
	var cfg Config
	for _, f := range change {
		f(&cfg)
	}
	r := newRig(t, cfg)
	kept := newTape(r.s, mask)
	r.connect()
	r.agree("2025-11-25", logging)
	r.lines = nil
	return r, kept
}

// replayed plays a tape and fails unless it gives the states of r.
func replayed(t *testing.T, r *rig, kept *tape) played {
	t.Helper()
	p, err := kept.play(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.s.Check(); err != nil {
		t.Error(err)
	}
	first, last := r.s.Span()
	for id := first; id <= last; id++ {
		want, _ := r.s.Row(id)
		got, _ := p.s.Row(id)
		if got.State != want.State || got.Verdict != want.Verdict || got.Ended != want.Ended || got.Wire != want.Wire {
			t.Errorf("row %d: %+v, want %+v", id, got, want)
		}
	}
	a, b := p.s.Questions(), r.s.Questions()
	if len(a) != len(b) {
		t.Fatalf("%d questions, want %d", len(a), len(b))
	}
	for i := range a {
		if a[i].State != b[i].State {
			t.Errorf("question %d: %v, want %v", i, a[i].State, b[i].State)
		}
	}
	return p
}

// refused is what was refused of an input.
func refused(_ Reply, err error) error { return err }

// madeBy is the row that an input made.
func madeBy(r Reply, err error) (CallID, error) { return r.Call, err }

// toldOf reports whether the server hears of new roots.
func toldOf(r Reply, err error) (bool, error) { return r.Told, err }
