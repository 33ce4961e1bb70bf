"""1.3, 1.4, 3.1, 3.3.3: the demo people's messages, votes, decisions and rulings beside their orders, each at its
time."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import cycle

from django.contrib.auth.models import User
from django.urls import reverse

from judging.armies.changes.services import (
    Changing,
    changing,
    decide_change,
    judged_change,
    save_change,
    send_change,
    text_of,
)
from judging.armies.models import ChangeRequest
from judging.armies.musters.validation import MusterText, four
from judging.battles.models import Battle
from judging.battles.strats.extensions import LONGEST, extend_strats
from judging.boards.models import Message
from judging.boards.queries.boards import BOARDS
from judging.boards.queries.messages import messages_on, quoted
from judging.boards.services import edit_message, hide_message, write_message
from judging.command.control.powers import set_contingencies
from judging.command.models import Declaration, Leave
from judging.command.people.absence import declare_inactive, end_leave, reject_declaration, state_leave
from judging.command.people.ranks import give_rank
from judging.common.control import controllers_of
from judging.common.positions import position_of
from judging.common.viewer import Viewer, viewer_of
from judging.demo import loading
from judging.demo.loading import Row
from judging.demo.times import Calendar
from judging.turns.models import Correction, Draft, Ruling
from judging.turns.rulings.corrections import apply_correction, propose_correction
from judging.turns.rulings.services import NewRuling, add_ruling
from judging.votes.models import Ballot, Vote
from judging.votes.services import Call, call_vote, cast_ballot, count_closed
from wargame.models import Creature, Judge, Player, Round, Turn
from wargame.models.choices import Role
from wargame.rules.command.votes import Terms, VoteKind
from wargame.rules.core.sides import RANKS, Rank, Side
from wargame.rules.telling.telling import tell_all

Deed = tuple[float, Callable[[datetime], object]]
"""A part of a turn, and what is said or decided then."""

A_MOMENT = timedelta(seconds=1)
"""The time until an author or a judge changes a message; short enough for the shortest turns."""

MISSING, NONE = "missing", "none"
"""Among the ballots of a vote: the marks for a missing ballot, and for a ballot without a choice."""

AWAY = "Tiny Atrocity"
PROMOTED, LEADER = "Tinker's Apprentice", "Auric Thorn"
QUIET, ACCUSER = "Hex Machina", "Xarthul"
"""1.3, 5.1: who takes a leave, who gets a rank from whom, and who is called inactive by whom."""

RULED, CORRECTED = 2, 3
"""3.3.3: the turn on whose moves the movement judge rules while its last battle is open, and the one to be
corrected."""

HARSH = "3.2.2.4"
"""The refusal that the judge finds too hard: a route that cuts a corner, though start and end are plain."""

WHY_FIRST = """\
The route cuts a corner, so the line was refused. But start, end and distance are plain and within the rules, and \
nobody could have read another destination into it. The slip is the route's: the army goes there by a drawn one."""

WHY_AGAIN = """\
I decided the same case in ruling {number} of turn {turn} and missed this one before the moves were published: a route \
that cuts a corner between two plain squares. The army goes there by a drawn route, as then."""

CHANGED = 3
"""2.3.2: the turn in which a change of troops is requested."""

KIND = ChangeRequest.Kind.CHANGE.value
REMARK = "They have held the line for a year. Let others have their place while these rest."


def deeds_of(round_: Round, turn: int) -> Iterator[Deed]:
    yield from _talk_of(round_, turn)
    yield from _decisions_of(round_, turn)


def _talk_of(round_: Round, turn: int) -> Iterator[Deed]:
    """3.1: what is said on the boards."""
    for number, row in enumerate(loading.read("boards")["messages"], 1):
        if row["turn"] == turn:
            yield row["at"], partial(_say, round_, row, f"demo-board-{number}")


def _say(round_: Round, row: Row, token: str, now: datetime) -> None:
    viewer, board = _viewer(round_, row["by"]), BOARDS[row["board"]]
    text = _quote(round_, row) + row["text"]
    message = write_message(viewer=viewer, board=board, text=text, token=token, now=now)
    if "edit" in row:
        edit_message(viewer=viewer, board=board, message=message, text=row["edit"], base_version=1, now=now + A_MOMENT)
    if "hidden_by" in row:
        judge = _viewer(round_, row["hidden_by"])
        hide_message(viewer=judge, board=board, message=message, reason=row["reason"], now=now + A_MOMENT)


