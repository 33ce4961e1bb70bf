"""A card table of the demo: two of the round's players in the middle of a game of Kryptik, with made-up cards.

Apart from `making`, because it is played by the writers of card tables and has nothing of the round but two names.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from random import Random

from django.contrib.auth.models import User

from judging.game import locking
from judging.game.errors import Refused
from judging.tables import world
from judging.tables.cards import lists
from judging.tables.models import CardList, DeckVersion, Seat, Table, TableState
from judging.tables.writes import naming, opening, posting
from judging.tables.writes.chain import By, Link, logged_as
from tables.core.engine import waits_for
from tables.core.offering import offered
from tables.core.state import State

NAME = "An evening at the harbour"
POSTS = 120
"""So many lines are posted, most of them passes, before the present."""
BETWEEN = timedelta(minutes=23)
PASSES = 0.2
"""How often somebody passes who could do something."""
MOST_SEEDS = 20
DECKS = ("Harbour", "Ember")


def lay_table(players: tuple[User, User], names: tuple[str, str], judge: User, now: datetime) -> Table:
    """The table in the middle of its game, played by what its pages offer; nothing of it depends on luck but its seed,
    and a seed with which it would soon be over is drawn again. To be called in a transaction."""
    begun = now - BETWEEN * (POSTS + 4)
    card_list = lists.take_made_up("kryptik", begun)
    for game in ("seize", "altered"):
        lists.take_made_up(game, begun)  # so that every game can be tried
    for _ in range(MOST_SEEDS):
        with suppress(_Ends), locking.transaction():
            return _laid(players, names, judge, card_list, begun)
    raise RuntimeError("No seed gives a card table that is played on.")


def _laid(
    players: tuple[User, User], names: tuple[str, str], judge: User, card_list: CardList, begun: datetime
) -> Table:
    """The table with one seed. Raises _Ends where its game would be over by now, or at the next default."""
    plan = opening.TablePlan(NAME, "kryptik", "constructed", card_list)
    table = opening.open_table(user=players[0], plan=plan, now=begun)
    naming.name_judge(table=table, by=players[0], username=judge.get_username(), name="Magistra", now=begun)
    for user, name, deck in zip(players, names, DECKS, strict=True):
        version = DeckVersion.objects.filter(deck__name=deck, deck__owner__isnull=True).latest("number")
        coming = opening.Coming(name, version, word=f"a cut of {name}, long enough")
        opening.sit_down(table=table, user=user, coming=coming, now=begun)
    Table.objects.filter(pk=table.pk).update(is_demo=True)
    _play(table, begun)
    made = Table.objects.get(pk=table.pk)
    _check_goes_on(made)
    return made


def _play(table: Table, begun: datetime) -> None:
    random = Random(16)
    for number in range(POSTS):
        row = Table.objects.select_related("card_list").get(pk=table.pk)
        state = world.state_of(row)
        letter = waits_for(state)[0][0]
        seat = Seat.objects.select_related("user").get(table=row, letter=letter)
        lines = offered(world.rules_of(row), state, letter)
        at = begun + BETWEEN * (number + 1)
        tries = [_chosen(lines, random, is_decision=state.decision is not None), lines[0]]
        if not any(_posted(row, seat, line, number, at) for line in tries):
            raise _Ends


def _check_goes_on(table: Table) -> None:
    """Whoever looks at the demo for the first time must find somebody to move: no default or beat may end the game."""
    state = world.state_of(table)
    for args in ({"what": "time", "seat": waits_for(state)[0][0]}, {"what": "beat"}):
        tried = world.carried(table, logged_as(table, By("service"), Link("tick", args)))
        if isinstance(tried.table, State) and tried.table.result is not None:
            raise _Ends


class _Ends(Exception):
    """By this post the game would be over, and there would be nothing to see but its end."""


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
    """A line as somebody would choose it: souls and cards before passes, attacks before none."""
    others = [line for line in lines if line.startswith(("soul", "cast", "attack with", "use"))]
    if others and (is_decision or random.random() > PASSES):
        return random.choice(others)
    return random.choice(lines) if is_decision else lines[0]
