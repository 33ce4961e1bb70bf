"""1.3, 6: the step of the judges."""

from __future__ import annotations

from collections.abc import Iterator

from judging.setup.models import RoundSetup
from judging.setup.step import Problem, StepKind, missing, wrong
from wargame.models import Judge, Player, Round
from wargame.models.choices import Role

NO_PLAYERS = {Role.BATTLE: "1.3", Role.MERCENARY: "6"}
"""1.3, 6: the roles whose judges may not be players, and the rule that says so."""


def judges_of(round: Round) -> list[Judge]:
    """1.3: the judges of a round, by role, the heads first."""
    order = {role: place for place, role in enumerate((Role.BATTLE, Role.MOVEMENT, Role.MERCENARY))}
    found = Judge.objects.filter(round=round).select_related("user")
    return sorted(found, key=lambda judge: (order[Role(judge.role)], not judge.is_head, judge.name.casefold()))


def find(setup: RoundSetup) -> Iterator[Problem]:
    """1.3, 6: roles without a head judge, and judges who play though they may not."""
    judges = judges_of(setup.round)
    heads = {Role(judge.role) for judge in judges if judge.is_head}
    for role in Role:
        if role not in heads:
            yield missing(f"Appoint a {role.label}.", "6" if role == Role.MERCENARY else "1.3")
    players = dict(Player.objects.filter(round=setup.round).values_list("user_id", "name"))
    for judge in judges:
        role = Role(judge.role)
        if judge.user_id in players and role in NO_PLAYERS:
            yield wrong(
                f"{judge.name} plays in this round as {players[judge.user_id]}, so he can't be its {role.label}.",
                NO_PLAYERS[role],
            )


STEP = StepKind("judges", "Judges", "1.3", "The battle judge appoints the other judges.", find)
