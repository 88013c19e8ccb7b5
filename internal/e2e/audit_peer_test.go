package e2e

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// beast is a server of known conduct whose work its processes show. Its one tool takes
// beastTime, and is answered unless it is cancelled.
type beast struct {
	begin  func(*prey)         // a call begins; its work ends with stop
	cancel func(*beast, *prey) // it was cancelled, and will not be answered
	stays  bool                // it goes on when its input has ended
	tells  string              // the variable whose value it repeats: as its version, and with what it is told otherwise in an error for a call

	asking json.RawMessage // the call that waits for an answer of the user's
	told   string

	mu    sync.Mutex
	calls map[string]*prey
	kept  []any
}

// prey is one call of a beast.
type prey struct {
	stop chan struct{} // closed when the work is to stop
	once sync.Once
}

func (p *prey) end() { p.once.Do(func() { close(p.stop) }) }

const beastTime = 1500 * time.Millisecond

// yieldThread has a thread give way to others of its process, so that a beast reads its input while it works on a
// machine that is busy already.
var yieldThread = func() {}

// burn uses one core until the work is to stop.
func burn(p *prey) {
	go func() {
		runtime.LockOSThread() // and the thread ends with the goroutine
		yieldThread()
		for n := 0; ; n++ {
			if n&0xffff == 0 {
				select {
				case <-p.stop:
					return
				default:
				}
			}
		}
	}()
}

// child runs a process until the work is to stop.
func child(p *prey) {
	cmd := exec.Command("sleep", "61")
	if cmd.Start() != nil {
		return
	}
	beastNotes("process %d", cmd.Process.Pid)
	go func() {
		<-p.stop
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
}

// staying begins a process that outlives its call.
func staying() {
	if cmd := exec.Command("sleep", "61"); cmd.Start() == nil {
		beastNotes("process %d", cmd.Process.Pid)
		go func() { _ = cmd.Wait() }()
	}
}

// pool gives each call one of its processes, and begins one where none is free.
func pool() func(*prey) {
	free := make(chan struct{}, 64)
	return func(p *prey) {
		select {
		case <-free:
		default:
			staying()
		}
		go func() {
			<-p.stop
			free <- struct{}{}
		}()
	}
}

func stops(_ *beast, p *prey) { p.end() }

func forgets(*beast, *prey) {}

// leaks stops the work, and keeps something of each cancelled call.
func leaks(get func() any) func(*beast, *prey) {
	return func(b *beast, p *prey) {
		p.end()
		b.kept = append(b.kept, get())
	}
}

// keptByCalls are files that each call leaves open, be it cancelled or not.
var keptByCalls struct {
	sync.Mutex
	files []*os.File
}

func keepFile(*prey) {
	f, _ := os.Open(os.DevNull)
	keptByCalls.Lock()
	defer keptByCalls.Unlock()
	keptByCalls.files = append(keptByCalls.files, f)
}

func beasts() map[string]*beast {
	idle := func(*prey) {}
	var browser sync.Once
	return map[string]*beast{
		"quiet":                  {begin: idle, cancel: stops},
		"burns, and stops":       {begin: burn, cancel: stops},
		"burns on":               {begin: func(p *prey) { burn(p); time.AfterFunc(beastTime, p.end) }, cancel: forgets},
		"ends its child":         {begin: child, cancel: stops},
		"leaves its child":       {begin: child, cancel: forgets},
		"lets its child work on": {begin: func(p *prey) { child(p); time.AfterFunc(beastTime, p.end) }, cancel: forgets},
		"keeps a browser":        {begin: func(*prey) { browser.Do(staying) }, cancel: stops},
		"keeps a pool":           {begin: pool(), cancel: stops},
		"tells a secret":         {begin: idle, cancel: stops, tells: "BEAST_SECRET"},
		"stays":                  {begin: idle, cancel: stops, stays: true},
		"leaks files": {begin: idle, cancel: leaks(func() any {
			f, _ := os.Open(os.DevNull)
			return f
		})},
		"keeps files": {begin: keepFile, cancel: stops},
		"leaks a child": {begin: idle, cancel: leaks(func() any {
			cmd := exec.Command("sleep", "61")
			if cmd.Start() == nil {
				beastNotes("process %d", cmd.Process.Pid)
			}
			return cmd
		})},
		"leaks connections": {begin: idle, cancel: leaks(func() any {
			c, _ := net.Dial("tcp", os.Getenv("BEAST_DIALS"))
			return c
		})},
		"leaks memory": {begin: idle, cancel: leaks(func() any {
			b := make([]byte, 16<<20)
			for i := 0; i < len(b); i += 512 {
				b[i] = 1
			}
			return b
		})},
	}
}

// beastNotes adds a line to the log of a beast, where the test wants one.
func beastNotes(format string, args ...any) {
	name := os.Getenv("BEAST_LOG")
	if name == "" {
		return
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	_, _ = fmt.Fprintf(file, format+"\n", args...)
	_ = file.Close()
}

// runBeast serves until its input ends.
func runBeast(name string) int {
	b := beasts()[name]
	if b == nil {
		return 2
	}
	b.calls = map[string]*prey{}
	beastNotes("process %d", os.Getpid())
	// A thread for each call that burns, and one more: or what reads would wait for those that burn, and a cancel be
	// read after the answer.
	runtime.GOMAXPROCS(max(16, runtime.NumCPU()))
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				RequestID       json.RawMessage       `json:"requestId"`
				ProtocolVersion string                `json:"protocolVersion"`
				Arguments       struct{ Code string } `json:"arguments"`
			} `json:"params"`
			Result struct {
				Content struct{ Word string }
			}
		}
		switch err := json.Unmarshal(in.Bytes(), &m); {
		case err != nil:
		case b.tells != "" && m.Method == "tools/call":
			b.asking, b.told = m.ID, m.Params.Arguments.Code
			b.write(`{"jsonrpc":"2.0","id":"word","method":"elicitation/create","params":{"message":"which?","requestedSchema":{"type":"object","properties":{"word":{"type":"string","title":"Password"}}}}}`)
		case b.tells != "" && m.Method == "":
			b.tell(m.Result.Content.Word)
		default:
			b.take(m.Method, m.ID, m.Params.RequestID, m.Params.ProtocolVersion)
		}
	}
	if b.stays {
		select {}
	}
	return 0
}

