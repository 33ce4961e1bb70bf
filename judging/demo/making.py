"""The demo round and its card table: made, described and removed in one transaction, so nobody sees half of it."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from django.contrib.auth.models import Group, User
from django.db.models import ProtectedError

from judging.armies.creatures.services import load_own_list
from judging.battles.models import Battle, BattleArmy, Result, Strat
from judging.battles.strats.queries import all_sent
from judging.common import locking
from judging.common.accounts import DEMO_GROUP
from judging.common.errors import Refused
from judging.common.rounds import current_turn
from judging.demo import loading
from judging.demo.loading import load
from judging.demo.people import hold_votes
from judging.demo.playing import Game, Say
from judging.demo.times import PRESENT, calendar_for
from judging.tables import game_state
from judging.tables.cards import lists
from judging.tables.models import CardList, DeckVersion, Seat, Table, TableState
from judging.tables.services import judges, opening, posting
from judging.tables.services.chain import By, Link, logged_as
from judging.turns.models import Post, PostVersion, Ruling
from tables.core.engine import waits_for
from tables.core.offering import offered
from tables.core.state import State
from wargame.models import Army, Judge, Player, Round, Turn
from wargame.models.choices import Role, TurnState
from wargame.rules.core.sides import Side

NAME = "An evening at the harbour"
POSTS = 120
"""The number of posted lines before the present, most of them passes."""
BETWEEN = timedelta(minutes=23)
PASSES = 0.2
"""How often a player passes who could do something."""
MOST_SEEDS = 20
DECKS = ("Harbour", "Ember")


def lay_table(players: tuple[User, User], names: tuple[str, str], judge: User, now: datetime) -> Table:
    """The table in the middle of its game, played by the moves that its pages offer. Nothing but the seed depends on
    chance, and a seed with which the game would end soon is replaced. To be called in a transaction."""
    start = now - BETWEEN * (POSTS + 4)
    card_list = lists.take_made_up("kryptik", start)
    for game in ("seize", "altered"):
        lists.take_made_up(game, start)  # so that every game can be tried
    for _ in range(MOST_SEEDS):
        with suppress(_Ends), locking.transaction():
            return _laid(players, names, judge, card_list, start)
    raise RuntimeError("No seed gives a card table that is played on.")


def _laid(
    players: tuple[User, User], names: tuple[str, str], judge: User, card_list: CardList, start: datetime
) -> Table:
    """The table with one seed. Raises _Ends if its game would be over by now, or at the next default."""
    plan = opening.TablePlan(NAME, "kryptik", "constructed", card_list)
    table = opening.open_table(user=players[0], plan=plan, now=start)
    judges.name_judge(table=table, by=players[0], username=judge.get_username(), name="Magistra", now=start)
    for user, name, deck in zip(players, names, DECKS, strict=True):
        version = DeckVersion.objects.filter(deck__name=deck, deck__owner__isnull=True).latest("number")
        coming = opening.Coming(name, version, word=f"a cut of {name}, long enough")
        opening.sit_down(table=table, user=user, coming=coming, now=start)
    Table.objects.filter(pk=table.pk).update(is_demo=True)
    _play(table, start)
    fresh_table = Table.objects.get(pk=table.pk)
    _check_goes_on(fresh_table)
    return fresh_table


def _play(table: Table, start: datetime) -> None:
    random = Random(16)
    for number in range(POSTS):
        row = Table.objects.select_related("card_list").get(pk=table.pk)
        state = game_state.state_of(row)
        letter = waits_for(state)[0][0]
        seat = Seat.objects.select_related("user").get(table=row, letter=letter)
        lines = offered(game_state.rules_of(row), state, letter)
        at = start + BETWEEN * (number + 1)
        tries = [_chosen(lines, random, is_decision=state.decision is not None), lines[0]]
        if not any(_posted(row, seat, line, number, at) for line in tries):
            raise _Ends


def _check_goes_on(table: Table) -> None:
    """A first visitor of the demo must find a player to move: no default or beat can end the game."""
    state = game_state.state_of(table)
    for args in ({"what": "time", "seat": waits_for(state)[0][0]}, {"what": "beat"}):
        tried = game_state.carried(table, logged_as(table, By("service"), Link("tick", args)))
        if isinstance(tried.table, State) and tried.table.result is not None:
            raise _Ends


class _Ends(Exception):
    """This post would end the game, and the demo would show nothing but its end."""


def _posted(row: Table, seat: Seat, line: str, number: int, at: datetime) -> bool:
    """Whether the line was posted: it was legal, and the game goes on."""
    try:
        with locking.transaction():
            posting.post(table=row, user=seat.user, lines=[line], on=row.head, token=f"demo {number}", now=at)
            if Table.objects.filter(pk=row.pk, state=TableState.OVER).exists():
                raise _Ends
    except (Refused, _Ends):
        return False
    return True


def _chosen(lines: tuple[str, ...], random: Random, *, is_decision: bool) -> str:
    """A line as a player would choose it: souls and cards before passes, attacks before none."""
    moves = [line for line in lines if line.startswith(("soul", "cast", "attack with", "use"))]
    if moves and (is_decision or random.random() > PASSES):
        return random.choice(moves)
    return random.choice(lines) if is_decision else lines[0]


AT_THE_TABLE = ("Auric Thorn", "Mirrormask")
"""The players at the card table."""

WAITING_FOR_STRATS, WITHOUT_POSTS = 2, 2
"""The number of players of each kind in the table of log-ins."""


def make(*, turn_length: timedelta | None, fresh: bool, now: datetime, say: Say) -> Round:
    """Make the demo round; with `fresh`, replace the old one. Refused if another person has one of its log-ins."""
    with locking.transaction(is_alone=True):
        if fresh:
            remove()
        load_own_list()
        calendar = calendar_for(turn_length, now)
        say("Loading the demo round: its map, its people and its armies ...")
        round_ = load(calendar)
        Game(round_, calendar).play(say)
        hold_votes(round_, calendar)
        _lay_table(round_, now)
    return round_


def _lay_table(round_: Round, now: datetime) -> None:
    first, second = (Player.objects.select_related("user").get(round=round_, name=name) for name in AT_THE_TABLE)
    judge = Judge.objects.select_related("user").get(round=round_, role=Role.BATTLE)
    lay_table((first.user, second.user), (first.name, second.name), judge.user, now)


def summary(round_: Round) -> str:
    battles = Battle.objects.filter(turn__round=round_)
    present = battles.filter(turn__number=PRESENT).count()
    turn = current_turn(round_)
    versions = PostVersion.objects.filter(post__turn__round=round_).count()
    posts = Post.objects.filter(turn__round=round_).count()
    fought = Result.objects.filter(battle__turn__round=round_).count()
    strats = Strat.objects.filter(entry__battle__turn__round=round_).count()
    armies = Army.objects.filter(round=round_, died_in__isnull=True).count()
    lines = [
        f"{round_.name} is ready: {armies} armies, {Player.objects.filter(round=round_).count()} players.",
        f"Turns: {PRESENT - 1} played, turn {PRESENT} open.",
        f"Posts: {posts}, with {versions - posts} edits.",
        f"Battles: {fought} fought, {present} on now; {strats} strats.",
        f"Battle deadline {turn.deadline:%d %B %H:%M:%S} UTC, lock {turn.lock_at:%d %B %H:%M:%S} UTC." if turn else "",
    ]
    return "\n".join(lines)


@dataclass(frozen=True)
class Removed:
    """The number of removed rows, and the log-ins that stay because they own something else."""

    rounds: int
    users: int
    kept: tuple[str, ...]


@locking.writes
def remove() -> Removed:
    """Remove the demo rounds, and the users that the demo made, unless they own something in another round."""
    Table.objects.filter(is_demo=True).delete()
    rounds = list(Round.objects.filter(is_demo=True))
    for round_ in rounds:
        _remove_round(round_)
    users = list(User.objects.filter(groups__name=DEMO_GROUP).order_by("username"))
    usernames = tuple(user.username for user in users if not _remove_user(user))
    if not usernames:
        Group.objects.filter(name=DEMO_GROUP).delete()
    return Removed(len(rounds), len(users) - len(usernames), usernames)


def _remove_round(round_: Round) -> None:
    """The turns go first, because their posts protect the players and armies; and before them the rows that protect
    the corrections."""
    Battle.objects.filter(turn__round=round_).update(cancelled_by=None)
    Ruling.objects.filter(turn__round=round_).delete()
    Turn.objects.filter(round=round_).delete()
    round_.delete()


def _remove_user(user: User) -> bool:
    """Whether the user was removed: administrators, and people who play or judge elsewhere, stay."""
    if user.is_staff or user.is_superuser:
        return False
    try:
        with locking.transaction():
            user.delete()
    except ProtectedError:
        return False
    return True


class DemoLogIn(NamedTuple):
    """A line of the table of log-ins: a role, the log-in name, and what waits for its user."""

    role: str
    name: str
    what: str


def table_of_logins(round_: Round) -> str:
    turn = current_turn(round_)
    rows = [*_judges(round_, turn), *_players(round_, turn), *_at_the_table(), _onlooker()]
    head = DemoLogIn("role", "log-in", "what waits")
    widths = [max(len(row[column]) for row in (head, *rows)) for column in (0, 1)]
    lines = [f"{role:<{widths[0]}}  {name:<{widths[1]}}  {task}" for role, name, task in (head, *rows)]
    title = f"Demo log-ins, all with the password {loading.password()}:"
    more = "All other log-ins are the player's name in lower case, without spaces or punctuation."
    return "\n".join([title, "", *(f"  {line}" for line in lines), "", more])


def _judges(round_: Round, turn: Turn | None) -> list[DemoLogIn]:
    battles = list(Battle.objects.filter(turn=turn, state=Battle.State.WAITING))
    ready = sum(map(all_sent, battles))
    waits = {
        Role.BATTLE: f"{_count(ready, 'battle')} to score, at /judge/ ({len(battles) - ready} more want strats)",
        Role.MOVEMENT: _for_movement(turn),
        Role.MERCENARY: "the mercenaries' orders, which follow the guidelines without a judge's orders, at /judge/",
    }
    judges = {judge.role: judge for judge in Judge.objects.filter(round=round_).select_related("user")}
    return [
        DemoLogIn(str(role.label), judges[role].user.get_username(), task)
        for role, task in waits.items()
        if role in judges
    ]


def _for_movement(turn: Turn | None) -> str:
    """3.3.3: there is a draft between a turn's lock and its settlement, and at no other time."""
    if turn and turn.state == TurnState.MOVED:
        return f"the draft of turn {turn.number}'s moves, at /judge/"
    if turn and turn.state == TurnState.OPEN:
        return f"nothing before turn {turn.number} locks; then rulings and corrections, at /judge/"
    return "rulings and corrections, at /judge/"


