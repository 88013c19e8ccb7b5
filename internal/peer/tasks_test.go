package peer_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"belay/internal/peer"
)

// A poller is a client of a server of tasks. What it gets is a story: "3 working"
// for the answer to its third request that has a task of this status, "3 error
// -32602", "3 task" for another result, and "told working" for a notification.
type poller struct {
	t     *testing.T
	write func(line string)
	web   *peer.Peer // over HTTP, where answers of the same moment have no order

	mu    sync.Mutex
	story []string
	task  string // the ID of the last that was created
	last  int
}

func (c *poller) got(message string) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ Status string }
		Error  *struct{ Code int }
		Result struct {
			Status, TaskID, ResultType string
			Task                       struct{ Status, TaskID string }
			Content                    []struct{ Text string }
			Result                     struct{ Content []struct{ Text string } }
		}
	}
	if err := json.Unmarshal([]byte(message), &m); err != nil {
		c.t.Errorf("%v in %s", err, message)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	line := "told " + m.Params.Status
	if m.ID != nil {
		line = string(m.ID)
		switch r := m.Result; {
		case m.Error != nil:
			line += fmt.Sprintf(" error %d", m.Error.Code)
		case r.Task.TaskID != "":
			line += " created " + r.Task.Status
			c.task = r.Task.TaskID
		case r.ResultType == "task":
			line += " created " + r.Status
			c.task = r.TaskID
		case r.Status != "":
			line += " " + r.Status
			if len(r.Result.Content) > 0 {
				line += " with its result"
			}
		case len(r.Content) > 0:
			line += " result"
		default:
			line += " done"
		}
	}
	c.story = append(c.story, line)
}

// send sends a request whose params have these members.
func (c *poller) send(method, members string) {
	c.last++
	c.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, c.last, method, members))
	synctest.Wait()
}

// about sends a request about the task.
func (c *poller) about(method string) {
	c.mu.Lock()
	task := c.task
	c.mu.Unlock()
	c.send(method, fmt.Sprintf(`"taskId":%q`, task))
}

func (c *poller) create() { c.send("tools/call", `"name":"slow","arguments":{},"task":{}`) }

// since waits, and returns what has come by then and was not asked for before.
func (c *poller) since(d time.Duration) string {
	time.Sleep(d)
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	story := strings.Join(c.story, ", ")
	c.story = nil
	return story
}

func (c *poller) wants(d time.Duration, want string) {
	c.t.Helper()
	inOrder := func(story string) string {
		lines := strings.Split(story, ", ")
		if c.web != nil {
			slices.Sort(lines)
		}
		return strings.Join(lines, ", ")
	}
	if got := c.since(d); inOrder(got) != inOrder(want) {
		c.t.Errorf("it got %q, want %q", got, want)
	}
}

// byLines reads and writes lines.
func byLines(t *testing.T, script peer.TaskScript, revision string) *poller {
	c := &poller{t: t}
	server := peer.NewTaskLines(script, revision, writer(func(b []byte) {
		if !strings.HasSuffix(string(b), "\n") {
			t.Errorf("no line: %q", b)
		}
		c.got(string(b))
	}))
	c.write = func(line string) { server.Take([]byte(line)) }
	return c
}

type writer func([]byte)

func (w writer) Write(b []byte) (int, error) {
	w(b)
	return len(b), nil
}

// inMemory is a listener whose clients need no network.
type inMemory struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func (l *inMemory) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *inMemory) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (*inMemory) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// byHTTP makes a request of every message.
func byHTTP(t *testing.T, script peer.TaskScript, revision string) *poller {
	l := &inMemory{conns: make(chan net.Conn), done: make(chan struct{})}
	p := peer.Over(t, l).Tasks(script, revision)
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		select {
		case l.conns <- far:
			return near, nil
		case <-l.done:
			return nil, net.ErrClosed
		}
	}}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	t.Cleanup(func() {
		stop()
		running.Wait()
		transport.CloseIdleConnections()
	})
	c := &poller{t: t, web: p}
	c.write = func(line string) {
		running.Go(func() {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL(), strings.NewReader(line))
			if err != nil {
				t.Error(err)
				return
			}
			resp, err := transport.RoundTrip(req)
			if err != nil {
				return // the test is over
			}
			defer resp.Body.Close()
			events := resp.Header.Get("Content-Type") == "text/event-stream"
			lines := bufio.NewScanner(resp.Body)
			for lines.Scan() {
				data, isData := strings.CutPrefix(lines.Text(), "data: ")
				if isData || !events && data != "" {
					c.got(data)
				}
			}
		})
	}
	return c
}

// everyWay plays a script over lines and over HTTP, in both protocols.
func everyWay(t *testing.T, script string, play func(c *poller, modern bool)) {
	t.Helper()
	s, ok := peer.TaskScriptNamed(script)
	if !ok {
		t.Fatalf("there is no script %q", script)
	}
	for way, begin := range map[string]func(*testing.T, peer.TaskScript, string) *poller{"lines": byLines, "HTTP": byHTTP} {
		for _, revision := range []string{"2025-11-25", "2026-07-28"} {
			t.Run(way+", "+revision, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { play(begin(t, s, revision), revision == "2026-07-28") })
			})
		}
	}
}

// either is a word for the core or for the extension.
func either(modern bool, core, extension string) string {
	if modern {
		return extension
	}
	return core
}

