"""T12.6: the pages of card tables: the lobby, a new table, and a table with its posts, manual actions, seats and
cuts."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from judging.common.errors import Refused
from judging.common.form_views import ActionView, Success, get_or_post, handle_button, handle_form, number_of
from judging.common.forms import new_token
from judging.tables import queries
from judging.tables.away.services import stays_away
from judging.tables.board.actions import sent_action
from judging.tables.board.board import board_of
from judging.tables.board.shapes import Board
from judging.tables.calendar_tokens import calendar_token
from judging.tables.cards import decks
from judging.tables.forms import (
    APPEALS,
    LENGTHS,
    PACES,
    PLAYED,
    TypedTable,
    deck_called,
    formats,
    plan_from,
    typed_table,
)
from judging.tables.late_tables import troubles_for
from judging.tables.matches.services import match_of
from judging.tables.models import CardList, Table
from judging.tables.notify import see_table
from judging.tables.queries import Reading, TableView, rulings_by_card, table_called, table_view
from judging.tables.services import draw_offers, opening, posting
from judging.tables.talk.services import beside
from tables.core.entries import Kind
from tables.core.lines.actions import Action
from tables.games import RULES
from wargame.rules.core.wording import listed

RULE = "T11.7"
_WORD = re.compile(r"[A-Za-z][\w'-]{0,29}")
_THING = re.compile(r"#[0-9]{1,6}")
_NUMBER = re.compile(r"[0-9]{1,4}")


def manual_action(data: QueryDict, letter: str, game: str) -> Action:
    """T11.7: what a form says, done at once or proposed. Refused where something of it is missing."""
    make = _FORMS.get(data.get("hand", ""))
    if make is None:
        raise Refused(gettext("Choose what to do."), RULE)
    return Action(_how(data, game), changes=(make(data, _player(data, letter)),))


def manual_action_line(data: QueryDict, letter: str, game: str) -> str:
    """T11.7: the line of the form in which the sentences are typed."""
    _player(data, letter)
    typed = " ".join(data.get("sentences", "").split())
    if not typed:
        raise Refused(gettext("Write what should happen."), "T11.1", "sentences")
    return f"{_how(data, game)}: {typed}"


def _how(data: QueryDict, game: str) -> str:
    return "propose" if RULES[game].has_rules or data.get("how") != "do" else "do"


def _player(data: QueryDict, letter: str) -> str:
    who = data.get("who", "") or letter
    if not re.fullmatch(r"[A-H]", who):
        raise Refused(gettext("Choose a player."), RULE, "who")
    return who


def _number(data: QueryDict, name: str) -> int:
    text = data.get(name, "").strip()
    if not _NUMBER.fullmatch(text):
        raise Refused(gettext("Enter a whole number up to 9999."), RULE, name)
    return int(text)


def _word(data: QueryDict, name: str) -> str:
    text = data.get(name, "").strip()
    if not _WORD.fullmatch(text):
        raise Refused(gettext("Name the counter in one word, using letters, digits and hyphens."), RULE, name)
    return text.lower()


def _thing(data: QueryDict) -> int:
    card = data.get("card", "")
    if not _THING.fullmatch(card):
        raise Refused(gettext("Choose a face-up card."), RULE, "card")
    return int(card[1:])


def _move(data: QueryDict, player: str) -> Action:
    card, to = data.get("card", ""), data.get("to", "")
    if not re.fullmatch(r"[a-z]+", to):
        raise Refused(gettext("Choose where the card goes."), RULE, "to")
    if card == "top":
        if to in ("deck", "bottom"):
            raise Refused(gettext("The top card is already on the deck. Choose another place."), RULE, "to")
        return Action("deals", to=player, n=1, origin=to)
    if card.startswith("="):
        puts = Action("puts", to=player, card=card[1:])
        return replace(puts, do=to) if to == "bottom" else replace(puts, origin=to)
    thing = _thing(data)
    return Action("bottom", thing=thing) if to == "bottom" else Action("moves", thing=thing, origin=to)


def _turn(data: QueryDict, player: str) -> Action:
    return Action("disengages" if data.get("turn") == "back" else "engages", thing=_thing(data))


def _count(data: QueryDict, player: str) -> Action:
    card = data.get("card", "")
    counts = Action("counts", to=card) if re.fullmatch(r"[A-H]", card) else Action("counts", thing=_thing(data))
    return replace(counts, n=_number(data, "n"), do=_word(data, "word"))


def _show(data: QueryDict, player: str) -> Action:
    card = data.get("card", "")
    if card.startswith("="):
        return Action("reveals", to=player, card=card[1:])
    return Action("shows", to=player, origin="hand")


def _zone(data: QueryDict) -> str:
    return data.get("zone", "") if re.fullmatch(r"[a-z]+", data.get("zone", "")) else "deck"


_FORMS: Mapping[str, Callable[[QueryDict, str], Action]] = {
    "draw": lambda data, who: Action("draws", to=who, n=_number(data, "n")),
    "discard": lambda data, who: Action("discards", to=who, n=_number(data, "n")),
    "shuffle": lambda data, who: Action("shuffles", to=who, origin=_zone(data)),
    "roll": lambda data, who: Action("rolls", to=who, n=_number(data, "sides")),
    "look": lambda data, who: Action("looks", to=who, n=_number(data, "n")),
    "move": _move,
    "turn": _turn,
    "count": _count,
    "show": _show,
    "win": lambda data, who: Action("wins", to=who),
}
"""By the form: what it does, for the player whom it is about."""


def table_for(request: HttpRequest, slug: str) -> Table:
    """The table of that name. Raises Http404 if there is none that the viewer may see."""
    invitation = request.POST.get("invitation", "") or request.GET.get("invitation", "")
    table = table_called(slug, request.user, invitation)
    if table is None:
        raise Http404(gettext("There is no table “%(slug)s”.") % {"slug": slug[:60]})
    return table


@require_safe
def tables(request: HttpRequest) -> HttpResponse:
    """T12.6: the lobby: one's own tables, those that seek players, running ones, and those that are over."""
    token = calendar_token(request.user) if isinstance(request.user, User) else ""
    troubles = troubles_for(request.user, timezone.now()) if token else ()
    context = {"lobby": queries.lobby(request.user), "calendar": token, "troubles": troubles}
    return render(request, "tables/lobby.html", context)


