"""The house stands on its own feet: no imports in a circle, and no module that is only a cut piece of another one.

A module that one other module of its folder imports, and nobody else, is a piece of that one, unless it is of one of
the kinds below, or its docstring says why it stands alone: “Apart from `pages`, because …”.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PACKAGES = ("judging", "scripts", "tables", "wargame")


class Kind(NamedTuple):
    """Modules that have a reason by what they are: patterns of their names and of whom they are imported by."""

    module: str
    importer: str
    why: str


KINDS = (
    Kind(
        r"judging\..*\b(\w+_)?(pages|api|feeds|forms|desk|writes|reads|models)",
        r"judging\..*",
        "a layer of its room: pages and API, forms, writes, reads, models",
    ),
    Kind(r"judging\..*", r"judging\..*\burls", "what an address of its room answers"),
    Kind(r"judging\.templatetags\.\w+", r"judging\.templatetags\.\w+", "templates load it by its name"),
    Kind(r"judging\.tables\.board\.(altered|free|kryptik|seize)", r".*\.showing", "how one game is drawn"),
    Kind(
        r"tables\.games\.\w+\.\w+", r"tables\.games\.\w+\.rules", "a chapter of a game, which its `rules` put together"
    ),
    Kind(
        r"wargame\.rules\.mercenaries\.(defenders|oceans|raiders|themes)",
        r"wargame\.rules\.mercenaries\.guidelines",
        "how one faction decides",
    ),
    Kind(r"wargame\.cases\.\w+", r"wargame\.cases\.running", "a kind of case"),
    Kind(r"wargame\.importing\.(mtgjson|scryfall|xmage)", r"wargame\.importing\.reading", "a format of card lists"),
    Kind(r"scripts\.bench\.\w+_rows", r"scripts\.bench\.__main__", "a kind of rows of the bench"),
)


ONE_RECURSION = frozenset({"tables.core.lasting", "tables.core.selecting", "tables.core.values"})
"""T5.3, T7: whom a card means hangs on what cards are now, that on what holds for a while, and that on whom it means:
one recursion, which is as long as two files and is told in three. No other modules import each other in a circle."""


class Import(NamedTuple):
    """A module that is imported, and whether for annotations alone."""

    module: str
    is_for_types: bool


class Source(NamedTuple):
    """What a module says of itself, and what it imports, ours or not. Its tree is not kept: all of them together are
    millions of nodes."""

    docstring: str
    imports: tuple[Import, ...]


@cache
def _sources() -> Mapping[str, Source]:
    """Every module of the production code by its name, a package by its own."""
    paths = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if "migrations" not in path.parts]
    found = {}
    for path in sorted(paths):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        folder = name if parts[-1] == "__init__" else name.rpartition(".")[0]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found[name] = Source(ast.get_docstring(tree) or "", tuple(_imported(tree, folder)))
    return found


@cache
def _packages() -> frozenset[str]:
    return frozenset(name.rpartition(".")[0] for name in _sources())


def _imported(tree: ast.Module, folder: str) -> Iterator[Import]:
    """What a module of this folder imports, anywhere in it."""
    nodes = list(ast.walk(tree))
    for_types = {
        id(node)
        for block in nodes
        if isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"
        for node in block.body
    }
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = f"{folder}." if node.level else ""
            names = [f"{above}{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (Import(name, id(node) in for_types) for name in names)


def _of_ours(module: str) -> Iterator[Import]:
    """The modules of ours that a module imports."""
    for each in _sources()[module].imports:
        imported = each.module if each.module in _sources() else each.module.rpartition(".")[0]
        if imported in _sources():
            yield Import(imported, each.is_for_types)


@cache
def _imports() -> Mapping[str, frozenset[Import]]:
    return {name: frozenset(_of_ours(name)) for name in _sources()}


@cache
def _needed() -> Mapping[str, frozenset[str]]:
    """What each module imports when it is loaded, or later on, beside itself; not what annotations alone name."""
    return {
        name: frozenset(each.module for each in imported if not each.is_for_types) - {name}
        for name, imported in _imports().items()
    }


def _folder(module: str) -> str:
    """The package in which a module is, a package being in itself."""
    return module if module in _packages() else module.rpartition(".")[0]


def _pieces() -> Iterator[tuple[str, str]]:
    """(module, importer) of every module with one importer, in its own folder. What its package gathers at its door
    (`wargame.models`) is none, nor is a program, which nobody imports."""
    importers: dict[str, set[str]] = {}
    for name, imported in _imports().items():
        for module in {each.module for each in imported} - {name}:
            importers.setdefault(module, set()).add(name)
    for module, names in importers.items():
        importer = next(iter(names))
        is_own = _folder(module) == _folder(importer) and importer not in _packages()
        if len(names) == 1 and is_own and module not in _packages():
            yield module, importer


def _has_reason(module: str, importer: str) -> bool:
    if any(re.fullmatch(kind.module, module) and re.fullmatch(kind.importer, importer) for kind in KINDS):
        return True
    said = " ".join(_sources()[module].docstring.split())
    name = importer.rpartition(".")[2]
    return re.search(rf"Apart from `{name}`, (because|so that) [^.]{{20,}}\.", said) is not None


def test_a_module_with_one_importer_in_its_own_folder_says_why_it_stands_alone() -> None:
    pieces = list(_pieces())

    assert {module: importer for module, importer in pieces if not _has_reason(module, importer)} == {}
    assert len(pieces) > 50


def test_a_module_that_says_why_it_stands_alone_is_imported_by_one_other() -> None:
    pieces = {module for module, _ in _pieces()}

    assert {name for name, source in _sources().items() if "Apart from `" in source.docstring} <= pieces


def test_every_kind_of_module_that_needs_no_reason_is_met() -> None:
    pieces = list(_pieces())

    for kind in KINDS:
        met = [m for m, importer in pieces if re.fullmatch(kind.module, m) and re.fullmatch(kind.importer, importer)]
        assert met, kind.why


def test_no_imports_run_in_a_circle() -> None:
    graph = {
        name: {other for other in imported if not {name, other} <= ONE_RECURSION}
        for name, imported in _needed().items()
    }

    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None


def test_the_one_recursion_of_the_house_is_still_one() -> None:
    for name in ONE_RECURSION:
        assert _needed()[name] >= ONE_RECURSION - {name}
