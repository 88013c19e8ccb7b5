package cli

import (
	"path"
	"slices"
	"strings"
)

// grammar is how a program reads its options, as far as it takes to find them and to see
// where they end: what stands behind belongs to the script or the image.
type grammar struct {
	valued   string // options that take the word behind them
	swallows string // letters that take the rest of their word, and never the word behind
	ends     string // options with a value, behind which the options are over
	flags    string // where all others take a value: those that take none
	commands string // words that are no options and behind which options go on
	words    bool   // one dash stands before words, as in -javaagent, and not before letters
}

// codeOption is what makes a program run foreign code, or lets a container out.
type codeOption struct {
	programs string                    // without the number of a version
	options  string                    // as they are written, or commands; those with a : at their end begin the word
	sign     func(value string) string // what of the value is the sign; empty: it is none. Nil: any value is
	about    string
}

// The reasons, in plain words. Each is a thing to mind of its own.
const (
	runsLine  = "runs code that stands in the command itself"
	loadsFile = "has the program load other code first"
	outside   = "gives a container rights that reach outside of it"
	disk      = "gives a container more of this machine than what is yours"
	engine    = "gives a container the rights of what runs it, which are those of root"
	processes = "lets a container see the programs of this machine"
	elsewhere = "has another engine run the container, with that one's images and machine"
	varsFile  = "reads variables from a file that consent does not cover; NODE_OPTIONS and their like are among them"
	network   = "puts a container in the network of this machine, with all that listens there"
)

var codeOptions = []codeOption{
	{"node nodejs tsx ts-node bun", "-e --eval -p --print", nil, runsLine},
	{"node nodejs tsx ts-node bun", "-r --require --import", nil, loadsFile},
	{"node nodejs tsx", "--loader --experimental-loader --experimental-config-file", nil, loadsFile},
	{"node nodejs tsx uv", "--env-file --env-file-if-exists", nil, varsFile},
	{"bun deno", "--preload", nil, loadsFile},
	{"deno", "--require --import", nil, loadsFile},
	{"deno", "eval --eval", nil, runsLine},
	{"bun", "exec", nil, runsLine},
	{"npx npm pnpm", "-c --call --shell-mode", nil, runsLine},
	{"python pypy pythonw py pyw", "-c", nil, runsLine},
	{"ruby jruby", "-e", nil, runsLine},
	{"ruby jruby", "-r --require", nil, loadsFile},
	{"perl", "-e -E", nil, runsLine},
	{"perl", "-M -m", nil, loadsFile},
	{"php", "-r -B -R -E --run --process-begin --process-code --process-end", nil, runsLine},
	{"php", "-d --define", prepended, loadsFile},
	{"php", "-z --zend-extension", nil, loadsFile},
	{"lua luajit r rscript elixir groovy osascript swift scala", "-e --eval", nil, runsLine},
	{"lua luajit", "-l", nil, loadsFile},
	{"julia", "-e -E --eval --print", nil, runsLine},
	{"julia", "-L --load", nil, loadsFile},
	{"erl", "-eval -s -run", nil, runsLine},
	{"java", "-javaagent: -agentpath: -agentlib:", nil, loadsFile},
	{"java", "-XX:OnError -XX:OnOutOfMemoryError", nil, runsLine},

	{engines, "--privileged", unlessFalse, outside},
	{engines, "--cap-add", oneOfList("ALL", "CAP_ALL", "SYS_ADMIN", "CAP_SYS_ADMIN", "SYS_PTRACE", "CAP_SYS_PTRACE", "SYS_MODULE", "CAP_SYS_MODULE", "SYS_RAWIO", "CAP_SYS_RAWIO", "DAC_READ_SEARCH", "CAP_DAC_READ_SEARCH"), outside},
	{engines, "--security-opt", oneWord("seccomp=unconfined", "seccomp:unconfined", "apparmor=unconfined", "apparmor:unconfined", "label=disable", "label:disable", "systempaths=unconfined", "systempaths:unconfined"), outside},
	{engines, "--userns --ipc --uts --cgroupns", oneWord("host"), outside},
	{engines, "-v --volume", volume(diskPlace), disk},
	{engines, "--mount", mounted(diskPlace), disk},
	{engines, "--device", rawDevice, disk},
	{engines, "--use-api-socket", unlessFalse, engine},
	{engines, "-v --volume", volume(enginePlace), engine},
	{engines, "--mount", mounted(enginePlace), engine},
	{engines, "--pid", oneWord("host"), processes},
	{engines, "-H --host --url", notHere, elsewhere},
	{engines, "--context --connection", unlessDefault, elsewhere},
	{engines, "--network --net", oneWord("host", "name=host"), network},
}

