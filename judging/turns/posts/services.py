"""3.1, R4, R6, R7, 3.2.4.2: posts in the movement thread, their edits, and transfer manifests.

Every writer locks the turn's row until the transaction ends: the turn's lock waits for the writer, and the writer for
it. So a post is either in the thread before the turn is read for its moves, or refused. A writer is not done with the
turn any more (R60).
"""

from collections.abc import Sequence
from datetime import datetime
from difflib import SequenceMatcher
from typing import NamedTuple

from django.db.models import Max, Q
from django.utils.translation import gettext

from judging.common import locking
from judging.common.control import armies_of, own_army
from judging.common.errors import Refused
from judging.common.models import ReadMark
from judging.common.positions import names_of, position_of
from judging.common.texts import check_storable, checked_text, checked_token, utc
from judging.common.viewer import Viewer
from judging.turns.done.services import lift_mark
from judging.turns.models import Manifest, Post, PostVersion
from judging.turns.posts.queries import THREAD, thread_read_until
from judging.turns.states import check_open, held_turn
from judging.turns.turn_input import EntryJson, times_of
from wargame.models import Player, Turn
from wargame.rules.core import clock
from wargame.rules.core.position import Army, Position
from wargame.rules.core.saying import grouped
from wargame.rules.core.troops import SLOTS
from wargame.rules.core.turn import ManifestEntry
from wargame.rules.posts.notation import split_lines

MAX_POST = 20_000
MAX_LINES = 500

WRITTEN = (
    PostVersion.objects.filter(post__withdrawn_at=None)
    .order_by("-at", "-post__number", "-number")
    .values_list("post", "text", "own_army", "post__sealed")
)
"""R12: what is written in posts that stand, the last first. Whoever goes back to an earlier text after another one
means it anew, for their later line counts."""


@locking.writes
def submit_post(
    *,
    turn: Turn,
    player: Player | None,
    text: str,
    sealed: bool,
    token: str,
    now: datetime,
    stays_talk: bool = False,
) -> Post:
    """3.1, R6: post a text in the turn's thread. The same form sent twice makes one post, and so does the text of the
    player's latest post; that post is returned, with its own `token`. `stays_talk`: the player was asked about the
    lines that look like orders, and leaves them unchanged (R8).

    Refused for a stranger (1.6), after the lock (3.1), for a sealed post before its window (R6), and for a text that is
    empty or too long.
    """
    text = checked_post(text)
    player = _checked_player(turn, player)
    token = checked_token(token)
    turn = held_turn(turn.pk)
    sent_before = Max("pk", filter=Q(player=player, token=token))
    posts = Post.objects.filter(turn=turn).aggregate(sent_before=sent_before, last=Max("number"))
    if posts["sent_before"]:
        return Post.objects.get(pk=posts["sent_before"])
    check_open(turn, now)
    if sealed:
        # Who is done takes that back by writing, and with it an early lock: the window is that of the lock that it was.
        lift_mark(turn, player, now)
        _check_sealed_window(turn, now)
    army = own_army(player, names_of(position_of(turn)), now)
    for pk, *latest in WRITTEN.filter(post__turn=turn, post__player=player)[:1]:
        if latest == [text, army, sealed]:
            return Post.objects.get(pk=pk)
    number = (posts["last"] or 0) + 1
    post = Post.objects.create(turn=turn, player=player, number=number, sealed=sealed, posted_at=now, token=token)
    stamps = [now.isoformat()] * len(text.split("\n"))
    PostVersion.objects.create(
        post=post, number=1, text=text, at=now, stamps=stamps, own_army=army, stays_talk=stays_talk
    )
    lift_mark(turn, player, now)
    return post


