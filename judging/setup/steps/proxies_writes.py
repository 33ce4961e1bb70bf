"""2.5.2.2: what nobody asked for is made up by the judge: proposals, which he draws again, edits and accepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction

from judging.armies.models import HandedIn, Muster
from judging.armies.musters.judged import Typed, judged
from judging.armies.musters.reads import bases_of, typed_of
from judging.armies.musters.writes import check_legal, check_texts, judged_muster, take_snapshot
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.setup.draws import dice_of, held_draws
from judging.setup.models import ArmySetup, MercenaryPlan
from judging.setup.steps.armies import UNDER_WAY, sides_of
from judging.setup.steps.proxies import barracks
from judging.setup.writes import held_setup, save_step
from wargame.models import Judge, Player, Round
from wargame.rules.armies.findings import Finding
from wargame.rules.armies.muster import Entry
from wargame.rules.armies.muster import Muster as RulesMuster
from wargame.rules.armies.muster_list import write_entry
from wargame.rules.armies.proxies import Wish, make_up
from wargame.rules.armies.recruiting import Barracks
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import SLOTS

NAME, COLORS, TROOPS = "name", "colors", "troops"


@transaction.atomic
def make_up_proxies(*, round: Round, judge: Judge, now: datetime) -> int:
    """2.5.2.2: proposals for all places that nobody fills, and for what requests leave out; how many there were.

    Done twice, the second time there is nothing left to do.
    """
    setup = held_setup(round, judge)
    workshop = _Workshop.of(round, judge, now)
    wanted = [army for side in sides_of(round, setup.armies) for row in side.ranks for army in row.incomplete]
    wanted += [
        _new(round, row.rank, now)
        for side in sides_of(round, setup.armies)
        for row in side.ranks
        for _ in range(row.open)
    ]
    for muster in wanted:
        workshop.complete(muster, now)
    if wanted:
        save_step(setup, "proxies", judge, now, made_up=len(wanted))
    return len(wanted)


@transaction.atomic
def make_up_army(*, round: Round, player: Player, judge: Judge, now: datetime) -> Muster:
    """2.5.2.2, 1.3: a proposal in the place of a player from whom no muster came. If he began one, what he typed stays
    and the rest is made up; as long as it is not accepted, he may go on with it himself.

    Refused for one that is handed in.
    """
    setup = held_setup(round, judge)
    found = Muster.objects.select_for_update().filter(round=round, namesake=player).first()
    if found is not None and found.state not in UNDER_WAY:
        raise Refused(f"{player.name} has handed his muster in; accept or refuse it.", "2.5.2.2")
    if found is None and not player.rank:
        raise Refused(f"{player.name} has no rank, so no army is his to raise.", "1.1")
    muster = found or _new(round, Rank(player.rank), now, player)
    muster.author, muster.state = None, HandedIn.DRAFT
    _Workshop.of(round, judge, now).complete(muster, now)
    save_step(setup, "proxies", judge, now, for_player=player.name)
    return muster


@transaction.atomic
def take_over(*, round: Round, muster_id: int, judge: Judge, now: datetime) -> Muster:
    """2.5.2.2, 1.3: makes a proxy that its leaders began and never handed in a proposal of the judge's."""
    setup = held_setup(round, judge)
    muster = _held(round, muster_id)
    if muster.author is None or muster.state not in UNDER_WAY or muster.namesake is not None:
        raise Refused(f"{muster} is not a proxy that its leaders are still at work on.", "2.5.2.2")
    muster.author, muster.state = None, HandedIn.DRAFT
    _Workshop.of(round, judge, now).complete(muster, now)
    save_step(setup, "proxies", judge, now, taken_over=muster.lot)
    return muster


@transaction.atomic
def draw_again(*, round: Round, muster_id: int, base_version: int, judge: Judge, now: datetime) -> Muster:
    """2.5.2.2: the parts of a proposal that were made up, drawn anew; what was asked for or edited stays.

    `base_version` is the one that was looked at, so that a click that is sent twice draws once.
    """
    setup = held_setup(round, judge)
    muster = _proposal(round, muster_id, base_version)
    _clear(muster)
    _Workshop.of(round, judge, now).complete(muster, now)
    save_step(setup, "proxies", judge, now, drawn_again=muster.lot)
    return muster


