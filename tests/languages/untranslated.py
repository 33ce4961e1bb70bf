"""Finds what is seen and no catalogue can translate: text of templates and sentences in Python that nobody marked.

A room that is done is listed in `DONE`, by its templates and modules; the list only grows. What looks like a sentence
and is none stands in `EXCUSED` with its reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.template.base import Lexer, TokenType

from scripts.messages import is_of_templates

PROJECT = Path(__file__).resolve().parents[2]

DONE: tuple[str, ...] = (
    "templates/**/*.html",
    "judging/accounts/*.py",
    "judging/accounts/second/*.py",
    "judging/accounts/sessions/[!r]*.py",
    "judging/accounts/tokens/models.py",
    "judging/accounts/tokens/writes.py",
    "judging/admin.py",
    "judging/appeals/[!m]*.py",
    "judging/armies/*.py",
    "judging/armies/changes/*.py",
    "judging/battles/beacon.py",
    "judging/battles/cards.py",
    "judging/battles/checks.py",
    "judging/battles/desk/*.py",
    "judging/battles/mixing.py",
    "judging/battles/reads.py",
    "judging/battles/results.py",
    "judging/battles/shapes.py",
    "judging/battles/strats/*.py",
    "judging/boards/**/*.py",
    "judging/books/pages.py",
    "judging/books/reads.py",
    "judging/books/writes.py",
    "judging/chain/reads.py",
    "judging/command/*.py",
    "judging/command/judges/*.py",
    "judging/discord/*.py",
    "judging/drawing/**/*.py",
    "judging/feedback/**/*.py",
    "judging/home/**/*.py",
    "judging/menu.py",
    "judging/rounds/**/*.py",
    "judging/search/**/*.py",
    "judging/setup/steps/*.py",
    "judging/subscribing/**/*.py",
    "judging/tables/archive/reading.py",
    "judging/tables/board/battlefield.py",
    "judging/tables/board/chosen.py",
    "judging/tables/board/faces.py",
    "judging/tables/board/free.py",
    "judging/tables/board/kryptik.py",
    "judging/tables/board/plain.py",
    "judging/tables/board/shapes.py",
    "judging/tables/matches/*.py",
    "judging/tables/proof/*.py",
    "judging/tables/talk/*.py",
    "judging/templatetags/*.py",
    "judging/turns/damage.py",
    "judging/turns/done/*.py",
    "judging/turns/opening.py",
    "judging/turns/states.py",
    "judging/verifying/books.py",
    "judging/verifying/checks.py",
    "judging/verifying/pages.py",
    "judging/verifying/present.py",
    "judging/verifying/reads.py",
    "judging/verifying/recomputing.py",
    "judging/votes/*.py",
    "tables/core/lists/cardlist.py",
    "tables/core/lists/faults.py",
    "tables/core/log/rewinding.py",
    "tables/core/options.py",
    "tables/core/proof/chain.py",
    "tables/core/proof/draws.py",
    "tables/games/*.py",
    "tables/games/free/*.py",
    "wargame/formats/*.py",
    "wargame/rules/armies/change_rules.py",
    "wargame/rules/telling/*.py",
)
"""Paths and patterns, from the project's folder."""

OF_ORDERS = frozenset(("templates/posts/manifest.html",))
"""Templates that show words of orders, which stay the rulebook's."""

EXCUSED = {
    "The Coalition Wargame": "the name of the game, which the rulebook gives",
    "Authorization: Bearer wg_": "what a script sends",
    "3D &gt; 5E (3D - 4D - 5D - 5E); engage Bob": "an order",
    "SHA-256": "the name of a way to hash",
    "· The Coalition Wargame": "the same, behind the title of a page",
}

OF_HTTP = ("Lax", "Strict", "Accept")
"""What a module says to browsers; on a page these are words like any other."""

KEYS = ("Enter", "Escape", "Home", "End")
"""What keys are called."""

