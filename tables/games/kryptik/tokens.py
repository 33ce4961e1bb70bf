"""K63: citizens that only the game makes, and what becomes of them."""

from __future__ import annotations

from tables.core import values
from tables.core.effects.cards import did, who
from tables.core.events import Event
from tables.core.lists.cards import Effect
from tables.core.play import Play
from tables.core.state import Scope
from tables.core.zones import kind_of

MOST = 50
"""So many are made by one effect at most."""


def create(play: Play, effect: Effect, scope: Scope) -> None:
    """K63: tokens enter the island, on the side of whoever makes them; what is no token of the list is settled by the
    players or a judge (K42)."""
    name = effect.text("create")
    card = next((one for one in play.state.cards.values() if one.name.casefold() == name.casefold()), None)
    if card is None or not card.token or card.type != "citizen":
        play.rules.primitives["manual"](play, Effect("manual", (("manual", f"Create {name}."),)), scope)
        return
    many = min(MOST, values.number(play.state, effect.value("n"), scope)) if effect.get("n") is not None else 1
    made = []
    for seat in who(play, effect, scope):
        for _ in range(many):
            token = play.create(card.name, "island", seat)
            play.emit(Event("enters", ("K63",), seat, token, zone=token.zone))
            play.rules.moved(play, token, token, True)
            made.append(play.state.things[token.key])
    did(play, scope, made)


def cease(play: Play) -> bool:
    """K63: a token that has left the island is nowhere any more."""
    state = play.state
    if not state.counts.get("token"):
        return False
    gone = [
        key for key, thing in state.things.items()
        if state.cards[thing.card].token and thing.zone and kind_of(thing.zone) != "island"
    ]  # fmt: skip
    for key in gone:
        play.cease(key)
    return bool(gone)
