"""3: The demo round's history, played turn by turn through the services, with its posts, at times in the past."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import cycle
from random import Random

from judging.battles.models import Battle
from judging.command.control.services import assign
from judging.common.positions import position_of
from judging.common.rounds import current_turn
from judging.demo import loading
from judging.demo.battles import StratTexts, sendings
from judging.demo.people import CHANGED, CORRECTED, RULED, ask_for_other_troops, correct, deeds_of, rule
from judging.demo.planner import TurnPlan, plan_turn
from judging.demo.times import PRESENT, Calendar
from judging.mercenaries.services import set_window
from judging.turns import stages
from judging.turns.posts.services import edit_post, send_manifest, submit_post
from judging.turns.stages import open_round
from wargame.models import Army, Judge, Player, Round, Turn
from wargame.models.choices import Role
from wargame.rules.core import clock
from wargame.rules.core.board import Square
from wargame.rules.core.orders import Hold, InBattle, Intercept, Move, Order, Step, Transfer
from wargame.rules.core.position import Position
from wargame.rules.moves.marches import shortest_paths
from wargame.world import control_at

TALKS, EDITS, POSTS_TWICE = 0.4, 0.15, 0.3
"""The probability that a player does each in a turn."""

SEALED_FROM = 0.86
"""R6: the part of a turn after which orders can be sealed."""

NEAR_SQUARES = ((0, 1), (1, 0), (0, -1), (-1, 0), (0, 2))
"""Rows and columns from an army to squares where it could have gone instead."""

Line = tuple[str, Order]
"""An army and its order."""


@dataclass(frozen=True)
class Hand:
    """A player's way of typing: arrow, separator, prefix of a line, and other habits."""

    arrow: str
    separator: str
    before: str
    lower_case: bool
    letter_first: bool
    leaves_off_own_name: bool
    likes_routes: bool
    hold: str
    in_battle: str

    def write(self, army: str, order: Order, own: str, rng: Random) -> str:
        """A line that is read as that order; `own` is the army whose name can be left out (R10)."""
        action = self._action(order, rng)
        name = "" if self.leaves_off_own_name and army == own else f"{army}: "
        line = f"{name}{action}"
        return self.before + (line.lower() if self.lower_case else line)

    def _action(self, order: Order, rng: Random) -> str:
        match order:
            case Move(steps):
                return self._square(steps[0].start) + "".join(self._step(step, order, rng) for step in steps)
            case Intercept(target):
                return f"intercept {target}"
            case Transfer(target, at):
                return f"transfer to {target} at {self._square(at)}"
            case Hold():
                return self.hold
            case InBattle():
                return self.in_battle

    def _step(self, step: Step, move: Move, rng: Random) -> str:
        suffix = " ".join(part for part in (step.suffix, step.target) if part)
        route = step.route
        if self.likes_routes and route is None and len(move.steps) == 1 and step.start.distance(step.to) in (2, 3):
            route = rng.choice(shortest_paths(step.start, step.to))
        path = f" ({' - '.join(map(self._square, route))})" if route else ""
        return f"{self.arrow}{self._square(step.to)}{path}{self.separator if suffix else ''}{suffix}"

    def _square(self, square: Square) -> str:
        text = str(square)
        return text[-1] + text[:-1] if self.letter_first else text


def hand_of(player: str) -> Hand:
    """The player's own way of typing, the same in every post."""
    rng = Random(f"{player}, by hand")
    return Hand(
        arrow=rng.choice((" > ", " > ", " > ", ">", " -> ", " → ")),
        separator=rng.choice(("; ", "; ", ", ")),
        before=rng.choice(("", "", "", "- ")),
        lower_case=rng.random() < 0.2,
        letter_first=rng.random() < 0.2,
        leaves_off_own_name=rng.random() < 0.5,
        likes_routes=rng.random() < 0.2,
        hold=rng.choice(("hold", "hold", "no move", "stay")),
        in_battle=rng.choice(("in battle", "fighting", "cannot move")),
    )


@dataclass(frozen=True)
class Writing:
    """A post to write: its versions, each with the part of the turn at which it is sent."""

    player: str
    versions: tuple[tuple[float, str], ...]
    sealed: bool = False


