"""2.5.2.2: Musters: who may see them, and writing, submitting, accepting and refusing them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext, ngettext

from judging.armies.models import ChangeRequest, HandedIn, MercenaryPlan, Muster
from judging.armies.musters.places import places_of
from judging.armies.musters.validation import Judged, MusterText, four, judged, snapshot
from judging.command.models import Invitation
from judging.common import locking
from judging.common.control import is_leader
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.request_cache import request_cached
from judging.common.texts import check_storable, checked_token, what_word
from judging.common.viewer import Viewer
from wargame.models import Army, Base, Judge, Player, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.armies.findings import MusterFault, MusterFinding
from wargame.rules.armies.muster import Surroundings
from wargame.rules.core.saying import grouped
from wargame.rules.core.sides import RANKS, Rank, Side


@dataclass(frozen=True)
class MissingPlayer:
    """2.5.2.1: A player whose army is not submitted yet; `state` is that of their draft, or empty."""

    player: Player
    state: str


def text_of(muster: Muster) -> MusterText:
    """A muster's row as what stands in its form."""
    return MusterText(
        rank=Rank(muster.rank),
        lists=four(muster.lists),
        name=muster.name,
        colors=tuple(muster.colors),
        legend=muster.legend,
        remark=muster.remark,
        base=muster.base,
    )


def surroundings_of(
    round: Round, side: Side, *, muster: Muster | None = None, army: Army | None = None
) -> Surroundings:
    """2.1, 2.5.2.2, 2.6, R10: The names and legends that are taken: by armies, including their former ones; by
    submitted musters, until the round begins; by accepted requests that wait for a settlement; and, for a muster, the
    names of other players (5.3.2).

    `muster` and `army` are those under check and don't count. The creatures of the other side's musters stay secret.
    """
    return Taken.of(round).around(side, muster=muster, army=army)


@dataclass(frozen=True)
class Taken:
    """2.1, R10: All names and legends of a round, read once to check many musters."""

    players: tuple[Player, ...]
    armies: tuple[Army, ...]
    musters: tuple[Muster, ...]
    hired: tuple[MercenaryPlan, ...]
    waiting: tuple[ChangeRequest, ...]

    @classmethod
    def of(cls, round: Round) -> Taken:
        """Musters and planned mercenaries count until the round begins."""
        musters = handed_in(round).filter(round__state=RoundState.SETUP)
        hired = MercenaryPlan.objects.filter(round=round, round__state=RoundState.SETUP)
        armies = Army.objects.filter(round=round)
        players = Player.objects.filter(round=round, left_at__isnull=True)
        return cls(tuple(players), tuple(armies), tuple(musters), tuple(hired), tuple(waiting_requests(round)))

    def with_muster(self, muster: Muster) -> Taken:
        """With a muster in its current state, submitted before or not."""
        musters = (each for each in self.musters if each.pk != muster.pk)
        return replace(self, musters=(*musters, muster))

    def around(self, side: Side, *, muster: Muster | None = None, army: Army | None = None) -> Surroundings:
        """The facts to check one army, as `surroundings_of` describes them."""
        armies = [each for each in self.armies if army is None or each.pk != army.pk]
        musters = [each for each in self.musters if muster is None or each.pk != muster.pk]
        requests = [each for each in self.waiting if army is None or each.army_id != army.pk]
        serving = {each.legend: "" for each in self.hired if each.legend}
        serving |= {each.legend: each.name for each in armies if each.legend and each.died_in is None}
        serving |= {each.legend: each.name if each.side == side else "" for each in musters if each.legend}
        serving |= {each.legend: "" for each in requests if each.legend}
        names = {one.name for group in (armies, musters, self.hired, requests) for one in group if one.name}
        people = [each.name for each in self.players if muster is not None and each.pk != muster.namesake_id]
        return Surroundings(
            names=tuple(sorted(names.union(*(each.former for each in armies)))),
            players=tuple(sorted(people)),
            serving=serving,
            creator=_creator(muster),
        )


def handed_in(round: Round) -> QuerySet[Muster]:
    """2.5.2.2: the musters that are with the judge or accepted."""
    return Muster.objects.filter(round=round, state__in=[HandedIn.SENT, HandedIn.ACCEPTED])


def may_write(viewer: Viewer, muster: Muster) -> bool:
    """2.5.2.2: A player's own muster; a proxy of their side for any of its leaders."""
    player = viewer.player
    if player is None or player.round_id != muster.round_id:
        return False
    if muster.namesake_id is not None:
        return muster.namesake_id == player.pk
    return muster.author_id is not None and muster.side == player.side and is_leader(player)


