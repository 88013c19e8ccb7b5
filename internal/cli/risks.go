package cli

import (
	"regexp"
	"slices"
	"strings"

	"belay/internal/safe"
)

// risk is a sign in a command of something that a reader should mind. It is a
// help to the eye and no defence: whoever wants to hide from it can.
type risk struct {
	about string
	sign  func(c commandLine) (what string, found bool)
}

// commandLine is a command in words, those inside of a line for a shell too.
type commandLine struct {
	argv  []string
	words []string
	env   []string // names
}

var riskSigns = []risk{
	{"runs a line of a shell", func(c commandLine) (string, bool) {
		return program(c.argv[0]), slices.Contains([]string{"sh", "bash", "zsh", "dash", "fish", "cmd", "powershell", "pwsh"}, program(c.argv[0])) && len(c.argv) > 1
	}},
	{"asks for more rights than yours", oneOf("sudo", "doas", "su", "pkexec", "runas")},
	{"deletes or overwrites", func(c commandLine) (string, bool) {
		if what, found := oneOf("shred", "mkfs", "dd", "del", "remove-item")(c); found {
			return what, true
		}
		what, found := oneOf("rm", "rmdir", "rd")(c)
		return what, found && slices.ContainsFunc(c.words, func(w string) bool {
			return deleting.MatchString(w) || strings.EqualFold(w, "/s")
		})
	}},
	{"fetches from the network", oneOf("curl", "wget", "nc", "ncat", "netcat", "socat", "iwr", "invoke-webrequest", "irm", "invoke-restmethod", "scp", "ssh")},
	{"touches a place where secrets are", func(c commandLine) (string, bool) {
		for _, w := range c.words {
			if m := secretPlace.FindString(w); m != "" {
				return m, true
			}
		}
		return "", false
	}},
	{"is followed by what may be a secret: arguments are shown as they are; variables are not", func(c commandLine) (string, bool) {
		for i, w := range c.argv {
			flag, value, joined := strings.Cut(w, "=")
			if !joined && i+1 < len(c.argv) {
				value = c.argv[i+1]
			}
			if secretFlag.MatchString(flag) && value != "" && !strings.HasPrefix(value, "-") && !strings.Contains(value, "${") {
				return flag, true
			}
		}
		return "", false
	}},
	{"lies where anybody may put a program", func(c commandLine) (string, bool) {
		return c.argv[0], anybodys.MatchString(c.argv[0])
	}},
	{"can make the program load other code", func(c commandLine) (string, bool) {
		i := slices.IndexFunc(c.env, loading.MatchString)
		if i < 0 {
			return "", false
		}
		return c.env[i], true
	}},
}

var (
	deleting    = regexp.MustCompile(`^-[a-zA-Z]*[rRf]|^--(recursive|force)$`)
	secretPlace = regexp.MustCompile(`(^|[/\\~])(\.ssh|\.gnupg|\.aws|\.kube|\.netrc|\.git-credentials|\.docker/config\.json|\.config/gcloud|Keychains|id_(rsa|ed25519)|etc/shadow|etc/sudoers)\b`)
	secretFlag  = regexp.MustCompile(`(?i)^--?([a-z0-9_-]+[_-])?(secret|token|password|passwd|pass|api[_-]?key)$`)
	anybodys    = regexp.MustCompile(`(?i)^(/private)?/(var/)?tmp/|^/dev/shm/|\\temp\\|/downloads/|\\downloads\\`)
	loading     = regexp.MustCompile(`(?i)^(LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_.*|NODE_OPTIONS|NODE_PATH|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|RUBYOPT|PERL5OPT|PERL5LIB|JAVA_TOOL_OPTIONS|BASH_ENV|ENV|PATH|GIT_SSH_COMMAND)$`)
	shellWord   = regexp.MustCompile("[\\s;|&()<>`\"'=]+")
)

// risks are the things to mind in a command, in words.
func risks(argv, env []string) []safe.Text {
	c := commandLine{argv: argv, env: env}
	for _, a := range argv {
		c.words = append(c.words, shellWord.Split(a, -1)...)
	}
	var out []safe.Text
	for _, r := range riskSigns {
		if what, found := r.sign(c); found {
			out = append(out, safe.Quoted(what)+" "+safe.Text(r.about))
		}
	}
	return out
}

// oneOf finds one of these programs in a command, wherever it lies.
func oneOf(programs ...string) func(commandLine) (string, bool) {
	return func(c commandLine) (string, bool) {
		for _, w := range c.words {
			if name := program(w); slices.Contains(programs, name) {
				return name, true
			}
		}
		return "", false
	}
}

// program is the name of the program that a path names.
func program(path string) string {
	name := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	return strings.TrimSuffix(name, ".exe")
}
