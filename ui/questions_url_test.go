package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/internal/suspect"
	"belay/ui/address"
	"belay/ui/canvas"
)

// An address is opened on its own key only, once, by the browser; then the
// server is told that the user agreed, and no more.
func TestAnAddressIsOpenedOnItsKey(t *testing.T) {
	requirements.Rows(t, "ELI-37", "ELI-38", "ELI-40", "ELI-46")
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.call("asker")
		w.asksURL("q1", "https://login.example.com/start?x=1")
		w.sees("host: login.example.com", "https://login.example.com/start?x=1")
		w.quiet()
		w.golden("ask-url")
		for _, k := range []string{"enter", "ctrl+s", "o", "y", "space", "tab"} {
			w.press(k)
		}
		if len(w.b.opened) != 0 {
			t.Fatalf("opened %q", w.b.opened)
		}
		w.getsNothingFor("q1")
		w.press("ctrl+u")
		w.wait(100 * time.Millisecond)
		if !slices.Equal(w.b.opened, []string{"https://login.example.com/start?x=1"}) {
			t.Errorf("opened %q", w.b.opened)
		}
		w.gets(`{"jsonrpc":"2.0","id":"q1","result":{"action":"accept"}}`)
		w.sees("opened · waiting for the server · esc closes", "#6", "running")
		w.golden("ask-url-opened")
		w.press("ctrl+u", "ctrl+s", "ctrl+r")
		w.press("esc")
		if w.m.modal() != nil {
			t.Error("esc did not close")
		}
		w.gets(`"id":"q1"`)
		if len(w.b.opened) != 1 {
			t.Errorf("opened %q", w.b.opened)
		}
	})
}

// A browser that cannot be started is said, and answers nothing.
func TestAnOpenerThatFails(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.b.openErr = errors.New("xdg-open is not installed")
		w.asksURL("q1", "https://example.com/")
		w.quiet()
		w.press("ctrl+u")
		w.wait(100 * time.Millisecond)
		w.sees("not opened, nothing answered: xdg-open is not installed", "1 asks you")
		w.getsNothingFor("q1")
		w.b.openErr = nil
		w.press("ctrl+u")
		w.gets(`"id":"q1","result":{"action":"accept"}`)
	})
}

// The whole address can be read, however long it is.
func TestALongAddressIsShownWhole(t *testing.T) {
	requirements.Rows(t, "ELI-39")
	connected(t, 80, 24, Options{}, func(w *harness) {
		var b strings.Builder
		b.WriteString("https://example.com/")
		for i := 0; b.Len() < 3000; i++ {
			fmt.Fprintf(&b, "part-%04d/", i)
		}
		url := b.String()
		w.asksURL("q1", url)
		w.quiet()
		w.golden("ask-url-long")
		seen := ""
		add := func() { // the lines of the panel that are new
			for l := range strings.SplitSeq(w.screen(), "\n") {
				l = strings.Trim(strings.Trim(l, "│"), " ┃")
				if strings.Contains(l, "-0") && !strings.Contains(l, " ") && !strings.Contains(seen, l) {
					seen += l
				}
			}
		}
		add()
		for range 8 {
			w.press("pgdown")
			add()
		}
		if !strings.Contains(seen, url[:2900]) {
			t.Errorf("the address that can be read is\n%s\nwant\n%s", seen, url)
		}
		w.sees("host: example.com")
	})
}

