package conduct

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range All() {
		if seen[c.Name] {
			t.Errorf("two conducts are called %q", c.Name)
		}
		seen[c.Name] = true
		if len(c.Ways) == 0 || len(c.Want.Verdict) == 0 || c.Play == nil {
			t.Errorf("%q lacks something", c.Name)
		}
	}
}

// What is written can be read after the lag, in order, also where a later piece
// had a shorter way.
func TestALineTakesItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lag := Lag{Base: 100 * time.Millisecond, Spread: 50 * time.Millisecond, Dice: NewDice(1)}
		client, server := Bridge{Up: lag, Down: lag}.Connect()
		began := time.Now()
		go func() {
			for range 100 {
				_, _ = client.Write([]byte("ab"))
			}
			_ = client.CloseWrite()
		}()
		var got bytes.Buffer
		if n, err := server.Read(make([]byte, 1)); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		if took := time.Since(began); took < 50*time.Millisecond || took > 150*time.Millisecond {
			t.Errorf("the first byte took %v", took)
		}
		_, err := io.Copy(&got, server)
		if want := "b" + strings.Repeat("ab", 99); err != nil || got.String() != want {
			t.Errorf("%q, %v", got.String(), err)
		}
	})
}

// A way with little room keeps the writer waiting until somebody reads.
func TestALineIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := Bridge{Room: 1}.Connect()
		_, _ = client.Write([]byte("first"))
		wrote := make(chan struct{})
		go func() {
			client.WaitWritable()
			close(wrote)
		}()
		time.Sleep(time.Hour)
		select {
		case <-wrote:
			t.Error("there is room though nothing was read")
		default:
		}
		_, _ = server.Read(make([]byte, 16))
		<-wrote
		_ = server.SetLinger(0)
		_ = server.Close()
		if _, err := client.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("after a reset: %v", err)
		}
		if _, err := client.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
			t.Errorf("a write that nobody reads: %v", err)
		}
	})
}

// A cancel is found however its bytes are cut, when its last byte has come.
func TestTheCancelIsSpotted(t *testing.T) {
	const before = `{"jsonrpc":"2.0","method":"notifications/`
	const after = `cancelled","params":{"requestId":7,"reason":"a } in \"it\""}}`
	for cut := range len(before + after) {
		whole := before + after + "\n" + `{"jsonrpc":"2.0","id":8,"method":"ping"}`
		var found []string
		var at time.Time
		s := &spotter{found: func(rest []byte, due time.Time) {
			found = append(found, string(requestID(rest)))
			at = due
		}}
		first, second := time.Unix(1, 0), time.Unix(2, 0)
		s.see([]byte(whole[:cut]), first)
		s.see([]byte(whole[cut:]), second)
		if len(found) != 1 || found[0] != "7" || !at.Equal(second) {
			t.Errorf("cut at %d: %q at %v", cut, found, at)
		}
	}
}

