"""2.3.2, 2.6: one sentence for each kind of event of a change of troops."""

from __future__ import annotations

from .events_of_changes import ChangeRefused, Personalised, Troops, TroopsChanged


def troops_changed(event: TroopsChanged) -> str:
    return f"{event.army} changes its troops: {_troops(event.troops)}."


def personalised(event: Personalised) -> str:
    called = f", called {event.name} from the unlock on" if event.name else ""
    legend = f", with {event.legend} as its legend" if event.legend else ""
    return f"{event.army} is {event.player}'s own now{called}{legend}: {_troops(event.troops)}."


def change_refused(event: ChangeRefused) -> str:
    return f"The change of {event.army} is not carried out. {event.why}"


def _troops(troops: Troops) -> str:
    return ", ".join(f"{alive:,} of {of:,} {creature}" for _, creature, alive, of in troops) or "none"
