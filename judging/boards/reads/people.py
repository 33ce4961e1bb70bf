"""1.6: who can be named on a board with `@`, and who is named."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse

from judging.boards.mentions import Rendered, render
from judging.boards.reads.boards import Board, players_who_read
from wargame.models import Judge, Player, Round


@dataclass(frozen=True)
class Named:
    """Somebody who reads a board. `name` is what stands behind the `@`: what he is called, or was (1.6)."""

    name: str
    address: str
    user_id: int


class Readers:
    """The people of a round who read a board, asked of the database once."""

    def __init__(self, round: Round, board: Board) -> None:
        self._round, self._board = round, board

    @cached_property
    def players(self) -> list[Player]:
        """The players who read the board, by name."""
        return players_who_read(self._round, self._board)

    @cached_property
    def by_name(self) -> dict[str, Named]:
        """By names: those of the present before former ones, players before judges."""
        slug, found = self._round.slug, []
        for player in self.players:
            found.append(Named(player.name, reverse("player", args=[slug, player.name]), player.user_id))
        if self._board.is_public:
            judges = Judge.objects.filter(round=self._round).order_by("pk")
            found += [Named(judge.name, reverse("players", args=[slug]), judge.user_id) for judge in judges]
        for player in self.players:
            address = reverse("player", args=[slug, player.name])
            found += [Named(old, address, player.user_id) for old, _ in player.former_names]
        by_name: dict[str, Named] = {}
        taken: set[str] = set()
        for one in found:
            if one.name.casefold() not in taken:
                by_name[one.name] = one
                taken.add(one.name.casefold())
        return by_name

    def render(self, text: str) -> Rendered:
        """A message as HTML, its mentions as links."""
        return render(text, {name: one.address for name, one in self.by_name.items()})

    def named_in(self, text: str) -> set[int]:
        """The keys of the users whom a message names."""
        return {self.by_name[name].user_id for name in self.render(text).names}
