"""R60: who is done with a turn, and the lock that is brought forward when all are."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from judging.announcements.models import Notice
from judging.battles.models import Battle
from judging.command.people.absence import state_leave
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.texts import utc
from judging.common.viewer import Viewer, viewer_of
from judging.turns.done.models import DoneMark, EarlyLock
from judging.turns.done.services import DoneView, done_view, lock_early, mark_done, put_lock_back, take_back
from judging.turns.posts.services import edit_post, withdraw_post
from judging.turns.rulings.corrections import apply_correction
from judging.turns.stages import advance
from tests.services.ruling import new, propose
from tests.services.test_exactly_once import at_once
from tests.services.world_of_tests import HOUR, LOCK, LOCKED, UNLOCK, World
from wargame.models import Player, Round, Turn

NOW = UNLOCK + 2 * HOUR + timedelta(seconds=1)
EARLY = UNLOCK + 3 * HOUR + timedelta(minutes=1)
"""The first full minute that is no sooner than an hour after NOW."""


def allow(world: World) -> None:
    Round.objects.update(may_lock_early=True)
    world.round.refresh_from_db()


def done(world: World, *names: str) -> None:
    for name in names or world.players:
        mark_done(turn=world.turn, player=world.players[name], now=world.turn.opened_at + HOUR)


def early(world: World, hours: int = 1, judge: str = "movement") -> EarlyLock:
    now = world.turn.opened_at + 2 * HOUR + timedelta(seconds=1)
    return lock_early(turn=world.turn, judge=world.judges[judge], hours=hours, now=now)


def seen(world: World, who: str = "") -> DoneView:
    person = world.players.get(who) or world.judges.get(who)
    viewer = viewer_of(person.user, world.round) if person else Viewer(None, world.round)
    view = done_view(world.turn, viewer, NOW)
    assert view is not None
    return view


def told(world: World, kind: str) -> list[str]:
    return [notice.text for notice in Notice.objects.filter(turn=world.turn, kind=kind).order_by("pk")]


@pytest.fixture
def ready(world: World) -> World:
    """A round that allows it, in whose first turn all are done."""
    allow(world)
    done(world)
    return world


def test_a_player_is_done_once_and_takes_it_back(world: World) -> None:
    done(world, "Ana", "Ana")
    assert seen(world, "Ana").is_mine
    take_back(turn=world.turn, player=world.players["Ana"], now=NOW)
    take_back(turn=world.turn, player=world.players["Ana"], now=NOW)
    assert not seen(world, "Ana").is_mine


def test_everybody_reads_a_number_and_only_judges_and_ones_own_leaders_read_names(world: World) -> None:
    done(world, "Ben", "Hex")
    for name, rank in (("Ana", "general"), ("Gaz", "praetor")):
        Player.objects.filter(name=name).update(rank=rank)
    numbers = {who: (seen(world, who).done, seen(world, who).of) for who in ("", "Ana", "Hex", "movement", "mercenary")}
    assert set(numbers.values()) == {(2, 4)}
    names = {who: seen(world, who).names for who in ("", "Ana", "Ben", "Gaz", "Hex", "movement", "battle", "mercenary")}
    assert names == {
        "": (), "Ana": ("Ben",), "Ben": ("Ben",), "Gaz": ("Hex",), "Hex": ("Hex",),
        "movement": ("Ben", "Hex"), "battle": ("Ben", "Hex"), "mercenary": (),
    }  # fmt: skip
    assert seen(world, "Ben").missing == ()


def post_again(world: World) -> None:
    world.post("Ana", "3D > 4D", at=NOW)


def post_sealed(world: World) -> None:
    world.post("Ana", "3D > 4D", at=LOCK - HOUR, sealed=True)


def edit(world: World) -> None:
    post = world.turn.posts.get()
    edit_post(post=post, player=world.players["Ana"], text="3D > 5D", base_version=1, now=NOW)


def withdraw(world: World) -> None:
    withdraw_post(post=world.turn.posts.get(), player=world.players["Ana"], now=NOW)


@pytest.mark.parametrize("write", [post_again, post_sealed, edit, withdraw])
def test_who_writes_in_the_thread_is_not_done_any_more(world: World, write: Callable[[World], None]) -> None:
    world.post("Ana", "hold")
    done(world, "Ana", "Ben")
    write(world)
    assert [mark.player.name for mark in DoneMark.objects.all()] == ["Ben"]


def test_the_same_text_again_leaves_the_mark(world: World) -> None:
    world.post("Ana", "hold")
    done(world, "Ana")
    world.post("Ana", "hold", at=NOW)
    assert DoneMark.objects.count() == 1


def test_nobody_is_done_after_the_lock_nor_without_an_army_nor_as_a_stranger(world: World) -> None:
    with pytest.raises(Refused, match="The Orders thread of turn 1 locked on"):
        mark_done(turn=world.turn, player=world.players["Ana"], now=LOCKED)
    with pytest.raises(Refused, match="The Orders thread of turn 1 locked on"):
        take_back(turn=world.turn, player=world.players["Ana"], now=LOCKED)
    with pytest.raises(Refused, match="R60"):
        mark_done(turn=world.turn, player=None, now=NOW)
    world.army("Ana").controls.update(until=UNLOCK + HOUR)
    with pytest.raises(Refused, match="control an army on the map"):
        mark_done(turn=world.turn, player=world.players["Ana"], now=NOW)


def test_when_all_are_done_a_judge_has_the_turn_lock_at_a_full_minute_an_hour_later(ready: World) -> None:
    early(ready)
    assert (ready.turn.lock_at, ready.turn.deadline) == (EARLY, EARLY)
    assert len(told(ready, "early_lock")) == 2
    assert f"locks on {utc(EARLY)}" in told(ready, "early_lock")[0]
    assert LogEntry.objects.filter(action="turn.early_lock").count() == 1
    assert advance(ready.turn.pk, EARLY) == "open"
    assert advance(ready.turn.pk, EARLY + timedelta(minutes=1)) == "settled"
    assert ready.turn.lock_at == EARLY + timedelta(days=7), "the next turn has its whole length"


def test_it_is_refused_where_the_round_does_not_allow_it(world: World) -> None:
    done(world)
    with pytest.raises(Refused, match="Turns of this round"):
        early(world)


def test_it_is_refused_while_an_active_player_is_not_done(world: World) -> None:
    allow(world)
    done(world, "Ana", "Ben", "Gaz")
    with pytest.raises(Refused, match="Still waiting for Hex"):
        early(world)
    assert world.turn.lock_at == LOCK


def test_who_is_away_is_not_waited_for(world: World) -> None:
    allow(world)
    done(world, "Ana", "Ben", "Gaz")
    state_leave(player=world.players["Hex"], since=UNLOCK, until=None, note="", now=UNLOCK)
    early(world)
    assert world.turn.lock_at == EARLY


def test_it_is_refused_if_nobody_is_done(world: World) -> None:
    allow(world)
    for player in world.players.values():
        state_leave(player=player, since=UNLOCK, until=None, note="", now=UNLOCK)
    with pytest.raises(Refused, match="No players have marked themselves as done"):
        early(world)


def test_it_is_refused_when_the_lock_is_nearer_anyway(ready: World) -> None:
    judge = ready.judges["movement"]
    with pytest.raises(Refused, match="anyway"):
        lock_early(turn=ready.turn, judge=judge, hours=1, now=LOCK - HOUR)
    lock_early(turn=ready.turn, judge=judge, hours=1, now=LOCK - HOUR - timedelta(minutes=1))
    with pytest.raises(Refused, match="already"):
        early(ready)


def test_only_movement_and_battle_judges_bring_it_forward(ready: World) -> None:
    with pytest.raises(Refused, match="R60"):
        early(ready, judge="mercenary")
    early(ready, judge="battle")


@pytest.mark.parametrize("undo", [post_again, lambda world: take_back(
    turn=world.turn, player=world.players["Ana"], now=NOW + HOUR
)])  # fmt: skip
def test_if_somebody_is_not_done_after_all_the_lock_is_where_it_was(
    ready: World, undo: Callable[[World], None]
) -> None:
    before = ready.turn.deadline
    early(ready)
    undo(ready)
    assert (ready.turn.lock_at, ready.turn.deadline) == (LOCK, before)
    assert EarlyLock.objects.get().ended_at is not None
    assert len(told(ready, "lock_restored")) == 2
    assert "Ana" not in told(ready, "lock_restored")[0], "who it was is not told to enemies"
    assert LogEntry.objects.get(action="turn.lock_restored").actor is None
    done(ready, "Ana")
    early(ready)
    assert ready.turn.lock_at == EARLY, "and it may be announced anew"


def test_a_judge_takes_an_early_lock_back(ready: World) -> None:
    early(ready)
    put_lock_back(turn=ready.turn, judge=ready.judges["battle"], now=NOW + timedelta(minutes=1))
    assert ready.turn.lock_at == LOCK
    assert "Judge battle undid the early lock" in told(ready, "lock_restored")[0]
    with pytest.raises(Refused, match="R60"):
        put_lock_back(turn=ready.turn, judge=ready.judges["battle"], now=NOW + timedelta(minutes=2))


def test_a_strat_that_is_due_is_waited_for(war: World) -> None:
    allow(war)
    battle = Battle.objects.get()
    done(war)
    with pytest.raises(Refused, match=r"3F \(Ana, Gaz\)"):
        early(war)
    war.strat(battle, "Ana", "Ana")
    with pytest.raises(Refused, match=r"in 3F \(Gaz\)"):
        early(war)
    war.strat(battle, "Gaz", "Gaz")
    early(war)
    battle.refresh_from_db()
    assert battle.deadline == war.turn.deadline == war.turn.lock_at


def test_a_strat_whose_deadline_has_passed_is_not_waited_for(war: World) -> None:
    allow(war)
    done(war)
    turn = war.turn
    judge = war.judges["movement"]
    for player in war.players.values():
        war.post(player.name, f"Word {player.pk}", at=turn.deadline)
        mark_done(turn=turn, player=player, now=turn.deadline)
    lock_early(turn=turn, judge=judge, hours=1, now=turn.deadline + 2 * HOUR)
    assert (war.turn.deadline, war.turn.lock_at) == (turn.deadline, turn.deadline + 3 * HOUR)
    assert Battle.objects.get().deadline == turn.deadline


def test_the_battles_deadlines_go_back_too(war: World) -> None:
    allow(war)
    battle = Battle.objects.get()
    for name in ("Ana", "Gaz"):
        war.strat(battle, name, name)
    done(war)
    early(war)
    take_back(turn=war.turn, player=war.players["Ana"], now=war.turn.opened_at + 2 * HOUR)
    fresh = Battle.objects.get()
    assert fresh.deadline == battle.deadline == war.turn.deadline


def test_a_correction_of_the_map_takes_all_marks_off_and_puts_the_lock_back(war: World) -> None:
    """3.3.3: nobody was done with the map as it is now."""
    allow(war)
    lock_at = war.turn.lock_at
    for name in ("Ana", "Gaz"):
        war.strat(Battle.objects.get(), name, name)
    done(war)
    early(war)
    correction = propose(war, new("aside", "Ana"))
    apply_correction(
        correction=correction, judge=war.judges["movement"], now=war.turn.opened_at + 2 * HOUR + timedelta(minutes=5)
    )
    assert war.turn.lock_at == lock_at
    assert not DoneMark.objects.filter(turn=war.turn).exists()
    assert len(told(war, "lock_restored")) == 2


@pytest.mark.django_db(transaction=True)
def test_a_player_who_is_not_done_after_all_beside_the_early_lock_ends_it_or_prevents_it(ready: World) -> None:
    turn, ana = ready.turn, ready.players["Ana"]
    at_once(lambda: early(ready), lambda: take_back(turn=turn, player=ana, now=NOW))
    assert Turn.objects.get(pk=turn.pk).lock_at == LOCK
    assert not EarlyLock.objects.filter(ended_at=None).exists()


@pytest.mark.django_db(transaction=True)
def test_two_judges_at_once_bring_it_forward_once(ready: World) -> None:
    given = at_once(lambda: early(ready), lambda: early(ready, judge="battle"))
    assert sorted(type(each).__name__ for each in given) == ["EarlyLock", "Refused"]
    assert len(told(ready, "early_lock")) == 2


@pytest.mark.django_db(transaction=True)
def test_a_mark_that_is_taken_back_beside_the_lock_is_taken_back_before_it_or_refused(ready: World) -> None:
    early(ready)
    turn, ana = ready.turn, ready.players["Ana"]
    back, _ = at_once(
        lambda: take_back(turn=turn, player=ana, now=EARLY),
        lambda: advance(turn.pk, EARLY + timedelta(minutes=1)),
    )
    fresh = Turn.objects.get(pk=turn.pk)
    assert (fresh.lock_at, fresh.state) == ((EARLY, "settled") if isinstance(back, Refused) else (LOCK, "open"))
