package cli

import (
	"errors"
	"testing"
	"time"

	"belay/session"
)

// A ctrl+c that comes while the call is being made cancels it: the server may have read it.
func TestAnEndThatIsWantedWhileTheCallIsMade(t *testing.T) {
	var m making
	begun, wanted := make(chan bool), make(chan session.CallID, 1)
	go func() {
		<-begun
		wanted <- m.leftOr()
	}()
	id, err := m.made(func() (session.CallID, error) {
		close(begun)
		select {
		case early := <-wanted:
			t.Errorf("call %d is to be cancelled before there is one", early)
			wanted <- early
		case <-time.After(50 * time.Millisecond):
		}
		return 7, nil
	})
	if id != 7 || err != nil {
		t.Errorf("made is %d, %v", id, err)
	}
	if id := <-wanted; id != 7 {
		t.Errorf("what is to be cancelled is call %d, want 7", id)
	}
}

// After a ctrl+c before the call nothing is sent, and one that could not be made is not cancelled.
func TestAnEndThatIsWantedBeforeTheCall(t *testing.T) {
	var m making
	if id := m.leftOr(); id != 0 {
		t.Errorf("there is a call %d", id)
	}
	if _, err := m.made(func() (session.CallID, error) { t.Error("it is made"); return 7, nil }); err == nil {
		t.Error("there is no error")
	}
	var refused making
	if _, err := refused.made(func() (session.CallID, error) { return 0, errors.New("no") }); err == nil || refused.leftOr() != 0 {
		t.Error("a call that was refused is one")
	}
}