@dataclass
class Author:
    """A player who writes. `lines` are their orders in the order in which they think of them."""

    name: str
    own: str
    hand: Hand
    lines: list[Line]

    def write(self, army: str, order: Order, rng: Random) -> str:
        """3.2.2.5: a line in the player's own way of typing."""
        return self.hand.write(army, order, self.own, rng)


class Thread:
    """The planned movement thread of a turn. `talk` is the small talk beside the orders."""

    def __init__(self, position: Position, plan: TurnPlan, talk: Iterator[str], rng: Random) -> None:
        self._position = position
        self._plan = plan
        self._talk = talk
        self._rng = rng

    def write(self, owners: Mapping[str, str], *, with_sealed: bool) -> list[Writing]:
        """The turn's posts by the players of `owners`; one of them seals their orders if there is a time for it."""
        authors, rng = self._authors(owners), self._rng
        sealing = rng.choice(authors).name if with_sealed else ""
        careless = rng.choice([author for author in authors if author.name != sealing])
        posts = []
        for author in authors:
            if author.name == sealing:
                text = "\n".join(author.write(*line, rng) for line in author.lines)
                posts.append(Writing(author.name, ((rng.uniform(SEALED_FROM, 0.98), text),), sealed=True))
            else:
                posts.extend(self._open_posts(author, self._slip(author) if author is careless else ""))
        return posts

    def _authors(self, owners: Mapping[str, str]) -> list[Author]:
        authors: dict[str, Author] = {}
        orders = [(owners[army], army, order) for army, order in sorted(self._plan.orders.items())]
        for player, army, order in [*orders, *self._plan.strangers]:
            if player not in authors:
                own_army = player if player in self._position.by_name else ""
                authors[player] = Author(player, own_army, hand_of(player), [])
            authors[player].lines.append((army, order))
        for author in authors.values():
            self._rng.shuffle(author.lines)
        return [authors[player] for player in sorted(authors)]

    def _slip(self, author: Author) -> str:
        """R8: a line that can't be read."""
        army = author.lines[0][0]
        return _garbled(army, self._position.by_name[army].at, self._rng.randint(0, 2))

    def _open_posts(self, author: Author, slip: str) -> Iterator[Writing]:
        lines, later, rng = author.lines, list[Line](), self._rng
        replaces = False
        if rng.random() < POSTS_TWICE:
            cut = rng.randint(1, len(lines))
            lines, later = lines[:cut], lines[cut:]
            if not later:
                lines, later, replaces = [self._at_first(*lines[0]), *lines[1:]], lines[:1], True
        at = rng.uniform(0.03, 0.6)
        edited = not replaces and rng.random() < EDITS
        yield self._post(author, lines, at, slip, edited=edited)
        if later:
            yield self._post(author, later, rng.uniform(at + 0.05, 0.8))

    def _post(self, author: Author, lines: list[Line], at: float, slip: str = "", *, edited: bool = False) -> Writing:
        """A post; if it is edited (R7), its first order was a different one before."""
        first, *rest = [author.write(*line, self._rng) for line in lines] + ([slip] if slip else [])
        chat = next(self._talk) if self._rng.random() < TALKS else ""
        opens = self._rng.random() < 0.5
        versions = [(at, _text([first, *rest], chat, opens))]
        if edited:
            before = author.write(*self._at_first(*lines[0]), self._rng)
            later = self._rng.uniform(at + 0.02, 0.84)
            versions = [(at, _text([before, *rest], chat, opens)), (later, versions[0][1])]
        return Writing(author.name, tuple(versions))

    def _at_first(self, army: str, order: Order) -> Line:
        """The army's order before the edit: a move to another of the empty squares near it."""
        at = self._position.by_name[army].at
        nearby = [Square(at.row + row, at.column + column) for row, column in NEAR_SQUARES]
        free = [square for square in nearby if square.on_map and square not in self._position.by_square]
        moves = [Move((Step(at, square),)) for square in free]
        return army, self._rng.choice([other for other in moves if other != order] or [order])


