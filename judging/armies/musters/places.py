"""2.5.2.1: The required number of armies of each rank, and their progress."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judging.armies.models import HandedIn, Muster
from wargame.models import Player, Round
from wargame.rules.core.sides import RANKS, TEAMS, Rank, Side

UNDER_WAY = (HandedIn.DRAFT, HandedIn.REFUSED)


@dataclass(frozen=True)
class RankRow:
    """2.5.2.1: The armies of one rank of a side: the required number, and the progress.

    `players` hold the rank; `lacking` are those of them whose muster is not with the judge, paired with it if it was
    begun. `armies` are the musters of this rank, submitted or not.
    """

    rank: Rank
    wanted: int
    players: tuple[Player, ...]
    armies: tuple[Muster, ...]
    lacking: tuple[tuple[Player, Muster | None], ...]

    @property
    def accepted(self) -> int:
        return sum(army.state == HandedIn.ACCEPTED for army in self.armies)

    @property
    def waiting(self) -> tuple[Muster, ...]:
        """2.5.2.2: Submitted complete, for the judge to accept or refuse."""
        musters = (a for a in self.armies if a.state == HandedIn.SENT and a.lot is None)
        return tuple(a for a in musters if not is_incomplete(a))

    @property
    def incomplete(self) -> tuple[Muster, ...]:
        """2.5.2.2: Submitted without a name or without troops, which the judge makes up."""
        return tuple(a for a in self.armies if a.state == HandedIn.SENT and is_incomplete(a))

    @property
    def proposals(self) -> tuple[Muster, ...]:
        """2.5.2.2: Made up, wholly or in part, and not accepted yet."""
        return tuple(a for a in self.armies if a.lot is not None and a.state != HandedIn.ACCEPTED)

    @property
    def drafts(self) -> tuple[Muster, ...]:
        """2.5.2.2: Proxies that the leaders began and have not submitted."""
        proxies = (a for a in self.armies if a.namesake_id is None and a.author_id is not None)
        return tuple(a for a in proxies if a.state in UNDER_WAY)

    @property
    def taken(self) -> int:
        """2.5.2.1: The places that are taken: by the armies and by players without one."""
        return len(self.armies) + sum(muster is None for _, muster in self.lacking)

    @property
    def open(self) -> int:
        """2.5.2.2: The proxies that nobody has requested."""
        return max(self.wanted - self.taken, 0)

    @property
    def with_judge(self) -> int:
        """2.5.2.2: Waiting for the judge: musters, and those that the judge made up."""
        return len(self.waiting) + len(self.proposals)

    @property
    def missing(self) -> int:
        """2.5.2.2: Musters that players or leaders have not submitted."""
        return len(self.lacking) + len(self.drafts)

    @property
    def to_make_up(self) -> int:
        """2.5.2.2: Armies that nobody requested, or that were submitted without a name or troops."""
        return self.open + sum(army.lot is None for army in self.incomplete)

    @property
    def over(self) -> int:
        """2.5.2.1: The number of surplus armies."""
        return max(self.taken - self.wanted, 0)


@dataclass(frozen=True)
class SideRows:
    """2.5.2.1: the ranks of a side, highest first."""

    side: Side
    ranks: tuple[RankRow, ...]

    @property
    def wanted(self) -> int:
        return sum(row.wanted for row in self.ranks)

    @property
    def accepted(self) -> int:
        return sum(row.accepted for row in self.ranks)

    @property
    def lacking(self) -> tuple[tuple[Player, Muster | None], ...]:
        return tuple(pair for row in self.ranks for pair in row.lacking)

    @property
    def waiting(self) -> tuple[Muster, ...]:
        return tuple(army for row in self.ranks for army in row.waiting)


def sides_of(round: Round, numbers: Sequence[int]) -> tuple[SideRows, ...]:
    """2.5.2.1: Both sides, with `numbers` armies of each rank, highest first. Secret from players."""
    musters = list(Muster.objects.filter(round=round).select_related("namesake", "author"))
    players = list(Player.objects.filter(round=round, left_at__isnull=True).exclude(rank="").order_by("name"))
    return sides_from(numbers, musters, players)


def sides_from(numbers: Sequence[int], musters: Sequence[Muster], players: Sequence[Player]) -> tuple[SideRows, ...]:
    """2.5.2.1: Both sides of these musters and of the players who hold a rank, by name."""
    return tuple(_side(side, numbers, musters, players) for side in TEAMS)


def places_of(round: Round, rank: Rank) -> RankRow | None:
    """2.5.2.1: The armies of one rank of a side; None if the judge has not set the number."""
    numbers = Round.objects.filter(pk=round.pk).values_list("setup__armies", flat=True).first()
    if numbers is None:
        return None
    side = next(side for side in sides_of(round, numbers) if side.side is rank.side)
    return side.ranks[rank.tier - 1]


def is_incomplete(muster: Muster) -> bool:
    """2.5.2.2: whether a proxy's name or troop list is left to the judge."""
    return muster.namesake_id is None and (not muster.name or not any(text.strip() for text in muster.lists))


def _side(side: Side, numbers: Sequence[int], musters: Sequence[Muster], players: Sequence[Player]) -> SideRows:
    by_owner = {muster.namesake_id: muster for muster in musters if muster.namesake_id}
    rows = []
    for rank, number in zip(RANKS[side], numbers, strict=True):
        holders = tuple(player for player in players if player.rank == rank)
        lacking = tuple((player, by_owner.get(player.pk)) for player in holders if not _is_in(by_owner.get(player.pk)))
        rows.append(RankRow(rank, number, holders, _by_name(m for m in musters if m.rank == rank), lacking))
    return SideRows(side, tuple(rows))


def _is_in(muster: Muster | None) -> bool:
    """2.5.2.2: Whether it was submitted, or made up for its player."""
    return muster is not None and (muster.state not in UNDER_WAY or muster.author_id is None)


def _by_name(musters: Iterable[Muster]) -> tuple[Muster, ...]:
    return tuple(sorted(musters, key=lambda muster: (muster.namesake_id is None, muster.name.casefold(), muster.pk)))
