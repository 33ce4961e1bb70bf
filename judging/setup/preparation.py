"""2.5: all data for checking a round's set-up, each kind of rows read once, whichever steps use it."""

from functools import cached_property

from django.db.models import Exists, OuterRef

from judging.armies.models import HandedIn, MercenaryPlan, Muster
from judging.armies.musters.places import SideRows, sides_from
from judging.armies.musters.services import Taken, waiting_requests
from judging.common.control import is_leader
from judging.common.request_cache import request_cached
from judging.formula_books.models import BookVersion
from judging.setup.models import ArmySetup, PlannedSite, RoundSetup
from judging.setup.services import judges_of
from judging.setup.sites import planned_sites
from wargame.models import Army, Judge, Player, Round
from wargame.models.choices import RoundState
from wargame.rules.core.board import Board
from wargame.rules.core.sides import Rank, Side
from wargame.rules.mercenaries.muster import POSTS
from wargame.world import load_board


class Preparation:
    """2.5: a set-up with the rows of its round, cached from their first use: after a write, make a new one. Not for
    players."""

    def __init__(self, setup: RoundSetup) -> None:
        self.setup = setup

    @property
    def round(self) -> Round:
        return self.setup.round

    def sites(self, *kinds: str) -> list[PlannedSite]:
        """2.5.1: the sites of these kinds, or all: bases, portals, towns, each in its order."""
        return [site for site in self._sites if not kinds or site.kind in kinds]

    @cached_property
    def everybody(self) -> list[Player]:
        """1.1: the players of both sides by name, including those who left."""
        return list(Player.objects.filter(round=self.round).order_by("name"))

    @property
    def players(self) -> list[Player]:
        """1.1: the present players, by name."""
        return [player for player in self.everybody if player.left_at is None]

    @property
    def ranked(self) -> list[Player]:
        """2.5.2.1: the players who hold a rank, by name."""
        return [player for player in self.players if player.rank]

    def has_leader(self, side: Side) -> bool:
        """1.1: whether a side has a leader who could act for it."""
        return any(player.side == side and is_leader(player) for player in self.players)

    @property
    def judges(self) -> list[Judge]:
        """1.3: the judges, by role, heads first."""
        return judges_of(self.round)

    @cached_property
    def played_now(self) -> list[str]:
        """1.5: the names of the rounds that are being played."""
        return list(Round.objects.filter(state=RoundState.RUNNING).values_list("name", flat=True))

    @cached_property
    def musters(self) -> list[Muster]:
        """2.5.2.2: all musters, in any state."""
        rows = Muster.objects.filter(round=self.round)
        return list(rows.select_related("author", "namesake", "controller"))

    @cached_property
    def sides(self) -> tuple[SideRows, ...]:
        """2.5.2.1: the state of the armies of both sides."""
        return sides_from(self.setup.armies, self.musters, self.ranked)

    @cached_property
    def accepted(self) -> list[Muster]:
        """2.5.2.2: the accepted armies, by side, rank and name."""
        rows = [muster for muster in self.musters if muster.state == HandedIn.ACCEPTED]
        return sorted(rows, key=lambda row: (row.side, Rank(row.rank).tier, row.name.casefold()))

    def accepted_of(self, side: Side) -> list[Muster]:
        """2.5.2.2: the accepted armies of a side, by rank and name."""
        return [muster for muster in self.accepted if muster.side is side]

    @cached_property
    def mercenaries(self) -> list[MercenaryPlan]:
        """2.5.3: the planned mercenaries, in the order of their posts."""
        order = {post.lot: place for place, post in enumerate(POSTS)}
        return sorted(MercenaryPlan.objects.filter(round=self.round), key=lambda plan: order[plan.lot])

    @property
    def draws(self) -> ArmySetup | None:
        """R38: the draws of the set-up; None before the first one."""
        return self._decided[0]

    @cached_property
    def board(self) -> Board:
        """1.2, 2.5.1: the map with the bases and towns that are public."""
        return load_board(self.round)

    @cached_property
    def armies(self) -> list[Army]:
        """2: the armies that are on the map already: none, unless they were put there by hand."""
        return list(Army.objects.filter(round=self.round))

    @property
    def has_book(self) -> bool:
        """R38: whether there is a formula book."""
        return self._decided[1]

    @cached_property
    def taken(self) -> Taken:
        """2.1, R10: everything that has a name or a legend."""
        handed_in = [muster for muster in self.musters if muster.state in (HandedIn.SENT, HandedIn.ACCEPTED)]
        # Only armies that are on the map are personalised (2.6): without one there is nothing to ask for.
        requests = tuple(waiting_requests(self.round)) if self.armies else ()
        return Taken(tuple(self.players), tuple(self.armies), tuple(handed_in), tuple(self.mercenaries), requests)

    @cached_property
    def _decided(self) -> tuple[ArmySetup | None, bool]:
        """R38: the draws, and whether there is a book, in one statement."""
        books = BookVersion.objects.filter(round=OuterRef("pk"))
        row = Round.objects.select_related("army_setup").annotate(has_book=Exists(books)).get(pk=self.round.pk)
        return getattr(row, "army_setup", None), row.has_book

    @cached_property
    def _sites(self) -> list[PlannedSite]:
        return planned_sites(self.round)


@request_cached
def preparation_of(setup: RoundSetup) -> Preparation:
    """2.5: cached for all parts of a page."""
    return Preparation(setup)