// What is odd about an address is said before it can be opened, and what cannot
// be opened is refused.
func TestOddAddresses(t *testing.T) {
	for url, want := range map[string]string{
		"https://bank.com@evil.io/":           "what stands before the @ is a user name",
		"https://xn--80ak6aa92e.com/":         `reads "аррӏе.com"`,
		"http://example.com/":                 "http: everybody on the way",
		"https://example.com/?token=abc":      `"token" in it looks like a secret`,
		"https://example.com/\\u202egnp.exe":  "⟨U+202E⟩gnp.exe",
		"javascript:alert(1)":                 "cannot be opened: only http and https addresses can be opened",
		"file:///etc/passwd":                  "cannot be opened",
		"https://example.com/\\u001b[2J":      "https://example.com/⟨ESC⟩[2J",
		"https://user:pass@192.0.2.7:8443/x ": "the host is an IP address",
	} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			w.asksURL("q1", url)
			w.quiet()
			w.sees(want)
			if !strings.Contains(w.screen(), "cannot be opened") {
				return
			}
			w.press("ctrl+u")
			w.wait(100 * time.Millisecond)
			w.sees("not opened: ")
			if len(w.b.opened) != 0 {
				t.Errorf("%s: opened", url)
			}
			w.getsNothingFor("q1")
		})
	}
}

// The host is shown whole, and of it the part that somebody registered is
// emphasised: the last, whatever stands in front of it.
func TestThePartOfAHostThatSomebodyRegistered(t *testing.T) {
	requirements.Rows(t, "ELI-41")
	for url, want := range map[string]string{
		"https://bank.com.evil.io/":           "host: bank.com.*evil.io*",
		"https://evil.io.bank.com.evil.io/":   "host: evil.io.bank.com.*evil.io*",
		"https://bank.com@evil.io/":           "host: *evil.io*",
		"https://login.bank.co.uk:8443/":      "host: login.*bank.co.uk*:8443",
		"https://login.bank.evil.github.io./": "host: login.bank.*evil.github.io*.",
		"https://[2001:db8::1]:8443/":         "host: [*2001:db8::1*]:8443",
		"https://192.0.2.7/":                  "host: *192.0.2.7*",
		"https://intranet/":                   "host: *intranet*",
		"http://app.localhost:3000/":          "host: *app.localhost*:3000 (this machine)",
	} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			w.asksURL("q1", url)
			w.quiet()
			w.sees(strings.ReplaceAll(want, "*", ""))
			got := ""
			judged := suspect.Judge(url)
			for _, span := range address.Notes(&judged, w.m.looks())[0] {
				text := string(span.Text)
				if span.Style.Attr&canvas.Underline != 0 {
					text = "*" + text + "*"
				}
				got += text
			}
			if got != want {
				t.Errorf("%s: %s, want %s", url, got, want)
			}
		})
	}
}

// No link of the server's can be clicked, and a message that has one says so.
func TestNoLinks(t *testing.T) {
	requirements.Rows(t, "ELI-44", "ELI-57")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "See https://example.com/now \\u001b]8;;https://evil.io\\u0007here")
		w.quiet()
		w.sees("! its message contains a URL; no key opens that")
		if strings.Contains(w.m.View().Content, "\x1b]8") {
			t.Error("there is a link")
		}
		w.press("ctrl+u")
		w.wait(100 * time.Millisecond)
		if len(w.b.opened) != 0 {
			t.Error("an address was opened out of a message")
		}
	})
}

// When the address was opened and the server takes its question back before the
// answer left, the page may still be live (CXS-20).
func TestWithdrawnAfterOpening(t *testing.T) {
	requirements.Rows(t, "CXS-20")
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksURL("q1", "https://example.com/")
		w.quiet()
		w.b.stuck = true
		w.press("ctrl+u")
		w.sees("opened · waiting for the server")
		w.withdraws("q1", "expired")
		w.b.stuck = false
		w.sees(lockedFoot, "the page you opened may still be live", "too late: the server withdrew this")
		w.golden("ask-url-withdrawn")
		w.getsNothingFor("q1")
	})
	connected(t, 100, 30, Options{}, func(w *harness) { // withdrawn while the browser starts
		w.b.opens = make(chan struct{})
		w.asksURL("q1", "https://example.com/")
		w.quiet()
		w.press("ctrl+u")
		w.press("ctrl+u")
		w.sees("it is being opened")
		w.withdraws("q1", "expired")
		w.sees(lockedFoot)
		close(w.b.opens)
		w.settle()
		w.sees("the page you opened may still be live", "too late: the server withdrew this")
		w.getsNothingFor("q1")
	})
	connected(t, 100, 30, Options{}, func(w *harness) { // and left before that
		w.b.stuck = true
		w.asksURL("q1", "https://example.com/")
		w.quiet()
		w.press("ctrl+u", "esc")
		w.withdraws("q1", "expired")
		w.b.stuck = false
		w.sees("withdrawn; the page you opened may still be live")
		w.getsNothingFor("q1")
	})
}

