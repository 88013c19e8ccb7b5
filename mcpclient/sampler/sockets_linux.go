package sampler

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"belay/session/witness"
)

// ends are the two ends of a socket's connection.
type ends struct{ local, remote netip.AddrPort }

// mostSockets is how many connections of a machine are looked through.
const mostSockets = 1 << 16

var (
	errManySockets = errors.New("this machine has more connections than are looked through")
	errDump        = errors.New("the kernel does not tell its connections")
)

// connections implements source. The kernel is asked once in a sample for all that this
// network has. What it does not tell, and what is in another network, the library reads.
func (k *kernel) connections(pid int) (all []witness.Connection, err error) {
	sockets, err := socketsOf(pid)
	if len(sockets) == 0 || err != nil {
		return nil, err
	}
	if network := networkOf(strconv.Itoa(pid)); network == "" || network != networkOf("thread-self") {
		return k.library.connections(pid)
	}
	if k.connected == nil {
		k.connected, err = k.allConnected()
	}
	switch {
	case errors.Is(err, errManySockets):
		return nil, err
	case err != nil:
		return k.library.connections(pid)
	}
	for _, inode := range sockets {
		if c, ok := k.connected[inode]; ok {
			all = append(all, witness.Connection{PID: pid, Local: c.local.String(), Remote: c.remote.String()})
		}
	}
	return all, nil
}

// socketsOf are the numbers of the sockets that a process holds open.
func socketsOf(pid int) (inodes []uint32, err error) {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	files, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = files.Close() }()
	names, err := files.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		target, err := os.Readlink(dir + "/" + name)
		number, isSocket := strings.CutPrefix(target, "socket:[")
		if err != nil || !isSocket {
			continue
		}
		if inode, err := strconv.ParseUint(strings.TrimSuffix(number, "]"), 10, 32); err == nil {
			inodes = append(inodes, uint32(inode))
		}
	}
	return inodes, nil
}

// networkOf names the network that a process or a thread is in; empty: it is not told.
func networkOf(process string) string {
	name, _ := os.Readlink("/proc/" + process + "/ns/net")
	return name
}

// allConnected asks for the connections of this network, by the numbers of their sockets.
func (k *kernel) allConnected() (map[uint32]ends, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(fd) }()
	_ = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 1})
	all := map[uint32]ends{}
	for _, family := range []uint8{unix.AF_INET, unix.AF_INET6} {
		for _, protocol := range []uint8{unix.IPPROTO_TCP, unix.IPPROTO_UDP} {
			if err := k.dump(fd, family, protocol, all); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// What the kernel is asked with, and answers with: struct inet_diag_req_v2 and struct
// inet_diag_msg.
const (
	askSize     = unix.SizeofNlMsghdr + 56
	askStates   = unix.SizeofNlMsghdr + 4
	established = 1 << 1

	toldSource      = 4 // two bytes, and two of the other end
	toldDestination = 6
	toldAddresses   = 8 // sixteen bytes each
	toldSocket      = 68
	toldSize        = 72
)

// dump asks for the connections of one kind.
func (k *kernel) dump(fd int, family, protocol uint8, all map[uint32]ends) error {
	var ask [askSize]byte
	binary.NativeEndian.PutUint32(ask[:], askSize)
	binary.NativeEndian.PutUint16(ask[4:], unix.SOCK_DIAG_BY_FAMILY)
	binary.NativeEndian.PutUint16(ask[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	ask[unix.SizeofNlMsghdr], ask[unix.SizeofNlMsghdr+1] = family, protocol
	binary.NativeEndian.PutUint32(ask[askStates:], established)
	if err := unix.Sendto(fd, ask[:], 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	if k.told == nil {
		k.told = make([]byte, 32<<10)
	}
	for {
		n, _, err := unix.Recvfrom(fd, k.told, 0)
		if err != nil {
			return err
		}
		messages, err := syscall.ParseNetlinkMessage(k.told[:n])
		if err != nil {
			return err
		}
		for _, m := range messages {
			switch m.Header.Type {
			case unix.NLMSG_DONE:
				return nil
			case unix.SOCK_DIAG_BY_FAMILY:
				if inode, c, ok := endsIn(m.Data); ok {
					all[inode] = c
				}
			default:
				return errDump
			}
			if len(all) > mostSockets {
				return errManySockets
			}
		}
	}
}

// endsIn reads what the kernel tells of one socket.
func endsIn(told []byte) (inode uint32, c ends, ok bool) {
	if len(told) < toldSize {
		return 0, c, false
	}
	end := func(address, port int) netip.AddrPort {
		ip := netip.AddrFrom16([16]byte(told[address : address+16])).Unmap()
		if told[0] == unix.AF_INET {
			ip = netip.AddrFrom4([4]byte(told[address : address+4]))
		}
		return netip.AddrPortFrom(ip, binary.BigEndian.Uint16(told[port:]))
	}
	c = ends{local: end(toldAddresses, toldSource), remote: end(toldAddresses+16, toldDestination)}
	return binary.NativeEndian.Uint32(told[toldSocket:]), c, c.remote.Port() != 0
}
