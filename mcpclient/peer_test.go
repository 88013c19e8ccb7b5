//go:build unix

package mcpclient

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// peerVar names the script that the test binary plays when it is started as a
// server.
const peerVar = "BELAY_TEST_PEER"

func TestMain(m *testing.M) {
	if name := os.Getenv(peerVar); name != "" {
		play(name)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// peer is a scripted server: a few lines of the handshake, and what its script
// adds to that.
type peer struct {
	in  *bufio.Reader
	out *bufio.Writer
	log io.Writer // every byte received, when BELAY_TEST_LOG names a file

	probe func(p *peer, m message) // server/discover; refuses it when nil
	greet func(p *peer, m message) // initialize; agrees when nil
	list  func(p *peer, m message) // tools/list; one tool when nil
	call  func(p *peer, m message) // a tools/call; answers it with "ok" when nil
	start func(p *peer)            // before anything is read
	eof   func(p *peer)            // stdin has ended
}

// message is what a peer reads.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		RequestID json.RawMessage `json:"requestId"`
		Reason    string          `json:"reason"`
		Meta      struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

var scripts = map[string]func(p *peer){
	"plain": func(*peer) {},
	"wants a login": func(p *peer) {
		p.call = func(p *peer, m message) {
			p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"401 Unauthorized","data":{"WWW-Authenticate":"Bearer"}}}`, m.ID)
		}
	},
	"breaks its own schema": func(p *peer) {
		p.list = func(p *peer, m message) {
			p.result(m, `{"tools":[{"name":"any","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}]}`)
		}
		p.call = func(p *peer, m message) {
			p.result(m, `{"content":[{"type":"text","text":"{}"}],"structuredContent":`+string(m.Params.Arguments)+`}`)
			if bytes.Contains(m.Params.Arguments, []byte("last")) {
				os.Exit(0)
			}
		}
	},
	"brings much": func(p *peer) {
		p.list = func(p *peer, m message) {
			p.result(m, `{"tools":[{"name":"any","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}]}`)
		}
		p.call = func(p *peer, m message) {
			p.result(m, `{"content":[{"type":"text","text":"`+strings.Repeat("o, the wind ", 250_000)+`"}],"structuredContent":{"n":1}}`)
		}
	},
	"runs a command": func(p *peer) {
		p.call = func(*peer, message) {
			_ = exec.Command("sh", "-c", "sleep 13; :", "--token", "hunter-22", "typed-33-later").Start()
		}
	},
	"leaves a command and dies": func(p *peer) {
		p.call = func(p *peer, _ message) {
			cmd := exec.Command("sleep", "7")
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			_ = cmd.Start()
			for line := ""; !strings.Contains(line, "notifications/cancelled"); {
				line, _ = p.in.ReadString('\n')
			}
			time.Sleep(350 * time.Millisecond) // the look that follows a cancel is over
			os.Exit(3)
		}
	},
	"needs a moment": func(p *peer) {
		p.eof = func(*peer) { time.Sleep(300 * time.Millisecond) }
	},
	"ignores eof":     func(p *peer) { p.eof = func(*peer) { hang() } },
	"ignores signals": func(p *peer) { signal.Ignore(syscall.SIGTERM); p.eof = func(*peer) { hang() } },
	"says a lot at eof": func(p *peer) {
		p.eof = func(p *peer) {
			text := strings.Repeat("x", 1000)
			for i := range 1000 {
				p.say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%d %s"}}`, i, text)
			}
		}
	},
	"pollutes stdout": func(p *peer) {
		p.start = func(p *peer) { p.say("Welcome to the server!\nlistening on stdio") }
		p.call = func(p *peer, m message) {
			p.say("warning: \x1b[31mslow\x1b[0m")
			p.say("%s", "\xff\xfe not UTF-8 \x00")
			p.say("")
			p.result(m, `{"content":[]}`)
			p.raw(`{"jsonrpc":"2.0","method":"notifications/mess`)
			p.flush()
			p.say(``)
		}
		p.eof = func(p *peer) { p.raw("bye, without a newline"); p.flush() }
	},
	"odd lines": func(p *peer) {
		p.call = func(p *peer, m message) {
			switch m.Params.Name {
			case "crlf":
				p.raw(fmt.Sprintf("\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[]}}\r\n", m.ID))
			case "blank":
				p.raw("\n\n  \t\n")
				p.result(m, `{"content":[]}`)
			case "bom":
				p.raw("\xef\xbb\xbf")
				p.result(m, `{"content":[]}`)
			case "pretty":
				p.raw(fmt.Sprintf("{\n  \"jsonrpc\": \"2.0\", \"id\": %s,\n  \"result\": {\"content\":[]}}\n", m.ID))
			default:
				p.result(m, `{"content":[]}`)
			}
			p.flush()
		}
	},
	"over-long": func(p *peer) {
		p.call = func(p *peer, m message) {
			if m.Params.Name == "big" {
				text := strings.Repeat("z", 20<<20)
				p.say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`, m.ID, text)
				return
			}
			p.result(m, `{"content":[]}`)
		}
	},
	// Its key stands where belay cuts: in lines of stderr that are longer than is kept of
	// them, now and at its end, and in the beginning of a message over the limit.
	"says its key at the cuts": func(p *peer) {
		key := os.Getenv("BELAY_TEST_KEY")
		p.call = func(p *peer, m message) {
			fmt.Fprintf(os.Stderr, "%s%s and more\n", strings.Repeat("e", stderrLine-len(key)/2), key)
			fmt.Fprintf(os.Stderr, "%s%s and more\n", strings.Repeat("e", tailLineSize-len(key)/2), key)
			p.say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[],"a":"%s%s and more%s"}}`, m.ID, strings.Repeat("m", 1000-60), key, strings.Repeat("m", 20<<10))
		}
	},
	"closes its output and exits": func(p *peer) {
		calls := 0
		p.call = func(*peer, message) {
			if calls++; calls == 2 {
				_ = os.Stdout.Close()
				os.Exit(0)
			}
		}
	},
	"closes its output": func(p *peer) {
		p.call = func(*peer, message) { _ = os.Stdout.Close(); hang() }
	},
	"closes its input": func(p *peer) {
		p.start = func(*peer) { signal.Ignore(syscall.SIGTERM); _ = os.Stdin.Close(); hang() }
	},
	"dies of the probe": func(p *peer) {
		p.probe = func(*peer, message) { fmt.Fprintln(os.Stderr, "what is server/discover?"); os.Exit(1) }
	},
	"hangs up on the probe": func(p *peer) { p.probe = func(*peer, message) { _ = os.Stdout.Close() } },
	"modern":                func(p *peer) { p.probe = (*peer).discover },
	"answers both": func(p *peer) { // as if it had started when both were there
		if info, err := os.Stat(os.Getenv("BELAY_TEST_LOG")); err == nil && info.Size() > 0 {
			p.probe = (*peer).discover
			return
		}
		var probe message
		p.probe = func(_ *peer, m message) { probe = m }
		p.greet = func(p *peer, m message) { // both in one write
			p.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, greeting))
			p.discover(probe)
		}
	},
	"refuses initialize": func(p *peer) {
		var probe message
		p.probe = func(_ *peer, m message) { probe = m }
		p.greet = func(p *peer, m message) {
			p.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":0,"message":"duplicate \"initialize\" received"}}`+"\n", m.ID))
			p.discover(probe)
		}
	},
	// It needs so long for server/discover that initialize follows, on which it ends.
	"ends on initialize": func(p *peer) {
		log, _ := os.ReadFile(os.Getenv("BELAY_TEST_LOG"))
		if bytes.Count(log, []byte(`"initialize"`)) == 2 {
			p.probe = (*peer).discover
			return
		}
		p.probe = func(*peer, message) {}
		p.greet = func(*peer, message) { fmt.Fprintln(os.Stderr, "what is initialize?"); os.Exit(1) }
	},
	"breaks on the probe": func(p *peer) {
		started := false
		p.probe = func(p *peer, m message) {
			started = true
			p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, m.ID)
		}
		p.greet = func(p *peer, m message) {
			if started {
				p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"Server already initialized"}}`, m.ID)
				return
			}
			p.result(m, greeting)
		}
	},
	"dies": func(p *peer) {
		p.call = func(*peer, message) {
			fmt.Fprintln(os.Stderr, "fatal: out of cheese\nat line 7")
			os.Exit(3)
		}
	},
	"dies at once": func(p *peer) {
		p.start = func(*peer) { fmt.Fprintln(os.Stderr, "no API key"); os.Exit(1) }
	},
	"is killed": func(p *peer) {
		p.call = func(*peer, message) { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); hang() }
	},
	"stops reading": func(p *peer) {
		p.call = func(*peer, message) { fmt.Fprintln(os.Stderr, "reading no more"); hang() }
	},
	"reads on demand": func(p *peer) {
		p.call = func(_ *peer, m message) {
			if m.Params.Name == "stop" {
				for gate := os.Getenv("BELAY_TEST_GATE"); ; time.Sleep(5 * time.Millisecond) {
					if _, err := os.Stat(gate); err == nil {
						return
					}
				}
			}
		}
	},
	"never answers": func(p *peer) { p.call = func(*peer, message) {} },
	"three lines of stderr": func(p *peer) {
		p.start = func(*peer) { fmt.Fprint(os.Stderr, "one\r\ntwo\nthree") }
		p.call = func(p *peer, m message) {
			fmt.Fprintf(os.Stderr, " more\n%s\n", strings.Repeat("l", 10_000))
			p.result(m, `{"content":[]}`)
		}
	},
	"floods stderr": func(p *peer) {
		p.call = func(p *peer, m message) {
			block := bytes.Repeat([]byte("ERROR: everything is wrong, as usual\n"), 2000)
			for n := 0; n < stderrFlood(); n += len(block) {
				_, _ = os.Stderr.Write(block)
			}
			fmt.Fprintln(os.Stderr, "the last line")
			p.result(m, `{"content":[]}`)
		}
	},
	"floods progress": func(p *peer) {
		p.call = func(p *peer, m message) {
			if m.Params.Name != "flood" {
				p.result(m, `{"content":[]}`)
				return
			}
			count, _ := strconv.Atoi(string(m.Params.Arguments))
			for i := range count {
				fmt.Fprintf(p.out, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`+"\n", m.Params.Meta.Token, i+1)
			}
			p.result(m, `{"content":[]}`)
		}
	},
	"floods growing progress": func(p *peer) {
		p.call = func(p *peer, m message) {
			count, _ := strconv.Atoi(string(m.Params.Arguments))
			_ = flood(os.Stdout, m.Params.Meta.Token, count)
			p.result(m, `{"content":[]}`)
		}
	},
	"floods and tells the time": func(p *peer) {
		p.call = func(_ *peer, m message) {
			read := time.Now()
			if m.Params.Name != "flood" {
				fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0","id":%s,"result":{"content":[],"structuredContent":{"At":%d}}}`+"\n", m.ID, read.UnixNano())
				return
			}
			block := bytes.Repeat(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1,"message":"on and on"}}`+"\n", m.Params.Meta.Token), 30)
			go func() {
				for {
					if _, err := os.Stdout.Write(block); err != nil {
						return
					}
				}
			}()
		}
	},
	"tells of itself": func(p *peer) {
		p.call = func(p *peer, m message) {
			p.result(m, fmt.Sprintf(`{"content":[],"structuredContent":%s}`, selfPortrait()))
		}
	},
}

// flood writes so many notifications of progress that grows, as fast as they are taken.
func flood(w io.Writer, token []byte, count int) error {
	const perWrite, first = 400, 1_000_000_000
	head := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":`, token)
	line := fmt.Sprintf(`%s%d,"total":%d,"message":"a step of the work is done"}}`+"\n", head, first, 2*first)
	block := bytes.Repeat([]byte(line), perWrite)
	for done := 0; done < count; {
		n := min(perWrite, count-done)
		for i := range n {
			at := i*len(line) + len(head)
			strconv.AppendInt(block[at:at], int64(first+done+i), 10)
		}
		if _, err := w.Write(block[:n*len(line)]); err != nil {
			return err
		}
		done += n
	}
	return nil
}

