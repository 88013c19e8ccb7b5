package session

// Sentinels for errors.Is.
var (
	errUnknown    = &Refusal{Code: RefuseUnknown}
	errFinished   = &Refusal{Code: RefuseFinished}
	errInitialize = &Refusal{Code: RefuseInitialize}
	errCancelling = &Refusal{Code: RefuseCancelling}
	errDirection  = &Refusal{Code: RefuseDirection}
	errNotReady   = &Refusal{Code: RefuseNotReady}
	errWithdrawn  = &Refusal{Code: RefuseWithdrawn}
	errAnswered   = &Refusal{Code: RefuseAnswered}
	errParams     = &Refusal{Code: RefuseParams}
	errMethod     = &Refusal{Code: RefuseMethod}
	errQuitting   = &Refusal{Code: RefuseQuitting}
)
