"""A12 to A25: gaps of the document that a table's players settle before its first day.

Each gap is a question with options and a free wording. No suggestion is the document's: `HOUSE` says so wherever one is
shown. Each outcome that depends on an agreement cites it as `agreed 3`; a later change is a ruling.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tables.core.lines.actions import Action
from tables.core.lines.writing import write
from tables.core.state import State
from wargame.rules.core.saying import marked, said

HOUSE = marked("A house rule that fits the document but isn't part of it.")
"""The note shown beside every suggested wording."""
LONGEST_WORDING = 400
OPEN = "leave open"
"""The answer to leave a question open: its default applies."""


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a question: the stored word, and its meaning in a sentence."""

    value: str
    told: str


@dataclass(frozen=True, slots=True)
class Question:
    """One gap. `rests_on`: the numbers that leave it open; `default` applies while nothing is agreed (empty: none)."""

    number: int
    title: str
    asks: str
    rests_on: tuple[str, ...]
    options: tuple[Option, ...]
    suggested: str
    default: str = ""
    needed: bool = False
    """Whether a table can't start while it is open."""
    enforced: bool = True
    """Whether the service itself carries out the options; else the players take care of them."""
    also: str = ""
    """A pattern of further wordings that the service carries out: numbers, in place of those offered."""

    @property
    def cites(self) -> str:
        return f"agreed {self.number}"

    def option(self, value: str) -> Option | None:
        """The option of that word, or None: a free wording."""
        return next((option for option in self.options if option.value == value), None)


QUESTIONS: tuple[Question, ...] = (
    Question(
        1,
        marked("First hand"),
        marked("How many cards do you draw first, and how many of those become your first (ready) Mana Orbs?"),
        ("4.1.j", "A12"),
        (Option("hand 6, mana 3", marked("Six cards, three of which go to the Mana zone ready.")),),
        "hand 6, mana 3",
        needed=True,
        also=r"hand \d{1,2}, mana \d{1,2}",
    ),
    Question(
        2,
        marked("Moving"),
        marked("When does an expedition move forward at Dusk, and what reveals a Tumult?"),
        ("1.3.2.e", "A13", "A34"),
        (
            Option(
                "suggested",
                marked(
                    "At Dusk, reveal the half of a Tumult ahead of a counter. An expedition moves one region if "
                    "it beats the opposing expedition in a statistic shown on the next region."
                ),
            ),
            Option("by hand", marked("Each Dusk, the players agree which counters move, or a judge rules.")),
        ),
        "suggested",
        "by hand",
    ),
    Question(
        3,
        marked("Winning"),
        marked("How do you win?"),
        ("A15",),
        (
            Option(
                "suggested",
                marked(
                    "You win if your two expeditions have met or passed each other after a Dusk. If both sides' "
                    "have, the side further along wins. If they are even, play another day."
                ),
            ),
            Option("by hand", marked("A judge or the players end the table.")),
        ),
        "suggested",
        "by hand",
    ),
    Question(
        4,
        marked("Spells"),
        marked("Where does a Spell go after it is played?"),
        ("A17",),
        (
            Option("discard", marked("To its owner's Discard pile.")),
            Option("reserve", marked("To its owner's Reserve.")),
        ),
        "discard",
        "discard",
    ),
    Question(
        5,
        marked("From the Reserve"),
        marked("Does a Character played from the Reserve become Fleeting?"),
        ("2.4.1.b", "A18"),
        (Option("fleeting", marked("It enters play Fleeting.")), Option("not fleeting", marked("It has no status."))),
        "fleeting",
        "not fleeting",
    ),
    Question(
        6,
        marked("Asleep"),
        marked("Does an Asleep Character count at Dusk?"),
        ("1.3.2.e", "A14"),
        (
            Option("counts", marked("It counts like any other Character.")),
            Option("does not count", marked("Its statistics don't count.")),
        ),
        "counts",
        "counts",
    ),
    Question(
        7,
        marked("Boosts"),
        marked("What is a boost worth?"),
        ("2.4.4", "A20"),
        (
            Option("1", marked("1 more in each statistic.")),
            Option("2", marked("2 more in each statistic.")),
            Option("3", marked("3 more in each statistic.")),
        ),
        "1",
        "1",
        also=r"\d",
    ),
    Question(
        8,
        marked("Tough"),
        marked("What does Tough do, besides raising the cost of targeting the Character?"),
        ("5.5.c", "A22"),
        (Option("nothing more", marked("Nothing more.")),),
        "nothing more",
        "nothing more",
    ),
    Question(
        9,
        marked("Decks"),
        marked("Which decks can you play?"),
        ("A16",),
        (Option("any", marked("Any cards from the table's card list, with at most one Hero.")),),
        "any",
        "any",
        enforced=False,
    ),
    Question(
        10,
        marked("Empty deck"),
        marked("What happens to a player who can't draw?"),
        ("A25",),
        (Option("nothing", marked("They draw as many as they can.")), Option("loses", marked("They lose."))),
        "nothing",
        "nothing",
    ),
)
BY_NUMBER: Mapping[int, Question] = {question.number: question for question in QUESTIONS}

_FIRST = re.compile(r"hand (\d{1,2}), mana (\d{1,2})")


class NotAnAnswer(ValueError):
    """Not a valid agreement; the text says why."""