class NewTable(ActionView):
    """T12.6: the form of a new table."""

    template = "tables/new.html"

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.typed = typed_table(request.POST) if request.method == "POST" else TypedTable()

    def context(self) -> dict[str, object]:
        """T12.6: the choices."""
        return {
            "typed": self.typed, "games": PLAYED, "formats": formats(),
            "paces": [(key, gettext(title)) for key, title, *_ in PACES],
            "lengths": [(key, gettext(title)) for key, title in LENGTHS],
            "appeals": [(key, gettext(title)) for key, title in APPEALS],
            "chosen": f"{self.typed.game} {self.typed.format}",
            "lists": CardList.objects.defer("data").order_by("name", "-version"),
        }  # fmt: skip

    def act(self) -> Success:
        """T12.6: open the table."""
        table = opening.open_table(user=_user(self.request), plan=plan_from(self.typed), now=timezone.now())
        return Success(
            gettext("The table is open. Sit down, and send its link to the people you want to play with."),
            _address(table),
        )


@login_required
@get_or_post
def new(request: HttpRequest) -> HttpResponse:
    """T12.6: open a table."""
    return NewTable(request).answer()


MOST_STOPS = 60
KINDS: tuple[tuple[str, Kind], ...] = (("stops", "stops"), ("order", "order"), ("as_plan", "plan"))
"""T6: by a field of a form on the page: the kind of its post, if it is not a single act."""