@locking.writes
def edit_post(
    *,
    post: Post,
    player: Player | None,
    text: str,
    base_version: int,
    now: datetime,
    stays_talk: bool = False,
) -> PostVersion:
    """R7: a new version of a post, written on top of version `base_version`; `stays_talk` as in `submit_post`.

    The same text again makes no version. Refused for anybody but the author, after the lock, for a text that
    is empty or too long, for a post that was withdrawn, and if it was edited since `base_version`.
    """
    text = checked_post(text)
    if player is None or post.player_id != player.pk:
        raise Refused(gettext("Only the author can edit a post."), "R7")
    turn = held_turn(post.turn_id)
    last = post.versions.order_by("-number")[0]
    if last.text == text:
        return last
    check_open(turn, now)
    withdrawn_at = Post.objects.values_list("withdrawn_at", flat=True).get(pk=post.pk)
    if withdrawn_at:
        raise Refused(
            gettext("You withdrew this post on %(withdrawn_at)s. If you post the text again, it counts from then on.")
            % {"withdrawn_at": utc(withdrawn_at)},
            "R7",
        )
    if last.number != base_version:
        raise Refused(
            gettext(
                "You edited this post in another window. It is now at version %(number)s, but this edit started "
                "from version %(base_version)s. Your text is still in the form. Check the newer version before "
                "you send it again."
            )
            % {"number": last.number, "base_version": base_version},
            "R7",
        )
    army = last.own_army or own_army(player, names_of(position_of(turn)), now)
    lift_mark(turn, player, now)
    return PostVersion.objects.create(
        post=post,
        number=last.number + 1,
        text=text,
        at=now,
        stamps=_stamps(last, text, now),
        own_army=army,
        stays_talk=stays_talk,
    )


@locking.writes
def withdraw_post(*, post: Post, player: Player | None, now: datetime) -> Post:
    """R7: withdraw a post. It stays readable with its versions, and its lines no longer count; a second call changes
    nothing. Refused for anybody but the author, and after the lock."""
    if player is None or post.player_id != player.pk:
        raise Refused(gettext("Only the author can withdraw a post."), "R7")
    turn = held_turn(post.turn_id)
    post = Post.objects.get(pk=post.pk)
    if post.withdrawn_at is None:
        check_open(turn, now, withdraws=True)
        post.withdrawn_at = now
        post.save(update_fields=["withdrawn_at"])
        lift_mark(turn, player, now)
    return post


@locking.writes
def send_manifest(
    *,
    turn: Turn,
    player: Player | None,
    sender: str,
    receiver: str,
    entries: Sequence[ManifestEntry],
    now: datetime,
) -> Manifest:
    """3.2.4.2, R28: store the content of a transfer; the last manifest before the lock counts.

    Refused for a stranger (1.6), after the lock (3.1), for a foreign army (5.4.1), and for content that can never fit:
    see `checked_manifest`.
    """
    player = _checked_player(turn, player)
    turn = held_turn(turn.pk)
    check_open(turn, now)
    checked = checked_manifest(position_of(turn), player, sender, receiver, entries, now)
    lift_mark(turn, player, now)
    return Manifest.objects.create(turn=turn, player=player, sent_at=now, **checked._asdict())


def _checked_player(turn: Turn, player: Player | None) -> Player:
    if player is None or player.round_id != turn.round_id:
        raise Refused(gettext("Only players in this round can take part, under their own name."), "1.6")
    return player


def checked_post(text: str) -> str:
    """The text with nothing but `\\n` between its lines, so that a line's number is the same for everybody."""
    text = "\n".join(split_lines(checked_text(text, what="post", most=MAX_POST, cites="3.1"))).removesuffix("\n")
    lines = text.count("\n") + 1
    if lines > MAX_LINES:
        raise Refused(
            gettext("The post has %(lines)s lines. The limit is %(max_lines)s.")
            % {"lines": grouped(lines), "max_lines": MAX_LINES},
            "3.1",
        )
    return text


def _check_sealed_window(turn: Turn, now: datetime) -> None:
    """R6: sealed orders are accepted from 28 h before the lock, or from the round's own setting."""
    before = turn.round.sealed_before_lock
    if not clock.accepts_sealed(now, turn.lock_at, before):
        raise Refused(
            gettext("You can send sealed orders from %(lock_at)s. Post openly, or wait.")
            % {"lock_at": utc(turn.lock_at - before)},
            "R6",
        )


def _stamps(last: PostVersion, text: str, now: datetime) -> list[str]:
    """R7: the stamps of an edited text: lines that stayed keep theirs; new, changed and moved ones get `now`."""
    before, after = last.text.split("\n"), text.split("\n")
    stamps = [now.isoformat()] * len(after)
    if times_of(last.text, last.stamps) is None:
        return stamps
    for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        stamps[block.b : block.b + block.size] = last.stamps[block.a : block.a + block.size]
    return stamps


