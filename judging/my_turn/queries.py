"""3.1, 5.2: A player's current armies, their orders and strats, and the player's tasks, most urgent first."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from judging.appeals.queries import title_of, to_answer
from judging.armies.changes.services import MyChanges
from judging.battles.models import Strat, StratDraft
from judging.battles.queries import rows_of_turn, views_of
from judging.battles.shapes import BattleView, FighterView
from judging.battles.strats.dice_words import all_due_words
from judging.battles.strats.queries import counting_as_read
from judging.boards.queries.read_marks import unread
from judging.command.badges import TeamWaiting
from judging.common.positions import position_of
from judging.common.viewer import Viewer
from judging.my_turn.report import StandingOrder, standing
from judging.penalties.queries import PenaltyView, penalties_by_army
from judging.tables.todo import awaited
from judging.turns.models import Manifest
from judging.turns.posts.parsing import ThreadLine
from judging.turns.posts.queries import PostView, movement_thread
from judging.turns.states import is_open
from judging.votes.queries import waiting_votes
from wargame.models import Army as ArmyRow
from wargame.models import Control, Turn
from wargame.rules.core import clock
from wargame.rules.core.position import Army, Position
from wargame.rules.core.troops import alive_by_slot, strength_by_slot
from wargame.world import place_name

LOOKS = ("illegal", "unreadable", "unread", "remark", "legal", "talk")
"""R8, R14: the readings of lines, in the order in which their author should look at them."""


@dataclass(frozen=True)
class MyArmy:
    """One of the viewer's armies. `plan` are the squares that a long move still leads to (3.2.2.3), `penalties`
    those that took troops from it in this turn (5.4.1)."""

    army: Army
    terrain: str
    place: str
    alive: int
    of: int
    order: StandingOrder | None
    plan: tuple[str, ...]
    battle: BattleView | None
    penalties: tuple[PenaltyView, ...] = ()


@dataclass(frozen=True)
class DueStrat:
    """A battle and the army whose strat the viewer can send. `is_sent`: one that counts exists. `is_late`: its
    deadline has passed."""

    battle: BattleView
    fighter: FighterView
    is_sent: bool
    is_late: bool


@dataclass(frozen=True)
class MineView:
    """A player's share of the turn. Strats that are missing come first; `as_contingency` are other players' (5.2.3).
    `posted` are the lines of their own posts, those that do not count first."""

    armies: tuple[MyArmy, ...]
    strats: tuple[DueStrat, ...]
    as_contingency: tuple[DueStrat, ...]
    posted: tuple[ThreadLine, ...] = ()
    unread: tuple[StandingOrder, ...] = ()
    """R8: lines of the player's posts that may be meant as orders and are not."""
    battles: tuple[BattleView, ...] = ()
    """4.1.1: all battles of the turn."""

    @property
    def without_order(self) -> tuple[str, ...]:
        """The names of the armies that could move and have neither an order nor a long move."""
        return tuple(
            my_army.army.name for my_army in self.armies if not (my_army.order or my_army.plan or my_army.battle)
        )

    @property
    def illegal(self) -> tuple[str, ...]:
        """R14: the names of the armies that will not move because the order that counts for them is illegal."""
        refused = (
            my_army
            for my_army in self.armies
            if my_army.order and my_army.order.entry.line.refusal and not my_army.battle
        )
        return tuple(my_army.army.name for my_army in refused)

    @property
    def missing_strats(self) -> tuple[DueStrat, ...]:
        """4.1.1: the strats that are not sent and can still be sent in time."""
        return tuple(due for due in self.strats if not due.is_sent and not due.is_late)

    @property
    def missed_strats(self) -> tuple[DueStrat, ...]:
        """4.1.1: the strats that were not sent in time."""
        return tuple(due for due in self.strats if not due.is_sent and due.is_late)

    @property
    def next_deadline(self) -> datetime | None:
        """R5: the first deadline of strats that can still be sent in time."""
        return min((due.fighter.deadline for due in self.missing_strats), default=None)


@dataclass(frozen=True)
class FormerArmy:
    """5.2: a former army of the player. It died in turn `army.died_in`, or others control it now."""

    army: ArmyRow
    since: datetime
    until: datetime | None
    now_with: tuple[str, ...]


def is_first(mine: MineView, spans: Iterable[Control]) -> bool:
    """5.2: whether the player has an army for the first time, and has posted nothing yet."""
    return bool(mine.armies) and not mine.posted and all(span.until is None for span in spans)


