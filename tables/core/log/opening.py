"""T6.1, T8.1: a table before its cards are dealt: opened, seats taken, decks handed in, cuts sealed and shown.

Nobody can influence what follows: the seed was committed with `open`, each deck with its salted hash, each cut with the
hash of its value before any word was known. When the last word is there, the table is dealt.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, TypeAlias

from tables.core import engine
from tables.core.entries import Logged
from tables.core.lists.cards import Card
from tables.core.lists.decks import Deck, breaches, read_deck_data
from tables.core.lists.formats import FORMATS, Format, default_format
from tables.core.pace import stops
from tables.core.play import Play, Rules
from tables.core.proof.codec import Plain
from tables.core.proof.draws import Draws, commitment, cut_commitment, cut_value, weak_word
from tables.core.reasons import Refused
from tables.core.setup import Dealt, deal
from tables.core.state import Options, version_of
from wargame.rules.core.saying import said

Cuts: TypeAlias = Literal["sealed", "simple"]
LONGEST_WORD = 200
MOST_SEATS = 6
PARTNERS = ["A1", "B1", "A2", "B2"]
"""S47: the seats of two against two, in turn order."""
_RESERVED = ("starter", "beat")
FIRST_RULES = "1"
"""The version of tables whose cuts were not compared with each other or with a length, and whose seats were asked in
every window: what was accepted then is still folded in the same way."""


@dataclass(frozen=True, slots=True)
class Given:
    """T6.1: the base of a table besides its log: the game, the cards of its lists by name, and the service's seed.

    The caller that loads it checks that the lists' hashes are those of the `open` entry. `listed`: whether the cards
    are those of a list, which all know; without one they are the contents of the decks (`unlisted`). `rules_version`:
    of the rules with which it was opened, for readers of a snapshot.
    """

    rules: Rules
    cards: Mapping[str, Card]
    seed: bytes
    listed: bool = True
    rules_version: str = ""


@dataclass(frozen=True, slots=True)
class Sitting:
    """T6.1: a seat before the deal: its player, their deck, their commitment, and their cut's value once it is
    known."""

    letter: str
    name: str = ""
    deck: Deck | None = None
    committed: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Opening:
    """T6.1: a table that isn't dealt yet. `entry`: the number of its last entry; `day`: K37, the day whose
    restrictions apply."""

    table: str
    options: Options
    sittings: tuple[Sitting, ...]
    cuts: Cuts
    day: date
    commitment: str
    entry: int = 1
    over: str = ""
    """Why it was abandoned before it began; empty otherwise."""
    rules: str = ""
    """The version of the rules with which it was opened."""
    usual_stops: bool = False
    """T10: whether seats begin with the usual stops; else each is asked in every window until it sets its own."""

    def sitting(self, letter: str) -> Sitting:
        """T6.1: a seat. Refused if there is none of that letter."""
        for sitting in self.sittings:
            if sitting.letter == letter:
                return sitting
        raise Refused("table", said("there is no seat %(letter)s", letter=letter[:20]))

    @property
    def full(self) -> bool:
        """T6.1: whether every seat has a player, a deck, and a known cut."""
        return all(sitting.name and sitting.deck and sitting.value for sitting in self.sittings)

    @property
    def committed(self) -> bool:
        """T8.1: whether every seat has sealed its cut, so that words may be shown."""
        return self.cuts == "simple" or all(sitting.committed for sitting in self.sittings)

    def lacks(self, letter: str) -> str:
        """T6.1: the next step of a seat: `seat`, `deck`, `cut`, `word`; empty if it waits for others."""
        sitting = self.sitting(letter)
        if not sitting.name:
            return "seat"
        if sitting.deck is None:
            return "deck"
        if self.cuts == "sealed" and not sitting.committed:
            return "cut"
        return "word" if not sitting.value and self.committed else ""


def waits_for(opening: Opening) -> tuple[tuple[str, ...], str]:
    """T10: the pending seats, and the first thing they lack; none if the table was abandoned."""
    if opening.over:
        return (), ""
    for kind in ("seat", "deck", "cut", "word"):
        seats = tuple(one.letter for one in opening.sittings if opening.lacks(one.letter) == kind)
        if seats:
            return seats, kind
    return (), ""


# --------------------------------------------------------------------------------------------- the entries


def opened(given: Given, logged: Logged) -> Opening:
    """T6.1: the `open` entry. Its args: `game`; `table`, the name used for draws; `seats`, their letters; `options`
    (`format`, `starter`, `beat`, and rulings that differ); `cuts` (`sealed` or `simple`); `day` (ISO); `lists` (key,
    version and hash of each); `commitment`, the seed's SHA-256; `rules`, the version of the service; `stops`:
    `usual` (seats begin with the usual ones, also the default) or `all` (each is asked in every window)."""
    if logged.kind != "open" or logged.by != "service":
        raise Refused("table", said("a table must be opened first"))
    if logged.text("game") != given.rules.name:
        raise Refused("table", said("this table belongs to another game"))
    if logged.text("commitment") != commitment(given.seed):
        raise Refused("shuffles", said("the seed doesn't match its commitment"))
    try:
        day = date.fromisoformat(logged.text("day"))
        Draws(given.seed, logged.text("table"))
    except ValueError as error:
        raise Refused("table", said("the table can't be opened: %(error)s", error=error)) from error
    seats = logged.args.get("seats")
    letters = [str(letter) for letter in seats] if isinstance(seats, (list, tuple)) else []
    usual = [chr(65 + at) for at in range(len(letters))]
    if letters not in (usual, PARTNERS) or not 1 <= len(letters) <= MOST_SEATS:
        raise Refused(
            "table",
            said(
                "seats must be A, B and so on (at most %(most)s), or %(letters)s",
                most=MOST_SEATS,
                letters=", ".join(PARTNERS),
            ),
        )
    cuts: Cuts = "simple" if logged.text("cuts") == "simple" else "sealed"
    return Opening(
        logged.text("table"), _options(logged.args.get("options"), letters), tuple(map(Sitting, letters)), cuts, day,
        logged.text("commitment"), logged.n, rules=logged.text("rules"), usual_stops=_usual_stops(logged),
    )  # fmt: skip


def _usual_stops(logged: Logged) -> bool:
    return logged.text("stops") != "all" and logged.text("rules") != FIRST_RULES


def _options(data: Plain, letters: list[str]) -> Options:
    fields = data if isinstance(data, Mapping) else {}
    starter = str(fields.get("starter") or "")
    if starter and starter not in letters:
        raise Refused("table", said("“%(seat)s” is not a seat, so it can't start", seat=starter[:20]))
    beat = fields.get("beat", 0)
    rulings = tuple((key, str(value)) for key, value in sorted(fields.items()) if key not in ("format", *_RESERVED))
    return Options(
        str(fields.get("format", "constructed")), starter, rulings, beat if isinstance(beat, int) and beat > 0 else 0
    )


def before_the_deal(given: Given, opening: Opening, logged: Logged) -> Opening:
    """T6.1: `seat`, `deck`, `cut` and `end` while the table isn't dealt, and what a `draft` binds to the chain,
    which the proof checks. Refused if it can't be taken."""
    if opening.over:
        raise Refused("table", said("the table was cancelled before it began"))
    if logged.kind == "draft":
        return replace(opening, entry=logged.n)
    if logged.kind == "end":
        return replace(opening, over=logged.text("reason") or "given up", entry=logged.n)
    sitting = opening.sitting(logged.by)
    match logged.kind:
        case "seat":
            new = _seated(opening, sitting, logged)
        case "deck":
            new = replace(_at_the_table(sitting), deck=_deck(given, opening, logged))
        case "cut":
            new = _cut(opening, _at_the_table(sitting), logged)
        case _:
            raise Refused("table", said("the cards aren't dealt yet"))
    sittings = tuple(new if old.letter == new.letter else old for old in opening.sittings)
    return replace(opening, sittings=sittings, entry=logged.n)


