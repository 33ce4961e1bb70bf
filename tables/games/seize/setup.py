"""3, 5.3: before the first turn: pillars, the starter, Champions, hands and mulligans (S4, S5, S43, S46, S77)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tables.core.decisions import Decision
from tables.core.events import Event
from tables.core.grid import WIDE, Ground, Quarter
from tables.core.lines.actions import Action
from tables.core.lists.decks import Deck
from tables.core.lists.formats import FORMATS
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Options, State, Task, Thing
from tables.core.zones import zone_of
from tables.games.seize import drawing, rallying, reach, stats, statuses
from tables.games.seize.flow import HAND, PILLARS
from wargame.rules.core.saying import said

ROLL = 6
"""3: a d6 decides starters and pillars."""


def lay_ground(seats: Sequence[str], options: Options) -> Ground:
    """S1, S76: 4 x 6 for two seats; 8 x 6 for three or four, where a quarter without a seat is closed.

    Partners (A1 and A2) sit side by side; else the seats go clockwise around the board, from its near left quarter.
    """
    sides = {seat[:1] for seat in seats if seat[1:]}
    if len(seats) == 2:
        places = [(0, True), (0, False)]
    elif sides:
        places = [(0, True), (0, False), (WIDE, True), (WIDE, False)]
    else:
        places = [(0, True), (0, False), (WIDE, False), (WIDE, True)]
    quarters = tuple(Quarter(seat, *place) for seat, place in zip(seats, places, strict=False))
    return Ground(WIDE if len(seats) == 2 else 2 * WIDE, quarters)


def begin(play: Play) -> None:
    """3, 5.3, S77: Vaults; in the Arena pillars; the starter; Champions; hands; mulligans."""
    play.push(Vaults(), Pillars(), Starter(), Champions(), Hands())


@dataclass(frozen=True, slots=True)
class Vaults(Task):
    """5, S54: each Vault has as much Loot as the format says, a number; S44: in the Arena there is none."""

    def run(self, play: Play) -> None:
        """5.1 to 5.4: give each seat its Vault."""
        format = FORMATS.get(("seize", play.state.options.format))
        for seat in play.state.seats:
            if format is not None and format.vault and "vault" not in dict(seat.numbers):
                play.change_seat(replace(seat, numbers=(*seat.numbers, ("vault", format.vault))))


# --------------------------------------------------------------------------------------------- rolling


def rolled(play: Play, who: Sequence[str], cites: tuple[str, ...]) -> str:
    """3, S4: each rolls a committed d6, in seat order; ties at the top are rolled again. Returns the highest roller."""
    seats = list(who)
    while len(seats) > 1:
        rolls = {one: play.draw("die", play.count("die"), ROLL) for one in seats}
        for one, value in rolls.items():
            play.emit(Event("rolled", cites, one, amount=value))
        seats = [one for one in seats if rolls[one] == max(rolls.values())]
    return seats[0]


@dataclass(frozen=True, slots=True)
class Starter(Task):
    """3, S4: the highest roller chooses who goes first, unless the players agreed on it."""

    def run(self, play: Play) -> None:
        """3: begin with the agreed starter, or ask the highest roller."""
        agreed = play.state.turn.of or play.state.options.starter
        if agreed:
            starts(play, agreed)
            return
        play.ask(AskStarter((rolled(play, play.state.living, ("3", "S4")),)))


def starts(play: Play, seat: str) -> None:
    """3: give this seat the first turn."""
    play.state = replace(play.state, turn=replace(play.state.turn, of=seat, starter=seat))
    play.emit(Event("starter", ("3",), seat))


@dataclass(frozen=True, slots=True)
class AskStarter(Decision):
    """3: the choice of the seat that goes first."""

    kind = "starter"
    takes = ("starter",)
    cites = "3"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """3: any player."""
        if action.to not in play.state.living:
            raise Refused("3", said("name a player: `starter A`"))
        starts(play, action.to)

    def leaves(self, play: Play, seat: str) -> None:
        """5: a player who is out can't go first: the next seat does."""
        rest = [other for other in play.state.clockwise(seat) if other != seat]
        if play.state.version < 5 or not rest:
            Decision.leaves(self, play, seat)
            return
        play.state = play.state.but(decision=None)
        starts(play, rest[0])

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: a player who does not answer goes first."""
        return Action("starter", to=seat)

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        """Themselves first, or another."""
        other_seats = [other for other in state.living if other != seat]
        return tuple(Action("starter", to=letter) for letter in (seat, *other_seats))


# --------------------------------------------------------------------------------------------- the Arena


@dataclass(frozen=True, slots=True)
class Pillars(Task):
    """5.3: the sides place four pillars in turn, the highest roller first."""

    def run(self, play: Play) -> None:
        """5.3: in the Arena, have the sides place their pillars in turn."""
        if not stats.arena(play.state):
            return
        sides = list(dict.fromkeys(play.state.side(seat) for seat in play.state.living))
        first = rolled(play, sides, ("5.3",))
        at = sides.index(first)
        turns = (sides[at:] + sides[:at]) * PILLARS
        play.push(*(PlacePillar(side) for side in turns[:PILLARS]))


@dataclass(frozen=True, slots=True)
class PlacePillar(Task):
    """5.3: one pillar of one side, either of whose players may place it."""

    side: str

    def run(self, play: Play) -> None:
        """S46: ask the players of the side for a tile, if there is a free one."""
        seats = tuple(seat for seat in play.state.living if play.state.side(seat) == self.side)
        if seats and pillar_tiles(play.state):
            play.ask(AskPillar(seats))


def pillar_tiles(state: State) -> tuple[str, ...]:
    """S46: the possible tiles of a pillar: any free tile outside of the halls."""
    board = reach.board(state)
    return tuple(
        tile for tile in board.tiles if board.depth(tile) > 1 and state.is_open(tile) and state.on_tile(tile) is None
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class AskPillar(Decision):
    """5.3: the tile of a pillar."""

    kind = "pillar"
    takes = ("pillar",)
    cites = "5.3"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """5.3, S46: a pillar closes its tile."""
        if action.to not in pillar_tiles(play.state):
            raise Refused(("S46", "5.3"), said("%(to)s is not a free tile outside the Guild Halls", to=action.to))
        statuses.set_tile(play, action.to, "pillar", 1)

    def leaves(self, play: Play, seat: str) -> None:
        """5.3: the place of a pillar is left to their partner, if they have one."""
        partners = tuple(other for other in self.of if other != seat)
        if partners and play.state.version >= 4:
            play.state = play.state.but(decision=replace(self, of=partners))
        else:
            Decision.leaves(self, play, seat)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: drawn by commitment from the free tiles, according to earlier draws."""
        tiles = pillar_tiles(state)
        drawn = state.draws.draw("default pillar", len(state.tiles) + 1, len(tiles))
        return Action("pillar", to=tiles[drawn - 1])

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        """Each free tile."""
        return tuple(Action("pillar", to=tile) for tile in pillar_tiles(state))