def _viewer(round_: Round, username: str) -> Viewer:
    return viewer_of(User.objects.get(username=username), round_)


def _quote(round_: Round, row: Row) -> str:
    if "quotes" not in row:
        return ""
    answered: Message = messages_on(round_, BOARDS[row["board"]]).get(number=row["quotes"])
    address = reverse("board-message", args=[round_.slug, row["board"], answered.number])
    return quoted(answered.text, answered.name, address)


def hold_votes(round_: Round, calendar: Calendar) -> None:
    """1.4: call the votes at their times, and cast the ballots; votes that are over are counted."""
    players = {player.name: player for player in Player.objects.filter(round=round_).select_related("user")}
    for number, row in enumerate(loading.read("votes")["votes"]):
        vote = _call(round_, players[row["by"]], row, calendar, f"demo-vote-{number}")
        if vote is not None:
            _cast(vote, row)
    count_closed(calendar.now)


def _call(round_: Round, by: Player, row: Row, calendar: Calendar, token: str) -> Vote | None:
    """None if the round is too young for a vote that is closed by now."""
    start, now = calendar.opens(1), calendar.now
    called_at = max(start, now - timedelta(days=row["called"]))
    closes_at = called_at + timedelta(days=row["lasts"])
    terms = Terms(VoteKind(row["kind"]))
    if closes_at > now and row["lasts"] < row["called"]:
        return None
    call = Call(row["question"], row["options"], closes_at, terms, token, row["text"])
    return call_vote(round=round_, by=by, call=call, now=called_at)


def _cast(vote: Vote, row: Row) -> None:
    choices = cycle(row["ballots"])
    for ballot in Ballot.objects.filter(vote=vote).select_related("player__round").order_by("player__name"):
        choice = next(choices)
        if choice != MISSING:
            number = None if choice == NONE else int(choice)
            cast_ballot(vote=vote, player=ballot.player, choice=number, now=vote.called_at)


def _decisions_of(round_: Round, turn: int) -> Iterator[Deed]:
    """1.3: decisions of leaders and judges, so that the log has entries."""
    if turn == 1:
        yield 0.3, partial(_leave, round_)
    if turn == 2:
        yield 0.1, partial(_come_back, round_)
        yield 0.25, partial(_promote, round_)
        yield 0.35, partial(_declare, round_)
        yield 0.45, partial(_reject, round_)
    if turn == 3:
        yield 0.2, partial(_give_time, round_)
        yield 0.6, partial(_name_contingency, round_)


def _player(round_: Round, name: str) -> Player:
    return Player.objects.select_related("round", "user").get(round=round_, name=name)


def _judge(round_: Round, role: Role) -> Judge:
    return Judge.objects.select_related("user").get(round=round_, role=role)


def _leave(round_: Round, now: datetime) -> None:
    """5.1: until they say that they are back."""
    state_leave(player=_player(round_, AWAY), since=now, until=None, note="A wedding, not mine.", now=now)


def _come_back(round_: Round, now: datetime) -> None:
    leave = Leave.objects.get(player__round=round_, player__name=AWAY)
    end_leave(leave=leave, player=_player(round_, AWAY), now=now)


def _promote(round_: Round, now: datetime) -> None:
    """1.1.2: to the next higher rank."""
    by, player = _player(round_, LEADER), _player(round_, PROMOTED)
    ranks = RANKS[Side(player.side)]
    new_rank = ranks[ranks.index(Rank(player.rank)) - 1]
    give_rank(
        round=round_,
        by=by,
        player=player,
        rank=new_rank,
        now=now,
        reason="Not one illegal order since the round began.",
    )


def _declare(round_: Round, now: datetime) -> None:
    by, player = _player(round_, ACCUSER), _player(round_, QUIET)
    declare_inactive(player=player, by=by, reason="The Machine has gone quiet, and its armies stand still.", now=now)


def _reject(round_: Round, now: datetime) -> None:
    """5.1."""
    declaration = Declaration.objects.get(player__round=round_, player__name=QUIET)
    reason = "Who writes three messages a day on the Open board is not away. Talk to him before you take his armies."
    reject_declaration(declaration=declaration, judge=_judge(round_, Role.BATTLE), reason=reason, now=now)


