package cancel

import (
	"strings"
	"testing"
	"time"
)

func TestTextsThatSayCancelled(t *testing.T) {
	for _, text := range []string{
		"context canceled", "Context Cancelled", "Request cancelled", "request was cancelled.", "Cancelled", "canceled!", "Aborted",
		"The operation was aborted.", "This operation was aborted", "AbortError: This operation was aborted", "AbortError",
		"MCP error -32603: context canceled", "Error: Request cancelled", "error -32800: cancelled", "Error executing tool deploy: context canceled",
		"Error calling tool 'deploy': The operation was canceled.", "deploy: context canceled", "Deploy: tool call cancelled",
		"System.OperationCanceledException: The operation was canceled.", "asyncio.CancelledError: Cancelled", "tool execution failed: context canceled",
		"  context \n canceled ", `"Request cancelled"`, "A task was canceled.", "rpc error: code = Canceled desc = context canceled",
		"failed to execute tool deploy: MCP error -32000: context canceled", "User requested cancellation",

		// Python, also with what str and repr make of an exception.
		"asyncio.exceptions.CancelledError", "CancelledError()", "CancelledError", "concurrent.futures._base.CancelledError: ",
		"Cancelled by cancel scope 7f83d8f3c2d0", "Error executing tool deploy: Cancelled via cancel scope 0x7f83d8f3c2d0",
		"mcp.shared.exceptions.McpError: Request cancelled", "fastmcp.exceptions.ToolError: Error calling tool 'deploy': Cancelled",
		"QueryCanceled: canceling statement due to user request",
		// Go.
		"tool failed: context canceled", "deploy failed: context canceled", "tool deploy failed: context canceled", "call failed: context canceled",
		"failed to run deploy: context canceled", `Get "https://example.com/a?b=c": context canceled`, `Error: Post "http://localhost:8080/x": context canceled`,
		"ERROR: canceling statement due to user request (SQLSTATE 57014)",
		// .NET.
		"The operation was canceled.", "System.Threading.Tasks.TaskCanceledException: A task was canceled.",
		"An error occurred invoking 'deploy': The operation was canceled.",
		// Java and Kotlin.
		"java.util.concurrent.CancellationException", "StandaloneCoroutine was cancelled", "Job was cancelled",
		"kotlinx.coroutines.JobCancellationException: StandaloneCoroutine was cancelled; job=StandaloneCoroutine{Cancelling}@1b2c3d",
		"java.lang.RuntimeException: java.util.concurrent.CancellationException", "io.grpc.StatusRuntimeException: CANCELLED: client cancelled",
		// JavaScript.
		"DOMException [AbortError]: This operation was aborted", "Error [AbortError]: The operation was aborted", "CanceledError: canceled",
		"ERR_CANCELED", "APIUserAbortError: Request was aborted.", "1 CANCELLED: Cancelled on client", "ECANCELED: operation canceled",
		"McpError: MCP error -32603: AbortError: This operation was aborted",
		// Sentences.
		"Operation canceled by the user", "Operation cancelled by user", "Operation was cancelled by the user.", "Tool call was cancelled by the user",
		"Tool execution cancelled", "Tool execution has been aborted", "Request was aborted by the client", "The client cancelled the request",
		"Internal server error: Request cancelled",
	} {
		if !IsCancelledText(text, "deploy") {
			t.Errorf("%q says that the call was cancelled", text)
		}
	}
}

