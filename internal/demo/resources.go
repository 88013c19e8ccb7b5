package demo

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/url"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	guideURI      = "demo://guide"
	flagURI       = "demo://flag.png"
	verdictPrefix = "demo://verdicts/"
	numbersPrefix = "demo://numbers/"

	maxNumbers = 100_000
)

const guide = `# What to try

Call a tool, press **x** while it runs, and read what the row says.

| Tool | What it does about a cancel |
| --- | --- |
| countdown | stops, and says nothing more |
| stubborn | ignores it and answers late |
| restless | never answers, but works on |
| prompt_error | cleans up, and answers with an error |
| flood | stops, in the middle of a thousand messages a second |

As a task, a call goes on after its answer, and has a cancel of its own:

| Tool | What its task does about a cancel |
| --- | --- |
| task_countdown | stops, and ends as cancelled |
| task_stubborn | acknowledges it, and completes all the same |
| task_stuck | acknowledges it, and stays working until it expires |
| task_ask | stops, also while it asks you something |
| task_expires | stops, if it has not expired before |

Then fail, crash and big, to see what goes wrong elsewhere.
`

func addResources(s *mcp.Server) {
	s.AddResource(&mcp.Resource{
		URI: guideURI, Name: "guide", Title: "Guide", MIMEType: "text/markdown", Size: int64(len(guide)),
		Description: "What to try first, and what each tool does about a cancel.",
	}, textResource(func(string) (string, error) { return guide, nil }))

	flag := flagXRay()
	s.AddResource(&mcp.Resource{
		URI: flagURI, Name: "flag", Title: "Flag X-ray", MIMEType: "image/png", Size: int64(len(flag)),
		Description: "The signal flag that means: stop carrying out your intentions.",
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Blob: flag}}}, nil
	})

	s.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: verdictPrefix + "{verdict}", Name: "verdict", Title: "Verdict", MIMEType: "text/plain",
		Description: "What a verdict means. One of: " + verdictWords() + ".",
	}, textResource(func(uri string) (string, error) {
		word, err := url.PathUnescape(strings.TrimPrefix(uri, verdictPrefix))
		meaning, ok := verdicts[word]
		if err != nil || !ok {
			return "", mcp.ResourceNotFoundError(uri)
		}
		return meaning, nil
	}))

	s.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: numbersPrefix + "{count}", Name: "numbers", Title: "Numbers", MIMEType: "text/plain",
		Description: fmt.Sprintf("As many numbered lines as you like, up to %d.", maxNumbers),
	}, textResource(func(uri string) (string, error) {
		count, err := strconv.Atoi(strings.TrimPrefix(uri, numbersPrefix))
		if err != nil || count < 1 || count > maxNumbers {
			return "", invalidParams("%s: the count has to be a whole number from 1 to %d", uri, maxNumbers)
		}
		var b []byte
		for i := range count {
			b = append(strconv.AppendInt(b, int64(i+1), 10), '\n')
		}
		return string(b), nil
	}))
}

// textResource makes a handler of a function from a URI to its text.
func textResource(read func(uri string) (string, error)) mcp.ResourceHandler {
	return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		content, err := read(req.Params.URI)
		if err != nil {
			return nil, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: content}}}, nil
	}
}

// flagXRay draws the flag X of the International Code of Signals, a blue cross
// on white, which stands for "stop carrying out your intentions and watch for
// my signals".
func flagXRay() []byte {
	const side, bar = 40, 8
	blue := color.RGBA{R: 0x00, G: 0x3d, B: 0xa5, A: 0xff}
	img := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.White, blue})
	inBar := func(v int) bool { return v >= (side-bar)/2 && v < (side+bar)/2 }
	for y := range side {
		for x := range side {
			if inBar(x) || inBar(y) {
				img.SetColorIndex(x, y, 1)
			}
		}
	}
	var b bytes.Buffer
	// Encoding into memory fails only for images without pixels.
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}