def mine_of(turn: Turn, viewer: Viewer, spans: Iterable[Control], now: datetime) -> MineView:
    """Everything that the viewer plays in this turn; empty for a viewer who does not play. `spans` are all their
    control."""
    if viewer.player is None:
        return MineView((), (), ())
    position = position_of(turn)
    rows = rows_of_turn(turn)
    battles = views_of(rows, viewer, now, in_full=False, with_notes=False)
    posts = movement_thread(turn, viewer, now)
    living = [span for span in spans if span.army.died_in is None and span.since <= now]
    held_names = {span.army.name for span in living if span.until is None or span.until > now}
    map_armies = [position.by_name[name] for name in sorted(held_names) if name in position.by_name]
    armies = tuple(_mine(army, position, posts, battles) for army in map_armies)
    if turn.penalties:
        penalties = penalties_by_army(turn)
        armies = tuple(replace(my_army, penalties=penalties.get(my_army.army.name, ())) for my_army in armies)
    fighters = [(battle, fighter) for battle in battles for fighter in battle.fighters if fighter.may_send]
    counting = counting_as_read(rows)
    due = [DueStrat(b, f, _counts(f, counting[b.id]), not clock.is_in_time(now, f.deadline)) for b, f in fighters]
    due.sort(key=lambda strat: (strat.is_sent, strat.battle.number))
    return MineView(
        armies=armies,
        strats=tuple(strat for strat in due if strat.fighter.may_send == "controller"),
        as_contingency=tuple(strat for strat in due if strat.fighter.may_send == "contingency"),
        posted=_posted(posts),
        battles=tuple(battles),
        unread=tuple(
            StandingOrder(entry, post)
            for post in posts
            if post.is_mine and not post.stays_talk
            for entry in post.lines
            if entry.line.is_unread
        ),
    )


def _posted(posts: Sequence[PostView]) -> tuple[ThreadLine, ...]:
    """R8, R14: the lines of the viewer's own posts, as they are read: errors first, talk last."""
    lines = [entry for post in posts if post.is_mine for entry in post.lines if entry.line.text.strip()]
    return tuple(sorted(lines, key=lambda entry: (LOOKS.index(entry.look), entry.is_replaced)))


def former_armies(
    spans: Iterable[Control], own: Collection[str], control: Mapping[str, tuple[str, ...]]
) -> list[FormerArmy]:
    """5.2: the player's former armies, most recent first. `spans` are all their control, in order, `own` the names
    of their current armies, `control` the present controllers by army."""
    latest = {span.army.name: span for span in spans if span.army.name not in own}
    rows = sorted(latest.values(), key=lambda row: (row.until or row.since, row.army.name), reverse=True)
    return [FormerArmy(row.army, row.since, row.until, control.get(row.army.name, ())) for row in rows]


def _counts(fighter: FighterView, counting: Mapping[str, Strat]) -> bool:
    """R35, 5.4.2: whether a strat of the army counts at present: one of a former controller does not."""
    return fighter.has_strat and fighter.name in counting


def _mine(army: Army, position: Position, posts: Sequence[PostView], battles: Sequence[BattleView]) -> MyArmy:
    return MyArmy(
        army=army,
        terrain=position.board.terrain_at(army.at),
        place=place_name(position.board, army.at),
        alive=sum(alive_by_slot(army.troops)),
        of=sum(strength_by_slot(army.troops)),
        order=standing(army.name, posts),
        plan=tuple(str(planned.step.to) for planned in army.plan.steps) if army.plan else (),
        battle=next((battle for battle in battles if battle.fighter(army.name)), None),
    )


NEVER = datetime.max.replace(tzinfo=UTC)

PEOPLE_WAIT = timedelta(days=1)
"""1.1, 5.3.4: people who wait for a leader come before tasks that are due later than this."""

TRANSFER = ": transfer to "
"""3.2.4: the part of an order that needs a manifest after its army, in its canonical form."""


@dataclass(frozen=True)
class ToDo:
    """A task: its `kind`, and by when. `is_past`: its time is over, and it can still be done.

    `names` are armies or people that it is about, `number` their count; `battle` and `army` are of a strat, of which
    `has_draft` says that one is stored and not sent, or of a word; `key` and `title` of a vote, or of the post and the
    line in it that is not read as an order, of which `names` are the possible meanings; `number` and `title` of an
    appeal to answer; `table` (its address) and `title` of a card table.
    """

    kind: str
    due: datetime | None = None
    is_past: bool = False
    names: tuple[str, ...] = ()
    number: int = 0
    battle: int = 0
    army: str = ""
    has_draft: bool = False
    key: int = 0
    title: str = ""
    table: str = ""


