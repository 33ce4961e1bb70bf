"""A turn of a round in the database, due to be locked, that can be reset after it was settled."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import models

from judging.announcements.models import Notice
from judging.battles.models import Battle, BattleArmy, Result
from judging.common.models import LogEntry
from judging.turns.models import Draft, Manifest, Post, PostVersion
from judging.turns.stages import open_turn
from scripts.bench.turns import Posted
from wargame.models import Army, Base, Control, Judge, Player, Round, Town, Troop, Turn
from wargame.rules.core import codec
from wargame.rules.core.position import Position

BEGINNING = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
WEEK = timedelta(days=7)

CHANGED: tuple[type[models.Model], ...] = (Army, Troop, Control)
ADDED: tuple[type[models.Model], ...] = (Notice, LogEntry, Draft, BattleArmy, Battle, Control, Troop, Army, Turn)
"""Models that a lock changes and adds; the latter ordered so that none comes before those that refer to it."""


@dataclass
class Due:
    """A turn that is due at `now`, and the rows as they are before its lock."""

    turn: int
    now: datetime
    rows: dict[type[models.Model], dict[int, dict[str, Any]]]
    last: dict[type[models.Model], int]

    def set_back(self) -> None:
        for model in ADDED:
            self.added(model)._raw_delete("default")
        for model in CHANGED:
            names = [field.attname for field in model._meta.concrete_fields if not field.primary_key]
            instances = [model(**row) for row in self.rows[model].values()]
            model._base_manager.bulk_create(instances, update_conflicts=True, unique_fields=["id"], update_fields=names)
        fresh: dict[str, Any] = {"state": "open", "locked_at": None, "settled_at": None, "events": [], "next_hash": ""}
        Turn.objects.filter(pk=self.turn).update(**fresh)

    def added(self, model: type[models.Model]) -> models.QuerySet[Any]:
        return model._base_manager.filter(pk__gt=self.last[model]).order_by("pk")


def make_due(posted: Posted, number: int = 1) -> Due:
    """Write the turn of that number, and everything played before it."""
    position = posted.position
    round_ = Round.objects.create(
        name="Bench", slug="bench", state="running", terrain="\n".join(position.board.terrain), created_at=BEGINNING
    )
    _build(round_, position)
    ids = _muster(round_, position)
    players = _enlist(round_, posted)
    _hand_out(round_, posted, ids, players)
    judge = Judge.objects.create(round=round_, user=User.objects.create_user("judge"), name="Judge", role="battle")
    for earlier in range(1, number):
        _settled(_played(round_, earlier, posted, ids, players, judge))
    turn = _played(round_, number, posted, ids, players, judge)
    return Due(
        turn.pk,
        turn.lock_at + timedelta(hours=1),
        {model: {row["id"]: row for row in model._base_manager.values()} for model in CHANGED},
        {model: model._base_manager.aggregate(last=models.Max("pk"))["last"] or 0 for model in ADDED},
    )


def _build(round_: Round, position: Position) -> None:
    for base in position.board.bases:
        Base.objects.create(
            round=round_, name=base.name, at=str(base.at), side=base.side.value, color=base.color or "", win=base.win
        )
    for town in position.board.towns:
        Town.objects.create(round=round_, name=town.name, at=str(town.at))


def _muster(round_: Round, position: Position) -> dict[str, int]:
    """Create the armies and their troops; the armies' keys by name."""
    ids = {}
    for army in position.armies:
        plain = codec.army_to_json(army)
        troops = [{**troop, "place": place} for place, troop in enumerate(plain.pop("troops"))]
        row = Army.objects.create(round=round_, **plain)
        ids[army.name] = row.pk
        columns = {field.attname for field in Troop._meta.concrete_fields}
        Troop.objects.bulk_create(
            Troop(round=round_, army=row, **{key: value for key, value in troop.items() if key in columns})
            for troop in troops
        )
    return ids


def _enlist(round_: Round, turn_data: Posted) -> dict[str, Player]:
    names = {by for by, _ in turn_data.posts} | {name for names in turn_data.control.values() for name in names}
    names |= {manifest.by for manifest in turn_data.manifests}
    return {
        name: Player.objects.create(
            round=round_, user=User.objects.create_user(name), name=name, side="coalition", joined_at=BEGINNING
        )
        for name in sorted(names)
    }


def _hand_out(round_: Round, turn_data: Posted, ids: dict[str, int], players: dict[str, Player]) -> None:
    Control.objects.bulk_create(
        Control(round=round_, army_id=ids[army], player=players[name], since=BEGINNING)
        for army, names in turn_data.control.items()
        for name in names
    )


def _played(
    round_: Round, number: int, turn_data: Posted, ids: dict[str, int], players: dict[str, Player], judge: Judge
) -> Turn:
    """An open turn with its posts, its manifests and the results of its battles."""
    opened = BEGINNING + number * WEEK
    as_json = codec.written_position(turn_data.position)
    turn = open_turn(round_, number, turn_data.position, as_json, codec.digest(as_json), opened + WEEK, ids, opened)
    at = opened + timedelta(hours=1)
    for place, (by, text) in enumerate(turn_data.posts, 1):
        post = Post.objects.create(turn=turn, player=players[by], number=place, posted_at=at, token=str(place))
        stamps = [at.isoformat()] * (text.count("\n") + 1)
        PostVersion.objects.create(post=post, number=1, text=text, at=at, stamps=stamps)
    for manifest in turn_data.manifests:
        entries = [asdict(entry) for entry in manifest.entries]
        parties = {"player": players[manifest.by], "sender": manifest.sender, "receiver": manifest.receiver}
        Manifest.objects.create(turn=turn, entries=entries, sent_at=at, **parties)
    _fought(turn, turn_data, judge)
    return turn


def _fought(turn: Turn, turn_data: Posted, judge: Judge) -> None:
    results = {str(result.at): result for result in turn_data.results}
    fought = {str(battle.at): battle for battle in turn_data.position.battles}
    for battle in Battle.objects.filter(turn=turn):
        result = results[battle.at]
        outcome = {
            "losses": result.losses, "killed": result.killed, "captured": result.captured, "attempts": [],
            "leaves": "", "leaves_to": "", "took_part": fought[battle.at].armies,
        }  # fmt: skip
        winner = fought[battle.at].sides.index(result.winner)
        Result.objects.create(battle=battle, judge=judge, winner=winner, outcome=outcome, published_at=battle.deadline)
    Battle.objects.filter(turn=turn).update(state=Battle.State.PUBLISHED)


def _settled(turn: Turn) -> None:
    """Write what a lock leaves behind, as long as a real one's."""
    move = {"from": "3D", "to": "4D", "route": ["3D", "4D"], "paths": 0, "later": []}
    events = [{"kind": "moved", "army": "An army that goes a long way " * 4, **move}] * 200
    Turn.objects.filter(pk=turn.pk).update(
        state="settled", locked_at=turn.lock_at, settled_at=turn.lock_at, events=events, next_hash=turn.position_hash
    )
    Draft.objects.create(turn=turn, events=events, places={}, computed_at=turn.lock_at, publish_at=turn.lock_at)
    Notice.objects.create(turn=turn, thread="movement", kind="update", at=turn.lock_at, data={"told": "The update."})
    for action in ("turn.locked", "turn.settled"):
        LogEntry.objects.create(round_id=turn.round_id, at=turn.lock_at, action=action, data={"turn": turn.number})