func (b *beast) take(method string, id, cancelled json.RawMessage, revision string) {
	switch method {
	case "initialize":
		b.say(id, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"beast","version":%q}}`, revision, "1"+os.Getenv(b.tells)))
	case "ping":
		b.say(id, `{}`)
	case "tools/list":
		b.say(id, `{"tools":[{"name":"slow","inputSchema":{"type":"object","properties":{"code":{"type":"string","writeOnly":true}}},"annotations":{"readOnlyHint":true}}]}`)
	case "tools/call":
		p := &prey{stop: make(chan struct{})}
		b.mu.Lock()
		b.calls[string(id)] = p
		b.mu.Unlock()
		b.begin(p)
		beastNotes("call %s", id)
		time.AfterFunc(beastTime, func() { b.finish(string(id), p) })
	case "notifications/cancelled":
		if p := b.forget(string(cancelled)); p != nil {
			beastNotes("cancelled %s", cancelled)
			b.cancel(b, p)
		}
	default:
		if len(id) > 0 {
			b.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, id))
		}
	}
}

// tell answers a call by an error that has all that belay gave, also in base64.
func (b *beast) tell(word string) {
	told := "it is"
	for _, t := range []string{os.Getenv(b.tells), b.told, word} {
		told += " " + t + ", " + base64.StdEncoding.EncodeToString([]byte(t))
	}
	b.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%q}}`, b.asking, told))
}

// forget takes a call out; nil: there is none.
func (b *beast) forget(id string) *prey {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.calls[id]
	delete(b.calls, id)
	return p
}

// finish answers a call that was not cancelled.
func (b *beast) finish(id string, p *prey) {
	if b.forget(id) != nil {
		p.end()
		beastNotes("answered %s", id)
		b.say(json.RawMessage(id), `{"content":[{"type":"text","text":"done"}]}`)
	}
}

func (b *beast) say(id json.RawMessage, result string) {
	b.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result))
}

func (b *beast) write(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, _ = os.Stdout.WriteString(line + "\n")
}