def musters_for(viewer: Viewer) -> list[Muster]:
    """2.5.2.2: The musters that the viewer may see, their own first, then by rank."""
    rows = Muster.objects.filter(round=viewer.round).select_related("author", "namesake", "decided_by")
    player = viewer.player
    if not viewer.is_judge(Role.BATTLE):
        if player is None:
            return []
        is_own = Q(author=player) | Q(namesake=player)
        of_side = Q(rank__in=RANKS[Side(player.side)]) & (Q(author__isnull=False) | Q(state=HandedIn.ACCEPTED))
        rows = rows.filter(is_own | of_side if is_leader(player) else is_own)
    return sorted(
        rows, key=lambda m: (player is None or m.namesake_id != player.pk, Rank(m.rank).tier, m.name.casefold())
    )


def muster_for(viewer: Viewer, muster_id: int) -> Muster | None:
    return next((muster for muster in musters_for(viewer) if muster.pk == muster_id), None)


def missing_players(round: Round, side: str = "") -> list[MissingPlayer]:
    """2.5.2.1, 2.5.2.2: The players who have a rank and whose army is not submitted; of one side or of both."""
    players = Player.objects.filter(round=round).exclude(rank="").order_by("side", "name")
    states = dict(Muster.objects.filter(round=round, namesake__isnull=False).values_list("namesake_id", "state"))
    final_states = (HandedIn.SENT, HandedIn.ACCEPTED)
    return [
        MissingPlayer(player, states.get(player.pk, ""))
        for player in players
        if states.get(player.pk) not in final_states and side in ("", player.side)
    ]


def can_be_raised(round: Round) -> bool:
    """2.5, 2.6: Armies are raised before a round begins, not afterwards."""
    return round.state == RoundState.SETUP


def bases_of(round: Round, side: Side, colors: Iterable[str]) -> list[str]:
    """2.5.2.3: The bases where an army may ask to start: a portal, or a base of one of its colours."""
    army_colors = tuple(colors)
    return [
        base.name
        for base in _bases(round)
        if base.side == side and (side is Side.PHYREXIA or base.color in army_colors)
    ]


@request_cached
def _bases(round: Round) -> list[Base]:
    return list(Base.objects.filter(round=round).order_by("name"))


def waiting_requests(round: Round) -> QuerySet[ChangeRequest]:
    """2.6: The accepted requests to personalise armies that no settlement has yet."""
    rows = ChangeRequest.objects.filter(round=round, state=HandedIn.ACCEPTED, kind=ChangeRequest.Kind.PERSONAL)
    return rows.filter(applied_in__isnull=True, why_not="")


def _creator(muster: Muster | None) -> tuple[str, ...] | None:
    """2.2.1.1: the factions of the player whom a muster represents; None for a proxy."""
    if muster is None or muster.namesake is None:
        return None
    return tuple(muster.namesake.factions)


def handed_in_earlier(round: Round, player: Player) -> dict[str, object]:
    """2.5.2.2: {legend, lists} of the army that an invited player submitted for the earlier round, as a start; empty
    if there is none. Their rank and colours are the current ones."""
    muster = Invitation.objects.filter(round=round, user=player.user_id).values_list("muster", flat=True).first()
    return {name: muster[name] for name in ("legend", "lists")} if muster else {}


MAX_LIST = 8_000
MAX_REMARK = 2_000
MAX_REASON = 2_000
LONGEST_NAME = 120
LONGEST_LEGEND = 150


class BrokenRules(Refused):
    """An army that breaks rules; `findings` are the breaches."""

    def __init__(self, findings: Sequence[MusterFinding], sentence: str) -> None:
        super().__init__(sentence, ", ".join(dict.fromkeys(finding.cites for finding in findings)))
        self.findings = tuple(findings)


@locking.writes
def begin_muster(*, round: Round, player: Player | None, rank: Rank | None, token: str, now: datetime) -> Muster:
    """2.5.2.2: Create a muster: with `rank` a proxy's by a leader, without one the player's only own one.

    The same form sent twice creates one. Raises Refused in a round that has begun (2.6), and without permission.
    """
    author = _checked_player(round, player)
    _check_open(round)
    if rank is not None:
        return _begin_proxy(round, author, rank, checked_token(token), now)
    if not author.rank:
        raise Refused(gettext("You have no rank yet, so you can't raise an army. Your leaders assign ranks."), "1.1")
    colors = author.factions if author.side == Side.COALITION else []
    defaults = {"author": author, "rank": author.rank, "colors": colors, "name": author.name, "saved_at": now}
    defaults |= {"token": checked_token(token), "lists": [""] * 4, **handed_in_earlier(round, author)}
    return Muster.objects.get_or_create(round=round, namesake=author, defaults=defaults)[0]


