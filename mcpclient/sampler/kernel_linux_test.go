package sampler

import (
	"encoding/binary"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"belay/session/witness"
)

// The name of a process is anything, and so are the fields behind it.
func TestTheFileOfAProcess(t *testing.T) {
	k := &kernel{page: 4096, up: 25 * time.Second}
	const rest = " S 10 20 30 0 -1 4194560 97 0 0 0 150 50 7 3 20 0 4 0 2000 3149824 25 18446744073709551615 1 1"
	r, err := k.parse(77, []byte("77 (a) b (c)"+rest+"\n"))
	if err != nil || r.Name != "a) b (c" || r.Parent != 10 || r.group != 20 || r.session != 30 || r.CPU != 2*time.Second ||
		r.Reaped != 100*time.Millisecond || r.Threads != 4 || r.Memory != 25*4096 || r.Age != 5*time.Second || r.Ended {
		t.Errorf("%+v: %v", r, err)
	}
	if r, err := k.parse(77, []byte("77 (x)"+strings.Replace(rest, " S ", " Z ", 1)+"\n")); err != nil || !r.Ended {
		t.Errorf("%+v: %v", r, err)
	}
	for _, text := range []string{"", "77", "77 (x", "77 )(", "77 (x)", "77 (x) S 1 2 3", "77 (x)" + strings.Replace(rest, "150", "zero", 1)} {
		if r, err := k.parse(77, []byte(text)); err == nil {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
}

// What the kernel tells of a socket is read as it is written, in both families.
func TestTheEndsOfASocket(t *testing.T) {
	told := func(family byte, local, remote string) []byte {
		b := make([]byte, toldSize)
		a, c := netip.MustParseAddrPort(local), netip.MustParseAddrPort(remote)
		b[0] = family
		binary.BigEndian.PutUint16(b[toldSource:], a.Port())
		binary.BigEndian.PutUint16(b[toldDestination:], c.Port())
		copy(b[toldAddresses:], a.Addr().AsSlice())
		copy(b[toldAddresses+16:], c.Addr().AsSlice())
		binary.NativeEndian.PutUint32(b[toldSocket:], 4711)
		return b
	}
	for _, c := range []struct{ told, want string }{
		{string(told(unix.AF_INET, "192.0.2.1:9", "192.0.2.2:80")), "192.0.2.1:9 192.0.2.2:80"},
		{string(told(unix.AF_INET6, "[2001:db8::1]:9", "[2001:db8::2]:443")), "[2001:db8::1]:9 [2001:db8::2]:443"},
		{string(told(unix.AF_INET6, "[::ffff:192.0.2.1]:9", "[::ffff:192.0.2.2]:80")), "192.0.2.1:9 192.0.2.2:80"},
	} {
		inode, got, ok := endsIn([]byte(c.told))
		if text := got.local.String() + " " + got.remote.String(); !ok || inode != 4711 || text != c.want {
			t.Errorf("%q is read as %s, want %s", c.told, text, c.want)
		}
	}
	if _, _, ok := endsIn(told(unix.AF_INET, "192.0.2.1:9", "192.0.2.2:0")); ok {
		t.Error("a socket without another end is a connection")
	}
	if _, _, ok := endsIn(make([]byte, toldSize-1)); ok {
		t.Error("half a message is read")
	}
}

// Connections are those that the library finds, of one and of the other family and kind.
func TestConnectionsAreThoseOfTheLibrary(t *testing.T) {
	var ours []net.Conn
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			continue // this machine has none of that family
		}
		defer func() { _ = l.Close() }()
		for network, to := range map[string]string{"tcp": l.Addr().String(), "udp": l.Addr().String()} {
			c, err := net.Dial(network, to)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			ours = append(ours, c)
		}
	}
	k := newSource().(*kernel)
	k.begin(time.Now())
	got, err := k.connections(os.Getpid())
	if err != nil || k.connected == nil {
		t.Fatalf("the kernel is not asked: %v", err)
	}
	want, err := k.library.connections(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range ours {
		is := witness.Connection{PID: os.Getpid(), Local: c.LocalAddr().String(), Remote: c.RemoteAddr().String()}
		if !slices.Contains(got, is) || !slices.Contains(want, is) {
			t.Errorf("%v is not among %v and %v", is, got, want)
		}
	}
	if len(got) != len(want) {
		t.Errorf("the kernel tells %v, and the library %v", got, want)
	}
}

// A program that was stopped between the time of a sample and what is read for it tells the
// starts of processes as any other.
func TestAgesAreThoseAtTheTimeOfTheSample(t *testing.T) {
	k := newSource().(*kernel)
	startAt := func(now time.Time) time.Time {
		k.begin(now)
		r, err := k.read(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		return now.Add(-r.Age)
	}
	const stopped = 10 * time.Minute
	now := time.Now()
	if a, b := startAt(now), startAt(now.Add(-stopped)); a.Sub(b).Abs() > stopped/2 {
		t.Errorf("it began at %v, and where the sample is of %v before that at %v", a, stopped, b)
	}
}

// Two clocks are told as they were read the shortest time after each other, of a bounded number
// of times.
func TestTwoClocksAtOneMoment(t *testing.T) {
	for _, x := range []struct {
		name  string
		stops []time.Duration // between the clocks, read by read; the last of them again and again
		want  time.Duration   // when one was read
		reads int
	}{
		{"at once", []time.Duration{0}, 0, 1},
		{"stopped once", []time.Duration{time.Second, 0}, time.Second, 2},
		{"stopped twice", []time.Duration{time.Second, time.Minute, 0}, time.Minute + time.Second, 3},
		{"always stopped, once for less", []time.Duration{time.Second, time.Millisecond, time.Second}, time.Second, mostReads},
	} {
		t.Run(x.name, func(t *testing.T) {
			passed, reads := time.Duration(0), 0
			one, other := together(func() time.Duration {
				at := passed
				passed += x.stops[min(reads, len(x.stops)-1)]
				reads++
				return at
			}, func() time.Time { return noon.Add(passed) })
			if one != x.want || !other.Equal(noon.Add(x.want)) || reads != x.reads {
				t.Errorf("the one said %v, and the other %v, after %d reads: want %v and %d", one, other.Sub(noon), reads, x.want, x.reads)
			}
		})
	}
}

// The number of the process that was begun last is the last one of its file; where a system makes up the file, there is none,
// and new processes are looked for in each sample.
func TestTheProcessThatWasBegunLast(t *testing.T) {
	for text, want := range map[string]int{"0.10 0.20 0.30 1/200 4711\n": 4711, "0.00 0.00 0.00 0/0 0\n": 0, "": 0, "a b": 0, "1 -2": 0} {
		if n, ok := parseLast([]byte(text)); ok != (want > 0) || ok && n != want {
			t.Errorf("%q: %d, %t, want %d", text, n, ok, want)
		}
	}
}

// Idle time is that of the processors that may be used, and with it the time in which they waited
// for a disk; of lines that cannot be read nothing is told.
func TestTheIdleTimeOfProcessors(t *testing.T) {
	const text = "cpu  1 2 3 400 50 6 7 8 0 0\ncpu0 1 2 3 100 20 6 7 8 0 0\ncpu1 1 2 3 300 30 6 7 8 0 0\ncpu10 1 2 3 1000 0 6 7 8 0 0\nintr 5 cpu9\n"
	all := func(int) bool { return true }
	for _, x := range []struct {
		text string
		may  func(int) bool
		idle time.Duration
		n    int
	}{
		{text, all, 14500 * time.Millisecond, 3},
		{text, func(n int) bool { return n == 1 }, 3300 * time.Millisecond, 1},
		{text, func(int) bool { return false }, 0, 0},
		{text[:strings.Index(text, "cpu1 ")+20], all, 0, 0}, // the line of the second is not whole
		{strings.Replace(text, "300 30", "many 30", 1), all, 0, 0},
		{"cpu  0 0 0 0 0 0\ncpu0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0\n", all, 0, 0}, // which gVisor makes up
		{"", all, 0, 0},
	} {
		if idle, n := parseIdle([]byte(x.text), x.may); idle != x.idle || n != x.n {
			t.Errorf("%d processors were idle for %v, want %d and %v", n, idle, x.n, x.idle)
		}
	}
	before, n := newSource().idle()
	if n == 0 {
		return // this machine does not tell
	}
	from := time.Now()
	time.Sleep(50 * time.Millisecond)
	after, m := newSource().idle()
	// What waits for a disk counts, and may fall (proc(5), iowait).
	if most := time.Since(from)*time.Duration(n) + time.Second; n != m || before <= 0 || (after-before).Abs() > most {
		t.Errorf("%d processors, idle for %v, then %d and %v: at most %v beside it", n, before, m, after, most)
	}
}
