package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync"

	"belay/internal/conduct"
)

// A conducted peer is the test binary itself, run by belay as
//
//	e2e.test conduct NAME WAY ADDRESS
//
// It plays a conduct on its stdin and stdout, and is told by the test, to which
// it has a connection of its own, when the user has done what the script asks
// for.
func runConduct(name, way, address string) int {
	if c, ok := taskConductNamed(name); ok {
		return runTaskConduct(c, conduct.Way(way), address)
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	c, ok := conductNamed(name)
	if !ok {
		fmt.Fprintln(os.Stderr, "there is no conduct", name)
		return 1
	}
	if c.Narrow {
		narrow(os.Stdin)
	}
	u := &farUser{out: json.NewEncoder(conn), in: json.NewDecoder(conn)}
	st := realStage(c, conduct.Way(way))
	st.User = u
	told := make(chan struct{}, 1)
	st.Played = func(x *conduct.Scene) {
		u.tell(order{Do: "played", Stamps: x.Stamps()})
		select {
		case told <- struct{}{}:
		default:
		}
	}
	return serveConduct(c, st, told)
}

// runAnimal plays an animal on its stdin and stdout. It has no user, and does what it does to
// every call, in so many times its time.
func runAnimal(name, way, pace string) int {
	times, err := strconv.Atoi(pace)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, a := range conduct.Zoo() {
		if a.Name == name {
			over := make(chan struct{})
			close(over)
			return serveConduct(a.Conduct(), conduct.Stage{Way: conduct.Way(way), Played: func(*conduct.Scene) {}, Pace: times}, over)
		}
	}
	fmt.Fprintln(os.Stderr, "there is no animal", name)
	return 1
}

// serveConduct plays a conduct on stdin and stdout, and returns the exit code of the process.
// One that ends by itself does so when told is.
func serveConduct(c conduct.Conduct, st conduct.Stage, told <-chan struct{}) int {
	s, client := conduct.OverStdio(c, st)
	go func() {
		chunk := make([]byte, 64<<10)
		for {
			client.WaitWritable()
			n, err := os.Stdin.Read(chunk)
			if err != nil {
				_ = client.CloseWrite()
				return
			}
			_, _ = client.Write(chunk[:n])
		}
	}()
	wrote := make(chan struct{})
	go func() {
		defer close(wrote)
		_, _ = io.Copy(os.Stdout, client)
		_ = os.Stdout.Close()
	}()
	s.Run()
	<-wrote
	if s.Left().Gone {
		<-told // the script ends with the process, and the test waits for it
	}
	return s.Left().Code
}

// order is what a peer asks of the test, or tells it.
type order struct {
	Do     string
	Stamps conduct.Stamps
}

// farUser is the user at the other end of the connection to the test.
type farUser struct {
	mu  sync.Mutex
	out *json.Encoder
	in  *json.Decoder
}

func (u *farUser) tell(o order) {
	u.mu.Lock()
	defer u.mu.Unlock()
	_ = u.out.Encode(o)
}

func (u *farUser) do(what string) {
	u.tell(order{Do: what})
	var done string
	_ = u.in.Decode(&done)
}

func (u *farUser) Cancel()  { u.do("cancel") }
func (u *farUser) Another() { u.do("another") }
func (u *farUser) Answer()  { u.do("answer") }
func (u *farUser) Noted()   { u.do("noted") }

func conductNamed(name string) (conduct.Conduct, bool) {
	for _, c := range conduct.All() {
		if c.Name == name {
			return c, true
		}
	}
	return conduct.Conduct{}, false
}

// realStage is where a conduct is played for the built program.
func realStage(c conduct.Conduct, way conduct.Way) conduct.Stage {
	lag := conduct.Lag{Base: c.Lag}
	return conduct.Stage{Way: way, Grace: c.RealGrace(), Bridge: conduct.Bridge{Up: lag, Down: lag}}
}
