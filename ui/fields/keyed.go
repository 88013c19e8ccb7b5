package fields

import "belay/ui/formview"

// Keyed remembers which form takes the keys.
type Keyed struct{ view *formview.View }

// Follow takes the form that takes the keys now. Another form that took the keys before hides its
// secret again, whether the user left that form, put it aside, or opened a panel over it.
func (k *Keyed) Follow(now Focus) {
	var view *formview.View
	if now.Owner != nil {
		view = now.View()
	}
	if k.view != nil && k.view != view {
		k.view.Hide()
	}
	k.view = view
}
