"""Case files (CASES.md): read them, carry them out, and hold what comes against what they expect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from wargame.cases.battles import check_battle_case, show_battle_case
from wargame.cases.control import check_control_case, show_control_case
from wargame.cases.musters import check_muster_case, check_proxy_case, show_muster_case, show_proxy_case
from wargame.cases.orders import check_order_case, show_order_case
from wargame.cases.reading import CaseError
from wargame.cases.setup import check_setup_case, check_start_case, show_setup_case, show_start_case
from wargame.cases.turns import check_turn_case, show_turn_case
from wargame.cases.votes import check_vote_case, show_vote_case

Document = dict[str, Any]
Checker = Callable[[Document], list[str]]
Shower = Callable[[Document], list[Document]]


KINDS: dict[str, tuple[Checker, Shower]] = {
    "turns": (check_turn_case, show_turn_case),
    "order": (check_order_case, show_order_case),
    "battle": (check_battle_case, show_battle_case),
    "muster": (check_muster_case, show_muster_case),
    "proxy": (check_proxy_case, show_proxy_case),
    "start": (check_start_case, show_start_case),
    "setup": (check_setup_case, show_setup_case),
    "command": (check_control_case, show_control_case),
    "vote": (check_vote_case, show_vote_case),
}
"""The key that says what kind of case a document is; what checks it (differences in words, none if all is as
expected) and what shows it (parts with a title and what is told)."""


def read_cases(path: Path) -> Iterator[Document]:
    """The cases of a file, in order. CaseError names the file where it can't be read."""
    try:
        documents = list(yaml.safe_load_all(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise CaseError(f"{path}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CaseError(f"{path}: {error}") from error
    for number, document in enumerate(documents, 1):
        if not isinstance(document, dict) or not isinstance(document.get("case"), str):
            raise CaseError(f"{path}: document {number} has no name in “case”")
        yield document


def check_case(document: Document) -> list[str]:
    """What differs from `expect`, in words. CaseError if the case can't be read."""
    check, _ = KINDS[_kind_of(document)]
    return check(document)


def show_case(document: Document) -> Document:
    """What happens in a case: `case`, `about` and `parts`. CaseError if the case can't be read."""
    _, show = KINDS[_kind_of(document)]
    return {"case": document["case"], "about": document.get("about", ""), "parts": show(document)}


def _kind_of(document: Document) -> str:
    kinds = [kind for kind in KINDS if kind in document]
    if len(kinds) == 1:
        return kinds[0]
    raise CaseError(f"“{document['case']}”: a case has exactly one of the keys {', '.join(KINDS)}")
