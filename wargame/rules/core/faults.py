"""The faults of people's input: each with its rule and a sentence for people.

A chapter lists its faults as an enum of `Fault`; its findings are values of `Finding`, a fault with its facts.
"""

import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from wargame.rules.core.phrases import Phrase, Phrases, in_english, listed_in_english, phrase_from_json, phrase_to_json
from wargame.rules.core.saying import grouped, said
from wargame.rules.core.wording import listed


class Fault(Enum):
    """A fault is a value: `cites` is the rule and `template` its sentence, both over the finding's facts. A fault
    that is not a breach forbids nothing by itself: a judge weighs it. The catalogues have the template of every
    fault."""

    def __init__(self, cites: str, template: str, is_breach: bool = True) -> None:
        self.cites = cites
        self.template = template
        self.is_breach = is_breach

    @property
    def sentence(self) -> str:
        """The template in the reader's language."""
        return said(self.template)


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault with the facts that its sentence names: numbers, texts, several names as a tuple or list, phrases, or
    another finding."""

    fault: Fault
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def cites(self) -> str:
        """The rule's number, like `5.3.1`."""
        return self.fault.cites.format_map(self.facts)

    @property
    def sentence(self) -> str:
        return self.fault.sentence.format_map({name: _in_words(fact) for name, fact in self.facts.items()})

    @property
    def in_english(self) -> str:
        """The same in its stored form, for any reader: stored data must not depend on the language of the current
        user."""
        return self.fault.template.format_map({name: _in_english(fact) for name, fact in self.facts.items()})

    @property
    def is_breach(self) -> bool:
        """Whether a rule is broken; else a judge is asked."""
        return self.fault.is_breach


@dataclass(frozen=True, slots=True)
class LineFinding(Finding):
    """A fault of a text: its line and column count from 1, 0 if it has none."""

    line: int = 0
    column: int = 0


def finding_to_json(finding: Finding) -> dict[str, object]:
    """A finding as JSON, for `finding_from_json`."""
    return {"fault": finding.fault.name, "facts": {name: _to_json(fact) for name, fact in finding.facts.items()}}


def finding_from_json(faults: type[Fault], data: Mapping[str, Any], words: type[Phrases] = Phrases) -> Finding:
    """The finding of one of these faults that `finding_to_json` wrote; `words`: the type of its phrases. KeyError
    for an unknown fault, ValueError for an unknown phrase."""
    facts = {name: _from_json(faults, fact, words) for name, fact in data["facts"].items()}
    return Finding(faults[data["fault"]], facts)


def _to_json(fact: object) -> object:
    if isinstance(fact, Finding):
        return finding_to_json(fact)
    if isinstance(fact, Phrase):
        return phrase_to_json(fact)
    return list(fact) if isinstance(fact, tuple) else fact


def _from_json(faults: type[Fault], fact: object, phrases: type[Phrases]) -> object:
    if isinstance(fact, Mapping):
        return phrase_from_json(phrases, fact) if "code" in fact else finding_from_json(faults, fact, phrases)
    return tuple(fact) if isinstance(fact, list) else fact


def _in_words(fact: Any) -> object:
    """A fact in the form for its sentence, in the reader's language."""
    if isinstance(fact, Finding):
        return fact.sentence
    if isinstance(fact, Phrase):
        return fact.text
    if type(fact) is int:
        return _Number(fact)
    is_names = isinstance(fact, (tuple, list)) and all(isinstance(name, str) for name in fact)
    return listed(fact) if is_names else fact


class _Number(int):
    """A number that `{name:,}` formats with the reader's thousands separator."""

    def __format__(self, how: str) -> str:
        return grouped(int(self)) if how == "," else super().__format__(how)


def _in_english(fact: object) -> object:
    match fact:
        case Finding():
            return fact.in_english
        case Phrase():
            return in_english(fact)
        case tuple() | list():
            return listed_in_english(fact)
    return fact


def where(error: BaseException) -> str:
    """The kind of an error and the place of the code that raised it, without its message, which may quote a secret."""
    places = traceback.extract_tb(error.__traceback__)
    at = f" in {places[-1].filename}, line {places[-1].lineno}" if places else ""
    return f"{type(error).__name__}{at}"
