"""T7.1: card lists: every fault is reported at once, and versions never change."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils.translation import gettext, ngettext

from judging.accounts.bans import enter
from judging.accounts.models import AdminEntry
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import is_administrator
from judging.common.texts import check_storable
from judging.tables.models import CardList, Deck, DeckVersion
from tables.core.lists.cardlist import CardList as Cards
from tables.core.lists.cardlist import read_list
from tables.core.lists.decks import read_deck
from tables.core.lists.faults import Fault
from tables.reading import MOST_SIGNS, UnreadableFile, read_json, read_yaml
from wargame.rules.core.saying import grouped

RULE = "T7.1"


class FaultyList(Refused):
    """T7.1: a list with faults: all of them, each with its card, its key and the allowed values."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        message = ngettext(
            "The list has one error. Nothing was saved.",
            "The list has %(number)s errors. Nothing was saved.",
            len(faults),
        )
        super().__init__(message % {"number": len(faults)}, RULE, "text")
        self.faults = tuple(str(fault) for fault in faults)


def check_length(text: str) -> None:
    """T7.1: Refused for a text that is empty, or longer than a list may be, or that no database can store."""
    if not text.strip():
        raise Refused(gettext("The list is empty."), RULE, "text")
    if len(text) > MOST_SIGNS:
        raise Refused(
            gettext("The list has %(number)s characters; the limit is %(most)s.")
            % {"number": grouped(len(text)), "most": grouped(MOST_SIGNS)},
            RULE,
            "text",
        )
    check_storable(text, what="list", cites=RULE, field="text")


def parsed(text: str) -> object:
    """T7.1: the content of a text in YAML or JSON. Refused if it can't be parsed."""
    try:
        if text.lstrip().startswith("{"):
            return read_json(text)
        documents = read_yaml(text)
    except UnreadableFile as error:
        raise Refused(str(error), RULE, "text") from error
    if len(documents) != 1:
        raise Refused(
            gettext("The text has %(number)s documents; a list must be exactly one.") % {"number": len(documents)},
            RULE,
            "text",
        )
    return documents[0]


def looked_at(data: object) -> Cards:
    """T7.1: a list without errors. Raises FaultyList."""
    read = read_list(data)
    if isinstance(read, tuple):
        raise FaultyList(read)
    return read


@locking.writes
def take_list(*, data: object, by: User | None, now: datetime, is_official: bool = False) -> CardList:
    """T7.1: store a list. An identical one returns the existing row; a changed one needs a new version, and a key
    belongs to its first user."""
    read = looked_at(data)
    assert isinstance(data, Mapping)
    rows = CardList.objects.filter(key=read.key)
    if (same := rows.filter(version=read.version).first()) is not None:
        if same.hash == read.hash:
            return same
        raise Refused(
            gettext("There is already a different version %(version)s of %(key)s. Use the next number.")
            % {"version": read.version, "key": read.key},
            RULE,
        )
    if rows.exclude(made_by=by).exists() or (by is not None and rows.filter(made_by__isnull=True).exists()):
        raise Refused(
            gettext("The key %(key)s belongs to someone else's list. Choose another one.") % {"key": read.key},
            RULE,
            "text",
        )
    head = data["list"]
    return CardList.objects.create(
        key=read.key, version=read.version, game=read.game, name=str(head.get("name", read.key))[:120],
        about=str(head.get("about", ""))[:500], hash=read.hash, data=data, cards=len(read.cards), made_by=by,
        made_up=read.made_up, is_official=is_official, made_at=now,
    )  # fmt: skip


@locking.writes
def mark_list(*, card_list: CardList, by: User, is_official: bool, now: datetime) -> CardList:
    """T7.1: an administrator marks a list as official, or unmarks it; the administrators' log records it."""
    if not is_administrator(by):
        raise Refused(gettext("Only administrators can mark a list as official."), "1.6")
    locked_list = locking.hold(CardList.objects, pk=card_list.pk)
    if locked_list.is_official != is_official:
        locked_list.is_official = is_official
        locked_list.save(update_fields=["is_official"])
        action = AdminEntry.Action.LIST if is_official else AdminEntry.Action.LIST_NOT
        enter(by, action, None, {"list": str(locked_list)}, now)
    return locked_list


@locking.writes
def take_fixture(*, path: Path, decks: Mapping[str, Path], now: datetime) -> CardList:
    """T7.1: store one of the service's own lists, with decks that anybody may play, by their names. Idempotent."""
    card_list = take_list(data=parsed(path.read_text(encoding="utf-8")), by=None, now=now, is_official=True)
    cards = looked_at(card_list.data).cards
    for name, file in decks.items():
        text = file.read_text(encoding="utf-8")
        read = read_deck(text, cards)
        if isinstance(read, tuple):
            raise ValueError(f"{file.name}: {read[0]}")
        deck, is_new = Deck.objects.get_or_create(owner=None, name=name, game=card_list.game, defaults={"made_at": now})
        last = DeckVersion.objects.filter(deck=deck).aggregate(last=Max("number"))["last"] or 0
        if is_new or not DeckVersion.objects.filter(deck=deck, text=text, card_list=card_list).exists():
            DeckVersion.objects.create(
                deck=deck, number=last + 1, card_list=card_list, text=text, data=read.plain(), saved_at=now
            )
    return card_list


FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "cards"


MADE_UP: Mapping[str, Mapping[str, str]] = {
    "kryptik": {"Harbour": "kryptik-harbour", "Ember": "kryptik-ember"},
    "seize": {
        "Mages": "seize-mages", "Rangers": "seize-rangers", "Rogues": "seize-rogues", "Warriors": "seize-warriors",
        "Mages in the Arena": "seize-arena-mages", "Warriors in the Arena": "seize-arena-warriors",
        "Mages with a Guild Master": "seize-guild-mages", "Rangers with a Guild Master": "seize-guild-rangers",
        "Rogues with a Guild Master": "seize-guild-rogues",
    },
    "altered": {"Hearthkin": "altered-hearthkin", "Wayfarers": "altered-wayfarers"},
}  # fmt: skip
"""T7.1: the decks of the made-up lists: their names and files."""


def take_made_up(game: str, now: datetime) -> CardList:
    """T7.1: store a game's made-up list with its decks, which anybody may play."""
    decks = {name: FIXTURES / f"{file}.txt" for name, file in MADE_UP[game].items()}
    return take_fixture(path=FIXTURES / f"{game}-demo.yaml", decks=decks, now=now)