// Who does not wait for the browser is told that nothing was accepted.
func TestDeclinedWhileTheBrowserStarts(t *testing.T) {
	for key, action := range map[string]string{"ctrl+r": "decline", "esc": "cancel"} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			w.b.opens = make(chan struct{})
			w.asksURL("q1", "https://example.com/")
			w.quiet()
			w.press("ctrl+u", key)
			close(w.b.opens)
			w.settle()
			w.sees("opened, but not accepted: this was answered already")
			w.gets(`"id":"q1","result":{"action":"` + action + `"}`)
			if n := w.got(`"id":"q1"`); n != 1 {
				t.Errorf("%d answers", n)
			}
		})
	}
}

// What looks like a secret is asked for a second time (ELI-21), and again when
// it has become another answer.
func TestSecretsAreAskedForTwice(t *testing.T) {
	requirements.Rows(t, "ELI-20", "ELI-21")
	for _, name := range []string{"password", "api_key", "cardNumber", "token"} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"%s":{"type":"string"}}}}}`, name)
			w.quiet()
			w.sees(fmt.Sprintf("! it asks for what looks like a secret: %q", name))
			w.write("abc")
			w.press("ctrl+s")
			w.sees(fmt.Sprintf("not sent yet: %q looks like a secret", name))
			w.b.edit = func(string, string) (string, error) { return "xyz", nil }
			w.press("ctrl+o", "ctrl+s")
			w.sees("•••", fmt.Sprintf("not sent yet: %q looks like a secret", name))
			w.b.edit = func(string, string) (string, error) { return "abc", nil }
			w.press("ctrl+o")
			w.write("d") // another key takes the first one back
			w.press("ctrl+s")
			w.getsNothingFor("q1")
			w.press("ctrl+s")
			w.gets(`"content":{"` + name + `":"abcd"}`)
		})
	}
}

// The server's notice that all is done at the address is shown, and changes
// nothing else.
func TestTheNoticeOfCompletion(t *testing.T) {
	requirements.Rows(t, "ELI-47")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("asker")
		w.asksURL("q1", "https://example.com/")
		w.quiet()
		w.press("ctrl+u")
		wrote := len(w.b.wrote)
		w.feed(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"other"}}`)
		w.sees("opened · waiting for the server")
		w.feed(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}`)
		w.sees("opened, and done as the server says · esc closes", "the server says that what its address led to is done")
		if len(w.b.wrote) != wrote {
			t.Errorf("something was sent for a notice:\n%s", strings.Join(w.b.wrote[wrote:], "\n"))
		}
	})
}

// That the server said so before the address was opened is not forgotten.
func TestTheNoticeOfCompletionBeforeOpening(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("asker")
		w.asksURL("q1", "https://example.com/")
		w.quiet()
		w.feed(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}`)
		w.sees("the server says that what its address led to is done")
		w.press("ctrl+u")
		w.wait(100 * time.Millisecond)
		w.sees("opened, and done as the server says · esc closes", "opened, and done as the server said before")
		w.seesNot("waiting for the server")
	})
}