@locking.writes
def save_muster(
    *, muster: Muster, player: Player | None, typed: MusterText, base_version: int, now: datetime
) -> Muster:
    """2.5.2.2: Store the typed muster, legal or not. A submitted one becomes a draft again.

    Raises Refused for strangers, when it is accepted, after the round has begun, and on top of a version that is not
    the last.
    """
    row = _held_muster(muster, player)
    check_texts(typed)
    if row.version != base_version:
        raise Refused(
            gettext(
                "This muster was changed in another window. It is now at version %(version)s; yours is based on "
                "version %(base_version)s. Your text is still in the form. Open the muster again to see the "
                "other text."
            )
            % {"version": row.version, "base_version": base_version},
            "2.5.2.2",
        )
    if typed.base not in bases_of(row.round, row.side, typed.colors):
        typed = replace(typed, base="")
    if text_of(row) == typed:
        return row
    if row.namesake is not None and typed.rank != row.rank:
        raise Refused(gettext("A player's own army must have that player's rank."), "2.5.2.1")
    row.lists, row.colors, row.rank = list(typed.lists), list(typed.colors), typed.rank.value
    row.name, row.legend, row.remark, row.base = typed.name.strip(), typed.legend, typed.remark, typed.base
    row.state, row.troops, row.sent_at = HandedIn.DRAFT, [], None
    row.author, row.lot, row.made_up = row.author or player, None, []
    row.version, row.saved_at = row.version + 1, now
    row.save()
    return row


@locking.writes
def send_muster(*, muster: Muster, player: Player | None, now: datetime) -> Muster:
    """2.5.2.2: Submit the saved muster to the judge. Raises Refused (BrokenRules) with every breach."""
    row = _held_muster(muster, player)
    if row.state == HandedIn.SENT:
        return row
    result = judged_muster(row)
    check_legal(result, leave_out=row.namesake is None)
    row.state, row.sent_at = HandedIn.SENT, now
    take_snapshot(row, result)
    row.reason, row.decided_by, row.decided_at = "", None, None
    row.save()
    record(row.round, player.user if player else None, "muster.sent", {"muster": row.pk}, now)
    return row


@locking.writes
def drop_muster(*, muster: Muster, player: Player | None, now: datetime) -> None:
    """2.5.2.2: Delete a muster. Raises Refused for strangers, when it is accepted, and after the round has begun."""
    row = _held_muster(muster, player)
    if row.sent_at is not None:
        record(row.round, player.user if player else None, "muster.dropped", {"muster": row.pk}, now)
    row.delete()


@locking.writes
def decide_muster(*, muster: Muster, judge: Judge | None, accept: bool, reason: str, now: datetime) -> Muster:
    """2.2.3, 2.5.2.2: The battle judge accepts a muster or refuses it with a reason; a refused one can be changed.

    Acceptance checks it once more: it fails if another army has taken something since. An accepted one may be refused
    until the round begins.
    """
    judge = checked_judge(muster.round, judge)
    # Its author saves under the same row: what is accepted is what the judge has read, or it is no longer handed in.
    row = locking.hold(_rows(), pk=muster.pk)
    _check_open(row.round)
    reason = checked_reason(reason, accept)
    is_proposal = row.author is None and accept
    if row.state not in (HandedIn.SENT, HandedIn.ACCEPTED) and not is_proposal:
        raise Refused(gettext("This muster is not submitted at the moment. Its author is working on it."), "2.5.2.2")
    if accept:
        result = judged_muster(row)
        check_legal(result)
        take_snapshot(row, result)
    row.state = HandedIn.ACCEPTED if accept else HandedIn.REFUSED
    row.decided_by, row.decided_at, row.reason = judge, now, reason
    row.save()
    record(row.round, judge.user, f"muster.{row.state}", {"muster": row.pk}, now)
    return row


def judged_muster(muster: Muster) -> Judged:
    """2.1, 2.2: The findings on the saved muster, among all others."""
    return judged(text_of(muster), surroundings_for(muster))


def surroundings_for(muster: Muster) -> Surroundings:
    """2.1, 2.2.1.1: The facts besides itself that a muster is checked against."""
    return surroundings_of(muster.round, muster.side, muster=muster)


def take_snapshot(muster: Muster, found: Judged) -> None:
    """2.5.2.2: Store the troops as they are now read, and the legend's name as it is printed."""
    muster.troops = snapshot(found.muster)
    if found.muster.legend is not None:
        muster.legend = found.muster.legend.name


