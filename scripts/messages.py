"""Gather the sentences that are marked for translation into the catalogues, and compile those.

`make messages` calls it after a sentence was marked or changed: new ones are added to each catalogue without a
translation, removed ones are dropped, nothing is guessed. Untranslated sentences are in the `.po` file with an empty
`msgstr`; calling it again compiles the translations into the `.mo` file beside it, which the service reads.
"""

import ast
import importlib
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

import django
from babel.messages import pofile
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo

PROJECT = Path(__file__).resolve().parent.parent
CATALOGUES = PROJECT / "wargame" / "locale"
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    # `_`: literals within tags of templates
    **dict.fromkeys(("gettext", "gettext_lazy", "gettext_noop", "_"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
    # of the rules and card tables: wargame/rules/core/saying.py
    **dict.fromkeys(("said", "marked"), None),
    # of verdicts, which are kept for all readers: judging/verification/checks.py
    "words": None,
    **dict.fromkeys(("counted", "forms"), (1, 2)),
    "said_as": ((1, "c"), 2),
}
OF_SCRIPTS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    **dict.fromkeys(("gettext", "gettextWith"), (1,)),
    **dict.fromkeys(("ngettext", "ngettextWith"), (1, 2)),
}
PAGES, SCRIPTS = "django", "djangojs"
"""The two catalogues of a language: for the service, and for scripts in a browser."""

OF_TEMPLATES = ("Fault", "Phrases")
"""Classes of the rules whose values are templates: wargame/rules/core/faults.py, phrases.py."""

DESK = PROJECT / "judging" / "admin.py"
"""The module that registers the judges' tables."""

AT_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)


def main() -> int:
    """Update all catalogues from the sources; 1 if a sentence lacks its translation, else 0."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wargame.settings")
    django.setup()
    by_domain, waits = {domain: gathered(domain) for domain in (PAGES, SCRIPTS)}, 0
    for path in sorted(CATALOGUES.glob("*/LC_MESSAGES/*.po")):
        catalogue = in_step(read(path), by_domain[path.stem])
        path.write_bytes(written(catalogue))
        path.with_suffix(".mo").write_bytes(compiled(catalogue))
        lacking = [message for message in catalogue if message.id and not is_whole(message)]
        print(f"{path.relative_to(PROJECT)}: {len(catalogue)} sentences, {len(lacking)} wait for a translation")
        waits += len(lacking)
    return 1 if waits else 0


def sources(domain: str = PAGES) -> Iterator[Path]:
    """The files that can hold sentences: templates and Python, without migrations; or scripts."""
    if domain == SCRIPTS:
        yield from sorted(PROJECT.glob("judging/static/judging/*.js"))
        return
    yield from sorted(path for path in PROJECT.glob("templates/**/*") if path.is_file())
    for package in ("judging", "tables", "wargame"):
        yield from (path for path in sorted(PROJECT.glob(f"{package}/**/*.py")) if "migrations" not in path.parts)


def gathered(domain: str = PAGES, paths: Iterable[Path] | None = None) -> Catalog:
    """All sentences of a domain that are marked, each with the files that contain it."""
    catalogue = Catalog(charset="utf-8")
    method, keywords = ("javascript", OF_SCRIPTS) if domain == SCRIPTS else ("python", KEYWORDS)
    for path in sources(domain) if paths is None else paths:
        for _, message, comments, context in extract(method, _readable(path), keywords, ("Translators:",)):
            name = path.relative_to(PROJECT).as_posix()
            catalogue.add(message, locations=[(name, 0)], auto_comments=comments, context=context)
        for template in templates(path):
            catalogue.add(template, locations=[(path.relative_to(PROJECT).as_posix(), 0)])
        if path == DESK:
            for context, name in names_of_the_desk():
                catalogue.add(name, locations=[(path.relative_to(PROJECT).as_posix(), 0)], context=context)
    return catalogue


def templates(path: Path) -> list[str]:
    """The templates of a module's faults and phrases as the module has them, however it builds them."""
    source = path.read_text(encoding="utf-8") if path.suffix == ".py" else ""
    if not any(f"({base})" in source for base in OF_TEMPLATES):
        return []
    names = [each.name for each in ast.parse(source).body if isinstance(each, ast.ClassDef) and is_of_templates(each)]
    module = importlib.import_module(".".join(path.relative_to(PROJECT).with_suffix("").parts))
    kinds: list[type[Enum]] = [getattr(module, name) for name in names]
    texts = [getattr(member, "template", member.value) for kind in kinds for member in kind]
    return [template for template in texts if re.search(r"[^\W\d_]", re.sub(r"\{[^}]*\}", "", template))]


def names_of_the_desk() -> list[tuple[str, str]]:
    """The names of the judges' tables and their columns, which come from the models: each with its context."""
    importlib.import_module("judging.admin")
    return sorted(importlib.import_module("judging.common.admin").names)


def is_of_templates(each: ast.ClassDef) -> bool:
    """Whether the values of a class are templates over facts, which are translated as templates."""
    return any(isinstance(base, ast.Name) and base.id in OF_TEMPLATES for base in each.bases)


def _readable(path: Path) -> io.BytesIO:
    """A file as Python that calls gettext: a template as Django reads it, without the line prefixes."""
    from django.utils.translation.template import templatize

    text = path.read_text(encoding="utf-8")
    if path.suffix not in (".py", ".js"):
        text = "\n".join(line.strip() for line in templatize(text).split("\n"))
    return io.BytesIO(text.encode())


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return pofile.read_po(file, locale=path.parts[-3])


def in_step(catalogue: Catalog, found: Catalog) -> Catalog:
    """The catalogue with exactly the sentences found, and their existing translations."""
    new = Catalog(
        locale=catalogue.locale,
        header_comment=catalogue.header_comment,
        project="coalition-wargame",
        fuzzy=False,
        charset="utf-8",
    )
    for message in found:
        if not message.id:
            continue
        previous = catalogue.get(message.id if isinstance(message.id, str) else message.id[0], message.context)
        fits = previous is not None and isinstance(previous.id, str) == isinstance(message.id, str)
        new.add(
            message.id,
            previous.string if previous is not None and fits else None,
            locations=message.locations,
            auto_comments=message.auto_comments,
            user_comments=previous.user_comments if previous is not None else (),
            context=message.context,
        )
    return new


def is_whole(message: Message) -> bool:
    """Whether a sentence is translated in all plural forms."""
    forms = (message.string,) if isinstance(message.string, str) else message.string or ()
    return bool(forms) and all(forms) and not message.fuzzy


def written(catalogue: Catalog) -> bytes:
    """The `.po` file, ordered by file and without line numbers, so that it changes only where a sentence does."""
    out = io.BytesIO()
    pofile.write_po(out, catalogue, width=120, sort_by_file=True, include_lineno=False, omit_header=False)
    lines = out.getvalue().decode().split("\n")
    keys = ("POT-Creation-Date", "PO-Revision-Date", "Generated-By", "Last-Translator", "Report-Msgid", "Language-Team")
    return "\n".join(line for line in lines if not line.startswith(tuple(f'"{name}' for name in keys))).encode()


def compiled(catalogue: Catalog) -> bytes:
    """The `.mo` file; its header has the plural rule but no time, so that it is the same each time."""
    catalogue.creation_date = catalogue.revision_date = AT_NO_TIME
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


if __name__ == "__main__":
    sys.path.insert(0, str(PROJECT))
    sys.exit(main())
