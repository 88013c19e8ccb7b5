//go:build unix

package mcpclient

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	dictated "belay/internal/peer"
	"belay/internal/requirements"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

// certificate makes one that signs itself.
func certificate(t *testing.T, change func(c *x509.Certificate)) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	c := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "peer"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	change(c)
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// over serves over TLS, in HTTP/1.1 and HTTP/2, until the test ends.
func over(t *testing.T, conf *tls.Config, h http.Handler) string {
	t.Helper()
	srv := httptest.NewUnstartedServer(h)
	srv.TLS, srv.EnableHTTP2, srv.Config.ErrorLog = conf, true, log.New(io.Discard, "", 0)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	return srv.URL
}

// Each thing that can be wrong with TLS is said in plain words, with what to do.
func TestWhatIsWrongWithTLS(t *testing.T) {
	none := func(*x509.Certificate) {}
	reached := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	for _, tt := range []struct {
		name       string
		cert       func(c *x509.Certificate)
		trust      bool
		conf       func(c *tls.Config)
		text, hint string
	}{
		{"not trusted", none, false, nil, "signed by an unknown authority", "SSL_CERT_FILE"},
		{"expired", func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) }, true, nil, "has expired", "clock"},
		{"not valid yet", func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Minute) }, true, nil, "not valid yet", "clock"},
		{"another host", func(c *x509.Certificate) { c.IPAddresses = nil; c.DNSNames = []string{"example.com"} }, true, nil, "for another host", "address"},
		{"not for servers", func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} }, true, nil, "not valid", "SSL_CERT_FILE"},
		{"a client's certificate is wanted", none, true, func(c *tls.Config) { c.ClientAuth = tls.RequireAnyClientCert; c.MaxVersion = tls.VersionTLS12 }, "refused the TLS connection", "certificate of the client"},
		{"an old protocol", none, true, func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS11, tls.VersionTLS11 }, "protocol version", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cert, pool := certificate(t, tt.cert)
			conf := &tls.Config{Certificates: []tls.Certificate{cert}}
			if tt.conf != nil {
				tt.conf(conf)
			}
			if !tt.trust {
				pool = x509.NewCertPool()
			}
			for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728, ""} {
				c := dial(t, over(t, conf, reached), rev, func(o *Options) { o.HTTP.roots = pool })
				f := failure(t, c)
				if !strings.Contains(f.Text, tt.text) || !strings.Contains(f.Hint, tt.hint) {
					t.Errorf("%q: %+v", rev, f)
				}
			}
		})
	}
}

// HTTP and HTTPS taken for each other are told apart.
func TestTheWrongScheme(t *testing.T) {
	plain := httptest.NewUnstartedServer(http.NotFoundHandler())
	plain.Config.ErrorLog = log.New(io.Discard, "", 0)
	plain.Start()
	t.Cleanup(plain.Close)
	c := dial(t, strings.Replace(plain.URL, "http:", "https:", 1), "")
	if f := failure(t, c); !strings.Contains(f.Text, "the server speaks HTTP, not HTTPS") || !strings.Contains(f.Hint, "http://") {
		t.Errorf("HTTPS to HTTP: %+v", f)
	}
	cert, _ := certificate(t, func(*x509.Certificate) {})
	safe := over(t, &tls.Config{Certificates: []tls.Certificate{cert}}, http.NotFoundHandler())
	c = dial(t, strings.Replace(safe, "https:", "http:", 1), "")
	if f := failure(t, c); !strings.Contains(f.Text, "HTTP request to an HTTPS server") {
		t.Errorf("HTTP to HTTPS: %+v", f)
	}
}

// A proxy of the environment is used for what is not on this machine. The
// environment is read once a process, so that this needs one of its own.
func TestProxies(t *testing.T) {
	if os.Getenv("BELAY_TEST_PROXY") != "" {
		throughProxy(t)
		return
	}
	for _, rev := range []string{"2025-11-25", "2026-07-28"} {
		proxy := dictated.New(t)
		if rev == "2026-07-28" {
			proxy.Modern(slow)
		} else {
			proxy.Handshake(rev, slow)
		}
		proxy.On("tools/call", func(x *dictated.Exchange) { x.JSONResult(`{"resultType":"complete","content":[]}`) })
		out, err := proxied(t, rev, strings.TrimSuffix(proxy.URL(), dictated.Path))
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, r := range proxy.Requests() {
			if r.Host != "belay-server.test" {
				t.Errorf("%s came for %s", r.Kind(), r.Host)
			}
		}
		if n := count(proxy, "tools/call"); n != 1 {
			t.Errorf("%d calls came through the proxy", n)
		}
	}
}

