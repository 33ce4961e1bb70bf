"""2.5, R38: what is drawn in a set-up, from one seed that was committed to before the first draw.

2.5.2.2: what is missing of a muster is drawn, so that it becomes a proposal of the judge's.
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
    """R38: the round's seed, held until the transaction ends; made and committed to when it is first needed."""
    found = locking.hold_first(ArmySetup.objects.filter(round=round))
    if found is None:
        seed = secrets.token_hex(32)
        found = ArmySetup.objects.create(round=round, seed=seed, commitment=commitment(bytes.fromhex(seed)))
        record(round, judge.user, "setup.seed_committed", {"commitment": found.commitment}, now)
    found.round = round
    return found


def dice_of(draws: ArmySetup) -> Dice:
    """R38: the dice of the round's set-up."""
    return setup_dice(bytes.fromhex(draws.seed), draws.round.dice_name)


class Part(StrEnum):
    """2.5.2.2: the parts of a muster that may be made up, as its row names them."""

    NAME = "name"
    COLORS = "colors"
    TROOPS = "troops"


def barracks() -> Barracks:
    """2.2.1: the catalogue as armies are drawn from it."""
    rows = Creature.objects.filter(banned="").only(
        *("name", "colors", "power", "toughness", "types", "subtypes", "uses", "cites", "banned", "note", "asks")
    )
    return Barracks.of(Recruit(row.as_rules(), tuple(row.subtypes.split())) for row in rows.iterator())


class Recruiter:
    """What proposals are made from: the catalogue, the dice, and the names and legends that no muster has."""

    def __init__(self, draws: ArmySetup, catalogue: Barracks) -> None:
        self._draws, self._dice, self._catalogue = draws, dice_of(draws), catalogue
        hired = MercenaryPlan.objects.filter(round=draws.round).values_list("name", "legend")
        self._names = [*Player.objects.filter(round=draws.round).values_list("name", flat=True)]
        self._names += [name for name, _ in hired]
        self._serving = [legend for _, legend in hired if legend]

    @classmethod
    def of(cls, round: Round, judge: Judge, now: datetime) -> Recruiter:
        """Holds the round's seed: to be called before a muster is held."""
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
        made = self._drawn_muster(muster, has_troops)
        if not muster.name:
            muster.name = made.name
            _mark(muster, Part.NAME)
        if not muster.colors and made.colors:
            muster.colors = list(made.colors)
            _mark(muster, Part.COLORS)
        if not has_troops:
            muster.lists = [_text(made.entries, slot) for slot in SLOTS]
            muster.legend = made.legend.name if made.legend else ""
            _mark(muster, Part.TROOPS)

    def _drawn_muster(self, muster: Muster, has_troops: bool) -> RulesMuster:
        typed = text_of(muster)
        asked = judged(typed).muster if has_troops or typed.legend else RulesMuster(typed.rank)
        wish = ProxyWish(
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


def new_muster(round: Round, rank: Rank, now: datetime, player: Player | None = None) -> Muster:
    """2.5.2.2: a muster, not saved, without anything in it but the name of a player whose own it is."""
    muster = Muster(round=round, namesake=player, rank=rank.value, lists=[""] * 4, saved_at=now, version=0)
    if player is not None:
        muster.name = player.name
    return muster


def held_muster(round: Round, muster_id: int) -> Muster:
    """2.5.2.2: a muster, held until the transaction ends. Refused if it was taken away."""
    return held_musters(round, [muster_id])[0]


def held_musters(round: Round, muster_ids: Collection[int]) -> list[Muster]:
    """2.5.2.2: these musters by their keys, held until the transaction ends. Refused if one was taken away."""
    rows = Muster.objects.select_related("author", "namesake")
    musters = locking.hold_all(rows.filter(round=round, pk__in=muster_ids))
    if len(musters) < len(set(muster_ids)):
        raise Refused(gettext("This army was deleted."), "2.5.2.2")
    for muster in musters:
        muster.round = round
    return musters


def _name_factions(muster: Muster) -> None:
    """2.2.1.1: a player's own army has his factions' colours, and none are drawn for it. Refused if he has none."""
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
