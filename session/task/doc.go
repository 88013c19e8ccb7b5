// Package task follows one task of a server's: a call that goes on at the server after it
// was answered. It is told what came and when, and tells which request about the task is to
// be made next, and when.
//
// There are two protocols. In 2025-11-25 (basic/utilities/tasks) the client wishes a call to
// run as a task, polls with tasks/get, and fetches the outcome with tasks/result. In
// 2026-07-28 the extension io.modelcontextprotocol/tasks has the server decide, and the
// answer to tasks/get holds the outcome. In both, tasks/cancel asks the server to stop the
// work, and only a later poll shows whether the work has stopped.
//
// A task is a value without a clock; its owner makes the requests.
package task