def _players(round_: Round, turn: Turn | None) -> list[DemoLogIn]:
    """Some players whose battles need a strat, then some who have posted nothing yet."""
    missing = BattleArmy.objects.filter(battle__turn=turn, strats__isnull=True).order_by("battle__number", "side")
    entries = missing.exclude(army__controls__player=None).filter(army__controls__until__isnull=True)
    rows: dict[str, DemoLogIn] = {}
    for army, at, pk in entries.values_list("army__name", "battle__at", "army__controls__player"):
        if len(rows) < WAITING_FOR_STRATS:
            player = Player.objects.select_related("user").get(pk=pk)
            rows.setdefault(player.name, _of_player(player, f"a strat for {army}, which fights on {at}"))
    player_ids = Post.objects.filter(turn=turn).values_list("player_id", flat=True)
    silent = Player.objects.filter(round=round_).exclude(pk__in=list(player_ids)).exclude(name__in=rows)
    for player in silent.select_related("user").order_by("name")[:WITHOUT_POSTS]:
        rows[player.name] = _of_player(player, "orders for this turn (none posted yet)")
    return list(rows.values())


def _of_player(player: Player, task: str) -> DemoLogIn:
    side = Side(player.side).title.removeprefix("the ")
    return DemoLogIn(f"player, {side}", player.user.get_username(), task)


def _at_the_table() -> list[DemoLogIn]:
    seats = Seat.objects.filter(table__is_demo=True).select_related("user", "table").order_by("letter")
    tasks = {True: "a move at", False: "nothing right now, at"}
    return [
        DemoLogIn(
            "card player", seat.user.get_username(), f"{tasks[seat.asked_at is not None]} /tables/{seat.table.slug}/"
        )
        for seat in seats
    ]


def _onlooker() -> DemoLogIn:
    (onlooker, *_) = loading.read("people")["onlookers"]
    return DemoLogIn("onlooker", onlooker["username"], "nothing; sees what the public sees")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
