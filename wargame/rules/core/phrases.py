"""Parts of sentences as codes with facts: why something did not happen, what was decided. The words are made when
they are read, so that stored data has no English."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TypeAlias

from wargame.rules.core.saying import grouped, said
from wargame.rules.core.wording import count, listed

Json: TypeAlias = dict[str, object]

_FACT = re.compile(r"\{(\w+)(?::([^}]*))?\}")


class Phrases(Enum):
    """The phrases of one kind: a code each, with a template over its facts.

    A template has `{name}` for a text, `{name:said}` for one that is also in the catalogues, `{name:d}` or `{name:,}`
    for a number, `{name:listed}` for names, `{name:phrase}` for another phrase of the kind, and `{name:count day}` for
    a number with its thing; several words that are `said` are listed. The catalogues have every template; a translation
    writes its facts as the template does.
    """

    def __call__(self, **facts: Fact) -> Phrase:
        return Phrase(self, tuple(facts.items()))


class AsWritten(Phrases):
    """The stored words of an earlier version that no template has any more."""

    AS_WRITTEN = "{text}"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A code with its facts, in the order of its template."""

    code: Phrases
    facts: tuple[tuple[str, Fact], ...] = ()

    @property
    def text(self) -> str:
        facts = dict(self.facts)
        return _FACT.sub(lambda fact: _worded(facts[fact[1]], fact[2] or ""), said(self.code.value))

    def __str__(self) -> str:
        return self.text


Fact: TypeAlias = str | int | tuple[str, ...] | Phrase


def phrase_to_json(phrase: Phrase) -> Json:
    """A phrase as JSON: its code, and its facts by their names."""
    return {"code": phrase.code.name.lower(), **{name: _fact_to_json(fact) for name, fact in phrase.facts}}


def phrase_from_json(words: type[Phrases], data: object) -> Phrase:
    """The phrase of that kind that `phrase_to_json` wrote, or that an earlier version stored in words. ValueError
    for anything else."""
    if isinstance(data, str) and data:
        return phrase_in(words, data)
    if not isinstance(data, Mapping):
        raise ValueError(f"“{data}” is no code with its facts")
    codes = {member.name.lower(): member for member in (*words, *AsWritten)}
    code = codes.get(str(data.get("code")))
    if code is None:
        raise ValueError(f"“{data.get('code')}” is none of {', '.join(codes)}")
    fields = dict(_FACT.findall(code.value))
    if strange := fields.keys() ^ (data.keys() - {"code"}):
        raise ValueError(f"the facts of “{data['code']}” are {', '.join(fields) or 'none'}, and not {min(strange)}")
    return Phrase(code, tuple((name, _fact_from_json(words, how, data[name])) for name, how in fields.items()))


def phrase_in(words: type[Phrases], text: str) -> Phrase:
    """The phrase of that kind with these words, in the form of versions that stored the words."""
    for member, pattern in _patterns(words):
        phrase_match = pattern.fullmatch(text)
        if phrase_match is None:
            continue
        hows = dict(_FACT.findall(member.value))
        phrase = member(**{name: _fact_in(words, how, phrase_match[name]) for name, how in hows.items()})
        if in_english(phrase) == text:
            return phrase
    return AsWritten.AS_WRITTEN(text=text)


def _worded(fact: Fact, how: str) -> str:
    if isinstance(fact, int):
        thing = how.removeprefix("count ")
        return count(fact, thing) if thing != how else grouped(fact) if how == "," else str(fact)
    if isinstance(fact, tuple):
        return listed([said(part) for part in fact] if how == "said" else fact)
    return said(str(fact)) if how == "said" else str(fact)


def in_english(phrase: Phrase) -> str:
    """The phrase in English for any reader: the form of versions that stored its words."""
    facts = dict(phrase.facts)
    return _FACT.sub(lambda fact: _english(facts[fact[1]], fact[2] or ""), str(phrase.code.value))


def _english(fact: Fact, how: str) -> str:
    match fact:
        case Phrase():
            return in_english(fact)
        case int() if how.startswith("count "):
            return f"{fact} {how.removeprefix('count ')}{'' if fact == 1 else 's'}"
        case int():
            return f"{fact:,}" if how == "," else str(fact)
        case tuple():
            return listed_in_english(fact)
    return fact


def listed_in_english(names: Sequence[str]) -> str:
    """Names listed in English, for any reader."""
    return " and ".join(", ".join(names).rsplit(", ", 1))


def _fact_to_json(fact: Fact) -> object:
    if isinstance(fact, Phrase):
        return phrase_to_json(fact)
    return list(fact) if isinstance(fact, tuple) else fact


def _fact_from_json(phrases: type[Phrases], how: str, data: object) -> Fact:
    match how, data:
        case "phrase", _:
            return phrase_from_json(phrases, data)
        case "listed" | "said", list() if all(isinstance(name, str) for name in data):
            return tuple(data)
        case "" | "said", str():
            return data
        case str(), int() if how not in ("", "said", "listed") and not isinstance(data, bool):
            return data
    raise ValueError(f"“{data}” is no such fact")


def _fact_in(phrases: type[Phrases], how: str, text: str) -> Fact:
    if how == "phrase":
        return phrase_in(phrases, text)
    if how == "listed":
        return tuple(re.split(", | and ", text))
    return text if how in ("", "said") else int("".join(filter(str.isdigit, text)))


@cache
def _patterns(words: type[Phrases]) -> tuple[tuple[Phrases, re.Pattern[str]], ...]:
    """The templates as patterns, those with the most fixed words first."""
    members = sorted(words, key=lambda member: len(_FACT.sub("", member.value)), reverse=True)
    return tuple((member, re.compile(_pattern(member.value))) for member in members)


def _pattern(template: str) -> str:
    parts: list[str] = []
    at = 0
    for fact in _FACT.finditer(template):
        name, how = fact[1], fact[2] or ""
        value = r"\d[\d,]*" + (f" {re.escape(how[6:])}s?" if how.startswith("count ") else "")
        parts += [re.escape(template[at : fact.start()]), f"(?P<{name}>{'.+' if how in _TEXTS else value})"]
        at = fact.end()
    return "".join((*parts, re.escape(template[at:])))


_TEXTS = ("", "said", "listed", "phrase")
