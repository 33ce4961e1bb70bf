"""11: the automatic actions in the phases of a turn, and the questions in them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tables.core.decisions import AskChoice, Decision, Then
from tables.core.effects.lasting import expire
from tables.core.engine import go_to, next_turn
from tables.core.events import Event
from tables.core.lines.actions import Action
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Aim, State, Task, Thing
from tables.core.zones import zone_of
from tables.games.seize import damage, drawing, stats, statuses
from tables.games.seize.flow import ACQUIRED, DRAWN, HAND_LIMIT
from wargame.rules.core.saying import said


def phase(hook: Callable[[Play], None] | None = None) -> Callable[[Play], None]:
    """11: begin a phase: effects of only the last one end, then this one's opening."""

    def enter(play: Play) -> None:
        for until in ("phase", "step"):
            play.state = expire(play.state, until)
        if hook is not None:
            hook(play)

    return enter


def _own_mercenaries(state: State) -> tuple[Thing, ...]:
    """11: the mercenaries of the turn's player or players."""
    return tuple(thing for seat in stats.turn_seats(state) for thing in stats.mercenaries(state, seat))


def beginning(play: Play) -> None:
    """11.1, 13.7.1, S10: treasures ready, one exhaust counter off each mercenary, start-of-turn effects."""
    for seat in stats.turn_seats(play.state):
        play.state = expire(play.state, "my next turn", seat)
        for thing in play.state.zone(zone_of(seat, "warchest")):
            play.change(thing.key, engaged=False)
        play.emit(Event("ready", ("11.1", "S10"), seat))
    for thing in _own_mercenaries(play.state):
        for worn in play.state.beneath(thing.key):
            play.change(worn.key, engaged=False)
        statuses.take(play, thing, "exhaust", 1)
    for seat in stats.turn_seats(play.state):
        play.emit(Event("start of turn", ("11.1",), seat))


def draw(play: Play) -> None:
    """11.2, S55, S78: the turn player draws; in a shared turn each of them."""
    play.push(*(DrawOne(seat) for seat in stats.turn_seats(play.state)))


@dataclass(frozen=True, slots=True)
class DrawOne(Task):
    """11.2: one player's draw; if they can't, they have lost (S6)."""

    seat: str

    def run(self, play: Play) -> None:
        """5.1, S6: the player draws."""
        drawing.draw(play, self.seat, DRAWN, ("11.2",))


# --------------------------------------------------------------------------------------------- acquire


def acquire(play: Play) -> None:
    """11.3, S7, S78: the turn player is asked, card by card; S44: there is no Vault to pay from in the Arena."""
    play.push(*(Acquire(seat, ACQUIRED) for seat in stats.turn_seats(play.state)))


@dataclass(frozen=True, slots=True)
class Acquire(Task):
    """11.3: ask as long as one more can be acquired."""

    seat: str
    left: int

    def run(self, play: Play) -> None:
        """11.3, S6: no card, no Loot or none left of the four: nothing is asked."""
        able = play.state.number(self.seat, "vault") > 0 and play.state.zone(zone_of(self.seat, "deck"))
        if self.left > 0 and able and self.seat in play.state.living:
            play.ask(AskAcquire((self.seat,), self.left))


@dataclass(frozen=True, slots=True)
class AskAcquire(Decision):
    """11.3: acquire this many more (1 Loot each), or enough."""

    left: int

    kind = "acquire"
    takes = ("acquire", "enough")
    cites = "11.3"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """11.3, S7, S85: the last Loot is paid only for a line that ends with `!`."""
        if action.kind == "enough":
            play.emit(Event("enough", ("11.3",), seat))
            return
        vault, deck = play.state.number(seat, "vault"), len(play.state.zone(zone_of(seat, "deck")))
        if not 1 <= action.n <= self.left:
            raise Refused("11.3", said("you can acquire 1 to %(left)s more", left=self.left))
        if action.n > deck:
            raise Refused(("11.3", "S6"), said("the deck only has %(deck)s cards", deck=deck))
        if action.n > vault:
            raise Refused("11.3", said("the Vault only has %(vault)s Loot", vault=vault))
        if action.n == vault and not action.confirmed:
            raise Refused(
                ("S85", "S7", "11.3"),
                said(
                    "this would spend your last Loot, and you would lose: write `acquire %(n)s!` if you mean it",
                    n=action.n,
                ),
            )
        for _ in range(action.n):
            play.add_number(seat, "vault", -1)
            drawing.draw(play, seat, 1, ("11.3",))
        play.emit(Event("acquired", ("11.3",), seat, amount=action.n))
        play.push(Acquire(seat, self.left - action.n))

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: a player who does not answer has acquired enough."""
        return Action("enough")

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        """Enough, or as many as don't take the last Loot."""
        most = min(self.left, state.number(seat, "vault") - 1, len(state.zone(zone_of(seat, "deck"))))
        return (Action("enough"), *(Action("acquire", n=number) for number in range(1, most + 1)))


# --------------------------------------------------------------------------------------------- rally to move2


def rally(play: Play) -> None:
    """13.9.1, S60: regen heals at the opening of its controller's Rally Phase."""
    for thing in _own_mercenaries(play.state):
        if regen := stats.count(thing, "regen"):
            damage.heal(play, play.state.things[thing.key], regen, "13.9.1")


