package termtest

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// screenOnly is a terminal without a program, which draws what it is sent.
func screenOnly() (*Terminal, chan<- []byte) {
	term := &Terminal{
		opts:    Options{Argv: []string{"nothing"}, Timeout: time.Hour},
		emu:     newEmulator(40, 3, Dark(), false),
		raw:     rawLog{limit: 1 << 10},
		changed: make(chan struct{}),
	}
	chunks := make(chan []byte)
	go term.draw(chunks)
	return term, chunks
}

// A character must come out whole wherever the reads cut it.
func TestReadsMayCutAnywhere(t *testing.T) {
	const text = "── 日本 ⚠\ufe0f 👩\u200d💻 \u1100\u1161 🇸🇪 \x1b[31mé\x1b[m é\r\n⠹ end é"
	whole := newEmulator(40, 3, Dark(), false)
	whole.write([]byte(text))
	want := whole.screen()
	if !strings.Contains(want.String(), "⚠\ufe0f 👩\u200d💻") {
		t.Fatalf("the emulator does not join the clusters: %q", want.String())
	}
	for size := 1; size <= len(text); size++ {
		synctest.Test(t, func(t *testing.T) {
			term, chunks := screenOnly()
			for rest := []byte(text); len(rest) > 0; {
				n := min(size, len(rest))
				chunks <- rest[:n]
				rest = rest[n:]
			}
			// What cannot go on is shown when nothing more comes.
			time.Sleep(2 * patience)
			synctest.Wait()
			if got := term.Screen(); got.String() != want.String() || got.Cursor != want.Cursor {
				t.Errorf("in reads of %d bytes the screen is\n%s\nwant\n%s", size, got.Framed(), want.Framed())
			}
			if string(term.RawOutput()) != text {
				t.Errorf("in reads of %d bytes the raw output is %q", size, term.RawOutput())
			}
			close(chunks)
		})
	}
}

func TestWaitQuietOutlivesTheOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term, chunks := screenOnly()
		go func() {
			for _, text := range []string{"one", "two", "three"} {
				time.Sleep(9 * time.Second)
				chunks <- []byte(text)
			}
		}()
		if err := term.WaitQuiet(10 * time.Second); err != nil {
			t.Fatal(err)
		}
		if got := term.Screen().String(); got != "onetwothree" {
			t.Errorf("quiet was seen when the screen read %q", got)
		}
		if _, err := term.WaitExit(); err == nil {
			t.Error("a program that did not end has ended")
		}
		close(chunks)
	})
}

func TestWaitQuietEndsWhenThereIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term, chunks := screenOnly()
		stop := make(chan struct{})
		go func() {
			for {
				select {
				case <-time.After(time.Second):
					chunks <- []byte("x")
				case <-stop:
					close(chunks)
					return
				}
			}
		}()
		err := term.WaitQuiet(10 * time.Second)
		if err == nil || !strings.Contains(err.Error(), "10s without output") {
			t.Errorf("a program that does not stop writing is quiet: %v", err)
		}
		close(stop)
	})
}

func TestRawLogKeepsTheNewest(t *testing.T) {
	log := rawLog{limit: 4}
	for _, p := range []string{"abc", "", "defghij", "k"} {
		log.add([]byte(p))
	}
	if string(log.bytes()) != "hijk" || log.total != 11 {
		t.Errorf("kept %q of %d bytes", log.bytes(), log.total)
	}
}

func TestLastUpdate(t *testing.T) {
	const begin, end = "\x1b[?2026h", "\x1b[?2026l"
	for p, want := range map[string]int{
		"": 0, "abc": 3,
		begin + "abc" + end:          len(begin + "abc" + end),
		begin + "abc":                0,
		"ab" + begin:                 2,
		begin + end + "x" + begin:    len(begin + end + "x"),
		end + "x":                    len(end + "x"),
		begin + "a" + begin + "b":    len(begin + "a"),
		"ab" + begin + "c" + end[:4]: 2,
	} {
		if got := lastUpdate([]byte(p)); got != want {
			t.Errorf("%q: %d, want %d", p, got, want)
		}
	}
}
