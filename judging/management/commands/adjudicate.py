"""`manage.py adjudicate`: carries case files out on the pure rules alone, without a database."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from tables import cases as tables
from tables.reading import UnreadableFile, read_file
from wargame.cases.reading import CaseError, Document
from wargame.cases.running import check_case, read_cases, show_case


class Command(BaseCommand):
    help = "Run case files and print what happens. With --check, compare it with what they expect."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--json", action="store_true", help="print the results as JSON")
        how.add_argument(
            "--check", action="store_true", help="print one line per case: ok, or FAIL and the differences"
        )

    def handle(self, *args: object, files: list[Path], check: bool, json: bool, **options: object) -> None:
        if check:
            self._check(files)
        else:
            self._show(files, as_json=json)

    def _check(self, files: list[Path]) -> None:
        verdicts = [verdict for path in files for verdict in _verdicts(path)]
        for name, differences in verdicts:
            self.stdout.write(f"FAIL {name}: {'; '.join(differences)}" if differences else f"ok {name}")
        failed = sum(1 for _, differences in verdicts if differences)
        self.stdout.write(f"{len(verdicts) - failed} passed, {failed} failed")
        if failed:
            raise SystemExit(1)

    def _show(self, files: list[Path], *, as_json: bool) -> None:
        try:
            cases = [_played_out(document) for path in files for document in _read(path)]
        except (CaseError, tables.CaseError) as error:
            raise CommandError(str(error)) from error
        if as_json:
            self.stdout.write(json.dumps(cases, ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n\n".join(_as_text(case) for case in cases))


def _verdicts(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Each case of a file with its differences; what can't be read differs, and says where."""
    try:
        for document in _read(path):
            yield document["case"], _differences(path, document)
    except (CaseError, tables.CaseError) as error:
        yield str(path), [str(error)]


def _differences(path: Path, document: Document) -> list[str]:
    try:
        return tables.check_case(document) if "game" in document else check_case(document)
    except (CaseError, tables.CaseError) as error:
        return [f"{path}: {error}"]


def _read(path: Path) -> Iterator[Document]:
    """The cases of a file; those of card tables (they name a `game`) as their own reader has them."""
    documents = list(read_cases(path))
    if not any("game" in document for document in documents):
        yield from documents
        return
    try:
        of_tables = read_file(path)
    except UnreadableFile as error:
        raise CaseError(f"{path}: {error}") from error
    for document, same in zip(documents, of_tables, strict=True):
        yield same if "game" in document and isinstance(same, dict) else document


def _played_out(document: Document) -> Document:
    return tables.show_case(document) if "game" in document else show_case(document)


def _as_text(case: Document) -> str:
    """A case as a judge would post it."""
    lines = [case["case"], *([case["about"]] if case["about"] else []), ""]
    for part in case["parts"]:
        lines += [part["title"], *(f"  {sentence}" for sentence in part["told"])]
    return "\n".join(lines).rstrip()