@dataclass(frozen=True, slots=True)
class Champions(Task):
    """5.3, S43: in turn order each Champion is placed in its player's hall; a Guild Master stays in their Quarters."""

    def run(self, play: Play) -> None:
        """S43: in the Arena, have each Champion placed in turn order."""
        if stats.arena(play.state):
            play.push(*(PlaceChampion(seat) for seat in play.state.from_turn_player()))


@dataclass(frozen=True, slots=True)
class PlaceChampion(Task):
    """S43: one player's Champion."""

    seat: str

    def run(self, play: Play) -> None:
        """S43: a player without one in their Quarters is not asked."""
        if self.seat in play.state.living and play.state.zone(zone_of(self.seat, "quarters")):
            play.ask(AskChampion((self.seat,)))


@dataclass(frozen=True, slots=True)
class AskChampion(Decision):
    """S43: the tile of their hall on which a Champion starts."""

    kind = "champion"
    takes = ("champion",)
    cites = "S43"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """S43: put the Champion into play on the tile. Refused if it is not a free tile of the hall."""
        if action.to not in hall_tiles(play.state, seat):
            raise Refused(("S43", "5.3"), said("%(to)s is not a free tile in your Guild Hall", to=action.to))
        champion = play.state.zone(zone_of(seat, "quarters"))[0]
        rallying.put_in(play, champion, seat, action.to)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: drawn by commitment."""
        tiles = hall_tiles(state, seat)
        number = 1 + [one.letter for one in state.seats].index(seat)
        return Action("champion", to=tiles[state.draws.draw("default champion", number, len(tiles)) - 1])

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        return tuple(Action("champion", to=tile) for tile in hall_tiles(state, seat))


def hall_tiles(state: State, seat: str) -> tuple[str, ...]:
    """S43: the free tiles of a seat's hall."""
    return tuple(tile for tile in reach.board(state).hall(seat) if state.on_tile(tile) is None)