// selfPortrait is what a process can say about where it runs.
func selfPortrait() []byte {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err == nil {
		_ = tty.Close()
	}
	pgid, _ := syscall.Getpgid(0)
	dir, _ := os.Getwd()
	isChar := func(f *os.File) bool {
		info, err := f.Stat()
		return err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	out, _ := json.Marshal(portrait{
		Env: os.Environ(), Args: os.Args[1:], Dir: dir, PID: os.Getpid(), Group: pgid, TTY: err == nil,
		Char: isChar(os.Stdin) || isChar(os.Stdout) || isChar(os.Stderr),
	})
	return out
}

type portrait struct {
	Env, Args  []string
	Dir        string
	PID, Group int
	TTY, Char  bool
}

// hang is for ever, but not a deadlock to the runtime.
func hang() {
	for {
		time.Sleep(time.Hour)
	}
}

func play(name string) {
	p := &peer{in: bufio.NewReader(os.Stdin), out: bufio.NewWriterSize(os.Stdout, 64<<10)}
	if path := os.Getenv("BELAY_TEST_LOG"); path != "" {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(9)
		}
		p.log = f
	}
	scripts[name](p)
	if p.start != nil {
		p.start(p)
	}
	for {
		line, err := p.in.ReadBytes('\n')
		if p.log != nil {
			_, _ = p.log.Write(line)
		}
		if err != nil {
			if p.eof != nil {
				p.eof(p)
			}
			return
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			fmt.Fprintf(os.Stderr, "not JSON: %q\n", line)
			os.Exit(8)
		}
		p.serve(m)
	}
}

func (p *peer) serve(m message) {
	switch m.Method {
	case "initialize":
		if p.greet != nil {
			p.greet(p, m)
			return
		}
		p.result(m, greeting)
	case "server/discover":
		if p.probe == nil {
			p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, m.ID)
			return
		}
		p.probe(p, m)
	case "tools/list":
		if p.list != nil {
			p.list(p, m)
			return
		}
		p.result(m, `{"tools":[{"name":"any","inputSchema":{"type":"object"}}]}`)
	case "ping":
		p.result(m, `{}`)
	case "tools/call":
		if p.call == nil {
			p.result(m, `{"content":[]}`)
			return
		}
		p.call(p, m)
	}
}

const greeting = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"peer","version":"1"}}`

// discover answers server/discover.
func (p *peer) discover(m message) {
	p.result(m, `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}}}`)
}

func (p *peer) result(m message, result string) {
	p.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

func (p *peer) raw(text string) { _, _ = p.out.WriteString(text) }

// flush fails when nobody listens any more, which some scripts are about.
func (p *peer) flush() { _ = p.out.Flush() }

func (p *peer) say(format string, args ...any) {
	fmt.Fprintf(p.out, format+"\n", args...)
	p.flush()
}
