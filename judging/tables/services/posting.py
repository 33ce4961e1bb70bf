"""T6, T9.3, T10.3: A post at a table is carried out and stored; an unreadable one gets an example."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.texts import check_storable, checked_token, utc
from judging.notifications.kinds.tables import MOVES
from judging.notifications.services import lapse, lapse_of_table
from judging.tables import clocks, game_state
from judging.tables.matches.next_game import next_game
from judging.tables.models import Entry, Seat, Table, TableAgreements, TableState
from judging.tables.sentences import Ending
from judging.tables.services import chain
from judging.tables.services.chain import SERVICE, By, Stale, UnreadLine, append_link, link_of, refusal
from judging.tables.services.opening import never_begun
from tables.core.engine import waits_for
from tables.core.entries import Entry as Said
from tables.core.entries import Kind
from tables.core.events import Event
from tables.core.lines.actions import Action
from tables.core.lines.notation import MOST_LINES
from tables.core.lines.understanding import line_of
from tables.core.pace import standing_orders
from tables.core.reasons import Refused as RuleSays
from tables.core.state import State
from wargame.rules.core.saying import grouped

PAGE = Path(settings.BASE_DIR) / "docs" / "play" / "cards" / "lines.md"
HEADS = {"Every game": "", "Kryptik": "kryptik", "Seize": "seize", "Altered": "altered", "Free table": "free"}
USUAL = "pass until my turn"


def order_like(text: str, game: str) -> str:
    """T10.3: the game's order that is most like a text."""
    orders = {order.casefold(): order for order in (*orders_of_games()[game], *orders_of_games()[""])}
    matches = get_close_matches(" ".join(text.split()).casefold()[:100], orders, 1, 0.3)
    return orders[matches[0]] if matches else USUAL


@cache
def orders_of_games() -> Mapping[str, tuple[str, ...]]:
    """T10.3: the standing orders for the page, by game; those of every game under an empty name."""
    orders: dict[str, tuple[str, ...]] = dict.fromkeys(HEADS.values(), ())
    game, is_order = "", False
    for row in PAGE.read_text(encoding="utf-8").splitlines():
        if row.startswith("## "):
            game, is_order = HEADS[row[3:]], False
        elif row.startswith("| ") and "`" not in row and "---" not in row:
            is_order = "standing order" in row
        elif is_order and row.startswith("| `"):
            orders[game] += tuple(re.findall(r"`([^`]+)`", row.split("|")[1]))
    return orders


__all__ = ["Stale", "refusal"]
"""Names defined elsewhere and raised here."""
MOST_SIGNS = 10_000
Agreed = tuple[tuple[int, str], ...]
"""A12: answers by the numbers of their questions."""


def checked_lines(text: str) -> tuple[str, ...]:
    """T9.3: the lines of a post, without empty ones. Refused if there are none, or more than a plan has."""
    if len(text) > MOST_SIGNS:
        raise Refused(
            gettext("The post has %(number)s characters; the limit is %(most)s.")
            % {"number": grouped(len(text)), "most": grouped(MOST_SIGNS)},
            "T9.1",
            "lines",
        )
    check_storable(text, what="post", cites="T9.1", field="lines")
    lines = tuple(line.strip() for line in text.splitlines() if line.strip())
    if not lines:
        raise Refused(gettext("Write a line, or press one of the buttons."), "T9", "lines")
    if len(lines) > MOST_LINES:
        raise Refused(
            gettext("The post has %(number)s lines; a plan can have at most %(most)s.")
            % {"number": len(lines), "most": MOST_LINES},
            "T9.2",
            "lines",
        )
    return lines