def checked(number: int, wording: str) -> str:
    """A wording in its stored form: an option's word, or free words. Raises NotAnAnswer."""
    question = BY_NUMBER.get(number)
    if question is None:
        raise NotAnAnswer(
            said(
                "There is no question %(number)s. Choose 1 to %(last)s.",
                number=number,
                last=len(QUESTIONS),
            )
        )
    text = " ".join(wording.split())
    if not text or len(text) > LONGEST_WORDING:
        raise NotAnAnswer(said("An answer can have 1 to %(most)s characters.", most=LONGEST_WORDING))
    if text.casefold() == "suggested":
        return question.suggested
    if text.casefold() == OPEN:
        if question.needed:
            raise NotAnAnswer(
                said("You can't leave question %(number)s open. The game needs it to start.", number=number)
            )
        return OPEN
    if number == 1:
        return _first_hand(text)
    if number == 7 and (not text.isdigit() or int(text) > 9):
        raise NotAnAnswer(said("A boost must be worth a whole number from 0 to 9."))
    low = text.casefold()
    return low if question.option(low) is not None else text


_NEXT = re.compile(r"; *(?=\d{1,2} *:)")
_ANSWER = re.compile(r"(\d{1,2}) *: *(.*)", re.DOTALL)


def answers(number: int, text: str) -> tuple[tuple[int, str], ...]:
    """A12: the answers of one line: `agree 1: hand 6, mana 3; 4: reserve`. `number`: the one before the first colon.
    Raises NotAnAnswer."""
    first, *more = _NEXT.split(text)
    answered = [(number, first), *((int(answer[1]), answer[2]) for one in more if (answer := _ANSWER.fullmatch(one)))]
    if len({one for one, _ in answered}) != len(answered):
        raise NotAnAnswer(said("Answer each question only once per line."))
    return tuple((one, checked(one, wording)) for one, wording in answered)


def line_of(answered: Sequence[tuple[int, str]]) -> str:
    """A12: the line that says these answers."""
    return write(agreeing(answered), "altered")


def agreeing(answered: Sequence[tuple[int, str]]) -> Action:
    """A12: the action that gives these answers."""
    (number, wording), *rest = answered
    return Action("agree", n=number, text="; ".join((wording, *(f"{number}: {wording}" for number, wording in rest))))


def _first_hand(text: str) -> str:
    hand_match = _FIRST.fullmatch(text.casefold())
    if hand_match is None:
        raise NotAnAnswer(said("Write the numbers like this: hand 6, mana 3."))
    hand, mana = int(hand_match[1]), int(hand_match[2])
    if mana > hand:
        raise NotAnAnswer(said("You can't turn more cards into Orbs than you draw."))
    return f"hand {hand}, mana {mana}"


def first_hand(state: State) -> tuple[int, int]:
    """A12: the number of cards drawn first, and of those that become Orbs; (0, 0) while it is open."""
    hand_match = _FIRST.fullmatch(agreed(state, 1))
    return (int(hand_match[1]), int(hand_match[2])) if hand_match else (0, 0)


def agreed(state: State, number: int) -> str:
    """The rule at this table: the agreement, else the default; empty if there is neither."""
    return dict(state.options.agreed).get(number) or BY_NUMBER[number].default


def cites(state: State, number: int) -> tuple[str, ...]:
    """The citation of an outcome that depends on it: the agreement, else the ruling whose default applies."""
    if number in dict(state.options.agreed):
        return (BY_NUMBER[number].cites,)
    return BY_NUMBER[number].rests_on[-1:]


def still_open(agreed_on: Sequence[tuple[int, str]]) -> tuple[Question, ...]:
    """A12: the unanswered questions without which a table can't start."""
    answered = dict(agreed_on)
    return tuple(question for question in QUESTIONS if question.needed and question.number not in answered)


def all_suggested() -> tuple[tuple[int, str], ...]:
    return tuple((question.number, question.suggested) for question in QUESTIONS)


@dataclass(frozen=True, slots=True)
class AgreementSet:
    """A set of agreements that is offered to others: as played at some table."""

    name: str
    agreed: tuple[tuple[int, str], ...]

    @property
    def told(self) -> str:
        return said("as played at %(name)s", name=self.name)

    def plain(self) -> dict[str, object]:
        """As plain data, to be stored; `read_set` reads it."""
        return {"name": self.name, "agreed": {str(number): wording for number, wording in self.agreed}}


def read_set(data: object) -> AgreementSet:
    """A stored set. Raises NotAnAnswer with its fault."""
    if not isinstance(data, Mapping) or not isinstance(data.get("agreed"), Mapping):
        raise NotAnAnswer(said("A set of agreements needs a name and answers by question number."))
    answers = []
    for key, wording in data["agreed"].items():
        if not str(key).isdigit() or not isinstance(wording, str):
            raise NotAnAnswer(said("“%(key)s” is not a question number with an answer.", key=key))
        answers.append((int(key), checked(int(key), wording)))
    return AgreementSet(str(data.get("name", ""))[:LONGEST_WORDING], tuple(sorted(answers)))


def commonest(sets: Sequence[AgreementSet], name: str) -> AgreementSet:
    """The agreement of most tables, question by question; of equally frequent answers the suggested one, else the
    first. `name`: the name of the set."""
    answers = []
    for question in QUESTIONS:
        counts = Counter(dict(one.agreed)[question.number] for one in sets if question.number in dict(one.agreed))
        if counts:
            most = max(counts.values())
            best = [wording for wording, count in counts.items() if count == most]
            answers.append((question.number, question.suggested if question.suggested in best else best[0]))
    return AgreementSet(name, tuple(answers))


SUGGESTED = AgreementSet(marked("no table yet: all suggestions"), all_suggested())
"""The offer to a new table if nobody has stored a set."""
