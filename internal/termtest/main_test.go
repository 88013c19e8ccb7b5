//go:build unix

package termtest

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/term"
	"go.uber.org/goleak"
)

// The test binary is also the programs that the tests run in a terminal: with
// this variable set it is the one of that name.
const actVariable = "TERMTEST_ACT"

var acts = map[string]func(){
	"paint":  actPaint,
	"keys":   actKeys,
	"size":   actSize,
	"ask":    actAsk,
	"alt":    actAlternate,
	"sync":   actSync,
	"flood":  actFlood,
	"family": actFamily,
	"tea":    actTea,
	"env":    func() { fmt.Print(strings.Join(os.Environ(), "\r\n")) },
}

func TestMain(m *testing.M) {
	if act, ok := acts[os.Getenv(actVariable)]; ok {
		act()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// play is the options that run an act.
func play(act string) Options {
	return Options{Argv: []string{os.Args[0]}, Env: []string{actVariable + "=" + act}}
}

// raw puts the terminal into raw mode and hides the cursor's line discipline
// from the acts, as every full-screen program does.
func raw() {
	if _, err := term.MakeRaw(os.Stdin.Fd()); err != nil {
		panic(err)
	}
}

// readUntil reads input until it ends with last, and passes on all of it so far
// after each read.
func readUntil(last string, show func(all string)) {
	var all []byte
	buf := make([]byte, 1) // byte by byte, so that nothing beyond last is taken
	for !strings.HasSuffix(string(all), last) {
		n, err := os.Stdin.Read(buf)
		if err != nil {
			os.Exit(9)
		}
		all = append(all, buf[:n]...)
		show(string(all))
	}
}

func nothing(string) {}

// actPaint draws a little of everything and ends at q with exit code 3.
func actPaint() {
	raw()
	fmt.Print("\x1b]2;a title; with a semicolon\a\x1b[?25l\x1b[H\x1b[2J" +
		"plain \x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3;48;5;200mtrue\x1b[0m \x1b[3;4:3;7mmix\x1b[0m\r\n" +
		"\x1b[44m日\x1b[m本語 and é\r\n" +
		"╭──╮ ⠹\r\n" +
		"\x1b]8;;https://example.com/a\x1b\\link\x1b]8;;\x1b\\\r\n" +
		"\a\x1b]52;c;Y29waWVk\a")
	readUntil("q", nothing)
	os.Exit(3)
}

// actKeys turns on every input mode that changes what is sent, and shows what
// arrives, quoted.
func actKeys() {
	raw()
	fmt.Print("\x1b[?2004h\x1b[?1000h\x1b[?1006hready\r\n")
	readUntil("q", func(all string) { fmt.Printf("\x1b[2;1H\x1b[J%q", all) })
}

// actSize shows the size of the terminal, and again when it changes.
func actSize() {
	raw()
	resized := make(chan os.Signal, 1)
	signal.Notify(resized, syscall.SIGWINCH)
	for {
		w, h, err := term.GetSize(os.Stdout.Fd())
		if err != nil {
			os.Exit(9)
		}
		fmt.Printf("\x1b[H\x1b[2J%d by %d", w, h)
		<-resized
	}
}

// actAsk asks the terminal and shows what it answers.
func actAsk() {
	raw()
	fmt.Print("\x1b[3;5H\x1b[6n\x1b]11;?\a\x1b[?2026$p\x1b[?2027$p\x1b[c")
	readUntil("c", func(all string) { fmt.Printf("\x1b[H\x1b[J%q", all) })
	readUntil("q", nothing)
}

// actAlternate shows the alternate screen until a key is pressed.
func actAlternate() {
	raw()
	fmt.Print("before\r\n\x1b[?1049h\x1b[Hinside")
	readUntil("q", nothing)
	fmt.Print("\x1b[?1049lafter")
	readUntil("q", nothing)
}

// actSync begins a frame with synchronized output and ends it at a key.
func actSync() {
	raw()
	fmt.Print("\x1b[Hold frame\x1b[?2026h\x1b[2J\x1b[Hnew frame\x1b[?25l\x1b]2;half\a")
	readUntil("q", nothing)
	fmt.Print("\x1b[?2026l")
	readUntil("q", nothing)
}

// floodSize is more than a pty and the reads in flight can hold.
const floodSize = 512 << 10

// actFlood writes floodSize bytes when g is pressed and then makes the file
// $WRITTEN; a in the meantime makes the file $ALIVE.
func actFlood() {
	raw()
	fmt.Print("ready")
	touch := func(name string) {
		if err := os.WriteFile(os.Getenv(name), nil, 0o600); err != nil {
			os.Exit(9)
		}
	}
	readUntil("g", nothing)
	go func() {
		fmt.Print(strings.Repeat("x", floodSize))
		touch("WRITTEN")
		fmt.Print("\x1b[H\x1b[2Jwritten")
	}()
	readUntil("a", nothing)
	touch("ALIVE")
	readUntil("q", nothing)
}

// actFamily starts a child, and another that leaves the session and closes its
// terminal; then it says who they are, and ends at q with both still there.
func actFamily() {
	raw()
	// A hang-up that is ignored, as under nohup, would be ignored by the children
	// as well; one that is caught is not inherited.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	near := exec.Command("sleep", "1000")
	far := exec.Command("sleep", "1000")
	far.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	for _, c := range []*exec.Cmd{near, far} {
		if err := c.Start(); err != nil {
			os.Exit(9)
		}
	}
	fmt.Printf("near %d far %d.", near.Process.Pid, far.Process.Pid)
	readUntil("q", nothing)
}