// A call that fails with -32042 leads to the same panel: nothing is sent for
// the addresses, and r makes the call again.
func TestAddressesThatACallNeeds(t *testing.T) {
	requirements.Rows(t, "ELI-51", "ELI-53", "ERR-14")
	connected(t, 100, 30, Options{}, func(w *harness) {
		id := w.call("asker")
		w.press("w")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32042,"message":"log in first","data":{"elicitations":[`+
			`{"mode":"url","elicitationId":"e1","url":"https://one.example.com/","message":"One."},`+
			`{"mode":"url","elicitationId":"e2","url":"https://two.example.com/","message":"Two."}]}}}`, id)
		w.sees("#6 needs you to visit an address") // in the wire pane
		w.seesNot("elicitation/create")
		w.sees("1 of 2", "host: one.example.com", `#6 tools/call "asker" failed for want of this; nothing is sent for it`)
		w.quiet()
		wrote := len(w.b.wrote)
		w.press("ctrl+u")
		w.wait(100 * time.Millisecond)
		w.sees("opened · when you are done, r makes the call again · esc closes")
		w.press("esc")
		w.sees("host: two.example.com")
		w.quiet()
		w.press("ctrl+u")
		w.wait(time.Second)
		if len(w.b.opened) != 2 || len(w.b.wrote) != wrote {
			t.Errorf("opened %q; sent %q", w.b.opened, w.b.wrote[wrote:])
		}
		w.press("r")
		w.wait(100 * time.Millisecond)
		if again := w.last("tools/call"); again == id || w.got(`"method":"tools/call","params":{"name":"asker"`) != 2 || w.m.modal() != nil {
			t.Errorf("the call was not made again:\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
	connected(t, 100, 30, Options{}, func(w *harness) { // told of, or put aside
		id := w.call("asker")
		w.press("2")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32042,"message":"log in first","data":{"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://one.example.com/","message":"One."}]}}}`, id)
		w.sees(`#6 tools/call "asker" needs you to visit an address · ! shows it`)
		w.press("!", "ctrl+l")
		w.sees(`the address of a failed call "One." is put aside and keeps waiting · ! brings it back`)
		w.press("!", "ctrl+r")
		w.sees("declined the address of a failed call")
		w.seesNot("elicitation/create")
	})
	connected(t, 100, 30, Options{}, func(w *harness) { // or dropped
		id := w.call("asker")
		w.press("w")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32042,"message":"log in first","data":{"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://one.example.com/","message":"One."}]}}}`, id)
		w.quiet()
		wrote := len(w.b.wrote)
		w.press("esc")
		w.wait(time.Second)
		if w.m.modal() != nil || len(w.b.wrote) != wrote {
			t.Errorf("sent %q", w.b.wrote[wrote:])
		}
	})
}

// What is odd about an address is within reach on a small screen, too, and the
// address is not opened before it was seen.
func TestTheWarningsOfAnAddressAreSeenFirst(t *testing.T) {
	connected(t, 60, 15, Options{}, func(w *harness) {
		w.asksURL("q1", "http://user:pass@xn--80ak6aa92e.com:8443/?token=abc")
		w.quiet()
		w.press("ctrl+u")
		w.sees("not opened: read its warnings first, pgdown shows them")
		w.sees("and more: pgdown shows it")
		if len(w.b.opened) != 0 {
			t.Fatalf("opened %q", w.b.opened)
		}
		w.reads("pgdown", "what stands before the @", `! "token" in it`, "port 8443 is not", "everybody on the way", "Log in, please.")
		w.press("ctrl+u")
		w.wait(100 * time.Millisecond)
		if len(w.b.opened) != 1 {
			t.Error("it is not opened although all was seen")
		}
		w.gets(`"id":"q1","result":{"action":"accept"}`)
	})
	connected(t, 50, 4, Options{}, func(w *harness) { // one line
		w.asksURL("q1", "https://example.com/")
		w.press("!")
		w.press("ctrl+u")
		if len(w.b.opened) != 0 {
			t.Errorf("opened %q unseen", w.b.opened)
		}
	})
}