func TestAGoodTask(t *testing.T) {
	everyWay(t, "a good task", func(c *poller, modern bool) {
		c.create()
		c.wants(0, "1 created working")
		c.about("tasks/get")
		c.wants(time.Minute, "2 working")
		c.about("tasks/cancel")
		c.about("tasks/get")
		c.about("tasks/cancel")
		c.wants(0, either(modern, "3 cancelled, 4 cancelled, 5 error -32602", "3 done, 4 cancelled, 5 done"))
		c.about("tasks/result")
		c.about("tasks/update")
		c.send("tasks/get", `"taskId":"nobody's"`)
		c.wants(0, either(modern, "6 error -32603, 7 error -32601, 8 error -32602", "6 error -32601, 7 done, 8 error -32602"))
		c.send("tools/call", `"name":"fast","arguments":{}`)
		c.send("initialize", `"protocolVersion":"2025-11-25"`)
		c.send("server/discover", ``)
		c.send("tools/list", ``)
		c.send("tasks/list", ``)
		c.send("nothing/known", ``)
		c.wants(0, "9 result, "+either(modern, "10 done, 11 error -32601", "10 error -32022, 11 done")+", 12 done, 13 done, 14 error -32601")
	})
}

func TestATaskIsCreatedAfterAnotherCall(t *testing.T) {
	everyWay(t, "a create answer after another call", func(c *poller, _ bool) {
		c.create()
		c.wants(time.Hour, "")
		c.send("tools/call", `"name":"fast","arguments":{}`)
		c.wants(0, "2 result, 1 created working")
		c.create()
		c.wants(time.Hour, "")
	})
}

func TestATaskCompletesByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := byLines(t, peer.TaskScript{Runs: time.Second}, "2025-11-25")
		c.create()
		c.about("tasks/result")
		c.wants(999*time.Millisecond, "1 created working")
		c.wants(time.Millisecond, "2 result")
	})
}

func TestATaskCompletesAfterItsCancel(t *testing.T) {
	everyWay(t, "a task that completes all the same", func(c *poller, modern bool) {
		c.create()
		c.about("tasks/cancel")
		c.about("tasks/get")
		c.wants(1400*time.Millisecond, "1 created working, 2 "+either(modern, "working", "done")+", 3 working")
		c.since(100 * time.Millisecond)
		c.about("tasks/get")
		c.wants(0, "4 completed"+either(modern, "", " with its result"))
	})
}

func TestATaskStaysWorking(t *testing.T) {
	everyWay(t, "a task that stays working", func(c *poller, modern bool) {
		c.create()
		c.about("tasks/cancel")
		c.since(time.Hour)
		c.about("tasks/get")
		c.about("tasks/cancel")
		c.wants(0, "3 working, 4 "+either(modern, "working", "done"))
	})
}

func TestATaskIsNotWhatItsCancelSaid(t *testing.T) {
	for script, want := range map[string]struct{ core, extension, then string }{
		"a task that is cancelled and then completes": {"2 cancelled", "2 done", "completed"},
		"a task that vanishes":                        {"2 cancelled", "2 done", "error -32602"},
		"a cancel that comes too late":                {"2 error -32602", "2 done", "completed"},
		"a cancel that is not answered":               {"", "", "working"},
	} {
		t.Run(script, func(t *testing.T) {
			everyWay(t, script, func(c *poller, modern bool) {
				c.create()
				c.since(0)
				c.about("tasks/cancel")
				c.wants(time.Hour, either(modern, want.core, want.extension))
				c.about("tasks/get")
				then := "3 " + want.then
				if modern && want.then == "completed" {
					then += " with its result"
				}
				c.wants(0, then)
			})
		})
	}
}

func TestACreateAnswerIsLate(t *testing.T) {
	everyWay(t, "a create answer after a second", func(c *poller, _ bool) {
		c.create()
		c.send("tools/list", "")
		c.wants(999*time.Millisecond, "2 done")
		c.wants(time.Millisecond, "1 created working")
	})
}

func TestAStatusComesBeforeTheCreateAnswer(t *testing.T) {
	everyWay(t, "a status before the create answer", func(c *poller, _ bool) {
		c.create()
		c.wants(0, "told working")
		c.wants(time.Second, "1 created working")
	})
}

func TestAResultComesBeforeTheAcknowledgement(t *testing.T) {
	everyWay(t, "a result before the acknowledgement", func(c *poller, modern bool) {
		c.create()
		c.since(0)
		if !modern {
			c.about("tasks/result")
			c.about("tasks/cancel")
			c.wants(0, "2 result, 3 completed")
			if c.web != nil {
				if story := c.web.Story(); slices.Index(story, "2 answered") > slices.Index(story, "3 answered") {
					c.t.Errorf("%q", story)
				}
			}
			return
		}
		c.about("tasks/cancel")
		c.wants(time.Second, "")
		c.about("tasks/get")
		c.wants(time.Minute, "3 completed with its result, 2 done")
		c.create()
		c.since(0)
		c.about("tasks/cancel")
		c.wants(3*time.Second, "5 done") // nobody looked
	})
}

func TestAPollIsNotAnswered(t *testing.T) {
	everyWay(t, "a tasks/get that blocks", func(c *poller, modern bool) {
		c.create()
		c.about("tasks/get")
		c.about("tasks/get")
		c.wants(time.Hour, "1 created working")
		c.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
		synctest.Wait()
		c.about("tasks/cancel")
		c.wants(0, either(modern, "3 cancelled, 4 cancelled", "3 cancelled, 4 done")) // and not 2
	})
}