MARKED = (
    *(f"{kind}gettext{late}" for kind in ("", "n", "p", "np") for late in ("", "_lazy", "_noop")),
    *("said", "counted", "said_as", "marked", "forms", "words"),
)
FOR_PROGRAMS = (
    *("logger", "log", "RuntimeError", "ValueError", "AssertionError", "TypeError", "LookupError", "CaseError"),
    *(
        "describe",
        "OpenApiParameter",
        "OpenApiExample",
        "compile",
        "import_module",
        "cursor",
        "RunSQL",
        "NewType",
        "TypeVar",
        "NamedTuple",
        "TypedDict",
    ),
)
"""Whose arguments are read by those who run the service, by who writes programs for its API, or by programs."""

OF_SCHEMA = ("help_text", "description", "verbose_name", "verbose_name_plural")
"""Named arguments that describe the API and the administrator's rows, in the language of the sources."""

OF_ROWS = ("__str__", "__repr__")
"""What a row is called among the administrator's."""

OF_NAMES = ("translate", "blocktranslate", "plural", "load", "extends", "url", "static", "block", "cite")
"""Tags that take names of templates, addresses and files, or are the marks themselves."""

_SPOKEN = re.compile(r"^[A-Z][a-z]+( [a-z$]|[.!?:]|$)|[a-z]\. [A-Z]")
_GIVEN = re.compile(r'"[^"\n]*"|`[^`\n]*`')
_ASKED = re.compile(r'gettext(?:With)?\("[^"]*"(?:, "[^"]*")?')
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_ENTITY = re.compile(r"&\w+;|&#\d+;")
_HIDDEN = re.compile(r"<(script|style|pre|svg\b(?=[^>]*aria-hidden))\b.*?</\1>|<!--.*?-->", re.DOTALL)
_SEEN = re.compile(r'\b(?:title|alt|aria-label|placeholder|data-confirm|data-ask|(?:data-)?label)="([^"]*)"')
_SUBMIT = re.compile(r'<input\b[^>]*type="submit"[^>]*value="([^"]*)"')
_TAG = re.compile(r"""<(?:"[^"]*"|'[^']*'|[^<>"'])*>""")
_LITERAL = re.compile(r'(?<!date:)(?<!time:)"([^"]*)"')
_TRANSLATED = re.compile(r'_\("[^"]*"\)')
_FORMAT = re.compile(r'\|(?:join|cut):"[^"]*"')
_COMPARED = re.compile(r'(?:==|!=|\bin) "[^"]*"|"[^"]*" (?:==|!=|in)\b')
_ENGLISH = re.compile(r'\|(pluralize\b|(?:date|time):"(?!c")[^"]*")')
_FIELD = re.compile(r"%\((\w+)\)s")
_GAP = "\x00"


def of_template(source: str) -> list[str]:
    """Pieces of text, and of attributes that are read, which stand outside of translate tags."""
    bare = _HIDDEN.sub("", _outside(source))
    pieces = [*_SEEN.findall(bare), *_SUBMIT.findall(bare), *re.split(rf"{_GAP}|\n\s*\n", _TAG.sub(_GAP, bare))]
    pieces += [text for tag in _tags(source) for text in _in_tag(tag)]
    return [text for piece in pieces if _is_text(text := " ".join(piece.replace(_GAP, " ").split()))]


def _outside(source: str) -> str:
    """A template without what its tags say; each variable is a gap."""
    out, inside = [], ""
    for token in Lexer(source).tokenize():
        name = token.contents.split()[0] if token.token_type == TokenType.BLOCK and token.contents else ""
        if name in ("blocktranslate", "comment") or token.contents == "block page_class":
            inside = name
        elif inside and name == f"end{inside}":
            inside = ""
        elif not inside:
            out.append(token.contents if token.token_type == TokenType.TEXT else _GAP)
    return "".join(out)


def _tags(source: str) -> list[str]:
    """What variables say, and tags."""
    tokens = Lexer(source).tokenize()
    said = [token.contents for token in tokens if token.token_type in (TokenType.BLOCK, TokenType.VAR)]
    return [each for each in said if each.split()[:1] and each.split()[0] not in OF_NAMES]