def _garbled(army: str, at: Square, number: int) -> str:
    """R8: a line for an army that can't be read: a misspelt name, no square, or a square that does not exist."""
    wrong = (
        f"{army[:2]}{army[3:]}: {at} > {Square(at.row, at.column + 1)}",
        f"{army}: {at} >",
        f"{army}: {at} > east of {at}",
    )
    return wrong[number % len(wrong)]


def _text(lines: list[str], chat: str, opens: bool) -> str:
    parts = ["\n".join(lines)]
    if chat:
        parts.insert(0 if opens else 1, chat)
    return "\n\n".join(parts)


SEED = "Tidespire"
SILENT = {1: 1, 2: 2, 3: 1, PRESENT: 5}
"""The number of players who post nothing, by turn; in the present one they can still do it."""

RULES, SETTLES, PROPOSES, APPLIES = 0.004, 0.008, 0.012, 0.016
"""3.3.3: the parts of the next turn by which the movement judge rules on a turn, lets it settle or corrects it:
before anybody posts."""

Act = tuple[datetime, Callable[[datetime], object]]
Say = Callable[[str], None]


class Game:
    def __init__(self, round_: Round, calendar: Calendar) -> None:
        self.round = round_
        self.calendar = calendar
        self.rng = Random(SEED)
        self.players = {player.name: player for player in Player.objects.filter(round=round_).select_related("user")}
        self.judge = Judge.objects.get(round=round_, role=Role.BATTLE)
        self.desk = StratTexts(self.rng)
        talk: list[str] = list(loading.read("history")["talk"])
        self.rng.shuffle(talk)
        self.talk: Iterator[str] = cycle(talk)

    def play(self, say: Say) -> None:
        """3.1: play the turns before the present one to their ends, and the present one until now."""
        first = self.calendar.lock_of(1)
        turn = open_round(round=self.round, now=self.calendar.opens(1), first_lock=first)
        for number in range(1, PRESENT + 1):
            say(f"Playing turn {number} ...")
            self._play_turn(turn)
            if number < PRESENT:
                self._settle(turn)
                turn = self._next_turn(turn)

    def _play_turn(self, turn: Turn) -> None:
        acts = [*self._acts_of_players(turn), *self._acts_of_battles(turn)]
        acts += [self._act_at(turn, part, act) for part, act in deeds_of(self.round, turn.number)]
        for moment, act in sorted(acts, key=lambda act: act[0]):
            act(moment)

    def _settle(self, turn: Turn) -> None:
        """3.1, 3.3.3: end the turn. One turn is ruled on first, while it waits for its last result; one is corrected
        when the next one has opened."""
        stages.advance(turn.pk, clock.closes(turn.lock_at))
        judge, then = Judge.objects.get(round=self.round, role=Role.MOVEMENT), turn.number + 1
        if turn.number == RULED:
            rule(turn, judge, self.calendar.moment(then, RULES))
            settles = self.calendar.moment(then, SETTLES)
            for battle in self._left_for_later(turn):
                self.desk.publish(battle, self.judge, settles)
            stages.advance(turn.pk, settles)
        if turn.number == CORRECTED:
            turn.refresh_from_db()
            correct(turn, judge, *(self.calendar.moment(then, part) for part in (PROPOSES, APPLIES)))

    def _left_for_later(self, turn: Turn) -> list[Battle]:
        """4.1.1: the last battle of the turn that is ruled on: its result comes after the lock."""
        battles = Battle.objects.filter(turn=turn).select_related("turn__round").order_by("-number")
        return list(battles[: int(turn.number == RULED)])

    def _next_turn(self, turn: Turn) -> Turn:
        opened = current_turn(self.round)
        if opened is None or opened.number != turn.number + 1:
            raise RuntimeError(f"turn {turn.number} of the demo round was not settled")
        return opened

    def _acts_of_players(self, turn: Turn) -> Iterator[Act]:
        """3.2: posts, edits, a manifest, and a change of the control list."""
        position = position_of(turn)
        owners = self._owners(turn)
        plan = plan_turn(position, owners, turn.number, self.rng)
        sealed = 1 < turn.number < PRESENT
        thread = Thread(position, plan, self.talk, self.rng)
        for post in thread.write(owners, with_sealed=sealed):
            yield from self._acts_of_post(turn, post)
        yield self._act_at(turn, 0.55, partial(self._send_manifest, turn, plan, owners))
        if turn.number < PRESENT:
            yield self._act_at(turn, 0.97, partial(self._let_the_mercenaries_be, turn))
        if turn.number == 2:
            yield self._act_at(turn, 0.99, partial(self._hand_over, plan, owners))
        if turn.number == CHANGED:
            yield self._act_at(turn, 0.8, partial(ask_for_other_troops, turn, self.judge))

    def _acts_of_battles(self, turn: Turn) -> Iterator[Act]:
        """4: the strats, and in the turns before the present one scores and results."""
        battles = list(Battle.objects.filter(turn=turn).select_related("turn__round").order_by("number"))
        for sending in sendings(battles, turn.number, self.rng):
            yield self._act_at(turn, sending.at, partial(self.desk.send, sending))
        for battle in battles if turn.number < PRESENT else []:
            due, scored = clock.closes(battle.deadline), self.rng.uniform(0.9, 0.94)
            acts = ((scored, self.desk.score), (scored + 0.05, self.desk.publish))
            for part, act in acts[:1] if battle in self._left_for_later(turn) else acts:
                yield max(due, self.calendar.moment(turn.number, part)), partial(act, battle, self.judge)

    def _act_at(self, turn: Turn, part: float, act: Callable[[datetime], object]) -> Act:
        return self.calendar.moment(turn.number, part), act

    def _owners(self, turn: Turn) -> dict[str, str]:
        """5.2: who posts for which army. Some players are silent, but none whose armies are on long moves."""
        control = control_at(self.round, turn.opened_at)
        busy = {by for army in position_of(turn).armies if army.plan for by in control.get(army.name, ())}
        silent = self.rng.sample(sorted(self.players.keys() - busy), SILENT[turn.number])
        return {army: by[0] for army, by in sorted(control.items()) if by[0] not in silent}

    def _acts_of_post(self, turn: Turn, post: Writing) -> Iterator[Act]:
        """3.1, R7: the post and its edits."""
        player, token = self.players[post.player], f"demo-{self.rng.getrandbits(64):016x}"
        (at, text), *edits = post.versions

        def submit(now: datetime) -> object:
            return submit_post(turn=turn, player=player, text=text, sealed=post.sealed, token=token, now=now)

        def edit(number: int, text: str, now: datetime) -> object:
            row = player.posts.get(turn=turn, token=token)
            return edit_post(post=row, player=player, text=text, base_version=number, now=now)

        yield self._act_at(turn, at, submit)
        for number, (later, changed) in enumerate(edits, 1):
            yield self._act_at(turn, later, partial(edit, number, changed))

    def _send_manifest(self, turn: Turn, plan: TurnPlan, owners: dict[str, str], now: datetime) -> None:
        """3.2.4.2: what the planned transfer sends, if there is one."""
        if plan.manifest:
            player = self.players[owners[plan.manifest.sender]]
            send_manifest(turn=turn, player=player, **plan.manifest._asdict(), now=now)

    def _let_the_mercenaries_be(self, turn: Turn, now: datetime) -> None:
        """R48: their judge declares no changes after the lock, so that nobody waits for them."""
        judge = Judge.objects.get(round=self.round, role=Role.MERCENARY)
        set_window(turn=turn, judge=judge, done=True, now=now)

    def _hand_over(self, plan: TurnPlan, owners: dict[str, str], now: datetime) -> None:
        """5.4.2: a leader takes over an army after its player has posted, so that the orders are void."""
        name = next((name for name in plan.marching if self._may_be_handed_over(name, owners)), None)
        if name:
            army = Army.objects.get(round=self.round, name=name)
            leader = next(p for p in self.players.values() if p.side == army.side and p.may_change_control)
            assign(round=self.round, army=army, player=leader, now=now, actor=leader.user)

    def _may_be_handed_over(self, army: str, owners: dict[str, str]) -> bool:
        """5.3.2, 5.3.4: nobody's namesake, nor its player's last army, nor a leader's."""
        owner = self.players[owners[army]]
        armies = sum(by == owner.name for by in owners.values())
        return army not in self.players and armies > 2 and not owner.may_change_control
