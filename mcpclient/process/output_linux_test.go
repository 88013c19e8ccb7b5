package process

import (
	"os"
	"testing"
)

// While a Read takes bytes, what has come is told to those who wait for the Read.
func TestComeBesideARead(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	if _, err := w.WriteString("abc"); err != nil {
		t.Fatal(err)
	}
	o := newOutputPipe(r)
	o.mu.Lock() // as Read does
	if n, ok := o.Come(false); ok {
		t.Errorf("beside a Read %d bytes are said to have come", n)
	}
	told := make(chan int64)
	go func() {
		n, _ := o.Come(true)
		told <- n
	}()
	o.mu.Unlock()
	if n := <-told; n != 3 {
		t.Errorf("%d bytes have come, want 3", n)
	}
	if n, ok := o.Come(false); !ok || n != 3 {
		t.Errorf("beside no Read: %d, %v", n, ok)
	}
}
