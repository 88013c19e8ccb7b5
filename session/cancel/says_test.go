package cancel

import "testing"

func TestTextsThatSayCancelled(t *testing.T) {
	for _, text := range []string{
		"context canceled", "Context Cancelled", "Request cancelled", "request was cancelled.", "Cancelled", "canceled!", "Aborted",
		"The operation was aborted.", "This operation was aborted", "AbortError: This operation was aborted", "AbortError",
		"MCP error -32603: context canceled", "Error: Request cancelled", "error -32800: cancelled", "Error executing tool deploy: context canceled",
		"Error calling tool 'deploy': The operation was canceled.", "deploy: context canceled", "Deploy: tool call cancelled",
		"System.OperationCanceledException: The operation was canceled.", "asyncio.CancelledError: Cancelled", "tool execution failed: context canceled",
		"  context \n canceled ", `"Request cancelled"`, "A task was canceled.", "rpc error: code = Canceled desc = context canceled",
		"failed to execute tool deploy: MCP error -32000: context canceled", "User requested cancellation",
	} {
		if !IsCancelledText(text, "deploy") {
			t.Errorf("%q says that the call was cancelled", text)
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
