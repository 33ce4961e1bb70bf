"""T11.6, T11.8: a table is taken back to an entry, and a judge looks at hidden cards; both are public."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext, gettext_noop

from judging.common import locking
from judging.common.errors import Refused
from judging.common.notify import News
from judging.common.texts import check_storable, checked_text, checked_token
from judging.notifications.services import tell
from judging.tables import game_state
from judging.tables.conduct.endings import check_none_waits
from judging.tables.models import Entry, Seat, Table
from judging.tables.services.chain import By, Stale
from judging.tables.services.judges import answered_by_judge, is_judge
from judging.tables.services.posting import carry_out, check_running, held_table
from tables.core.entries import Entry as Said
from tables.core.zones import zone_of
from wargame.rules.core.saying import grouped

RULE = "T11"
MOST_SIGNS = 500


@dataclass(frozen=True)
class TakingBack:
    """T11.6: the entry to which a table is to be taken back, and the reason. `fresh`: chance is drawn again from
    there on, and unknown cards are shuffled again; without it nobody goes back behind something that was seen."""

    to: int
    reason: str = ""
    fresh: bool = False


@locking.writes
def take_table_back(*, table: Table, user: User, back: TakingBack, on: str, token: str, now: datetime) -> Entry:
    """T11.6: a judge takes the table back, or a player asks for it, which is done when all players ask for the same.
    Later entries stay in the log and no longer count; draws keep their numbers, so the same coin falls again.

    Refused without a judge's reason, for an unknown entry, and behind something that was seen unless it is `fresh`.
    """
    locked_table = held_table(table)
    seats = list(locked_table.seats.all())
    token = checked_token(token)
    if (previous := Entry.objects.filter(table=locked_table, user=user, token=token).first()) is not None:
        return previous
    by = _by(locked_table, seats, user)
    reason = _reason(back.reason, is_needed=by.word == "judge")
    _check(locked_table, on)
    check_none_waits(locked_table)
    if by.word == "judge":
        answered_by_judge(locked_table, now)
        seats = list(locked_table.seats.all())
    statement = Said("rewind", by.word, reason=reason, to=back.to, fresh=back.fresh)
    entry = carry_out(locked_table, seats, by, statement, now, on=on, token=token)
    name = next((seat.name for seat in seats if seat.letter == by.word), "")
    kind = "table.back" if is_back(entry) else "table.back_asked"
    _tell(locked_table, seats, entry, kind, {"to": back.to, "player": name})
    return entry


def is_back(entry: Entry) -> bool:
    """T11.6: whether the table went back with this entry; else it was only requested."""
    return any(event["kind"] == "rewound" for event in entry.told.told["spectator"])


@locking.writes
def look_at_cards(*, table: Table, user: User, letter: str, reason: str, on: str, token: str, now: datetime) -> Entry:
    """T11.6: a judge looks at a seat's hidden cards because their case needs it: from this entry on the judges of
    the table see them, and it is public. Refused for anyone who does not judge here, without a reason, and for an
    unknown seat."""
    locked_table = held_table(table)
    seats = list(locked_table.seats.all())
    token = checked_token(token)
    if not is_judge(locked_table, user):
        raise Refused(gettext("Only the judges of this table can look at hidden cards."), RULE)
    if (previous := Entry.objects.filter(table=locked_table, user=user, token=token).first()) is not None:
        return previous
    reason = _reason(reason, is_needed=True)
    seat = next((seat for seat in seats if seat.letter == letter), None)
    if seat is None:
        raise Refused(gettext("Choose whose hidden cards you need to see."), RULE, "seat")
    _check(locked_table, on)
    statement = Said("look", "judge", reason=reason, seat=letter)
    entry = carry_out(locked_table, seats, By("judge", user.pk), statement, now, on=on, token=token)
    _tell(locked_table, seats, entry, "table.looked", {"player": seat.name})
    return entry


def _by(table: Table, seats: Sequence[Seat], user: User) -> By:
    if is_judge(table, user):
        return By("judge", user.pk)
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if seat is None:
        raise Refused(gettext("Only a judge, or all players together, can take this table back."), RULE)
    return By(seat.letter, user.pk)


def _reason(reason: str, *, is_needed: bool) -> str:
    if is_needed:
        return checked_text(reason, what="reason", most=MOST_SIGNS, cites=RULE, field="reason").strip()
    if len(reason) > MOST_SIGNS:
        raise Refused(
            gettext("The reason has %(number)s characters; the limit is %(most)s.")
            % {"number": grouped(len(reason)), "most": MOST_SIGNS},
            RULE,
            "reason",
        )
    check_storable(reason, what="reason", cites=RULE, field="reason")
    return reason.strip()


def _check(table: Table, on: str) -> None:
    check_running(table)
    if on != table.head:
        raise Stale(Entry.objects.filter(table=table, hash=on).values_list("n", flat=True).first() or 0)


def _tell(table: Table, seats: Sequence[Seat], entry: Entry, kind: str, data: Mapping[str, object]) -> None:
    """T11.6: notify the players at once."""
    facts = {"slug": table.slug, "table": table.name, "reason": str(entry.args.get("reason", "")), **data}
    recipients = [seat for seat in seats if seat.user_id != entry.user_id]
    tell([News(seat.user_id, kind, f"table-entry-{entry.pk}", entry.at, data=facts) for seat in recipients], entry.at)


TITLES = {"deck": gettext_noop("deck, top card first"), "eleven": gettext_noop("11 year row")}
"""The names of zones whose keys aren't readable by themselves."""


@dataclass(frozen=True)
class Looked:
    """T11.8: a hidden zone of a seat: the names of its cards, the top first."""

    seat: str
    zone: str
    cards: tuple[str, ...]


def looked_at(table: Table, view: Mapping[str, Any], names: Mapping[str, str]) -> tuple[Looked, ...]:
    """T11.8: the zones in a judge's view that are not public; `names`: the names of the seats."""
    kinds = [
        kind.name for kind in game_state.rules_of(table).zones.values() if kind.sees != "all" and kind.whose == "seat"
    ]
    seats = dict.fromkeys(look["seat"] for look in view["looks"])
    return tuple(
        Looked(
            names.get(seat, seat),
            gettext(TITLES[kind]) if kind in TITLES else kind,
            tuple(card["card"] for card in cards),
        )
        for seat in seats
        for kind in kinds
        if (cards := [card for card in view["zones"].get(zone_of(seat, kind), ()) if card and "card" in card])
    )