@locking.writes
def post(
    *, table: Table, user: User, lines: Sequence[str] = (), on: str, token: str, now: datetime, kind: Kind = "act",
    action: Action | None = None,
) -> Entry:  # fmt: skip
    """T6, T9.3: carries out what a player posts: an action of a button's, a line, a plan of several, a standing order
    (`kind`), or their stops.

    `on` is the latest hash that they saw; Stale if something that they could see has changed since (`heads`). The
    same `token`
    gives the same entry. Refused for who does not sit here, and with the rule's number where the rules refuse it; then
    nothing is stored.
    """
    token = checked_token(token)
    locked_table = held_table(table)
    if (previous := Entry.objects.filter(table=locked_table, user=user, token=token).first()) is not None:
        return previous
    seats = list(locked_table.seats.all())
    seat = next((each for each in seats if each.user_id == user.pk), None)
    if seat is None:
        raise Refused(gettext("You don't sit at this table."), "T9.3")
    check_running(locked_table)
    chain.check(locked_table, seat.letter, on)
    if action is not None:
        line, action = _line_of(locked_table, seat.letter, action)
        lines = (line,)
    check_moves(locked_table, lines)
    if kind == "order" and len(lines) != 1:
        raise Refused(gettext("Give one standing order at a time."), "T10", "lines")
    if kind == "order" and (reason := standing_orders.why_not_given(lines[0])) is not None:
        raise refusal(reason)
    kind = "plan" if kind == "act" and len(lines) > 1 else kind
    statement = Said(kind, seat.letter, tuple(lines), action=action)
    if seat.reminded:
        lapse_of_table(slug=locked_table.slug, kinds=MOVES, users=[user.pk], now=now)
    try:
        return carry_out(locked_table, seats, By(seat.letter, user.pk), statement, now, on=on, token=token)
    except UnreadLine as refused:
        if kind != "order" or len(lines[0]) > standing_orders.LONGEST:
            raise
        example = gettext("Try `%(example)s`.") % {"example": order_like(lines[0], locked_table.game)}
        raise Refused(f"{refused.sentence} {example}", "T10.3", refused.field) from refused


def _line_of(table: Table, letter: str, action: Action) -> tuple[str, Action]:
    """T6.3: the line of a button's action, as it stands in the log, and as it is read."""
    try:
        line, found = line_of(game_state.as_known_to(table, game_state.state_of(table), letter), action)
    except RuleSays as refused:
        raise refusal(refused.reason) from refused
    if checked_lines(line) != (line,):
        raise Refused(gettext("Something went wrong with this form. Copy your text and reload the page."))
    return line, found


def carry_out(
    table: Table, seats: list[Seat], by: By, said: Said, now: datetime, *, on: str = "", token: str = ""
) -> Entry:
    """T6: one entry of a locked, running table: carried out and stored, with its events and the clocks. Raises
    Refused."""
    before = game_state.state_of(table)
    entry, carried = append_link(table, by, link_of(said, on=on, token=token), now)
    state = carried.table
    if not isinstance(state, State):
        raise TypeError(f"{table.slug} is carried on before it was dealt")
    _keep_agreed(table, before.options.agreed, state.options.agreed, now)
    moves = said.kind in ("act", "plan", "tick") and not _goes_on(said.lines)
    if (moves and said.by not in table.draw.get("agreed", ())) or state.living != before.living:
        close_draw(table, now)
    _clocks(table, seats, said, carried.events, now)
    clocks.ask_anew(table, state, seats, now)
    table.save()
    next_game(table, now)
    return entry


def check_moves(table: Table, lines: Sequence[str]) -> None:
    """T11.2, T11.3: Refused while the table is stopped, for all but an agreement and the end; while a ruling that
    ends the game is pending, for all but the end."""
    if table.question and not _goes_on(lines):
        raise Refused(gettext("A judge has been asked. The table stands still until they answer."), "T11.2", "lines")
    ends = bool(lines) and lines[0].casefold().startswith("concede")
    if table.still_until is not None and not table.question and not ends:
        raise Refused(
            gettext("A ruling ends this game. The table stands still until %(time)s, the end of the time for appeals.")
            % {"time": utc(table.still_until)},
            "T11.3",
            "lines",
        )


def close_draw(table: Table, now: datetime) -> None:
    """T11.9: close the offer of a draw at a locked table; the caller saves the table."""
    if table.draw.get("open"):
        lapse(kind="table.draw", keys=[draw_key(table)], now=now)
        table.draw = {**table.draw, "open": False}


