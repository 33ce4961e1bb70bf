"""T12.1: the typed input to open a table or to save a deck, and its parsed form."""

from dataclasses import dataclass
from datetime import timedelta

from django.http import QueryDict
from django.utils.translation import gettext, gettext_noop

from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.tables.models import GAMES, CardList, DeckVersion
from judging.tables.services.opening import TablePlan
from tables.core.lists.formats import FORMATS
from tables.games import RULES
from wargame.rules.core.saying import said

PLAYED = [(key, name) for key, name in GAMES if key in RULES]
"""T12.1: the games that can be played here."""
PACES = (
    (
        "post",
        gettext_noop("A day per decision, plus three days"),
        timedelta(days=1),
        timedelta(days=3),
        timedelta(hours=12),
    ),
    (
        "slow",
        gettext_noop("Three days per decision, plus a week"),
        timedelta(days=3),
        timedelta(days=7),
        timedelta(days=1),
    ),
    (
        "evening",
        gettext_noop("Two hours per decision, plus a day"),
        timedelta(hours=2),
        timedelta(days=1),
        timedelta(0),
    ),
    (
        "live",
        gettext_noop("Ten minutes per decision, plus an hour"),
        timedelta(minutes=10),
        timedelta(hours=1),
        timedelta(0),
    ),
)
"""T10: the paces to open a table with: time for each decision, a bank, and an increment for each turn."""
AWAY = {"post": (True, 14), "slow": (True, 21), "evening": (True, 3), "live": (False, 0)}
"""T10: by the pace, whether clocks rest at night, and how many days of leave each seat has."""
APPEALS = (("24", gettext_noop("A day")), ("72", gettext_noop("Three days")), ("168", gettext_noop("A week")))
"""R57: the time to appeal against rulings, in hours."""


LENGTHS = (("1", gettext_noop("One game")), ("3", gettext_noop("Best of three")), ("5", gettext_noop("Best of five")))
"""T12.1: the possible numbers of games in a match."""


@dataclass(frozen=True)
class TypedTable:
    """T12.1: the form of a new table, as typed."""

    name: str = ""
    game: str = "kryptik"
    format: str = ""
    list: str = ""
    places: str = "2"
    cuts: str = "sealed"
    pace: str = "post"
    best_of: str = ""
    is_invited: bool = False
    appeals: str = "72"


def typed_table(data: QueryDict) -> TypedTable:
    """T12.1: the typed input. A format goes with its game: `kryptik constructed`."""
    game, _, format_key = data.get("format", "").partition(" ")
    return TypedTable(
        data.get("name", ""), game, format_key, data.get("list", ""), data.get("places", "2"),
        data.get("cuts", "sealed"), data.get("pace", "post"),
        data.get("best_of", ""), bool(data.get("is_invited")), data.get("appeals", "72"),
    )  # fmt: skip


def plan_from(typed: TypedTable) -> TablePlan:
    """T12.1: the plan of the table. Refused for a choice that the form does not offer."""
    pace = next((each for each in PACES if each[0] == typed.pace), None)
    if pace is None:
        raise Refused(gettext("Choose the table's pace."), "T10.1", "pace")
    if typed.appeals not in dict(APPEALS):
        raise Refused(gettext("Choose how long rulings can be appealed."), "R57", "appeals")
    nights, leave_days = AWAY[typed.pace]
    card_list = list_called(typed.list) or usual_list(typed.game)
    return TablePlan(
        typed.name, typed.game, typed.format, card_list, number_of(typed.places), typed.cuts, pace[2],
        pace[3], pace[4], typed.is_invited, nights, leave_days, timedelta(hours=int(typed.appeals)),
        best_of=best_of_typed(typed),
    )  # fmt: skip


def best_of_typed(typed: TypedTable) -> int:
    """T12.1: the number of games in a match: the chosen one, else the format's."""
    usual = RULES[typed.game].best_of.get(typed.format, 1) if typed.game in RULES else 1
    return number_of(typed.best_of, 0) if typed.best_of else usual


def list_called(key: str) -> CardList | None:
    """T7: the list of that key in the database; None for an empty key. Refused if there is none."""
    if not key:
        return None
    card_list = CardList.objects.filter(pk=number_of(key)).first()
    if card_list is None:
        raise Refused(gettext("Choose an existing list."), "T12.1", "list")
    return card_list


def usual_list(game: str) -> CardList | None:
    """T12.1: the default list of a game: its newest official one. A free table has none."""
    rows = CardList.objects.filter(game=game, is_official=True).order_by("-made_at", "-version")
    return rows.first() if game in RULES and RULES[game].has_rules else None


def deck_called(key: str) -> DeckVersion:
    """T12.1: the version of a deck that a form names. Refused if there is none."""
    version = DeckVersion.objects.select_related("deck").filter(pk=number_of(key)).first()
    if version is None:
        raise Refused(gettext("Choose a deck."), "T12.2", "deck")
    return version


def formats() -> list[tuple[str, str]]:
    """T12.1: the formats of all games that are played here, each with its game: `kryptik constructed`."""
    names = dict(GAMES)
    return [
        (f"{game} {key}", f"{names[game]}: {said(each.name)}") for (game, key), each in FORMATS.items() if game in RULES
    ]