class TablePage(ActionView):
    """T12.6: one table: its current decision, its sides, its log; a POST is the viewer's post."""

    template = "tables/table.html"

    def __init__(self, request: HttpRequest, slug: str) -> None:
        super().__init__(request)
        self.slug = slug
        self.text = request.POST.get("lines", "") or "\n".join(filter(None, request.POST.getlist("plan")))

    @property
    def only_looks(self) -> bool:
        """T9: whether the lines are only to be read over."""
        return "read" in self.request.POST

    def act(self) -> Success:
        """T6: the post is carried out: what a button or a form says, or the lines that were typed."""
        table, data = table_for(self.request, self.slug), self.request.POST
        kind: Kind = next((kind for field, kind in KINDS if field in data), "act")
        action = self.action(table) if kind == "act" else None
        lines = () if action else self.lines(table, kind)
        does = data.get("draw", "") or (draw_offers.draw_line(lines) if kind == "act" else "")
        if does in draw_offers.ANSWERS:
            message = draw_offers.act_on_draw(table=table, user=_user(self.request), does=does, now=timezone.now())
            return Success(message, _address(table))
        entry = posting.post(
            table=table, user=_user(self.request), lines=lines, on=data.get("on", ""), token=data.get("token", ""),
            now=timezone.now(), kind=kind, action=action,
        )  # fmt: skip
        return Success(gettext("Posted: entry %(n)s.") % {"n": entry.n}, _address(table))

    def action(self, table: Table) -> Action | None:
        """T9, T11.7: what a button or a form says; None where lines were typed."""
        data = self.request.POST
        if data.get("hand", "said") != "said":
            return manual_action(data, self.letter(table), table.game)
        return sent_action(data)

    def lines(self, table: Table, kind: Kind) -> tuple[str, ...]:
        """T9.3: the lines that were typed, the stops that were ticked."""
        data = self.request.POST
        if kind == "stops":
            return tuple(data.getlist("stop")[:MOST_STOPS])
        if "draw" in data:
            return ()
        if "hand" in data:
            return posting.checked_lines(manual_action_line(data, self.letter(table), table.game))
        return posting.checked_lines(self.text)

    def letter(self, table: Table) -> str:
        """The letter of the viewer's seat; empty for who has none."""
        seat = table.seats.filter(user_id=self.request.user.pk or 0).first()
        return seat.letter if seat else ""

    def readings(self, seen: TableView) -> tuple[Reading, ...]:
        """T9: the readings of the typed lines."""
        if not self.only_looks or not self.text.strip():
            return ()
        try:
            return queries.read_over(seen.table, seen.letter, posting.checked_lines(self.text))
        except Refused as refused:
            self.refused = refused
            return ()

    def context(self) -> dict[str, object]:
        """T5: the table as the viewer knows it."""
        view = table_view(table_for(self.request, self.slug), self.request.user, timezone.now())
        see_table(view.table, self.request.user, view.now)
        before = number_of(self.request.GET.get("before", ""), 0)
        readings = self.readings(view) if view.view else ()
        log = view.log(before or None)
        return {
            "seen": view, "table": view.table, "refused": self.refused, "text": self.text, "readings": readings,
            "token": new_token(), "typed": self.request.POST,
            "log": log, "earlier": log[-1].n if len(log) == queries.ON_A_PAGE else 0,
            "board": self.board(view) if view.view else None,
            "ruled": rulings_by_card(view.table.game) if view.view else {}, "talk": beside(view, self.request.user),
            "away": [seat.name for seat in view.seats if view.table.state == "running" and stays_away(seat)],
            "decks": self.decks(view), "link": self.link(view), "polls": view.table.state != "given up",
            "match": match_of(view.table, [(seat.letter, seat.name) for seat in view.seats]),
            "letters": self.letters(view),
        }  # fmt: skip

    def board(self, seen: TableView) -> Board:
        """T12.6: the board, lit for the mercenary that `?mover=` names, if there is one with that number."""
        mover = number_of(self.request.GET.get("mover", ""), 0)
        # Who agrees on the first hand alone starts a game that nobody can win, so that isn't the second button.
        suggested = Action("agree", do="suggested")
        offers = (suggested,) if suggested in seen.offers else seen.offers
        plain = {**seen.view, "reach": seen.reaches, "mover": mover}
        return board_of(plain, offers, seen.cards, seen.open_lines)

    def decks(self, seen: TableView) -> object:
        """T12.6: the viewer's decks in the table's format."""
        may_sit = seen.table.state == "open" and seen.seat is None and self.request.user.is_authenticated
        return decks.fitting(self.request.user, seen.table) if may_sit else ()

    def letters(self, seen: TableView) -> Sequence[tuple[str, str]]:
        """S47: with partners, the free seats, each with the players of its side."""
        free = [one for one in opening.letters_of(seen.table) if one not in seen.names]
        if seen.table.state != "open" or not any(one[1:] for one in free):
            return ()
        return [(one, listed([n for letter, n in seen.names.items() if letter[:1] == one[:1]])) for one in free]

    def link(self, seen: TableView) -> str:
        """T12.6: the invitation link; only the opener reads it."""
        if not (seen.is_opener and seen.table.state == "open"):
            return ""
        return self.request.build_absolute_uri(f"{_address(seen.table)}?invitation={seen.table.invitation}")


