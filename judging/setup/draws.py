"""2.5, R38: the draws of a set-up, from one seed that was committed to before the first draw.

2.5.2.2: the missing parts of a muster are drawn, so that it becomes a proposal of the judge's.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime
from enum import StrEnum

from django.utils.translation import gettext

from judging.armies.models import MercenaryPlan, Muster
from judging.armies.musters.services import text_of
from judging.armies.musters.validation import judged
from judging.common import locking
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.setup.models import ArmySetup
from wargame.models import Creature, Judge, Player, Round
from wargame.rules.armies.muster import Muster as RulesMuster
from wargame.rules.armies.muster import MusterEntry
from wargame.rules.armies.muster_list import write_entry
from wargame.rules.armies.proxies import ProxyWish, make_up
from wargame.rules.armies.recruiting import Barracks, Recruit
from wargame.rules.core.dice import Dice, commitment, setup_dice
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import SLOTS


def held_draws(round: Round, judge: Judge, now: datetime) -> ArmySetup:
    """R38: the round's seed, locked until the transaction ends; created and committed to when it is first needed."""
    draws = locking.hold_first(ArmySetup.objects.filter(round=round))
    if draws is None:
        seed = secrets.token_hex(32)
        draws = ArmySetup.objects.create(round=round, seed=seed, commitment=commitment(bytes.fromhex(seed)))
        record(round, judge.user, "setup.seed_committed", {"commitment": draws.commitment}, now)
    draws.round = round
    return draws


def dice_of(draws: ArmySetup) -> Dice:
    """R38: the dice of the round's set-up."""
    return setup_dice(bytes.fromhex(draws.seed), draws.round.dice_name)


class Part(StrEnum):
    """2.5.2.2: the parts of a muster that can be made up, by their names in its row."""

    NAME = "name"
    COLORS = "colors"
    TROOPS = "troops"


def barracks() -> Barracks:
    """2.2.1: the catalogue in the form from which armies are drawn."""
    rows = Creature.objects.filter(banned="").only(
        *("name", "colors", "power", "toughness", "types", "subtypes", "uses", "cites", "banned", "note", "asks")
    )
    return Barracks.of(Recruit(row.as_rules(), tuple(row.subtypes.split())) for row in rows.iterator())


class Recruiter:
    """The sources of proposals: the catalogue, the dice, and the unused names and legends."""

    def __init__(self, draws: ArmySetup, catalogue: Barracks) -> None:
        self._draws, self._dice, self._catalogue = draws, dice_of(draws), catalogue
        hired = MercenaryPlan.objects.filter(round=draws.round).values_list("name", "legend")
        self._names = [*Player.objects.filter(round=draws.round).values_list("name", flat=True)]
        self._names += [name for name, _ in hired]
        self._serving = [legend for _, legend in hired if legend]

    @classmethod
    def of(cls, round: Round, judge: Judge, now: datetime) -> Recruiter:
        """Lock the round's seed: to be called before a muster is locked."""
        return cls(held_draws(round, judge, now), barracks())

    def complete(self, muster: Muster, now: datetime) -> None:
        """2.5.2.2: draw the missing parts of a muster and save it as a proposal."""
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
        proposal = self._drawn_muster(muster, has_troops)
        if not muster.name:
            muster.name = proposal.name
            _mark(muster, Part.NAME)
        if not muster.colors and proposal.colors:
            muster.colors = list(proposal.colors)
            _mark(muster, Part.COLORS)
        if not has_troops:
            muster.lists = [_text(proposal.entries, slot) for slot in SLOTS]
            muster.legend = proposal.legend.name if proposal.legend else ""
            _mark(muster, Part.TROOPS)

    def _drawn_muster(self, muster: Muster, has_troops: bool) -> RulesMuster:
        values = text_of(muster)
        rules_muster = judged(values).muster if has_troops or values.legend else RulesMuster(values.rank)
        wish = ProxyWish(
            lot=f"proxy {muster.lot}",
            rank=values.rank,
            name=values.name,
            colors=values.colors,
            entries=rules_muster.entries,
            legend=rules_muster.legend,
            number=muster.drawn,
        )
        other_musters = list(Muster.objects.filter(round=muster.round).exclude(pk=muster.pk))
        return make_up(
            wish,
            self._catalogue,
            self._dice,
            names=[*self._names, *(other.name for other in other_musters)],
            serving=[*self._serving, *(other.legend for other in other_musters if other.legend)],
            mustered=[color for other in other_musters if other.side is muster.side for color in other.colors],
        )


def new_muster(round: Round, rank: Rank, now: datetime, player: Player | None = None) -> Muster:
    """2.5.2.2: an unsaved muster, empty except for the name of a player whose own it is."""
    muster = Muster(round=round, namesake=player, rank=rank.value, lists=[""] * 4, saved_at=now, version=0)
    if player is not None:
        muster.name = player.name
    return muster


def held_muster(round: Round, muster_id: int) -> Muster:
    """2.5.2.2: a muster, locked until the transaction ends. Refused if it was deleted."""
    return held_musters(round, [muster_id])[0]


def held_musters(round: Round, muster_ids: Collection[int]) -> list[Muster]:
    """2.5.2.2: these musters by key, locked until the transaction ends. Refused if one was deleted."""
    rows = Muster.objects.select_related("author", "namesake")
    musters = locking.hold_all(rows.filter(round=round, pk__in=muster_ids))
    if len(musters) < len(set(muster_ids)):
        raise Refused(gettext("This army was deleted."), "2.5.2.2")
    for muster in musters:
        muster.round = round
    return musters


def _name_factions(muster: Muster) -> None:
    """2.2.1.1: a player's own army has their factions' colours, and none are drawn for it. Refused if they have
    none."""
    if muster.namesake is None or muster.side is not Side.COALITION or muster.colors:
        return
    muster.colors = list(muster.namesake.factions)
    if not muster.colors:
        name = muster.namesake.name
        raise Refused(
            gettext(
                "%(name)s has no faction, so their army has no colours. They can claim a faction under Players > "
                "Your profile. Then you can fill in the army."
            )
            % {"name": name},
            "1.1.2 2.2.1.1",
        )


def _mark(muster: Muster, part: Part) -> None:
    if part not in muster.made_up:
        muster.made_up = [*muster.made_up, part]


def _text(entries: Sequence[MusterEntry], slot: int) -> str:
    return "\n".join(write_entry(entry) for entry in entries if entry.slot == slot)
