"""T9: names in a line of Altered, looked up on the table and on its cards, with the number that says why one isn't
possible."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tables.core import query
from tables.core.lines import naming
from tables.core.lines.actions import Action, Ref
from tables.core.lists.cards import Ability, Card, Effect
from tables.core.reasons import AmbiguousName, Refused
from tables.core.state import Aim, State, Thing
from wargame.rules.core.saying import said


@contextmanager
def citing(*cites: str) -> Iterator[None]:
    """Whatever is refused within cites these numbers; a name that is ambiguous stays so."""
    try:
        yield
    except AmbiguousName:
        raise
    except Refused as refused:
        raise Refused(cites, refused.reason.told, refused.reason.column) from None


def chosen(state: State, seat: str, action: Action, among: Sequence[Aim], cites: str) -> tuple[Aim, ...]:
    """1.4.5: the things that a line chooses among those offered, each once."""
    with citing(cites):
        return naming.chosen(state, seat, action, among)


def listed(
    state: State, seat: str, action: Action, words: Sequence[Ref], among: Sequence[Aim], cites: str
) -> tuple[Aim, ...]:
    """T9: several things by their names, each once."""
    with citing(cites):
        return naming.listed(state, seat, action, words, among)


def one(state: State, seat: str, action: Action, word: Ref, among: Sequence[Aim], cites: str) -> Aim:
    """T9: the one thing that is meant."""
    with citing(cites):
        return naming.find(state, seat, action, word, among)


def spells(card: Card) -> tuple[Ability, ...]:
    """A8: the effects of a Spell; text that is not in the vocabulary stops the table."""
    if card.type != "spell":
        return ()
    abilities = tuple(ability for ability in card.abilities if ability.kind == "spell")
    if not abilities and card.manual:
        return (Ability("spell", do=(Effect("manual", (("manual", card.text or card.name),)),)),)
    return abilities


def quick_actions(state: State, thing: Thing) -> list[Ability]:
    """5.3: the quick actions of an object, in the order of its text."""
    return [ability for ability in query.abilities(state, thing) if ability.kind == "quick"]


def mark(thing: Thing, number: int) -> str:
    """1.4.6.b: the counter's key for how often a given quick action was played today."""
    return f"today quick {thing.key} {number}"


def which(state: State, thing: Thing, action: Action) -> tuple[int, Ability]:
    """5.3: the index of the quick action that is meant, from 0."""
    abilities = quick_actions(state, thing)
    if not abilities:
        raise Refused("5.3.a", said("it has no quick action"))
    if action.ability == 0 and len(abilities) > 1:
        raise Refused("5.3.a", said("name one of its quick actions: `quick #4 second ability`"))
    at = max(1, action.ability) - 1
    if at >= len(abilities):
        raise Refused("5.3.a", said("it has no such quick action"))
    return at, abilities[at]