@get_or_post
def table(request: HttpRequest, table: str) -> HttpResponse:
    """T12.6: a table as its viewer knows it; handles a player's post."""
    page = TablePage(request, table)
    if request.method == "POST" and not request.user.is_authenticated:
        page.refused = Refused(
            gettext("You were logged out, and nothing was sent. Log in in another tab, then send it again.")
        )
        return handle_form(request, lambda *, refused=None: _rendered(page, 403), None)
    return page.answer()


def _rendered(page: TablePage, status: int) -> HttpResponse:
    return render(page.request, page.template, page.context(), status=status)


@login_required
@require_POST
def sit(request: HttpRequest, table: str) -> HttpResponse:
    """T8, T12.6: take a seat."""
    data, at = request.POST, table_for(request, table)

    def act() -> Success:
        coming = opening.Coming(
            data.get("seat", ""), deck_called(data.get("deck", "")), data.get("word", ""), data.get("cut_hash", ""),
            data.get("invitation", ""), data.get("letter", ""),
        )  # fmt: skip
        opening.sit_down(table=at, user=_user(request), coming=coming, now=timezone.now())
        return Success(gettext("You now sit at the table."))

    back = f"{_address(at)}?invitation={data['invitation']}" if data.get("invitation") else _address(at)
    return handle_button(request, act, back)


@login_required
@require_POST
def cut(request: HttpRequest, table: str) -> HttpResponse:
    """T8: hand in the word of a cut."""
    at = table_for(request, table)

    def act() -> str:
        opening.hand_in_cut(table=at, user=_user(request), word=request.POST.get("word", ""), now=timezone.now())
        return gettext("Your cut word is submitted.")

    return handle_button(request, act, _address(at))


@login_required
@require_POST
def give_up(request: HttpRequest, table: str) -> HttpResponse:
    """T8: give up a table that has not started."""
    at = table_for(request, table)

    def act() -> str:
        opening.give_up(table=at, user=_user(request), now=timezone.now())
        return gettext("The table is cancelled.")

    return handle_button(request, act, _address(at))


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _address(table: Table) -> str:
    return reverse("table", args=[table.slug])


@require_safe
@never_cache
def news(request: HttpRequest, table: str) -> HttpResponse:
    """T12.6: 204 while the latest hash is still `?v=`; else the new hash, upon which the open page reloads itself."""
    row = table_for(request, table)
    see_table(row, request.user, timezone.now())
    if request.GET.get("v") == row.head:
        return HttpResponse(status=204)
    return render(request, "tables/_poll.html", {"table": row})
