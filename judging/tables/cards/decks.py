"""T12.4: decks are read, checked against a format with every breach and its rule, and saved in versions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.texts import check_storable
from judging.tables.game_state import cards_in
from judging.tables.models import CardList, Deck, DeckVersion, Table
from tables.core.lists.cards import Card
from tables.core.lists.decks import Breach, breaches, read_deck
from tables.core.lists.decks import Deck as Cards
from tables.core.lists.formats import FORMATS, Format
from tables.games import RULES

RULE = "T12.4"
MOST_DECKS = 100
MOST_OF_FREE = 400
"""The most cards in a deck of the free table, which has no limit of its own."""


@dataclass(frozen=True)
class Checked:
    """T12.4: a typed deck: parsed, or with all faults; and every rule that it breaks in a format."""

    cards: Cards | None
    faults: tuple[str, ...] = ()
    breaches: tuple[Breach, ...] = ()

    @property
    def is_legal(self) -> bool:
        """T12.4: whether it may be played."""
        return self.cards is not None and not self.breaches


def look_at(text: str, game: str, format_key: str, card_list: CardList | None, now: datetime) -> Checked:
    """T12.4: parse and check a deck; it reports every fault at once."""
    list_cards: Mapping[str, Card] | None = cards_in(card_list) if card_list is not None else None
    read = read_deck(text, list_cards)
    if isinstance(read, tuple):
        return Checked(None, tuple(str(fault) for fault in read))
    return Checked(read, (), _breaches(read, FORMATS[game, format_key], list_cards, now))


def _breaches(cards: Cards, format: Format, list_cards: Mapping[str, Card] | None, now: datetime) -> tuple[Breach, ...]:
    result = breaches(cards, format, now.date(), list_cards)
    total = sum(cards.main.values())
    if not RULES[format.game].has_rules and not 1 <= total <= MOST_OF_FREE:
        result = (
            *result,
            Breach(
                "",
                "",
                gettext("The deck has %(total)s cards; a free table needs 1 to %(most)s.")
                % {"total": total, "most": MOST_OF_FREE},
            ),
        )
    return result


def playable(user: AbstractBaseUser | AnonymousUser, table: Table) -> QuerySet[DeckVersion]:
    """T12.4: the newest versions of decks that a user may play at a table: their own, and those without an owner."""
    condition = Q(deck__owner__isnull=True) | Q(deck__owner_id=user.pk or 0)
    rows = DeckVersion.objects.filter(condition, deck__game=table.game, deck__retired_at__isnull=True)
    if table.card_list_id is not None:
        rows = rows.filter(card_list__key=table.card_list.key if table.card_list else "")
    newest = rows.values("deck").annotate(last=Max("pk")).values("last")
    return DeckVersion.objects.filter(pk__in=newest).select_related("deck").order_by("deck__owner_id", "deck__name")


def fitting(user: AbstractBaseUser | AnonymousUser, table: Table) -> list[DeckVersion]:
    """T12.2: the decks that the user may play at a table and that its format allows."""
    return [
        version
        for version in playable(user, table)
        if look_at(version.text, table.game, table.format, table.card_list, table.opened_at).is_legal
    ]


def check(version: DeckVersion, user: User, table: Table, now: datetime) -> Cards:
    """T12.4: the deck, if its owner may play it at the table. Refused with every breach and its rule."""
    if version.deck.owner_id not in (None, user.pk) or version.deck.game != table.game:
        raise Refused(gettext("Choose one of your decks for this game."), RULE, "deck")
    result = look_at(version.text, table.game, table.format, table.card_list, now)
    if result.cards is None:
        raise Refused(gettext("We couldn't read the deck: ") + " ".join(result.faults[:5]), RULE, "deck")
    if result.breaches:
        rules = ", ".join(dict.fromkeys(breach.rule for breach in result.breaches if breach.rule))
        raise Refused(
            gettext("You can't play this deck: ") + " ".join(b.text for b in result.breaches[:5]), rules, "deck"
        )
    return result.cards


def own(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Deck]:
    """T12.4: a user's decks, retired ones last."""
    return Deck.objects.filter(owner_id=user.pk or 0).order_by("retired_at", "game", "name", "pk")


@locking.writes
def save_deck(
    *, user: User | None, deck: Deck | None, name: str, text: str, game: str, card_list: CardList | None, now: datetime
) -> DeckVersion:
    """T12.4: save a deck's next version. One that breaks rules can be saved, with a message; one that can't be
    parsed is refused."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= 80:
        raise Refused(gettext("A deck's name can have 1 to 80 characters."), RULE, "name")
    check_storable(name + text, what="deck", cites=RULE, field="text")
    if (game not in RULES or RULES[game].has_rules) and card_list is None:
        raise Refused(gettext("Choose the card list for this deck."), RULE, "list")
    if card_list is not None and card_list.game != game:
        raise Refused(gettext("%(card_list)s is a list for another game.") % {"card_list": card_list}, RULE, "list")
    read = read_deck(text, cards_in(card_list) if card_list is not None else None)
    if isinstance(read, tuple):
        raise Refused(
            gettext("We couldn't read the deck: ") + " ".join(str(fault) for fault in read[:10]), RULE, "text"
        )
    if deck is None:
        if user is not None and own(user).count() >= MOST_DECKS:
            raise Refused(gettext("You already have %(most)s decks, the maximum.") % {"most": MOST_DECKS}, RULE)
        deck = Deck.objects.create(owner=user, name=name, game=game, made_at=now)
    else:
        # Two forms at once make two versions, not one number twice.
        deck = locking.hold(Deck.objects, pk=deck.pk)
        if user is None or deck.owner_id != user.pk:
            raise Refused(gettext("This deck belongs to someone else."), RULE)
        if deck.game != game:
            raise Refused(gettext("You can't change a deck's game."), RULE)
        deck.name, deck.retired_at = name, None
        deck.save(update_fields=["name", "retired_at"])
    last = DeckVersion.objects.filter(deck=deck).aggregate(last=Max("number"))["last"] or 0
    return DeckVersion.objects.create(
        deck=deck, number=last + 1, card_list=card_list, text=text, data=read.plain(), saved_at=now
    )


@locking.writes
def retire_deck(*, user: User, deck: Deck, now: datetime) -> Deck:
    """T12.4: a deck is retired by its owner: no table offers it any more, but it stays where it is played."""
    locked_deck = locking.hold(Deck.objects, pk=deck.pk)
    if locked_deck.owner_id is None or locked_deck.owner_id != user.pk:
        raise Refused(gettext("Only a deck's owner can archive it."), RULE)
    locked_deck.retired_at = locked_deck.retired_at or now
    locked_deck.save(update_fields=["retired_at"])
    return locked_deck
