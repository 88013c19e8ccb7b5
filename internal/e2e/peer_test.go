package e2e

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A peer is a scripted raw server: the test binary itself, run by belay as
//
//	e2e.test peer CONDUCT LOGFILE
//
// It writes every line that it reads to the log, with the time at which it was
// read, and behaves as its conduct says. It knows no SDK, so that what it does
// is exactly what is written here.
type peer struct {
	log    *os.File
	modern bool // speaks 2026-07-28

	capabilities string // empty: those of a server with tools

	mu  sync.Mutex
	out *bufio.Writer
}

// message is what a peer looks at in a line.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name            string          `json:"name"`
		RequestID       json.RawMessage `json:"requestId"`
		Reason          string          `json:"reason"`
		ProtocolVersion string          `json:"protocolVersion"`
		Meta            struct {
			ProgressToken json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// logged is a line of the log.
type logged struct {
	At   int64  `json:"at"` // UnixNano
	Line string `json:"line"`
}

// conducts are the scripts. They return when the peer is to end.
var conducts = map[string]func(p *peer, in *bufio.Reader){
	"modern":        func(p *peer, in *bufio.Reader) { p.modern = true; p.serve(in, nil) },
	"silent-cancel": func(p *peer, in *bufio.Reader) { p.serve(in, nil) },
	"late": func(p *peer, in *bufio.Reader) {
		p.serve(in, func(m message) {
			if m.Method == "notifications/cancelled" {
				time.AfterFunc(2500*time.Millisecond, func() { p.result(m.Params.RequestID, `{"content":[{"type":"text","text":"too late"}]}`) })
			}
		})
	},
	"error": func(p *peer, in *bufio.Reader) {
		p.serve(in, func(m message) {
			if m.Method == "notifications/cancelled" {
				time.AfterFunc(300*time.Millisecond, func() {
					p.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32800,"message":"request cancelled"}}`, m.Params.RequestID)
				})
			}
		})
	},
	"flood": func(p *peer, in *bufio.Reader) {
		go p.flood()
		p.serve(in, nil)
	},
	"garbage": func(p *peer, in *bufio.Reader) {
		p.raw("Listening on stdio...\r\n\n\xff\xfe\x00\n{\"half\":\n" + hostile + "\n[1,2\n{}\n\"text\"\n")
		p.serve(in, func(m message) {
			if m.Method == "tools/call" && m.Params.Name != "slow" {
				text, _ := json.Marshal(hostile)
				p.result(m.ID, `{"content":[{"type":"text","text":`+string(text)+`}]}`)
			}
		})
	},
	"deaf": func(p *peer, in *bufio.Reader) {
		p.serveUntil(in, func(m message) bool { return m.Method == "tools/call" })
		select {} // reads no more, and lives on
	},
	"dies": func(p *peer, in *bufio.Reader) {
		p.serve(in, func(m message) {
			if m.Method == "tools/call" {
				fmt.Fprintln(os.Stderr, "fatal: the disk is full")
				os.Exit(3)
			}
		})
	},
	"mute":     func(p *peer, in *bufio.Reader) { p.serveUntil(in, func(message) bool { return true }); p.read(in) },
	"nothing":  func(*peer, *bufio.Reader) {},
	"stubborn": func(p *peer, in *bufio.Reader) { signal.Ignore(syscall.SIGTERM); p.serve(in, nil); select {} },
	"batch": func(p *peer, in *bufio.Reader) {
		p.serve(in, func(m message) {
			if m.Method == "tools/call" && m.Params.Name == "slow" {
				p.send(`[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"in a batch"}},{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"from a batch"}]}}]`, m.ID)
			}
		})
	},
	"mirror": func(p *peer, in *bufio.Reader) {
		dir, _ := os.Getwd()
		p.note(0, fmt.Sprintf("argv=%q dir=%s MIRROR=%s SECRET=%s", os.Args[1:3], dir, os.Getenv("MIRROR"), os.Getenv("BELAY_E2E_SECRET")))
		p.serve(in, nil)
	},
}

// hostile is text that attacks a terminal.
const hostile = "\x1b]52;c;aGVsbG8=\x07\x1b[2J\x1b[31mred\x1b[0m \u202egnp.exe \x1b]0;title\x07\x1bP$q\"p\x1b\\ \u009b31m"

// runPeer is the whole life of a peer.
func runPeer(conduct, logFile string) {
	f, err := os.OpenFile(logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	p := &peer{log: f, out: bufio.NewWriterSize(os.Stdout, 1<<16)}
	fmt.Fprintf(os.Stderr, "peer %s, pid %d\n", conduct, os.Getpid())
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	if revision, script, ok := taskConduct(conduct); ok {
		p.serveTasks(in, script, revision)
		return
	}
	if do, ok := works[conduct]; ok {
		p.serveWork(in, do)
		return
	}
	conducts[conduct](p, in)
}

func (p *peer) raw(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = p.out.WriteString(text)
	_ = p.out.Flush()
}

func (p *peer) send(format string, args ...any) { p.raw(fmt.Sprintf(format, args...) + "\n") }

func (p *peer) result(id json.RawMessage, result string) {
	p.send(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// flood writes progress for a token nobody gave, as fast as the pipe takes it.
func (p *peer) flood() {
	chunk := strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-1","progress":1,"message":"still at it, and it goes on and on and on"}}`+"\n", 200)
	for {
		p.raw(chunk)
	}
}