def check_legal(found: Judged, *, leave_out: bool = False) -> None:
    """2.1, 2.2: Raise Refused with every breach, for unreadable lines, and for an army without troops.

    2.5.2.2: With `leave_out`, name and troops may be missing: the judge makes them up.
    """
    broken = tuple(
        finding for finding in found.breaches if not leave_out or finding.fault is not MusterFault.NAME_MISSING
    )
    if faults := len(broken) + found.unreadable:
        sentence = ngettext(
            "You can't submit this army: it has %(number)s mistake. Your text is saved.",
            "You can't submit this army: it has %(number)s mistakes. Your text is saved.",
            faults,
        )
        raise BrokenRules(broken, sentence % {"number": faults})
    if not found.muster.entries and not leave_out:
        raise Refused(gettext("The army has no troops. List at least one creature."), "2.5.2.2")


def check_texts(typed: MusterText) -> None:
    """Raise Refused for a text that is too long or can't be stored."""
    limits = [(text, MAX_LIST, "list") for text in typed.lists]
    limits += [(typed.name, LONGEST_NAME, "name"), (typed.legend, LONGEST_LEGEND, "name of the legend")]
    limits += [(typed.remark, MAX_REMARK, "remark")]
    for text, most, label in limits:
        check_storable(text, what=label, cites="2.5.2.2")
        if len(text) > most:
            raise Refused(
                gettext("The %(what)s has %(number)s characters; the limit is %(most)s.")
                % {"what": what_word(label), "number": grouped(len(text)), "most": grouped(most)},
                "2.5.2.2",
            )


def checked_judge(round: Round, judge: Judge | None) -> Judge:
    """1.3: Raises Refused for anybody but a battle judge of the round."""
    if judge is None or judge.round_id != round.pk or judge.role != Role.BATTLE:
        raise Refused(gettext("Only battle judges of this round can decide that."), "1.3")
    return judge


def checked_reason(reason: str, accept: bool) -> str:
    """1.3: Raises Refused for a refusal without a reason, so that the author knows what to change."""
    reason = reason.strip()
    check_storable(reason, what="reason", cites="1.3")
    if not accept and not reason:
        raise Refused(gettext("Say why you refuse it, so the author can change it."), "1.3")
    if len(reason) > MAX_REASON:
        raise Refused(
            gettext("The reason has %(number)s characters; the limit is %(most)s.")
            % {"number": grouped(len(reason)), "most": grouped(MAX_REASON)},
            "1.3",
        )
    return reason


def _begin_proxy(round: Round, author: Player, rank: Rank, token: str, now: datetime) -> Muster:
    if not is_leader(author):
        raise Refused(gettext("Only a side's leaders can raise its proxy armies."), "2.5.2.2")
    if rank.side != author.side:
        raise Refused(gettext("%(rank)s is not a rank on your side.") % {"rank": rank.title}, "1.1")
    if not Muster.objects.filter(author=author, token=token).exists():
        _check_place(round, rank)
    defaults = {"round": round, "rank": rank.value, "saved_at": now, "lists": [""] * 4}
    muster, _ = Muster.objects.get_or_create(author=author, token=token, defaults=defaults)
    return muster


def _check_place(round: Round, rank: Rank) -> None:
    """2.5.2.1: Raise Refused if all places of a rank are taken and the judge has set their number."""
    places = places_of(round, rank)
    if places is not None and not places.open:
        sentence = ngettext(
            "The only place for the rank %(rank)s is taken.",
            "All %(number)s places for the rank %(rank)s are taken.",
            places.wanted,
        )
        raise Refused(sentence % {"number": places.wanted, "rank": rank.title}, "2.5.2.1")


def _held_muster(muster: Muster, player: Player | None) -> Muster:
    """The muster, locked until the transaction ends, if the player may change it now."""
    row = locking.hold_first(_rows().filter(pk=muster.pk))
    if row is None:
        raise Refused(gettext("This muster was deleted."), "2.5.2.2")
    author = _checked_player(row.round, player)
    if not may_write(Viewer(author.user_id, row.round, author), row):
        raise Refused(gettext("You can't change this muster."), "2.5.2.2")
    _check_open(row.round)
    if row.state == HandedIn.ACCEPTED:
        raise Refused(gettext("This muster is accepted. The judge must refuse it before you can change it."), "2.5.2.2")
    return row


def _rows() -> QuerySet[Muster]:
    return Muster.objects.select_related("author", "namesake", "round")


def _checked_player(round: Round, player: Player | None) -> Player:
    if player is None or player.round_id != round.pk:
        raise Refused(gettext("Only players in this round can raise its armies."), "1.6")
    return player


def _check_open(round: Round) -> None:
    if not can_be_raised(round):
        raise Refused(
            gettext(
                "The round has begun, so you can't raise new armies. New players can personalise an army that "
                "their leaders choose for them."
            ),
            "2.6",
        )
