package cli

import (
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/mcpclient/config"
)

// Code that comes with an option is a thing to mind in each spelling of that option, and no
// option of a script or an image is one.
func TestWhatToMindInOptions(t *testing.T) {
	requirements.Rows(t, "SEC-04")
	for about, commands := range map[string]string{
		runsLine: `-e: node|-e|x   --eval: node|--eval|x   --eval: node|--eval=x   -p: node|-pe|x   --print: nodejs|--print|x   -e: node|--title|x|-e|y
			-e: node|--no-warnings|-C|dev|-e|x   -e: /usr/bin/node22|-e|x   -e: C:\nodejs\node.exe|-e|x   -e: tsx|watch|-e|x   -e: ts-node|-P|x|-e|y   -e: bun|run|-e|x   exec: bun|exec|x
			-c: python|-c|x   -c: python3|-cx   -c: python3.12|-Iuc|x   -c: python3|-W|error|-X|dev|-c|x   -c: /venv/bin/pypy3|-c|x
			-e: ruby|-e|x   -e: ruby3.2|-ne|x   -e: perl|-e|x   -E: perl|-wE|x   -e: perl|-I|lib|-lne|x   -r: php|-r|x   --run: php8.3|--run|x
			eval: deno|eval|x   eval: deno|-L|debug|eval|--ext|ts|x   -c: npx|-c|x   --call: npx.cmd|--call=x   -c: npm|exec|-c|x
			-e: lua5.4|-e|x   -e: Rscript|-e|x   -e: R|-e|x   -E: julia|-E|x   -e: elixir|-e|x   -eval: erl|-noshell|-eval|x   -e: osascript|-e|x
			-e: sudo|node|-e|x   -c: env|A=b|python3|-c|x   -e: npx|-y|tsx|-e|x   -c: uv|run|--with|y|python|-c|x   -c: uvx|--from|y|python|-c|x   -e: bundle|exec|ruby|-e|x
			-c: py|-3|-c|x   -c: py|-3.12-64|-c|x   -c: py.exe|-V:Astral/CPython3.12|-c|x   -c: pyw|-Ic|x   -e: node|--snapshot-blob|x|-e|y   -e: node|--report-dir|x|-e|y
			-XX:OnError: java|-XX:OnError=x|-jar|s.jar   -XX:OnOutOfMemoryError: java|-cp|x|-XX:OnOutOfMemoryError=x|Main
			-e: bun|x|tsx|-e|x   -e: bun|x|-p|y|node|-e|x   -e: yarn|dlx|tsx|-e|x   -e: yarn|dlx|-p|y|node|-e|x   -e: yarn|exec|node|-e|x   -c: uv|--with|y|run|python|-c|x
			-c: uvx|--with|y|python|-c|x   -e: node|--debug-port|1|-e|x   -e: node|--secure-heap|2|-e|x   -e: node|--test-global-setup|y|-e|x
			-e: npm|exec|--|tsx|-e|x   -e: npm|-w|y|exec|--yes|--package=tsx|--|tsx|-e|x   -e: pnpm|dlx|tsx|-e|x   -e: pnpm|-C|y|exec|node|-e|x   -c: pipx|run|--spec|y|python|-c|x`,
		loadsFile: `--require: node|--require|./x.js|s.js   --require: node|--require=./x.js|s.js   -r: node|-r./x.js|s.js   -r: node|-r|./x.js|s.js   -r: node|-r=./x.js|s.js
			--import: node|--import|./x.mjs|s.js   --import: node|--import=data:text/javascript,x|s.js   --loader: node|--loader|./x|s.js   --experimental-loader: node|--experimental-loader=./x|s.js
			-r: ts-node|-r|x|s.ts   --import: tsx|--import|x|s.ts   --preload: bun|--preload|./x|s.ts   -r: bun|run|-r|./x|s.ts   --preload: deno|run|--preload=x|s.ts
			-r: ruby|-rx|s.rb   --require: ruby|--require|x|s.rb   -M: perl|-Mx|s.pl   -m: perl|-mx|s.pl   -l: lua|-lx|s.lua   -L: julia|-L|x|s.jl
			-d auto_prepend_file: php|-d|auto_prepend_file=/x|s.php   -d extension: php|-dextension=/x|s.php   --define auto_append_file: php|--define=auto_append_file=x|s.php
			-javaagent: java|-javaagent:/x.jar|-jar|s.jar   -agentpath: java|-cp|x|-agentpath:/x|Main`,
		outside: `--privileged: docker|run|--privileged|img   --privileged: docker|run|-it|--rm|--privileged=true|img   --privileged: podman|container|run|--name|x|--privileged|img
			--privileged: docker|-H|unix:///x|--config|y|run|-e|A=b|--privileged|img   --cap-add ALL: docker|run|--cap-add|all|img   --cap-add SYS_ADMIN: docker|create|--cap-add=SYS_ADMIN|img
			--security-opt seccomp=unconfined: nerdctl|run|--security-opt|seccomp=unconfined|img   --userns host: docker|run|--userns=host|img   --ipc host: docker|run|--ipc|host|img
			--cap-add ALL: podman|run|--cap-add=NET_RAW,ALL|img   --cap-add SYS_ADMIN: podman|run|--cap-add|chown,sys_admin|img   --security-opt systempaths=unconfined: docker|run|--security-opt|systempaths=unconfined|img`,
		disk: `-v /: docker|run|-v|/:/host|img   -v /: docker|run|-v/:/host:ro|img   -v /: docker|run|-itv|/:/host|img   --volume /: docker|run|--volume=/:/host|img   -v /: docker|run|-v|//:/x|img
			-v /: docker|run|-v|/home/..:/x|img   -v /etc: docker|run|-v|/etc/:/x|img   -v a whole disk: docker|run|-v|C:\:C:\host|img   -v a whole disk: docker|run|-v|c:/:/host|img
			--mount /: docker|run|--mount|type=bind,source=/,target=/host|img   --mount /: docker|run|--mount=type=bind,src=/,dst=/x,readonly|img   --mount /: podman|run|--mount|"type=bind","source=/",target=/x|img
			-v /: docker|compose|run|-v|/:/host|svc   -v /: docker|compose|run|--quiet-pull|-v|/:/host|svc   -v /: docker|compose|--all-resources|--compatibility|run|--no-TTY|--quiet-build|-v|/:/host|svc
			-v /: docker|run|-v|../../../../:/host|img   -v /: docker|run|-v|../../..:/host:ro|img   --volume /home: docker|run|--volume=../..:/x|img   --mount /home: docker|run|--mount|type=bind,src=../../,dst=/x|img
			-v /: docker|run|-v|./../../../:/x|img   -v /: podman|run|--unsetenv-all|-v|/:/host|img   --device a raw disk: docker|run|--device|/dev/sda|img   --device a raw disk: docker|run|--device=/dev/nvme0n1p2:/dev/x:r|img
			--device a raw disk: docker|run|--device|/dev/disk/by-id/x|img   --device a raw disk: podman|run|--device|/dev/mapper/root|img   --device /dev/mem: docker|run|--device|/dev/mem|img   --device /dev: docker|run|--device|/dev/|img`,
		engine: `-v docker.sock: docker|run|-v|/var/run/docker.sock:/var/run/docker.sock|img   --mount docker.sock: docker|run|--mount|type=bind,src=/run/docker.sock,dst=/x|img   -v /var/run: docker|run|-v|/var/run:/x|img   --use-api-socket: docker|run|--use-api-socket|img`,
		elsewhere: `-H tcp: docker|-H|tcp://x|run|img   --host tcp: docker|--host=tcp://x:2375|run|img   -H ssh: docker|-H=ssh://x|compose|run|svc   -H tcp: docker|-Hx:2375|run|img
			--url tcp: podman|--url|tcp://x|run|img   --context: docker|--context|y|run|img   --connection: podman|--connection=y|run|img`,
		varsFile: `--env-file: node|--env-file|.env|s.js|-r|x   --env-file: node|--env-file=.env|s.js   --env-file-if-exists: node|--env-file-if-exists=.env|s.js   --env-file: tsx|--env-file=x|s.ts
			--env-file: uv|run|--env-file|.env|server`,
		processes: `--pid host: docker|run|--pid=host|img   --pid host: docker|run|--pid|host|img`,
		network:   `--network host: docker|run|--network=host|img   --network host: docker|run|--network|host|img   --net host: docker|run|-d|--net=host|img   --network name=host: docker|run|--network|name=host|img`,
		"": `node|s.js   node|s.js|-e|production   node|s.js|--require|x   node|--no-warnings|s.js|--eval=x   node|--|-e   node|--title|-e|s.js   node|--enable-source-maps|--conditions|.env|s.js|-r|x
			node|--request=x   node|-|-e   node   python|-m|server|-c|config.toml   python3|-u|s.py|-c|x   python|-mserver|-c   python3|-X|dev|s.py   ruby|-W1|s.rb|-e|x   ruby|-Ilib|s.rb   perl|-w|s.pl|-e
			perl|-i.bke|s.pl   php|s.php|-r|x   php|-d|memory_limit=1|s.php   php|-f|s.php|-r|x   deno|run|-A|s.ts|eval   deno|run|-r|s.ts   deno|task|eval   bun|run|s.ts|-e|x   bun|--loader|.js:jsx|s.ts
			java|-jar|s.jar|-javaagent:x   java|-cp|-javaagent:x|Main   java|-Dx=y|-jar|s.jar   lua|s.lua|-e|x   npx|-y|pkg|-c|config   npx|-p|-c|pkg   mynode|-e|x   server|-c|x|--eval   node-red|-e|x
			py|-3|s.py|-c|x   py|-3|-m|server|-c|x   py|-V:Astral/CPython3.12|s.py   node|--snapshot-blob|-e|s.js   java|-XX:OnErrors=x|-jar|s.jar   npm|run|tsx|-e|x   pnpm|install|tsx|-e|x   pipx|install|python|-c|x
			docker|run|img|--privileged   docker|run|--rm|-i|img|-v|/:/x   docker|run|--privileged=false|img   docker|run|--name|--privileged|img   docker|run|-e|--pid=host|img   docker|run|--pid=container:x|img
			docker|run|--network|none|img   docker|run|--network=hosts|img   docker|run|-v|data:/data|img   docker|run|-v|/srv/x:/|img   docker|run|-v|/data|img   docker|run|-v|/etcetera:/etc|img
			docker|run|--mount|type=bind,source=/srv,target=/|img   docker|run|--mount|type=volume,source=etc,target=/etc|img   docker|run|-v|C:\data:/x|img   docker|run|--cap-drop|ALL|img   docker|run|--cap-add|NET_BIND_SERVICE|img
			docker|run|--security-opt|no-new-privileges|img   docker|ps|--privileged   docker|compose|up|-v|/:/x   docker
			docker|run|--device|/dev/dri|img   docker|run|--device=/dev/ttyUSB0|img   docker|run|--device|/dev/snd:/dev/sda|img   docker|run|--device|nvidia.com/gpu=all|img   docker|run|--use-api-socket=false|img
			docker|run|-v|..:/x|img   docker|run|-v|./data:/x|img   docker|run|--mount|type=bind,src=../y,dst=/x|img   docker|-H|unix:///run/x|run|img   docker|-H|npipe:////./pipe/x|run|img
			docker|--context=default|run|img   docker|run|img|-H|tcp://x   docker|run|--env-file|.env|img   node|s.js|--env-file|x   yarn|run|tsx|-e|x   bun|install|tsx|-e|x   uv|run|server|--env-file|x
			podman|run|--cap-add=NET_RAW,CHOWN|img`,
	} {
		for line := range strings.Lines(commands) {
			for entry := range strings.SplitSeq(strings.TrimSpace(line), "   ") {
				sign, command, is := strings.Cut(entry, ": ")
				if !is {
					sign, command = "", entry
				}
				var q sheet
				argv := strings.Split(command, "|")
				q.risks(argv, []config.Launch{{Command: argv, Dir: "/home/ann/x"}}, nil, "linux")
				found := ""
				for _, r := range q.rows {
					last := r.pieces[len(r.pieces)-1].text
					for _, reason := range []string{runsLine, loadsFile, outside, disk, engine, processes, network, elsewhere, varsFile} {
						if last == reason {
							found += "[" + r.pieces[0].text + "] " + last
						}
					}
				}
				want := ""
				if about != "" {
					want = "[" + sign + "] " + about
				}
				if found != want {
					t.Errorf("%s: %q, want %q", command, found, want)
				}
			}
		}
	}
}

// Whoever changes the table finds no option twice for one program, and a grammar for no
// program that has none.
func TestOptionsThatRunCodeStandOnce(t *testing.T) {
	seen := map[string]bool{}
	programs := map[string]bool{}
	for _, o := range codeOptions {
		if o.about == "" {
			t.Errorf("%s: nobody knows why", o.options)
		}
		for program := range strings.FieldsSeq(o.programs) {
			programs[program] = true
			for option := range strings.FieldsSeq(o.options) {
				key := program + " " + option + " " + o.about
				if seen[key] && o.sign == nil {
					t.Errorf("%s stands twice", key)
				}
				seen[key] = true
			}
		}
	}
	for name := range grammars {
		if !programs[name] {
			t.Errorf("%s has a grammar and no option", name)
		}
	}
	for name, like := range sameGrammar {
		if _, is := grammars[like]; !programs[name] || !is {
			t.Errorf("%s reads as %s", name, like)
		}
	}
}