const engines = "docker podman nerdctl"

// grammars are those of the programs in codeOptions whose options do not all stand alone.
// An option of codeOptions takes a value, too.
var grammars = map[string]grammar{
	"node": {valued: "-C --conditions --title --input-type --icu-data-dir --openssl-config --inspect-port " +
		"--max-http-header-size --disable-warning --diagnostic-dir --dns-result-order --watch-path --redirect-warnings --unhandled-rejections " +
		"--snapshot-blob --build-snapshot-config --report-dir --report-directory --report-filename --report-signal --trace-event-categories " +
		"--trace-event-file-pattern --cpu-prof-dir --cpu-prof-name --heap-prof-dir --heap-prof-name --heapsnapshot-signal --test-name-pattern " +
		"--test-reporter --test-reporter-destination --tls-cipher-list --tls-keylog --debug-port --disable-proto --inspect-publish-uid --cpu-prof-interval --heap-prof-interval --secure-heap --secure-heap-min " +
		"--v8-pool-size --use-largepages --network-family-autoselection-attempt-timeout --heapsnapshot-near-heap-limit --experimental-default-type " +
		"--experimental-sea-config --experimental-specifier-resolution --es-module-specifier-resolution --experimental-policy --policy-integrity " +
		"--test-concurrency --test-shard --test-timeout --test-isolation --test-skip-pattern --test-global-setup --test-coverage-include " +
		"--test-coverage-exclude --test-coverage-lines --test-coverage-branches --test-coverage-functions --watch-kill-signal --trace-require-module --allow-fs-read --allow-fs-write --localstorage-file"},
	"tsx":     {valued: "-C --conditions --tsconfig", commands: "watch"},
	"uv":      {valued: "-p --with --with-editable --with-requirements --python --project --directory --index --extra --group", commands: "run"},
	"ts-node": {valued: "-P --project -C --compiler -O --compiler-options -I --ignore -D --ignore-diagnostics --cwd"},
	"bun":     {valued: "-c --config --cwd --env-file --define -d --loader -l --conditions --port --tsconfig-override", commands: "run exec"},
	"deno":    {valued: "-c --config --import-map --lock --location --seed --cert -L --log-level --ext", commands: "run eval repl serve"},
	"npx":     {valued: "-p --package -w --workspace --registry --prefix --cache --userconfig"},
	"npm":     {valued: "-w --workspace --prefix --package --registry", commands: "exec x"},
	"pnpm":    {valued: "-C --dir -F --filter --package", commands: "exec dlx"},
	"python":  {valued: "-W -X --check-hash-based-pycs", ends: "-m"},
	"py":      {valued: "-W -X --check-hash-based-pycs", ends: "-m", swallows: "V"}, // the launcher of Windows
	"ruby":    {valued: "-C -E -I --encoding --external-encoding --internal-encoding", swallows: "FKTWx"},
	"perl":    {valued: "-I", swallows: "iDxVF"},
	"php":     {valued: "-c --php-ini -t --docroot -S --server", ends: "-f --file -F --process-file"},
	"r":       {valued: "-g --gui -f --file"},
	"julia":   {valued: "-J --sysimage -C --cpu-target -p --procs -t --threads -m --machine-file"},
	"elixir":  {valued: "-r -pr -pa -pz --name --sname --cookie"},
	"groovy":  {valued: "-cp --classpath -c --encoding -D --define"},
	"erl":     {valued: "-pa -pz -name -sname -setcookie -config", words: true},
	"java":    {valued: "-cp -classpath --class-path -p --module-path --add-modules --add-opens --add-exports --add-reads", ends: "-jar -m --module", words: true},
	"docker": {
		flags: "-d --detach -i --interactive -t --tty -P --publish-all -q --quiet -D --debug --tls --tlsverify --rm --init --privileged --read-only " +
			"--no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --use-api-socket --help --replace --no-hosts --no-hostname --rmi " +
			"--env-host --http-proxy --read-only-tmpfs --remote --passwd --tls-verify -T --no-TTY --no-deps --service-ports --use-aliases --build --remove-orphans " +
			"--quiet-pull --quiet-build --all-resources --compatibility --unsetenv-all",
		commands: "container run create exec compose",
	},
}

// sameGrammar are programs that read options as another does.
var sameGrammar = map[string]string{
	"nodejs": "node", "pypy": "python", "pythonw": "python", "pyw": "py", "jruby": "ruby", "rscript": "r", "podman": "docker", "nerdctl": "docker",
}