@transaction.atomic
def edit_army(
    *,
    round: Round,
    muster_id: int,
    judge: Judge,
    typed: Typed,
    base_version: int,
    now: datetime,
    accept: bool = False,
) -> Muster:
    """2.5.2.2: keeps what the judge typed into a proposal, legal or not; what he changed is not drawn again.

    With `accept` it becomes the round's, or nothing is kept: refused if it breaks a rule.
    """
    setup = held_setup(round, judge)
    muster = _proposal(round, muster_id, base_version)
    check_texts(typed)
    if muster.namesake is not None and typed.rank != muster.rank:
        raise Refused("A player's own army has his rank.", "2.5.2.1")
    before = typed_of(muster)
    if typed.base not in bases_of(round, muster.side, typed.colors):
        typed = replace(typed, base="")
    edited = {NAME: typed.name != before.name, COLORS: typed.colors != before.colors}
    edited[TROOPS] = (typed.lists, typed.legend) != (before.lists, before.legend)
    muster.made_up = [part for part in muster.made_up if not edited[part]]
    muster.lists, muster.colors, muster.rank = list(typed.lists), list(typed.colors), typed.rank.value
    muster.name, muster.legend, muster.remark, muster.base = typed.name, typed.legend, typed.remark, typed.base
    muster.version, muster.saved_at = muster.version + 1, now
    muster.save()
    save_step(setup, "proxies", judge, now, edited=muster.lot)
    return accept_proposals(round=round, muster_ids=[muster_id], judge=judge, now=now)[0] if accept else muster


@transaction.atomic
def accept_proposals(*, round: Round, muster_ids: list[int], judge: Judge, now: datetime) -> list[Muster]:
    """2.5.2.2: these proposals become the round's armies. Refused as a whole if one of them breaks a rule, or is a
    draft of somebody's."""
    setup = held_setup(round, judge)
    accepted = []
    for muster_id in muster_ids:
        muster = _held(round, muster_id)
        if muster.state == HandedIn.ACCEPTED:
            continue
        if muster.lot is None and muster.state != HandedIn.SENT:
            raise Refused(f"{muster} is not handed in, so it can't be accepted.", "2.5.2.2")
        found = judged_muster(muster)
        try:
            check_legal(found)
        except Refused as error:
            raise Refused(f"{muster}: {_reasons(error, found.breaches)}", error.cites) from None
        take_snapshot(muster, found)
        muster.state, muster.decided_by, muster.decided_at, muster.reason = HandedIn.ACCEPTED, judge, now, ""
        muster.save()
        record(round, judge.user, "muster.accepted", {"muster": muster.pk}, now)
        accepted.append(muster)
    if accepted:
        save_step(setup, "proxies", judge, now, accepted=len(accepted))
    return accepted


@transaction.atomic
def drop_proposal(*, round: Round, muster_id: int, judge: Judge, now: datetime) -> None:
    """2.5.2.2: takes a proposal away. Refused for what somebody asked for, and for what is accepted."""
    setup = held_setup(round, judge)
    muster = _held(round, muster_id)
    if muster.author is not None or muster.state == HandedIn.ACCEPTED:
        raise Refused(f"{muster} is not a proposal of yours.", "2.5.2.2")
    muster.delete()
    save_step(setup, "proxies", judge, now, dropped=muster.lot)