// serve reads until the end of its input. It answers the handshake, the lists
// and ping, and hands every message to also.
func (p *peer) serve(in *bufio.Reader, also func(message)) {
	p.serveUntil(in, func(m message) bool {
		if also != nil {
			also(m)
		}
		return false
	})
}

func (p *peer) serveUntil(in *bufio.Reader, last func(message) bool) {
	for {
		m, ok := p.next(in)
		if !ok || last(m) {
			return
		}
		p.usual(m)
	}
}

// read logs what comes and does nothing else.
func (p *peer) read(in *bufio.Reader) {
	for {
		if _, ok := p.next(in); !ok {
			return
		}
	}
}

func (p *peer) next(in *bufio.Reader) (message, bool) {
	line, ok := p.nextLine(in)
	var m message
	_ = json.Unmarshal(line, &m)
	return m, ok
}

// nextLine logs a line, and the end.
func (p *peer) nextLine(in *bufio.Reader) ([]byte, bool) {
	line, err := in.ReadBytes('\n')
	at := time.Now().UnixNano()
	if err != nil {
		p.note(at, "EOF")
		return nil, false
	}
	p.note(at, strings.TrimSuffix(string(line), "\n"))
	return line, true
}

func (p *peer) note(at int64, line string) {
	b, _ := json.Marshal(logged{at, line})
	_, _ = p.log.Write(append(b, '\n'))
}

const tools = `{"tools":[
{"name":"slow","description":"Never answers","inputSchema":{"type":"object"}},
{"name":"fast","description":"Answers at once","inputSchema":{"type":"object"}},
{"name":"ask","description":"Takes an argument","inputSchema":{"type":"object","properties":{"text":{"type":"string","description":"what to say"}},"required":["text"]}}]}`

func (p *peer) usual(m message) {
	switch m.Method {
	case "initialize":
		p.result(m.ID, `{"protocolVersion":"`+m.Params.ProtocolVersion+`","capabilities":`+cmp.Or(p.capabilities, `{"tools":{},"logging":{}}`)+`,"serverInfo":{"name":"scripted","version":"1.0"}}`)
	case "server/discover":
		if p.modern {
			p.result(m.ID, `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":`+cmp.Or(p.capabilities, `{"tools":{}}`)+`,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scripted","version":"1.0"}}}`)
			return
		}
		p.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, m.ID)
	case "tools/list":
		p.result(m.ID, strings.ReplaceAll(tools, "\n", ""))
	case "ping":
		p.result(m.ID, "{}")
	case "tools/call":
		if m.Params.Name == "fast" {
			p.result(m.ID, `{"content":[{"type":"text","text":"here you are"}]}`)
		}
	}
}