// codeRisks are the signs of codeOptions, one risk for each reason.
func codeRisks() []risk {
	var all []risk
	for _, o := range codeOptions {
		if !slices.ContainsFunc(all, func(r risk) bool { return r.about == o.about }) {
			all = append(all, risk{o.about, func(c commandLine) []string { return codeSigns(c, o.about) }})
		}
	}
	return all
}

// codeSigns are the options of a command that codeOptions has for one reason, as signs.
func codeSigns(c commandLine, about string) (signs []string) {
	if len(c.argv) == 0 {
		return nil
	}
	name := unversioned(program(c.argv[0]))
	var mine []codeOption
	for _, o := range codeOptions {
		if slices.Contains(strings.Fields(o.programs), name) {
			mine = append(mine, o)
		}
	}
	if len(mine) == 0 {
		return nil
	}
	if like, is := sameGrammar[name]; is {
		name = like
	}
	for _, used := range grammars[name].read(c.argv[1:], mine) {
		if name == "docker" {
			used.value = rooted(used.value, c.dir)
		}
		for _, o := range mine {
			if o.about == about {
				signs = append(signs, o.signOf(used)...)
			}
		}
	}
	return signs
}

// signOf is the sign that a used option is of this row, if it is one.
func (o codeOption) signOf(used usedOption) []string {
	for name := range strings.FieldsSeq(o.options) {
		begins := strings.HasSuffix(name, ":") && strings.HasPrefix(used.name, name)
		switch {
		case used.name != name && !begins:
		case o.sign == nil:
			return []string{strings.TrimSuffix(name, ":")}
		default:
			if part := o.sign(used.value); part != "" {
				return []string{strings.TrimSpace(name + " " + strings.TrimSpace(part))}
			}
		}
	}
	return nil
}

// unversioned is the name of a program without what tells its version: python3.12, node-22.
func unversioned(name string) string {
	if short := strings.TrimRight(name, "0123456789.-"); short != "" {
		return short
	}
	return name
}

// usedOption is an option on a command line, or one of a grammar's commands.
type usedOption struct{ name, value string }

// read lists the options of a command line until they end.
func (g grammar) read(argv []string, mine []codeOption) (all []usedOption) {
	valued := strings.Fields(g.valued + " " + g.ends)
	for _, o := range mine {
		valued = append(valued, strings.Fields(o.options)...)
	}
	flags, ends, commands := strings.Fields(g.flags), strings.Fields(g.ends), strings.Fields(g.commands)
	takes := func(name string) bool {
		if len(flags) > 0 {
			return !slices.Contains(flags, name)
		}
		return slices.Contains(valued, name)
	}
	for i := 0; i < len(argv); i++ {
		w := argv[i]
		next := ""
		if i+1 < len(argv) {
			next = argv[i+1]
		}
		var used []usedOption
		taken := false
		switch {
		case slices.Contains(commands, w):
			used = []usedOption{{w, ""}}
		case w == "--" || w == "-" || !strings.HasPrefix(w, "-"):
			return all
		case strings.HasPrefix(w, "--") || g.words:
			name, value, joined := strings.Cut(w, "=")
			if taken = !joined && takes(name); taken {
				value = next
			}
			used = []usedOption{{name, value}}
		default:
			used, taken = g.letters(w[1:], next, takes)
		}
		all = append(all, used...)
		if taken {
			i++
		}
		if slices.ContainsFunc(used, func(u usedOption) bool { return slices.Contains(ends, u.name) }) {
			return all
		}
	}
	return all
}

// letters reads options of one letter in one word; taken reports whether the last of them
// takes the word behind.
func (g grammar) letters(bundle, next string, takes func(string) bool) (used []usedOption, taken bool) {
	for i, letter := range bundle {
		name := "-" + string(letter)
		rest := bundle[i+len(string(letter)):]
		switch {
		case strings.ContainsRune(g.swallows, letter):
			return append(used, usedOption{name, rest}), false
		case !takes(name):
			used = append(used, usedOption{name, ""})
		case rest != "":
			return append(used, usedOption{name, strings.TrimPrefix(rest, "=")}), false
		default:
			return append(used, usedOption{name, next}), true
		}
	}
	return used, false
}

// unlessFalse makes a flag a sign that is not switched off.
func unlessFalse(value string) string {
	if slices.Contains([]string{"false", "f", "0"}, strings.ToLower(value)) {
		return ""
	}
	return " "
}

// oneWord makes one of these values the sign.
func oneWord(values ...string) func(string) string {
	return func(value string) string {
		i := slices.IndexFunc(values, func(v string) bool { return strings.EqualFold(v, value) })
		if i < 0 {
			return ""
		}
		return values[i]
	}
}