class _Workshop:
    """What proposals are made from: the catalogue, the dice, and the names and legends that no muster has."""

    def __init__(self, draws: ArmySetup, catalogue: Barracks) -> None:
        self._draws, self._dice, self._catalogue = draws, dice_of(draws), catalogue
        hired = MercenaryPlan.objects.filter(round=draws.round).values_list("name", "legend")
        self._names = [*Player.objects.filter(round=draws.round).values_list("name", flat=True)]
        self._names += [name for name, _ in hired]
        self._serving = [legend for _, legend in hired if legend]

    @classmethod
    def of(cls, round: Round, judge: Judge, now: datetime) -> _Workshop:
        return cls(held_draws(round, judge, now), barracks())

    def complete(self, muster: Muster, now: datetime) -> None:
        """2.5.2.2: draws what is missing of a muster and saves it as a proposal."""
        _name_factions(muster)
        if muster.lot is None:
            self._draws.lots += 1
            self._draws.save(update_fields=["lots"])
            muster.lot = self._draws.lots
        muster.drawn += 1
        self._fill(muster)
        muster.version, muster.saved_at = muster.version + 1, now
        muster.save()

    def _fill(self, muster: Muster) -> None:
        has_troops = any(text.strip() for text in muster.lists)
        made = self._made(muster, has_troops)
        if not muster.name:
            muster.name = made.name
            _mark(muster, NAME)
        if not muster.colors and made.colors:
            muster.colors = list(made.colors)
            _mark(muster, COLORS)
        if not has_troops:
            muster.lists = [_text(made.entries, slot) for slot in SLOTS]
            muster.legend = made.legend.name if made.legend else ""
            _mark(muster, TROOPS)

    def _made(self, muster: Muster, has_troops: bool) -> RulesMuster:
        typed = typed_of(muster)
        asked = judged(typed).muster if has_troops or typed.legend else RulesMuster(typed.rank)
        wish = Wish(
            lot=f"proxy {muster.lot}",
            rank=typed.rank,
            name=typed.name,
            colors=typed.colors,
            entries=asked.entries,
            legend=asked.legend,
            number=muster.drawn,
        )
        others = list(Muster.objects.filter(round=muster.round).exclude(pk=muster.pk))
        return make_up(
            wish,
            self._catalogue,
            self._dice,
            names=[*self._names, *(other.name for other in others)],
            serving=[*self._serving, *(other.legend for other in others if other.legend)],
            mustered=[color for other in others if other.side is muster.side for color in other.colors],
        )


def _new(round: Round, rank: Rank, now: datetime, player: Player | None = None) -> Muster:
    """A muster without anything in it but the name of a player whose own it is."""
    muster = Muster(round=round, namesake=player, rank=rank.value, lists=[""] * 4, saved_at=now, version=0)
    if player is not None:
        muster.name = player.name
    return muster


def _name_factions(muster: Muster) -> None:
    """2.2.1.1: a player's own army has his factions' colours, and none are drawn for it. Refused if he has none."""
    if muster.namesake is None or muster.side is not Side.COALITION or muster.colors:
        return
    muster.colors = list(muster.namesake.factions)
    if not muster.colors:
        name = muster.namesake.name
        raise Refused(
            f"{name} is a member of no faction, and his army has the colours of his. He claims one under Players, "
            "at Your service; then it can be made up.",
            "1.1.2 2.2.1.1",
        )


def _held(round: Round, muster_id: int) -> Muster:
    rows = Muster.objects.select_for_update(of=("self",)).select_related("author", "namesake")
    muster = rows.filter(round=round, pk=muster_id).first()
    if muster is None:
        raise Refused("This army was taken away.", "2.5.2.2")
    muster.round = round
    return muster


def _proposal(round: Round, muster_id: int, base_version: int) -> Muster:
    """A proposal as it was looked at, held until the transaction ends."""
    muster = _held(round, muster_id)
    if muster.lot is None or muster.state == HandedIn.ACCEPTED:
        raise Refused(f"{muster} is not a proposal now, so it is not yours to change.", "2.5.2.2")
    if muster.version != base_version:
        raise Refused(f"{muster} was changed meanwhile; look at it as it is now.", "2.5.2.2")
    return muster


def _clear(muster: Muster) -> None:
    """Takes the parts away that were made up."""
    if NAME in muster.made_up:
        muster.name = ""
    if COLORS in muster.made_up:
        muster.colors = []
    if TROOPS in muster.made_up:
        muster.lists, muster.legend = [""] * 4, ""


def _mark(muster: Muster, part: str) -> None:
    if part not in muster.made_up:
        muster.made_up = [*muster.made_up, part]


def _text(entries: Sequence[Entry], slot: int) -> str:
    return "\n".join(write_entry(entry) for entry in entries if entry.slot == slot)


def _reasons(error: Refused, found: Sequence[Finding]) -> str:
    """What is wrong with an army, in the rules' own sentences where there are any."""
    return " ".join(finding.sentence for finding in found) or error.sentence