def _give_time(round_: Round, now: datetime) -> None:
    """R5: a quarter of the time from the deadline to the lock, for one army of the turn's first battle."""
    battle = Battle.objects.filter(turn__round=round_).select_related("turn").order_by("-turn__number", "number")[0]
    army = battle.entries.select_related("army").order_by("pk")[0].army
    until = min(battle.deadline + (battle.turn.lock_at - battle.deadline) / 4, now + LONGEST - timedelta(seconds=1))
    if until > battle.deadline:
        why = "His connection is down until the weekend. He told me before the deadline, and asked for no more."
        extend_strats(battle=battle, judge=_judge(round_, Role.MOVEMENT), until=until, reason=why, now=now, army=army)


def _name_contingency(round_: Round, now: datetime) -> None:
    """5.2.3."""
    contingencies = {"Gravelpit Gus": "Brassmonger"}
    set_contingencies(round=round_, player=_player(round_, LEADER), wanted=contingencies, now=now)


def rule(turn: Turn, judge: Judge, now: datetime) -> Ruling | None:
    """3.3.3: lifts the refusal of a broken route, if there is one in the moves of a locked turn."""
    lifted = _lifted(Draft.objects.get(turn=turn).events, WHY_FIRST)
    return add_ruling(turn=turn, judge=judge, ruling=lifted, token=f"demo-{turn.pk}", now=now) if lifted else None


def correct(turn: Turn, judge: Judge, proposed: datetime, applied: datetime) -> Correction | None:
    """3.3.3: lifts such a refusal in a settled turn too, by the precedent of the turn before, if there is one."""
    before = Ruling.objects.filter(turn__round=turn.round_id, turn__number=RULED).select_related("turn").first()
    if before is None:
        return None
    lifted = _lifted(turn.events, WHY_AGAIN.format(number=before.number, turn=before.turn.number))
    if lifted is None:
        return None
    token = f"demo-{turn.pk}-again"
    correction = propose_correction(turn=turn, judge=judge, rulings=[lifted], token=token, now=proposed)
    return apply_correction(correction=correction, judge=judge, now=applied)


def _lifted(events: Iterable[dict[str, object]], reason: str) -> NewRuling | None:
    refused = [event for event in tell_all(events) if event["kind"] == "refused" and event["cites"] == HARSH]
    return NewRuling(Ruling.Kind.LIFTED, refused[0]["army"], HARSH, reason) if refused else None


def ask_for_other_troops(turn: Turn, judge: Judge, now: datetime) -> ChangeRequest | None:
    """2.3.2: for the first army that can, with the first creature for which others of its colours and size are
    known."""
    for change, player, muster in _choices(turn, now):
        if not judged_change(change, muster).is_legal:
            continue
        army = change.row.name
        request = save_change(
            round=turn.round, army=army, kind=KIND, player=player, typed=muster, base_version=0, now=now
        )
        send_change(request=request, player=player, now=now)
        decide_change(request=request, judge=judge, accept=True, reason="They have earned it.", now=now)
        return request
    return None


def _choices(turn: Turn, now: datetime) -> Iterator[tuple[Changing, Player, MusterText]]:
    position = position_of(turn)
    for army in position.armies:
        change = changing(turn.round, army.name, KIND) if army.days and army.name not in position.battle_of else None
        controllers = controllers_of(change.row, now) if change and not change.faults else ()
        if change is None or not controllers:
            continue
        muster = text_of(change, None)
        for old in (troop.creature for troop in army.troops if troop.alive):
            if new := _another(old):
                lists = four([text.replace(old, new) for text in muster.lists])
                yield change, controllers[0], replace(muster, lists=lists, remark=REMARK)


def _another(name: str) -> str:
    """Another creature of the same colours, size and types; empty if none is known."""
    creature = Creature.objects.filter(name=name).first()
    if creature is None:
        return ""
    alike = Creature.objects.filter(
        colors=creature.colors,
        power=creature.power,
        toughness=creature.toughness,
        types=creature.types,
        banned="",
        uses=[],
    )
    other = alike.exclude(pk=creature.pk).order_by("key").first()
    return other.name if other else ""
