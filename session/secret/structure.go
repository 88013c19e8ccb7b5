package secret

import "strings"

// What a message is made of is no secret, and without it the message would be
// another: the names of its members, and the words that the specification has for
// their values. They are published; a value such as "tools/call" in somebody's
// environment does not make them secret. All of this holds only where the
// specification has a say, and not in arguments, results and data.

// memberWords are the words that members have for values, in any revision.
var memberWords = map[string]map[string]bool{
	"jsonrpc": words("2.0"),
	"method": words(`initialize ping server/discover tools/list tools/call prompts/list prompts/get resources/list resources/read resources/templates/list
		resources/subscribe resources/unsubscribe subscriptions/listen logging/setLevel completion/complete roots/list sampling/createMessage
		elicitation/create tasks/get tasks/list tasks/result tasks/cancel tasks/update notifications/initialized notifications/cancelled
		notifications/progress notifications/message notifications/roots/list_changed notifications/tools/list_changed
		notifications/prompts/list_changed notifications/resources/list_changed notifications/resources/updated
		notifications/elicitation/complete notifications/subscriptions/acknowledged notifications/tasks/status notifications/tasks`),
	"resultType": words("complete input_required task"),
	"type": words(`text image audio resource resource_link tool_use tool_result ref/prompt ref/resource
		string number integer boolean object array null`),
	"format":         words("date date-time email uri"),
	"role":           words("user assistant"),
	"audience":       words("user assistant"),
	"level":          words(logLevels),
	"action":         words("accept decline cancel"),
	"mode":           words("form url auto required none"),
	"includeContext": words("none thisServer allServers"),
	"stopReason":     words("endTurn stopSequence maxTokens toolUse"),
	"status":         words("working input_required completed failed cancelled"),
	"taskSupport":    words("forbidden optional required"),
	"cacheScope":     words("public private"),
	"theme":          words("light dark"),

	"protocolVersion":   words(revisions),
	"supportedVersions": words(revisions),
	"supported":         words(revisions),
	"requested":         words(revisions),

	meta + "protocolVersion": words(revisions),
	meta + "logLevel":        words(logLevels),

	// What is recorded beside messages.
	"media": words("application/json text/event-stream"),
	"event": words("message endpoint"),
}

const (
	meta      = "io.modelcontextprotocol/"
	logLevels = "debug info notice warning error critical alert emergency"
	revisions = "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28"
)

// words are the words of a list.
func words(list string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(list) {
		all[w] = true
	}
	return all
}

// members are the names of members in the specification, in any revision, and in
// JSON Schema.
var members = words(`
	jsonrpc id method params result error code message data _meta

	action additionalProperties annotations anyOf argument arguments audience blob cacheScope call cancel capabilities clientInfo completion completions
	const content contents context costPriority create createMessage createdAt cursor default description destructiveHint elicitation elicitationId
	elicitations enum enumNames execution experimental extensions form format hasMore hints icons idempotentHint includeContext input inputRequests
	inputResponses inputSchema instructions intelligencePriority isError items lastModified lastUpdatedAt level list listChanged logger logging maxItems
	maxLength maxTokens maximum messages metadata mimeType minItems minLength minimum mode model modelPreferences name nextCursor notifications oneOf
	openWorldHint outputSchema pollInterval pollIntervalMs priority progress progressToken prompts promptsListChanged properties protocolVersion
	readOnlyHint reason ref requestId requestState requested requestedSchema requests required requiredCapabilities resource resourceSubscriptions
	resourceTemplates resources resourcesListChanged resultType role roots sampling serverInfo size sizes speedPriority src status statusMessage
	stopReason stopSequences structuredContent subscribe supported supportedVersions systemPrompt task taskId taskIds taskSupport tasks temperature text
	theme title toolChoice toolUseId tools toolsListChanged total ttl ttlMs type uri uriTemplate url value values version websiteUrl

	$schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs definitions allOf not if then else dependentSchemas dependentRequired
	dependencies prefixItems additionalItems contains patternProperties propertyNames unevaluatedItems unevaluatedProperties multipleOf exclusiveMaximum
	exclusiveMinimum pattern uniqueItems maxContains minContains maxProperties minProperties deprecated readOnly writeOnly examples contentEncoding
	contentMediaType contentSchema x-mcp-header`)

// isMember reports whether a name is one of the specification.
func isMember(name string) bool { return members[name] || strings.HasPrefix(name, meta) }

// envelope are the members by which messages belong together. What stands there
// is masked as a secret of six bytes and more is, and never for its name.
var envelope = words("jsonrpc id method requestId progressToken")

// ownIDs are the members that hold IDs which belay has made.
var ownIDs = words("id requestId progressToken io.modelcontextprotocol/subscriptionId")

// identifiers are the members that tell one thing from another: two that differ
// must differ afterwards, or a recording would be played to other states.
var identifiers = words(`id method requestId progressToken name uri uriTemplate cursor nextCursor taskId taskIds elicitationId toolUseId resourceSubscriptions required
	io.modelcontextprotocol/subscriptionId`)

// addresses are the members that hold addresses.
var addresses = words("uri url uriTemplate resourceSubscriptions")

// freeMembers hold what belongs to the user and the server alone.
var freeMembers = words("arguments structuredContent")
