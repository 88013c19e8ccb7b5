package sampler

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// showsEnvironments reports whether the system shows those of other processes.
const showsEnvironments = true

// newSource is what a server is watched by here.
func newSource() source { return &kernel{page: uint64(os.Getpagesize())} }

// tick is the unit of times in /proc, the same on every machine that Go runs on.
const tick = time.Second / 100

// kernel reads the files of Linux.
type kernel struct {
	library
	page uint64
	up   time.Duration // since the machine was started, at the time of the sample
	last int           // which process or thread was begun last on this machine
	buf  [4096]byte
	env  []byte
	stat []byte

	connected map[uint32]ends // those of this network, by their sockets; nil: not asked for in this sample
	told      []byte
}

// loadavg ends with the number that was given last to a process or a thread.
const loadavg = "/proc/loadavg"

// readsQuickly is that the reading of a process takes no more than some microseconds.
const readsQuickly = true

// loadavgFile stays open, once it is read: to open it takes several times as long as to read it, and
// a cancel waits meanwhile. It is nil where it cannot be opened.
var loadavgFile = sync.OnceValue(func() *os.File {
	f, err := os.Open(loadavg)
	if err != nil {
		return nil
	}
	return f
})

// lastNumber is that number; false: the system does not tell.
func lastNumber() (number int, ok bool) {
	f := loadavgFile()
	if f == nil {
		return 0, false
	}
	var buf [128]byte
	n, err := f.ReadAt(buf[:], 0)
	if err != nil && err != io.EOF {
		return 0, false
	}
	return parseLast(buf[:n])
}

// parseLast reads that number. Systems that make up the file, as gVisor does, have 0 in its place.
func parseLast(text []byte) (number int, ok bool) {
	text = bytes.TrimSpace(text)
	number, err := strconv.Atoi(string(text[bytes.LastIndexByte(text, ' ')+1:]))
	return number, err == nil && number > 0
}

// begin implements source.
func (k *kernel) begin(now time.Time) {
	up, at := together(sinceBoot, time.Now)
	k.up, k.connected = up-at.Sub(now), nil
}

// sinceBoot is how long ago the machine was started.
func sinceBoot() time.Duration {
	var up unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_BOOTTIME, &up) // which every Linux has that Go runs on
	return time.Duration(up.Nano())
}

// quiet implements source.
func (k *kernel) quiet() bool {
	text, err := k.file(loadavg)
	if err != nil {
		return false
	}
	newest, ok := parseLast(text)
	was := k.last
	k.last = newest
	return ok && newest == was
}

// file reads a small file without making anything.
func (k *kernel) file(name string) ([]byte, error) { return readInto(k.buf[:], name) }

// readInto reads as much of a file as there is room for.
func readInto(room []byte, name string) ([]byte, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	n, err := unix.Read(fd, room)
	_ = unix.Close(fd)
	return room[:max(0, n)], err
}

// mostEnvironment is how much of an environment is read.
const mostEnvironment = 256 << 10

// environment implements source.
func (k *kernel) environment(pid int) ([]byte, error) {
	if k.env == nil {
		k.env = make([]byte, mostEnvironment)
	}
	return readInto(k.env, "/proc/"+strconv.Itoa(pid)+"/environ")
}

// The fields of /proc/PID/stat behind the name, which may hold anything.
const (
	statState   = 0
	statParent  = 1
	statGroup   = 2
	statSession = 3
	statUser    = 11
	statSystem  = 12
	statUsers   = 13 // of the children that it waited for
	statSystems = 14
	statThreads = 17
	statStart   = 19
	statPages   = 21
	statFields  = 22
)

// read implements source.
func (k *kernel) read(pid int) (r reading, err error) {
	text, err := k.file("/proc/" + strconv.Itoa(pid) + "/stat")
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ESRCH):
		return r, errGone
	case err != nil:
		return r, err
	}
	return k.parse(pid, text)
}

var errStat = errors.New("the file of a process has too few fields")

func (k *kernel) parse(pid int, text []byte) (r reading, err error) {
	open, shut := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 0 || shut < open {
		return r, errStat
	}
	var field [statFields]int64
	rest := text[shut+1:]
	for i := range field {
		rest = bytes.TrimLeft(rest, " ")
		end := bytes.IndexByte(rest, ' ')
		if end <= 0 {
			return r, errStat
		}
		if i == statState {
			r.Ended = rest[0] == 'Z' || rest[0] == 'X'
		} else if field[i], err = strconv.ParseInt(string(rest[:end]), 10, 64); err != nil && !errors.Is(err, strconv.ErrRange) {
			return r, errStat
		}
		rest = rest[end:]
	}
	r.PID, r.Name, r.Parent = pid, string(text[open+1:shut]), int(field[statParent])
	r.group, r.session = int(field[statGroup]), int(field[statSession])
	r.CPU = time.Duration(field[statUser]+field[statSystem]) * tick
	r.Reaped = time.Duration(field[statUsers]+field[statSystems]) * tick
	r.Threads, r.Start = int(field[statThreads]), field[statStart]
	r.Memory = uint64(max(0, field[statPages])) * k.page
	r.Age = k.up - time.Duration(r.Start)*tick
	return r, nil
}

// mostStat is how much of /proc/stat is read: the lines of about 700 processors, which come first.
const mostStat = 64 << 10

// idle implements source: for the processors that belay may run on, and so the server.
func (k *kernel) idle() (all time.Duration, processors int) {
	var may unix.CPUSet
	if unix.SchedGetaffinity(0, &may) != nil {
		return 0, 0
	}
	if k.stat == nil {
		k.stat = make([]byte, mostStat)
	}
	text, err := readInto(k.stat, "/proc/stat")
	if err != nil {
		return 0, 0
	}
	if all, processors = parseIdle(text, may.IsSet); processors != may.Count() {
		return 0, 0
	}
	return all, processors
}

// The fields of a processor's line in /proc/stat behind its name.
const (
	processorIdle = 3
	processorWait = 4 // idle, too, and something waits for a disk
)

// parseIdle adds up the idle time of the processors whose lines are there as a whole. Where none was ever idle, the
// system makes the lines up.
func parseIdle(text []byte, may func(processor int) bool) (all time.Duration, processors int) {
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) == 0 || !bytes.HasPrefix(fields[0], []byte("cpu")) {
			break
		}
		number, err := strconv.Atoi(string(fields[0][len("cpu"):]))
		if err != nil || !may(number) {
			continue // the first line is that of all
		}
		if len(fields) <= 1+processorWait || line[len(line)-1] != '\n' {
			return 0, 0
		}
		for _, at := range []int{processorIdle, processorWait} {
			ticks, err := strconv.ParseInt(string(fields[1+at]), 10, 64)
			if err != nil {
				return 0, 0
			}
			all += time.Duration(ticks) * tick
		}
		processors++
	}
	if all == 0 {
		return 0, 0
	}
	return all, processors
}

// lacks implements source.
func (k *kernel) lacks() []string { return nil }

// threadCost is what a thread has used, which a busy machine does not make more.
type threadCost struct{}

func newCost() cost { return threadCost{} }

func (threadCost) begin() func() time.Duration {
	from := threadTime()
	return func() time.Duration { return threadTime() - from }
}

func threadTime() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return time.Duration(t.Nano())
}