def first_movement_ends(play: Play) -> None:
    """13.8.2, S37, S62: frost counters are removed; the steps they took from this turn do not come back."""
    for thing in _own_mercenaries(play.state):
        frost = stats.count(thing, "frost")
        if frost >= 3:
            play.mark(stats.mark("frozen", thing))
        for _ in range(min(2, frost)):
            play.mark(stats.mark("chilled", thing))
        if frost:
            statuses.take(play, thing, "frost")
    go_to(play, "attack")


def attack(play: Play) -> None:
    """13.8.3, S38: burn counters deal their damage at the opening; three take the treasures too."""
    for thing in _own_mercenaries(play.state):
        burn = min(3, stats.count(thing, "burn"))
        if not burn:
            continue
        play.mark(stats.mark("burnt", thing))
        play.emit(Event("burns", ("13.8.3",), thing.controller, thing, amount=burn))
        damage.deal(play, None, thing, 4 if burn == 3 else burn, "pure" if burn == 3 else "true")
        if burn == 3:
            damage.destroy(play, play.state.beneath(thing.key), ("13.8.3", "S38"))


def attack_ends(play: Play) -> None:
    """13.8.3, S38: remove the counters that burned; later ones wait for the next Attack Phase."""
    for thing in _own_mercenaries(play.state):
        if stats.did(play.state, "burnt", thing):
            statuses.take(play, thing, "burn")
    go_to(play, "move2")


# --------------------------------------------------------------------------------------------- the end


def end(play: Play) -> None:
    """11.8, S56: end-of-turn effects first; without any, bleed and the end of effects follow at once."""
    for seat in stats.turn_seats(play.state):
        play.emit(Event("end of turn", ("11.8",), seat))
    play.push(Bleeding())


BLED = "bled"
"""11.8: the mark of an End Phase whose bleeding is over."""


@dataclass(frozen=True, slots=True)
class Bleeding(Task):
    """11.8, S56: bleed and the end of statuses wait until end-of-turn effects have resolved."""

    def run(self, play: Play) -> None:
        """S56: bleed once nothing waits and the pile is empty."""
        if not play.state.waiting and not play.state.pile:
            bleed(play)


def bleed(play: Play) -> None:
    """13.7.2, S32, S34: each bleeding mercenary takes True damage; then blind (S35), silence (S64), fog (S36) end."""
    play.mark(BLED)
    for thing in stats.mercenaries(play.state):
        if count := stats.count(thing, "bleed"):
            play.emit(Event("bleeds", ("13.7.2",), thing.controller, thing, amount=count))
            damage.deal(play, None, thing, count, "true")
    for thing in stats.mercenaries(play.state):
        if thing.controller in stats.turn_seats(play.state):
            thing = statuses.take(play, thing, "blind", cites=("13.7.3", "S35"))
        statuses.take(play, thing, "silence", cites=("13.8.4", "S64"))
    for tile, marks in play.state.tiles.items():
        if dict(marks).get("fog"):
            statuses.set_tile(play, tile, "fog", 0)


def end_is_over(play: Play) -> None:
    """11.8, S80: after the window the discard, and the next turn; before the bleeding, that and another window."""
    if BLED not in play.state.marks:
        bleed(play)
        play.state = replace(play.state, priority=None)
        return
    play.push(EffectsEnd(), *(DiscardDown(seat) for seat in stats.turn_seats(play.state)), NextTurn())


@dataclass(frozen=True, slots=True)
class EffectsEnd(Task):
    """11.8: end the effects that last until the end of the turn."""

    def run(self, play: Play) -> None:
        """11.8."""
        drawing.give_back(play)
        play.state = replace(expire(play.state, "turn"), gone={})
        play.emit(Event("effects end", ("11.8",), play.state.turn.of))


@dataclass(frozen=True, slots=True)
class DiscardDown(Task):
    """11.8: down to nine cards, of the player's choice."""

    seat: str

    def run(self, play: Play) -> None:
        """11.8."""
        hand = play.state.zone(zone_of(self.seat, "hand"))
        over = len(hand) - HAND_LIMIT
        if over > 0 and self.seat in play.state.living:
            among: tuple[Aim, ...] = tuple(thing.ref for thing in hand)
            play.ask(AskChoice((self.seat,), among, over, over, Discarded(), "11.8", "discard", "discard"))


@dataclass(frozen=True, slots=True)
class Discarded(Then):
    """11.8: the chosen cards go to the discard pile."""

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """11.8: discard the chosen cards."""
        for aim in aims:
            if (thing := play.state.thing(aim)) is not None:
                play.move(thing.key, "discard", cites=("11.8",), event="discarded")

    def is_clean_up(self, state: State) -> bool:
        """11.8: earlier versions didn't take it for one."""
        return state.version >= 5


@dataclass(frozen=True, slots=True)
class NextTurn(Task):
    """11: the next turn: an extra one, else the next seat clockwise; in a shared turn the next side (S78)."""

    def run(self, play: Play) -> None:
        """11: begin the next turn."""
        state = play.state
        now = state.turn.of
        for seat in state.from_turn_player():
            if state.counts.get(f"extra {seat}", 0) > 0:
                play.state = replace(state, counts={**state.counts, f"extra {seat}": state.counts[f"extra {seat}"] - 1})
                next_turn(play, seat, "beginning")
                return
        shared = stats.turn_seats(state)
        order = [seat for seat in state.clockwise(now) if seat not in shared]
        seat = order[0] if order else now
        if stats.arena(state):
            seat = next(one for one in state.living if state.side(one) == state.side(seat))
        next_turn(play, seat, "beginning")