// A result without isError that says that the call was cancelled stays a result, and is told as what it says.
func TestAResultThatSaysCancelled(t *testing.T) {
	for name, tt := range map[string]struct {
		answer Answer
		says   bool
		words  string
	}{
		"says so":               {Answer{Texts: []string{"Request cancelled"}, Whole: true}, true, `answered with a result that does not say isError, and in words that the call was cancelled: "Request cancelled"`},
		"with the reason":       {Answer{Texts: []string{"Request cancelled: wrong branch"}, Whole: true}, true, `answered with a result that does not say isError, and in words that the call was cancelled: "Request cancelled: wrong branch"`},
		"with something beside": {Answer{Texts: []string{"Request cancelled"}}, false, "answered with a result"},
		"only talks of it":      {Answer{Texts: []string{"the order was cancelled"}, Whole: true}, false, "answered with a result"},
		"says nothing":          {Answer{Whole: true}, false, "answered with a result"},
		"isError":               {Answer{Failed: true, Texts: []string{"Request cancelled"}, Whole: true}, false, `answered with a result that says isError: "Request cancelled"`},
		"by asking":             {Answer{Asks: "a form", Texts: []string{"Request cancelled"}, Whole: true}, true, "answered by asking for input (a form): the call is not finished by that, and not made again"},
		"without a text":        {Answer{}, false, "answered with a result"},
	} {
		a := New(at(0), Spec{Reason: "wrong branch"})
		a.Written(at(ms))
		if a.Lateness().SaysCancelled {
			t.Errorf("%s: it says so before it came", name)
		}
		tt.answer.At, tt.answer.Began, tt.answer.Bound = at(time.Second), at(time.Second), 20*ms
		a.Answered(tt.answer)
		if says := a.Lateness().SaysCancelled; says != tt.says || a.answerWords() != tt.words {
			t.Errorf("%s: %v, %s", name, says, a.answerWords())
		}
		if v := a.Verdict(); v != AnsweredLate && !tt.answer.Failed {
			t.Errorf("%s: %v", name, v)
		}
	}
}

func TestTextsThatOnlyTalkOfCancelling(t *testing.T) {
	for _, text := range []string{
		"the order was cancelled", "Order 4711 cancelled", "subscription canceled by the customer", "flight: cancelled", "status: cancelled",
		"cannot cancel: the payment was already aborted", "context canceled the booking", "request cancelled: 3 items were refunded",
		"no cancelled requests found", "The operation was aborted because the disk is full", "transaction aborted", "cancelled 3 jobs",
		"error: the meeting was cancelled", "context deadline exceeded", "", ":", "deploy: ", "order: context canceled was the log line",
		"was the request cancelled?", "not cancelled", "orders: cancelled",

		// What stands before the colon names the thing that was cancelled, and not an error.
		"payment_cancelled: aborted", "OrderFailed: cancelled", "PaymentError: cancelled", "refund_error: cancelled", "BookingException: Aborted",
		"shop.orders.OrderError: Request cancelled", "order.cancelled: aborted", "orders.Error: cancelled", "OrderCancelledError: cancelled",
		"shop.OrderCancelledError", "order.cancelled", "payment_cancelled", "payment failed: cancelled", "payment error: cancelled", "order 4711: cancelled",
		"failed to run payment: cancelled", "Error in booking: cancelled", "Error executing payment: cancelled", "error calling the bank: cancelled",
		"rollback failed: context canceled", "could not undo the transfer: context canceled", "3 of 8 rows written: context canceled",
		"Get the order: cancelled", `Get "order": cancelled`, "order [AbortError]: cancelled", "2 cancelled: aborted", "An error occurred invoking 'refund': cancelled",
		"cancel_order: cancelled",
		// The class of an error before a text that is about something else, or says more.
		"AbortError: the order was cancelled", "CancelledError: 3 files were deleted already", "asyncio.exceptions.CancelledError: the booking",
		"Request cancelled; the transfer was made", "Job was cancelled; job=2 of 3", "Cancelled by cancel scope of the contract", "CancelledError(3 rows written)",
		"canceling statement due to statement timeout", "The operation was canceled due to the configured HttpClient.Timeout of 100 seconds elapsing.",
		"The operation was aborted due to timeout", "TimeoutError: The operation timed out",
		// It was not, or somebody else did it, or it is about something else.
		"Operation could not be cancelled", "The request was not cancelled", "Request cannot be cancelled", "Operation cancelled by the administrator",
		"Request cancelled by the merchant", "Job 12 was cancelled", "Transaction was cancelled", "The meeting was cancelled by the user", "Your booking has been cancelled",
		"Cancelled the order", "Cancelled: 3", "cancellation failed", "CancellationPolicyError", "{\"status\":\"cancelled\"}",
		strings.Repeat("error: ", 4) + "cancelled", "error: " + strings.Repeat(" ", maxSaying) + "cancelled",
	} {
		if IsCancelledText(text, "deploy") {
			t.Errorf("%q does not say that the call was cancelled", text)
		}
	}
}

func FuzzIsCancelledText(f *testing.F) {
	f.Add("Error: Request cancelled", "t")
	f.Fuzz(func(_ *testing.T, text, tool string) { IsCancelledText(text, tool) })
}
