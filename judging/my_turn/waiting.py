"""What waits for somebody in a round, the most urgent first: orders, strats, votes, answers, a leader's decisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from judging.appeals.reads import title_of, to_answer
from judging.armies.changes.reads import MyChanges
from judging.battles.models import StratDraft
from judging.battles.strats.words import all_due_words
from judging.boards.reads.read_marks import unread
from judging.command.waiting import TeamWaiting
from judging.game.viewer import Viewer
from judging.my_turn.reads import DueStrat, MineView
from judging.tables.waiting import awaited
from judging.turns.models import Manifest
from judging.turns.states import is_open
from judging.votes.reads import waiting_votes
from wargame.models import Turn

NEVER = datetime.max.replace(tzinfo=UTC)

PEOPLE_WAIT = timedelta(days=1)
"""1.1, 5.3.4: people who wait for a leader come before what is due later than this."""

TRANSFER = ": transfer to "
"""3.2.4: what an order that needs a manifest has after its army, in its canonical form."""


@dataclass(frozen=True)
class ToDo:
    """Something to do: its `kind`, and by when. `is_past`: its time is over, and it can still be done.

    `names` are armies or people that it is about, `number` how many there are of what it is about; `battle` and `army`
    are of a strat, of which `has_draft` says that one is kept and not sent, or of a word; `key` and `title` of a vote,
    or of the post and the line in it that is not read as an order, of which `names` are what may have been meant;
    `number` and `title` of an appeal that is to be answered; `table` (its address) and `title` of a card table.
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
    """What waits for the viewer: what is overdue, then by its time, then what has none; people who wait for him as a
    leader of his team (`leads`) come before what is due in more than a day. At most five statements, one or two for
    each battle that waits for a word of his, and a few where a card table waits for him."""
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


def _strats(mine: MineView, viewer: Viewer) -> Iterator[ToDo]:
    """4.1.1, 5.2.3: the strats that are missing, one's own and those of whom one stands in for."""
    missing = [due for due in (*mine.strats, *mine.as_contingency) if not due.is_sent]
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


def _words(mine: MineView, viewer: Viewer, now: datetime) -> Iterator[ToDo]:
    """R38: the words that were sealed with strats, once the score is locked."""
    titles = {battle.id: battle.headline for battle in mine.battles}
    for word in all_due_words(mine.battles, viewer, now):
        yield ToDo("word", word.until, battle=word.battle, army=word.army, title=titles[word.battle])


def _appeals(viewer: Viewer) -> Iterator[ToDo]:
    """R57: the appeals that a judge is to answer; who plays in the round answers none."""
    for appeal in to_answer(viewer) if viewer.roles and viewer.player is None else ():
        yield ToDo("appeal", appeal.due_at, number=appeal.number, title=title_of(appeal))


def _orders(turn: Turn, viewer: Viewer, mine: MineView) -> Iterator[ToDo]:
    """R8, R14, 3.2.4.2: until the lock: armies whose orders are missing, illegal or not to be read, and manifests."""
    if mine.illegal:
        yield ToDo("order_illegal", turn.lock_at, names=mine.illegal)
    for unread_line in mine.unread:
        line = unread_line.entry.line
        yield ToDo("line_unread", turn.lock_at, names=tuple(line.meant), key=unread_line.post.id, title=line.text)
    if mine.without_order:
        yield ToDo("order_missing", turn.lock_at, names=mine.without_order)
    sending = [each for each in mine.armies if each.order and TRANSFER in each.order.entry.line.order_text]
    if sending:
        sent = set(Manifest.objects.filter(turn=turn, player=viewer.player).values_list("sender", flat=True))
        names = tuple(each.army.name for each in sending if each.army.name not in sent)
        if names:
            yield ToDo("manifest", turn.lock_at, names=names)


def _talk(viewer: Viewer, now: datetime) -> Iterator[ToDo]:
    """R46, 3.1: votes without one's ballot, and messages with one's name."""
    for vote in waiting_votes(viewer, now):
        yield ToDo("vote", vote.closes_at, key=vote.pk, title=vote.question)
    if mentions := unread(viewer).mentions:
        yield ToDo("mentions", number=mentions)


def _tables(viewer: Viewer, now: datetime) -> Iterator[ToDo]:
    """T10: the card tables at which the viewer is waited for: they belong to no round, and are his all the same."""
    for each in awaited(viewer, now):
        yield ToDo(f"table_{each.kind}", each.due, title=each.name, table=each.slug)


def _changes(turn: Turn, changes: MyChanges) -> Iterator[ToDo]:
    """2.3.2, 2.6: an army to be made one's own, and musters that are not handed in."""
    if changes.offer:
        last = changes.offer_ends == turn.number
        yield ToDo("personalise", turn.lock_at if last else None, names=(changes.offer.army.name,))
    drafts = tuple(row.army.name for row in changes.asked if row.state == "draft")
    if drafts:
        yield ToDo("change_draft", names=drafts)
