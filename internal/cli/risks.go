package cli

import (
	"path"
	"slices"
	"strings"

	"belay/mcpclient/config"
)

// risk is a sign in a command of something that a reader should mind. It is a
// help to the eye and no defence: whoever wants to hide from it can.
type risk struct {
	about string
	signs func(c commandLine) []string // none: there is no such risk
}

// commandLine is a command in words, those inside of a line for a shell too.
type commandLine struct {
	argv  []string
	words []string
	dir   string   // where it runs; empty: nobody knows
	env   []string // names
	goos  string   // where it runs
	put   bool     // values of variables and defaults are put in: its words may be secret
}

var riskSigns = []risk{
	{"runs a line of a shell", func(c commandLine) []string {
		if len(c.argv) > 1 && slices.Contains([]string{"sh", "bash", "zsh", "dash", "ash", "ksh", "mksh", "csh", "tcsh", "fish", "nu", "cmd", "powershell", "pwsh"}, program(c.argv[0])) {
			return []string{program(c.argv[0])}
		}
		return nil
	}},
	{"asks for more rights than yours", oneOf("sudo", "doas", "su", "pkexec", "runas")},
	{"deletes or overwrites", func(c commandLine) []string {
		if what := oneOf("shred", "mkfs", "dd", "del", "remove-item")(c); what != nil {
			return what
		}
		if slices.ContainsFunc(c.words, func(w string) bool { return deleting().MatchString(w) || strings.EqualFold(w, "/s") }) {
			return oneOf("rm", "rmdir", "rd")(c)
		}
		return nil
	}},
	{"fetches from the network", oneOf("curl", "wget", "nc", "ncat", "netcat", "socat", "iwr", "invoke-webrequest", "irm", "invoke-restmethod", "scp", "ssh")},
	{"touches a place where secrets are", func(c commandLine) []string {
		for _, w := range c.words {
			if m := secretPlace().FindString(w); m != "" {
				return []string{m}
			}
		}
		return nil
	}},
	{"is followed by what may be a secret: arguments are shown as they are; variables are not", func(c commandLine) []string {
		if c.put { // it is about what is shown
			return nil
		}
		for i, w := range c.argv {
			flag, value, joined := strings.Cut(w, "=")
			if !joined && i+1 < len(c.argv) {
				value = c.argv[i+1]
			}
			if secretFlag().MatchString(flag) && value != "" && !strings.HasPrefix(value, "-") && !strings.Contains(value, "${") {
				return []string{flag}
			}
		}
		return nil
	}},
	{"is where anybody may put a program", func(c commandLine) []string {
		if len(c.argv) > 0 {
			if place := anybodys().FindString(inDir(c.argv[0], c.dir)); place != "" {
				return []string{place}
			}
		}
		return nil
	}},
	{"fetches what it runs from an address, whatever lies there on that day", func(c commandLine) []string {
		if len(c.argv) > 0 {
			if scheme := addressed().FindString(c.argv[0]); scheme != "" {
				return []string{scheme}
			}
		}
		return nil
	}},
	{"can make the program load other code", func(c commandLine) []string { return loadingCode().among(c.env, c.goos) }},
	{"can make packages come from elsewhere", func(c commandLine) []string {
		all := packageSources().among(c.env, c.goos)
		for _, w := range c.argv {
			if flag, _, _ := strings.Cut(w, "="); slices.Contains(packageFlags, flag) && !slices.Contains(all, flag) {
				all = append(all, flag)
			}
		}
		return all
	}},
	{"can lead traffic elsewhere, or change whom it trusts", func(c commandLine) []string { return wayAndTrust().among(c.env, c.goos) }},
}

var (
	deleting     = whenNeeded(`^-[a-zA-Z]*[rRf]|^--(recursive|force)$`)
	secretPlace  = whenNeeded(`(^|[/\\~])(\.ssh|\.gnupg|\.aws|\.kube|\.netrc|\.git-credentials|\.docker/config\.json|\.config/gcloud|Keychains|id_(rsa|ed25519)|etc/shadow|etc/sudoers)\b`)
	secretFlag   = whenNeeded(`(?i)^--?([a-z0-9_-]+[_-])?(secret|token|password|passwd|pass|api[_-]?key)$`)
	anybodys     = whenNeeded(`(?i)^(/private)?/(var/)?tmp/|^/dev/shm/|\\temp\\|/downloads/|\\downloads\\`)
	addressed    = whenNeeded(`^(https?|git\+[a-z]+|git|github|gitlab|bitbucket|gist|file|data):`)
	packageFlags = []string{"--registry", "--index-url", "--extra-index-url", "--index", "--default-index", "--find-links", "--trusted-host"}
)

// betweenWords is what stands between the words of a line for a shell.
const betweenWords = " \t\n\v\f\r;|&()<>`\"'="

// risks adds the things to mind in a command that runs on a system (a GOOS), and in what
// it runs in its turn. Both the words that are shown and those that would run are judged. A
// sign is a word of belay's lists or the name of a variable, so no value is shown by it.
func (q *sheet) risks(shown []string, runs []config.Launch, env []string, goos string) {
	lines := unfronted(commandLineOf(shown, runs[0].Dir, env, goos))
	for i, l := range runs {
		if i > 0 || !slices.Equal(shown, l.Command) {
			c := commandLineOf(l.Command, l.Dir, env, goos)
			c.put = true
			lines = append(lines, unfronted(c)...)
		}
	}
	for _, r := range slices.Concat(riskSigns, codeRisks()) {
		var what []string
		for _, c := range lines {
			for _, sign := range r.signs(c) {
				if !slices.Contains(what, sign) {
					what = append(what, sign)
				}
			}
		}
		if len(what) > 0 {
			q.add("mind", append(each(quoted, what), piece{text: r.about})...)
		}
	}
}

func commandLineOf(argv []string, dir string, env []string, goos string) commandLine {
	c := commandLine{argv: argv, dir: dir, env: env, goos: goos}
	for _, a := range argv {
		c.words = append(c.words, strings.FieldsFunc(a, func(r rune) bool { return strings.ContainsRune(betweenWords, r) })...)
	}
	return c
}

// inDir is a path as it is found from a directory: one that begins with dots, or has a
// directory in it. Any other is left alone, as a name is looked up in the PATH.
func inDir(at, dir string) string {
	slashed := strings.ReplaceAll(at, `\`, "/")
	if dir == "" || !strings.Contains(slashed, "/") && !strings.HasPrefix(slashed, ".") || strings.HasPrefix(slashed, "/") || strings.Contains(slashed, ":") {
		return at
	}
	return path.Join(dir, slashed)
}

// oneOf finds one of these programs in a command, wherever it lies.
func oneOf(programs ...string) func(commandLine) []string {
	return func(c commandLine) []string {
		for _, w := range c.words {
			if name := program(w); slices.Contains(programs, name) {
				return []string{name}
			}
		}
		return nil
	}
}

// program is the name of the program that a path names.
func program(path string) string {
	name := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}