func proxied(t *testing.T, rev, proxy string) (string, error) {
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestProxies$")
	cmd.Env = append(os.Environ(), "BELAY_TEST_PROXY="+rev, "HTTP_PROXY="+proxy, "http_proxy="+proxy, "NO_PROXY=", "no_proxy=")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func throughProxy(t *testing.T) {
	c := dial(t, "http://belay-server.test/mcp", mcp.Revision(os.Getenv("BELAY_TEST_PROXY")))
	await(t, c, "a connection", func(s *session.Session) bool {
		st := s.Status()
		return st.Phase == session.Ready || st.Failure != nil
	})
	if f := status(c).Failure; f != nil {
		t.Fatal(f.Text)
	}
	wantState(t, c, callTool(t, c, "slow", "{}"), session.Done)
}

// held is a call in a handler.
type held struct {
	proto  string
	r      *http.Request
	answer chan string // what it is answered with
}

// Cancelling closes one exchange: in HTTP/1.1 a connection, in HTTP/2 a stream,
// while all else on that connection goes on (HTM-50).
func TestCancellingClosesOneExchange(t *testing.T) {
	requirements.Rows(t, "HTM-15", "HTM-50", "HTM-51")
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		for _, headed := range []bool{false, true} {
			t.Run(proto, func(t *testing.T) {
				cert, pool := certificate(t, func(*x509.Certificate) {})
				conf := &tls.Config{Certificates: []tls.Certificate{cert}}
				if proto == "HTTP/1.1" {
					conf.NextProtos = []string{"http/1.1"}
				}
				calls, others := make(chan *held, 10), make(chan string, 100)
				remotes := make(chan string, 100)
				url := over(t, conf, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					f := mcp.Decode(body)
					remotes <- r.RemoteAddr
					result := `{"resultType":"complete","tools":[]}`
					switch f.Method {
					case "server/discover":
						result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
					case "tools/call":
						h := &held{r.Proto, r, make(chan string)}
						if headed {
							w.Header().Set("Content-Type", "text/event-stream")
							_ = http.NewResponseController(w).Flush()
						}
						calls <- h
						select {
						case <-r.Context().Done():
							return
						case result = <-h.answer:
						}
						if headed {
							_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"id\":"+f.ID.String()+",\"result\":"+result+"}\n\n")
							return
						}
					case "tools/list":
					default:
						others <- f.Method
					}
					w.Header().Set("Content-Type", "application/json")
					_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+f.ID.String()+`,"result":`+result+`}`)
				}))
				c := dial(t, url, mcp.Rev20260728, func(o *Options) { o.HTTP.roots = pool })
				awaitReady(t, c)
				var ids []session.CallID
				var at []*held
				for range 3 {
					ids = append(ids, callTool(t, c, "slow", "{}"))
					at = append(at, <-calls)
				}
				if at[1].proto != proto {
					t.Fatalf("the server speaks %s", at[1].proto)
				}
				if headed {
					await(t, c, "the heads", func(s *session.Session) bool { return len(heads(s, ids[1])) > 0 })
				}
				cancelCall(c, ids[1])
				<-at[1].r.Context().Done()
				if d := wantState(t, c, ids[1], session.Cancelled); d.Verdict != cancel.StreamClosed {
					t.Errorf("the verdict is %v", d.Verdict)
				}
				for _, i := range []int{0, 2} {
					if err := at[i].r.Context().Err(); err != nil {
						t.Fatalf("a sibling was ended: %v", err)
					}
					at[i].answer <- `{"resultType":"complete","content":[]}`
					wantState(t, c, ids[i], session.Done)
				}
				closeIt(t, c)
				if len(others) != 0 {
					t.Errorf("the server also got %q", <-others)
				}
				seen := map[string]bool{}
				for range len(remotes) {
					seen[<-remotes] = true
				}
				if proto == "HTTP/2.0" && len(seen) != 1 {
					t.Errorf("%d connections in HTTP/2", len(seen))
				}
			})
		}
	}
}

// heads are the moments at which HTTP was told of on a call's timeline.
func heads(s *session.Session, id session.CallID) (all []session.MomentView) {
	d, _ := s.Detail(id)
	for _, m := range d.Timeline {
		if m.Kind == session.MomHTTP {
			all = append(all, m)
		}
	}
	return all
}

// What keeps belay from a server is said with what to do about it.
func TestAddressesThatCannotBe(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.ReadFull(c, make([]byte, 4))
			_ = c.(*net.TCPConn).CloseWrite()
			_, _ = io.Copy(io.Discard, c)
			_ = c.Close()
		}
	}()
	for endpoint, want := range map[string][2]string{
		"http://127.0.0.1:99999/mcp":         {"there is no port 99999", "ports go up to 65535"},
		"http://" + l.Addr().String() + "/m": {"closed the connection in the middle", "try https://"},
	} {
		f := failure(t, dial(t, endpoint, mcp.Rev20251125))
		if !strings.Contains(f.Text, want[0]) || !strings.Contains(f.Hint, want[1]) {
			t.Errorf("%s: %q, %q", endpoint, f.Text, f.Hint)
		}
	}
}
