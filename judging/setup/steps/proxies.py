"""2.5.2.2: the step of the proxies: what nobody asked for, and what was made up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judging.armies.models import HandedIn, Muster
from judging.armies.musters.judged import Judged, judged, known_to
from judging.armies.musters.reads import Taken, typed_of
from judging.setup.models import RoundSetup
from judging.setup.step import Problem, StepKind, missing
from judging.setup.steps.armies import SideRows, sides_of
from wargame.models import Creature, Round
from wargame.rules.armies.recruiting import Barracks, Recruit
from wargame.rules.core.sides import Rank


@dataclass(frozen=True)
class Proposal:
    """2.5.2.2: an army that was made up, wholly or in part, with what the rules say of it."""

    muster: Muster
    judged: Judged

    @property
    def is_plain(self) -> bool:
        """2.2.3: legal, and nothing about it is anybody's judgement."""
        return self.judged.is_legal and not self.judged.questions

    @property
    def is_edited(self) -> bool:
        """Whether nothing of it would be drawn again."""
        return not self.muster.made_up


def barracks() -> Barracks:
    """2.2.1: the catalogue as armies are drawn from it."""
    rows = Creature.objects.filter(banned="").only(
        *("name", "colors", "power", "toughness", "types", "subtypes", "uses", "cites", "banned", "note", "asks")
    )
    return Barracks.of(Recruit(row.as_rules(), tuple(row.subtypes.split())) for row in rows.iterator())


def proposals_of(round: Round) -> tuple[Proposal, ...]:
    """2.5.2.2: everything that was made up and is not accepted, by side and rank. For the battle judges' eyes."""
    rows = Muster.objects.filter(round=round, lot__isnull=False).exclude(state=HandedIn.ACCEPTED)
    made = sorted(rows.select_related("author", "namesake"), key=lambda row: (row.side, Rank(row.rank).tier, row.lot))
    return tuple(Proposal(row, said) for row, said in zip(made, judged_all(round, made), strict=True))


def judged_all(round: Round, musters: Sequence[Muster]) -> list[Judged]:
    """2.1, 2.2: several musters, each among all others, in as many statements as one needs."""
    taken, typed = Taken.of(round), [typed_of(muster) for muster in musters]
    known = known_to(typed)
    return [
        judged(each, taken.around(muster.side, muster=muster), known=known)
        for each, muster in zip(typed, musters, strict=True)
    ]


def proposal_for(round: Round, muster_id: int) -> Muster | None:
    """2.5.2.2: one proposal that is not accepted. For the battle judges' eyes."""
    rows = Muster.objects.filter(round=round, pk=muster_id, lot__isnull=False).exclude(state=HandedIn.ACCEPTED)
    return rows.select_related("author", "namesake").first()


def open_places(setup: RoundSetup) -> list[tuple[SideRows, int]]:
    """2.5.2.2: how many armies of each side are still to be made up, wholly or in part."""
    sides = sides_of(setup.round, setup.armies)
    return [(side, sum(row.open + len(row.incomplete) for row in side.ranks)) for side in sides]


def find(setup: RoundSetup) -> Iterator[Problem]:
    """2.5.2.2: places that nobody fills, requests with something missing, and proposals that are not accepted."""
    for side in sides_of(setup.round, setup.armies):
        name = side.side.title.removeprefix("the ").capitalize()
        if places := [f"{row.open} {row.rank.title}" for row in side.ranks if row.open]:
            yield missing(f"{name}: nobody asked for {', '.join(places)}; make them up.", "2.5.2.2")
        if asked := [army for row in side.ranks for army in row.incomplete]:
            names = ", ".join(str(army) for army in asked)
            yield missing(f"{name}: asked for without a name or troops: {names}.", "2.5.2.2")
        if made := sum(len(row.proposals) for row in side.ranks):
            yield missing(f"{name}: {made} made up and not accepted yet.", "2.5.2.2")


STEP = StepKind("proxies", "Proxies", "2.5.2.2", "The battle judge makes up what nobody asked for.", find)
