"""T12.6: a table as plain text, for mail readers: the content of the viewer's page, and nothing else."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext

from judging.common.texts import utc
from judging.tables.board.board import board_of
from judging.tables.board.shapes import Board, Row, Side, Tile
from judging.tables.models import TableState
from judging.tables.queries import TableView

MOST_LINES = 60
"""The most lines to post that are listed."""


def in_plain_text(seen: TableView) -> str:
    """T12.6: a user's view of a table: who has to act and until when, the lines that the user may post, the cards.

    It uses the page's board, so that a mail shows nothing that the page would hide (T5.2).
    """
    if not seen.view:
        return _before_the_start(seen)
    board = board_of(seen.view, seen.offers, seen.cards)
    parts = [board.headline, *_what_is_asked(board, seen), *_legal(seen.legal), *_cards(board)]
    return "\n".join(part for part in parts if part).strip()


def _before_the_start(view: TableView) -> str:
    if view.table.state == TableState.GIVEN_UP:
        return gettext("This table was cancelled before it started.")
    return gettext("This table hasn't started. Its page shows what is missing.")


def _what_is_asked(board: Board, view: TableView) -> Iterator[str]:
    if board.result:
        yield board.result
    if (waits := board.waits) is None:
        return
    yield f"{waits.says}. {waits.hint}".rstrip() if waits.mine else waits.says
    yield from waits.told
    if view.waits is not None and view.waits.due_at is not None:
        yield gettext("Deadline: %(when)s.") % {"when": utc(view.waits.due_at)}
    for proposal in board.proposals:
        fields = {"number": proposal.number, "name": proposal.by, "says": proposal.says}
        yield gettext("Proposal %(number)s by %(name)s: %(says)s") % fields


def _legal(lines: Sequence[str]) -> Iterator[str]:
    if not lines:
        return
    yield "\n" + gettext("You can write one of these lines, or several as a plan:")
    yield from (f"  {line}" for line in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        more = gettext("… and %(number)s more; the page shows them all.") % {"number": len(lines) - MOST_LINES}
        yield f"  {more}"


def _cards(board: Board) -> Iterator[str]:
    if board.pile:
        yield "\n" + gettext("%(title)s, top first:") % {"title": board.pile_title}
        yield from (f"  {item.title}" + (f" ({item.by})" if item.by else "") for item in board.pile)
    if board.hand is not None:
        yield f"\n{_row(board.hand)}"
    for side in (*((board.own,) if board.own is not None else ()), *board.opponents):
        yield from _side(side)
    if board.grid is not None:
        yield "\n" + gettext("The battlefield:")
        squares = [square for _, rank in board.grid.ranks for square in rank if square.tile is not None]
        yield from (f"  {square.name}: {_tile(square.tile)}" for square in squares if square.tile is not None)
    if board.adventure is not None:
        yield "\n" + gettext("The regions:")
        for region in board.adventure.regions:
            here = ", ".join(marker.name for marker in region.markers)
            yield f"  {region.title}" + (f": {here}" if here else "")


def _side(side: Side) -> Iterator[str]:
    counts = ", ".join(f"{count.word} {count.number}" for count in side.counts)
    out = ", " + gettext("out (%(rule)s)") % {"rule": side.out} if side.out else ""
    yield f"\n{side.name}{out}: {counts}"
    if side.energy:
        energy = ", ".join(f"{number} {stone.word}" for stone, number in side.energy)
        yield "  " + gettext("Energy: %(held)s") % {"held": energy}
    yield from (f"  {_row(row)}" for row in (*side.rows, *side.piles) if row.tiles)


def _row(row: Row) -> str:
    """A zone with its cards; of cards unknown to the viewer, their number."""
    tiles = [tile for tile in row.tiles if tile.known or tile.number is not None]
    hidden = len(row.tiles) - len(tiles)
    cards = [_tile(tile) for tile in tiles] + ([gettext("%(number)s face down") % {"number": hidden}] if hidden else [])
    return f"{row.title}: {'; '.join(cards) or gettext('empty')}"


def _tile(tile: Tile) -> str:
    number = f"#{tile.number} " if tile.number is not None else ""
    return f"{number}{tile.spoken or tile.name or gettext('face down')}"
