package sampler

import (
	"errors"
	"net"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
	network "github.com/shirou/gopsutil/v4/net"
	"github.com/shirou/gopsutil/v4/process"

	"belay/session/witness"
)

// library asks gopsutil, on any system.
type library struct{ now time.Time }

// begin implements source.
func (l *library) begin(now time.Time) { l.now = now }

// quiet implements source.
func (*library) quiet() bool { return false }

// all implements source.
func (*library) all() ([]int, error) {
	pids, err := process.Pids()
	all := make([]int, len(pids))
	for i, pid := range pids {
		all[i] = int(pid)
	}
	return all, err
}

// read implements source. What the system does not tell is zero.
func (l *library) read(pid int) (r reading, err error) {
	p := &process.Process{Pid: int32(pid)}
	start, err := p.CreateTime()
	if err != nil {
		if there, e := process.PidExists(int32(pid)); e == nil && !there {
			return r, errGone
		}
		return r, err
	}
	r.PID, r.Start = pid, start
	r.Age = l.now.Sub(time.UnixMilli(start))
	r.Name, _ = p.Name()
	if parent, err := p.Ppid(); err == nil {
		r.Parent = int(parent)
	}
	if t, err := p.Times(); err == nil {
		r.CPU = time.Duration((t.User + t.System) * float64(time.Second))
	} else {
		r.cpuRefused = true
	}
	if m, err := p.MemoryInfo(); err == nil {
		r.Memory = m.RSS
	}
	if n, err := p.NumThreads(); err == nil {
		r.Threads = int(n)
	}
	if status, err := p.Status(); err == nil {
		r.Ended = slices.Contains(status, process.Zombie)
	}
	r.group, r.session = groupOf(pid)
	return r, nil
}

// command implements source.
func (*library) command(pid int) []string {
	args, _ := (&process.Process{Pid: int32(pid)}).CmdlineSlice()
	return args
}

// environment implements source: it is not asked for.
func (*library) environment(int) ([]byte, error) { return nil, errors.ErrUnsupported }

// files implements source.
func (*library) files(pid int) (int, error) {
	n, err := (&process.Process{Pid: int32(pid)}).NumFDs()
	return int(n), err
}

// connections implements source: those that have another end.
func (*library) connections(pid int) (all []witness.Connection, err error) {
	list, err := network.ConnectionsPidMax("inet", int32(pid), 4*witness.MostConnections)
	for _, c := range list {
		if c.Raddr.Port == 0 || c.Status == "LISTEN" || c.Pid != int32(pid) {
			continue
		}
		if c.Status != "" && c.Status != "NONE" && c.Status != "ESTABLISHED" {
			continue // it is about to begin, or closed by one side at least
		}
		all = append(all, witness.Connection{PID: pid, Local: addressOf(c.Laddr), Remote: addressOf(c.Raddr)})
	}
	return all, err
}

func addressOf(a network.Addr) string {
	return net.JoinHostPort(a.IP, strconv.FormatUint(uint64(a.Port), 10))
}

// idle implements source, for all processors of the machine.
func (*library) idle() (all time.Duration, processors int) {
	times, err := cpu.Times(true)
	for _, t := range times {
		all += time.Duration(t.Idle * float64(time.Second))
	}
	if err != nil {
		return 0, 0
	}
	return all, len(times)
}

// lacks implements source.
func (*library) lacks() []string {
	lacks := []string{"the CPU time of children that have ended"}
	if runtime.GOOS == "windows" {
		lacks = append(lacks, "process groups")
	}
	return lacks
}