def _in_tag(said: str) -> list[str]:
    """Texts within a tag that are not marked with `_(...)`, and plurals and days as English has them."""
    texts = _LITERAL.findall(_COMPARED.sub("", _FORMAT.sub("", _TRANSLATED.sub("", said))))
    return [text for text in texts if " " in text.strip() or text[:1].isupper()] + _ENGLISH.findall(said)


def _is_text(text: str) -> bool:
    return bool(_LETTERS.search(_ENTITY.sub("", text))) and text not in EXCUSED


def of_python(source: str, is_api: bool = False) -> list[str]:
    """Strings that read like sentences, or like what begins or ends one, and are in no call of gettext.

    Of the API only what is refused counts: its schema is in one language for all.
    """
    tree = ast.parse(source)
    skipped = {id(node) for part in ast.walk(tree) for node in _not_shown(part)}
    roots = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)] if is_api else [tree]
    texts = [
        " ".join(node.value.split())
        for node in (each for root in roots for each in ast.walk(root))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped
    ]
    return [text for text in texts if _is_sentence(text)]


def _not_shown(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes within a docstring, a call of gettext, a class of templates, or one that programs or hosts read."""
    if isinstance(node, ast.ClassDef) and is_of_templates(node):
        yield from (each for part in node.body if isinstance(part, ast.Assign) for each in ast.walk(part))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    if isinstance(node, ast.keyword) and node.arg in OF_SCHEMA:
        yield from ast.walk(node)
    if isinstance(node, ast.FunctionDef) and node.name in OF_ROWS:
        yield from ast.walk(node)
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
        yield from ast.walk(node)
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal":
        yield from ast.walk(node)
    for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
        yield from ast.walk(annotation) if isinstance(annotation, ast.AST) else ()
    if isinstance(node, ast.Call):
        root = node.func
        name = root.attr if isinstance(root, ast.Attribute) else getattr(root, "id", "")
        while isinstance(root, ast.Attribute):
            root = root.value
        if name in MARKED or {name, getattr(root, "id", "")} & {*FOR_PROGRAMS}:
            yield from ast.walk(node)


def _is_sentence(text: str) -> bool:
    """Whether it has two plain words, or is one with a capital that may stand alone."""
    if text in {*EXCUSED, *OF_HTTP} or text.startswith(("/", "^", "<", "http", "{%")):
        return False
    words = text.split()
    plain = [word for word in words if re.fullmatch(r"[“(]?[^\W\d_]+[-’'”).,:;!?]*[^\W\d_]*[.,:;!?”)]*", word)]
    return (len(words) > 1 and len(plain) > 1) or bool(re.fullmatch(r"[A-Z][a-z]+[.!?:]?", text))


def of_script(source: str) -> list[str]:
    """Strings of a script that read like sentences, and no call of gettext has them."""
    bare = _ASKED.sub("", re.sub(r"^\s*//.*$|/\*.*?\*/", "", source, flags=re.MULTILINE | re.DOTALL))
    found = [given[1:-1] for given in _GIVEN.findall(bare)]
    return [text for text in found if text not in {*EXCUSED, *KEYS} and _SPOKEN.search(text)]


def lacking(source: str) -> list[str]:
    """Fields of sentences that a module does not give where it tells them: beside the call, or behind a `%`."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.right, ast.Dict):
            call, given = node.left, [ast.unparse(key).strip("'") if key else "" for key in node.right.keys]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("said", "counted", "said_as", "words"):
            call, given = node, [*(keyword.arg or "" for keyword in node.keywords), "number"]
        else:
            continue
        if isinstance(call, ast.Call) and "" not in given:
            told = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            found += [field for each in told for field in _FIELD.findall(each) if field not in given]
    return found


def files(patterns: tuple[str, ...] = DONE) -> list[Path]:
    """The files of the rooms that are done."""
    found = {path for pattern in patterns for path in PROJECT.glob(pattern) if path.is_file()}
    return sorted(path for path in found if path.relative_to(PROJECT).as_posix() not in OF_ORDERS)


def of_file(path: Path) -> list[str]:
    """What is not marked in a template or module."""
    source = path.read_text(encoding="utf-8")
    return of_python(source, path.name.endswith("api.py")) if path.suffix == ".py" else of_template(source)
