package small

import (
	"errors"
	"testing"
)

func TestAdd(t *testing.T) {
	c := Counter[string]{limit: 1}
	if err := c.Add("a"); err != nil {
		t.Fatal(err)
	}
	if len(c.seen) != 1 {
		t.Error("not seen")
	}
	t.Run("full", func(t *testing.T) {
		if err := c.Add("b"); !errors.Is(err, ErrFull) {
			t.Error(err)
		}
	})
}

func TestDouble(t *testing.T) {
	if Double(2) != 4 {
		t.Error("not twice")
	}
}

func TestLog2(t *testing.T) {
	if Log2(1) != 0 || Log2(8) != 3 {
		t.Error("not halved")
	}
}
