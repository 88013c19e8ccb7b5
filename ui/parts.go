package ui

import (
	"slices"

	"belay/session"
	"belay/ui/asking"
	"belay/ui/attention"
	"belay/ui/beside"
	"belay/ui/calls"
	"belay/ui/compose"
	"belay/ui/detail"
	"belay/ui/fields"
	"belay/ui/keymap"
	"belay/ui/login"
	"belay/ui/panel"
	"belay/ui/question"
	"belay/ui/rebuild"
	"belay/ui/replay"
	"belay/ui/reports"
	"belay/ui/roots"
	"belay/ui/tasks"
	"belay/ui/wire"
)

// parts is what the screen is put together from. What binds the keys of a part knows the parts,
// and not the screen.
type parts struct {
	host panel.Host // what parts know of the screen

	calls     *calls.Pane
	detail    *detail.Pane
	wire      *wire.Pane
	questions *question.Panel
	login     *login.Panel

	values  *beside.Values
	compose *compose.Composer
	keyed   fields.Keyed // the form that takes the keys
	reports *reports.Reports
	asker   *asking.Asker
	roots   *roots.Roots
	tasks   *tasks.Tasks
	rebuilt *rebuild.Offer
	teller  *attention.Teller
	replay  *replay.Controls
}

// of makes the bindings of a part those of the screen.
func of[P any](bindings []keymap.Binding[P], part func(*parts) P) []binding {
	return keymap.Lift(bindings, func(m *Model) P { return part(&m.parts) })
}

func theHost(p *parts) panel.Host { return p.host }

func theCalls(p *parts) *calls.Pane { return p.calls }

func theDetail(p *parts) *detail.Pane { return p.detail }

func theQuestions(p *parts) *question.Panel { return p.questions }

func theLogin(p *parts) *login.Panel { return p.login }

func theComposer(p *parts) *compose.Composer { return p.compose }

func theReports(p *parts) *reports.Reports { return p.reports }

func theAsker(p *parts) *asking.Asker { return p.asker }

func theRoots(p *parts) *roots.Roots { return p.roots }

func theTasks(p *parts) *tasks.Tasks { return p.tasks }

func theOffer(p *parts) *rebuild.Offer { return p.rebuilt }

func theReplay(p *parts) *replay.Controls { return p.replay }

// watch shows what becomes of calls that are being cancelled, in the tab that fits, whatever
// tab the user was in: the selected one of them, or the newest of them where the user has
// selected no row.
func (p *parts) watch(cancelled []session.CallID) {
	switch {
	case slices.Contains(cancelled, p.calls.Chosen()) || len(cancelled) == 0:
		p.calls.Touch()
	case !p.calls.WasTouched():
		p.calls.Choose(slices.Max(cancelled))
	default:
		return
	}
	p.detail.Fit()
}
