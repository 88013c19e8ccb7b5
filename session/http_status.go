package session

// The statuses of HTTP that mean something here.
const (
	statusOK           = 200
	statusAccepted     = 202
	statusBadRequest   = 400
	statusUnauthorized = 401
	statusForbidden    = 403
	statusNotFound     = 404
	statusNoMethod     = 405
	statusProxyLogin   = 407
	statusBodyTooLarge = 413
	statusTooMany      = 429
	statusHeadTooLarge = 431
)

// isPassing reports whether a status is that of a server that may do better soon.
func isPassing(status int) bool { return status == statusTooMany || status/100 == 5 }

// statusNames are the names of the statuses that servers and those between
// answer with; the others are shown by their number alone.
var statusNames = map[int]string{
	statusOK: "OK", statusAccepted: "Accepted", 204: "No Content",
	301: "Moved Permanently", 302: "Found", 303: "See Other", 307: "Temporary Redirect", 308: "Permanent Redirect",
	statusBadRequest: "Bad Request", statusUnauthorized: "Unauthorized", 402: "Payment Required", statusForbidden: "Forbidden",
	statusNotFound: "Not Found", statusNoMethod: "Method Not Allowed", 406: "Not Acceptable",
	statusProxyLogin: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
	411: "Length Required", statusBodyTooLarge: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 421: "Misdirected Request",
	422: "Unprocessable Content", 425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required",
	statusTooMany: "Too Many Requests", statusHeadTooLarge: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
	500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
	505: "HTTP Version Not Supported",
}