def _at_the_table(sitting: Sitting) -> Sitting:
    if not sitting.name:
        raise Refused("table", said("no one is in seat %(letter)s yet", letter=sitting.letter))
    return sitting


def _seated(opening: Opening, sitting: Sitting, logged: Logged) -> Sitting:
    """T6.1: a player sits down, under a name that no other has and that is not a seat's letter."""
    name = logged.text("name").strip()
    if sitting.name:
        raise Refused("table", said("seat %(letter)s is taken", letter=sitting.letter))
    used_names = {label.casefold() for one in opening.sittings for label in (one.name, one.letter) if label}
    if not name or len(name) > 60 or name.casefold() in used_names - {sitting.letter.casefold()}:
        raise Refused("table", said("use a name of up to 60 characters that no one else at the table has"))
    return replace(sitting, name=name)


def _deck(setup: Given, opening: Opening, logged: Logged) -> Deck:
    """1, T8.1: the deck, legal in the table's format on its day (K37). It may be handed in again until all have cut."""
    if opening.sitting(logged.by).committed or opening.sitting(logged.by).value:
        raise Refused("shuffles", said("you can't change your deck after the cut"))
    deck = read_deck_data(logged.hidden, setup.cards)
    if isinstance(deck, tuple):
        raise Refused("deck", "; ".join(str(fault) for fault in deck[:10]))
    if opening.options.ruling("decks") != "any":
        broken = breaches(deck, format_of(setup.rules.name, opening.options), opening.day, setup.cards)
        if broken:
            raise Refused(tuple(dict.fromkeys(one.rule for one in broken)), " ".join(one.text for one in broken[:10]))
    return deck