def draw_key(table: Table) -> str:
    """T11.9: the key of the notifications of the table's last offer of a draw."""
    return f"table-{table.pk}-draw-{table.draw['n']}"


def _goes_on(lines: Sequence[str]) -> bool:
    """T11.4: lines allowed while a judge is asked: an agreement, and the end."""
    return bool(lines) and all(line.casefold().startswith(("propose", "accept", "refuse", "concede")) for line in lines)


def _keep_agreed(table: Table, before: Agreed, agreed: Agreed, now: datetime) -> None:
    """A12: store a table's agreements, to offer them elsewhere; they are derived from the log."""
    if agreed != before:
        wordings = {str(number): wording for number, wording in agreed}
        TableAgreements.objects.update_or_create(
            table=table, defaults={"game": table.game, "agreed": wordings, "agreed_at": now}
        )


def _clocks(table: Table, seats: list[Seat], statement: Said, events: Sequence[Event], now: datetime) -> None:
    if any(event.kind == "rewound" for event in events):
        for seat in seats:
            seat.asked_at = None  # 11: whoever is waited for then is asked anew
        return
    for seat in seats:
        if seat.letter == statement.by and statement.kind == "tick":
            clocks.ran_out(seat)
        elif seat.letter == statement.by and statement.kind in ("act", "plan") and seat.asked_at is not None:
            clocks.answered(table, seat, now)
        if any(event.kind == "turn" and event.seat == seat.letter for event in events):
            clocks.turn_begins(table, seat)


def check_running(table: Table) -> None:
    """T6: Refused if the game has not started or is over."""
    if table.state == TableState.OVER:
        raise Refused(gettext("This table is finished."), "T6.1")
    if table.state != TableState.RUNNING:
        raise Refused(gettext("This table hasn't started."), "T6.1")


@locking.writes
def tick(*, table_id: int, now: datetime) -> Entry | None:
    """T10.5: play the default of a seat whose time is over; None if nobody's is. Idempotent."""
    locked_table = held_table(Table(pk=table_id))
    if locked_table.state != TableState.RUNNING or locked_table.due_at is None or locked_table.due_at > now:
        return None
    seats = list(locked_table.seats.all())
    late = [seat for seat in seats if (due := clocks.due_of(locked_table, seat)) is not None and due <= now]
    waited, kind = waits_for(game_state.state_of(locked_table))
    late = [seat for seat in late if seat.letter in waited]
    if not late:
        return None
    if kind == "agree":
        return never_begun(locked_table, seats, SERVICE, Ending.NO_AGREEMENT, now)
    return carry_out(locked_table, seats, SERVICE, Said("tick", late[0].letter), now)


@locking.writes
def beat_table(*, table_id: int, now: datetime) -> Entry | None:
    """T10.4: reveal privately settled answers on the table's beat, so that speed betrays no hand; None if there are
    none. Idempotent."""
    locked_table = held_table(Table(pk=table_id))
    if (
        locked_table.state != TableState.RUNNING
        or locked_table.still_until
        or locked_table.beat_at is None
        or locked_table.beat_at > now
    ):
        return None
    if clocks.next_beat(locked_table, game_state.state_of(locked_table), now) is None:
        locked_table.beat_at = None
        locked_table.save(update_fields=["beat_at"])
        return None
    return carry_out(locked_table, list(locked_table.seats.all()), SERVICE, Said("tick", "service", what="beat"), now)


def beating_tables(now: datetime) -> list[int]:
    """T10.4: the tables whose beat has come."""
    return list(Table.objects.filter(beat_at__lte=now).order_by("beat_at").values_list("pk", flat=True))


def due_tables(now: datetime) -> list[int]:
    """T10: the tables at which a player's time is over."""
    return list(Table.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True))


def held_table(table: Table) -> Table:
    """T6: the table's current row, locked, with everything its rules need."""
    return locking.hold(Table.objects.select_related("card_list"), pk=table.pk)