// The stamps decide what a crossing is, and the words that are true then.
func TestJudge(t *testing.T) {
	due := time.Unix(100, 0)
	answer := func(after time.Duration) Stamps {
		return Stamps{Answer: due.Add(after), Written: due.Add(after), CancelDue: due}
	}
	noted := answer(time.Second) // the client knew of its cancel 300 ms later than the server
	noted.Noted = due.Add(300 * time.Millisecond)
	crossing := Conduct{Want: Want{Verdict: []string{Crossed}, Crossing: true, Lacks: []string{`finished`}}}
	late := Conduct{Want: Want{Verdict: []string{AnsweredLate}, Has: []string{`not known`}}}
	kept := Conduct{Want: Want{Verdict: []string{Crossed}}}
	says := Conduct{Want: Want{Verdict: []string{SaysCancelled}}}
	progress := Conduct{Want: Want{Verdict: []string{Quiet}, OnItsWay: true}}
	for _, tt := range []struct {
		name  string
		c     Conduct
		s     Seen
		wrong int
		late  bool
	}{
		{"a crossing", crossing, Seen{Verdict: Crossed, Stamps: answer(-1)}, 0, false},
		{"a crossing told as late", crossing, Seen{Verdict: AnsweredLate, Stamps: answer(-1)}, 1, true},
		{"a crossing told as late, in words", crossing, Seen{Verdict: Crossed, Evidence: "finished", Stamps: answer(-1)}, 1, false},
		{"a crossing that was missed", crossing, Seen{Verdict: AnsweredLate, Stamps: answer(1)}, 0, false},
		{"one that was missed by far", crossing, Seen{Verdict: Crossed, Stamps: answer(3 * time.Second)}, 1, false},
		{"a late answer", late, Seen{Verdict: AnsweredLate, Evidence: "is not known", Stamps: answer(time.Second)}, 0, false},
		{"a late answer without a word", late, Seen{Verdict: AnsweredLate, Stamps: answer(time.Second)}, 1, false},
		{"a late answer told as a crossing", late, Seen{Verdict: Crossed, Evidence: "is not known", Stamps: answer(time.Second)}, 1, false},
		{"a late answer that came after the grace", late, Seen{Verdict: Quiet, Stamps: answer(time.Second), Grace: time.Second}, 0, false},
		{"a late answer below the bound", late, Seen{Verdict: Crossed, Evidence: "on its way for up to 1.2 s", Stamps: answer(time.Second)}, 0, false},
		{"a late answer below the bound by the client's time", late, Seen{Verdict: Crossed, Evidence: "on its way for up to 720 ms", Stamps: noted}, 0, false},
		{"a late answer above it by the client's time", late, Seen{Verdict: Crossed, Evidence: "is not known, on its way for up to 690 ms", Stamps: noted}, 1, false},
		{"a late answer above it", late, Seen{Verdict: Crossed, Evidence: "is not known, on its way for up to 20 ms", Stamps: answer(time.Second)}, 1, false},
		{"a late answer below the bound, in a fake clock", late, Seen{Verdict: Crossed, Evidence: "is not known, on its way for up to 1.2 s", Stamps: answer(time.Second), Exact: true}, 1, false},
		{"an answer that was kept at the server, and read late", kept, Seen{Verdict: AnsweredLate, Evidence: "it can have been on its way for 1.2 s at most", Stamps: answer(time.Second)}, 0, false},
		{"one that was begun too late for that", kept, Seen{Verdict: AnsweredLate, Evidence: "it can have been on its way for 900 ms at most", Stamps: answer(time.Second)}, 1, false},
		{"one that was begun before the cancel", kept, Seen{Verdict: AnsweredLate, Evidence: "it can have been on its way for 1.2 s at most", Stamps: answer(-1)}, 1, true},
		{"says cancelled, told as a crossing", says, Seen{Verdict: Crossed, Stamps: answer(1)}, 1, false},
		{"progress on its way", progress, Seen{Verdict: StillWorking, Stamps: Stamps{Message: due.Add(-1), CancelDue: due}}, 1, true},
		{"a message long after the cancel", says, Seen{Verdict: StillWorking, Stamps: Stamps{Message: due.Add(3 * time.Second), CancelDue: due}, Grace: Grace}, 0, false},
		{"a message soon after the cancel", says, Seen{Verdict: StillWorking, Stamps: Stamps{Message: due.Add(2 * time.Second), CancelDue: due}, Grace: Grace}, 1, false},
		{"progress after it", progress, Seen{Verdict: StillWorking, Stamps: Stamps{Message: due, CancelDue: due}}, 0, false},
	} {
		if wrong := tt.c.Judge(tt.s); len(wrong) != tt.wrong {
			t.Errorf("%s: %q", tt.name, wrong)
		}
		if got := tt.c.WasToldLate(tt.s); got != tt.late {
			t.Errorf("%s: told late is %v", tt.name, got)
		}
	}
}

// A verdict grows only where the script has written an answer, and nothing heard is not what is wanted.
func TestWhatMayGrow(t *testing.T) {
	late := Conduct{Want: Want{Verdict: []string{AnsweredLate}}}
	cut := Conduct{Want: Want{Verdict: []string{Crossed, NothingHeard}}}
	answered := Stamps{Answer: time.Unix(100, 0)}
	for _, tt := range []struct {
		name    string
		c       Conduct
		s       Stamps
		verdict string
		grows   bool
	}{
		{"an answer that has not come yet", late, answered, NothingHeard, true},
		{"one that was never written", late, Stamps{}, NothingHeard, false},
		{"one that has come", late, answered, AnsweredLate, false},
		{"one that may not come", cut, answered, NothingHeard, false},
	} {
		if got := tt.c.MayGrow(tt.s, tt.verdict); got != tt.grows {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// A reader is woken however short the rest of the way is when it begins to wait.
func TestALineWakesItsReader(t *testing.T) {
	l := newLine(Lag{Base: time.Microsecond}, 0)
	read := make(chan int)
	go func() {
		b := make([]byte, 1)
		for n := range 20_000 {
			if _, err := l.Read(b); err != nil {
				t.Errorf("after %d bytes: %v", n, err)
				return
			}
			read <- n
		}
	}()
	for n := range 20_000 {
		if _, err := l.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		select {
		case <-read:
		case <-time.After(time.Minute):
			t.Fatalf("after %d bytes the reader was not woken", n)
		}
	}
}