def format_of(game: str, options: Options) -> Format:
    """T12.5: the format that a table's decks are checked against."""
    return FORMATS.get((game, options.format)) or default_format(game)  # type: ignore[arg-type]


def _cut(opening: Opening, sitting: Sitting, logged: Logged) -> Sitting:
    """T8.1: first the hash of the cut's value, and when all have given theirs, the words. A word that was sealed is
    accepted even if it is easy to guess: otherwise nobody could go on."""
    if sitting.deck is None:
        raise Refused("shuffles", said("submit your deck before you cut"))
    committed, cut_word = logged.text("commitment"), logged.text("word")
    is_first = opening.rules == FIRST_RULES
    if opening.cuts == "sealed" and not sitting.committed:
        if len(committed) != 64 or set(committed) - set("0123456789abcdef"):
            raise Refused("shuffles", said("a sealed cut must be 64 hexadecimal digits, the SHA-256 of its value"))
        if committed in {one.committed for one in opening.sittings} and not is_first:
            raise Refused("shuffles", said("another player has sealed the same cut"))
        return replace(sitting, committed=committed)
    if sitting.value:
        raise Refused("shuffles", said("your cut is already known"))
    if not opening.committed:
        raise Refused("shuffles", said("you can't reveal your cut word before every player has sealed theirs"))
    if not cut_word or (len(cut_word) > LONGEST_WORD and not is_first):
        raise Refused("shuffles", said("a cut word can have at most %(most)s characters", most=LONGEST_WORD))
    if opening.cuts == "simple" and (why := weak_word(cut_word)):
        raise Refused("shuffles", why)
    if sitting.committed and cut_commitment(cut_value(cut_word)) != sitting.committed:
        raise Refused("shuffles", said("this is not the cut word you sealed"))
    return replace(sitting, value=cut_value(cut_word))


# --------------------------------------------------------------------------------------------- the deal


def dealt(given: Given, opening: Opening, entry: int) -> Play:
    """2.2, T8.1: the table after the last cut: decks shuffled by committed draws, at its first choice."""
    rules = given.rules
    usual = stops.default(rules) if opening.usual_stops else None
    sitting = [Dealt(one.letter, one.deck, one.name, usual) for one in opening.sittings if one.deck is not None]
    draws = Draws(given.seed, opening.table, tuple(one.value for one in opening.sittings))
    play = deal(rules, given.cards, opening.options, draws, sitting, entry)
    play.state = replace(play.state, version=version_of(opening.rules))
    engine.settle(play)
    return play