// oneOfList is oneWord for values that stand in a list with commas, as podman takes them.
func oneOfList(values ...string) func(string) string {
	one := oneWord(values...)
	return func(list string) string {
		for value := range strings.SplitSeq(list, ",") {
			if sign := one(strings.TrimSpace(value)); sign != "" {
				return sign
			}
		}
		return ""
	}
}

// prepended is the setting of PHP that makes it load a file.
func prepended(value string) string {
	name, _, _ := strings.Cut(value, "=")
	return oneWord("auto_prepend_file", "auto_append_file", "extension", "zend_extension", "extension_dir", "allow_url_include")(strings.TrimSpace(name))
}

// volume is the place of this machine in a value of -v: PLACE:PLACE[:OPTIONS].
func volume(places func(string) string) func(string) string {
	return func(value string) string {
		if len(value) > 2 && value[0] != '/' && value[1] == ':' && strings.ContainsAny(value[2:3], `\/:`) { // the letter of a disk
			at, _, _ := strings.Cut(value[2:], ":")
			return places(value[:2] + at)
		}
		at, _, is := strings.Cut(value, ":")
		if !is { // a volume without a place here
			return ""
		}
		return places(at)
	}
}

// mounted is the same in a value of --mount: NAME=VALUE,….
func mounted(places func(string) string) func(string) string {
	return func(value string) string {
		for field := range strings.SplitSeq(value, ",") {
			name, at, _ := strings.Cut(strings.Trim(field, `"`), "=")
			if oneWord("source", "src")(name) != "" {
				if place := places(at); place != "" {
					return place
				}
			}
		}
		return ""
	}
}

// rooted is the value of an option with the place in it that begins with dots as it is
// found from a directory.
func rooted(value, dir string) string {
	if dir == "" {
		return value
	}
	return dottedPlace().ReplaceAllStringFunc(value, func(found string) string {
		at := strings.Index(found, ".")
		return found[:at] + path.Join(dir, found[at:])
	})
}

// notHere is the way to an engine that a value of -H names, unless it is a socket of this
// machine.
func notHere(value string) string {
	scheme, _, is := strings.Cut(value, "://")
	if !is {
		return "tcp" // as docker takes it
	}
	return oneWord("tcp", "ssh", "http", "https")(scheme)
}

// unlessDefault makes any name the sign but that of the engine of this machine.
func unlessDefault(value string) string {
	if value == "" || value == "default" {
		return ""
	}
	return " "
}

// dottedPlace matches a path that begins with dots, where a value or one of its fields has it.
var dottedPlace = whenNeeded(`^\.\.?(/[^:]*)?|(source|src)=\.\.?(/[^,"]*)?`)

// diskPlace is the directory of the system that a path is, if it is one whose content is
// not the user's.
func diskPlace(at string) string {
	if len(at) <= 3 && len(at) > 1 && at[1] == ':' {
		return "a whole disk"
	}
	if !strings.HasPrefix(at, "/") {
		return ""
	}
	return oneWord("/", "/etc", "/root", "/boot", "/dev", "/proc", "/sys", "/usr", "/var", "/home", "/users", "/host_mnt", "/c", "/private", "/system")(path.Clean("/" + at))
}

// rawDevice is what a value of --device gives that has all of a disk or of the memory in it.
func rawDevice(value string) string {
	at, _, _ := strings.Cut(value, ":")
	name, is := strings.CutPrefix(path.Clean("/"+at), "/dev")
	switch {
	case !is:
	case name == "" || name == "/mem" || name == "/kmem" || name == "/port":
		return "/dev" + name
	case rawDisks().MatchString(name):
		return "a raw disk"
	}
	return ""
}

// rawDisks matches disks and their parts by what the kernels call them, below /dev.
var rawDisks = whenNeeded(`^/((sd|hd|vd|xvd)[a-z]+[0-9]*|(nvme|mmcblk|dm-|md|nbd|rbd|zd|bcache|r?disk)[0-9][a-z0-9]*|(disk|mapper|block|bsg)(/.*)?|sg[0-9]+)$`)

// enginePlace is the socket of a container engine that a path is, or the directory with it.
func enginePlace(at string) string {
	clean := path.Clean("/" + strings.ReplaceAll(at, `\`, "/"))
	for _, socket := range []string{"docker.sock", "podman.sock", "containerd.sock", "docker_engine"} {
		if path.Base(clean) == socket {
			return socket
		}
	}
	return oneWord("/run", "/var/run")(clean)
}
