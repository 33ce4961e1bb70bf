"""2.5.2.2: musters: whose they are, who may see them, and what else is taken.

A muster is secret from the other side until its army stands on the map: its author, the leaders of his side and the
battle judges see it. What a judge made up is a proposal until he accepts it, and secret from the leaders too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.db.models import Q, QuerySet

from judging.armies.models import ChangeRequest, HandedIn, MercenaryPlan, Muster
from judging.armies.musters.judged import TypedMuster, four
from judging.command.models import Invitation
from judging.game.control import is_leader
from judging.game.once import once
from judging.game.viewer import Viewer
from wargame.models import Army, Base, Player, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.armies.muster import Surroundings
from wargame.rules.core.sides import RANKS, Rank, Side


@dataclass(frozen=True)
class MissingPlayer:
    """2.5.2.1: a player whose army is not handed in yet; `state` is that of his draft, or empty."""

    player: Player
    state: str


def typed_of(muster: Muster) -> TypedMuster:
    """A muster's row as what stands in its form."""
    return TypedMuster(
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
    """2.1, 2.5.2.2, 2.6, R10: the names and legends that are taken: by armies, also those that they had; by musters
    that are handed in, until the round begins; by accepted requests that wait for a settlement; and, for a muster, the
    names of the players whose army it is not (5.3.2).

    `muster` and `army` are those that are judged and don't count. Who serves in a muster of the other side is not told.
    """
    return Taken.of(round).around(side, muster=muster, army=army)


@dataclass(frozen=True)
class Taken:
    """2.1, R10: everything that has a name or a legend in a round, read once for many musters that are judged."""

    players: tuple[Player, ...]
    armies: tuple[Army, ...]
    musters: tuple[Muster, ...]
    hired: tuple[MercenaryPlan, ...]
    waiting: tuple[ChangeRequest, ...]

    @classmethod
    def of(cls, round: Round) -> Taken:
        """Musters and mercenaries that are planned count until the round begins."""
        musters = handed_in(round).filter(round__state=RoundState.SETUP)
        hired = MercenaryPlan.objects.filter(round=round, round__state=RoundState.SETUP)
        armies = Army.objects.filter(round=round)
        players = Player.objects.filter(round=round, left_at__isnull=True)
        return cls(tuple(players), tuple(armies), tuple(musters), tuple(hired), tuple(waiting_requests(round)))

    def with_muster(self, muster: Muster) -> Taken:
        """With a muster as it is now, handed in before or not."""
        others = (each for each in self.musters if each.pk != muster.pk)
        return replace(self, musters=(*others, muster))

    def around(self, side: Side, *, muster: Muster | None = None, army: Army | None = None) -> Surroundings:
        """What one army is judged by, as `surroundings_of` says."""
        armies = [each for each in self.armies if army is None or each.pk != army.pk]
        others = [each for each in self.musters if muster is None or each.pk != muster.pk]
        waiting = [each for each in self.waiting if army is None or each.army_id != army.pk]
        serving = {each.legend: "" for each in self.hired if each.legend}
        serving |= {each.legend: each.name for each in armies if each.legend and each.died_in is None}
        serving |= {each.legend: each.name if each.side == side else "" for each in others if each.legend}
        serving |= {each.legend: "" for each in waiting if each.legend}
        names = {one.name for group in (armies, others, self.hired, waiting) for one in group if one.name}
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
    """2.5.2.2: a player's own muster; a proxy of his side for any of its leaders."""
    player = viewer.player
    if player is None or player.round_id != muster.round_id:
        return False
    if muster.namesake_id is not None:
        return muster.namesake_id == player.pk
    return muster.author_id is not None and muster.side == player.side and is_leader(player)


def musters_for(viewer: Viewer) -> list[Muster]:
    """2.5.2.2: the musters that the viewer may see, his own first, then by rank."""
    rows = Muster.objects.filter(round=viewer.round).select_related("author", "namesake", "decided_by")
    player = viewer.player
    if not viewer.is_judge(Role.BATTLE):
        if player is None:
            return []
        own = Q(author=player) | Q(namesake=player)
        of_side = Q(rank__in=RANKS[Side(player.side)]) & (Q(author__isnull=False) | Q(state=HandedIn.ACCEPTED))
        rows = rows.filter(own | of_side if is_leader(player) else own)
    return sorted(
        rows, key=lambda m: (player is None or m.namesake_id != player.pk, Rank(m.rank).tier, m.name.casefold())
    )


def muster_for(viewer: Viewer, muster_id: int) -> Muster | None:
    """The muster of that number, if the viewer may see it."""
    return next((muster for muster in musters_for(viewer) if muster.pk == muster_id), None)


def missing_players(round: Round, side: str = "") -> list[MissingPlayer]:
    """2.5.2.1, 2.5.2.2: the players who have a rank and whose army is not handed in; of one side or of both."""
    players = Player.objects.filter(round=round).exclude(rank="").order_by("side", "name")
    states = dict(Muster.objects.filter(round=round, namesake__isnull=False).values_list("namesake_id", "state"))
    done = (HandedIn.SENT, HandedIn.ACCEPTED)
    return [
        MissingPlayer(player, states.get(player.pk, ""))
        for player in players
        if states.get(player.pk) not in done and side in ("", player.side)
    ]


def can_be_raised(round: Round) -> bool:
    """2.5, 2.6: armies are raised before a round begins, and not afterwards."""
    return round.state == RoundState.SETUP


def bases_of(round: Round, side: Side, colors: Iterable[str]) -> list[str]:
    """2.5.2.3: the bases by which an army may ask to start: a portal, or a base of one of its colours."""
    own = tuple(colors)
    return [base.name for base in _bases(round) if base.side == side and (side is Side.PHYREXIA or base.color in own)]


@once
def _bases(round: Round) -> list[Base]:
    return list(Base.objects.filter(round=round).order_by("name"))


def waiting_requests(round: Round) -> QuerySet[ChangeRequest]:
    """2.6: the accepted requests to personalise armies that no settlement was given yet."""
    rows = ChangeRequest.objects.filter(round=round, state=HandedIn.ACCEPTED, kind=ChangeRequest.Kind.PERSONAL)
    return rows.filter(applied_in__isnull=True, why_not="")


def _creator(muster: Muster | None) -> tuple[str, ...] | None:
    """2.2.1.1: the factions of the player whom a muster represents; None for a proxy."""
    if muster is None or muster.namesake is None:
        return None
    return tuple(muster.namesake.factions)


def handed_in_earlier(round: Round, player: Player) -> dict[str, object]:
    """2.5.2.2: {legend, lists} of the army that an invited player handed in for the earlier round, to begin with; empty
    if there is none. Their rank and colours are today's."""
    kept = Invitation.objects.filter(round=round, user=player.user_id).values_list("muster", flat=True).first()
    return {name: kept[name] for name in ("legend", "lists")} if kept else {}
