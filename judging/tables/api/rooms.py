"""T12.8: the lobby and its tables: opened, joined, given up; a table as its asker knows it, its entries and posts."""

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ListView
from judging.api.errors import Missing, Stale
from judging.api.schema import WRITING, describe
from judging.common.errors import Refused
from judging.tables import queries
from judging.tables.api.base import RULE, OfTables, entry_out, listed
from judging.tables.api.shapes import (
    TableAfterIn,
    TableAsks,
    TableEntryOut,
    TableFormatOut,
    TableIn,
    TableLinesIn,
    TableListedOut,
    TableOut,
    TablePostIn,
    TableProofOut,
    TableReadingsOut,
    TableSeatIn,
    TableVerifiedOut,
    TableWordIn,
)
from judging.tables.forms import TypedTable, plan_from
from judging.tables.models import DeckVersion
from judging.tables.proof.verification import proof_of, verified
from judging.tables.queries import log_of, seen_by
from judging.tables.services import draw_offers, opening, posting
from tables.core.lists.formats import FORMATS
from tables.games import RULES
from wargame.rules.core.saying import said

KEPT = (403, 404, 409, 503)
"""What can be in the way of a change without a body."""


class Tables(OfTables, ListView):
    """T12.8: the lobby."""

    @describe("tables_list", "tables", "List the card tables you can see, newest first", out=TableListedOut(many=True))
    def get(self, request: Request) -> Response:
        rows = list(seen_by(request.user).prefetch_related("seats")[:200])
        return self.page([listed(row, list(row.seats.all())) for row in rows], TableListedOut)

    @describe(
        "tables_create", "tables", "Open a card table", out=TableOut, status=201, takes=TableIn, problems=WRITING,
        description=
            "Its seed is drawn and committed to before anyone takes a seat. You take a seat, too. Players you "
            "invite send the `invitation` from the response."
        ,
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        data = self.read(TableIn, request.data)
        data |= {name: str(data.get(name) or "") for name in ("list", "places")}
        new_table = opening.open_table(user=self.user, plan=plan_from(TypedTable(**data)), now=timezone.now())
        return self.shown(new_table.slug, 201)


class Formats(OfTables, ListView):
    """T12.8: what tables may be opened for."""

    @describe(
        "table_formats_list", "tables", "List the formats of the games you can play here", out=TableFormatOut(many=True)
    )
    def get(self, request: Request) -> Response:
        rows = [
            {"game": game, "format": key, "name": said(each.name)}
            for (game, key), each in FORMATS.items()
            if game in RULES
        ]
        return self.page(rows, TableFormatOut)


class OneTable(OfTables):
    """T5: one table."""

    @describe(
        "tables_read", "tables", "Get a card table as you see it", out=TableOut, asks=TableAsks, problems=(400, 404),
        description="Includes your hand if you have a seat. Judges and all others see only what is public.",
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        return self.shown(table, invitation=self.read(TableAsks, request.query_params).get("invitation", ""))

    @describe(
        "tables_give_up", "tables", "Cancel a card table that has not started", out=TableOut, problems=KEPT,
        description=
            "For its opener, or players with a seat who don't want to wait. Once a table has started, concede "
            "instead."
        ,
    )  # fmt: skip
    def delete(self, request: Request, table: str) -> Response:
        opening.give_up(table=self.found(table), user=self.user, now=timezone.now())
        return self.shown(table)


class TableSeats(OfTables):
    """T8: the seats of a table."""

    @describe(
        "table_seats_take", "tables", "Take a seat at a card table", out=TableOut, status=201, takes=TableSeatIn,
        problems=WRITING, description=
            "The last seat starts the table, or it waits for the words of sealed cuts. Returns 409 with every "
            "rule broken if the format does not allow your deck."
        ,
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data = self.read(TableSeatIn, request.data)
        deck = DeckVersion.objects.select_related("deck").filter(deck_id=data["deck"]).order_by("-number")
        version = deck.filter(number=data["version"]).first() if "version" in data else deck.first()
        if version is None:
            raise Refused(gettext("Choose one of your decks for this game."), RULE, "deck")
        invitation = data.get("invitation", "")
        coming = opening.Coming(
            data["name"], version, data.get("word", ""), data.get("cut_hash", ""), invitation
        )  # fmt: skip
        opening.sit_down(table=self.found(table, invitation), user=self.user, coming=coming, now=timezone.now())
        return self.shown(table, 201)


class TableWord(OfTables):
    """T8: one's cut."""

    @describe(
        "table_words_hand_in", "tables", "Reveal the word of your sealed cut", out=TableOut, takes=TableWordIn,
        problems=WRITING, description="Once all seats are taken. The cards are dealt after the last word.",
    )  # fmt: skip
    def put(self, request: Request, table: str) -> Response:
        secret = self.read(TableWordIn, request.data)["word"]
        opening.hand_in_cut(table=self.found(table), user=self.user, word=secret, now=timezone.now())
        return self.shown(table)


class TableEntries(OfTables):
    """T6: the log of a table."""

    @describe(
        "table_entries_read", "tables",
            "List the entries of a card table, newest first"
        , out=TableEntryOut(many=True),
        asks=TableAfterIn, problems=(400, 404), description="At most 40; with `after`, only later entries.",
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        after = self.read(TableAfterIn, request.query_params).get("after")
        rows = log_of(self.seen(table), after=after)
        return Response(TableEntryOut([entry_out(row) for row in rows], many=True).data)

    @describe(
        "table_entries_create", "tables", "Post at a card table", out=TableOut, status=201, takes=TablePostIn,
        problems=WRITING, description=
            "Posts a line, a plan, a standing order or stops; a proposal or a reply to one (`propose …`, `accept "
            "7`); or `offer draw`, `accept draw`, `refuse draw` and `withdraw draw`. Returns 409 with `stale` if "
            "something has happened since `on`: read it and post again."
        ,
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data = self.read(TablePostIn, request.data)
        is_stops = data.get("stops")
        lines = tuple(data["lines"]) if is_stops else posting.checked_lines("\n".join(data["lines"]))
        if not is_stops and not data.get("order") and (does := draw_offers.draw_line(lines)):
            draw_offers.act_on_draw(table=self.found(table), user=self.user, does=does, now=timezone.now())
            return self.shown(table, 201)
        try:
            posting.post(
                table=self.found(table), user=self.user, lines=lines, on=data["on"], token=data["token"],
                now=timezone.now(), kind="stops" if is_stops else "order" if data.get("order") else "act",
            )  # fmt: skip
        except posting.Stale as stale:
            raise Stale(stale.sentence, "T9.3") from stale
        return self.shown(table, 201)


class TableReadings(OfTables):
    """T9: a dry run: how lines are read, and nothing of what would come of them."""

    writes_by, stores = "read", False

    @describe(
        "table_lines_read", "tables",
            "Check how lines are read at a card table"
        , out=TableReadingsOut, takes=TableLinesIn,
        problems=(400, 403, 404, 409, 413, 415), description="Stores nothing.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        lines = posting.checked_lines("\n".join(self.read(TableLinesIn, request.data)["lines"]))
        view = self.seen(table)
        if not view.view:
            raise Missing(gettext("This table hasn't started."))
        readings = queries.read_over(view.table, view.letter, lines)
        return Response(TableReadingsOut({"lines": readings}).data)


class TableProof(OfTables):
    """T8: what a table proves."""

    @describe(
        "table_proof_read", "tables", "Get the proof of a card table", out=TableProofOut, problems=(404,),
        description="Its chain, and all that was hidden once it is over (see `docs/play/verify/shuffles.md`).",
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        return Response(TableProofOut(proof_of(self.found(table))).data)


class TableVerified(OfTables):
    """T8: a table recomputed."""

    @describe(
        "table_verify", "tables", "Verify a card table by recomputing it", out=TableVerifiedOut, problems=(404,),
        description=
            "Checks every commitment and, after the end, every shuffle, draw and action. The log is replayed "
            "once and the result is kept until something changes. All hashes are checked on each request."
        ,
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        return Response(TableVerifiedOut(verified(self.found(table), timezone.now())).data)
