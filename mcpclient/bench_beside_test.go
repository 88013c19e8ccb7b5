//go:build unix

package mcpclient

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"belay/mcpclient/lines"
	"belay/session"
)

// BenchmarkBeside holds belay's whole way, from the pipe to the wire log, beside
// the client of the Go SDK and beside a reader that only counts lines. A server of
// its own process floods each of them, with the same notifications of one call. Run it with
//
//	go test ./mcpclient -run '^$' -bench Beside -benchtime 15x
//
// Each round lets all of them run, so that what else the machine does troubles all
// of them; the medians of the rounds are told, of the ratios too.
func BenchmarkBeside(b *testing.B) {
	bare, belay, others := besideBare(b), besideBelay(b, Options{}), besideSDK(b)
	var lines, ours, theirs, toBare, toSDK []float64
	for b.Loop() {
		l, o, t := bare(2_000_000), belay(500_000), others(10_000)
		lines, ours, theirs = append(lines, l), append(ours, o), append(theirs, t)
		toBare, toSDK = append(toBare, l/o), append(toSDK, o/t)
	}
	for unit, all := range map[string][]float64{
		"bare/s": lines, "belay/s": ours, "sdk/s": theirs, "bare/belay": toBare, "belay/sdk": toSDK,
	} {
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], unit)
	}
	b.ReportMetric(0, "ns/op")
}

// besideServer is the server of one contestant, not started yet.
func besideServer(b *testing.B) *exec.Cmd {
	b.Helper()
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), peerVar+"=floods growing progress")
	return cmd
}

// perSecond runs a flood of n and says how many notifications of it came in a second.
func perSecond(n int, flood func(n int)) float64 {
	began := time.Now()
	flood(n)
	return float64(n) / time.Since(began).Seconds()
}

func besideBare(b *testing.B) func(n int) float64 {
	cmd := besideServer(b)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	ls := lines.NewReader(out, defaultMaxLine, time.Now)
	return func(n int) float64 {
		return perSecond(n, func(n int) {
			fmt.Fprintf(in, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"flood","arguments":%d,"_meta":{"progressToken":"belay-1"}}}`+"\n", n)
			for left := n + 1; left > 0; { // and the answer
				if err := ls.Fill(); err != nil {
					b.Fatal(err)
				}
				for _, ok := ls.Next(); ok; _, ok = ls.Next() {
					left--
				}
			}
		})
	}
}

// besideBelay is watched by a screen that looks sixty times a second.
func besideBelay(b *testing.B, o Options) func(n int) float64 {
	server := options(b, "floods growing progress")
	o.Command, o.Env, o.Shutdown = server.Command, append(o.Env, server.Env...), server.Shutdown
	c := run(b, o)
	awaitReady(b, c)
	frame := time.NewTicker(time.Second / 60)
	b.Cleanup(frame.Stop)
	return func(n int) float64 {
		return perSecond(n, func(n int) {
			id := callTool(b, c, "flood", strconv.Itoa(n))
			for {
				<-c.Wake()
				var d session.Detail
				c.View(func(s *session.Session) { d, _ = s.Detail(id) })
				if d.State.IsTerminal() {
					if d.Progress.Count != n || d.State != session.Done {
						b.Fatalf("%q with %d notifications of %d", d.State, d.Progress.Count, n)
					}
					return
				}
				<-frame.C
			}
		})
	}
}

func besideSDK(b *testing.B) func(n int) float64 {
	var got atomic.Int64
	all := make(chan struct{}, 1)
	var want int64
	client := sdk.NewClient(&sdk.Implementation{Name: "sdk", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(context.Context, *sdk.ProgressNotificationClientRequest) {
			if got.Add(1) == want {
				all <- struct{}{}
			}
		},
	})
	s, err := client.Connect(b.Context(), &sdk.CommandTransport{Command: besideServer(b)}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return func(n int) float64 {
		got.Store(0)
		want = int64(n)
		return perSecond(n, func(n int) {
			params := &sdk.CallToolParams{Name: "flood", Arguments: n}
			params.SetProgressToken("belay-1")
			if _, err := s.CallTool(b.Context(), params); err != nil {
				b.Fatal(err)
			}
			<-all
		})
	}
}