MAX_ENTRIES = 24
"""4 slots of 6 creatures (2.1)."""


class CheckedManifest(NamedTuple):
    """3.2.4.2: the fields of a valid manifest: the armies by their names on the map, and its entries."""

    sender: str
    receiver: str
    entries: list[EntryJson]


def checked_manifest(
    position: Position,
    player: Player,
    sender: str,
    receiver: str,
    entries: Sequence[ManifestEntry],
    now: datetime,
) -> CheckedManifest:
    """3.2.4: the names as on the map and the entries as JSON.

    Refused for an army that is not on the map (3.2.2.5), not the player's (5.4.1) or no friend (3.2.4.1), and for
    troops that the sender does not have (2.3.3). The settlement judges what depends on it.
    """
    sending, receiving = _army(position, sender), _army(position, receiver)
    if sending.name not in armies_of(player, now):
        raise Refused(
            gettext("You don't control %(name)s, so you can't send its troops.") % {"name": sending.name}, "5.4.1"
        )
    if sending is receiving or sending.is_enemy(receiving):
        raise Refused(gettext("You can only transfer troops to another army on the same side."), "3.2.4.1")
    if not 0 < len(entries) <= MAX_ENTRIES:
        raise Refused(
            gettext("A manifest can list 1 to %(max_entries)s kinds of troops. Yours has %(number)s.")
            % {"max_entries": MAX_ENTRIES, "number": len(entries)},
            "3.2.4.2",
        )
    totals: dict[tuple[int, str], int] = {}
    for entry in entries:
        _check_entry(sending, entry, totals)
    rows: list[EntryJson] = [{"slot": e.slot, "number": e.number, "creature": e.creature or None} for e in entries]
    return CheckedManifest(sending.name, receiving.name, rows)


def _army(position: Position, name: str) -> Army:
    army_name = position.names.get(name.strip())
    if army_name is None:
        raise Refused(
            gettext("There is no army “%(name)s” on the map. Check the spelling.") % {"name": name[:60]}, "3.2.2.5"
        )
    return position.by_name[army_name]


def _check_entry(sender: Army, entry: ManifestEntry, totals: dict[tuple[int, str], int]) -> None:
    """2.3.3: check that the sender has that many; `totals` counts the troops of earlier entries."""
    creature = entry.creature or ""
    check_storable(creature, what="manifest", cites="3.2.4.2")
    if entry.slot not in SLOTS or entry.number < 1:
        raise Refused(gettext("Each entry of a manifest needs a slot from 1 to 4 and at least 1 creature."), "3.2.4.2")
    has = sum(t.alive for t in sender.troops if t.slot == entry.slot and creature in ("", t.creature))
    key = (entry.slot, creature)
    totals[key] = totals.get(key, 0) + entry.number
    if totals[key] > has:
        pattern = (
            gettext("Slot %(slot)s of %(name)s holds %(has)s %(creature)s; the manifest sends %(wanted)s.")
            if creature
            else gettext("Slot %(slot)s of %(name)s holds %(has)s troops; the manifest sends %(wanted)s.")
        )
        fields = {"name": sender.name, "has": grouped(has), "wanted": grouped(totals[key])}
        raise Refused(pattern % {**fields, "creature": creature[:80], "slot": entry.slot}, "2.3.3")


@locking.writes
def mark_thread_read(*, viewer: Viewer, until: datetime, now: datetime) -> None:
    """3.1: the viewer has read the movement thread up to the posts of `until`. Never backwards; nothing is stored
    without log-in, or if nothing changes."""
    if viewer.user_id is None:
        return
    before, until = thread_read_until(viewer), min(until, now)
    place = {"round": viewer.round, "board": THREAD, "user_id": viewer.user_id}
    if before is None:
        ReadMark.objects.bulk_create([ReadMark(**place, until=until)], ignore_conflicts=True)
    elif before < until:
        ReadMark.objects.filter(**place, until__lt=until).update(until=until)
