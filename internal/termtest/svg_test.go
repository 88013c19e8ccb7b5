package termtest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// pictures are screens that between them use everything a picture can show.
var pictures = []struct {
	name       string
	cols, rows int
	theme      Theme
	options    SVGOptions
	output     string
}{
	{
		"styles", 48, 7, Dark(),
		SVGOptions{Title: `styles & <colours>`},
		"plain \x1b[1mbold\x1b[m \x1b[2mfaint\x1b[m \x1b[3mitalic\x1b[m \x1b[7mreverse\x1b[m \x1b[8mhidden\x1b[m \x1b[9mgone\x1b[m\r\n" +
			"\x1b[4msingle\x1b[m \x1b[4:2mdouble\x1b[m \x1b[4:3mcurly\x1b[m \x1b[4:4mdotted\x1b[m \x1b[4:5mdashed\x1b[m \x1b[4;58;2;255;80;80mred\x1b[m\r\n" +
			"\x1b[31mred \x1b[92mgreen \x1b[38;5;208morange \x1b[38;2;120;160;255mtrue\x1b[m \x1b[41;97m on red \x1b[48;5;236;39m on grey \x1b[m\r\n" +
			"if a != b && c <= d { www -> x => y // === }\r\n" +
			"\x1b[1mif a != b && c <= d { www -> x => y // === }\x1b[m\r\n" +
			"\x1b[7;31m reversed red \x1b[m\x1b[2;32m faint green \x1b[m\x1b[1;3;4;35mall of it\x1b[m\r\n" +
			"<tag attr=\"x\"> & 'quotes'\x1b[?25l",
	},
	{
		"boxes", 48, 12, Dark(),
		SVGOptions{},
		"\x1b[?25l╭─ 1 Calls ────────────╮╭─ 2 #412 ─────────────╮\r\n" +
			"│ \x1b[36m⠹ running\x1b[m   62%      ││ \x1b[33m⊘ cancelled\x1b[m ✓ ✗ ● ▸  │\r\n" +
			"│▌⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ ⣿⡇⢸⣀⠀     ││ 0.0s ── call ──────► │\r\n" +
			"│ ◄┄┄┄┄┄ ◄───── ► → ←  ││ 2.3s ◄┄┄┄┄┄┄┄ result │\r\n" +
			"╰──────────────────────╯╰──────────────────────╯" +
			"┌─┬─┐ ┏━┳━┓ ╔═╦═╗ ╓─╥─╖ ╒═╤═╕ ┍━┯━┑ ┎─┰─┒\r\n" +
			"│ │ │ ┃ ┃ ┃ ║ ║ ║ ║ ║ ║ │ │ │ │ │ │ ┃ ┃ ┃\r\n" +
			"├─┼─┤ ┣━╋━┫ ╠═╬═╣ ╟─╫─╢ ╞═╪═╡ ┝━┿━┥ ┠─╂─┨\r\n" +
			"└─┴─┘ ┗━┻━┛ ╚═╩═╝ ╙─╨─╜ ╘═╧═╛ ┕━┷━┙ ┖─┸─┚\r\n" +
			"┄┄┄ ┅┅┅ ┈┈┈ ┉┉┉ ╌╌╌ ╍╍╍ ╴╶╸╺ ╼╾ ╱╲╳ ┆┇┊┋╎╏\r\n" +
			"▁▂▃▄▅▆▇█ ▏▎▍▌▋▊▉█ ▀▄▐▌ ▔▕ ░▒▓ ▖▗▘▙▚▛▜▝▞▟\r\n" +
			"\x1b[31m██\x1b[32m██\x1b[34;47m▀▀\x1b[m \x1b[2;33m░▒▓\x1b[m \x1b[42;30m⠿█▒\x1b[m",
	},
	{
		"wide", 30, 6, Dark(),
		SVGOptions{},
		"╭────────────────────────────╮" +
			"│日本語のテキスト 한국어 ok! │" +
			"│中文 wide ｆｕｌｌ 12345678 │" +
			"│é ü ß ñ Ж λ ő œ … “quoted” ▸│" +
			"│\x1b[44m漢字\x1b[m\x1b[4m下線\x1b[m\x1b[9m取消\x1b[m\x1b[1m太字\x1b[m \x1b[7m反転\x1b[m───────┤" +
			"╰────────────────────────────╯\x1b[2;4H",
	},
	{
		"light", 30, 3, Light(),
		SVGOptions{HideCursor: true, FontFamily: "monospace"},
		"╭─ light ────────────────────╮" +
			"│ \x1b[32m✓ done\x1b[m  \x1b[31m✗ failed\x1b[m  \x1b[2mfaint\x1b[m    │" +
			"╰────────────────────────────╯",
	},
	{"cursor-bar", 6, 1, Dark(), SVGOptions{}, "\x1b[6 qab"},
	{"cursor-underline", 6, 1, Dark(), SVGOptions{}, "\x1b[4 qab"},
}

func TestPicturesAreTheGoldenOnes(t *testing.T) {
	for _, p := range pictures {
		e := newEmulator(p.cols, p.rows, p.theme, false)
		e.write([]byte(p.output))
		got := e.screen().SVG(p.options)
		if again := e.screen().SVG(p.options); !bytes.Equal(got, again) {
			t.Errorf("%s: the same screen gives another picture", p.name)
		}
		golden := filepath.Join("testdata", p.name+".svg")
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the picture is not %s; look at it and run the test with -update\n%s", p.name, golden, got)
		}
	}
}

// Whatever a program wrote, the picture is well-formed and shows it as text.
func TestHostileTextStaysText(t *testing.T) {
	e := newEmulator(40, 2, Dark(), false)
	e.write([]byte("<script>x</script>&amp;\u202eevil\u0085\ufffe\"'"))
	svg := e.screen().SVG(SVGOptions{Title: "</title><script>\x00", FontFamily: `"><script>`})
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	var text strings.Builder
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "script" {
				t.Errorf("the picture holds a script\n%s", svg)
			}
		case xml.CharData:
			text.Write(bytes.TrimSpace(token))
		}
	}
	if !strings.Contains(text.String(), "<script>x</script>&amp;") {
		t.Errorf("the text reads %q", text.String())
	}
}

func TestPNGCallsTheConverter(t *testing.T) {
	dir := t.TempDir()
	fake := "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.args\"\ncat > \"$6\"\n"
	converter := filepath.Join(dir, "rsvg-convert")
	if err := os.WriteFile(converter, []byte(fake), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	out := filepath.Join(dir, "out.png")
	if err := PNG([]byte("<svg/>"), out); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil || string(got) != "<svg/>" {
		t.Errorf("the converter was given %q, %v", got, err)
	}
	args, err := os.ReadFile(converter + ".args")
	if want := "--format\npng\n--zoom\n2\n--output\n" + out + "\n"; err != nil || string(args) != want {
		t.Errorf("the converter was called with %q, %v", args, err)
	}
}

func TestPNGSaysWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	err := PNG([]byte("<svg/>"), filepath.Join(dir, "out.png"))
	if err == nil || !strings.Contains(err.Error(), "apt-get install librsvg2-bin fonts-jetbrains-mono fonts-noto-cjk") {
		t.Errorf("without a converter: %v", err)
	}
	failing := "#!/bin/sh\necho no such picture >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(dir, "rsvg-convert"), []byte(failing), 0o755); err != nil {
		t.Fatal(err)
	}
	err = PNG([]byte("<svg/>"), filepath.Join(dir, "out.png"))
	if err == nil || !strings.Contains(err.Error(), "no such picture") {
		t.Errorf("with a converter that fails: %v", err)
	}
}