# --------------------------------------------------------------------------------------------- hands


@dataclass(frozen=True, slots=True)
class Hands(Task):
    """3: seven cards each; then all decide secretly whether to exchange them (S5)."""

    def run(self, play: Play) -> None:
        """3: begin with the agreed starter, or ask the highest roller."""
        for seat in play.state.from_turn_player():
            drawing.draw(play, seat, HAND, ("3",))
        if play.state.living:
            play.ask(AskMulligan(play.state.from_turn_player()))


@dataclass(frozen=True, slots=True)
class AskMulligan(Decision):
    """3, S5: all choose secretly and at the same time, once; nothing is carried out before all have."""

    given: tuple[tuple[str, bool], ...] = ()
    """By seat: whether the hand is shuffled into the deck."""

    kind = "mulligan"
    takes = ("mulligan",)
    cites = "3"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """S5: keep the choice secret until all have chosen; then carry out all of them."""
        choices = (*self.given, (seat, action.do == "mulligan"))
        letters = tuple(letter for letter in self.of if letter != seat)
        if letters:
            play.ask(AskMulligan(letters, choices))
        else:
            play.push(Mulligans(choices))

    def handed_in(self) -> frozenset[str]:
        """T9.4: the seats that have already decided."""
        return frozenset(seat for seat, _ in self.given)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: a player who does not answer keeps their hand."""
        return Action("mulligan", do="keep")

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        """To keep the hand, or to take another."""
        return (Action("mulligan", do="keep"), Action("mulligan", do="mulligan"))


@dataclass(frozen=True, slots=True)
class Mulligans(Task):
    """3: the whole hand into the deck, a committed shuffle, seven new cards."""

    given: tuple[tuple[str, bool], ...]

    def run(self, play: Play) -> None:
        """3, S5: carried out together, in turn order."""
        choices = dict(self.given)
        for seat in play.state.from_turn_player():
            play.emit(Event("mulligan" if choices.get(seat) else "kept", ("3", "S5"), seat))
            if not choices.get(seat):
                continue
            for thing in play.state.zone(zone_of(seat, "hand")):
                play.move(thing.key, "deck", cites=("3",), event="shuffled in")
            play.shuffle(seat, "deck", ("3",))
            drawing.draw(play, seat, HAND, ("3",))


def side_of(seat: str) -> str:
    """S47: the side of a seat `A2`; empty for `A`, who plays alone."""
    return seat[:1] if seat[1:] else ""


def dealt(play: Play, decks: Mapping[str, Deck]) -> None:
    """2, 5.3, 5.4, S47, S76: sides, the battlefield, and in each seat's Quarters the cards beside its deck.

    `decks` by seat; those seats are the table's. The decks are already shuffled.
    """
    state = play.state
    seats = tuple(replace(seat, side=side_of(seat.letter)) for seat in state.seats)
    ground = lay_ground([seat.letter for seat in seats], state.options)
    play.state = replace(state, seats=seats, ground=ground)
    for seat, deck in decks.items():
        for _, name in deck.extra:
            key, zone = f"{seat}/{name}/beside", zone_of(seat, "quarters")
            thing = Thing(key, name, seat, seat, zone, play.count("stamp"), play.count("number"))
            play.state = replace(play.state, things={**play.state.things, key: thing})
            play.zone_set(zone, (*play.state.zones.get(zone, ()), key))
