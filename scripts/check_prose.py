"""Check the text that people read (every sentence of the catalogues, every page of the docs) against a word list.

`python scripts/check_prose.py` reports each sentence with a pattern of `WORDS` and what to write instead; exit status 1
if there is any. Quotations in the docs (indented by four spaces, or between back-ticks) are ignored.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages import pofile

PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", *sorted(map(str, Path("docs").rglob("*.md"))))

PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w*\}|`[^`]*`")

WORDS = {
    r"\b(?:he|him|his|himself)\b": "they, them, their, or the name",
    r"\b(?:once )?anew\b": "again, or re-: reload, recompute, rejudge",
    r"\b(?:\d+|of|up to|characters or) signs\b|\ball signs\b|\bno signs\b": "characters",
    r"\bmend(?:s|ed|ing)?\b": "fix, correct",
    r"\bmeanwhile\b|\bby then\b": "in the meantime, since",
    r"\bwho(?:so)?ever\b": "anyone who, the player who",
    r"\b(?:only|for|of|but) who\b": "only players who, for anyone who",
    r"\b(?:somebody|everybody|anybody)\b": "someone, everyone, anyone; better: you, players, we",
    r"\bnobody (?:but|else)\b": "only you can …",
    r"(?<!there )\b(?:is|are) none\b": "is not a …, is invalid",
    r"\bof (?:yours|mine|his|hers)\b": "your …, my …",
    r"\b(?:is|are|was|were) told\b|\btold of\b": "is notified, sees, gets a message",
    r"\bhand(?:s|ed)? (?:in|down)\b": "submit, impose",
    r"\bnarratives?\b": "story",
    r"\b(?:judge's|judges'|the) desk\b": "judge dashboard",
    r"\bwhat concerns you\b": "Notifications",
    r"\bmovement thread\b": "Orders thread",
    r"\byour service\b": "your profile",
    r"\bwould do\.": "Try …",
}
"""Words that readers stumble over, and what to write instead."""

KEPT = {
    "table of the desk": "a context of the catalogues, not shown",
    "column of the desk": "a context of the catalogues, not shown",
    "{card} is mended.": "Seize 13.9 calls it so",
    "it was ordered anew": "settled turns have it in their events",
}
"""Sentences that keep such a word, and why."""

SILENT = ("demo", "migrations")
"""Folders whose strings are stories or stored."""


def main() -> int:
    patterns = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in WORDS.items()]
    faults = [
        f"{where}: “{match[0]}” in “{shorten(text)}”. Write: {instead}."
        for where, text in (*sentences(), *strings(), *paragraphs())
        if text not in KEPT
        for pattern, instead in patterns
        if (match := pattern.search(PLACEHOLDER.sub("…", text)))
    ]
    print(*faults, sep="\n" if faults else "")
    print(f"{len(faults)} to correct." if faults else "The prose is plain.")
    return 1 if faults else 0


def sentences() -> Iterator[tuple[str, str]]:
    """Every English sentence of the site, its mails and its programs, with its location."""
    for path in sorted(Path("wargame/locale/de/LC_MESSAGES").glob("*.po")):
        with path.open("rb") as stream:
            for message in pofile.read_po(stream):
                where = message.locations[0][0] if message.locations else path.name
                for text in message.id if isinstance(message.id, tuple) else (message.id,):
                    yield where, str(text)


def strings() -> Iterator[tuple[str, str]]:
    """The untranslated strings of the code: descriptions of the API, help and output of commands."""
    for folder in ("judging", "wargame/management", "wargame/running", "wargame/upkeep", "wargame/web"):
        for path in sorted(Path(folder).rglob("*.py")):
            if set(SILENT) & set(path.parts):
                continue
            tree = ast.parse(path.read_bytes())
            docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            for node in ast.walk(tree):
                if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in docstrings:
                    continue
                if node.value.count(" ") > 1:
                    yield f"{path}:{node.lineno}", node.value


def paragraphs() -> Iterator[tuple[str, str]]:
    """The lines of the docs, without code."""
    for page in PAGES:
        is_code = False
        for number, line in enumerate(Path(page).read_text(encoding="utf-8").splitlines(), 1):
            if line.lstrip().startswith("```"):
                is_code = not is_code
            elif not is_code and not line.startswith("    "):
                yield f"{page}:{number}", re.sub(r"`[^`]*`|\]\([^)]*\)|“[^”]*”", "", line)


def shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) < 90 else f"{line[:89]}…"


if __name__ == "__main__":
    sys.exit(main())
