"""Case files (docs/develop/cases.md): read them, carry them out, and compare the outcome with the expectations."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from wargame.cases.appeals import ANEW, APPEALS
from wargame.cases.battles import BATTLES
from wargame.cases.control import CONTROL
from wargame.cases.dice import DICE
from wargame.cases.kinds import Kind
from wargame.cases.musters import MUSTERS, PROXIES
from wargame.cases.orders import ORDERS
from wargame.cases.reading import CaseError, Document
from wargame.cases.setup import SETUPS, STARTS
from wargame.cases.turns import TURNS
from wargame.cases.votes import VOTES
from wargame.importing.bounded_yaml import load_all

KINDS: dict[str, Kind[Any, Any]] = {
    "turns": TURNS,
    "order": ORDERS,
    "battle": BATTLES,
    "muster": MUSTERS,
    "proxy": PROXIES,
    "start": STARTS,
    "setup": SETUPS,
    "command": CONTROL,
    "vote": VOTES,
    "appeal": APPEALS,
    "anew": ANEW,
    "dice": DICE,
}
"""The kinds of cases, by the key that marks a document as this kind."""


def read_cases(path: Path) -> Iterator[Document]:
    """The cases of a file, in order. CaseError names the file where it can't be read."""
    try:
        documents = load_all(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CaseError(f"{path}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CaseError(f"{path}: {error}") from error
    for number, document in enumerate(documents, 1):
        if not isinstance(document, dict) or not isinstance(document.get("case"), str):
            raise CaseError(f"{path}: document {number} has no name under “case”")
        yield document


def check_case(document: Document) -> list[str]:
    """The differences from `expect`, in words. CaseError if the case can't be read."""
    return _kind_of(document).check(document)


def show_case(document: Document) -> Document:
    """The story of a case: `case`, `about` and `parts`. CaseError if the case can't be read."""
    parts = _kind_of(document).show(document)
    return {"case": document["case"], "about": document.get("about", ""), "parts": parts}


def _kind_of(document: Document) -> Kind[Any, Any]:
    kinds = [kind for key, kind in KINDS.items() if key in document]
    if len(kinds) == 1:
        return kinds[0]
    raise CaseError(f"“{document['case']}”: a case must have exactly one of the keys {', '.join(KINDS)}")
