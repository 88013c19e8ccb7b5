package mcp

import (
	"bytes"

	"belay/session/rawjson"
)

// result reads the top level of the result. The findings decide nothing yet: only the core
// knows which request the result answers.
func (d *Decoder) result(f *Frame) {
	s := &f.Shape
	s.Kind = rawjson.Kind(f.Result)
	if s.Kind != '{' {
		return
	}
	var handshake bool
	var lists [NumLists][]byte
	var cursor []byte
	var parts partReader
	var task taskValues
	for m := rawjson.MembersOf(f.Result); ; {
		name, value, ok := m.Next()
		if !ok {
			break
		}
		k := rawjson.Kind(value)
		if f.Extra == nil && string(name) != "resultType" && string(name) != "_meta" {
			f.Extra = name
		}
		switch string(name) {
		case "content":
			s.Members[MemContent] = k
			parts.list("content", value)
		case "structuredContent":
			s.Members[MemStructured] = k
			parts.data = holdsSomething(value)
		case "messages":
			s.Members[MemMessages] = k
			parts.list("messages", value)
		case "contents":
			s.Members[MemContents], s.NoContents = k, isEmptyList(value)
			parts.list("contents", value)
		case "tools":
			s.Members[MemTools], lists[Tools] = k, value
		case "prompts":
			s.Members[MemPrompts], lists[Prompts] = k, value
		case "resources":
			s.Members[MemResources], lists[Resources] = k, value
		case "resourceTemplates":
			s.Members[MemTemplates], lists[Templates] = k, value
		case "completion":
			s.Members[MemCompletion] = k
			f.Values = rawjson.Count(rawjson.At(value, "values"))
		case "task":
			s.Members[MemTask], task.task = k, value
		case "tasks":
			task.list = value
		case "taskId":
			task.id = value
		case "isError":
			s.Members[MemIsError], s.IsError = k, k == 't'
		case "resultType":
			s.Members[MemResultType] = k
			s.ResultType, _ = d.short(value)
			task.handle = s.ResultType == ResultTask
		case "nextCursor":
			s.Members[MemNextCursor], cursor = k, value
		case "protocolVersion", "serverInfo":
			handshake = true
		case "ttlMs":
			f.Cache.setTTL(value)
		case "cacheScope":
			f.Cache.setScope(value)
		case "_meta":
			if info := rawjson.At(value, metaServerInfo); rawjson.Kind(info) == '{' {
				who := serverInfo(info)
				f.Server = &who
			}
			f.OfSub = d.tokenOf(rawjson.At(value, metaSubscription))
			task.related, task.immediate = rawjson.At(value, metaRelatedTask), rawjson.At(value, metaImmediate)
		case "supportedVersions":
			f.Discover = discoverResult(f.Result)
		}
	}
	s.HasText, f.content = parts.texts > 0, parts.problems
	if s.IsError {
		s.ErrorTexts = parts.errorTexts()
	}
	if s.ResultType == ResultInputRequired {
		f.Inputs = inputNote(f.Result)
	}
	f.Task = task.note(f.Result)
	d.outcome(f)
	if f.Task != nil && f.List == nil && task.list != nil {
		f.Task.cursor(cursor)
	}
	if handshake {
		f.Init = initializeResult(f.Result)
	}
	for kind, list := range lists {
		if rawjson.Kind(list) == '[' {
			f.List = listPage(ListKind(kind), list)
			f.List.next(cursor)
			break
		}
	}
}

// initializeResult reads the answer to initialize. The result outlives the message,
// so that they share no bytes.
func initializeResult(result []byte) *InitializeResult {
	r := new(InitializeResult)
	var version, info, name, number []byte
	for m := rawjson.MembersOf(result); ; {
		member, value, ok := m.Next()
		if !ok {
			break
		}
		switch string(member) {
		case "protocolVersion":
			version = value
		case "capabilities":
			r.Capabilities = value
		case "serverInfo":
			info = value
		case "instructions":
			r.Instructions, _ = rawjson.Text(value)
		}
	}
	if rawjson.Kind(info) == '{' {
		for m := rawjson.MembersOf(info); ; {
			member, value, ok := m.Next()
			if !ok {
				break
			}
			switch string(member) {
			case "name":
				name = value
			case "title":
				r.Title, _ = rawjson.Text(value)
			case "version":
				number = value
			}
		}
	}
	need := func(ok bool, member string) {
		if !ok {
			r.Missing = append(r.Missing, member)
		}
	}
	var ok bool
	r.Version, ok = rawjson.Text(version)
	need(ok, "protocolVersion")
	need(rawjson.Kind(r.Capabilities) == '{', "capabilities")
	need(rawjson.Kind(info) == '{', "serverInfo")
	r.Name, ok = rawjson.Text(name)
	need(ok || rawjson.Kind(info) != '{', "serverInfo.name")
	r.ServerVer, ok = rawjson.Text(number)
	need(ok || rawjson.Kind(info) != '{', "serverInfo.version")
	if rawjson.Kind(r.Capabilities) == '{' {
		r.Capabilities = bytes.Clone(r.Capabilities)
		r.Has = capabilities(r.Capabilities)
	} else {
		r.Capabilities = nil
	}
	return r
}

// capabilities reads the server's capabilities. A capability is declared by any
// value but null and false: to try and be refused tells more than not to try.
func capabilities(obj []byte) Capabilities {
	var c Capabilities
	for m := rawjson.MembersOf(obj); ; {
		name, value, ok := m.Next()
		if !ok {
			return c
		}
		declared := rawjson.Kind(value) != 'n' && rawjson.Kind(value) != 'f'
		switch string(name) {
		case "tools":
			c.Tools, c.ToolsChanged = declared, says(value, "listChanged")
		case "prompts":
			c.Prompts, c.PromptsChanged = declared, says(value, "listChanged")
		case "resources":
			c.Resources, c.ResourcesChanged = declared, says(value, "listChanged")
			c.Subscribe = says(value, "subscribe")
		case "logging":
			c.Logging = declared
		case "completions":
			c.Completions = declared
		case "tasks":
			c.Tasks = declared
			c.TaskLists, c.TaskCancels = has(value, "list"), has(value, "cancel")
			c.TaskCalls = has(rawjson.At(rawjson.At(value, "requests"), "tools"), "call")
		case "extensions":
			c.TaskExtension = has(value, TasksExtension)
		}
	}
}

// has reports whether obj has a member with a value other than null and false.
func has(obj []byte, name string) bool {
	k := rawjson.Kind(rawjson.At(obj, name))
	return k != 0 && k != 'n' && k != 'f'
}

// says reports whether the member name of obj is true.
func says(obj []byte, name string) bool {
	if rawjson.Kind(obj) != '{' {
		return false
	}
	said := false
	for m := rawjson.MembersOf(obj); ; {
		n, value, ok := m.Next()
		if !ok {
			return said
		}
		if string(n) == name {
			said = rawjson.Kind(value) == 't'
		}
	}
}
