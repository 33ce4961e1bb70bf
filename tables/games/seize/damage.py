"""13.3, 13.4: damage: its kinds, what adds to it, what reduces it, and in which order (S31)."""

from __future__ import annotations

from dataclasses import replace

from tables.core.effects.lasting import prevented
from tables.core.events import Event
from tables.core.lasting import statistic
from tables.core.play import Play
from tables.core.state import Thing
from tables.games.seize import dying, stats, statuses

KINDS = {"physical": "13.3.1", "magic": "13.3.2", "true": "13.3.4", "pure": "13.3.5", "lethal": "13.3.6"}
"""13.3: the kinds of damage."""
ARMOR = {"physical": ("armor", "13.4.1"), "magic": ("magic armor", "13.4.2")}
"""13.4.1, 13.4.2: which armor takes off from which kind."""
DEFENDED = ("physical", "magic", "pure")
"""13.4.3, S29: what Defense reduces."""


def deal(play: Play, source: Thing | None, target: Thing, amount: int, kind: str, *, unseen: bool = False) -> int:
    """13.3, S31: damage to a mercenary; how much was dealt (S68: more than it had left, too; S69: 0 is none).

    13.8.5: `unseen`, out of stealth, it is True. S30: Lethal above half health is physical.
    """
    if amount <= 0 or not stats.on_battlefield(play.state, target):
        return 0
    kind = "true" if unseen else kind or "true"
    play.emit(Event("struck", (KINDS[kind],), target.controller, target, source, amount, told=kind))
    if kind == "lethal":
        left = stats.health(play.state, target)
        if left * 2 <= stats.maximum(play.state, target) and dying.may_die(play.state, target):
            _tell(play, source, target, left, "13.3.6")
            dying.destroy(play, [play.state.things[target.key]], ("13.3.6",))
            return _leech(play, source, left)
        kind = "physical"
    dealt = _reduced(play, target, amount, kind)
    dealt -= prevented(play, target.ref, dealt)
    if dealt <= 0:
        return 0
    now = play.state.things[target.key]
    play.change(target.key, damage=now.damage + dealt)
    _tell(play, source, target, dealt, KINDS[kind])
    return _leech(play, source, dealt)


def _reduced(play: Play, target: Thing, amount: int, kind: str) -> int:
    """S31: poison adds, armor takes off, then Defense if something is left; not below 0."""
    if poison := stats.count(target, "poison"):
        amount += poison
        play.emit(Event("poisoned", ("13.7.4",), target.controller, target, amount=poison))
    if kind in ARMOR:
        word, cites = ARMOR[kind]
        if armor := statistic(play.state, target, word):
            play.emit(Event("armor", (cites,), target.controller, target, amount=min(armor, amount)))
            amount = max(0, amount - armor)
    defense = stats.count(target, "defense")
    if kind in DEFENDED and amount > 0 and defense:
        statuses.put(play, play.state.things[target.key], "defense", 0)
        play.emit(Event("defense", ("13.4.3",), target.controller, target, amount=min(defense, amount)))
        amount = max(0, amount - defense)
    return amount


def _tell(play: Play, source: Thing | None, target: Thing, dealt: int, cites: str) -> None:
    now = play.state.things[target.key]
    play.emit(Event("is dealt damage", (cites,), target.controller, now, source, dealt))
    if source is not None:
        play.emit(Event("deals damage", (cites,), source.controller, source, now, dealt))


def _leech(play: Play, source: Thing | None, dealt: int) -> int:
    """13.9.3, S68: damage that it dealt heals a leeching mercenary."""
    now = play.state.thing(source.ref) if source is not None else None
    if now is not None and stats.on_battlefield(play.state, now) and stats.has(play.state, now, "leech"):
        heal(play, now, dealt, "13.9.3")
    if source is not None:
        kept = tuple(one for one in play.state.lasting if one.until != "next damage" or source.ref not in one.on)
        play.state = replace(play.state, lasting=kept)
    return dealt


def heal(play: Play, thing: Thing, amount: int, cites: str) -> int:
    """13.9.1, S41: health comes back, never above the maximum; how much."""
    back = min(max(0, amount), thing.damage)
    if back:
        play.change(thing.key, damage=thing.damage - back)
        play.emit(Event("healed", (cites,), thing.controller, play.state.things[thing.key], amount=back))
    return back
