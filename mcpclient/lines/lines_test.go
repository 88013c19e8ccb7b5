package lines

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"belay/session/mcp"
)

// chunked hands out its bytes in the given portions, then the rest.
type chunked struct {
	data []byte
	cuts []int
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := min(len(c.data), len(p))
	if len(c.cuts) > 0 {
		n, c.cuts = min(n, c.cuts[0]), c.cuts[1:]
	}
	copy(p, c.data[:n])
	c.data = c.data[n:]
	return n, nil
}

// readAll is every line of a stream, copied, and how each over-long one was told.
func readAll(t interface{ Fatalf(string, ...any) }, src io.Reader, maxLine int) (lines []string) {
	l := NewReader(src, maxLine, time.Now)
	for {
		err := l.Fill()
		for ln, ok := l.Next(); ok; ln, ok = l.Next() {
			if ln.Over != nil {
				if ln.Over.Kind != mcp.FrameOversize {
					t.Fatalf("an over-long line became frame kind %d", ln.Over.Kind)
				}
				lines = append(lines, "over: "+ln.Over.Method+" "+string(ln.Over.IDRaw))
				continue
			}
			lines = append(lines, string(ln.Text))
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatalf("read: %v", err)
			}
			return lines
		}
	}
}

// split is what the lines must be, found in the plain way.
func split(data []byte, maxLine int) (lines []string) {
	for text := range bytes.SplitSeq(data, []byte{'\n'}) {
		if len(text) > maxLine {
			var sk mcp.Skim
			_, _ = sk.Write(text)
			f := sk.Frame()
			lines = append(lines, "over: "+f.Method+" "+string(f.IDRaw))
			continue
		}
		text = bytes.TrimSuffix(text, []byte{'\r'})
		if len(bytes.Trim(text, " \t\r")) > 0 {
			lines = append(lines, string(text))
		}
	}
	return lines
}

func TestLinesAreTheSameHoweverTheyArrive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.OneOf(
			rapid.SampledFrom([]string{
				"\n", "\r\n", "\r", " ", "\n\n", "\t\n", "\xef\xbb\xbf", "\xff", "\x00",
				`{"jsonrpc":"2.0","id":7,"result":{}}` + "\n",
				`{"jsonrpc":"2.0","method":"a/b"}`,
				`{"result":"` + strings.Repeat("y", 150) + `","id":12}` + "\n",
				strings.Repeat("x", 100) + "\n", strings.Repeat("x", 99) + "\r\n", strings.Repeat("x", 101),
			}),
			rapid.StringN(0, 40, 200),
		)
		data := []byte(strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), ""))
		cuts := rapid.SliceOf(rapid.IntRange(1, 64)).Draw(t, "cuts")
		got := readAll(t, &chunked{data: bytes.Clone(data), cuts: cuts}, 100)
		want := split(data, 100)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("got  %q\nwant %q", got, want)
		}
	})
}

// The same across the border of the chunk, where a line moves to a buffer of
// its own, and with a stream that comes a byte at a time.
func TestLinesAcrossChunks(t *testing.T) {
	var data []byte
	for _, n := range []int{10, chunkSize - 12, chunkSize - 1, chunkSize, chunkSize + 1, 3*chunkSize + 7, 5, ownedFrom, ownedFrom + 1, 1 << 20, 1<<20 + 1, 20} {
		data = append(bytes.Repeat([]byte{'a' + byte(n%26)}, n), data...)
		data = append(data, '\n')
		data = append(data, bytes.Repeat([]byte{'A' + byte(n%26)}, n)...)
		data = append(data, "\r\n"...)
	}
	want := split(data, 1<<20)
	for name, src := range map[string]io.Reader{
		"at once":         bytes.NewReader(data),
		"in pipe's sizes": &chunked{data: bytes.Clone(data), cuts: repeat(64<<10, 1000)},
		"in halves":       iotest.HalfReader(bytes.NewReader(data)),
		"byte by byte":    iotest.OneByteReader(bytes.NewReader(data[:3*chunkSize])),
		"EOF with data":   iotest.DataErrReader(bytes.NewReader(data)),
	} {
		t.Run(name, func(t *testing.T) {
			want := want
			if name == "byte by byte" {
				want = split(data[:3*chunkSize], 1<<20)
			}
			got := readAll(t, src, 1<<20)
			if len(got) != len(want) {
				t.Fatalf("%d lines, want %d", len(got), len(want))
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("line %d has %d bytes, want %d", i, len(got[i]), len(want[i]))
				}
			}
		})
	}
}

func repeat(v, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = v
	}
	return list
}

func TestBigLinesHaveABufferOfTheirOwn(t *testing.T) {
	small, big := strings.Repeat("s", 100), strings.Repeat("b", ownedFrom+1)
	l := NewReader(strings.NewReader(small+"\n"+big+"\n"+small), 16<<20, time.Now)
	var kept []Line
	for err := error(nil); err == nil; {
		err = l.Fill()
		for ln, ok := l.Next(); ok; ln, ok = l.Next() {
			kept = append(kept, ln)
		}
	}
	if len(kept) != 3 || kept[0].Owned || !kept[1].Owned || kept[2].Owned {
		t.Fatalf("owned: %v", kept)
	}
	clear(l.chunk)
	if string(kept[1].Text) != big {
		t.Error("an owned line changed with the chunk")
	}
}

// A line without end must cost no memory beyond the limit.
func TestEndlessLine(t *testing.T) {
	const maxLine, total = 512 << 10, 16 << 20
	l := NewReader(io.MultiReader(io.LimitReader(letters{}, total), strings.NewReader("\n{}\n")), maxLine, time.Now)
	var got []Line
	for err := error(nil); err == nil; {
		err = l.Fill()
		if cap(l.long) > 2*maxLine {
			t.Fatalf("%d bytes are kept of a line over the limit of %d", cap(l.long), maxLine)
		}
		for ln, ok := l.Next(); ok; ln, ok = l.Next() {
			got = append(got, ln)
		}
	}
	if len(got) != 2 || got[0].Over == nil || got[0].Over.Size != total || string(got[1].Text) != "{}" {
		t.Fatalf("got %d lines: %+v", len(got), got)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestReaderThatNeverReads(t *testing.T) {
	l := NewReader(readerFunc(func([]byte) (int, error) { return 0, nil }), 100, time.Now)
	if err := l.Fill(); !errors.Is(err, io.ErrNoProgress) {
		t.Fatalf("fill: %v", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
