package main

// A call is made by both programs with the same words.
type call struct {
	tool string   // empty: the list of tools
	args []string // NAME=VALUE
}

// calls are the ten. Their results are the same whenever they are made.
var calls = []call{
	{},
	{tool: "echo", args: []string{"message=hello"}},
	{tool: "echo", args: []string{"message=a \"quoted\" word, a \\ and a ☂"}},
	{tool: "get-sum", args: []string{"a=2", "b=40"}},
	{tool: "get-sum", args: []string{"a=-0.5", "b=1e3"}},
	{tool: "get-tiny-image"},
	{tool: "get-structured-content", args: []string{"location=New York"}},
	{tool: "get-annotated-message", args: []string{"messageType=error", "includeImage=true"}},
	{tool: "get-resource-links", args: []string{"count=5"}},
	{tool: "trigger-long-running-operation", args: []string{"duration=1", "steps=4"}},
}

// belay are its arguments for a call. The list of server-everything's tools depends on what the
// client declares, so belay declares here what the Inspector's --cli does: roots, and nothing else.
func (c call) belay(address, command []string) []string {
	words := []string{"call"}
	if c.tool == "" {
		words[0] = "ls"
	}
	words = append(words, address...)
	if c.tool == "" {
		words = append(words, "tools", "--no-sampling", "--no-elicitation", "--root", ".")
	} else {
		words = append(words, c.tool, "--no-memory")
	}
	for _, a := range c.args {
		words = append(words, "--arg", a)
	}
	return append(append(words, "-o", "json"), command...)
}

// inspector are those of the Inspector.
func (c call) inspector(target []string) []string {
	words := append([]string{"--cli"}, target...)
	if c.tool == "" {
		return append(words, "--method", "tools/list")
	}
	words = append(words, "--method", "tools/call", "--tool-name", c.tool)
	for _, a := range c.args {
		words = append(words, "--tool-arg", a)
	}
	return words
}