def tasks_of(
    turn: Turn, viewer: Viewer, mine: MineView, changes: MyChanges, leads: TeamWaiting, now: datetime
) -> list[ToDo]:
    """The viewer's tasks: overdue ones, then by time, then those without one; people who wait for them as a leader
    of their team (`leads`) come before what is due in more than a day. At most five statements, one or two for each
    battle that waits for a word of theirs, and a few where a card table waits for them."""
    led = (("admissions", leads.admissions), ("without_army", leads.without_army))
    tasks = [
        *_strats(mine, viewer),
        *_words(mine, viewer, now),
        *_appeals(viewer),
        *(_orders(turn, viewer, mine) if is_open(turn, now) else ()),
        *_talk(viewer, now),
        *_changes(turn, changes),
        *_tables(viewer, now),
        *(ToDo(kind, number=number) for kind, number in led if number),
        *([ToDo("desk")] if viewer.roles else ()),
    ]
    people = {kind: now + PEOPLE_WAIT for kind, _ in led}
    return sorted(tasks, key=lambda task: (not task.is_past, task.due or people.get(task.kind, NEVER)))


def _strats(overview: MineView, viewer: Viewer) -> Iterator[ToDo]:
    """4.1.1, 5.2.3: the missing strats, the viewer's own and those of players for whom they stand in."""
    missing = [due for due in (*overview.strats, *overview.as_contingency) if not due.is_sent]
    if not missing:
        return
    rows = StratDraft.objects.filter(player=viewer.player, entry__battle__in=[due.battle.id for due in missing])
    drafts = set(rows.values_list("entry__battle", "entry__name"))
    for due in missing:
        yield _strat(due, has_draft=(due.battle.id, due.fighter.name) in drafts)


def _strat(due: DueStrat, *, has_draft: bool) -> ToDo:
    kind = "strat" if due.fighter.may_send == "controller" else "strat_as_contingency"
    return ToDo(
        kind,
        due.fighter.deadline,
        due.is_late,
        battle=due.battle.id,
        army=due.fighter.name,
        has_draft=has_draft,
        title=due.battle.headline,
    )


def _words(overview: MineView, viewer: Viewer, now: datetime) -> Iterator[ToDo]:
    """R38: the words that were sealed with strats, once the score is locked."""
    titles = {battle.id: battle.headline for battle in overview.battles}
    for due_word in all_due_words(overview.battles, viewer, now):
        yield ToDo("word", due_word.until, battle=due_word.battle, army=due_word.army, title=titles[due_word.battle])


def _appeals(viewer: Viewer) -> Iterator[ToDo]:
    """R57: the appeals that a judge must answer; a judge who plays in the round answers none."""
    for appeal in to_answer(viewer) if viewer.roles and viewer.player is None else ():
        yield ToDo("appeal", appeal.due_at, number=appeal.number, title=title_of(appeal))


def _orders(turn: Turn, viewer: Viewer, overview: MineView) -> Iterator[ToDo]:
    """R8, R14, 3.2.4.2: until the lock: armies whose orders are missing, illegal or unreadable, and manifests."""
    if overview.illegal:
        yield ToDo("order_illegal", turn.lock_at, names=overview.illegal)
    for unread_line in overview.unread:
        line = unread_line.entry.line
        yield ToDo("line_unread", turn.lock_at, names=tuple(line.meant), key=unread_line.post.id, title=line.text)
    if overview.without_order:
        yield ToDo("order_missing", turn.lock_at, names=overview.without_order)
    sending = [each for each in overview.armies if each.order and TRANSFER in each.order.entry.line.order_text]
    if sending:
        senders = set(Manifest.objects.filter(turn=turn, player=viewer.player).values_list("sender", flat=True))
        names = tuple(each.army.name for each in sending if each.army.name not in senders)
        if names:
            yield ToDo("manifest", turn.lock_at, names=names)


def _talk(viewer: Viewer, now: datetime) -> Iterator[ToDo]:
    """R46, 3.1: votes without the viewer's ballot, and messages with their name."""
    for vote in waiting_votes(viewer, now):
        yield ToDo("vote", vote.closes_at, key=vote.pk, title=vote.question)
    if mentions := unread(viewer).mentions:
        yield ToDo("mentions", number=mentions)


def _tables(viewer: Viewer, now: datetime) -> Iterator[ToDo]:
    """T10: the card tables where the viewer is to move: they belong to no round, but are tasks all the same."""
    for each in awaited(viewer, now):
        yield ToDo(f"table_{each.kind}", each.due, title=each.name, table=each.slug)


def _changes(turn: Turn, changes: MyChanges) -> Iterator[ToDo]:
    """2.3.2, 2.6: an army to personalize, and musters that are not handed in."""
    if changes.offer:
        last = changes.offer_ends == turn.number
        yield ToDo("personalise", turn.lock_at if last else None, names=(changes.offer.army.name,))
    drafts = tuple(row.army.name for row in changes.asked if row.state == "draft")
    if drafts:
        yield ToDo("change_draft", names=drafts)
